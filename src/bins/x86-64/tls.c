/*
 * x86-64: TLS blocks are below the thread pointer, the first module's nearest; the thread's own
 * block is above.
 */
#include "bins/tls.h"

uint64_t ms_bins_tls_place(uint64_t *used, uint64_t size, uint64_t align)
{
	if (align == 0)
		align = 1;
	*used = (*used + size + align - 1) / align * align;
	return *used;
}

uint64_t ms_bins_tls_block(uint64_t thread_pointer, uint64_t distance)
{
	return thread_pointer - distance;
}

void ms_bins_tls_extent(uint64_t used, uint64_t thread_block, uint64_t *below, uint64_t *above)
{
	*below = used;
	*above = thread_block;
}
