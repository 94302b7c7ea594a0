# A program that permits itself only a few system calls ends as it does natively: memspy makes no others after that, not even at
# the end; so do programs that refuse system calls in other ways.
. "$SRC/tests/cli/run/lib.bash"
for mode in allow errno trap threads strict; do
	"$PROGRAMS/sandbox" $mode >alone.out
	status=$?
	[ $status != 77 ] || continue
	for way in '' '--follow-forks' '--sample 1/10 --window 5K' '--sample 1/10 --window 5K --follow-forks'; do
		# shellcheck disable=SC2086 # $way is words
		"$MEMSPY" run -q --frontend native --db a.db $way -- "$PROGRAMS/sandbox" $mode >out 2>err
		is=$?
		[ $is = $status ] || fail "$mode $way: status $is instead of $status: $(cat err)"
		cmp out alone.out || fail "$mode $way: prints something else"
		grep -q 'it restricts its system calls (seccomp)' err || [ $mode = strict ] || fail "$mode $way: says $(cat err)"
	done
done
finish
