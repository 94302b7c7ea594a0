#include "engine/causes/causes.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "engine/causes/causes_state.h"
#include "engine/engine_priv.h"
#include "engine/variant_priv.h"

/* --- opening --- */

static uint64_t count_lines(const struct ms_machine_level *level)
{
	return level->size / level->line;
}

static void open_batches(struct ms_causes *causes)
{
	causes->batch = ms_alloc(causes->batch_count * sizeof(*causes->batch));
	for (unsigned i = 0; i < causes->batch_count; i++) {
		struct ms_causes_batch *batch = &causes->batch[i];

		batch->shares = ms_pages_alloc(causes->shards * sizeof(*batch->shares));
		for (unsigned k = 0; k < causes->shards; k++)
			batch->shares[k].levels =
				ms_alloc(causes->levels * sizeof(*batch->shares[k].levels));
	}
}

static void open_levels(struct ms_causes *causes, const struct ms_machine *machine)
{
	const struct ms_machine_level *level = machine->levels.at;

	causes->distances = ms_alloc(causes->levels * sizeof(*causes->distances));
	causes->lists = ms_alloc(causes->levels * sizeof(*causes->lists));
	causes->line_shifts = ms_alloc(causes->levels * sizeof(*causes->line_shifts));
	for (unsigned i = 0; i < causes->levels; i++) {
		ms_causes_open_distances(&causes->distances[i], count_lines(&level[i]));
		causes->line_shifts[i] =
			(uint32_t)(__builtin_ctz(level[i].line) - __builtin_ctz(level[0].line));
	}
	ms_causes_open_lru_list(&causes->lists[0], (uint32_t)count_lines(&level[0]));
	causes->optimal = ms_alloc(causes->levels * sizeof(*causes->optimal));
	ms_causes_open_optimal_cache(&causes->optimal[0], (uint32_t)count_lines(&level[0]));
	ms_causes_open_histogram(&causes->histogram, causes->levels);
	for (unsigned i = 0; i < causes->levels; i++)
		causes->histogram.set_counts[i] = ms_machine_sets(&level[i]);
	causes->set_count = ms_machine_sets(&level[0]);
	causes->recent_lines = ms_alloc(causes->set_count * sizeof(*causes->recent_lines));
	ms_causes_forget_recent_lines(causes);
}

struct ms_causes *ms_causes_open(const struct ms_engine *engine, const struct ms_machine *machine,
				 enum ms_engine_division division)
{
	if (division == MS_ENGINE_UNDIVIDED || !engine->variant->divides_replacements ||
	    machine->levels.n > MS_CAUSES_MAX_LEVELS)
		return NULL;
	struct ms_causes *causes = ms_alloc(sizeof(*causes));

	causes->levels = (unsigned)machine->levels.n;
	causes->shards = engine->shards;
	causes->batch_count = engine->batch_count;
	causes->was_observed = true;
	causes->division = division;
	open_batches(causes);
	open_levels(causes, machine);
	return causes;
}

bool ms_causes_is_estimated(const struct ms_engine *engine)
{
	return engine->causes != NULL && engine->causes->division == MS_ENGINE_DIVIDED_BY_ESTIMATES;
}

unsigned ms_causes_count_record_words(const struct ms_causes *causes)
{
	return causes->division == MS_ENGINE_DIVIDED_BY_ESTIMATES ? causes->levels
								  : 2 * causes->levels - 1;
}

void ms_causes_stop(struct ms_engine *engine)
{
	if (engine->causes == NULL)
		return;
	ms_causes_close(engine->causes);
	engine->causes = NULL;
	for (unsigned i = 0; i < engine->shards; i++) {
		engine->shard[i].causes_filter.weights = (struct ms_causes_weights){ 0 };
		engine->shard[i].filter.keeps_all = false;
		engine->shard[i].filter.observes = false;
	}
}

void ms_causes_make_exact(struct ms_engine *engine)
{
	struct ms_causes *causes = engine->causes;

	for (unsigned i = 1; i < causes->levels; i++) {
		uint32_t lines = (uint32_t)causes->distances[i].capacity;

		ms_causes_open_lru_list(&causes->lists[i], lines);
		ms_causes_open_optimal_cache(&causes->optimal[i], lines);
	}
	for (unsigned i = 0; i < engine->shards; i++) {
		engine->shard[i].causes_filter.weights =
			(struct ms_causes_weights){ .first = 1, .others = 1 };
		engine->shard[i].filter.keeps_all = true;
	}
}

static void close_share(const struct ms_causes *causes, struct ms_causes_share *share)
{
	for (unsigned i = 0; i < causes->levels; i++) {
		ms_vec_free(&share->levels[i].last_uses);
		ms_vec_free(&share->levels[i].candidates);
		ms_vec_free(&share->levels[i].splits);
	}
	ms_free(share->levels);
	ms_vec_free(&share->outcomes);
}

