/*
 * repeated_instructions.c - a load-exclusive and the code after it, up to the store-exclusive and
 * the branch back that repeats it.
 *
 * A store in between could make the store-exclusive fail forever. So the references are recorded
 * before the region, and the region is copied word for word; branches inside it keep their
 * displacements. However often it is repeated, it counts once.
 */
#include "arch.h"
#include "assembler.h"
#include "block_emitter.h"
#include "instruction.h"
#include "tracer/code_cache.h"

void ms_tracer_emit_repeat(void)
{
	struct ms_tracer_superblock *g = ms_tracer_emitter.g;
	uint32_t *out[MS_TRACER_MAX_INSNS];

	for (uint32_t i = 0; i < g->n; i++)
		ms_tracer_emit_refs(i);
	ms_tracer_emit_record_end(g->refs);
	for (uint32_t i = 0; i < g->n; i++) {
		const struct ms_tracer_insn *in = &g->in[i];
		bool goes = in->kind == MS_TRACER_INSN_BRANCH || in->kind == MS_TRACER_INSN_JUMP;
		bool inside = in->target >= g->pc && in->target < g->next;

		out[i] = goes && !inside ? ms_tracer_emit_cursor : NULL;
		ms_tracer_mark_site(in, MS_TRACER_SITE_CLEAN);
		put(in->word);
	}
	ms_tracer_emit_link(g->next);
	for (uint32_t i = 0; i < g->n; i++)
		if (out[i] != NULL) {
			aim_here(out[i]);
			ms_tracer_emit_link(g->in[i].target);
		}
}
