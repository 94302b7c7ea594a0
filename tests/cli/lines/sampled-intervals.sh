# Source lines of a sampled run have intervals in text and CSV, and nearly all of them contain the true figure.
. "$SRC/tests/cli/run/lib.bash"
machine=(--frontend valgrind --workers 1 --l1 4K,2,64 --ll 64K,4,64)
timeout -s KILL 120 "$MEMSPY" run -q --db runs.db "${machine[@]}" -- "$EXAMPLES/matmul" 60 >/dev/null || fail "whole: exit status $?"
timeout -s KILL 120 "$MEMSPY" run -q --db runs.db "${machine[@]}" --sample 1/10 --window 2K -- "$EXAMPLES/matmul" 60 >/dev/null || fail "sampled: exit status $?"
for run in 1 2; do
	"$MEMSPY" lines --db runs.db --csv @$run >$run.csv || fail "csv @$run: exit status $?"
done
grep -q 'stall_cycles_low\|misses_low' 1.csv && fail "intervals of a run that was simulated whole"
"$MEMSPY" lines --db runs.db --width 120 @2 matmul.c >text || fail "text: exit status $?"
python3 - <<'END' || fail "figures"
import csv, re
whole, sampled = ({(row["file"], row["line"]): row for row in csv.DictReader(open(name))} for name in ("1.csv", "2.csv"))
inside = outside = 0
for place, row in sampled.items():
    for key, figure in row.items():
        if row.get(key + "_low", "") == "" or place not in whole:
            continue
        low, high, true = float(row[key + "_low"]), float(row[key + "_high"]), float(whole[place][key])
        slack = 1e-6 if key == "stall_share" else 1
        assert low - slack <= float(figure) <= high + slack, (place, key, low, figure, high)
        inside += low - slack <= true <= high + slack
        outside += not low - slack <= true <= high + slack
assert inside > 40 and outside < 0.05 * inside, (inside, outside)
# In text: the total, the file, and each line that windows contain.
text = open("text").read().split("\n")
below = [text[i] for i, line in enumerate(text) if i > 0 and "95% interval" in line and re.search("matmul.c|total|= AT|AT.Z", text[i - 1])]
assert len(below) >= 4 and all(re.search(r"[0-9]-[0-9]", line) for line in below), "\n".join(text)
END
finish
