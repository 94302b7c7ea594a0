/*
 * alloc_rate.h - whether a program allocates so often and so evenly that its allocations tell how
 * many references it makes. Then references need not be counted any longer.
 *
 *    ms_sampling_add_alloc_batch          regularly: the totals so far
 *    ms_sampling_is_alloc_rate_steady
 */
#ifndef MS_NATIVE_SAMPLING_ALLOC_RATE_H
#define MS_NATIVE_SAMPLING_ALLOC_RATE_H

#include <stdbool.h>
#include <stdint.h>

enum { MS_SAMPLING_ALLOC_RATE_BATCHES = 64 };

struct ms_sampling_alloc_rate {
	uint64_t references, blocks; /* totals at the end of the last batch */
	uint32_t n;
	struct {
		uint64_t references, blocks;
	} batch[MS_SAMPLING_ALLOC_RATE_BATCHES];
};

/* References and blocks since the start. A batch has at least `least` references. */
void ms_sampling_add_alloc_batch(struct ms_sampling_alloc_rate *rate, uint64_t references,
				 uint64_t blocks, uint64_t least);
bool ms_sampling_is_alloc_rate_steady(const struct ms_sampling_alloc_rate *rate);

#endif
