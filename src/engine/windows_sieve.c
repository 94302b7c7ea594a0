/*
 * engine/windows_sieve.c - the sieve's half of windows.
 *
 * In a window, a line that is its set's most recent one is a known hit, and the sieve keeps it to
 * itself; so it forgets all when a window opens. What is counted in parts goes to the next part at
 * each turn, from a window on. A turn costs looking at all cells and blocks: where there are many
 * of them, and windows are short, it takes several windows.
 */
#include "engine/engine_priv.h"

/* So many turns are as short as windows; later ones have so many words for each cell. */
enum { SHORT_TURNS = 2 * MS_SAMPLE_PARTS, WORDS_A_CELL = 32 };

bool ms_windows_keep_all(const struct windows *w)
{
	return w->sets.every > 1;
}

void ms_window_sieve_free(struct window_sieve *sieve)
{
	ms_vec_free(&sieve->references);
	ms_vec_free(&sieve->executions);
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
	if (shard->keeps_all) {
		sieve->turn++;
		return;
	}
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
	/* There may have been nothing in these words but events. */
	sieve->turn += seen > 0;
	__atomic_store_n(&sieve->seen[part], sieve->seen[part] + seen, __ATOMIC_RELAXED);
}

static void end_long_turn(struct ms_shard *shard)
{
	struct window_sieve *sieve = &shard->windows;

	if (sieve->turn < SHORT_TURNS || sieve->words > shard->cells.list.n * WORDS_A_CELL)
		end_turn(shard);
}

void ms_shard_stratum(struct ms_shard *shard, uint32_t first, uint32_t parts)
{
	if (shard->engine->windows == NULL)
		return;
	if (shard->windows.parts.n != 0)
		end_turn(shard);
	shard->windows.parts = (struct window_parts){ first, parts };
	shard->windows.turn = 0;
}

void ms_shard_window_end(struct ms_shard *shard)
{
	if (shard->engine->windows != NULL && !shard->keeps_all)
		end_long_turn(shard);
}

void ms_shard_window(struct ms_shard *shard, uint32_t window)
{
	struct window_sieve *sieve = &shard->windows;

	if (shard->engine->windows == NULL || sieve->window == window + 1)
		return;
	sieve->window = window + 1;
	end_long_turn(shard);
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
