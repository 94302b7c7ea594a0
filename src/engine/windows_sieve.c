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

bool ms_windows_keep_all(const struct windows *w)
{
	return w->sets.every > 1;
}

void ms_window_sieve_free(struct window_sieve *sieve)
{
	ms_vec_free(&sieve->references);
	ms_vec_free(&sieve->executions);
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
		const struct shard_exit *exit = &shard->exits.at[block->first_exit];
		uint64_t executions = 0;

		for (uint32_t i = 0; i < block->about->exits; i++)
			executions += exit[i].count;
		if (executions == sieve->executions.at[b])
			continue;
		sieve->executions.at[b] = executions;
		for (uint32_t i = 0; i < block->about->refs; i++)
			ms_slot_flush(shard, &block->slots[i]);
	}
}

static void end_turn(struct ms_shard *shard)
{
	struct window_sieve *sieve = &shard->windows;
	uint32_t part = sieve->parts.first + sieve->turn % sieve->parts.n;
	uint64_t seen = 0;

	if (sieve->words == 0)
		return;
	sieve->words = 0;
	if (shard->keeps_all)
		return;
	flush_blocks(shard);
	while (sieve->references.n < shard->cells.list.n)
		*ms_vec_add(&sieve->references) = (struct window_references){ 0 };
	for (size_t i = 0; i < shard->cells.list.n; i++) {
		struct window_references *r = &sieve->references.at[i];
		uint64_t all = shard->cells.list.at[i]->references;

		r->in[part] += all - r->all;
		seen += all - r->all;
		r->all = all;
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
	sieve->window = window + 1;
	ms_shard_forget(shard);
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
	for (unsigned i = 0; i < engine->shards; i++) {
		struct ms_shard *shard = &engine->shard[i];

		end_turn(shard);
		for (size_t k = 0; k < shard->windows.references.n; k++)
			ms_shard_tally(&engine->shard[0], shard->cells.list.at[k]);
	}
}
