/*
 * engine/filter/stride_run.h - turns of a loop that go on by the same strides.
 *
 * While each reference of a turn is as far from that of the turn before as it was last time, a look
 * at the first turn tells all about the others: which data it is, and in which turns it comes to
 * another line. So executions are only compared with what the strides say, and met are, of all
 * those turns, the first one and those in which a reference has changed its line.
 */
#ifndef MS_ENGINE_FILTER_STRIDE_RUN_H
#define MS_ENGINE_FILTER_STRIDE_RUN_H

#include "engine/filter/loop_filter.h"

/* Words that were taken from `at` on; 0: executions do not march. exit->loop is up to date. */
size_t ms_filter_process_stride_run(struct ms_engine_shard *shard, struct ms_filter_exit *exit,
				    const uint64_t *at, const uint64_t *end,
				    struct ms_filter_pending **out);

/* What the slots remember has been learnt: whether all turns remember the same. */
void ms_filter_check_strided(struct ms_filter_loop *loop,
			     const struct ms_filter_ref_state *ref_states);

/* --- for who meets the lines: here and in processor_stride_run.c --- */

/* One reference of each turn. */
struct ms_filter_stride_ref {
	uint64_t first; /* its address in the first turn */
	uint64_t stride;
	uint32_t inverse_stride; /* of 65536, how much of a turn it takes to go on by a byte; 0: no
			  line has more than one */
	uint32_t number;         /* of the turn's references */
	bool is_constant;        /* the stride is 0 */
	struct ms_count_bin *cell;
	uint64_t next; /* the turn in which it comes to another line */
};

/* The turns, beginning with one at this address, that are on the same line. */
MS_INLINE uint64_t ms_filter_count_iterations_on_line(const struct ms_filter_stride_ref *stride_ref,
						      uint64_t address)
{
	uint32_t offset = address & (MS_FILTER_LINE_BYTES - 1);
	uint32_t left =
		(int64_t)stride_ref->stride > 0 ? MS_FILTER_LINE_BYTES - 1 - offset : offset;

	return stride_ref->is_constant ? UINT32_MAX : (left * stride_ref->inverse_stride >> 16) + 1;
}

/* How many executions from `at` on march; 0: they do not. */
uint64_t ms_filter_find_stride_run(const struct ms_filter_loop_impl *impl,
				   struct ms_filter_loop *loop, const uint64_t *at,
				   const uint64_t *end);
/* The references of so many turns, and how many these are, at most MS_FILTER_MAX_PERIOD; 0: they do
 * not march. What the loop knows of its slots is up to date. */
uint32_t ms_filter_list_stride_refs(struct ms_filter_loop *loop, const uint64_t *at,
				    uint64_t iterations, struct ms_filter_stride_ref *stride_refs);

/*
 * So many turns, from the first on, may be met reference by reference, in this order: but all of
 * the first turn before, and all of the last one again at the end. 0: none may.
 */
uint64_t ms_filter_order_stride_refs(const struct ms_engine *engine,
				     const struct ms_filter_stride_ref *stride_refs, uint32_t n,
				     uint64_t iterations, uint8_t *order);

/* --- for the architectures --- */

/* How many executions go on by the loop's strides. */
MS_INLINE uint64_t ms_filter_find_stride_run_by(const struct ms_filter_loop *loop,
						const uint64_t *at, const uint64_t *end,
						ms_filter_differ_fn differ,
						const uint32_t words_ahead)
{
	const uint32_t refs = loop->refs, words = refs + 1, period = loop->period;
	uint64_t n = 1;

	if (differ(at + 1 + period, at + 1, loop->iteration_strides, refs - period))
		return 0;
	for (; end - at > words + refs + MS_FILTER_LOOP_MARGIN && at[words] == *at;
	     at += words, n++) {
		for (uint32_t i = 0; i < words; i += 8)
			__builtin_prefetch(at + words + words_ahead + i);
		if (differ(at + words + 1, at + 1, loop->execution_strides + 1, refs))
			break;
	}
	return n;
}

/* stride_run.c: for any processor. */
uint64_t ms_filter_find_stride_run_scalar(const struct ms_filter_loop *loop, const uint64_t *at,
					  const uint64_t *end);
bool ms_filter_differ_scalar(const uint64_t *now, const uint64_t *before, const uint64_t *by,
			     uint32_t n);

#endif
