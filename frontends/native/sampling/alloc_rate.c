/*
 * alloc_rate.c - see alloc_rate.h. The rate is a ratio estimate: blocks by references, over batches
 * of references. Its standard error follows from the differences of the batches from the rate.
 */
#include "alloc_rate.h"

enum {
	RAREST = 1024,         /* references for a block, at most */
	FEWEST = 8,            /* batches */
	PRECISION = 32,        /* the standard error is at most this part of the rate */
	MOST_BLOCKS = 1 << 28, /* so that products and sums of squares fit into 64 bits */
};

void ms_sampling_add_alloc_batch(struct ms_sampling_alloc_rate *rate, uint64_t references,
				 uint64_t blocks, uint64_t least)
{
	uint64_t more = references - rate->references;

	if (more < least || rate->n == MS_SAMPLING_ALLOC_RATE_BATCHES)
		return;
	rate->batch[rate->n].references = more;
	rate->batch[rate->n].blocks = blocks - rate->blocks;
	rate->n++;
	rate->references = references;
	rate->blocks = blocks;
}

/* Differences of the batches' blocks from what the rate predicts, squared and added. */
static uint64_t sum_of_squares(const struct ms_sampling_alloc_rate *rate, uint64_t blocks)
{
	uint64_t squares = 0;

	for (uint32_t i = 0; i < rate->n; i++) {
		uint64_t has = rate->batch[i].blocks;
		uint64_t predicted = blocks * rate->batch[i].references / rate->references;
		uint64_t difference = has > predicted ? has - predicted : predicted - has;

		squares += difference * difference;
	}
	return squares;
}

bool ms_sampling_is_alloc_rate_steady(const struct ms_sampling_alloc_rate *rate)
{
	uint64_t blocks = 0;

	for (uint32_t i = 0; i < rate->n; i++)
		blocks += rate->batch[i].blocks;
	if (rate->n < FEWEST || blocks < rate->references / RAREST || blocks > MOST_BLOCKS)
		return false;
	/* (standard error / blocks)^2 = n / (n - 1) * squares / blocks^2 */
	return sum_of_squares(rate, blocks) / (rate->n - 1) * rate->n <=
	       blocks / PRECISION * (blocks / PRECISION);
}
