/*
 * memory_functions.c - memcpy(), memset() and memchr() of the C library.
 *
 * calls: copy_blocks *memcpy* *memmove*
 * calls: fill_blocks *memset*
 * calls: find_zeros *memchr*
 */
#include "phase.h"

/* The pointer keeps the compiler from replacing the calls by loops of its own. */
static void *(*volatile copy)(void *, const void *, size_t) = memcpy;
static void *(*volatile fill)(void *, int, size_t) = memset;
static void *(*volatile find)(const void *, int, size_t) = memchr;

PHASE_FUNCTION int copy_blocks(char *to, const char *from, size_t n, size_t block, size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i += block)
			copy(to + i, from + i, block);
	return to[n / 2];
}

PHASE_FUNCTION int fill_blocks(char *at, size_t n, size_t block, size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i += block)
			fill(at + i, (int)round, block);
	return at[n / 2];
}

PHASE_FUNCTION uint64_t find_zeros(const char *at, size_t n, size_t block, size_t rounds)
{
	uint64_t found = 0;

	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i += block)
			found += find(at + i, 77, block) != NULL;
	return found;
}

int main(void)
{
	size_t n = phase_size(MIB(64), KIB(16)), block = KIB(16);
	char *a = (char *)phase_alloc(n, 1), *b = (char *)phase_alloc(n, 1);

	PHASE(copy_blocks(a, b, n, block, phase_rounds(MIB(512), n)));
	PHASE(fill_blocks(a, n, block, phase_rounds(MIB(1024), n)));
	PHASE(find_zeros(b, n, block, phase_rounds(MIB(512), n)));
	return phase_end_program();
}
