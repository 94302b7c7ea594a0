/* body.c - emits one instruction of the program: first code that records its references, then the
 * instruction itself. */
#include "arch.h"
#include "asm.h"
#include "emit.h"
#include "insn.h"
#include "tracer/code_cache.h"

/* --- references --- */

static void put_constant_ref(uint64_t address, int32_t at)
{
	if (fits32((int64_t)address)) {
		put_value64(ms_e.block->b, at, (int32_t)address);
		return;
	}
	put_value32(ms_e.block->b, at, (uint32_t)address);
	put_value32(ms_e.block->b, at + 4, (uint32_t)(address >> 32));
}

void ms_body_lea(uint32_t to, const struct ms_where *w)
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
static void put_ref(const struct ms_insn *in, uint32_t k, uint32_t word, struct ms_scratch s,
		    bool flags)
{
	const struct ms_where *w = &in->ref[k];
	int32_t at = 8 * (int32_t)word;

	if (ms_e.g->picks && w->base == CONSTANT) {
		ms_pick_constant(in, w);
	} else if (ms_e.g->picks) {
		ms_pick_ref(in, w, s.reg, flags);
	} else if (w->base == CONSTANT && ms_regs_needs_base(in)) {
		put_memory(OP_STORE, s.reg, ms_e.block->b, NO_REG, 1,
			   at); /* it holds the address */
	} else if (w->base == CONSTANT) {
		put_constant_ref(in->target, at);
	} else if (!ms_regs_needs_lea(w)) {
		put_memory(OP_STORE, w->base, ms_e.block->b, NO_REG, 1, at);
	} else {
		ms_body_lea(s.reg, w);
		put_memory(OP_STORE, s.reg, ms_e.block->b, NO_REG, 1, at);
	}
}

/* --- the program's instructions --- */

/* A RIP-relative operand becomes [reg] with a register below r8, which needs no prefix. */
static void put_copy(const struct ms_insn *in, uint32_t reg)
{
	const uint8_t *from = ms_made_code(in->pc);
	uint8_t *to = ms_cache_at;

	for (uint32_t i = 0; i < in->length; i++)
		put8(from[i]);
	if (in->rip_modrm == 0)
		return;
	to[in->rip_modrm] = (uint8_t)((from[in->rip_modrm] & 0x38) | 0x80 | reg);
	for (uint32_t i = 1; i <= 4; i++)
		to[in->rip_modrm + i] = 0;
}

void ms_body_site(const struct ms_insn *in, uint8_t taken, uint8_t state)
{
	ms_cache_site(
		ms_e.block,
		(struct ms_site){ in->pc,
				  (uint16_t)(ms_cache_at - (uint8_t *)(uint64_t)ms_e.block->entry),
				  taken, state });
}

void ms_body_push_return(const struct ms_insn *in, struct ms_scratch s)
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

void ms_body_refs(uint32_t i, struct ms_scratch s)
{
	const struct ms_insn *in = ms_e.g->in[i];

	bool lost = false;

	for (uint32_t k = 0; k < in->refs && !ms_e.g->silent && !ms_e.g->counts; k++) {
		put_ref(in, k, 1 + ms_e.g->refs_before[i] + k, s, ms_e.g->live[i].flags != 0);
		lost |= ms_regs_needs_lea(&in->ref[k]);
	}
	if (lost && ms_regs_needs_base(in)) /* push [rip + x] */
		put_constant(s.reg, in->target);
}

static struct ms_scratch scratch_for(uint32_t i)
{
	const struct ms_insn *in = ms_e.g->in[i];
	struct ms_scratch none = { NO_REG, false }, s;

	if (ms_e.g->silent || ms_e.g->counts ? !ms_regs_needs_base(in) && in->kind != MS_CALL
					     : !ms_regs_needs_any(in))
		return none;
	s = ms_regs_take(i);
	if (ms_regs_needs_base(in))
		put_constant(s.reg, in->target);
	return s;
}

void ms_body_alone(uint32_t i)
{
	const struct ms_insn *in = ms_e.g->in[i];
	struct ms_scratch s = { NO_REG, false };

	if (in->rip_modrm != 0) {
		s = ms_regs_take(i);
		put_constant(s.reg, in->target);
	}
	ms_body_site(in, s.taken ? s.reg : NO_REG, MS_SITE_BODY);
	put_copy(in, s.reg);
	ms_regs_give_back(s);
}

/* Instruction i and its references. */
void ms_body_insn(uint32_t i)
{
	const struct ms_insn *in = ms_e.g->in[i];
	struct ms_scratch s;

	ms_body_site(in, NO_REG, MS_SITE_BODY);
	if (in->loads_address != NO_REG) {
		put_constant(in->loads_address, in->target);
		return;
	}
	s = scratch_for(i);
	ms_body_refs(i, s);
	if (s.taken && !ms_regs_needs_base(in) && in->kind != MS_CALL) {
		ms_regs_give_back(s);
		s = (struct ms_scratch){ NO_REG, false };
	}
	if (in->kind == MS_CALL) {
		if (s.taken) /* the store may hit the end of the stack */
			ms_body_site(in, s.reg, MS_SITE_BODY);
		ms_body_push_return(in, s);
	} else if (in->kind == MS_PLAIN) {
		if (s.taken)
			ms_body_site(in, s.reg, MS_SITE_BODY);
		put_copy(in, s.reg);
	}
	ms_regs_give_back(s);
}
