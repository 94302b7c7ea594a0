# A program that ignores the signals that memspy uses (61, 62) leaves that to the programs that it executes, in whatever way, in all modes.
. "$SRC/tests/cli/run/lib.bash"
gcc -std=gnu17 -O1 -pthread -Wall -Wextra -o exec-ignored "$SRC/tests/cli/native-signals/ignored-signals-after-exec.c" || fail "gcc exec-ignored.c"
ways='execve execvp execl execle fork vfork spawn system popen failing many'
for way in $ways; do
	timeout -s KILL 60 ./exec-ignored $way >$way.alone || fail "$way: exit status $? without memspy"
done
grep -q 'not ignored' *.alone && fail "natively: $(cat *.alone)"
check() {
	timeout -s KILL 60 "$MEMSPY" $1 -q --db runs.db -- ./exec-ignored $2 >out 2>err || fail "$1: $2: exit status $?: $(cat err)"
	cmp -s out $2.alone || fail "$1: $2: $(sort out | uniq -c | tr '\n' ' ')"
}
for way in $ways; do
	for mode in 'run --frontend native' 'run --frontend native --sample 1/10' 'sample --event timer'; do
		check "$mode" $way
	done
done
for way in execl failing many; do
	for mode in 'run --frontend native --sample 1/2 --window 2K' 'run --frontend native --follow-forks' 'run --frontend native --sample 1/4 --follow-forks'; do
		check "$mode" $way
	done
done
finish
