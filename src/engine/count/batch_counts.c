/*
 * engine/count/batch_counts.c - adds the counts of a batch that all shards have simulated: misses
 * of references over lines of several shards, occupancy, and pairs when an epoch ends.
 */
#include <stdlib.h>

#include "base/num.h"
#include "engine/engine_priv.h"

/* --- references over lines of several shards --- */

static int by_reference_level_line(const void *a, const void *b)
{
	const struct ms_caches_split_miss *x = a, *y = b;
	int c = ms_cmp_u64(x->reference, y->reference);

	if (c == 0)
		c = ms_cmp_u64(x->level, y->level);
	return c != 0 ? c : ms_cmp_u64(x->line, y->line);
}

void ms_count_finish_splits(struct ms_engine *engine, unsigned batch_index)
{
	struct ms_caches_split_misses all = { MS_VEC_INIT };

	for (unsigned i = 0; i < engine->shards; i++) {
		struct ms_caches_split_misses *list = &engine->shard[i].caches.splits[batch_index];

		for (size_t k = 0; k < list->at.n; k++)
			*ms_vec_add(&all.at) = list->at.at[k];
		list->at.n = 0;
	}
	if (all.at.n > 0)
		qsort(all.at.at, all.at.n, sizeof(struct ms_caches_split_miss),
		      by_reference_level_line);
	for (size_t k = 0; k < all.at.n; k++) {
		const struct ms_caches_split_miss *s = &all.at.at[k];

		/* The first line that missed the level counts for the reference. */
		if (k > 0 && s->reference == s[-1].reference && s->level == s[-1].level)
			continue;
		ms_count_add_miss(
			&engine->counts.finished,
			ms_count_get_misses(&engine->counts.finished, s->site, s->data, 0),
			s->level, s->record);
		ms_count_add_phase_miss(&engine->counts.finished_phases, s->phase, s->level,
					engine->counts.finished.levels);
	}
	ms_vec_free(&all.at);
}

/* --- occupancy --- */

void ms_count_finish_occupancy(struct ms_engine *engine, unsigned batch_index)
{
	uint64_t steps = engine->batch[batch_index].steps;

	ms_count_begin_occupancy(&engine->counts.occupancy, steps);
	for (unsigned i = 0; i < engine->shards; i++)
		ms_count_take_line_changes(
			&engine->counts.occupancy,
			&engine->shard[i].counts.line_changes.by_batch[batch_index]);
	ms_count_end_occupancy(&engine->counts.occupancy, steps);
}

/* --- pairs --- */

static void add_pairs_of(struct ms_engine *engine, struct ms_count_pair_list *list)
{
	ms_count_add_pair_list(&engine->counts.pairs, list);
	ms_vec_free(&list->at);
}

static void add_finished_pairs(struct ms_engine *engine)
{
	struct ms_count_pair_list list = { MS_VEC_INIT };

	ms_count_take_pairs(&engine->counts.finished, &list);
	add_pairs_of(engine, &list);
}

/* All shards have handed over their pairs up to this batch. */
void ms_count_finish_epoch(struct ms_engine *engine, unsigned batch_index)
{
	if (++engine->counts.epoch_finished < engine->counts.epoch)
		return;
	engine->counts.epoch_finished = 0;
	add_finished_pairs(engine);
	for (unsigned i = 0; i < engine->shards; i++)
		add_pairs_of(engine, &engine->batch[batch_index].pairs[i]);
	ms_count_merge_small_pairs(&engine->counts.pairs);
}

void ms_count_end_epoch_batch(struct ms_engine_shard *shard, unsigned batch_index)
{
	struct ms_engine *engine = shard->engine;

	if (++shard->counts.epoch_batches < engine->counts.epoch)
		return;
	shard->counts.epoch_batches = 0;
	ms_count_take_pairs(&shard->counts.miss_counters,
			    &engine->batch[batch_index].pairs[shard->number]);
}

void ms_count_finish_pairs(struct ms_engine *engine)
{
	add_finished_pairs(engine);
	for (unsigned i = 0; i < engine->shards; i++) {
		struct ms_count_pair_list list = { MS_VEC_INIT };

		ms_count_take_pairs(&engine->shard[i].counts.miss_counters, &list);
		add_pairs_of(engine, &list);
	}
	ms_count_merge_small_pairs(&engine->counts.pairs);
}
