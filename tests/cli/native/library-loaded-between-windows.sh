# Windows open in the code of a library that was loaded between two windows.
. "$SRC/tests/cli/run/lib.bash"
cat >library.c <<'END'
long inside(long *a, long n, long rounds)
{
	long sum = 0;
	for (long r = 0; r < rounds; r++)
		for (long i = 0; i < n; i++)
			sum += a[i] += r;
	return sum;
}
END
cat >program.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
static long a[4096];
static __attribute__((noinline)) long outside(long rounds)
{
	long sum = 0;
	for (long r = 0; r < rounds; r++)
		for (long i = 0; i < 4096; i++)
			sum += a[i] ^= r;
	return sum;
}
int main(void)
{
	long sum = outside(20000);
	void *library = dlopen("./library.so", RTLD_NOW);
	long (*inside)(long *, long, long) = library == NULL ? NULL : (long (*)(long *, long, long))dlsym(library, "inside");
	if (inside == NULL)
		return 1;
	printf("%ld\n", sum + inside(a, 4096, 20000) + outside(2000));
	return 0;
}
END
gcc -O1 -g -shared -fPIC -o library.so library.c && gcc -O1 -g -o program program.c -ldl || fail gcc
timeout -s KILL 60 ./program >alone.out
timeout -s KILL 120 "$MEMSPY" run -q --frontend native --sample 1/10 --window 20K --db runs.db --csv --by code -o code.csv -n 1000 --threshold 0 -- \
	./program >program.out 2>program.err || fail "exit status $?"
cmp program.out alone.out || fail "another output"
[ ! -s program.err ] || fail "says $(cat program.err)"
python3 - code.csv <<'END' || fail "$(grep side code.csv)"
import csv, sys
rows = {r['name']: int(r['references']) for r in csv.DictReader(open(sys.argv[1]))}
# 20,000 rounds of 42,000.
assert 0.4 < rows.get('inside', 0) / (rows['outside'] + rows.get('inside', 0)) < 0.55, rows
END
finish
