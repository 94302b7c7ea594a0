#include "engine/count/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "engine/engine_priv.h"

void ms_count_open_slices(struct ms_count_timeline *slices, const struct ms_machine *machine)
{
	size_t levels = machine->levels.n;

	*slices = (struct ms_count_timeline){
		.levels =
			levels < MS_ENGINE_SLICE_LEVELS ? (unsigned)levels : MS_ENGINE_SLICE_LEVELS,
	};
	for (unsigned l = 0; l < slices->levels; l++) {
		uint32_t own = machine->levels.at[l].latency;
		uint32_t next = l + 1 < levels ? machine->levels.at[l + 1].latency
					       : machine->memory_latency;

		slices->latency[l] = next > own ? next - own : 1;
	}
}

void ms_count_free_slice_list(struct ms_count_slice_list *list)
{
	ms_vec_free(&list->at);
	ms_vec_free(&list->threads);
}

static void close_slice(struct ms_count_slice *slice)
{
	ms_count_free_slice_list(&slice->cells);
	ms_vec_free(&slice->sums);
}

void ms_count_close_slices(struct ms_count_timeline *slices)
{
	close_slice(&slices->open);
	for (size_t i = 0; i < slices->at.n; i++)
		close_slice(&slices->at.at[i]);
	ms_vec_free(&slices->at);
}

static uint64_t measure_slice(const struct ms_count_slice *slice)
{
	return slice->cells.at.cap * sizeof(*slice->cells.at.at) +
	       slice->cells.threads.cap * sizeof(*slice->cells.threads.at) +
	       slice->sums.cap * sizeof(*slice->sums.at);
}

uint64_t ms_count_measure_slices(const struct ms_count_timeline *slices)
{
	uint64_t bytes = slices->at.cap * sizeof(*slices->at.at) + measure_slice(&slices->open);

	for (size_t i = 0; i < slices->at.n; i++)
		bytes += measure_slice(&slices->at.at[i]);
	return bytes;
}

/* Whether a slice ends with this batch; batches are numbered from 0. */
static bool ends_slice(uint64_t batch)
{
	uint64_t half = batch / MS_COUNT_SLICES;
	uint64_t length = half < 2 ? 1 : UINT64_C(1) << (63 - __builtin_clzll(half));

	return (batch + 1) % length == 0;
}

/* --- of a table of miss counters --- */

static unsigned recorded_levels(const struct ms_count_miss_table *table)
{
	return table->levels < MS_ENGINE_SLICE_LEVELS ? table->levels : MS_ENGINE_SLICE_LEVELS;
}

MS_NOINLINE void ms_count_start_slice(struct ms_count_miss_table *table,
				      struct ms_count_misses *counters)
{
	struct ms_count_slice_start *start = ms_vec_add(&table->slice.starts);

	counters->slice = table->slice.number;
	start->of = counters;
	for (unsigned l = 0; l < recorded_levels(table); l++)
		for (unsigned c = 0; c < MS_ENGINE_MISS_CAUSES; c++)
			start->causes[l][c] = (uint32_t)counters->level[l].causes[c];
}

/* Moves the misses since the slice began to the list; another slice begins. */
static void take_misses(struct ms_count_miss_table *table, struct ms_count_slice_list *list)
{
	ms_vec_reserve(&list->at, table->slice.starts.n);
	for (size_t i = 0; i < table->slice.starts.n; i++) {
		const struct ms_count_slice_start *start = &table->slice.starts.at[i];
		struct ms_count_slice_cell *cell = ms_vec_add(&list->at);

		cell->site = start->of->site;
		cell->data = start->of->data;
		cell->processor = start->of->processor;
		for (unsigned l = 0; l < recorded_levels(table); l++)
			for (unsigned c = 0; c < MS_ENGINE_MISS_CAUSES; c++)
				cell->causes[l][c] = (uint32_t)start->of->level[l].causes[c] -
						     start->causes[l][c];
	}
	table->slice.starts.n = 0;
	if (++table->slice.number == 0) /* so old counters may look current: a slice in 2^32 */
		table->slice.number = 1;
}

/* --- by thread --- */

static uint64_t latency_of(const struct ms_count_timeline *slices,
			   const struct ms_count_thread *thread)
{
	uint64_t cycles = 0;

	for (unsigned l = 0; l < slices->levels; l++)
		cycles += thread->level[l].misses * slices->latency[l];
	return cycles;
}

