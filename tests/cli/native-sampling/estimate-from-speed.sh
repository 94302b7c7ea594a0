# The number of references of a fast loop is estimated from its speed between windows, in each of four runs.
. "$SRC/tests/cli/run/lib.bash"
export MEMSPY_NATIVE_COUNTED=0 # it is so from the start
cat >program.c <<'END'
#include <stdio.h>
static long a[4096];
int main(void)
{
	long sum = 0;
	for (long r = 0; r < 40000; r++)
		for (long i = 0; i < 4096; i++)
			sum += a[i] ^= r;
	printf("%ld\n", sum);
	return 0;
}
END
gcc -O1 -g -o program program.c || fail gcc
for i in 1 2 3 4; do
	timeout -s KILL 120 "$MEMSPY" run -q --frontend native --sample 1/10 --window 20K --db runs.db --csv --by code -o code.csv -n 1000 --threshold 0 -- \
		./program >program.out 2>program.err || fail "exit status $?"
	python3 - code.csv <<'END' || fail "$(grep main code.csv)"
import csv, sys
row = next(r for r in csv.DictReader(open(sys.argv[1])) if r['name'] == 'main')
assert 0.65 < int(row['references']) / (2 * 40000 * 4096) < 1.45, row['references']
END
done
finish
