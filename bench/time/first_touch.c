/*
 * first_touch.c - the one program here whose phases contain page faults: memory used for the first
 * time, memory given back and used again, and memory that stays.
 *
 * fix: touch_new_pages touch_kept_pages 20
 */
#include <sys/mman.h>

#include "phase.h"

/* With kept memory in place of new memory it is its own resident case. */
PHASE_FUNCTION uint64_t touch_new_pages(char *kept, size_t bytes, size_t rounds)
{
	uint64_t sum = 0;

	for (size_t round = 0; round < rounds; round++) {
		char *at = kept;

		if (kept == NULL)
			at = (char *)mmap(NULL, bytes, PROT_READ | PROT_WRITE,
					  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (at == MAP_FAILED)
			exit(1);
		for (size_t i = 0; i < bytes; i += 64)
			at[i] = (char)i;
		sum += (uint64_t)at[bytes / 2];
		if (kept == NULL)
			munmap(at, bytes);
	}
	return sum;
}

PHASE_FUNCTION uint64_t touch_kept_pages(char *at, size_t bytes, size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < bytes; i += 64)
			at[i] = (char)(i + round);
	return (uint64_t)at[bytes / 2];
}

PHASE_FUNCTION uint64_t fill_new_blocks(size_t bytes, size_t rounds)
{
	uint64_t sum = 0;

	for (size_t round = 0; round < rounds; round++) {
		uint64_t *at = (uint64_t *)malloc(bytes);

		if (at == NULL)
			exit(1);
		for (size_t i = 0; i < bytes / sizeof(*at); i++)
			at[i] = i;
		sum += at[bytes / sizeof(*at) / 2];
		free(at);
	}
	return sum;
}

PHASE_FUNCTION uint64_t sum_kept_pages(const uint64_t *at, size_t n, size_t rounds)
{
	uint64_t sum = 0;

	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++)
			sum += at[i];
	return sum;
}

int main(void)
{
	size_t bytes = phase_size(MIB(16), KIB(32));
	char *kept = (char *)phase_alloc(bytes, 1);

	PHASE(touch_new_pages(bytes == MIB(16) ? NULL : kept, bytes,
			      phase_rounds(MIB(16) * 6, bytes)));
	PHASE(touch_kept_pages(kept, bytes, phase_rounds(MIB(16) * 120, bytes)));
	PHASE(sum_kept_pages((const uint64_t *)(const void *)kept, bytes / 8,
			     phase_rounds(MIB(16) * 24, bytes)));
	PHASE(fill_new_blocks(bytes, phase_rounds(MIB(16) * 12, bytes)));
	return phase_end_program();
}