/* Moves the latency since the slice began to the list. */
static void take_threads(const struct ms_count_timeline *slices, struct ms_count_threads *threads,
			 struct ms_count_slice_list *list)
{
	for (size_t i = 0; i < threads->list.n; i++) {
		struct ms_count_thread *thread = threads->list.at[i];
		uint64_t latency = latency_of(slices, thread);

		if (latency != thread->slice_latency)
			*ms_vec_add(&list->threads) =
				(struct ms_count_slice_thread){ thread->thread,
								latency - thread->slice_latency };
		thread->slice_latency = latency;
	}
}

static int by_thread(const void *a, const void *b)
{
	const struct ms_count_slice_thread *x = a, *y = b;

	return ms_cmp_u64(x->thread, y->thread);
}

static void merge_threads(struct ms_count_slice_list *list)
{
	size_t kept = 0;

	if (list->threads.n > 1)
		qsort(list->threads.at, list->threads.n, sizeof(*list->threads.at), by_thread);
	for (size_t i = 0; i < list->threads.n; i++) {
		struct ms_count_slice_thread *at = &list->threads.at[i];

		if (kept > 0 && list->threads.at[kept - 1].thread == at->thread)
			list->threads.at[kept - 1].latency += at->latency;
		else
			list->threads.at[kept++] = *at;
	}
	list->threads.n = kept;
}

static void add_threads(struct ms_count_slice_list *into, const struct ms_count_slice_list *from)
{
	for (size_t i = 0; i < from->threads.n; i++)
		*ms_vec_add(&into->threads) = from->threads.at[i];
}

/* What the shard has counted since the slice began. */
static void take_shard(struct ms_engine_shard *shard, struct ms_count_slice_list *list)
{
	take_misses(&shard->counts.miss_counters, list);
	if (shard->processors != NULL)
		take_threads(&shard->engine->counts.slices, &shard->processors->threads, list);
}

void ms_count_end_slice_batch(struct ms_engine_shard *shard, unsigned batch_index)
{
	if (ends_slice(shard->counts.batches++))
		take_shard(shard, &shard->engine->batch[batch_index].slices[shard->number]);
}

/* --- the cells that a slice keeps --- */

static int by_site_data(const void *a, const void *b)
{
	const struct ms_count_slice_cell *x = a, *y = b;
	int order = ms_cmp_u64(x->site, y->site);

	return order != 0 ? order : ms_cmp_u64(x->data, y->data);
}

static void sort_cells(struct ms_count_slice_list *list)
{
	if (list->at.n > 1)
		qsort(list->at.at, list->at.n, sizeof(*list->at.at), by_site_data);
}

/* Several shards and processors have cells of the same site and data. The list is sorted after. */
static void merge_cells(struct ms_count_slice_list *list)
{
	size_t kept = 0;

	sort_cells(list);
	for (size_t i = 0; i < list->at.n; i++) {
		struct ms_count_slice_cell *at = &list->at.at[i];

		if (kept == 0 || by_site_data(&list->at.at[kept - 1], at) != 0) {
			list->at.at[kept++] = *at;
			continue;
		}
		for (unsigned l = 0; l < MS_ENGINE_SLICE_LEVELS; l++)
			for (unsigned c = 0; c < MS_ENGINE_MISS_CAUSES; c++)
				list->at.at[kept - 1].causes[l][c] += at->causes[l][c];
	}
	list->at.n = kept;
}

static uint64_t weigh(const struct ms_count_timeline *slices,
		      const struct ms_count_slice_cell *cell)
{
	uint64_t cycles = 0;

	for (unsigned l = 0; l < slices->levels; l++)
		for (unsigned c = 0; c < MS_ENGINE_MISS_CAUSES; c++)
			cycles += cell->causes[l][c] * slices->latency[l];
	return cycles;
}

/* The k-th largest, from 0; puts the array in another order. */
static uint64_t select_largest(uint64_t *at, size_t n, size_t k)
{
	size_t from = 0, to = n;

	while (to - from > 1) {
		uint64_t pivot = at[from + (to - from) / 2];
		size_t larger = from, rest = to;

		for (size_t i = from; i < rest;) {
			uint64_t value = at[i];

			if (value > pivot) {
				at[i++] = at[larger];
				at[larger++] = value;
			} else if (value < pivot) {
				at[i] = at[--rest];
				at[rest] = value;
			} else {
				i++;
			}
		}
		if (k >= larger && k < rest)
			return pivot;
		if (k < larger)
			to = larger;
		else
			from = rest;
	}
	return at[from];
}

