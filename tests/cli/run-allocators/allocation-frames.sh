# The frames of an allocation have the lines of the calls, not of the return addresses, with either front-end.
. "$SRC/tests/cli/run/lib.bash"
cat >frames.c <<'END'
#include <stdlib.h>
static char *volatile block;
static volatile int after;
static void __attribute__((noinline)) make(void)
{
	block = malloc(1000);
	after++;
}
static void __attribute__((noinline)) outer(void)
{
	make();
	after++;
}
int main(void)
{
	outer();
	after++;
	block[0] = 1;
	return 0;
}
END
gcc -O0 -g -o frames frames.c || fail "gcc"
for frontend in native valgrind; do
	profile_quiet $frontend --frontend $frontend -- ./frames
	expect $frontend <<'END'
[f['function'] for f in data('char.block').allocated_by][:3] == ['make', 'outer', 'main']
[f['line'] for f in data('char.block').allocated_by][:3] == [6, 11, 16]
END
done
finish
