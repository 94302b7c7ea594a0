# Every estimated figure of a sampled run has its interval in text, matrix, CSV and JSON; nearly all intervals contain the
# figure of the whole run; counted figures have none.
# of CSV and in JSON. The truth, of a run that was simulated whole, lies in nearly all of them; what was counted has none.
. "$SRC/tests/cli/run/lib.bash"
python3 - <<'END' >mixed.din
import random
random.seed(2)
def line(kind, base, span):
    print(kind, format(base + random.randrange(span) // 8 * 8, "x"))
for i in range(600000):
    line(0, 0x100000, 1 << 12) # stays
    line(1, 0x200000, 1 << 16) # misses often
    line(0, 0x400000, 1 << 20) # nearly always
    if i % 3 == 0:
        line(1, 0x100000, 1 << 12)
END
machine=(--l1 8K,4,64 --ll 128K,8,64 --workers 1)
"$MEMSPY" replay -q --db runs.db "${machine[@]}" -f din mixed.din || fail "whole: exit status $?"
"$MEMSPY" replay -q --db runs.db "${machine[@]}" -f din --sample 1/10 --window 5K mixed.din || fail "sampled: exit status $?"
COLUMNS=100 "$MEMSPY" report --db runs.db @2 | sed -n '/^TOTAL/,$p'
COLUMNS=100 "$MEMSPY" report --db runs.db --by data --top 1 @2 | sed -n '/^BY/,/rest/{p;/rest/{n;p}}'
COLUMNS=100 "$MEMSPY" show --db runs.db --data 0x200000+1M @2 | sed -n '/^DETAILED/,/^DATA/p'
for run in 1 2; do
	"$MEMSPY" report --db runs.db --by data --csv @$run >$run.csv
	"$MEMSPY" report --db runs.db --by data --json @$run >$run.json
done
head -1 1.csv | tr , '\n' | grep -v -e conflict_ -e capacity_ -e optimal_ -e touched_ -e bytes_ | grep -q '_low' && fail "intervals of a run that was simulated whole"
python3 - <<'END' || fail "figures"
import csv, json
whole, sampled = ({row["name"]: row for row in csv.DictReader(open(name))} for name in ("1.csv", "2.csv"))
inside = outside = 0
for name, row in sampled.items():
    for key, figure in row.items():
        if key + "_low" not in row or row[key + "_low"] == "":
            continue
        low, high, true = float(row[key + "_low"]), float(row[key + "_high"]), float(whole[name][key])
        slack = 1e-6 if key.endswith(("share", "rate", "reference")) else 1 # numbers are rounded
        assert low - slack <= float(figure) <= high + slack, (name, key, low, figure, high)
        if low - slack <= true <= high + slack:
            inside += 1
        else:
            outside += 1
            print("outside", name, key, true, low, high)
assert inside > 50 and outside <= inside // 20, (inside, outside)
for key in ("stall_share", "references", "reads", "L1_misses", "L1_miss_rate", "L1_read_misses", "LL_write_misses", "L1_replacement"):
    assert key + "_low" in next(iter(sampled.values())), key
whole, sampled = (json.load(open(name)) for name in ("1.json", "2.json"))
def misses(of, level, rw):
    return of["levels"][level]["misses"][rw]
for of, true in [(sampled["totals"], whole["totals"])] + [(d, t) for d in sampled["data"] for t in whole["data"] if d["name"] == t["name"]]:
    for rw in ("read", "write"):
        for level in (0, 1):
            b = of["intervals"]["levels"][level]["read_misses" if rw == "read" else "write_misses"]
            assert (b is None and misses(true, level, rw) == 0) or b["low"] - 1 <= misses(true, level, rw) <= b["high"] + 1, (of, true)
        b = of["intervals"]["reference_shares"][rw]
        share = true["references"][rw] / sum(whole["totals"]["references"].values())
        assert (b is None and share == 0) or b["low"] - 1e-6 <= share <= b["high"] + 1e-6, (b, share)
END
finish
