/*
 * engine/windows/window_filter.c - the L1 filter's part of windows.
 *
 * In a window, an access to the most recent line of a set is a known hit, and the filter drops it.
 * This holds only for lines of the same window, so the filter is reset when a window opens.
 *
 * Counts are kept by part. At the end of each step, which is one or several windows, counting
 * moves to the next part. The end of a step has to visit all cells and blocks, so steps become
 * longer as the number of windows grows. The step of a window depends on the window's number
 * alone, so all shards agree on it, however many there are.
 */
#include "engine/engine_priv.h"
#include "engine/variant_priv.h"
#include "engine/windows/window_variant.h"

/* So many steps of one length that the parts have nearly equal shares, wherever the last step
 * ends. */
enum { STEPS_OF_A_LENGTH = 16 * MS_ENGINE_WINDOWS_PARTS };

/* --- parts of sampled sets --- */

static void set_parts(struct ms_engine_shard *shard)
{
	struct ms_engine_windows_filter *filter = &shard->windows;

	for (uint64_t group = 0; filter->part != NULL && group <= filter->part_mask; group++)
		filter->part[group] = (uint8_t)ms_engine_windows_choose_part(
			&filter->parts, &shard->engine->windows->sets, filter->step, group);
}

/* Publishes the references of all cells so far, by part. */
static void count_seen(struct ms_engine_shard *shard)
{
	uint64_t seen[MS_ENGINE_WINDOWS_PARTS] = { 0 };

	for (size_t i = 0; i < shard->cells.list.n; i++) {
		const uint64_t *in_part =
			ms_count_cell_windows(shard->cells.list.at[i], shard->cells.shards)
				->part_references;

		for (uint32_t p = 0; p < MS_ENGINE_WINDOWS_PARTS; p++)
			seen[p] += in_part[p];
	}
	for (uint32_t p = 0; p < MS_ENGINE_WINDOWS_PARTS; p++)
		__atomic_store_n(&shard->windows.seen[p], seen[p], __ATOMIC_RELAXED);
}

/*
 * The first STEPS_OF_A_LENGTH steps are one window long, the next ones two, then four, and so on.
 */
static uint32_t step_of(uint32_t window)
{
	uint32_t steps = 0, length = 1;

	while (window / length >= STEPS_OF_A_LENGTH) {
		window -= STEPS_OF_A_LENGTH * length;
		steps += STEPS_OF_A_LENGTH;
		length *= 2;
	}
	return steps + window / length;
}

/* The counters of a block that was not executed since the last call have not changed. Most blocks
 * have no cell yet: they were described, but only executed between windows. */
void ms_engine_windows_flush_references(struct ms_engine_shard *shard)
{
	struct ms_engine_windows_filter *filter = &shard->windows;
	const struct ms_filter_exit *exits = shard->filter.exits.at;

	while (filter->executions.n < shard->filter.bound_blocks.n)
		*ms_vec_add(&filter->executions) = 0;
	for (size_t i = 0; i < shard->filter.bound_blocks.n; i++) {
		uint32_t b = shard->filter.bound_blocks.at[i];
		const struct ms_filter_block *block = &shard->filter.blocks.at[b];
		size_t end = b + 1 < shard->filter.blocks.n ? block[1].first_exit
							    : shard->filter.exits.n;
		uint64_t executions = 0;

		/* Most blocks have not changed: their descriptions need not be read. */
		for (size_t exit = block->first_exit; exit < end; exit++)
			executions += exits[exit].count;
		if (executions == filter->executions.at[i])
			continue;
		filter->executions.at[i] = executions;
		for (uint32_t r = 0; r < block->desc->refs; r++)
			ms_filter_flush_ref_state(shard, &block->ref_states[r]);
	}
}

/* Adds what the cells have counted since the last step to the part. */
static uint64_t count_cells(const struct ms_count_cells *cells,
			    struct ms_engine_windows_cells *counts, uint32_t part)
{
	uint64_t seen = 0;

