/*
 * pages.c - one access to each page: as many pages as the first and the second TLB hold, and many
 * more; in order and not; on pages of 4 KiB and on huge pages.
 *
 * fix: visit_many_pages visit_huge_pages 1
 */
#include <sys/mman.h>

#include "phase.h"

/* Visits addresses that are `stride` apart, in an order that `step` chooses. */
#define VISIT(name)                                                                        \
	PHASE_FUNCTION uint64_t name(const char *at, size_t n, size_t step, size_t stride, \
				     size_t rounds)                                        \
	{                                                                                  \
		uint64_t sum = 0;                                                          \
		size_t page = 0;                                                           \
                                                                                           \
		for (size_t k = 0; k < n * rounds; k++) {                                  \
			sum += (unsigned char)at[page * stride];                           \
			page = (page + step) & (n - 1);                                    \
		}                                                                          \
		return sum;                                                                \
	}

VISIT(visit_few_pages)
VISIT(visit_some_pages)
VISIT(visit_pages_in_order)
VISIT(visit_many_pages)
VISIT(visit_huge_pages)

static char *map(size_t bytes, int advice)
{
	char *at = (char *)mmap(NULL, bytes + MIB(2), PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		exit(1);
	at += -(uintptr_t)at & (MIB(2) - 1);
	madvise(at, bytes, advice);
	memset(at, 1, bytes);
	return at;
}

int main(void)
{
	/* 65 lines from one page to the next, so that pages do not share a cache set. */
	size_t stride = phase_size(PHASE_PAGE + 64, 64), accesses = (size_t)24 << 20;
	size_t many = phase_size(16384, 256), some = phase_size(1024, 256), most = MIB(66);
	char *small = map(most, MADV_NOHUGEPAGE), *huge = map(most, MADV_HUGEPAGE);

	PHASE(visit_few_pages(small, 32, 1, stride, accesses / 32));
	PHASE(visit_some_pages(small, some, 1, stride, accesses / some));
	PHASE(visit_pages_in_order(small, many, 1, stride, accesses / 3 / many));
	PHASE(visit_many_pages(small, many, 6007, stride, accesses / 3 / many));
	PHASE(visit_huge_pages(huge, many, 6007, stride, accesses / 3 / many));
	return phase_end_program();
}
