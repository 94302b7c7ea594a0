/* advice: huge-pages data: field set: held-out */
/* Random updates of a large field at computed addresses; afterwards it is in huge pages. */
#include <sys/mman.h>

#include "common.h"

enum { N = 1 << 24, STEPS = 16000000 };

static uint64_t *field;

static KEEP void walk(void)
{
	uint64_t x = 88172645463325252U;

	for (int i = 0; i < STEPS; i++) {
		x = x * 6364136223846793005U + 1442695040888963407U;
		field[x >> 40] ^= x;
	}
}

int main(void)
{
	field = aligned_alloc(1 << 21, N * sizeof(*field));
#ifdef AFTER
	madvise(field, N * sizeof(*field), MADV_HUGEPAGE);
#else
	madvise(field, N * sizeof(*field), MADV_NOHUGEPAGE);
#endif
	memset(field, 1, N * sizeof(*field));
	walk();
	printf("%llu\n", (unsigned long long)field[N / 2]);
	return 0;
}
