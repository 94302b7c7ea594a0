# memspy run --attach: programs that wait, in all threads or in the first one, can be attached to, and lose no signal.
. "$SRC/tests/cli/run/lib.bash"
gcc -std=gnu17 -O1 -g -pthread -Wall -Wextra -o waits "$SRC/tests/cli/native/attach-waits.c" || fail "gcc attach-waits.c"
mkfifo in

# start MODE: it has begun; its input is descriptor 9
start() {
	./waits $1 <in >$1.out &
	program=$!
	exec 9>in
	until grep -q ready $1.out; do sleep 0.01; done
}

# attach MODE
attach() {
	timeout -s KILL 60 "$MEMSPY" run -q --attach $program --duration 1 --db $1.db 2>$1.err || fail "$1: exit status $?: $(cat $1.err)"
}

# ends MODE STATUS TEXT
ends() {
	exec 9>&-
	wait $program
	[ $? = $2 ] || fail "$1: it ends otherwise"
	[ "$(tail -n 1 $1.out)" = "$3" ] || fail "$1: it prints $(cat $1.out)"
}

start reads
sleep 0.2 # until it waits
attach reads
ends reads 5 'read 0'

start joins
attach joins
ends joins 6 ready
[ "$(sqlite3 joins.db "select sum(writes) > 4096 from bin where code = 'fill'")" = 1 ] || fail "joins: what it does is not seen"

start signals
attach signals
ends signals 7 'lost 0, with their values 0'
finish
