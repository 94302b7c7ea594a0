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

/* Executions that were taken from `at` on; 0: they do not march. exit->loop is up to date. */
uint64_t ms_march_sift(struct ms_shard *shard, struct shard_exit *exit, const uint64_t *at,
		       const uint64_t *end, struct doubt **out);

/* What the slots remember has been learnt: whether all turns remember the same. */
void ms_march_learn(struct loop *loop, const struct slot *slots);

/* --- for the architectures --- */

/* Whether one of n words is not as far from that before it as `by` says. So many words before and
 * behind all of them may be read as MS_LOOP_MARGIN says. */
typedef bool (*ms_differ_fn)(const uint64_t *now, const uint64_t *before, const uint64_t *by,
			     uint32_t n);

/* How many executions go on by the loop's strides. */
MS_INLINE uint64_t ms_march_follow_by(const struct loop *loop, const uint64_t *at,
				      const uint64_t *end, ms_differ_fn differ)
{
	const uint32_t refs = loop->refs, words = refs + 1, period = loop->period;
	uint64_t n = 1;

	if (differ(at + 1 + period, at + 1, loop->by_turn, refs - period))
		return 0;
	for (; end - at > words + refs + MS_LOOP_MARGIN; at += words, n++)
		if (differ(at + words, at, loop->by_execution, words))
			break;
	return n;
}

/* march.c: for any processor. */
uint64_t ms_march_follow_plain(const struct loop *loop, const uint64_t *at, const uint64_t *end);

#endif
