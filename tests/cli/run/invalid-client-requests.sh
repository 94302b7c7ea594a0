# Invalid client requests are ignored, and strings at the end of readable memory are read as far as possible.
. "$SRC/tests/cli/run/lib.bash"
cat >wrong.c <<'END'
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <memspy.h>
static char table[4096], pool[4096];
static void __attribute__((noinline)) touch(volatile char *at, int n)
{
	for (int i = 0; i < n; i++)
		at[i] = 1;
}
int main(void)
{
	char *pages = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(pages + 2 * 4096, 4096, PROT_NONE);
	/* Ranges that are none, names that are none. */
	memspy_name(table, SIZE_MAX, "beyond the last address");
	memspy_name(table, 0, "nothing");
	memspy_name(table, 64, "");
	memspy_name(table, 64, pages + 2 * 4096);
	memspy_name(table, 64, (const char *)8);
	memspy_phase("");
	memspy_phase(pages + 2 * 4096);
	memspy_pool_alloc(pool, 0);
	memspy_pool_alloc(pool, SIZE_MAX);
	touch(table, sizeof(table));
	touch(pool, sizeof(pool));
	/* A name over two pages; and one that memory ends in. */
	strcpy(pages + 4096 - 5, "over two pages");
	memspy_name(table, 1000, pages + 4096 - 5);
	memset(pages + 2 * 4096 - 6, 'x', 6);
	memspy_name(table + 1000, 1000, pages + 2 * 4096 - 6);
	touch(table, 2000);
	return 0;
}
END
gcc -O1 -g -I"$SRC/include" -o wrong wrong.c || fail "gcc"
for frontend in native valgrind; do
	profile_quiet $frontend --frontend $frontend --trace $frontend.trace -- ./wrong
	expect $frontend <<'END'
bin('touch', 'table').writes == 4096
bin('touch', 'pool').writes == 4096
bin('touch', 'over two pages').writes == 1000
bin('touch', 'xxxxxx').writes == 1000
names('named') == ['over two pages', 'xxxxxx']
report['phases'] == []
END
	"$MEMSPY" check $frontend.trace >check.out || fail "check: $(cat check.out)"
	grep -qE '^ *[1-9][0-9]* private' check.out && fail "$frontend: a pool's block: $(grep private check.out)"
done
finish
