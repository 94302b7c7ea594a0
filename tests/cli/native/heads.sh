# How many references a sampled program has is counted in its head, or the interval says how far it may be off: whatever happens
# there, and however the program ends.
. "$SRC/tests/cli/run/lib.bash"
export MEMSPY_NATIVE_COUNTED=100000000 # however long the head is

# 4.1 M references for each turn: a loop that hits, and one that does not.
cat >program.c <<'END_OF_C'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static long small[512];
static char large[1 << 22];
static long run(long turns)
{
	long sum = 0;
	for (long r = 0; r < turns * 4000; r++)
		for (long i = 0; i < 512; i++)
			sum += ((volatile long *)small)[i] + ((volatile char *)large)[(r * 512 + i) * 64 % sizeof(large)];
	return sum;
}
int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	char *more[] = { argv[0], NULL };
	if (run(argc > 2 ? atoi(argv[2]) : 1) != 0)
		return 2;
	if (!strcmp(how, "kill"))
		kill(getpid(), SIGKILL);
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "exec"))
		execv(argv[0], more);
	return 0;
}
END_OF_C
gcc -O1 -g -o program program.c || fail gcc

# profile NAME STATUS OPTION... -- ARGUMENT...
profile() {
	local name=$1 status=$2
	shift 2
	timeout -s KILL 120 "$MEMSPY" run -q --frontend native --db runs.db --tag $name --l1 32K,8,64 --json -o $name.json --trace $name.trace "$@" \
		>$name.out 2>$name.err
	[ $? = $status ] || fail "$name: ends otherwise: $(cat $name.err)"
	"$MEMSPY" check $name.trace >$name.check || fail "$name: $(cat $name.check)"
	rm -f $name.trace
}

for how in kill:137 abort:134; do
	name=${how%:*} status=${how#*:}
	profile $name $status -- ./program $name 3
	for seed in 1 2 3 4; do
		profile $name$seed $status --sample 1/10 --sample-seed $seed -- ./program $name 3
		grep -q "about" <("$MEMSPY" report --db runs.db @$name$seed) || fail "$name$seed: it is said to be known"
	done
done
python3 - <<'END' || fail "references"
import json
def read(name):
    run = json.load(open(name + ".json"))
    return run["run"].get("sampling"), sum(run["totals"]["references"].values())
for name in ("kill", "abort"):
    _, true = read(name)
    assert 12e6 < true < 13e6, (name, true)
    for seed in range(1, 5):
        sampling, estimate = read(name + str(seed))
        # The environment's length is another.
        assert sampling["total_low"] - 2000 <= true <= sampling["total_high"] + 2000, (name, sampling, true)
        assert sampling["total_low"] < sampling["total_high"] < 1.15 * true, (name, sampling, true)
        assert abs(estimate - true) < 0.1 * true, (name, estimate, true)
END
finish
