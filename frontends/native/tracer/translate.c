/* translate.c - finds or makes the block of a pc. One thread at a time. */
#include "arch.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"
#include "tracer.h"
#include "tracer/arch_priv.h"
#include "tracer/code_cache.h"

struct ms_tracer_stats ms_tracer_stats;

struct wish {
	struct ms_thread *t;
	uint64_t key;
	uint32_t why;
};

static uint64_t translate(void *wish, void *unused, const uint8_t *vectors)
{
	static struct ms_gather g;
	struct wish *w = wish;
	enum ms_code_kind kind = ms_key_kind(w->key);
	struct ms_block *block;
	const ms_code *from = ms_cache_at;

	(void)unused;
	(void)vectors;
	ms_gather(&g, ms_key_pc(w->key));
	if (g.term == MS_TERM_STOP) {
		w->why = g.why;
		return 0;
	}
	g.counts = kind != MS_CODE_RECORDS && ms_gather_counts(&g);
	g.tallies = kind == MS_CODE_TALLIES;
	g.picks = kind == MS_CODE_RECORDS && ms_groups.table != NULL;
	block = ms_cache_add(w->key);
	ms_emit(w->t, block, &g);
	ms_cache_publish(block);
	ms_tracer_stats.blocks++;
	ms_tracer_stats.instructions += g.n;
	ms_tracer_stats.code_bytes += (uint64_t)(ms_cache_at - from) * sizeof(*from);
	return (uint64_t)block;
}

uint64_t ms_tracer_restarts(void)
{
	return ms_tracer_stats.restarts;
}

struct ms_block *ms_translate(struct ms_thread *t, uint64_t key, uint32_t *why)
{
	struct wish w = { t, key, MS_END_INSTRUCTION };
	struct ms_block *block = ms_cache_find(key);

	if (block != NULL)
		return block;
	*why = ms_lock_is_abandoned() ? MS_END_ASKED : MS_END_FULL;
	if (ms_lock_is_abandoned() || !ms_cache_make_room())
		return NULL;
	/* The decoder library may use vector registers, which hold the program's values. */
	block = (struct ms_block *)ms_keep_vectors(translate, &w, NULL);
	*why = w.why;
	return block;
}
