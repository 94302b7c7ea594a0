# --sample auto simulates a short program whole; when the requested error is reached windows become rarer, and each window is
# weighted by the time that it stands for. Two halves with different miss rates show wrong weights.
. "$SRC/tests/cli/run/lib.bash"
python3 - <<'END' >halves.din
import random
random.seed(1)
for i in range(1200000):
    print(0, format(0x100000 + i % 131072 * 8, "x")) # one of eight misses
for i in range(1200000):
    print(0, format(0x100000 + random.randrange(1 << 17) * 64, "x")) # nearly all do
END
replay() {
	name=$1
	shift
	"$MEMSPY" replay -q --db runs.db --l1 4K,4,64 --json -o "$name.json" -f din "$@" halves.din 2>"$name.err" || fail "$name: exit status $?: $(cat "$name.err")"
}
replay whole
replay auto --sample auto
replay only --error 2%
replay points --error 2
replay rare --sample 1/5 --window 2K --error 2.5% --workers 1
replay never --sample 1/5 --window 2K --error 0.001%
replay again --sample 1/5 --window 2K --error 0.001% --workers 8
for workers in 2 3 8; do
	replay rare-$workers --sample 1/5 --window 2K --error 2.5% --workers $workers
done
python3 - <<'END' || fail "figures"
import json, sqlite3
runs = {name: json.load(open(name + ".json")) for name in ("whole", "auto", "only", "points", "rare", "never", "again", "rare-2", "rare-3", "rare-8")}
def counts(run):
    # Only whole runs are divided into conflict and capacity misses.
    return run["totals"]["references"], [(level["misses"], level["causes"]) for level in run["totals"]["levels"]]
# All of it: the counts are those of a whole run, and the interval has no width.
assert counts(runs["auto"]) == counts(runs["whole"]) == counts(runs["only"])
sampling = runs["auto"]["run"]["sampling"]
assert sampling["ratio"] == 1 and sampling["wanted"] == 0.005 and sampling["reached"] == 0, sampling
# Points with and without a sign are the same.
assert runs["only"]["run"]["sampling"]["wanted"] == runs["points"]["run"]["sampling"]["wanted"] == 0.02
# The same seed sees the same with any number of workers, whatever is decided on the way.
for name in ("rare-2", "rare-3", "rare-8"):
    assert counts(runs[name]) == counts(runs["rare"]), name
    assert runs[name]["run"]["sampling"] == runs["rare"]["run"]["sampling"], name
assert counts(runs["never"]) == counts(runs["again"])
assert runs["never"]["run"]["sampling"] == runs["again"]["run"]["sampling"]
true = sum(runs["whole"]["totals"]["levels"][0]["misses"].values())
for name in ("rare", "never"):
    estimate = sum(runs[name]["totals"]["levels"][0]["misses"].values())
    assert abs(estimate / true - 1) < 0.03, (name, estimate, true)
    rate = runs[name]["run"]["sampling"]["miss_rates"][0]
    assert rate["low"] <= true / 2.4e6 <= rate["high"], (name, rate, true / 2.4e6)
# It became rarer in the first half, and closer than before when the second was seen to be another.
db = sqlite3.connect("runs.db")
strata = [scale for scale, in db.execute("select scale from sampling where run = 5 and sampling > 0 order by sampling")]
assert len(strata) == 3 and 4 < strata[0] < 6 and 15 < strata[1] < 25 and 1 < strata[2] < 2, strata
# Where the error that is wanted is not reached windows become closer, up to nearly all.
strata = [scale for scale, in db.execute("select scale from sampling where run = 6 and sampling > 0 order by sampling")]
assert len(strata) == 3 and 4 < strata[0] < 6 and 1 < strata[1] < 2 and 1 < strata[2] < strata[1] + 0.2, strata
# What strata have adds up.
assert db.execute("select sum(total) from sampling where run = 5 and sampling > 0").fetchone() == (2400000.0,)
END
"$MEMSPY" report --db runs.db 2 | grep -A 1 -E '^(Sampled|Wanted)'
"$MEMSPY" report --db runs.db 5 | grep -A 1 -E '^(Sampled|Wanted)'
"$MEMSPY" report --db runs.db 6 | grep -A 1 -E '^(Sampled|Wanted)'
for bad in "--sample auto --window 5K" "--error 0" "--error x" "--error 60%" "--error 60" "--error 1/50" "--sample-sets 1/2 --error 1%" "--sample auto --sample-phases"; do
	"$MEMSPY" replay -q --db runs.db --l1 4K,4,64 -f din $bad halves.din 2>&1 && fail "$bad is taken"
done
finish
