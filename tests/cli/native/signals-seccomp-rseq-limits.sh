# Programs that block signals, use seccomp, small stacks, changed code, restartable sequences or resource limits print and end
# as natively, in all modes; musl programs run under Valgrind; a stopped memspy loses nothing.
. "$SRC/tests/cli/run/lib.bash"
gcc -std=gnu17 -O1 -g -pthread -Wall -Wextra -o program "$SRC/tests/cli/native/signals-seccomp-rseq-limits.c" || fail gcc

for mode in blocked masks strict filter small aside apart code sequence queue data; do
	timeout -s KILL 60 ./program $mode >alone.out
	status=$?
	timeout -s KILL 120 "$MEMSPY" run -q --frontend native --db $mode.db --trace $mode.trace -- ./program $mode >$mode.out 2>$mode.err
	[ $? = $status ] || fail "$mode: ends otherwise: $(cat $mode.err)"
	cmp $mode.out alone.out || fail "$mode: prints $(cat $mode.out), natively $(cat alone.out)"
	"$MEMSPY" check $mode.trace >checked || fail "$mode: $(cat checked)"
done

# Nor when it is sampled, and does so natively, between windows, or where all of it is followed, but not all sets.
ways=('--sample 1/10 --window 20K' '--sample 1/100 --window 10K' '--sample auto' '--sample-sets 1/16')
for mode in blocked masks strict filter small aside apart code sequence queue; do
	timeout -s KILL 60 ./program $mode >alone.out
	status=$?
	for way in "${ways[@]}"; do
		timeout -s KILL 120 "$MEMSPY" run -q --frontend native --db sampled.db $way -- ./program $mode >$mode.out 2>sampled.err
		[ $? = $status ] || fail "$way: $mode: ends otherwise: $(cat sampled.err)"
		cmp $mode.out alone.out || fail "$way: $mode: prints $(cat $mode.out), natively $(cat alone.out)"
		! grep 'has replaced itself' sampled.err || fail "$way: $mode: it has not"
		case $mode in
		strict | filter)
			grep -qx 'memspy: the program ran on untraced to its end: it restricts its system calls (seccomp)' sampled.err ||
				fail "$way: $mode: says $(cat sampled.err)"
			;;
		sequence)
			# Where no window gets far, not all of the time goes by with trying.
			tries=$(sqlite3 sampled.db "select coalesce(sum(times), 0) from untraced where who <> 'loader' and run = (select max(id) from run)")
			[ "$tries" -lt 1500 ] || fail "$way: $mode: traced $tries times in vain"
			;;
		esac
	done
done

for mode in strict filter; do
	grep -qx 'memspy: the program ran on untraced to its end: it restricts its system calls (seccomp)' $mode.err ||
		fail "$mode: says $(cat $mode.err)"
	# What it did before is there.
	[ "$(sqlite3 $mode.db "select sum(writes) >= 100000 from bin where code = 'work'")" = 1 ] || fail "$mode: it is not kept"
	# Nor is it a secret that the rest is not.
	"$MEMSPY" report --db $mode.db >$mode.report
	[ "$(sqlite3 $mode.db "select who, times from untraced where reason = 'to its end: it restricts its system calls'")" = 'program|1' ] &&
		grep -q '^Counted:  in part; the program ran untraced ' $mode.report || fail "$mode: $(head -n 6 $mode.report)"
	"$MEMSPY" replay -q --db $mode.db $mode.trace 2>/dev/null || fail "$mode: replay"
	[ "$(sqlite3 $mode.db "select count(*) = 2 * count(distinct reason) from untraced where who <> 'loader'")" = 1 ] || fail "$mode: a replay says otherwise"
done
for mode in blocked small aside apart; do
	[ ! -s $mode.err ] || fail "$mode: says $(cat $mode.err)"
done

# Another C library: Valgrind takes it, and that is said.
if command -v musl-gcc >/dev/null; then
	musl-gcc -O1 -g -o musl -x c - <<-'END' || fail "musl-gcc"
		#include <stdio.h>
		int main(void) { puts("musl"); return 5; }
	END
	"$MEMSPY" run --frontend auto --db runs.db -o report.txt -- ./musl >musl.out 2>musl.err
	[ "$? $(cat musl.out)" = '5 musl' ] || fail "musl: $(cat musl.out musl.err)"
	grep -qx 'memspy: the Valgrind front-end follows the program: its C library is not glibc' musl.err || fail "musl: says $(cat musl.err)"
fi

# memspy does not read for more than a second: the program waits, and nothing is lost.
"$MEMSPY" run -q --frontend native --db slow.db -- "$EXAMPLES/matmul" 100 >slow.out 2>slow.err &
memspy=$!
until child=$(pgrep -P $memspy) && grep -q 'memspy-native' "/proc/$child/maps" 2>/dev/null; do
	[ -e /proc/$memspy ] || break
	sleep 0.01
done
kill -STOP $memspy
sleep 1.5
kill -CONT $memspy
wait $memspy || fail "stopped: exit status $?: $(cat slow.err)"
"$MEMSPY" run -q --frontend native --db slow.db -- "$EXAMPLES/matmul" 100 >again.out
[ "$(sqlite3 slow.db 'select count(distinct n) from (select sum(refs) as n from cell group by run)')" = 1 ] ||
	fail "stopped: other references: $(sqlite3 slow.db 'select sum(refs) from cell group by run')"
finish
