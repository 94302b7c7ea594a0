# A program that blocks the signals that memspy uses (61, 62) leaves that to the programs that it executes, in whatever way, in all modes.
. "$SRC/tests/cli/run/lib.bash"
gcc -std=gnu17 -O1 -pthread -Wall -Wextra -o exec-signals "$SRC/tests/cli/native-signals/ignored-signals-after-exec.c" || fail "gcc ignored-signals-after-exec.c"
ways='execve execvp execl execle fork vfork spawn system popen failing many'
for way in $ways; do
	timeout -s KILL 60 ./exec-signals $way blocked >$way.alone || fail "$way: exit status $? without memspy"
done
grep -q 'not blocked' execve.alone vfork.alone spawn.alone && fail "natively: $(cat *.alone)" # the shell of system() unblocks all
timeout -s KILL 60 ./exec-signals blocking-child inherited >blocking-child.alone || fail "blocking-child: exit status $? without memspy"
check() {
	timeout -s KILL 60 "$MEMSPY" $1 -q --db runs.db -- ./exec-signals $2 $3 >out 2>err || fail "$1: $2: exit status $?: $(cat err)"
	cmp -s out $2.alone || fail "$1: $2: $(sort out | uniq -c | tr '\n' ' ')"
}
for mode in 'run --frontend native' 'run --frontend native --sample 1/10' 'sample --event timer'; do
	for way in $ways; do
		check "$mode" $way blocked
	done
	check "$mode" blocking-child inherited
done
for mode in 'run --frontend native --sample 1/2 --window 2K' 'run --frontend native --follow-forks' 'run --frontend native --sample 1/4 --follow-forks'; do
	for way in execl failing many; do
		check "$mode" $way blocked
	done
	check "$mode" blocking-child inherited
done
# The parent of memspy has blocked them.
cat >blocked.py <<'END'
import os, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, [61, 62])
os.execvp(sys.argv[1], sys.argv[1:])
END
MEMSPY="python3 blocked.py $MEMSPY"
check() {
	timeout -s KILL 60 $MEMSPY $1 -q --db runs.db -- ./exec-signals $2 inherited >out 2>err || fail "$1: $2, inherited: exit status $?: $(cat err)"
	cmp -s out $2.alone || fail "$1: $2, inherited: $(sort out | uniq -c | tr '\n' ' ')"
}
for mode in 'run --frontend native' 'run --frontend native --sample 1/10' 'sample --event timer'; do
	for way in execve vfork spawn; do
		check "$mode" $way
	done
done
finish
