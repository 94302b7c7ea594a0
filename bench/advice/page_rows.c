/* advice: huge-pages data: matrix */
/* Visits records of many pages, at computed addresses; afterwards the memory is in huge pages. */
#include <sys/mman.h>

#include "common.h"

enum { PAGES = 1 << 15, PAGE = 4096, ROUNDS = 160 };

static char *matrix;

static KEEP uint64_t visit(int round)
{
	uint64_t sum = 0, page = (uint64_t)round;

	for (int i = 0; i < PAGES; i++) { /* an odd step visits every page once */
		page = (page + 12345677) % PAGES;
		sum += (unsigned char)matrix[page * PAGE + page % 60 * 64];
	}
	return sum;
}

int main(void)
{
	uint64_t sum = 0;

	matrix = aligned_alloc(1 << 21, (size_t)PAGES * PAGE);
#ifdef AFTER
	madvise(matrix, (size_t)PAGES * PAGE, MADV_HUGEPAGE);
#else
	madvise(matrix, (size_t)PAGES * PAGE, MADV_NOHUGEPAGE);
#endif
	for (size_t i = 0; i < (size_t)PAGES * PAGE; i += 64)
		matrix[i] = (char)i;
	for (int r = 0; r < ROUNDS; r++)
		sum += visit(r);
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}
