# A function of --malloc that is in the program, but was inlined or never called, is reported, with what to do.
cat >pool.c <<'END'
#include <stdlib.h>

static char arena[4096];
static size_t used;

/* A copy for other files is in the program; the call below is inlined. */
inline __attribute__((always_inline)) void *pool_take(size_t n)
{
	used += n;
	return arena + used - n;
}

extern inline void *pool_take(size_t n);

int main(void)
{
	*(volatile char *)pool_take(8) = 1;
	return 0;
}
END
gcc -g -O1 pool.c -o pool || exit 1
for frontend in native valgrind; do
	"$MEMSPY" run -q --frontend $frontend --db pool.db --malloc pool_take -- ./pool 2>&1
	"$MEMSPY" run --json --frontend $frontend --db pool.db --malloc pool_take -- ./pool 2>/dev/null | python3 -c '
import json, sys
for hint in json.load(sys.stdin)["hints"]:
    if "--malloc" in hint:
        print("JSON:", hint)'
done
# One that is called is not.
gcc -g -O1 -fno-inline -Dalways_inline=noinline pool.c -o pool || exit 1
"$MEMSPY" run -q --db pool.db --malloc pool_take -- ./pool 2>&1
