# Failed allocations allocate and free nothing: posix_memalign() leaves its argument unchanged, realloc() the block.
. "$SRC/tests/cli/run/lib.bash"
cat >failed.c <<'END'
#include <stdint.h>
#include <stdlib.h>
static char table[4096];
static char *volatile kept;
static void __attribute__((noinline)) touch(volatile char *at, int n)
{
	for (int i = 0; i < n; i++)
		at[i] = 1;
}
int main(void)
{
	void *at = table;
	if (posix_memalign(&at, 3, sizeof(table)) == 0 || at != table)
		return 1;
	touch(at, sizeof(table));
	kept = malloc(2000);
	if (realloc(kept, SIZE_MAX / 2) != NULL || malloc(SIZE_MAX / 2) != NULL)
		return 2;
	touch(kept, 2000);
	return 0;
}
END
gcc -O1 -g -fno-builtin -w -o failed failed.c || fail "gcc"
for frontend in native valgrind; do
	profile_quiet $frontend --frontend $frontend -- ./failed
	expect $frontend <<'END'
bin('touch', 'table').writes == 4096
bin('touch', 'char.kept').writes == 2000
data('char.kept').objects == 1
data('char.kept').bytes == 2000
END
done
finish
