/*
 * engine/coherence/filter_invalidation.c - at the end of a time slice, removes the lines that the
 * slice has kept from the filters of the other agents.
 */
#include "engine/coherence/coherence.h"
#include "engine/coherence/processor_filter.h"

/* Updates one set of an agent's filter after another agent's access to the line. */
static MS_NOINLINE void invalidate_recent(struct ms_coherence_recent_lines *r, uint64_t line,
					  bool written)
{
	for (uint32_t k = 0; k < 2; k++) {
		if (r->line[k] != line)
			continue;
		r->stored[k] = 0;
		if (written) {
			r->line[k] = MS_CACHES_NO_LINE;
			r->last = r->reported = k ^ 1;
		}
	}
}

/* Lists the filters of all agents but the running one; order_pending: only of agents whose order
 * is pending. Returns their number. */
static size_t find_listeners(const struct ms_coherence_processors *p, bool order_pending)
{
	size_t n = 0;

	for (size_t k = 0; k < p->active_agents.n; k++) {
		uint32_t agent = p->active_agents.at[k];

		if (agent != p->running->agent && (!order_pending || p->order_pending[agent]))
			p->listeners[n++] = p->recent[agent];
	}
	return n;
}

/* Most filters do not contain most lines, so the comparison is inline. */
MS_INLINE void invalidate_in_all(struct ms_coherence_recent_lines *const *listeners, size_t n,
				 uint64_t set, uint64_t line, bool written)
{
	for (size_t k = 0; k < n; k++) {
		struct ms_coherence_recent_lines *r = listeners[k] + set;

		if (MS_UNLIKELY(r->line[0] == line || r->line[1] == line))
			invalidate_recent(r, line, written);
	}
}

/* Handles all lines of an access's unit. */
static void invalidate_unit(const struct ms_engine_shard *shard, size_t listeners,
			    const struct ms_coherence_pending *pending)
{
	uint32_t up = shard->configurable->coherence->unit_shift;
	uint64_t line = (pending->address & MS_COHERENCE_ADDRESS) >> shard->first_shift;
	uint64_t end = ((line >> up) + 1) << up;

	for (line = line >> up << up; line < end; line++)
		invalidate_in_all(shard->processors->listeners, listeners,
				  ms_caches_index_lru_set(&shard->caches.first, line), line,
				  pending->address & MS_COHERENCE_WRITES);
}

/*
 * If a slice has kept more lines per set than this, resetting the other filters is cheaper than
 * searching them. At most, each agent then keeps the lines of each set once more. A filter whose
 * order is pending must not be reset.
 */
enum { MAX_LINES_PER_SET = 4 };

/* Returns whether all other filters were reset. */
static bool reset_other_filters(const struct ms_coherence_processors *p)
{
	bool all = true;

	for (size_t k = 0; k < p->active_agents.n; k++) {
		uint32_t agent = p->active_agents.at[k];

		if (agent == p->running->agent)
			continue;
		if (!p->order_pending[agent])
			ms_coherence_reset_recent_lines(p->recent[agent], p->sets);
		all &= !p->order_pending[agent];
	}
	return all;
}

/* Returns whether the next kept access writes the same line, as when a counter is incremented. The
 * write invalidates the line in other filters anyway. */
MS_INLINE bool is_followed_by_store(const struct ms_coherence_pending *next,
				    const struct ms_coherence_pending *pending, uint32_t shift)
{
	return next->address & MS_COHERENCE_WRITES &&
	       ((next->address ^ pending->address) & MS_COHERENCE_ADDRESS) >> shift == 0;
}

void ms_coherence_invalidate_filters(const struct ms_engine_shard *shard,
				     const struct ms_coherence_batch *batch)
{
	const struct ms_coherence_processors *p = shard->processors;
	bool many = batch->n - p->kept > p->sets * MAX_LINES_PER_SET;
	const struct ms_coherence_pending *m = batch->at + p->kept, *end = batch->at + batch->n;
	uint64_t mask = shard->caches.first.mask;
	uint32_t shift = shard->first_shift;

	if (m == end || (many && reset_other_filters(p)))
		return;
	bool simple = mask != 0 && shard->configurable->coherence->unit_shift == 0;
	size_t listeners = find_listeners(p, many);
	for (; m < end; m++) {
		uint64_t line = (m->address & MS_COHERENCE_ADDRESS) >> shift;

		if (m + 1 < end && is_followed_by_store(m + 1, m, shift))
			continue;
		if (simple)
			invalidate_in_all(p->listeners, listeners, line & mask, line,
					  m->address & MS_COHERENCE_WRITES);
		else
			invalidate_unit(shard, listeners, m);
	}
}
