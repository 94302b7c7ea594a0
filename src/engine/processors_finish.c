/*
 * engine/processors_finish.c - what no shard can say alone of a batch: references over lines of
 * several shards, and which node's memory answered, as pages are placed in stream order.
 */
#include <stdlib.h>

#include "base/num.h"
#include "engine/engine_priv.h"

/* --- references over several shards' lines --- */

struct crossings {
	MS_VEC(struct crossing) at;
};

static int by_reference_level_at(const void *a, const void *b)
{
	const struct crossing *x = a, *y = b;
	int c = ms_cmp_u64(x->reference, y->reference);

	if (c == 0)
		c = ms_cmp_u64(x->level, y->level);
	return c != 0 ? c : ms_cmp_u64(x->at, y->at);
}

/* The first line that missed the level stands for the reference; last: it was the last one. */
static void count_crossing(struct ms_engine *engine, const struct crossing *x,
			   const struct mark *mark, bool last)
{
	struct tallies *tallies = &engine->finished;
	struct tally *tally =
		ms_tallies_at(tallies, x->cell->site, x->cell->data, x->cell->processor);
	struct tally_more *more = ms_tally_more(tallies, tally, x->level);
	struct thread_level *thread =
		&ms_threads_at(&engine->threads, mark->thread, mark->processor)->level[x->level];

	ms_tally_miss(tallies, tally, x->level, x->record);
	more->falsely += x->falsely;
	more->weighted += mark->weight;
	more->peer += last && x->peer;
	thread->misses++;
	thread->peer += last && x->peer;
	ms_phases_count(&engine->finished_phases, mark->phase, x->level, tallies->levels);
}

/* What is left in the list: by line, those that memory answered and that stand for a reference. */
static void count_crossings(struct ms_engine *engine, const struct met_batch *batch,
			    struct crossings *all)
{
	size_t kept = 0;

	if (all->at.n > 0)
		qsort(all->at.at, all->at.n, sizeof(*all->at.at), by_reference_level_at);
	for (size_t i = 0; i < all->at.n; i++) {
		const struct crossing *x = &all->at.at[i];
		bool first = i == 0 || x[-1].reference != x->reference || x[-1].level != x->level;
		size_t k = i + 1;

		if (!first)
			continue;
		while (k < all->at.n && all->at.at[k].reference == x->reference &&
		       all->at.at[k].level == x->level)
			k++;
		bool last = k == all->at.n || all->at.at[k].reference != x->reference;
		count_crossing(engine, x, &batch->marks.at[x->mark], last);
		if (last && x->memory)
			all->at.at[kept++] = *x;
	}
	all->at.n = kept;
}

/* --- memory --- */

static void count_remote(struct ms_engine *engine, const struct memory_note *note,
			 const struct mark *mark, const struct crossing *x)
{
	if (note->remote != NULL) {
		++*note->remote;
		++*note->thread;
	}
	if (note->shared != NULL)
		++*note->shared;
	if (x == NULL)
		return;
	struct tally *tally =
		ms_tallies_at(&engine->finished, x->cell->site, x->cell->data, x->cell->processor);
	ms_tally_more(&engine->finished, tally, x->level)->remote++;
	ms_threads_at(&engine->threads, mark->thread, mark->processor)->level[x->level].remote++;
}

/* The note that comes next in the stream, of those that shards have not told yet. */
static const struct memory_note *next_note(const struct ms_engine *engine, unsigned slot,
					   size_t *told)
{
	const struct memory_note *next = NULL;
	unsigned from = 0;

	for (unsigned i = 0; i < engine->shards; i++) {
		const struct notes *notes = &engine->shard[i].processors->notes[slot];

		if (told[i] < notes->memory.n &&
		    (next == NULL || notes->memory.at[told[i]].at < next->at)) {
			next = &notes->memory.at[told[i]];
			from = i;
		}
	}
	told[from]++;
	return next;
}

static void place_pages(struct ms_engine *engine, unsigned slot, const struct met_batch *batch,
			const struct crossings *crossings)
{
	const struct changes *changes = &engine->shard[0].processors->changes;
	size_t *told = ms_alloc(engine->shards * sizeof(*told));
	const struct crossing *x = crossings->at.at, *end = x + crossings->at.n;
	const struct memory_note *note;

	while ((note = next_note(engine, slot, told)) != NULL) {
		const struct mark *mark = &batch->marks.at[note->mark];
		uint32_t own = ms_placement_own(&engine->placement, mark->processor);

		ms_placement_change(&engine->placement, changes, mark->changes);
		while (note->split && x < end && x->at < note->at)
			x++;
		if (ms_placement_node(&engine->placement, note->address, own) != own)
			count_remote(engine, note, mark,
				     note->split && x < end && x->at == note->at ? x : NULL);
	}
	ms_free(told);
}

void ms_processors_finish(struct ms_engine *engine, unsigned slot)
{
	struct met_batch *batch = &engine->met[slot];
	struct crossings all = { MS_VEC_INIT };

	for (unsigned i = 0; i < engine->shards; i++) {
		struct notes *notes = &engine->shard[i].processors->notes[slot];

		for (size_t k = 0; k < notes->crossings.n; k++)
			*ms_vec_add(&all.at) = notes->crossings.at[k];
		notes->crossings.n = 0;
	}
	count_crossings(engine, batch, &all);
	if (engine->placement.nodes > 1)
		place_pages(engine, slot, batch, &all);
	for (unsigned i = 0; i < engine->shards; i++)
		engine->shard[i].processors->notes[slot].memory.n = 0;
	ms_vec_free(&all.at);
	batch->n = 0;
	batch->marks.n = 0;
}
