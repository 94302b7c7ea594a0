# --pmu: samples of monitors are stored next to the true counts and do not change them; the same with any number of workers, and
# in a replay.
. "$SRC/tests/cli/run/lib.bash"
caches=(--machine buck-2004 --l1 4K,2,64)
monitors=(--pmu misses/50 --pmu evictions@L1/200 --pmu latency/3000 --pmu misses/auto --overhead 5%)

run() {
	local name=$1
	shift
	"$MEMSPY" run -q "${caches[@]}" --db "$name.db" --json -o "$name.json" "$@" >"$name.out" 2>"$name.err" ||
		fail "$name: exit status $?; it says $(cat "$name.err")"
}

run alone --trace walk.trace -- "$EXAMPLES/matmul" 110
"$MEMSPY" replay -q "${caches[@]}" --db clean.db --json -o clean.json walk.trace
for workers in 1 2 3; do
	"$MEMSPY" replay -q "${caches[@]}" "${monitors[@]}" --workers $workers --db w$workers.db --json -o w$workers.json walk.trace
	"$MEMSPY" pmu --db w$workers.db --json >p$workers.json
done
"$MEMSPY" replay -q "${caches[@]}" --pmu misses/50 --pmu-seed 7 --db seed.db walk.trace
"$MEMSPY" pmu --db seed.db --json >seed.json

python3 - <<'END' || failures=$((failures + 1))
import json
def load(name): return json.load(open(name + ".json"))
alone, clean = load("alone"), load("clean")
for name in ("w1", "w2", "w3"):
    for key in ("totals", "code", "data", "bins"):
        assert load(name)[key] == clean[key], (name, key)
assert alone["totals"] == clean["totals"]
one = load("p1")
assert one["monitors"] == load("p2")["monitors"] == load("p3")["monitors"]
misses, evictions, latency, auto = one["monitors"]

for m in one["monitors"]:
    assert m["samples"] > 20, m["event"]
    assert m["cycles"] > m["clean_cycles"]
    level = m["levels"][0]
    assert level["monitor_misses"] > 0
    # Each list has all samples once; that of evictions those that evicted something.
    for key in ("data", "lines"):
        assert sum(r["samples"] for r in m[key]) == m["samples"], (m["event"], key)
        assert sum(r["actual"] for r in m[key]) == m["actual_events"], (m["event"], key)
    assert sum(r["samples"] for r in m["evictions"]) <= m["samples"]
# What is counted is the program's own, with the monitor in its way.
for m in (misses, auto):
    assert m["events"] == m["levels"][0]["misses"]
    assert m["actual_events"] == m["levels"][0]["clean_misses"]
assert latency["actual_events"] == latency["levels"][0]["clean_misses"] * 20
# A period of 50 varies from 25 to 75, one of cycles by as much.
for m, period in ((misses, 50), (evictions, 200), (latency, 3000)):
    assert m["period"] == period and not m["adaptive"]
    assert m["events"] / 1.5 / period - 1 <= m["samples"] <= m["events"] / 0.5 / period
    assert abs(m["samples"] * period / m["events"] - 1) < 0.1, (m["samples"], m["events"])
# The more samples the dearer; the wish is kept, and used.
assert misses["overhead"] > evictions["overhead"] > auto["overhead"]
assert auto["overhead_wish"] == 0.05 and 0.02 < auto["overhead"] <= 0.05, auto["overhead"]
# Another seed takes others, of the same whole.
(other,) = load("seed")["monitors"]
assert other["seed"] == 7 and other["actual_events"] == misses["actual_events"]
assert [r["samples"] for r in other["data"]] != [r["samples"] for r in misses["data"]]
END
finish
