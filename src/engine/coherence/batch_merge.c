/*
 * engine/coherence/batch_merge.c - counts what no shard can count alone: references to lines of
 * several shards, and the NUMA node whose memory answered. Pages are placed on nodes in stream
 * order.
 */
#include <stdlib.h>

#include "base/num.h"
#include "engine/engine_priv.h"

/* --- references to lines of several shards --- */

struct split_misses {
	MS_VEC(struct ms_coherence_split_miss) at;
};

static int by_reference_level_at(const void *a, const void *b)
{
	const struct ms_coherence_split_miss *x = a, *y = b;
	int c = ms_cmp_u64(x->reference, y->reference);

	if (c == 0)
		c = ms_cmp_u64(x->level, y->level);
	return c != 0 ? c : ms_cmp_u64(x->at, y->at);
}

/* Counts a miss of the reference by its first line that missed the level; last: it is the last
 * level that the reference missed. */
static void count_crossing(struct ms_engine *engine, const struct ms_coherence_split_miss *x,
			   const struct ms_coherence_slice *slice, bool last)
{
	struct ms_count_miss_table *miss_counters = &engine->counts.finished;
	struct ms_count_misses *counters = ms_count_get_misses(miss_counters, x->cell->site,
							       x->cell->data, x->cell->processor);
	struct ms_count_processor_misses *more =
		ms_count_get_processor_misses(miss_counters, counters, x->level);
	struct ms_count_thread_level *thread =
		&ms_count_get_thread(&engine->coherence.threads, slice->thread, slice->processor)
			 ->level[x->level];

	ms_count_add_miss(miss_counters, counters, x->level, x->record);
	more->falsely += x->falsely;
	more->weighted += slice->weight;
	more->peer += last && x->peer;
	thread->misses++;
	thread->peer += last && x->peer;
	ms_count_add_phase_miss(&engine->counts.finished_phases, slice->phase, x->level,
				miss_counters->levels);
}

/* Leaves in the list, sorted by line, the misses that memory answered and that represent their
 * references. */
static void count_crossings(struct ms_engine *engine, const struct ms_coherence_batch *batch,
			    struct split_misses *all)
{
	size_t kept = 0;

	if (all->at.n > 0)
		qsort(all->at.at, all->at.n, sizeof(*all->at.at), by_reference_level_at);
	for (size_t i = 0; i < all->at.n; i++) {
		const struct ms_coherence_split_miss *x = &all->at.at[i];
		bool first = i == 0 || x[-1].reference != x->reference || x[-1].level != x->level;
		size_t k = i + 1;

		if (!first)
			continue;
		while (k < all->at.n && all->at.at[k].reference == x->reference &&
		       all->at.at[k].level == x->level)
			k++;
		bool last = k == all->at.n || all->at.at[k].reference != x->reference;
		count_crossing(engine, x, &batch->slices.at[x->slice], last);
		if (last && x->memory)
			all->at.at[kept++] = *x;
	}
	all->at.n = kept;
}

/* --- memory --- */

static void count_remote(struct ms_engine *engine, const struct ms_coherence_memory_access *note,
			 const struct ms_coherence_slice *slice,
			 const struct ms_coherence_split_miss *x)
{
	if (note->remote != NULL) {
		++*note->remote;
		++*note->thread;
	}
	if (note->shared != NULL)
		++*note->shared;
	if (x == NULL)
		return;
	struct ms_count_misses *counters = ms_count_get_misses(
		&engine->counts.finished, x->cell->site, x->cell->data, x->cell->processor);
	ms_count_get_processor_misses(&engine->counts.finished, counters, x->level)->remote++;
	ms_count_get_thread(&engine->coherence.threads, slice->thread, slice->processor)
		->level[x->level]
		.remote++;
}

/* Returns the next note in stream order that was not yet taken from any shard. */
static const struct ms_coherence_memory_access *next_note(const struct ms_engine *engine,
							  unsigned batch_index, size_t *next_notes)
{
	const struct ms_coherence_memory_access *next = NULL;
	unsigned from = 0;

	for (unsigned i = 0; i < engine->shards; i++) {
		const struct ms_coherence_batch_notes *notes =
			&engine->shard[i].processors->notes[batch_index];

		if (next_notes[i] < notes->memory.n &&
		    (next == NULL || notes->memory.at[next_notes[i]].at < next->at)) {
			next = &notes->memory.at[next_notes[i]];
			from = i;
		}
	}
	next_notes[from]++;
	return next;
}

static void count_remote_accesses(struct ms_engine *engine, unsigned batch_index,
				  const struct ms_coherence_batch *batch,
				  const struct split_misses *crossings)
{
	const struct ms_address_map_numa_changes *changes = &engine->shard[0].processors->changes;
	size_t *next_notes = ms_alloc(engine->shards * sizeof(*next_notes));
	const struct ms_coherence_split_miss *x = crossings->at.at, *end = x + crossings->at.n;
	const struct ms_coherence_memory_access *note;

	while ((note = next_note(engine, batch_index, next_notes)) != NULL) {
		const struct ms_coherence_slice *slice = &batch->slices.at[note->slice];
		uint32_t own = ms_address_map_get_processor_node(&engine->coherence.placement,
								 slice->processor);

		ms_address_map_apply_numa_changes(&engine->coherence.placement, changes,
						  slice->changes);
		while (note->split && x < end && x->at < note->at)
			x++;
		if (ms_address_map_get_page_node(&engine->coherence.placement, note->address,
						 own) != own)
			count_remote(engine, note, slice,
				     note->split && x < end && x->at == note->at ? x : NULL);
	}
	ms_free(next_notes);
}

void ms_coherence_finish_batch(struct ms_engine *engine, unsigned batch_index)
{
	struct ms_coherence_batch *batch = &engine->coherence.batches[batch_index];
	struct split_misses all = { MS_VEC_INIT };

	for (unsigned i = 0; i < engine->shards; i++) {
		struct ms_coherence_batch_notes *notes =
			&engine->shard[i].processors->notes[batch_index];

		for (size_t k = 0; k < notes->split_misses.n; k++)
			*ms_vec_add(&all.at) = notes->split_misses.at[k];
		notes->split_misses.n = 0;
	}
	count_crossings(engine, batch, &all);
	if (engine->coherence.placement.nodes > 1)
		count_remote_accesses(engine, batch_index, batch, &all);
	for (unsigned i = 0; i < engine->shards; i++)
		engine->shard[i].processors->notes[batch_index].memory.n = 0;
	ms_vec_free(&all.at);
	batch->n = 0;
	batch->slices.n = 0;
}
