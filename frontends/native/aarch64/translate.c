/* translate.c - from a pc to the block that stands for it. One thread at a time. */
#include "tracer_priv.h"

struct ms_lock ms_tracer_lock;
struct ms_tracer_stats ms_tracer_stats;

struct ms_block *ms_translate(struct ms_thread *t, uint64_t pc, uint32_t *why)
{
	static struct ms_gather g;
	struct ms_block *block = ms_cache_find(pc);
	const uint32_t *from = ms_cache_at;

	if (block != NULL)
		return block;
	*why = MS_END_FULL;
	if (!ms_cache_has_room())
		return NULL;
	ms_gather(&g, pc);
	*why = g.why;
	if (g.term == MS_TERM_STOP)
		return NULL;
	block = ms_cache_add(pc);
	ms_emit(t, block, &g);
	ms_cache_publish(block);
	ms_tracer_stats.blocks++;
	ms_tracer_stats.instructions += g.n;
	ms_tracer_stats.code_bytes += (uint64_t)(ms_cache_at - from) * 4;
	return block;
}
