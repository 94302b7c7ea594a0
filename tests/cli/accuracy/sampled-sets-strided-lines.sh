# With sampled sets, code whose stride matches the distance of sampled sets has no more misses than references, and its exact
# number of references.
. "$SRC/tests/cli/run/lib.bash"
python3 - <<'END' >strides.lackey
for turn in range(4):
    for i in range(1 << 13):
        print("I  00400000,4\n L %08x,8" % (0x1000000 + i * 4 * 64))
    for i in range(1 << 13):
        print("I  00400004,4\n L %08x,8" % (0x7000000 + i * 16 % (1 << 12)))
END
replay() {
	"$MEMSPY" replay -q --db runs.db --l1 16K,4,64 --ll 64K,4,64 "$@" -f lackey strides.lackey || fail "$*: exit status $?"
}
replay
for sets in 1/2 1/4 1/8 1/16; do
	for seed in 0 1 2 3 4 5; do
		replay --sample-sets $sets --sample-seed $seed
		"$MEMSPY" report --db runs.db --json @latest -o ${sets#1/}.$seed.json || fail "report: exit status $?"
	done
done
python3 - <<'END' || fail "sampled sets say what cannot be"
import json
more = 0
for sets in (2, 4, 8, 16):
    for seed in range(6):
        run = json.load(open("%d.%d.json" % (sets, seed)))
        assert run["totals"]["references"]["read"] == 1 << 16, (sets, seed, run["totals"])
        for entry in run["code"] + run["data"] + run["bins"] + [run["totals"]]:
            read = entry["references"]["read"]
            for level, within in zip(entry["levels"], entry["intervals"]["levels"]):
                misses, rate = level["misses"]["read"], within["miss_rate"]
                assert misses <= read, (sets, seed, read, level)
                assert rate["high"] <= 1 and within["misses"]["low"] <= misses <= within["misses"]["high"], (sets, seed, read, misses, within)
                assert within["misses"]["high"] <= read or entry not in run["code"], (sets, seed, read, within)
        more += run["totals"]["levels"][0]["misses"]["read"] >= 1 << 15
assert 3 <= more < 21, more # in some of them more were seen than there are, in others fewer
END
finish
