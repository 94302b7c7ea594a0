# During the counted start, references between windows are counted: their total is exact, and each site has its share. After
# that the program is sampled as a long one.
. "$SRC/tests/cli/run/lib.bash"
export MEMSPY_NATIVE_COUNTED=100000000 # however long the head is

# Two loops take turns, for longer than a window: one hits, of the other each reference misses. Of 16.4 M references each has a half.
cat >program.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static long small[512];
static char large[1 << 24];
__attribute__((noinline)) static long hits(void)
{
	long sum = 0;
	for (long r = 0; r < 1600; r++)
		for (long i = 0; i < 512; i++)
			sum += ((volatile long *)small)[i];
	return sum;
}
__attribute__((noinline)) static long misses(void)
{
	long sum = 0;
	for (long r = 0; r < 1600; r++)
		for (long i = 0; i < 512; i++)
			sum += ((volatile char *)large)[(r * 512 + i) * 64 % sizeof(large)];
	return sum;
}
static void *run(void *unused)
{
	long sum = 0;
	for (int i = 0; i < 10; i++)
		sum += hits() + misses();
	printf("%ld\n", sum);
	return unused;
}
int main(int argc, char **argv)
{
	pthread_t thread;
	run(argv);
	if (argc > 1 && *argv[1] == 't' && (pthread_create(&thread, NULL, run, NULL) || pthread_join(thread, NULL)))
		return 2;
	if (argc > 1 && *argv[1] == 'f' && fork() == 0)
		return run(NULL) != NULL;
	wait(NULL);
	return argc > 1 ? run(argv), 3 : 0;
}
END
gcc -O1 -g -pthread -o program program.c || fail gcc

# profile NAME STATUS OPTION... -- ARGUMENT...
profile() {
	local name=$1 status=$2
	shift 2
	timeout -s KILL 120 "$MEMSPY" run -q --frontend native --db runs.db --l1 32K,8,64 --json -o $name.json -n 1000 --threshold 0 --by code \
		--trace $name.trace "$@" >$name.out 2>$name.err
	[ $? = $status ] || fail "$name: ends otherwise: $(cat $name.err)"
	"$MEMSPY" check $name.trace >$name.check || fail "$name: $(cat $name.check)"
	rm -f $name.trace
}
profile whole 0 -- ./program
for seed in 1 2 3; do
	profile counted$seed 0 --sample 1/10 --sample-seed $seed -- ./program
	cmp whole.out counted$seed.out || fail "seed $seed: prints something else"
done
profile fixed 0 --sample 1/10 --window 100K -- ./program
MEMSPY_NATIVE_COUNTED=4000000 profile after 0 --sample 1/10 --window 20K -- ./program
MEMSPY_NATIVE_COUNTED=0 profile native 0 --sample 1/10 --window 20K -- ./program
profile rare 0 --sample 1/50 --window 20K -- ./program
./program t >alone.out
profile threads 3 --sample 1/10 -- ./program t
cmp alone.out threads.out || fail "threads: prints something else"
profile forks 3 --sample 1/10 -- ./program f
[ "$(sort -u forks.out)" = "$(sort -u alone.out)" ] || fail "forks: prints $(cat forks.out)"

python3 - <<'END' || fail "estimates"
import json
def read(name):
    run = json.load(open(name + ".json"))
    references = sum(run["totals"]["references"].values())
    parts = {row["name"]: sum(row["references"].values()) / references for row in run["code"] if row["name"] in ("hits", "misses")}
    return run["run"].get("sampling"), references, 100 * sum(run["totals"]["levels"][0]["misses"].values()) / references, parts
_, true, rate, _ = read("whole")
assert abs(rate - 50) < 1 and 16e6 < true < 17e6, (true, rate)
for name in ("counted1", "counted2", "counted3", "fixed"):
    sampling, references, estimate, parts = read(name)
    assert sampling["total_low"] == sampling["total_high"] == sampling["total"], (name, sampling)
    # The program is the same; how long its environment is, is not.
    assert abs(sampling["total"] - true) < 2000 and abs(references - true) < 2000, (name, sampling, true)
    assert abs(estimate - rate) < 0.3, (name, estimate, rate)
    assert all(abs(part - 0.5) < 0.005 for part in parts.values()) and len(parts) == 2, (name, parts)
    assert sampling["windows"] > (20 if name != "fixed" else 12), (name, sampling)
    assert 0.08 < sampling["references"] / true < 0.12, (name, sampling)
for name in ("after", "native", "rare"):
    sampling, *_ = read(name)
    assert sampling["total_low"] < sampling["total_high"], (name, sampling)
END
finish
