# Sampled replays of sixteen walks over 1 MiB: one of eight references misses a 4 KiB cache, and only the first references of
# each window are unknown.
. "$SRC/tests/cli/run/lib.bash"
python3 - <<'END' >walk.din
for turn in range(16):
    for i in range(0, 1 << 20, 8):
        print(0, format(0x100000 + i, "x"))
END
replay() {
	name=$1
	shift
	"$MEMSPY" replay -q --db runs.db --l1 4K,4,64 --json -o "$name.json" -f din "$@" walk.din 2>"$name.err" || fail "$name: exit status $?: $(cat "$name.err")"
}
replay whole --ll 2M,16,64
replay windows --ll 2M,16,64 --sample 1/10 --window 10K
replay sets --ll 2M,16,64 --sample-sets 1/4
replay both --ll 2M,16,64 --sample 1/4 --window 10K --sample-sets 1/4
# The same sets, however the ratio is written; and it is said which they are.
for sets in 2/8 25%; do
	replay written --ll 2M,16,64 --sample-sets $sets
	[ "$(cat written.err)" = "memspy: --sample-sets $sets: one of 4 sets is simulated" ] || fail "$sets: $(cat written.err)"
	cmp -s <(sed -n '/"totals"/,$p' written.json) <(sed -n '/"totals"/,$p' sets.json) || fail "$sets: other figures than 1/4"
done
expect whole <<'END'
total.refs == 16 * 131072
total.misses == 16 * 16384
total.levels[1].misses == 16384
END
for name in windows both; do
	expect $name <<'END'
total.refs == 16 * 131072
abs(total.misses - 16 * 16384) < 0.01 * 16 * 16384
abs(total.levels[1].misses - 16384) < 0.2 * 16384
END
done
expect sets <<'END'
total.refs == 16 * 131072
total.misses == 16 * 16384
total.levels[1].misses == 16384
END
# The same seed sees the same, and any number of workers does: one, three, and as many threads as suit this machine.
for workers in 1 3; do
	replay windows-$workers --ll 2M,16,64 --sample 1/10 --window 10K --workers $workers
	replay sets-$workers --ll 2M,16,64 --sample-sets 1/4 --workers $workers
	replay both-$workers --ll 2M,16,64 --sample 1/4 --window 10K --sample-sets 1/4 --workers $workers
done
python3 - <<'END' || fail "other numbers of workers count something else"
import json
def figures(name):
    run = json.load(open(name + ".json"))
    del run["run"]
    return run
for name in ("windows", "sets", "both"):
    for workers in ("1", "3"):
        assert figures(name) == figures(name + "-" + workers), (name, workers)
END
# The whole, with what windows would have seen as a phase: as many references as they have.
replay phases --ll 2M,16,64 --sample 1/10 --window 10K --sample-phases
expect phases <<'END'
total.refs == 16 * 131072
total.misses == 16 * 16384
END
python3 - <<'END' || fail "phases"
import json, sqlite3
db = sqlite3.connect("runs.db")
phases = {name: (refs, times) for name, refs, times in db.execute("select name, refs, times from phase where run = (select max(id) from run)")}
seen = json.load(open("windows.json"))["run"]["sampling"]
assert phases["window"] == (seen["references"], seen["windows"]), (phases, seen)
assert sum(refs for refs, _ in phases.values()) == 16 * 131072, phases
END
for bad in "--sample 2" "--sample 1/0" "--sample x" "--window 500K" "--sample-seed 0" "--sample 1/10 --window 3" "--sample-sets 1/3" "--sample-sets 1/4096" "--sample-sets 13%" "--sample-sets 26%" \
	"--sample-phases" "--sample 1/10 --sample-sets 1/2 --sample-phases" "--sample-sets 1/4 --processors 2" "--sample 1/10 --pmu misses/100"; do
	"$MEMSPY" replay -q --db runs.db --l1 4K,4,64 --ll 2M,16,64 -f din $bad walk.din && fail "$bad is taken"
done 2>&1
"$MEMSPY" replay -q --db runs.db --l1 4K,4,64 -f din --sample 1/1000 --window 100M walk.din 2>&1
finish
