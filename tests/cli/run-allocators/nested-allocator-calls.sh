# Calls between the functions of an allocator library are not counted as allocations of the program.
. "$SRC/tests/cli/run/lib.bash"
cat >allocator.c <<'END'
#include <stddef.h>
#include <string.h>
static _Alignas(16) char pool[1 << 22];
static size_t used;
void *malloc(size_t n)
{
	size_t *block = (size_t *)(pool + used);
	used += (n + 31) / 16 * 16;
	block[1] = n;
	return used <= sizeof(pool) ? block + 2 : NULL;
}
void free(void *p)
{
	(void)p;
}
void *calloc(size_t n, size_t size)
{
	void *p = malloc(n * size);
	return p != NULL ? memset(p, 0, n * size) : NULL;
}
void *realloc(void *p, size_t n)
{
	void *q = malloc(n);
	if (p != NULL && q != NULL) {
		size_t old = ((size_t *)p)[-1];
		memcpy(q, p, old < n ? old : n);
		free(p);
	}
	return q;
}
END
cat >uses.c <<'END'
#include <stdlib.h>
static char *volatile cleared, *volatile grown;
static void __attribute__((noinline)) touch(volatile char *at, int n)
{
	for (int i = 0; i < n; i++)
		at[i] = 1;
}
int main(void)
{
	cleared = calloc(10, 100);
	touch(cleared, 1000);
	grown = malloc(100);
	for (int i = 2; i <= 5; i++)
		grown = realloc(grown, i * 100);
	touch(grown, 500);
	return 0;
}
END
gcc -O1 -g -fno-builtin -fPIC -shared -o liballocator.so allocator.c || fail "gcc"
gcc -O1 -g -fno-builtin -o uses uses.c -L. -lallocator -Wl,-rpath,"$PWD" || fail "gcc"
for frontend in native valgrind; do
	profile_quiet $frontend --frontend $frontend -- ./uses
	expect $frontend <<'END'
bin('touch', 'char.cleared').writes == 1000
data('char.cleared').objects == 1
data('char.cleared').allocated_by[0]['function'] == 'main'
bin('touch', 'char.grown*').writes == 500
sum(data(n).objects for n in names('heap') if n.startswith('char.grown')) == 5
sum(data(n).objects for n in names('heap')) == 6
END
done
finish
