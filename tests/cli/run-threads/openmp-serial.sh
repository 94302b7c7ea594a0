# Serial parts of an OpenMP program are reported as serial, however the other threads wait in the runtime: gcc's spin and sleep,
# clang's yield.
. "$SRC/tests/cli/run/lib.bash"
cat >serial.c <<'END'
static volatile long a[4][4096];

static __attribute__((noinline)) void work(int me, long n)
{
	for (long i = 0; i < n; i++)
		a[me][i % 4096] += i;
}

static __attribute__((noinline)) void alone(void)
{
	for (long i = 0; i < 50000; i++)
		a[0][i % 4096] += i;
}

int main(void)
{
	for (int r = 0; r < 4; r++) {
#pragma omp parallel for num_threads(4)
		for (int i = 0; i < 4; i++)
			work(i, 5000);
		alone();
#pragma omp parallel num_threads(4)
		{
#pragma omp single
			alone();
		}
	}
	return 0;
}
END
ran=0
for compiler in gcc clang; do
	$compiler -O1 -g -fopenmp -o serial-$compiler serial.c 2>/dev/null && ./serial-$compiler || continue
	ran=$((ran + 1))
	profile $compiler --machine sgi-4d-340 --processors 4 -- ./serial-$compiler
	"$MEMSPY" threads --db $compiler.db --json | python3 -c '
import json, sys
report = json.load(sys.stdin)
alone, = (f for f in report["code"] if f["name"] == "alone")
assert alone["parallelism"] < 1.4, alone' || fail "$compiler: what runs alone looks parallel"
done
[ $ran -gt 0 ] || fail "neither gcc nor clang makes OpenMP programs"
finish
