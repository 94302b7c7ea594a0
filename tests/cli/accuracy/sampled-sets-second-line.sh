# With sampled sets, a reference that crosses from a cached line into an uncached one is one miss, also if only the second line
# is sampled, in a replay and in a native run; a reference to two uncached lines is one miss.
. "$SRC/tests/cli/run/lib.bash"
python3 - <<'END' >ends.lackey
for turn in range(2):
    for i in range(0, 1 << 20, 192):
        print("I  00400000,4\n L %08x,8\nI  00400004,4\n L %08x,8" % (0x1000000 + i, 0x1000000 + i + 60))
    for i in range(0, 1 << 20, 192):
        print("I  00400008,4\n L %08x,8" % (0x1000000 + i + 60))
END
cat >ends.c <<'END'
#include <stdint.h>
#include <string.h>
static char a[1 << 20] __attribute__((aligned(4096)));
static __attribute__((noinline)) uint64_t from(long i) { uint64_t x; memcpy(&x, a + i, 8); return x; }
static __attribute__((noinline)) uint64_t into(long i) { uint64_t x; memcpy(&x, a + i + 60, 8); return x; }
static __attribute__((noinline)) uint64_t both(long i) { uint64_t x; memcpy(&x, a + i + 60, 8); return x + 1; }
int main(void)
{
	volatile uint64_t sum = 0;
	for (int turn = 0; turn < 2; turn++) {
		for (long i = 0; i < (1 << 20) - 68; i += 192)
			sum += from(i) + into(i);
		for (long i = 0; i < (1 << 20) - 68; i += 192)
			sum += both(i);
	}
	return 0;
}
END
gcc -std=gnu17 -g -O1 -no-pie -o ends ends.c || fail "gcc ends.c"
caches="--l1 16K,4,64 --ll 64K,4,64"
"$MEMSPY" replay -q --db runs.db $caches -f lackey ends.lackey || fail "replay: exit status $?"
for sets in 1/2 1/8; do
	for seed in 0 1 2; do
		"$MEMSPY" replay -q --db runs.db $caches --sample-sets $sets --sample-seed $seed -f lackey ends.lackey || fail "$sets, $seed: exit status $?"
		"$MEMSPY" accuracy --db runs.db --json 1 @latest >${sets#1/}.$seed.accuracy || fail "accuracy: exit status $?"
		"$MEMSPY" run -q --db runs.db --frontend native $caches --sample-sets $sets --sample-seed $seed ./ends || fail "run: exit status $?"
		"$MEMSPY" report --db runs.db --json @latest -o ${sets#1/}.$seed.json || fail "report: exit status $?"
	done
done
"$MEMSPY" replay -q --db runs.db $caches --sample 1/2 --window 1K --sample-sets 1/2 -f lackey ends.lackey || fail "windows: exit status $?"
"$MEMSPY" accuracy --db runs.db --json 1 @latest >windows.accuracy && "$MEMSPY" report --db runs.db --json @latest -o windows.json || fail "windows"
python3 - <<'END' || fail "sampled sets say something else than the whole"
import json
for sets in (2, 8):
    for seed in range(3):
        for level in json.load(open("%d.%d.accuracy" % (sets, seed)))["levels"]:
            rate = {e["name"]: e["rate"] for e in level["estimates"]}["run"]
            assert level["inside"] and abs(rate / level["true"] - 1) < 0.05, (sets, seed, rate, level)
        run = json.load(open("%d.%d.json" % (sets, seed)))
        for code in run["code"]:
            if code["name"] in ("from", "into", "both"):
                for level in code["levels"]:
                    assert abs(level["misses"]["read"] / 10922 - 1) < 0.1, (sets, seed, code)
windows, about = json.load(open("windows.json")), json.load(open("windows.accuracy"))
assert abs(windows["totals"]["references"]["read"] / about["true_total"] - 1) < 0.001, (windows["totals"], about)
assert all(level["inside"] and level["estimates"][0]["rate"] > 0.9 for level in about["levels"]), about
END
finish
