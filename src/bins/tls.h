/* bins/tls.h - the layout of thread-local memory in the C library; one file per architecture. */
#ifndef MS_BINS_TLS_H
#define MS_BINS_TLS_H

#include <stdint.h>

/* Places the next module's block after `used` bytes; returns its distance, never 0. */
uint64_t ms_bins_tls_place(uint64_t *used, uint64_t size, uint64_t align);
/* The address of the block in a thread. */
uint64_t ms_bins_tls_block(uint64_t thread_pointer, uint64_t distance);
/* How far thread-local memory reaches below and above the thread pointer. */
void ms_bins_tls_extent(uint64_t used, uint64_t thread_block, uint64_t *below, uint64_t *above);

#endif
