# Names in the program that look like those that memspy distinguishes are kept apart: each name stands for one data structure.
. "$SRC/tests/cli/run/lib.bash"
cat >one.c <<'END'
#include <memspy.h>
static char table[1000], other[500];
void fill_two(void);
static void __attribute__((noinline)) fill(volatile char *at, int n)
{
	for (int i = 0; i < n; i++)
		at[i] = 1;
}
int main(void)
{
	memspy_name(other, sizeof(other), "table (two.c)");
	fill(table, sizeof(table));
	fill(other, sizeof(other));
	fill_two();
	return 0;
}
END
cat >two.c <<'END'
static volatile char table[700];
void fill_two(void);
void fill_two(void)
{
	for (int i = 0; i < 700; i++)
		table[i] = 1;
}
END
gcc -O1 -g -I"$SRC/include" -o collisions one.c two.c || fail "gcc"
profile_quiet collisions ./collisions
expect collisions <<'END'
len(names(None)) == len(set(names(None)))
sorted(n for n in names(None) if n.startswith('table')) == ['table (one.c)', 'table (two.c)', 'table (two.c)#2']
sorted((data(n).kind, data(n).writes) for n in names(None) if n.startswith('table')) == [('named', 500), ('static', 700), ('static', 1000)]
END
finish
