# Of an out-of-order core, the interval of stall time allows for windows that open with other caches and prefetchers than the
# program has: here windows see first uses of lines in code that the program only uses them again in.
. "$SRC/tests/cli/run/lib.bash"
machine=(--machine intel-emerald-rapids --workers 1)
"$MEMSPY" run -q --frontend native --db first.db "${machine[@]}" --trace matmul.trace -- "$BUILD/examples/matmul" 150 >out ||
	fail "exit status $?"
"$MEMSPY" replay -q --db runs.db "${machine[@]}" --json -o 0.json matmul.trace || fail "whole: exit status $?"
for seed in 1 2 3 4; do
	"$MEMSPY" replay -q --db runs.db "${machine[@]}" --sample 1/10 --sample-seed $seed --json -o $seed.json matmul.trace ||
		fail "seed $seed: exit status $?"
done
python3 - <<'END' || fail "intervals"
import json
def stall(run):
    return json.load(open(f"{run}.json"))["totals"]
true = stall(0)["stall_cycles"]
inside = [run for run in range(1, 5)
          if stall(run)["intervals"]["stall_cycles"]["low"] <= true <= stall(run)["intervals"]["stall_cycles"]["high"]]
assert len(inside) >= 3, (true, [(stall(run)["stall_cycles"], stall(run)["intervals"]["stall_cycles"]) for run in range(1, 5)])
END
finish