void ms_causes_close(struct ms_causes *causes)
{
	if (causes == NULL)
		return;
	for (unsigned i = 0; i < causes->batch_count; i++) {
		for (unsigned k = 0; k < causes->shards; k++)
			close_share(causes, &causes->batch[i].shares[k]);
		ms_pages_free(causes->batch[i].shares,
			      causes->shards * sizeof(*causes->batch[i].shares));
		ms_vec_free(&causes->batch[i].accesses);
	}
	for (unsigned i = 0; i < causes->levels; i++) {
		ms_causes_close_distances(&causes->distances[i]);
		ms_causes_close_lru_list(&causes->lists[i]);
		ms_causes_close_optimal_cache(&causes->optimal[i]);
	}
	ms_free(causes->optimal);
	ms_causes_close_optimal_sums(&causes->optimal_sums);
	ms_free(causes->batch);
	ms_free(causes->distances);
	ms_free(causes->lists);
	ms_free(causes->recent_lines);
	ms_causes_close_histogram(&causes->histogram);
	ms_causes_close_estimates(&causes->estimates);
	ms_free(causes->line_shifts);
	ms_free(causes);
}

void ms_causes_close_shard(struct ms_engine_shard *shard)
{
	ms_vec_free(&shard->causes.accesses);
}

static uint64_t measure_batch(const struct ms_causes *causes, const struct ms_causes_batch *batch)
{
	uint64_t bytes = batch->accesses.cap * sizeof(*batch->accesses.at);

	for (unsigned k = 0; k < causes->shards; k++) {
		const struct ms_causes_share *share = &batch->shares[k];

		bytes += sizeof(*share) + share->outcomes.cap * sizeof(*share->outcomes.at);
		for (unsigned i = 0; i < causes->levels; i++)
			bytes += sizeof(*share->levels) +
				 share->levels[i].last_uses.cap * sizeof(uint32_t) +
				 share->levels[i].candidates.cap *
					 sizeof(struct ms_causes_candidate) +
				 share->levels[i].splits.cap * sizeof(struct ms_causes_split_miss);
	}
	return bytes;
}

uint64_t ms_causes_measure(const struct ms_engine *engine)
{
	const struct ms_causes *causes = engine->causes;
	uint64_t bytes = 0;

	for (unsigned i = 0; causes != NULL && i < causes->levels; i++)
		bytes += ms_causes_measure_lru_list(&causes->lists[i]) +
			 ms_causes_measure_optimal_cache(&causes->optimal[i]) +
			 causes->distances[i].lines.cap * sizeof(uint32_t);
	bytes += causes != NULL ? ms_causes_measure_histogram(&causes->histogram) +
					  ms_causes_measure_estimates(&causes->estimates) +
					  ms_causes_measure_optimal_sums(&causes->optimal_sums)
				: 0;
	for (unsigned i = 0; causes != NULL && i < causes->batch_count; i++)
		bytes += measure_batch(causes, &causes->batch[i]);
	for (unsigned i = 0; causes != NULL && i < causes->shards; i++)
		bytes += engine->shard[i].causes.accesses.cap * sizeof(struct ms_causes_access);
	return bytes;
}

/* --- counters --- */

/*
 * Of misses that the shard has counted: then the cell's counters exist, and only
 * ms_engine_finish_batch() uses these fields of them.
 */
struct ms_count_level_misses *ms_causes_find_counters(struct ms_engine *engine,
						      const struct ms_count_cell *cell,
						      unsigned shard, unsigned level)
{
	(void)engine;
	return &cell->counters[shard]->level[level];
}

/* Of all others: another thread may create the cell's counters at the same time. */
struct ms_count_level_misses *
ms_causes_find_finished(struct ms_engine *engine, const struct ms_count_cell *cell, unsigned level)
{
	return &ms_count_get_misses(&engine->counts.finished, cell->site, cell->data, 0)
			->level[level];
}

void ms_causes_count_verdict(struct ms_count_level_misses *counts, enum ms_causes_verdict verdict,
			     uint64_t n)
{
	counts->examined += n;
	if (verdict == MS_CAUSES_HITS)
		counts->conflict += n;
	if (verdict == MS_CAUSES_MISSES)
		counts->capacity += n;
}

/* --- batches --- */

static void count_candidates(struct ms_engine *engine, unsigned shard, unsigned level,
			     struct ms_causes_level_share *share, uint32_t weight)
{
	const struct ms_causes_distances *distances = &engine->causes->distances[level];

	for (size_t i = 0; i < share->candidates.n; i++) {
		const struct ms_causes_candidate *c = &share->candidates.at[i];
		enum ms_causes_verdict verdict = ms_causes_classify(distances, c->last);

		if (c->missed)
			ms_causes_count_verdict(
				ms_causes_find_counters(engine, c->cell, shard, level), verdict,
				(uint64_t)c->count * weight);
		else if (verdict == MS_CAUSES_MISSES)
			ms_causes_find_finished(engine, c->cell, level)->saved +=
				(uint64_t)c->count * weight;
	}
	share->candidates.n = 0;
}

