# Windows of several processors contain all threads; invalidation misses are within the interval of the sampled run, and the
# same with any number of workers.
. "$SRC/tests/cli/run/lib.bash"
machine=(--processors 4 --l1 4K,2,64 --ll 64K,4,64)
cat >fight.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static struct { _Alignas(64) volatile long near[4]; _Alignas(64) atomic_long one; } shared;
static volatile long own[4][256];
static void *work(void *arg)
{
	long me = (long)arg;

	for (int i = 0; i < 20000; i++) {
		shared.near[me]++;
		for (int k = 0; k < 8; k++)
			own[me][(i * 8 + k) % 256] += i;
		if (i % 4 == 0)
			atomic_fetch_add(&shared.one, 1);
	}
	return NULL;
}
int main(void)
{
	pthread_t thread[4];

	for (long i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, work, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
END
gcc -O1 -g -pthread -o fight fight.c || fail "gcc"
timeout -s KILL 120 "$MEMSPY" run -q --frontend valgrind --db runs.db --workers 1 "${machine[@]}" --trace whole.trace ./fight || fail "whole: exit status $?"
timeout -s KILL 120 "$MEMSPY" run -q --frontend valgrind --db runs.db --workers 1 "${machine[@]}" --sample 1/10 --window 5K --trace windows.trace ./fight ||
	fail "windows: exit status $?"
"$MEMSPY" check windows.trace >check.out || fail "$(cat check.out)"
for seed in 1 2 3 4; do
	"$MEMSPY" replay -q --db runs.db --workers $seed "${machine[@]}" --sample 1/10 --window 5K --sample-seed $seed whole.trace || fail "seed $seed: exit status $?"
done
for run in 2 3 4 5 6; do
	"$MEMSPY" accuracy --db runs.db @1 @$run --json >accuracy.json || fail "accuracy @$run: exit status $?"
	python3 - $run <<'END' || failures=$((failures + 1))
import json, sys
a = json.load(open("accuracy.json"))
level = a["levels"][0]
lost = level["invalidations"]
assert a["windows"] > 20, a["windows"]
assert level["inside"] and lost["inside"], (sys.argv[1], level)
assert lost["true"] > 0.02 and abs(lost["rate"] - lost["true"]) < 0.15 * lost["true"], (sys.argv[1], lost)
assert lost["high"] - lost["low"] < 0.05, lost
END
done
# So is the stall time, of which who answered is a part.
for run in 1 3 4 5 6; do
	"$MEMSPY" report --db runs.db --json -o stall.$run.json @$run || fail "report @$run: exit status $?"
done
python3 - <<'END' || failures=$((failures + 1))
import json
reports = [json.load(open(f"stall.{run}.json")) for run in (1, 3, 4, 5, 6)]
key = lambda e: (e.get("name"), e.get("code"), e.get("data"), e.get("processor"))
entries = lambda r: {("all",): r["totals"], **{(of, *key(e)): e for of in ("code", "data", "bins", "processors") for e in r[of]}}
true = entries(reports[0])
inside = outside = 0
for report in reports[1:]:
    total = report["totals"]
    b = total["intervals"]["stall_cycles"]
    assert b["low"] <= total["stall_cycles"] <= b["high"] and b["high"] < 4 * total["stall_cycles"], total
    for k, e in entries(report).items():
        b = e.get("intervals", {}).get("stall_cycles")
        if b is None or k not in true:
            continue
        inside += b["low"] - 1 <= true[k]["stall_cycles"] <= b["high"] + 1
        outside += not b["low"] - 1 <= true[k]["stall_cycles"] <= b["high"] + 1
assert inside > 500 and outside < 0.05 * inside, (inside, outside)
END
# The same for any number of workers, and from a trace of the windows.
"$MEMSPY" replay -q --db runs.db --workers 1 "${machine[@]}" --sample 1/10 --window 5K --sample-seed 3 whole.trace || fail "again: exit status $?"
python3 "$SRC/tests/cli/replay/same.py" runs.db 5 7 occupancy stay slice slice_miss slice_sum slice_line >same || fail "workers: $(cat same)"
"$MEMSPY" replay -q --db runs.db --workers 1 "${machine[@]}" windows.trace || fail "replay of windows: exit status $?"
python3 "$SRC/tests/cli/replay/same.py" runs.db 2 8 occupancy stay slice slice_miss slice_sum slice_line >same || fail "replay of windows: $(cat same)"
# Counts of threads, processors and shared lines are estimates for the whole program, too.
for run in 1 2; do
	"$MEMSPY" sharing --db runs.db @$run --json -o sharing.$run.json && "$MEMSPY" threads --db runs.db @$run --json -o threads.$run.json || fail "views of @$run"
done
python3 - <<'END' || failures=$((failures + 1))
import json
load = lambda name, run: json.load(open(f"{name}.{run}.json"))
one, two = ([t["references"] for t in load("threads", run)["threads"][1:]] for run in (1, 2))
# No more than four are busy at a time.
busy = [t["parallelism"] for run in (1, 2) for t in load("threads", run)["threads"] if t["parallelism"]]
assert len(busy) > 8 and max(busy) < 4 + 1e-6, busy
assert len(one) == len(two) == 4 and all(abs(a - b) < 0.2 * a for a, b in zip(one, two)), (one, two)
END
# Whatever way they are added up.
"$MEMSPY" replay -q --db adds.db --workers 1 "${machine[@]}" --json -o adds.json windows.trace && "$MEMSPY" report --db adds.db --json --by line >adds.lines.json ||
	fail "adds: exit status $?"
python3 "$SRC/tests/cli/run/totals-add-up.py" adds || fail "it does not add up"
# Sets are not sampled so.
"$MEMSPY" run -q --db runs.db "${machine[@]}" --sample-sets 1/4 ./fight 2>&1 && fail "--sample-sets is taken"
finish
