# With sampled sets, a line that references cross into misses once, although one reference in 32 touches one sampled and one
# other line; fills and evictions are known for every cache that is sampled.
. "$SRC/tests/cli/run/lib.bash"
python3 - <<'END' >odd.lackey
for turn in range(2):
    for i in range(1, (1 << 18) - 1, 2):
        print("I  00400000,4\n S %08x,2" % (0x1000000 + i))
END
replay() {
	"$MEMSPY" replay -q --db runs.db --l1 16K,4,64 --ll 64K,4,64 "$@" -f lackey odd.lackey || fail "$*: exit status $?"
}
replay
for sets in 1/2 1/8 1/16; do
	for seed in 0 1 2; do
		replay --sample-sets $sets --sample-seed $seed
	done
done
for run in 2 3 4 5 6 7 8 9 10; do
	"$MEMSPY" accuracy --db runs.db --json 1 $run >$run.json || fail "accuracy 1 $run: exit status $?"
done
python3 - <<'END' || fail "sampled sets say something else than the whole"
import json
for run in range(2, 11):
    for level, lines in zip(json.load(open("%d.json" % run))["levels"], (256, 1024)):
        rate = {e["name"]: e["rate"] for e in level["estimates"]}["run"]
        each = 8192 / lines - 2  # lines that found all of their set used when they came, and have left
        assert abs(rate / level["true"] - 1) < 0.001, (run, level)
        assert abs(level["generations_each"] / each - 1) < 0.1, (run, level, each)
END
finish
