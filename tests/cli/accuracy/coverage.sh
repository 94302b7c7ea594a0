# The 95 % interval of the miss rate has the true one in it for 19 of 20 samples of a program whose parts differ much. Samples are
# drawn by their seeds, so that each time the same ones are.
python3 - <<'END' >phases.din
import random
r = random.Random(7)
out, at = [], 0
for phase in range(300):
    kind, n = r.choice(("stream", "stay", "jump")), r.randrange(500, 4000)
    for i in range(n):
        if kind == "stream":
            at, address = at + 8, 0x1000000 + (at + 8) % (1 << 20)
        elif kind == "stay":
            address = 0x100000 + i * 8 % 2048
        else:
            address = 0x4000000 + r.randrange(1 << 14) * 64
        out.append(f"0 {address:x}\n")
print("".join(out), end="")
END
"$MEMSPY" replay -q --db runs.db --l1 4K,4,64 --ll 256K,8,64 -f din phases.din || echo "whole: $?"
for seed in $(seq 20); do
	"$MEMSPY" replay -q --db runs.db --l1 4K,4,64 --ll 256K,8,64 --sample 1/10 --window 1K --sample-seed $seed -f din phases.din 2>/dev/null || echo "$seed: $?"
	"$MEMSPY" accuracy --db runs.db --json 1 $((seed + 1)) -o $seed.json || echo "$seed: $?"
done
python3 - <<'END'
import json
runs = [json.load(open(f"{seed}.json"))["levels"] for seed in range(1, 21)]
for level in range(2):
    inside = sum(run[level]["inside"] for run in runs)
    print(runs[0][level]["name"], "enough" if inside >= 19 else f"only {inside} of 20")
    assert all(run[level]["low"] < run[level]["high"] for run in runs)
# Intervals that are too wide to say anything would have it, too.
width = sum(run[0]["high"] - run[0]["low"] for run in runs) / 20
print("narrow" if width < 0.3 else f"{width} wide")
END
