# The references of a program that allocates all the time are estimated from its allocations, which are always recorded, and the
# references per allocation in windows; its speed would underestimate them.
. "$SRC/tests/cli/run/lib.bash"
export MEMSPY_NATIVE_COUNTED=0 # none are counted
cat >program.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static long *blocks[64];
int main(void)
{
	long sum = 0;

	for (long i = 0; i < 100000; i++) {
		long **at = &blocks[i * 7 % 64];

		free(*at);
		*at = malloc(16 + i % 11 * 16);
		for (long k = 0; k < 10; k++)
			(*at)[0] = (*at)[1] = i + k, sum += **at;
	}
	printf("%ld\n", sum);
	return 0;
}
END
gcc -O0 -g -o program program.c || fail gcc
timeout -s KILL 120 "$MEMSPY" run -q --frontend native --tag whole --db runs.db -- ./program >whole.out 2>whole.err || fail "exit status $?: $(cat whole.err)"
for seed in 1 2 3 4; do
	timeout -s KILL 120 "$MEMSPY" run -q --frontend native --sample 1/10 --window 20K --sample-seed $seed --tag some --db runs.db -- ./program >some.out 2>some.err ||
		fail "exit status $?: $(cat some.err)"
	cmp -s whole.out some.out || fail "it wrote something else"
	"$MEMSPY" accuracy @whole @some --db runs.db --json >accuracy.json || fail accuracy
	"$MEMSPY" report @some --db runs.db --json -n 1000 --threshold 0 >report.json || fail report
	python3 - accuracy.json report.json <<'END' || fail "seed $seed: $(head -n 16 accuracy.json)"
import json, sys
accuracy, report = (json.load(open(f)) for f in sys.argv[1:])
true = accuracy['true_total']
assert 0.85 < accuracy['total'] / true < 1.15, 'the estimate'
assert accuracy['total_inside'] and 0.7 * true < accuracy['total_low'] and accuracy['total_high'] < 1.5 * true, 'the range'
# The parts add up to the whole program.
made = report['totals']['references']
all = made['read'] + made['write']
assert abs(all / accuracy['total'] - 1) < 1e-5, 'reads and writes'
for by in 'code', 'data':
    assert sum(r['references']['read'] + r['references']['write'] for r in report[by]) == all, by
    assert abs(sum(r['stall_share'] for r in report[by]) - 1) < 1e-9, by
END
done
finish