/* Drops all but the cells of the largest weight; of equal ones, the first by site and data stay. */
static void keep_largest(const struct ms_count_timeline *slices, struct ms_count_slice_list *list)
{
	size_t n = list->at.n, kept = 0, larger = 0;

	if (n <= MS_COUNT_SLICE_CELLS)
		return;
	uint64_t *weights = ms_alloc(2 * n * sizeof(*weights)), *copy = weights + n;

	for (size_t i = 0; i < n; i++)
		copy[i] = weights[i] = weigh(slices, &list->at.at[i]);
	uint64_t least = select_largest(copy, n, MS_COUNT_SLICE_CELLS - 1);
	for (size_t i = 0; i < n; i++)
		larger += weights[i] > least;
	for (size_t i = 0, equal = MS_COUNT_SLICE_CELLS - larger; i < n; i++)
		if (weights[i] > least || (weights[i] == least && equal > 0 && equal-- > 0))
			list->at.at[kept++] = list->at.at[i];
	list->at.n = kept;
	ms_free(weights);
}

/* --- of the engine --- */

/* Adds cells of a shard: their sums by processor, and themselves. */
static void add_cells(struct ms_count_timeline *slices, struct ms_count_slice_list *from)
{
	struct ms_count_slice *open = &slices->open;
	const size_t each = (size_t)slices->levels * MS_ENGINE_MISS_CAUSES; /* of a processor */

	ms_vec_reserve(&open->cells.at, from->at.n);
	for (size_t i = 0; i < from->at.n; i++) {
		const struct ms_count_slice_cell *cell = &from->at.at[i];
		const size_t first = cell->processor * each;

		while (open->sums.n < first + each)
			ms_vec_add(&open->sums);
		for (size_t k = 0; k < each; k++)
			open->sums.at[first + k] +=
				cell->causes[k / MS_ENGINE_MISS_CAUSES][k % MS_ENGINE_MISS_CAUSES];
		*ms_vec_add(&open->cells.at) = *cell;
	}
	add_threads(&open->cells, from);
	ms_count_free_slice_list(from);
}

static void add_sums(struct ms_count_slice *into, const struct ms_count_slice *from)
{
	while (into->sums.n < from->sums.n)
		ms_vec_add(&into->sums);
	for (size_t i = 0; i < from->sums.n; i++)
		into->sums.at[i] += from->sums.at[i];
}

static void add_phase(struct ms_count_slice *slice, uint32_t phase, uint64_t steps)
{
	if (slice->phase == phase) {
		slice->phase_steps += steps;
	} else if (steps > slice->phase_steps) {
		slice->phase = phase;
		slice->phase_steps = steps;
	}
}

static void merge_slices(struct ms_count_timeline *slices)
{
	size_t n = slices->at.n / 2;

	for (size_t i = 0; i < n; i++) {
		struct ms_count_slice *first = &slices->at.at[2 * i];
		struct ms_count_slice *second = first + 1;

		for (size_t k = 0; k < second->cells.at.n; k++)
			*ms_vec_add(&first->cells.at) = second->cells.at.at[k];
		merge_cells(&first->cells);
		keep_largest(slices, &first->cells);
		add_threads(&first->cells, &second->cells);
		merge_threads(&first->cells);
		add_sums(first, second);
		add_phase(first, second->phase, second->phase_steps);
		first->steps += second->steps;
		close_slice(second);
		slices->at.at[i] = *first;
	}
	slices->at.n = n;
}

/* The open slice keeps the memory of its cells, which are many more than are kept of them. */
static void end_slice(struct ms_count_timeline *slices)
{
	struct ms_count_slice *open = &slices->open, *ended = ms_vec_add(&slices->at);
	struct ms_count_slice next = { .phase = open->phase };

	merge_cells(&open->cells);
	merge_threads(&open->cells);
	keep_largest(slices, &open->cells);
	*ended = *open;
	ms_vec_hand_over(&ended->cells.at, &next.cells.at);
	ms_vec_reserve(&ended->cells.at, next.cells.at.n);
	memcpy(ended->cells.at.at, next.cells.at.at, next.cells.at.n * sizeof(*ended->cells.at.at));
	ended->cells.at.n = next.cells.at.n;
	next.cells.at.n = 0;
	*open = next;
	if (slices->at.n == 2 * MS_COUNT_SLICES)
		merge_slices(slices);
}

