/*
 * regs.c - chooses a block's own registers: those that none of its instructions uses. Dead ones
 * need not be restored.
 */
#include "arch.h"
#include "asm.h"
#include "emit.h"
#include "insn.h"
#include "layout.h"

static uint32_t touched(void)
{
	uint32_t regs = ms_reg_bit(MS_OURS);

	for (uint32_t i = 0; i < ms_e.g->n; i++)
		regs |= ms_e.g->in[i].use | ms_e.g->in[i].def;
	return regs;
}

/* Takes one of them, preferably a dead one. */
static uint8_t take(uint32_t *from)
{
	uint32_t best = *from & ~ms_e.g->live;

	if (*from == 0)
		return NO_REG;
	if (best == 0)
		best = *from;
	best &= -best;
	*from &= ~best;
	return (uint8_t)__builtin_ctz(best);
}

static bool uses_ours(void)
{
	for (uint32_t i = 0; i < ms_e.g->n; i++)
		if (ms_uses_ours(&ms_e.g->in[i]))
			return true;
	return false;
}

static uint8_t if_alive(uint8_t reg)
{
	return reg != NO_REG && ms_e.g->live >> reg & 1 ? reg : NO_REG;
}

bool ms_regs_choose(void)
{
	uint32_t free = MS_ALL_REGS & ~touched();
	bool theirs = uses_ours() || ms_e.g->made; /* the comparison needs three registers */
	bool other = !ms_e.g->silent && (ms_e.g->tallies || (ms_e.g->picks && ms_e.g->refs > 0));

	ms_e.cursor = ms_e.work = ms_e.theirs = ms_e.other = NO_REG;
	if (!ms_e.g->silent) {
		ms_e.cursor = take(&free);
		ms_e.work = take(&free);
	}
	if (theirs)
		ms_e.theirs = take(&free);
	if (other)
		ms_e.other = take(&free);
	ms_e.block->taken[0] = if_alive(ms_e.cursor);
	ms_e.block->taken[1] = if_alive(ms_e.work);
	ms_e.block->taken[2] = if_alive(ms_e.theirs);
	ms_e.block->taken[3] = if_alive(ms_e.other);
	return (ms_e.g->silent || ms_e.work != NO_REG) && (!theirs || ms_e.theirs != NO_REG) &&
	       (!other || ms_e.other != NO_REG);
}

void ms_regs_spill(void)
{
	for (uint32_t i = 0; i < MS_TAKEN; i++)
		if (ms_e.block->taken[i] != NO_REG)
			put_store(ms_e.block->taken[i], MS_OURS, spill_at(ms_e.block->taken[i]));
}

void ms_regs_give_back(void)
{
	for (uint32_t i = 0; i < MS_TAKEN; i++)
		if (ms_e.block->taken[i] != NO_REG)
			put_load(ms_e.block->taken[i], MS_OURS, spill_at(ms_e.block->taken[i]));
}

uint32_t ms_regs_renamed(const struct ms_insn *in)
{
	uint32_t word = in->word;

	for (uint32_t f = 0; f < MS_FIELDS; f++)
		if (in->role[f] != 0 && (word >> ms_field_at[f] & 31) == MS_OURS) {
			word &= ~(31u << ms_field_at[f]);
			word |= (uint32_t)ms_e.theirs << ms_field_at[f];
		}
	return word;
}
