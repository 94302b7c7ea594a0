# With -p N, children that a program forks while its threads are busy run on and end, followed or not, under both front-ends.
. "$SRC/tests/cli/run/lib.bash"
frontends=valgrind
[ ! -e "$BUILD/frontends/memspy-native.so" ] || frontends='valgrind native'
for frontend in $frontends; do
	for follow in '' --follow-forks; do
		timeout -s KILL 60 "$MEMSPY" run -q --frontend $frontend --processors 4 $follow --db runs.db -o report.txt -- "$PROGRAMS/forkstorm" 4 >out.txt 2>err.txt ||
			fail "$frontend $follow: exit status $?; says $(cat err.txt)"
		[ "$(cat out.txt)" = '0 of 4 children ended in another way' ] || fail "$frontend $follow: prints $(cat out.txt)"
	done
done
finish
