# Programs that close all descriptors, fork, vfork, spawn, exec, have 320 threads or set LD_PRELOAD behave as natively, with
# valid traces; a program whose memspy is killed runs on.
. "$SRC/tests/cli/run/lib.bash"

run() {
	local how=$1 status
	"$MEMSPY" run -q --frontend native --db runs.db --trace $how.trace -- "$PROGRAMS/process-calls" $how >$how.out 2>$how.err
	status=$?
	"$PROGRAMS/process-calls" $how >alone.out
	[ $status = $? ] || fail "$how: exit status $status"
	cmp $how.out alone.out || fail "$how: prints $(cat $how.out)"
	"$MEMSPY" check $how.trace >checked || fail "$how: $(cat checked)"
	# On a busy machine children take so long that they are reported; programs without children print nothing.
	case $how in
	closes | exec) [ ! -s $how.err ] ;;
	*) ! grep -v '^memspy: .* of processor time, and were not followed; ' $how.err ;;
	esac || fail "$how: says $(cat $how.err)"
}
for how in closes vfork spawn fork exec midst crowd; do
	run $how
done
# The threads of the last one were followed, its children were not.
grep -q '^ *321  threads$' checked || fail "crowd: $(grep thread checked)"
grep -q '^ *321  threads ended$' checked || fail "crowd: $(grep thread checked)"

# The last chunk of what all threads share is full when the program ends, and not read yet.
for how in fork crowd; do
	"$MEMSPY" run -q --frontend native --processors 2 --db runs.db -- "$PROGRAMS/process-calls" $how >$how.out 2>$how.err
	status=$?
	[ $status = 5 ] || fail "$how, two processors: exit status $status, says $(cat $how.err)"
done

# LD_PRELOAD is set already, to an allocator too.
for library in libm.so.6 libtcmalloc_minimal.so.4; do
	path=$(gcc -print-file-name=$library)
	[ -e "$path" ] || continue
	# A sanitizer suffers no other allocator beside it.
	[ $library = libm.so.6 ] || ! ldd "$MEMSPY" | grep -q 'lib[at]san' || continue
	LD_PRELOAD=$path "$MEMSPY" run -q --frontend native --db runs.db --trace preload.trace -- "$PROGRAMS/process-calls" fork >preload.out
	[ $? = 5 ] || fail "$library: exit status $?"
	[ "$(cat preload.out)" = done ] || fail "$library: prints $(cat preload.out)"
	"$MEMSPY" check preload.trace >checked || fail "$library: $(cat checked)"
done

# memspy is killed: the program runs on, and waits until then.
"$MEMSPY" run -q --frontend native --db runs.db -- "$PROGRAMS/process-calls" slow >slow.out &
memspy=$!
until child=$(pgrep -x -P $memspy process-calls) && grep -q 'memspy-native' /proc/$child/maps; do
	kill -0 $memspy 2>/dev/null || { fail "slow: it has ended before"; break; }
	sleep 0.01
done 2>/dev/null
kill -9 $memspy
wait $memspy 2>/dev/null
touch go
while [ ! -s slow.out ] && grep -q '^State:.[^Z]' /proc/$child/status 2>/dev/null; do sleep 0.05; done
[ "$(cat slow.out)" = done ] || fail "killed: the program has ended too"
finish
