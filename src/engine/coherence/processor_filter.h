/*
 * engine/coherence/processor_filter.h - what the hot loop for several processors
 * (processor_filter.c) and its loops that go on by the same strides (processor_stride_run.c) do
 * with a line; and what other sieves are told of it (filter_invalidation.c).
 */
#ifndef MS_ENGINE_COHERENCE_PROCESSOR_FILTER_H
#define MS_ENGINE_COHERENCE_PROCESSOR_FILTER_H

#include "engine/engine_priv.h"
#include "engine/filter/loop_filter.h"

/* Words of the stream are asked for so far ahead: nearer than by l1_filter.c, as they are met more
 * slowly here. */
enum { MS_COHERENCE_WORDS_AHEAD = 384 };

/* What the hot loop knows of its shard. */
struct ms_coherence_filter {
	const struct ms_coherence_filter
		*copy; /* for what is seldom: who is given none stays in registers */
	struct ms_engine_shard *shard;
	struct ms_coherence_batch *batch;
	struct ms_coherence_pending *kept; /* of the batch */
	struct ms_coherence_recent_lines *recent;
	uint64_t set_mask;
	uint64_t kept_before;
	uint32_t shift;
	bool filters; /* else all is kept */
	bool pairs;   /* the most recent line but one is known too */
	bool direct;  /* it filters; a set is found by a mask, and lines have at most 64 bytes */
};

/* Over all batches: see struct ms_coherence_recent_lines. */
MS_INLINE uint64_t ms_coherence_get_pending_number(const struct ms_coherence_filter *s,
						   const struct ms_coherence_pending *kept)
{
	return s->kept_before + (uint64_t)(kept - s->kept);
}

/* Which of the two is the more recent, if that is to be told. The line is there, so nobody will be
 * asked whose it is. */
MS_INLINE struct ms_coherence_pending *ms_coherence_keep_order(const struct ms_coherence_filter *s,
							       struct ms_coherence_recent_lines *r,
							       struct ms_coherence_pending *out)
{
	if (MS_LIKELY(r->last == r->reported))
		return out;
	r->reported = r->last;
	*out = (struct ms_coherence_pending){ .address = r->line[r->last] << s->shift,
					      .object = UINT64_MAX };
	return out + 1;
}

/* A line that is neither of the two, and is kept. */
MS_INLINE void ms_coherence_set_recent_line(const struct ms_coherence_filter *s,
					    struct ms_coherence_recent_lines *r, uint64_t line,
					    uint64_t stored)
{
	uint32_t k = r->last ^ s->pairs;

	r->line[k] = line;
	r->stored[k] = stored;
	r->last = r->reported = k;
}

MS_INLINE uint64_t ms_coherence_get_byte_mask(const struct ms_coherence_filter *s,
					      const struct ms_coherence_ref_state *ref_state,
					      uint64_t address)
{
	return UINT64_MAX >> (63 - ref_state->reach) << (address & ((UINT64_C(1) << s->shift) - 1));
}

/* The same; 0: it only reads. */
MS_INLINE uint64_t ms_coherence_get_written_bytes(const struct ms_coherence_filter *s,
						  const struct ms_coherence_ref_state *ref_state,
						  uint64_t address)
{
	return ref_state->kind != MS_WIRE_READ ? ms_coherence_get_byte_mask(s, ref_state, address)
					       : 0;
}

/* To line k of its set's two; bytes: those that are written. */
MS_INLINE struct ms_coherence_pending *
ms_coherence_filter_store(const struct ms_coherence_filter *s,
			  const struct ms_coherence_ref_state *ref_state, uint64_t address,
			  uint64_t bytes, struct ms_coherence_recent_lines *r, uint32_t k,
			  struct ms_coherence_pending *out)
{
	if (MS_LIKELY(r->stored[k] >= s->kept_before)) {
		s->kept[r->stored[k] - s->kept_before].written |= bytes;
		return out;
	}
	r->stored[k] = ms_coherence_get_pending_number(s, out);
	r->reported = k;
	*out = (struct ms_coherence_pending){ address | MS_COHERENCE_WRITES, ref_state->cell,
					      ref_state->range->start, bytes };
	return out + 1;
}

/* Executions, until one is broken or there is something else; where that is. */
const uint64_t *ms_coherence_filter_slice(const struct ms_coherence_filter *s, const uint64_t *at,
					  const uint64_t *end);
/* References whose data was not known. */
void ms_coherence_bind_references(struct ms_engine_shard *shard, struct ms_coherence_batch *batch);

/* A line that is neither of its set's two; bytes: as above, or 0. */
struct ms_coherence_pending *
ms_coherence_keep_access(const struct ms_coherence_filter *s,
			 const struct ms_coherence_ref_state *ref_state, uint64_t address,
			 uint64_t bytes, struct ms_coherence_pending *out);

/* filter_invalidation.c: the turn of the running agent ends, which kept what stands in the batch
 * from p->kept on. */
void ms_coherence_invalidate_filters(const struct ms_engine_shard *shard,
				     const struct ms_coherence_batch *batch);

/*
 * processor_stride_run.c: executions from `at` on that go on by the same strides, and that the
 * exit, which has a period, suits; returns how many. They are counted by who asks.
 */
uint64_t ms_coherence_process_stride_run(const struct ms_coherence_filter *s,
					 struct ms_coherence_exit *exit, const uint64_t *at,
					 const uint64_t *end, struct ms_coherence_pending **out);

#endif
