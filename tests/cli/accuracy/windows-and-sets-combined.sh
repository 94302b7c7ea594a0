# With windows and sampled sets, all windows simulate the same sets, and intervals include the variance of sets and of windows.
. "$SRC/tests/cli/run/lib.bash"
python3 - <<'END' >both.lackey
state = 1
def random(n):
    global state
    state = state * 1103515245 + 12345 & 0x7fffffff
    return (state >> 8) % n
lines = [0x7000000 + random(1 << 12) * 64 for i in range(48)]
for i in range(1 << 15):
    for k in range(6): # one of 48 lines, some of them ten times as often as others
        print("I  00400000,4\n L %08x,8" % lines[random(48) * (1 + random(48)) // 48])
    print("I  00400004,4\n S %08x,8" % (0x1000000 + random(1 << 12) * 64))
END
replay() {
	"$MEMSPY" replay -q --db runs.db --l1 16K,4,64 --ll 64K,4,64 "$@" -f lackey both.lackey || fail "$*: exit status $?"
}
replay
for seed in 0 1 2 3 4 5 6 7 8 9 10 11; do
	replay --sample 1/4 --window 2K --sample-sets 1/4 --sample-seed $seed
	"$MEMSPY" accuracy --db runs.db --json 1 @latest >$seed.accuracy || fail "accuracy, seed $seed: exit status $?"
	"$MEMSPY" report --db runs.db --json @latest -o $seed.json || fail "report, seed $seed: exit status $?"
done
python3 - <<'END' || fail "intervals of windows and sets do not hold"
import json
rates = shares = 0
for seed in range(12):
    rates += sum(level["inside"] for level in json.load(open("%d.accuracy" % seed))["levels"])
    reads = json.load(open("%d.json" % seed))["totals"]["intervals"]["reference_shares"]["read"]
    shares += reads["low"] <= 6 / 7 <= reads["high"]
assert rates >= 22 and shares >= 11, (rates, shares)
END
finish
