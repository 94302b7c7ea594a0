# memspy run --attach traces threads that block all signals; they keep their masks and receive the signals that they are sent.
. "$SRC/tests/cli/run/lib.bash"
gcc -std=gnu17 -O1 -g -pthread -Wall -Wextra -o blocked "$SRC/tests/cli/native-attach/blocked-signals.c" || fail gcc
mkfifo in
for way in whole sampled; do
	options=()
	[ $way = sampled ] && options=(--sample 1/10 --window 20K)
	: >out
	./blocked <in >out &
	program=$!
	exec 9>in
	until grep -q ready out; do sleep 0.01; done
	timeout -s KILL 100 "$MEMSPY" run -q --attach $program --duration 1 "${options[@]}" --db $way.db 2>err &
	memspy=$!
	sent=0
	while kill -0 $memspy 2>/dev/null; do
		kill -0 $program 2>/dev/null || break
		printf x >&9
		sent=$((sent + 1))
		sleep 0.01
	done
	wait $memspy || fail "$way: exit status $?: $(cat err)"
	exec 9>&-
	wait $program
	[ $? = 6 ] || fail "$way: it ends otherwise"
	[ "$(tail -n 1 out)" = "$sent came, 0 not as sent, 0 opened" ] || fail "$way: of $sent sent $(tail -n 1 out)"
	[ "$(sqlite3 $way.db "select count(*) > 0 from bin where code = 'walk'")" = 1 ] || fail "$way: what computes is not seen"
done
finish
