# At 1/10 all references are counted, unless the program allocates often and evenly in the counted start: then allocations tell their
# number, and counting would make it several times slower. The report knows which it was.
. "$SRC/tests/cli/run/lib.bash"
export MEMSPY_NATIVE_COUNTED_LEAST=4000000 # instead of 100 million
cat >program.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static long *blocks[64];
static volatile long words[4096];
int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 0, sum = 0;

	for (long i = 0; i < 200000; i++) {
		long **at = &blocks[i * 7 % 64];

		if (i % 100000 < rounds) {
			free(*at);
			*at = malloc(16 + i % 11 * 16);
			(*at)[0] = i, sum += **at;
		}
		for (long k = 0; k < 40; k++)
			words[(i + k * 64) % 4096] += k;
	}
	printf("%ld\n", sum);
	return 0;
}
END
gcc -O1 -g -o program program.c || fail gcc
profile() {
	local name=$1 rounds=$2
	shift 2
	timeout -s KILL 120 "$MEMSPY" run -q --frontend native --db runs.db --tag $name "$@" --json -o $name.json -- ./program $rounds >$name.out 2>$name.err ||
		fail "$name: exit status $?: $(cat $name.err)"
}
# In all iterations; in the first tenth of each half; in none.
for rounds in 100000 10000 0; do
	profile whole$rounds $rounds
	for seed in 1 2; do
		profile some$rounds.$seed $rounds --sample 1/10 --window 20K --sample-seed $seed
		cmp whole$rounds.out some$rounds.$seed.out || fail "$rounds: prints something else"
	done
	"$MEMSPY" accuracy @whole$rounds @some$rounds.1 --db runs.db --json >accuracy$rounds.json || fail "$rounds: accuracy"
done
MEMSPY_NATIVE_COUNTED=1152921504606846976 profile all 100000 --sample 1/10 --window 20K
python3 - <<'END' || fail "estimates"
import json
def sampling(name):
    return json.load(open(name + ".json"))["run"]["sampling"]
def exact(name):
    s = sampling(name)
    return s["total_low"] == s["total"] == s["total_high"]
for seed in ".1", ".2":
    assert not exact("some100000" + seed), ("counted although allocations tell", sampling("some100000" + seed))
    assert exact("some10000" + seed) and exact("some0" + seed), ("not counted", sampling("some10000" + seed), sampling("some0" + seed))
assert exact("all"), sampling("all")
accuracy = json.load(open("accuracy100000.json"))
assert accuracy["total_inside"], accuracy
END
finish
