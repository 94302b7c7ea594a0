/*
 * engine/march.h - turns of a loop that go on by the same strides.
 *
 * While each reference of a turn is as far from that of the turn before as it was last time, a look
 * at the first turn tells all about the others: which data it is, and in which turns it comes to
 * another line. So executions are only compared with what the strides say, and met are, of all
 * those turns, the first one and those in which a reference has changed its line.
 */
#ifndef MS_ENGINE_MARCH_H
#define MS_ENGINE_MARCH_H

#include "engine/loop.h"

/* Words that were taken from `at` on; 0: executions do not march. exit->loop is up to date. */
size_t ms_march_sift(struct ms_shard *shard, struct shard_exit *exit, const uint64_t *at,
		     const uint64_t *end, struct doubt **out);

/* What the slots remember has been learnt: whether all turns remember the same. */
void ms_march_learn(struct loop *loop, const struct slot *slots);

/* --- for who meets the lines: here and in processors_march.c --- */

/* One reference of each turn. */
struct rank {
	uint64_t first; /* its address in the first turn */
	uint64_t stride;
	uint32_t part;   /* of 65536, how much of a turn it takes to go on by a byte; 0: no line has
			    more than one */
	uint32_t number; /* of the turn's references */
	bool stays;      /* the stride is 0 */
	struct cell *cell;
	uint64_t next; /* the turn in which it comes to another line */
};

/* The turns, beginning with one at this address, that are on the same line. */
MS_INLINE uint64_t ms_march_on_line(const struct rank *rank, uint64_t address)
{
	uint32_t offset = address & (MS_LOOP_LINE - 1);
	uint32_t left = (int64_t)rank->stride > 0 ? MS_LOOP_LINE - 1 - offset : offset;

	return rank->stays ? UINT32_MAX : (left * rank->part >> 16) + 1;
}

/* How many executions from `at` on march; 0: they do not. */
uint64_t ms_march_follow(const struct loop_way *way, struct loop *loop, const uint64_t *at,
			 const uint64_t *end);
/* The references of so many turns, and how many these are, at most MS_LOOP_PERIOD; 0: they do not
 * march. What the loop knows of its slots is up to date. */
uint32_t ms_march_line_up(struct loop *loop, const uint64_t *at, uint64_t turns,
			  struct rank *ranks);

/*
 * So many turns, from the first on, may be met reference by reference, in this order: but all of
 * the first turn before, and all of the last one again at the end. 0: none may.
 */
uint64_t ms_march_order(const struct ms_engine *engine, const struct rank *ranks, uint32_t n,
			uint64_t turns, uint8_t *order);

/* --- for the architectures --- */

/* How many executions go on by the loop's strides. */
MS_INLINE uint64_t ms_march_follow_by(const struct loop *loop, const uint64_t *at,
				      const uint64_t *end, ms_differ_fn differ,
				      const uint32_t words_ahead)
{
	const uint32_t refs = loop->refs, words = refs + 1, period = loop->period;
	uint64_t n = 1;

	if (differ(at + 1 + period, at + 1, loop->by_turn, refs - period))
		return 0;
	for (; end - at > words + refs + MS_LOOP_MARGIN && at[words] == *at; at += words, n++) {
		for (uint32_t i = 0; i < words; i += 8)
			__builtin_prefetch(at + words + words_ahead + i);
		if (differ(at + words + 1, at + 1, loop->by_execution + 1, refs))
			break;
	}
	return n;
}

/* march.c: for any processor. */
uint64_t ms_march_follow_plain(const struct loop *loop, const uint64_t *at, const uint64_t *end);
bool ms_march_differ_plain(const uint64_t *now, const uint64_t *before, const uint64_t *by,
			   uint32_t n);

#endif