	while (counts->at.n < cells->list.n)
		*ms_vec_add(&counts->at) = (struct ms_engine_windows_references){ 0 };
	for (size_t i = 0; i < cells->list.n; i++) {
		struct ms_engine_windows_references *r = &counts->at.at[i];
		uint64_t all = cells->list.at[i]->references;

		r->in[part] += all - r->all;
		seen += all - r->all;
		r->all = all;
	}
	return seen;
}

static void end_step(struct ms_engine_shard *shard)
{
	struct ms_engine_windows_filter *filter = &shard->windows;
	uint32_t part = filter->parts.first + filter->step % filter->parts.n;
	struct ms_engine_cell_table table;
	uint64_t seen = 0;
	uint32_t at = 0;

	if (filter->words == 0)
		return;
	filter->words = 0;
	if (filter->part != NULL) {
		count_seen(shard);
		return;
	}
	shard->engine->variant->flush_references(shard);
	while (shard->engine->variant->counts->next_cell_table(shard, &at, &table))
		seen += count_cells(table.cells, table.in_windows, part);
	__atomic_store_n(&filter->seen[part], filter->seen[part] + seen, __ATOMIC_RELAXED);
}

/* Returns the step of the window that comes next. */
static uint32_t next_step(const struct ms_engine_windows_filter *filter)
{
	return step_of(filter->window - filter->before);
}

void ms_engine_windows_set_stratum(struct ms_engine_shard *shard, uint32_t first, uint32_t parts)
{
	if (!shard->engine->variant->has_windows)
		return;
	if (shard->windows.parts.n != 0)
		end_step(shard);
	shard->windows.parts = (struct ms_engine_windows_parts){ first, parts };
	shard->windows.step = 0;
	shard->windows.before = shard->windows.window;
	set_parts(shard);
}

void ms_engine_windows_end(struct ms_engine_shard *shard)
{
	if (shard->engine->variant->has_windows &&
	    next_step(&shard->windows) != shard->windows.step)
		end_step(shard);
}

void ms_engine_windows_begin(struct ms_engine_shard *shard, uint32_t window)
{
	struct ms_engine_windows_filter *filter = &shard->windows;

	if (!shard->engine->variant->has_windows || filter->window == window + 1)
		return;
	filter->window = window;
	if (next_step(filter) != filter->step)
		end_step(shard);
	filter->step = next_step(filter);
	set_parts(shard);
	filter->window = window + 1;
	ms_engine_reset_filter(shard);
}

struct ms_engine_windows_mark ms_engine_windows_make_mark(const struct ms_engine_shard *shard)
{
	const struct ms_engine_windows_filter *filter = &shard->windows;

	return (struct ms_engine_windows_mark){ 0, filter->window, filter->step, filter->parts };
}

/* Adds a mark if the window has changed. */
size_t ms_engine_windows_filter_executions(struct ms_engine_shard *shard, const uint64_t *words,
					   size_t n)
{
	struct ms_engine_windows_filter *filter = &shard->windows;
	size_t marks = filter->marks.at.n;

	filter->words += n;
	if (marks == 0 || filter->marks.at.at[marks - 1].window != filter->window)
		*ms_vec_add(&filter->marks.at) =
			(struct ms_engine_windows_mark){ shard->filter.pending.n, filter->window,
							 filter->step, filter->parts };
	return ms_filter_process_executions(shard, words, n);
}

/* Time slices have the window's mark. */
size_t ms_engine_windows_filter_processors(struct ms_engine_shard *shard, const uint64_t *words,
					   size_t n)
{
	shard->windows.words += n;
	return ms_coherence_filter_executions(shard, words, n);
}

void ms_engine_windows_distribute_batch(struct ms_engine_shard *shard, unsigned batch_index)
{
	struct ms_engine_windows_marks *of_batch = &shard->engine->windows->marks[batch_index];
	struct ms_engine_windows_marks empty = *of_batch;

	*of_batch = shard->windows.marks;
	shard->windows.marks = empty;
	ms_filter_distribute_batch(shard, batch_index);
}

void ms_engine_windows_finish_steps(struct ms_engine *engine)
{
	for (unsigned i = 0; i < engine->shards; i++)
		end_step(&engine->shard[i]);
}
