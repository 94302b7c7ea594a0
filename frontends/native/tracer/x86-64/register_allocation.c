/* register_allocation.c - chooses registers for a block, and scratch registers for one instruction.
 */
#include "arch.h"
#include "assembler.h"
#include "block_emitter.h"
#include "instruction.h"
#include "tracer/arch_priv.h"

static uint32_t rotation;
uint8_t ms_tracer_cursor_reg_hint = NO_REG, ms_tracer_check_level_hint;

void ms_tracer_set_emit_hint(const struct ms_tracer_link *link)
{
	ms_tracer_cursor_reg_hint = link != NULL ? link->b : NO_REG;
	ms_tracer_check_level_hint = link != NULL ? link->level : 0;
}

/* Registers that an instruction can name as a base without a prefix. */
enum { LOW = 1 << RAX | 1 << RCX | 1 << RDX | 1 << RBX | 1 << RBP | 1 << RSI | 1 << RDI };

static uint32_t touched(void)
{
	uint32_t mask = 1u << RSP;

	for (uint32_t i = 0; i < ms_tracer_emitter.g->n; i++)
		mask |= ms_tracer_emitter.g->in[i]->use | ms_tracer_emitter.g->in[i]->def;
	return mask;
}

bool ms_tracer_needs_lea(const struct ms_tracer_memory_ref *w)
{
	return w->base != CONSTANT && (ms_tracer_emitter.g->samples_sets || w->fs ||
				       w->index != NO_REG || w->disp != 0 || w->base == NO_REG);
}

/* Whether its RIP-relative operand must be replaced. */
bool ms_tracer_needs_base_register(const struct ms_tracer_insn *in)
{
	return in->rip_modrm != 0 && in->loads_address == NO_REG && in->kind < MS_TRACER_INSN_JUMP;
}

bool ms_tracer_needs_scratch(const struct ms_tracer_insn *in)
{
	if (ms_tracer_needs_base_register(in))
		return true;
	for (uint32_t k = 0; k < in->refs; k++)
		if (ms_tracer_needs_lea(&in->ref[k]))
			return true;
	return false;
}

/* Registers that instruction i may destroy. */
static uint32_t free_at(uint32_t i)
{
	uint32_t mask = ~(uint32_t)ms_tracer_emitter.g->live[i].regs & 0xffff & ~(1u << RSP);

	if (ms_tracer_emitter.block->b != NO_REG)
		mask &= ~(1u << ms_tracer_emitter.block->b);
	if (ms_tracer_emitter.block->s != NO_REG)
		mask |= 1u << ms_tracer_emitter.block->s;
	return mask;
}

/* Saved flags are in rax. */
static uint32_t wanted_at(uint32_t i)
{
	uint32_t mask = ms_tracer_needs_base_register(ms_tracer_emitter.g->in[i]) ? LOW : 0xffff;

	return ms_tracer_emitter.g->samples_sets ? mask & ~(1u << RAX) : mask;
}

static uint32_t pick_register(uint32_t mask)
{
	rotation++;
	for (uint32_t k = 0; k < 16; k++)
		if (mask >> (rotation + k) % 16 & 1)
			return (rotation + k) % 16;
	return NO_REG;
}

/* The same register as in neighbouring blocks, if possible. */
static uint32_t prefer(uint32_t mask)
{
	static const uint8_t order[] = { R11, R10, R9,  R8,  R15, R14, R13, R12,
					 RBP, RBX, RDI, RSI, RDX, RAX, RCX };

	if (ms_tracer_cursor_reg_hint != NO_REG && mask >> ms_tracer_cursor_reg_hint & 1)
		return ms_tracer_cursor_reg_hint;
	for (uint32_t i = 0; i < sizeof(order); i++)
		if (mask >> order[i] & 1)
			return order[i];
	return NO_REG;
}

/* Chooses one register for the whole block that no instruction uses; and a second if it pays. */
bool ms_tracer_choose_registers(void)
{
	uint32_t idle = ~touched() & 0xffff, without = 0;

	ms_tracer_emitter.block->b = ms_tracer_emitter.block->s = NO_REG;
	if (ms_tracer_emitter.g->is_runtime_code ||
	    ms_tracer_emitter.g->in[0]->kind == MS_TRACER_INSN_COMPUTED)
		return true;
	if (ms_tracer_emitter.g->live[0].flags != 0 || ms_tracer_emitter.g->samples_sets)
		idle &= ~(1u << RAX);
	if (ms_tracer_emitter.g
		    ->is_jit) /* otherwise an indirect branch would enter after the comparison */
		idle &= ~(1u << R11);
	ms_tracer_emitter.block->b = (uint8_t)prefer(idle);
	if (ms_tracer_emitter.block->b == NO_REG)
		return false;
	for (uint32_t i = 0; i < ms_tracer_emitter.g->n; i++)
		if (!ms_tracer_emitter.g->counts_refs &&
		    ms_tracer_needs_scratch(ms_tracer_emitter.g->in[i]) &&
		    (free_at(i) & wanted_at(i)) == 0)
			without++;
	idle &= ~(1u << ms_tracer_emitter.block->b);
	if (without > 1 || ms_tracer_emitter.g->in[0]->kind == MS_TRACER_INSN_REP)
		ms_tracer_emitter.block->s = (uint8_t)pick_register(idle & LOW ? idle & LOW : idle);
	return true;
}

/* --- scratch registers of one instruction --- */

struct ms_tracer_scratch ms_tracer_take_scratch(uint32_t i)
{
	uint32_t mask = free_at(i) & wanted_at(i);
	struct ms_tracer_scratch s = { NO_REG, false };

	if (ms_tracer_emitter.block->s != NO_REG && mask >> ms_tracer_emitter.block->s & 1)
		s.reg = ms_tracer_emitter.block->s;
	else
		s.reg = (uint8_t)pick_register(mask);
	if (s.reg != NO_REG)
		return s;
	mask = 0xffff &
	       ~(uint32_t)(ms_tracer_emitter.g->in[i]->use | ms_tracer_emitter.g->in[i]->def) &
	       ~(1u << RSP) & wanted_at(i);
	if (ms_tracer_emitter.block->b != NO_REG)
		mask &= ~(1u << ms_tracer_emitter.block->b);
	s.reg = (uint8_t)pick_register(mask);
	s.taken = true;
	put_gs_store(s.reg, spill_at(s.reg));
	return s;
}

void ms_tracer_release_registers(struct ms_tracer_scratch s)
{
	if (s.taken)
		put_gs_load(s.reg, spill_at(s.reg));
}
