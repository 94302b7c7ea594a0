# With sampled sets, miss rates and references per instruction are right although most references are to one line, whether its
# set is sampled or not; no data structure has more first uses than lines.
. "$SRC/tests/cli/run/lib.bash"
python3 - <<'END' >hot.lackey
state = 1
for i in range(1 << 15):
    state = state * 1103515245 + 12345 & 0x7fffffff
    for k in range(9):
        print("I  00400000,4\n L %08x,8" % 0x7000000)
    print("I  00400004,4\n L %08x,8" % (0x1000000 + (state >> 8) % (1 << 12) * 64))
END
replay() {
	"$MEMSPY" replay -q --db runs.db --l1 16K,4,64 --ll 64K,4,64 "$@" -f lackey hot.lackey || fail "$*: exit status $?"
}
replay
for seed in 0 1 2 3 4 5; do
	replay --sample-sets 1/16 --sample-seed $seed
	"$MEMSPY" accuracy --db runs.db --json 1 @latest >$seed.accuracy || fail "accuracy, seed $seed: exit status $?"
	"$MEMSPY" report --db runs.db --json @latest -o $seed.json || fail "report, seed $seed: exit status $?"
done
cat >small.c <<'END'
static volatile char small[44 * 64] __attribute__((aligned(4096)));
int main(void) /* most of them: parts of three times 16 lines, of which three may be seen */
{
	for (int i = 0; i < 360000; i++)
		small[512 + i % 36 * 64]++;
	return 0;
}
END
cc -g -O1 -no-pie -o small small.c || fail cc
for seed in 0 1 2 3 4 5; do
	"$MEMSPY" run -q --db small.db --l1 32K,8,64 --sample-sets 1/16 --sample-seed $seed ./small || fail "small, seed $seed: exit status $?"
	"$MEMSPY" show --db small.db --data small --json -o $seed.small || fail "show, seed $seed: exit status $?"
done
python3 - <<'END' || fail "sampled sets say something else than the whole"
import json
held, levels, firsts = 0, 0, []
for seed in range(6):
    run = json.load(open("%d.json" % seed))
    assert run["totals"]["references"]["read"] == 10 << 15, run["totals"]["references"]
    for level in json.load(open("%d.accuracy" % seed))["levels"]:
        rate = {e["name"]: e["rate"] for e in level["estimates"]}["run"]
        assert abs(rate / level["true"] - 1) < 0.1, (seed, rate, level)
        held, levels = held + level["inside"], levels + 1
    small = json.load(open("%d.small" % seed))["data"][0]
    first, within = small["levels"][0]["causes"]["first"], small["intervals"]["levels"][0]["causes"]["first"]
    assert within["low"] <= first <= within["high"] and first <= 45, (seed, first, within)
    firsts.append(first)
assert held >= levels - 1 and 45 in firsts, (held, levels, firsts)
END
finish
