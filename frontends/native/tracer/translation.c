/* translation.c - finds or makes the block of a pc. One thread at a time. */
#include "arch.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"
#include "tracer/arch_priv.h"
#include "tracer/code_cache.h"
#include "tracer/tracer.h"

struct ms_tracer_stats ms_tracer_stats;

struct translation_request {
	struct ms_runtime_thread *t;
	uint64_t key;
	uint32_t why;
};

static uint64_t translate(void *request, void *unused, const uint8_t *vectors)
{
	static struct ms_tracer_superblock g;
	struct translation_request *w = request;
	enum ms_tracer_code_kind kind = ms_tracer_get_key_kind(w->key);
	struct ms_tracer_block *block;
	const ms_tracer_code_unit *from = ms_tracer_emit_cursor;

	(void)unused;
	(void)vectors;
	ms_tracer_build_superblock(&g, ms_tracer_get_key_pc(w->key),
				   kind == MS_TRACER_CODE_RECORDS);
	if (g.term == MS_TRACER_TERM_STOP) {
		w->why = g.why;
		return 0;
	}
	g.counts_refs = kind != MS_TRACER_CODE_RECORDS && ms_tracer_can_count_refs(&g);
	g.counts_exits = kind == MS_TRACER_CODE_COUNTS_EXITS;
	g.samples_sets = kind == MS_TRACER_CODE_RECORDS && ms_tracer_sampled_sets.table != NULL;
	block = ms_tracer_add_block(w->key);
	ms_tracer_emit_block(w->t, block, &g);
	ms_tracer_publish_block(block);
	ms_tracer_stats.blocks++;
	ms_tracer_stats.instructions += g.n;
	ms_tracer_stats.code_bytes += (uint64_t)(ms_tracer_emit_cursor - from) * sizeof(*from);
	return (uint64_t)block;
}

uint64_t ms_tracer_count_cache_restarts(void)
{
	return ms_tracer_stats.restarts;
}

struct ms_tracer_block *ms_tracer_translate_block(struct ms_runtime_thread *t, uint64_t key,
						  uint32_t *why)
{
	struct translation_request w = { t, key, MS_TRACER_END_INSTRUCTION };
	struct ms_tracer_block *block = ms_tracer_find_block(key);

	if (block != NULL)
		return block;
	*why = ms_runtime_are_locks_abandoned() ? MS_TRACER_END_ASKED : MS_TRACER_END_FULL;
	if (ms_runtime_are_locks_abandoned() || !ms_tracer_make_cache_room())
		return NULL;
	/* The decoder library may use vector registers, which hold the program's values. */
	block = (struct ms_tracer_block *)ms_tracer_call_with_vectors_saved(translate, &w, NULL);
	*why = w.why;
	return block;
}