static void take_unowned(struct ms_engine *engine)
{
	struct ms_count_slice_list list = { MS_VEC_INIT, MS_VEC_INIT };

	take_misses(&engine->counts.finished, &list);
	take_threads(&engine->counts.slices, &engine->coherence.threads, &list);
	add_cells(&engine->counts.slices, &list);
}

void ms_count_finish_slice(struct ms_engine *engine, unsigned batch_index)
{
	struct ms_count_timeline *slices = &engine->counts.slices;
	const struct ms_engine_batch *batch = &engine->batch[batch_index];

	slices->open.steps += batch->steps;
	add_phase(&slices->open, batch->phase, batch->steps);
	if (!ends_slice(slices->batches++))
		return;
	for (unsigned i = 0; i < engine->shards; i++)
		add_cells(slices, &batch->slices[i]);
	take_unowned(engine);
	end_slice(slices);
}

void ms_count_flush_slice(struct ms_engine *engine)
{
	for (unsigned i = 0; i < engine->shards; i++) {
		struct ms_count_slice_list list = { MS_VEC_INIT, MS_VEC_INIT };

		take_shard(&engine->shard[i], &list);
		add_cells(&engine->counts.slices, &list);
	}
	take_unowned(engine);
}

static void add_thread(const struct ms_count_timeline *slices, struct ms_count_slice *slice,
		       uint32_t thread)
{
	uint64_t latency = 0;

	for (size_t i = 0; i < slice->sums.n; i++)
		latency += slice->sums.at[i] *
			   slices->latency[i / MS_ENGINE_MISS_CAUSES % slices->levels];
	if (latency > 0)
		*ms_vec_add(&slice->cells.threads) =
			(struct ms_count_slice_thread){ thread, latency };
}

void ms_count_begin_slice_threads(struct ms_engine *engine, struct ms_count_thread *thread)
{
	struct ms_count_timeline *slices = &engine->counts.slices;

	for (size_t i = 0; i < slices->at.n; i++)
		add_thread(slices, &slices->at.at[i], thread->thread);
	add_thread(slices, &slices->open, thread->thread);
	thread->slice_latency = latency_of(slices, thread);
}

static void list_sums(const struct ms_count_timeline *slices, uint32_t number,
		      struct ms_engine_totals *totals)
{
	const struct ms_count_slice *slice = &slices->at.at[number];

	for (size_t i = 0; i < slice->sums.n / MS_ENGINE_MISS_CAUSES; i++) {
		const uint64_t *causes = &slice->sums.at[i * MS_ENGINE_MISS_CAUSES];
		struct ms_engine_total_slice_sum sum = {
			.slice = number,
			.processor = (uint32_t)(i / slices->levels),
			.level = (uint32_t)(i % slices->levels),
		};
		uint64_t all = 0;

		for (unsigned c = 0; c < MS_ENGINE_MISS_CAUSES; c++)
			all += sum.causes[c] = causes[c];
		if (all > 0)
			*ms_vec_add(&totals->slice_sums) = sum;
	}
}

static void list_slice(const struct ms_count_timeline *slices, uint32_t number,
		       struct ms_engine_totals *totals)
{
	const struct ms_count_slice *slice = &slices->at.at[number];

	*ms_vec_add(&totals->slices) = (struct ms_engine_total_slice){ slice->steps, slice->phase };
	for (size_t i = 0; i < slice->cells.at.n; i++) {
		const struct ms_count_slice_cell *cell = &slice->cells.at.at[i];
		struct ms_engine_total_slice_cell *total = ms_vec_add(&totals->slice_cells);

		total->slice = number;
		total->site = cell->site;
		total->data = cell->data;
		memcpy(total->causes, cell->causes, sizeof(total->causes));
	}
	for (size_t i = 0; i < slice->cells.threads.n; i++)
		*ms_vec_add(&totals->slice_threads) =
			(struct ms_engine_total_slice_thread){ number,
							       slice->cells.threads.at[i].thread,
							       slice->cells.threads.at[i].latency };
	list_sums(slices, number, totals);
}

void ms_count_list_slices(struct ms_engine *engine, struct ms_engine_totals *totals)
{
	struct ms_count_timeline *slices = &engine->counts.slices;

	ms_count_flush_slice(engine);
	if (slices->open.steps > 0 || slices->open.sums.n > 0)
		end_slice(slices);
	for (uint32_t i = 0; i < slices->at.n; i++)
		list_slice(slices, i, totals);
}
