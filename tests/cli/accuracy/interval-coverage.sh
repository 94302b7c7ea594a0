# The 95 % interval of the miss rate contains the true rate in 19 of 20 samples of a program whose phases differ much, and so do the
# intervals of miss causes and evictors. Fixed seeds make the samples reproducible. In the last level it is 17 of 20: two kinds of
# its phases reuse all of their lines, the worst case for the estimate of lines that were used between windows only
# (docs/design/sampling.md).
python3 - <<'END' >phases.din
import random
r = random.Random(7)
out, at = [], 0
for phase in range(900):
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
figures() {
	"$MEMSPY" report --db runs.db --json "$1" -o "report$1.json" && "$MEMSPY" evictions --db runs.db --json "$1" -o "evictions$1.json"
}
figures 1
for seed in $(seq 20); do
	"$MEMSPY" replay -q --db runs.db --l1 4K,4,64 --ll 256K,8,64 --sample 1/10 --window 4K --sample-seed $seed -f din phases.din 2>/dev/null || echo "$seed: $?"
	"$MEMSPY" accuracy --db runs.db --json 1 $((seed + 1)) -o $seed.json || echo "$seed: $?"
	figures $((seed + 1))
done
python3 - <<'END'
import json
runs = [json.load(open(f"{seed}.json"))["levels"] for seed in range(1, 21)]
for level in range(2):
    inside = sum(run[level]["inside"] for run in runs)
    print(runs[0][level]["name"], "enough" if inside >= (19, 17)[level] else f"only {inside} of 20")
    assert all(run[level]["low"] < run[level]["high"] for run in runs)
# Intervals that are too wide to say anything would have it, too.
width = sum(run[0]["high"] - run[0]["low"] for run in runs) / 20
print("narrow" if width < 0.3 else f"{width} wide")
END
python3 - <<'END'
import json
from collections import defaultdict

def figures(run):
    """Of each figure: what kind it is, its number, and its interval, where it has one."""
    report = json.load(open(f"report{run}.json"))
    for entry in report["data"] + report["bins"] + [report["totals"]]:
        who = entry.get("code"), entry.get("data") or entry.get("name")
        known = entry.get("intervals", {}).get("levels", [{"causes": {}}] * 2)
        for level, within in zip(entry["levels"], known):
            for cause, n in level["causes"].items():
                yield ("causes", who, level["name"], cause), n, within["causes"].get(cause)
        for by in entry.get("replaced_by", []):
            yield ("replaced by", who, by["level"], by["data"]), by["count"], by
    evictions = json.load(open(f"evictions{run}.json"))
    for entry in evictions["data"] + evictions["levels"]:
        for figure in ("evicted", "evicts", "evictions", "replacement_stall_cycles"):
            if figure in entry:
                yield ("totals of evictions", entry["name"], entry.get("level"), figure), entry[figure], entry.get("intervals", {}).get(figure)
    for pair in evictions["pairs"]:
        yield ("evictions", pair["evicted"], pair["level"], pair["evicted_by"]), pair["evictions"], pair

truth = {key: n for key, n, _ in figures(1)}
inside, width = defaultdict(list), defaultdict(list)
for seed in range(1, 21):
    for key, n, within in figures(seed + 1):
        if n > 0 and within and within.get("low") is not None:
            assert within["low"] <= within["high"], (key, within)
            inside[key[0]].append(within["low"] - 0.5 <= truth.get(key, 0) <= within["high"] + 0.5)
            width[key[0]].append((within["high"] - within["low"]) / 2 / n)
for kind in ("causes", "replaced by", "evictions", "totals of evictions"):
    part = sum(inside[kind]) / len(inside[kind])
    print(kind, "enough" if part >= 0.95 and len(inside[kind]) > 100 else f"only {part} of {len(inside[kind])}")
for kind, most in (("causes", 1), ("evictions", 2.2), ("totals of evictions", 1.1)):
    middle = sorted(width[kind])[len(width[kind]) // 2]
    print(kind, "narrow" if middle < most else f"{middle} wide")
END
