/*
 * engine/windows_sieve.c - the sieve's half of windows.
 *
 * In a window, a line that is its set's most recent one is a known hit, and the sieve keeps it to
 * itself; so it forgets all when a window opens. What is counted in parts goes to the next part at
 * each turn, from a window on. A turn costs looking at all cells and blocks, so the more windows
 * there have been, the more of them a turn takes. Which ones depends on their numbers alone: shards
 * agree on it, however many there are.
 */
#include "engine/engine_priv.h"

/* So many that parts differ little in what they have got, wherever the last turn ends. */
enum { TURNS_OF_A_LENGTH = 16 * MS_SAMPLE_PARTS };

/* --- where sets are sampled --- */

static void set_parts(struct ms_shard *shard)
{
	struct window_sieve *sieve = &shard->windows;

	for (uint64_t group = 0; sieve->part != NULL && group <= sieve->part_mask; group++)
		sieve->part[group] = (uint8_t)ms_windows_part(
			&sieve->parts, &shard->engine->windows->sets, sieve->turn, group);
}

void ms_windows_open_sieve(struct ms_shard *shard)
{
	const struct windows *w = shard->engine->windows;
	struct window_sieve *sieve = &shard->windows;

	if (w == NULL || w->sets.every <= 1)
		return;
	shard->cells.parts = MS_SAMPLE_PARTS;
	sieve->part_shift = w->sets.shift + w->every_shift;
	sieve->part_mask = w->sets.mask >> w->every_shift;
	sieve->part = ms_alloc(sieve->part_mask + 1);
	sieve->seen_groups = w->seen_groups;
	set_parts(shard);
}

/* All cells, up to now. */
static void count_seen(struct ms_shard *shard)
{
	uint64_t seen[MS_SAMPLE_PARTS] = { 0 };

	for (size_t i = 0; i < shard->cells.list.n; i++) {
		const uint64_t *in_part =
			ms_cell_windows(shard->cells.list.at[i], shard->cells.shards)->in_part;

		for (uint32_t p = 0; p < MS_SAMPLE_PARTS; p++)
			seen[p] += in_part[p];
	}
	for (uint32_t p = 0; p < MS_SAMPLE_PARTS; p++)
		__atomic_store_n(&shard->windows.seen[p], seen[p], __ATOMIC_RELAXED);
}

void ms_window_sieve_free(struct window_sieve *sieve)
{
	ms_vec_free(&sieve->cells.at);
	ms_vec_free(&sieve->executions);
	ms_free(sieve->part);
}

/* The first turns take a window each, as many again two, as many again four. */
static uint32_t turn_of(uint32_t window)
{
	uint32_t turns = 0, length = 1;

	while (window / length >= TURNS_OF_A_LENGTH) {
		window -= TURNS_OF_A_LENGTH * length;
		turns += TURNS_OF_A_LENGTH;
		length *= 2;
	}
	return turns + window / length;
}

/* Only blocks that were executed in this turn have something to tell. */
static void flush_blocks(struct ms_shard *shard)
{
	struct window_sieve *sieve = &shard->windows;

	while (sieve->executions.n < shard->blocks.n)
		*ms_vec_add(&sieve->executions) = 0;
	for (size_t b = 0; b < shard->blocks.n; b++) {
		const struct shard_block *block = &shard->blocks.at[b];
		uint64_t executions = 0;

		for (uint32_t i = 0; i < block->about->exits; i++)
			executions += shard->exits.at[block->first_exit + i].count;
		if (executions == sieve->executions.at[b])
			continue;
		sieve->executions.at[b] = executions;
		for (uint32_t i = 0; i < block->about->refs; i++)
			ms_slot_flush(shard, &block->slots[i]);
	}
}

/* What cells have counted in this turn is the part's. */
static uint64_t count_cells(const struct cells *cells, struct window_cells *counts, uint32_t part)
{
	uint64_t seen = 0;

	while (counts->at.n < cells->list.n)
		*ms_vec_add(&counts->at) = (struct window_references){ 0 };
	for (size_t i = 0; i < cells->list.n; i++) {
		struct window_references *r = &counts->at.at[i];
		uint64_t all = cells->list.at[i]->references;

		r->in[part] += all - r->all;
		seen += all - r->all;
		r->all = all;
	}
	return seen;
}

static uint64_t count_processors(struct processors *p, uint32_t part)
{
	uint64_t seen = 0;

	ms_processors_flush(p);
	for (uint32_t i = 0; i < p->count; i++)
		if (p->at[i] != NULL)
			seen += count_cells(&p->at[i]->cells, &p->at[i]->window_cells, part);
	return seen;
}

static void end_turn(struct ms_shard *shard)
{
	struct window_sieve *sieve = &shard->windows;
	uint32_t part = sieve->parts.first + sieve->turn % sieve->parts.n;
	uint64_t seen;

	if (sieve->words == 0)
		return;
	sieve->words = 0;
	if (sieve->part != NULL) {
		count_seen(shard);
		return;
	}
	if (shard->processors != NULL) {
		seen = count_processors(shard->processors, part);
	} else {
		flush_blocks(shard);
		seen = count_cells(&shard->cells, &sieve->cells, part);
	}
	__atomic_store_n(&sieve->seen[part], sieve->seen[part] + seen, __ATOMIC_RELAXED);
}

/* The window that comes next is in this turn. */
static uint32_t next_turn(const struct window_sieve *sieve)
{
	return turn_of(sieve->window - sieve->before);
}

void ms_shard_stratum(struct ms_shard *shard, uint32_t first, uint32_t parts)
{
	if (shard->engine->windows == NULL)
		return;
	if (shard->windows.parts.n != 0)
		end_turn(shard);
	shard->windows.parts = (struct window_parts){ first, parts };
	shard->windows.turn = 0;
	shard->windows.before = shard->windows.window;
	set_parts(shard);
}

void ms_shard_window_end(struct ms_shard *shard)
{
	if (shard->engine->windows != NULL && next_turn(&shard->windows) != shard->windows.turn)
		end_turn(shard);
}

void ms_shard_window(struct ms_shard *shard, uint32_t window)
{
	struct window_sieve *sieve = &shard->windows;

	if (shard->engine->windows == NULL || sieve->window == window + 1)
		return;
	sieve->window = window;
	if (next_turn(sieve) != sieve->turn)
		end_turn(shard);
	sieve->turn = next_turn(sieve);
	set_parts(shard);
	sieve->window = window + 1;
	ms_shard_forget(shard);
}

struct window_mark ms_windows_now(const struct ms_shard *shard)
{
	const struct window_sieve *sieve = &shard->windows;

	return (struct window_mark){ 0, sieve->window, sieve->turn, sieve->parts };
}

void ms_windows_mark(struct ms_shard *shard, size_t n)
{
	const struct window_sieve *sieve = &shard->windows;
	struct doubts *doubts = &shard->doubts;
	size_t marks = doubts->window_marks.n;

	shard->windows.words += n;
	if (marks == 0 || doubts->window_marks.at[marks - 1].window != sieve->window)
		*ms_vec_add(&doubts->window_marks) =
			(struct window_mark){ doubts->n, sieve->window, sieve->turn, sieve->parts };
}

void ms_windows_finish(struct ms_engine *engine)
{
	for (unsigned i = 0; i < engine->shards; i++)
		end_turn(&engine->shard[i]);
}
