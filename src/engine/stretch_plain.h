/*
 * engine/stretch_plain.h - lines of a turn that are nobody else's.
 *
 * A line that misses is plain where no other agent has modified it, or, of a store, holds it; where
 * nobody has lost it, and its reference touches no other. Most are. Then there is nothing to tell
 * anybody, and what it comes to is counted with all that are like it (charges.h).
 */
#ifndef MS_ENGINE_STRETCH_PLAIN_H
#define MS_ENGINE_STRETCH_PLAIN_H

#include "engine/directory.h"
#include "engine/stretch_priv.h"

/* Whether it is. */
MS_INLINE bool ms_plain_is(struct shape shape, const struct settling *s, const struct event *e)
{
	const struct met *next = e->met + 1, *end = s->batch->at + s->batch->n;
	uint32_t state = ms_entry_state(e->entry);
	uint64_t lost = 0;

	for (unsigned k = 0; k < e->missed && k < shape.own; k++)
		lost |= ms_line_is_lost(*e->at[k].came);
	if (lost || e->met->address & MS_MET_GOES_ON ||
	    (next < end && next->address & MS_MET_GOES_ON))
		return false;
	if (e->met->address & MS_MET_WRITES)
		return e->entry[MS_ENTRY_LOSSES] == 0 &&
		       !ms_entry_is_shared(e->entry, shape.words, s->agent);
	return e->missed < shape.own || (state != MS_UNIT_MODIFIED && state != MS_UNIT_OWNED);
}

/* What coherence.c does for such. */
MS_INLINE void ms_plain_own(const struct settling *s, const struct event *e)
{
	uint32_t state = ms_entry_state(e->entry);
	bool held = ms_entry_holds(e->entry, s->agent);

	if (held && state != MS_UNIT_EXCLUSIVE && state != MS_UNIT_MODIFIED)
		ms_shard_tally(s->shard, e->met->cell)->upgrades++;
	ms_entry_set(e->entry, MS_UNIT_MODIFIED, s->agent);
	ms_entry_add_holder(e->entry, s->agent);
}

MS_INLINE void ms_plain_read(const struct stretch *t, const struct settling *s,
			     const struct event *e)
{
	if (ms_entry_state(e->entry) != MS_UNIT_NONE)
		ms_entry_set(e->entry, MS_UNIT_SHARED, 0);
	else if (t->coherence->protocol == MS_PROTOCOL_MSI)
		ms_entry_set(e->entry, MS_UNIT_SHARED, s->agent);
	else
		ms_entry_set(e->entry, MS_UNIT_EXCLUSIVE, s->agent);
	ms_entry_add_holder(e->entry, s->agent);
}

/* The line that left own level k may be in another of them. */
MS_INLINE void ms_plain_push_out(const struct stretch *t, struct shape shape,
				 const struct settling *s, const struct event *e, unsigned k)
{
	struct coherence *c = t->coherence;
	const uint32_t *record = e->at[k].left - k;
	uint32_t any = 0;

	for (unsigned i = 0; i < shape.own && shape.own > 1; i++)
		any |= record[i];
	if (any & 1)
		return;
	uint32_t *entry =
		k + 1 == shape.own ? e->victim_entry : ms_coherence_entry(c, e->at[k].victim);
	if (ms_entry_leave(entry, shape.words, s->agent) && c->dirty)
		ms_tally_more(&s->shard->tallies, ms_shard_tally(s->shard, e->met->cell),
			      shape.own - 1)
			->write_backs++;
}

/* What left level k is gone, and what came is there. */
MS_INLINE void ms_plain_exchange(const struct stretch *t, struct shape shape,
				 const struct settling *s, const struct event *e, unsigned k)
{
	const struct passing *p = &e->at[k];
	struct falling f = { .cell = e->met->cell, .phase = s->mark->phase };
	uint32_t left = MS_LINE_NEVER;

	if (p->left != NULL) {
		left = *p->left;
		*p->left = ms_line_gone(f.cell->data);
		if (k < shape.own)
			ms_plain_push_out(t, shape, s, e, k);
	}
	ms_charge(&t->charges[k], &f, *p->came, left);
	t->misses[k]++;
	*p->came = ms_line_here(f.cell->data);
}

/* What the directory says, and the agent's own levels, if the line is plain; else false. */
MS_INLINE bool ms_plain_settle(const struct stretch *t, struct shape shape,
			       const struct settling *s, const struct event *e)
{
	if (MS_UNLIKELY(!ms_plain_is(shape, s, e)))
		return false;
	unsigned missed = e->missed < shape.own ? e->missed : shape.own;

	if (e->met->address & MS_MET_WRITES)
		ms_plain_own(s, e);
	else if (missed == shape.own)
		ms_plain_read(t, s, e);
	for (unsigned k = missed; k-- > 0;)
		ms_plain_exchange(t, shape, s, e, k);
	return true;
}

/* --- counting --- */

/* Counts all that was not yet. */
static inline void ms_plain_enter(struct stretch *t)
{
	for (unsigned k = 0; k < t->levels; k++)
		ms_charges_enter(&t->charges[k]);
}

/* A turn begins: all charges are of one weight. */
static inline void ms_plain_begin(struct stretch *t, const struct settling *s)
{
	if (t->charges[0].weight == s->mark->weight)
		return;
	ms_plain_enter(t);
	for (unsigned k = 0; k < t->levels; k++) {
		t->charges[k].shard = s->shard;
		t->charges[k].level = k;
		t->charges[k].weight = s->mark->weight;
	}
}

/* A turn has ended. */
static inline void ms_plain_end(struct stretch *t, const struct settling *s)
{
	uint64_t misses = s->shard->misses + t->misses[0];

	__atomic_store_n(&s->shard->misses, misses, __ATOMIC_RELAXED);
	for (unsigned k = 0; k < t->levels; k++) {
		s->thread->level[k].misses += t->misses[k];
		t->misses[k] = 0;
	}
}

#endif
