/*
 * engine/coherence/processor_filter.h - operations on one line that the hot loop for several
 * processors (processor_filter.c) and its stride runs (processor_stride_run.c) share; and the
 * invalidation of other filters (filter_invalidation.c).
 */
#ifndef MS_ENGINE_COHERENCE_PROCESSOR_FILTER_H
#define MS_ENGINE_COHERENCE_PROCESSOR_FILTER_H

#include "engine/engine_priv.h"
#include "engine/filter/loop_filter.h"

/* Prefetch distance in words of the stream. It is shorter than in l1_filter.c, because a word
 * takes more time here. */
enum { MS_COHERENCE_WORDS_AHEAD = 384 };

/* The part of the shard's state that the hot loop uses. */
struct ms_coherence_filter {
	const struct ms_coherence_filter
		*copy; /* for rare calls: the struct itself stays in registers then */
	struct ms_engine_shard *shard;
	struct ms_coherence_batch *batch;
	struct ms_coherence_pending *kept; /* of the batch */
	struct ms_coherence_recent_lines *recent;
	uint64_t set_mask;
	uint64_t kept_before;
	uint64_t threshold; /* of selected lines: see spatial/line_selection.h */
	uint32_t shift;
	bool filters; /* else all accesses are kept */
	bool pairs;   /* the second most recent line is a guaranteed hit, too */
	bool calls;   /* calls are followed */
	bool direct;  /* filters; sets are selected by a mask, and lines have at most 64 bytes */
};

/* Returns a number that is unique over all batches: see struct ms_coherence_recent_lines. */
MS_INLINE uint64_t ms_coherence_get_pending_number(const struct ms_coherence_filter *s,
						   const struct ms_coherence_pending *kept)
{
	return s->kept_before + (uint64_t)(kept - s->kept);
}

/* Keeps an access to the more recent of the two lines, if their order has changed since the last
 * report. It has no cell, because it is a guaranteed hit and is never attributed. */
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

/* Records a line that is neither of the two and that is kept. */
MS_INLINE void ms_coherence_set_recent_line(const struct ms_coherence_filter *s,
					    struct ms_coherence_recent_lines *r, uint64_t line,
					    uint64_t stored)
{
	uint32_t k = r->last ^ s->pairs;

	r->line[k] = line;
	r->stored[k] = stored;
	r->last = r->reported = k;
}

/*
 * Records a line that is selected and was kept: the next access to it is kept, too. The mark takes
 * the place of the line, because the other line of the two is the second most recent one now.
 */
#define MS_COHERENCE_SELECTED_LINE (UINT64_C(1) << 63)
MS_INLINE void ms_coherence_set_selected_line(const struct ms_coherence_filter *s,
					      struct ms_coherence_recent_lines *r, uint64_t line)
{
	line |= MS_COHERENCE_SELECTED_LINE;
	if (r->line[r->last] != line)
		ms_coherence_set_recent_line(s, r, line, 0);
}

MS_INLINE uint64_t ms_coherence_get_byte_mask(const struct ms_coherence_filter *s,
					      const struct ms_coherence_ref_state *ref_state,
					      uint64_t address)
{
	return UINT64_MAX >> (63 - ref_state->reach) << (address & ((UINT64_C(1) << s->shift) - 1));
}

/* The mask of a store; 0 for a load. */
MS_INLINE uint64_t ms_coherence_get_written_bytes(const struct ms_coherence_filter *s,
						  const struct ms_coherence_ref_state *ref_state,
						  uint64_t address)
{
	return ref_state->kind != MS_WIRE_READ ? ms_coherence_get_byte_mask(s, ref_state, address)
					       : 0;
}

/* Filters a store to line k of the set's two; bytes: mask of the written bytes. */
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

/* Filters executions up to a malformed one or another kind of record; returns its address. */
const uint64_t *ms_coherence_filter_slice(const struct ms_coherence_filter *s, const uint64_t *at,
					  const uint64_t *end);
/* Filters the references of one execution. */
struct ms_coherence_pending *
ms_coherence_filter_references(const struct ms_coherence_filter *s,
			       struct ms_coherence_ref_state *ref_states, const uint64_t *at,
			       uint32_t refs, struct ms_coherence_pending *out);
/* Binds references to data that was unknown. */
void ms_coherence_bind_references(struct ms_engine_shard *shard, struct ms_coherence_batch *batch);

/* Keeps an access to a line that is neither of the set's two; bytes: mask of written
 * bytes, or 0. */
struct ms_coherence_pending *
ms_coherence_keep_access(const struct ms_coherence_filter *s,
			 const struct ms_coherence_ref_state *ref_state, uint64_t address,
			 uint64_t bytes, struct ms_coherence_pending *out);

/* filter_invalidation.c: call it at the end of the running agent's time slice, whose kept accesses
 * are in the batch from p->kept on. */
void ms_coherence_invalidate_filters(const struct ms_engine_shard *shard,
				     const struct ms_coherence_batch *batch);

/*
 * observed_lines.c. Call it when a batch has been filtered: the filter may remember lines that have
 * reached the limit of observed accesses; the next batch observes them again.
 */
void ms_coherence_forget_lines_at_limit(struct ms_engine_shard *shard);
/* The line is to be observed from now on: every filter that remembers it has the mark instead. */
void ms_coherence_mark_line(struct ms_engine_shard *shard, uint64_t line);
/* Makes room for `more` accesses, and one that is written but not kept. */
void ms_coherence_make_room(struct ms_coherence_batch *batch, size_t more);
/* Describes the accesses that follow: they are of the running processor and thread. */
void ms_coherence_add_slice(const struct ms_engine_shard *shard, struct ms_coherence_batch *batch);

/*
 * processor_stride_run.c: filters executions from `at` on that continue with constant strides. The
 * exit must have a period. Returns their number; the caller counts them.
 */
uint64_t ms_coherence_process_stride_run(const struct ms_coherence_filter *s,
					 struct ms_coherence_exit *exit, const uint64_t *at,
					 const uint64_t *end, struct ms_coherence_pending **out);

#endif
