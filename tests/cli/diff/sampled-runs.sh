# Differences of sampled runs are judged by their intervals: samples of one trace do not differ, bins that no window saw are not
# gone, and three times as many misses are a change.
. "$SRC/tests/cli/run/lib.bash"
python3 - <<'END'
import random
def write(name, span):
    random.seed(3)
    with open(name, "w") as out:
        for i in range(400000):
            print(0, format(0x100000 + random.randrange(span) // 8 * 8, "x"), file=out)
            print(1, format(0x800000 + i % 512 * 8, "x"), file=out)
            if 200000 <= i < 200100: # once, and in no window
                print(0, format(0x4000000 + i % 100 * 64, "x"), file=out)
write("before.din", 1 << 13)
write("after.din", 1 << 16)
END
machine=(--l1 4K,4,64 --workers 1 --sample 1/10 --window 2K)
"$MEMSPY" replay -q --db runs.db "${machine[@]:0:4}" -f din before.din || fail "whole: exit status $?"
for seed in 1 2 3; do
	"$MEMSPY" replay -q --db runs.db "${machine[@]}" --sample-seed $seed -f din before.din || fail "seed $seed: exit status $?"
done
"$MEMSPY" replay -q --db runs.db "${machine[@]}" -f din after.din || fail "after: exit status $?"
for pair in '1 2' '1 3' '2 3' '2 4' '3 5'; do
	set -- $pair
	"$MEMSPY" diff --db runs.db --json @$1 @$2 >"$1-$2.json" || fail "$pair: exit status $?"
done
"$MEMSPY" diff --db runs.db -q @1 @2 --fail-if 'cycles < -0.1%' --fail-if 'cycles > +0.1%' || fail "cycles: exit status $?"
"$MEMSPY" diff --db runs.db @1 @2 | tr '\n' ' ' | grep -q 'Noise: .*("-": not known)' || fail "legend"
"$MEMSPY" diff --db runs.db @1 @2 | grep -q '^L1 misses .* ~[0-9.]*K\?$' || fail "text: $("$MEMSPY" diff --db runs.db @1 @2)"
python3 - <<'END' || fail "noise"
import json
def rows(name):
    diff = json.load(open(name + ".json"))
    return [diff["total"]] + [row for of in ("data", "bins") for row in diff[of]]
gone = 0
for name in ("1-2", "1-3", "2-3", "2-4"):
    for row in rows(name):
        for key in ("cycles", "stall", "L1_misses"):
            change = row["metrics"][key]
            assert not change["clear"] or change["change"] == 0, (name, row["name"] if "name" in row else "all", key, change)
            gone += change["noise"] is None and not change["clear"]
assert gone > 0
total = rows("3-5")[0]["metrics"]["L1_misses"]
assert total["clear"] and 0 < total["noise"] < total["change"], total
END
finish