static int by_reference_line(const void *a, const void *b)
{
	const struct ms_causes_split_miss *x = a, *y = b;
	int c = ms_cmp_u64(x->reference, y->reference);

	return c != 0 ? c : ms_cmp_u64(x->line, y->line);
}

/* As ms_count_finish_splits(): the first line that missed counts for the reference. */
static void count_splits(struct ms_engine *engine, struct ms_causes_batch *batch, unsigned level)
{
	struct ms_causes_level_share all = { .splits = MS_VEC_INIT };

	for (unsigned k = 0; k < engine->shards; k++) {
		struct ms_causes_level_share *share = &batch->shares[k].levels[level];

		for (size_t i = 0; i < share->splits.n; i++)
			*ms_vec_add(&all.splits) = share->splits.at[i];
		share->splits.n = 0;
	}
	if (all.splits.n > 0)
		qsort(all.splits.at, all.splits.n, sizeof(*all.splits.at), by_reference_line);
	for (size_t i = 0; i < all.splits.n; i++) {
		const struct ms_causes_split_miss *s = &all.splits.at[i];

		if ((i == 0 || s->reference != s[-1].reference) && s->replaced)
			ms_causes_count_verdict(
				ms_causes_find_finished(engine, s->cell, level),
				ms_causes_classify(&engine->causes->distances[level], s->last),
				batch->weights.others);
	}
	ms_vec_free(&all.splits);
}

static void finish_level(struct ms_engine *engine, struct ms_causes_batch *batch, unsigned level)
{
	struct ms_causes_distances *distances = &engine->causes->distances[level];

	ms_causes_begin_distances(distances);
	for (unsigned k = 0; k < engine->shards; k++) {
		struct ms_causes_level_share *share = &batch->shares[k].levels[level];

		ms_causes_use_lines(distances, share->last_uses.at, share->last_uses.n);
		share->last_uses.n = 0;
	}
	ms_causes_end_distances(distances);
	for (unsigned k = 0; k < engine->shards; k++)
		count_candidates(engine, k, level, &batch->shares[k].levels[level],
				 batch->weights.others);
	count_splits(engine, batch, level);
}

void ms_causes_finish_batch(struct ms_engine *engine, unsigned batch_index)
{
	struct ms_causes *causes = engine->causes;

	if (causes == NULL)
		return;
	struct ms_causes_batch *batch = &causes->batch[batch_index];

	causes->finished++;
	causes->steps += engine->batch[batch_index].steps;
	causes->observed_steps += batch->weights.first > 0 ? engine->batch[batch_index].steps : 0;
	for (unsigned level = 1;
	     level < causes->levels && causes->division == MS_ENGINE_DIVIDED_BY_BOUNDS; level++)
		finish_level(engine, batch, level);
	if (ms_causes_is_observed(&batch->weights)) {
		if (!causes->was_observed) {
			ms_causes_reset_lru_list(&causes->lists[0]);
			ms_causes_reset_optimal_cache(&causes->optimal[0]);
			ms_causes_forget_recent_lines(causes);
		}
		ms_causes_finish_observed(engine, batch);
	}
	causes->was_observed = ms_causes_is_observed(&batch->weights);
}

/* --- totals --- */

void ms_causes_add_totals(const struct ms_engine *engine, const uint32_t *group,
			  struct ms_engine_totals *totals)
{
	const struct ms_causes *causes = engine->causes;

	if (causes == NULL)
		return;
	totals->division = causes->division;
	totals->observed_part =
		causes->steps > 0 ? (double)causes->observed_steps / (double)causes->steps : 0;
	ms_causes_add_set_totals(&causes->histogram, totals);
	ms_causes_add_estimate_totals(&causes->estimates, group, totals);
	ms_causes_add_optimal_totals(&causes->optimal_sums, totals);
}

static uint64_t scale(uint64_t count, uint64_t replaced, uint64_t examined)
{
	return examined == 0 || examined == replaced
		       ? count
		       : (uint64_t)((double)count * (double)replaced / (double)examined);
}

/* Misses are examined in some batches only; the shares there are those of all misses. */
void ms_causes_fill_total(const struct ms_engine *engine,
			  const struct ms_count_level_misses *counts,
			  struct ms_engine_total_miss *total)
{
	uint64_t replaced = total->causes[MS_ENGINE_MISS_REPLACED];

	if (engine->causes == NULL || ms_causes_is_estimated(engine))
		return;
	total->conflict = scale(counts->conflict, replaced, counts->examined);
	total->capacity = scale(counts->capacity, replaced, counts->examined);
	total->saved = counts->saved;
}
