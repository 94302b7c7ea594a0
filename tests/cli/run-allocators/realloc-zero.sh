# realloc(p, 0) frees the block, with either front-end.
. "$SRC/tests/cli/run/lib.bash"
cat >zero.c <<'END'
#include <stdlib.h>
static char *volatile block;
static char *volatile afterwards;
int main(void)
{
	for (int i = 0; i < 5; i++) {
		block = malloc(1000);
		block[0] = 1;
		block = realloc(block, 0);
	}
	afterwards = malloc(1000);
	for (int i = 0; i < 1000; i++)
		afterwards[i] = 1;
	return 0;
}
END
gcc -O1 -g -fno-builtin -w -o zero zero.c || fail "gcc"
for frontend in native valgrind; do
	profile_quiet $frontend --frontend $frontend -- ./zero
	expect $frontend <<'END'
data('char.block').objects == 5
data('char.block').bytes == 5000
data('char.block').peak_bytes == 1000
bin('main', 'char.block').writes == 5
bin('main', 'char.afterwards').writes == 1000
END
done
finish
