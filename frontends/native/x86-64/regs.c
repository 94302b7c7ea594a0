/* regs.c - chooses registers for a block, and scratch registers for one instruction. */
#include "arch.h"
#include "asm.h"
#include "emit.h"
#include "insn.h"
#include "tracer/arch_priv.h"

static uint32_t turn;
uint8_t ms_emit_hint = NO_REG, ms_emit_level;

void ms_emit_for(const struct ms_link *link)
{
	ms_emit_hint = link != NULL ? link->b : NO_REG;
	ms_emit_level = link != NULL ? link->level : 0;
}

/* Registers that an instruction can name as a base without a prefix. */
enum { LOW = 1 << RAX | 1 << RCX | 1 << RDX | 1 << RBX | 1 << RBP | 1 << RSI | 1 << RDI };

static uint32_t touched(void)
{
	uint32_t mask = 1u << RSP;

	for (uint32_t i = 0; i < ms_e.g->n; i++)
		mask |= ms_e.g->in[i]->use | ms_e.g->in[i]->def;
	return mask;
}

bool ms_regs_needs_lea(const struct ms_where *w)
{
	return w->base != CONSTANT &&
	       (ms_e.g->picks || w->fs || w->index != NO_REG || w->disp != 0 || w->base == NO_REG);
}

/* Whether its RIP-relative operand must be replaced. */
bool ms_regs_needs_base(const struct ms_insn *in)
{
	return in->rip_modrm != 0 && in->loads_address == NO_REG && in->kind < MS_JUMP;
}

bool ms_regs_needs_any(const struct ms_insn *in)
{
	if (ms_regs_needs_base(in))
		return true;
	for (uint32_t k = 0; k < in->refs; k++)
		if (ms_regs_needs_lea(&in->ref[k]))
			return true;
	return false;
}

/* Registers that instruction i may destroy. */
static uint32_t free_at(uint32_t i)
{
	uint32_t mask = ~(uint32_t)ms_e.g->live[i].regs & 0xffff & ~(1u << RSP);

	if (ms_e.block->b != NO_REG)
		mask &= ~(1u << ms_e.block->b);
	if (ms_e.block->s != NO_REG)
		mask |= 1u << ms_e.block->s;
	return mask;
}

/* Saved flags are in rax. */
static uint32_t wanted_at(uint32_t i)
{
	uint32_t mask = ms_regs_needs_base(ms_e.g->in[i]) ? LOW : 0xffff;

	return ms_e.g->picks ? mask & ~(1u << RAX) : mask;
}

static uint32_t pick(uint32_t mask)
{
	turn++;
	for (uint32_t k = 0; k < 16; k++)
		if (mask >> (turn + k) % 16 & 1)
			return (turn + k) % 16;
	return NO_REG;
}

/* The same register as in neighbouring blocks, if possible. */
static uint32_t prefer(uint32_t mask)
{
	static const uint8_t order[] = { R11, R10, R9,  R8,  R15, R14, R13, R12,
					 RBP, RBX, RDI, RSI, RDX, RAX, RCX };

	if (ms_emit_hint != NO_REG && mask >> ms_emit_hint & 1)
		return ms_emit_hint;
	for (uint32_t i = 0; i < sizeof(order); i++)
		if (mask >> order[i] & 1)
			return order[i];
	return NO_REG;
}

/* Chooses one register for the whole block that no instruction uses; and a second if it pays. */
bool ms_regs_choose(void)
{
	uint32_t idle = ~touched() & 0xffff, without = 0;

	ms_e.block->b = ms_e.block->s = NO_REG;
	if (ms_e.g->silent || ms_e.g->in[0]->kind == MS_SLOW)
		return true;
	if (ms_e.g->live[0].flags != 0 || ms_e.g->picks)
		idle &= ~(1u << RAX);
	if (ms_e.g->made) /* otherwise an indirect branch would enter after the comparison */
		idle &= ~(1u << R11);
	ms_e.block->b = (uint8_t)prefer(idle);
	if (ms_e.block->b == NO_REG)
		return false;
	for (uint32_t i = 0; i < ms_e.g->n; i++)
		if (!ms_e.g->counts && ms_regs_needs_any(ms_e.g->in[i]) &&
		    (free_at(i) & wanted_at(i)) == 0)
			without++;
	idle &= ~(1u << ms_e.block->b);
	if (without > 1 || ms_e.g->in[0]->kind == MS_REP)
		ms_e.block->s = (uint8_t)pick(idle & LOW ? idle & LOW : idle);
	return true;
}

/* --- scratch registers of one instruction --- */

struct ms_scratch ms_regs_take(uint32_t i)
{
	uint32_t mask = free_at(i) & wanted_at(i);
	struct ms_scratch s = { NO_REG, false };

	if (ms_e.block->s != NO_REG && mask >> ms_e.block->s & 1)
		s.reg = ms_e.block->s;
	else
		s.reg = (uint8_t)pick(mask);
	if (s.reg != NO_REG)
		return s;
	mask = 0xffff & ~(uint32_t)(ms_e.g->in[i]->use | ms_e.g->in[i]->def) & ~(1u << RSP) &
	       wanted_at(i);
	if (ms_e.block->b != NO_REG)
		mask &= ~(1u << ms_e.block->b);
	s.reg = (uint8_t)pick(mask);
	s.taken = true;
	put_gs_store(s.reg, spill_at(s.reg));
	return s;
}

void ms_regs_give_back(struct ms_scratch s)
{
	if (s.taken)
		put_gs_load(s.reg, spill_at(s.reg));
}
