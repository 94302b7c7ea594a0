/*
 * aarch64: TLS blocks are above the thread pointer, after two words; the thread's own block is
 * below.
 */
#include "bins/tls.h"

enum { TWO_WORDS = 16 };

uint64_t ms_bins_tls_place(uint64_t *used, uint64_t size, uint64_t align)
{
	uint64_t at = *used < TWO_WORDS ? TWO_WORDS : *used;

	if (align == 0)
		align = 1;
	at = (at + align - 1) / align * align;
	*used = at + size;
	return at;
}

uint64_t ms_bins_tls_block(uint64_t thread_pointer, uint64_t distance)
{
	return thread_pointer + distance;
}

void ms_bins_tls_extent(uint64_t used, uint64_t thread_block, uint64_t *below, uint64_t *above)
{
	*below = thread_block;
	*above = used < TWO_WORDS ? TWO_WORDS : used;
}
