/* instrumented_instructions.c - emits one instruction of the program: first code that records its
 * references, then the instruction itself. */
#include "arch.h"
#include "assembler.h"
#include "block_emitter.h"
#include "instruction.h"
#include "tracer/code_cache.h"

/* --- references --- */

static void put_constant_ref(uint64_t address, int32_t at)
{
	if (fits32((int64_t)address)) {
		put_value64(ms_tracer_emitter.block->b, at, (int32_t)address);
		return;
	}
	put_value32(ms_tracer_emitter.block->b, at, (uint32_t)address);
	put_value32(ms_tracer_emitter.block->b, at + 4, (uint32_t)(address >> 32));
}

void ms_tracer_emit_lea(uint32_t to, const struct ms_tracer_memory_ref *w)
{
	if (!w->fs) {
		put_memory(OP_LEA, to, w->base, w->index, w->scale, w->disp);
		return;
	}
	put8(0x64); /* the thread pointer points to itself */
	put_memory(OP_LOAD, to, NO_REG, NO_REG, 1, 0);
	if (w->base != NO_REG || w->disp != 0)
		put_memory(OP_LEA, to, to, w->base == RSP ? NO_REG : w->base, 1, w->disp);
	if (w->index != NO_REG)
		put_memory(OP_LEA, to, to, w->index, w->scale, 0);
}

/* Writes reference k of instruction `in` to word `word` of the record; flags: they are live. */
static void put_ref(const struct ms_tracer_insn *in, uint32_t k, uint32_t word,
		    struct ms_tracer_scratch s, bool flags)
{
	const struct ms_tracer_memory_ref *w = &in->ref[k];
	int32_t at = 8 * (int32_t)word;

	if (ms_tracer_emitter.g->samples_sets && w->base == CONSTANT) {
		ms_tracer_emit_sampled_constant(in, w);
	} else if (ms_tracer_emitter.g->samples_sets) {
		ms_tracer_emit_sampled_ref(in, w, s.reg, flags);
	} else if (w->base == CONSTANT && ms_tracer_needs_base_register(in)) {
		put_memory(OP_STORE, s.reg, ms_tracer_emitter.block->b, NO_REG, 1,
			   at); /* it holds the address */
	} else if (w->base == CONSTANT) {
		put_constant_ref(in->target, at);
	} else if (!ms_tracer_needs_lea(w)) {
		put_memory(OP_STORE, w->base, ms_tracer_emitter.block->b, NO_REG, 1, at);
	} else {
		ms_tracer_emit_lea(s.reg, w);
		put_memory(OP_STORE, s.reg, ms_tracer_emitter.block->b, NO_REG, 1, at);
	}
}

/* --- the program's instructions --- */

/* A RIP-relative operand becomes [reg] with a register below r8, which needs no prefix. */
static void put_copy(const struct ms_tracer_insn *in, uint32_t reg)
{
	const uint8_t *from = ms_tracer_get_code_bytes(in->pc);
	uint8_t *to = ms_tracer_emit_cursor;

	for (uint32_t i = 0; i < in->length; i++)
		put8(from[i]);
	if (in->rip_modrm == 0)
		return;
	to[in->rip_modrm] = (uint8_t)((from[in->rip_modrm] & 0x38) | 0x80 | reg);
	for (uint32_t i = 1; i <= 4; i++)
		to[in->rip_modrm + i] = 0;
}

void ms_tracer_mark_site(const struct ms_tracer_insn *in, uint8_t taken, uint8_t state)
{
	ms_tracer_add_site(ms_tracer_emitter.block,
			   (struct ms_tracer_insn_site){
				   in->pc,
				   (uint16_t)(ms_tracer_emit_cursor -
					      (uint8_t *)(uint64_t)ms_tracer_emitter.block->entry),
				   taken, state });
}

void ms_tracer_emit_push_return(const struct ms_tracer_insn *in, struct ms_tracer_scratch s)
{
	uint64_t to = in->pc + in->length;

	if (fits32((int64_t)to)) {
		put8(0x68);
		put32((uint32_t)to);
	} else { /* one store, so that the return's load can be forwarded from it */
		put_constant(s.reg, to);
		put_rex(0, 0, 0, s.reg);
		put8(0x50 | (s.reg & 7));
	}
}

void ms_tracer_emit_refs(uint32_t i, struct ms_tracer_scratch s)
{
	const struct ms_tracer_insn *in = ms_tracer_emitter.g->in[i];

	bool lost = false;

	for (uint32_t k = 0; k < in->refs && !ms_tracer_emitter.g->is_runtime_code &&
			     !ms_tracer_emitter.g->counts_refs;
	     k++) {
		put_ref(in, k, 1 + ms_tracer_emitter.g->refs_before[i] + k, s,
			ms_tracer_emitter.g->live[i].flags != 0);
		lost |= ms_tracer_needs_lea(&in->ref[k]);
	}
	if (lost && ms_tracer_needs_base_register(in)) /* push [rip + x] */
		put_constant(s.reg, in->target);
}

static struct ms_tracer_scratch scratch_for(uint32_t i)
{
	const struct ms_tracer_insn *in = ms_tracer_emitter.g->in[i];
	struct ms_tracer_scratch none = { NO_REG, false }, s;

	if (ms_tracer_emitter.g->is_runtime_code || ms_tracer_emitter.g->counts_refs
		    ? !ms_tracer_needs_base_register(in) && in->kind != MS_TRACER_INSN_CALL
		    : !ms_tracer_needs_scratch(in))
		return none;
	s = ms_tracer_take_scratch(i);
	if (ms_tracer_needs_base_register(in))
		put_constant(s.reg, in->target);
	return s;
}

void ms_tracer_emit_insn_only(uint32_t i)
{
	const struct ms_tracer_insn *in = ms_tracer_emitter.g->in[i];
	struct ms_tracer_scratch s = { NO_REG, false };

	if (in->rip_modrm != 0) {
		s = ms_tracer_take_scratch(i);
		put_constant(s.reg, in->target);
	}
	ms_tracer_mark_site(in, s.taken ? s.reg : NO_REG, MS_TRACER_SITE_BODY);
	put_copy(in, s.reg);
	ms_tracer_release_registers(s);
}

/* Instruction i and its references. */
void ms_tracer_emit_insn(uint32_t i)
{
	const struct ms_tracer_insn *in = ms_tracer_emitter.g->in[i];
	struct ms_tracer_scratch s;

	ms_tracer_mark_site(in, NO_REG, MS_TRACER_SITE_BODY);
	if (in->loads_address != NO_REG) {
		put_constant(in->loads_address, in->target);
		return;
	}
	s = scratch_for(i);
	ms_tracer_emit_refs(i, s);
	if (s.taken && !ms_tracer_needs_base_register(in) && in->kind != MS_TRACER_INSN_CALL) {
		ms_tracer_release_registers(s);
		s = (struct ms_tracer_scratch){ NO_REG, false };
	}
	if (in->kind == MS_TRACER_INSN_CALL) {
		if (s.taken) /* the store may hit the end of the stack */
			ms_tracer_mark_site(in, s.reg, MS_TRACER_SITE_BODY);
		ms_tracer_emit_push_return(in, s);
	} else if (in->kind == MS_TRACER_INSN_PLAIN) {
		if (s.taken)
			ms_tracer_mark_site(in, s.reg, MS_TRACER_SITE_BODY);
		put_copy(in, s.reg);
	}
	ms_tracer_release_registers(s);
}
