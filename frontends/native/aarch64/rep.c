/*
 * rep.c - a load-exclusive and the code after it, up to the store-exclusive and the branch back
 * that repeats it.
 *
 * A store in between could make the store-exclusive fail forever. So the references are recorded
 * before the region, and the region is copied word for word; branches inside it keep their
 * displacements. However often it is repeated, it counts once.
 */
#include "arch.h"
#include "asm.h"
#include "emit.h"
#include "insn.h"
#include "tracer/arch_priv.h"
#include "tracer/code_cache.h"

void ms_rep(void)
{
	struct ms_gather *g = ms_e.g;
	uint32_t *out[MS_MAX_INSNS];

	for (uint32_t i = 0; i < g->n; i++)
		ms_body_refs(i);
	ms_exits_record(g->refs);
	for (uint32_t i = 0; i < g->n; i++) {
		const struct ms_insn *in = &g->in[i];
		bool goes = in->kind == MS_BRANCH || in->kind == MS_JUMP;
		bool inside = in->target >= g->pc && in->target < g->next;

		out[i] = goes && !inside ? ms_cache_at : NULL;
		ms_body_site(in, MS_SITE_CLEAN);
		put(in->word);
	}
	ms_exits_link(g->next);
	for (uint32_t i = 0; i < g->n; i++)
		if (out[i] != NULL) {
			aim_here(out[i]);
			ms_exits_link(g->in[i].target);
		}
}
