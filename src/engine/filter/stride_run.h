/*
 * engine/filter/stride_run.h - iterations of a loop with constant strides.
 *
 * While each reference of an iteration has a constant distance from the iteration before, the first
 * iteration determines all others: which data they access, and in which iterations they reach
 * another line. So executions are only compared with the predicted addresses. Only the first
 * iteration, and those in which a reference reaches another line, are filtered.
 */
#ifndef MS_ENGINE_FILTER_STRIDE_RUN_H
#define MS_ENGINE_FILTER_STRIDE_RUN_H

#include "engine/filter/loop_filter.h"

/*
 * Number of words processed from `at` on; 0: the strides are not constant. exit->loop must be up to
 * date.
 */
size_t ms_filter_process_stride_run(struct ms_engine_shard *shard, struct ms_filter_exit *exit,
				    const uint64_t *at, const uint64_t *end,
				    struct ms_filter_pending **out);

/* Sets is_strided after the ref_states have changed: whether those of all iterations are equal. */
void ms_filter_check_strided(struct ms_filter_loop *loop,
			     const struct ms_filter_ref_state *ref_states);

/* --- for the code that filters lines: here and in processor_stride_run.c --- */

/* One reference in all iterations. */
struct ms_filter_stride_ref {
	uint64_t first; /* its address in the first iteration */
	uint64_t stride;
	/*
	 * Iterations for one byte, times 65536; 0: a line has one iteration at most, or the stride
	 * is 0.
	 */
	uint32_t inverse_stride;
	uint32_t number;  /* index in the iteration */
	bool is_constant; /* the stride is 0 */
	struct ms_count_cell *cell;
	uint64_t next; /* the iteration in which it reaches another line */
};

/* How many iterations, from one at this address on, touch the same line. */
MS_INLINE uint64_t ms_filter_count_iterations_on_line(const struct ms_filter_stride_ref *stride_ref,
						      uint64_t address)
{
	uint32_t offset = address & (MS_FILTER_LINE_BYTES - 1);
	uint32_t left =
		(int64_t)stride_ref->stride > 0 ? MS_FILTER_LINE_BYTES - 1 - offset : offset;

	return stride_ref->is_constant ? UINT32_MAX : (left * stride_ref->inverse_stride >> 16) + 1;
}

/* How many executions from `at` on have constant strides; 0: none. */
uint64_t ms_filter_find_stride_run(const struct ms_filter_loop_impl *impl,
				   struct ms_filter_loop *loop, const uint64_t *at,
				   const uint64_t *end);
/*
 * Lists the references of these iterations and returns their number, at most MS_FILTER_MAX_PERIOD;
 * 0: the run cannot be used. The loop's conditions must be up to date.
 */
uint32_t ms_filter_list_stride_refs(struct ms_filter_loop *loop, const uint64_t *at,
				    uint64_t iterations, struct ms_filter_stride_ref *stride_refs);

/*
 * Returns how many iterations, from the first on, can be filtered one reference after the other, in
 * this order. The first iteration must be filtered as a whole before, and the last one again at the
 * end. 0: none.
 */
uint64_t ms_filter_order_stride_refs(const struct ms_engine *engine,
				     const struct ms_filter_stride_ref *stride_refs, uint32_t n,
				     uint64_t iterations, uint8_t *order);

/* How many iterations, from the first, have no reference to an observed line. */
uint64_t ms_filter_count_unobserved(const struct ms_engine_shard *shard,
				    const struct ms_filter_stride_ref *stride_refs, uint32_t n,
				    uint64_t iterations);

/* --- for the architectures --- */

/* How many executions continue with the loop's strides. */
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
