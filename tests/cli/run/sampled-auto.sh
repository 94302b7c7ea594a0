# --sample auto simulates a short program whole; a long one has a counted start and then windows. Under Valgrind they equal
# those of a replay of the whole trace.
. "$SRC/tests/cli/run/lib.bash"
machine=(--l1 4K,4,64 --ll 64K,4,64 --workers 1)
cat >long.c <<'END'
#include <stdlib.h>
static volatile long a[1 << 16];
int main(int argc, char **argv)
{
	long turns = argc > 1 ? atol(argv[1]) : 1;
	unsigned at = 1;

	for (long turn = 0; turn < turns; turn++)
		for (int i = 0; i < 1 << 16; i++) {
			a[i] = i;
			at = at * 1103515245 + 12345;
			if (turn % 2 == 1)
				a[at >> 16] = i;
		}
	return 0;
}
END
gcc -O1 -g -static -o long-static long.c && gcc -O1 -g -o long long.c || fail "gcc"
timeout -s KILL 120 "$MEMSPY" run -q --frontend valgrind --db runs.db "${machine[@]}" --trace whole.trace ./long-static 280 || fail "whole: exit status $?"
timeout -s KILL 120 "$MEMSPY" run -q --frontend valgrind --db runs.db "${machine[@]}" --sample auto ./long-static 280 2>auto.err || fail "auto: exit status $?"
timeout -s KILL 120 "$MEMSPY" replay -q --db runs.db "${machine[@]}" --sample auto whole.trace 2>replay.err || fail "replay: exit status $?"
# If the user has not chosen the windows, memspy does not suggest shorter ones.
for err in auto.err replay.err; do
	grep -q '^memspy: only [0-9]* windows: they may not stand for the program; --sample 1/10 --window 50K has more, and without --sample all is simulated$' $err || fail "few windows: $(cat $err)"
done
timeout -s KILL 120 "$MEMSPY" run -q --frontend valgrind --db runs.db "${machine[@]}" --sample auto ./long-static 10 || fail "short: exit status $?"
python3 "$SRC/tests/cli/replay/same.py" runs.db 2 3 occupancy stay slice slice_miss slice_sum slice_line >same || fail "replay: $(cat same)"
"$MEMSPY" accuracy --db runs.db 1 2 --json >valgrind.json || fail "accuracy"
python3 - <<'END' || failures=$((failures + 1))
import json, sqlite3
a = json.load(open("valgrind.json"))
level = a["levels"][0]
assert level["inside"] and abs(level["estimates"][0]["error"]) < 0.02, level
assert a["windows"] >= 6 and a["references"] < 0.9 * a["total"] and a["total_inside"], a
db = sqlite3.connect("runs.db")
assert db.execute("select ratio, refs from sampling where run = 4").fetchone()[0] == 1
assert db.execute("select count(*) from sampling where run = 2").fetchone()[0] >= 3
# A line is used for the first time once, and that was in the head, which stands for no more than itself.
first = [[db.execute("select sum(first) from miss where run = ? and level = ?", (run, level)).fetchone()[0] for level in (0, 1)] for run in (1, 2)]
assert all(abs(e - w) <= 0.02 * w for w, e in zip(*first)), first
END
"$MEMSPY" report --db runs.db @2 --json -o auto.json
python3 - <<'END' || failures=$((failures + 1))
import json, sqlite3
db = sqlite3.connect("runs.db")
totals = json.load(open("auto.json"))["totals"]
for level in (0, 1):
    whole = db.execute("select sum(first), sum(replaced) from miss where run = 1 and level = ?", (level,)).fetchone()
    within = totals["intervals"]["levels"][level]["causes"]
    assert within["first"]["low"] <= whole[0] <= within["first"]["high"], (whole, within)
    assert within["first"]["low"] <= totals["levels"][level]["causes"]["first"] <= within["first"]["high"], (totals["levels"], within)
END
# Natively, where it can be: windows are others each time, and how many references there are is a range.
if "$MEMSPY" run -q --frontend native --db native.db "${machine[@]}" ./long 600 2>native.err; then
	timeout -s KILL 120 "$MEMSPY" run -q --frontend native --db native.db "${machine[@]}" --sample auto ./long 600 2>native.err || fail "natively: exit status $?"
	timeout -s KILL 120 "$MEMSPY" run -q --frontend native --db native.db "${machine[@]}" --sample auto ./long 10 || fail "natively, short: exit status $?"
	"$MEMSPY" accuracy --db native.db 1 2 --json >native.json || fail "accuracy"
	python3 - <<'END' || failures=$((failures + 1))
import json, sqlite3
a = json.load(open("native.json"))
assert a["windows"] >= 1 and abs(a["levels"][0]["estimates"][0]["error"]) < 0.1, a
assert a["total_low"] <= a["total"] <= a["total_high"] and 20e6 < a["total"], a
db = sqlite3.connect("native.db")
assert db.execute("select ratio from sampling where run = 3").fetchone()[0] == 1
END
fi
finish
