# MEMSPY_STOP() in one thread stops counting in all threads until MEMSPY_START().
. "$SRC/tests/cli/run/lib.bash"
gcc -std=gnu17 -O1 -g -I"$SRC/include" -o stop "$SRC/tests/cli/native/stop-counts-no-thread.c" -pthread || fail "gcc stop.c"

for processors in 1 2; do
	timeout -s KILL 60 "$MEMSPY" run -q --frontend native --db runs.db --processors $processors --trace t.trace --csv --by code \
		-o code.csv -n 100 --threshold 0 -- ./stop || fail "exit status $?"
	python3 - code.csv <<'END' || fail "$processors: $(grep read_part code.csv)"
import csv, sys
row = next(r for r in csv.DictReader(open(sys.argv[1])) if r['name'].startswith('read_part'))
# Two of three parts; a chunk of the lane, and of what is written instead of it, has at most 3072 references.
assert 400000 - 3072 <= int(row['reads']) <= 400010 + 3072, row
END
	"$MEMSPY" check t.trace >checked || fail "$processors: $(cat checked)"
done

# Who never starts is not said to have been too short.
"$MEMSPY" run --frontend native --db never.db --start-stopped --sample 1/10 -- true >never.out 2>never.err || fail "never: exit status $?"
tr -s '\n ' ' ' <never.err >never.page
grep -q '^memspy: no window opened while the program counted, from MEMSPY_START() on; without --sample all that it counts is simulated$' never.err ||
	fail "never: says $(cat never.err)"
grep -q 'Counted: in part; left out (MEMSPY_STOP(), --start-stopped): 1 stretch Sampled: [^:]*: no window opened while the program counted' never.page ||
	fail "never: reports $(cat never.page)"
finish
