# Data of equal names is distinguished in the same way in every run of a program: whole, sampled, with another number of workers and under
# Valgrind, also if windows see other data structures first; so do keys of rules and comparisons.
cat >same.c <<'END'
#include <stdlib.h>
enum { A = 1 << 12, B = 1 << 15, C = 1 << 14 };
static long *make(long n)
{
	return malloc(n * sizeof(long));
}
int main(void)
{
	volatile long *a = make(A), *once = make(64), *b = make(B), *c;

	a[0] = once[0] = 1; /* a sampled run sees b first, and once never */
	c = make(C);
	for (int round = 0; round < 60; round++) {
		for (int i = 0; i < B; i++)
			b[i] = i;
		for (int i = 0; i < C; i++)
			c[i] = i;
		for (int i = 0; i < A; i++)
			a[i] = i;
	}
	return 0;
}
END
gcc -O1 -fno-inline -o same same.c || exit 1
run() { "$MEMSPY" run -q --db runs.db --l1 4K,4,64 --ll 64K,4,64 "$@" ./same || echo "run $*: status $?"; }
run
run --workers 2
run --frontend valgrind
run --sample 1/5 --window 10K
names_of() {
	sqlite3 runs.db "select group_concat(largest || ' bytes ' || name, ', ')
		from (select * from data where run = $1 and name like 'make%' order by largest)"
	"$MEMSPY" fullname --db runs.db @$1 --csv 'make*' | tr -d '\r' | cut -d, -f 1,4 | grep make | sort -t, -k 2
}
names_of 1 >first
sed 's/+0x[0-9a-f]*/+OFFSET/g' first
for run in 2 3 4; do
	names_of $run | cmp - first && echo "@$run: the same"
done
