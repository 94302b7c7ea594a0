/*
 * engine/coherence/slice_uncontended.h - lines of a time slice that no other agent competes for.
 *
 * A line that misses is uncontended if no other agent has modified it or, for a store, holds it;
 * if no cache has lost it; and if its reference touches no other line. Most lines are. Such an
 * access changes no state of other agents, and its misses are attributed together with others of
 * the same kind (miss_attribution.h).
 */
#ifndef MS_ENGINE_COHERENCE_SLICE_UNCONTENDED_H
#define MS_ENGINE_COHERENCE_SLICE_UNCONTENDED_H

#include "engine/coherence/directory_entry.h"
#include "engine/coherence/time_slice_simulation_priv.h"

MS_INLINE bool ms_coherence_is_uncontended(struct ms_coherence_slice_shape shape,
					   const struct ms_coherence_simulation *s,
					   const struct ms_coherence_slice_event *e)
{
	const struct ms_coherence_pending *next = e->pending + 1, *end = s->batch->at + s->batch->n;
	uint32_t state = ms_coherence_get_state(e->entry);
	uint64_t lost = 0;

	for (unsigned k = 0; k < e->missed && k < shape.private_levels; k++)
		lost |= ms_caches_is_invalidated(*e->at[k].came);
	if (lost || e->pending->address & MS_COHERENCE_SAME_REFERENCE ||
	    (next < end && next->address & MS_COHERENCE_SAME_REFERENCE))
		return false;
	if (e->pending->address & MS_COHERENCE_WRITES)
		return e->entry[MS_COHERENCE_ENTRY_INVALIDATIONS] == 0 &&
		       !ms_coherence_has_other_holders(e->entry, shape.words, s->agent);
	return e->missed < shape.private_levels ||
	       (state != MS_COHERENCE_UNIT_MODIFIED && state != MS_COHERENCE_UNIT_OWNED);
}

/* The transitions of coherence.c, for uncontended lines. */
MS_INLINE void ms_coherence_own_uncontended(const struct ms_coherence_simulation *s,
					    const struct ms_coherence_slice_event *e)
{
	uint32_t state = ms_coherence_get_state(e->entry);
	bool held = ms_coherence_is_holder(e->entry, s->agent);

	if (held && state != MS_COHERENCE_UNIT_EXCLUSIVE && state != MS_COHERENCE_UNIT_MODIFIED)
		ms_engine_get_miss_counters(s->shard, e->pending->cell)->upgrades++;
	ms_coherence_set_state(e->entry, MS_COHERENCE_UNIT_MODIFIED, s->agent);
	ms_coherence_add_holder(e->entry, s->agent);
}

MS_INLINE void ms_coherence_read_uncontended(const struct ms_coherence_slice_simulation *t,
					     const struct ms_coherence_simulation *s,
					     const struct ms_coherence_slice_event *e)
{
	if (ms_coherence_get_state(e->entry) != MS_COHERENCE_UNIT_NONE)
		ms_coherence_set_state(e->entry, MS_COHERENCE_UNIT_SHARED, 0);
	else if (t->coherence->protocol == MS_PROTOCOL_MSI)
		ms_coherence_set_state(e->entry, MS_COHERENCE_UNIT_SHARED, s->agent);
	else
		ms_coherence_set_state(e->entry, MS_COHERENCE_UNIT_EXCLUSIVE, s->agent);
	ms_coherence_add_holder(e->entry, s->agent);
}

/* The line that private level k evicted may be in another private level. */
MS_INLINE void ms_coherence_evict_uncontended(const struct ms_coherence_slice_simulation *t,
					      struct ms_coherence_slice_shape shape,
					      const struct ms_coherence_simulation *s,
					      const struct ms_coherence_slice_event *e, unsigned k)
{
	struct ms_coherence *c = t->coherence;
	const uint32_t *record = e->at[k].left - k;
	uint32_t any = 0;

	for (unsigned i = 0; i < shape.private_levels && shape.private_levels > 1; i++)
		any |= record[i];
	if (any & 1)
		return;
	uint32_t *entry = k + 1 == shape.private_levels
				  ? e->victim_entry
				  : ms_coherence_get_entry(c, e->at[k].victim);
	if (ms_coherence_release_unit(entry, shape.words, s->agent) && c->writes_back)
		ms_count_get_processor_misses(
			&s->shard->counts.miss_counters,
			ms_engine_get_miss_counters(s->shard, e->pending->cell),
			shape.private_levels - 1)
			->write_backs++;
}

/* Updates the records of the lines that level k evicted and inserted. */
MS_INLINE void ms_coherence_exchange_uncontended(const struct ms_coherence_slice_simulation *t,
						 struct ms_coherence_slice_shape shape,
						 const struct ms_coherence_simulation *s,
						 const struct ms_coherence_slice_event *e,
						 unsigned k)
{
	const struct ms_coherence_level_miss *p = &e->at[k];
	struct ms_caches_miss f = { .cell = e->pending->cell, .phase = s->slice->phase };
	uint32_t left = MS_CACHES_NEVER_PRESENT;

	if (p->left != NULL) {
		left = *p->left;
		*p->left = ms_caches_make_evicted(f.cell->data);
		if (k < shape.private_levels)
			ms_coherence_evict_uncontended(t, shape, s, e, k);
	}
	ms_caches_attribute_miss(&t->attributions[k], &f, *p->came, left);
	t->misses[k]++;
	*p->came = ms_caches_make_present(f.cell->data);
}

/* Updates the directory and the agent's private levels; returns false if the line is contended. */
MS_INLINE bool ms_coherence_simulate_uncontended(const struct ms_coherence_slice_simulation *t,
						 struct ms_coherence_slice_shape shape,
						 const struct ms_coherence_simulation *s,
						 const struct ms_coherence_slice_event *e)
{
	if (MS_UNLIKELY(!ms_coherence_is_uncontended(shape, s, e)))
		return false;
	unsigned missed = e->missed < shape.private_levels ? e->missed : shape.private_levels;

	if (e->pending->address & MS_COHERENCE_WRITES)
		ms_coherence_own_uncontended(s, e);
	else if (missed == shape.private_levels)
		ms_coherence_read_uncontended(t, s, e);
	for (unsigned k = missed; k-- > 0;)
		ms_coherence_exchange_uncontended(t, shape, s, e, k);
	return true;
}

/* --- counting --- */

/* Counts all pending attributions. */
static inline void ms_coherence_flush_uncontended(struct ms_coherence_slice_simulation *t)
{
	for (unsigned k = 0; k < t->levels; k++)
		ms_caches_flush_attributions(&t->attributions[k]);
}

/* Begins a time slice. All attributions that are counted together have the same weight. */
static inline void ms_coherence_begin_uncontended(struct ms_coherence_slice_simulation *t,
						  const struct ms_coherence_simulation *s)
{
	if (t->attributions[0].weight == s->slice->weight)
		return;
	ms_coherence_flush_uncontended(t);
	for (unsigned k = 0; k < t->levels; k++) {
		t->attributions[k].shard = s->shard;
		t->attributions[k].level = k;
		t->attributions[k].weight = s->slice->weight;
	}
}

/* Ends a time slice. */
static inline void ms_coherence_end_uncontended(struct ms_coherence_slice_simulation *t,
						const struct ms_coherence_simulation *s)
{
	uint64_t misses = s->shard->caches.misses + t->misses[0];

	__atomic_store_n(&s->shard->caches.misses, misses, __ATOMIC_RELAXED);
	for (unsigned k = 0; k < t->levels; k++) {
		s->thread->level[k].misses += t->misses[k];
		t->misses[k] = 0;
	}
}

#endif
