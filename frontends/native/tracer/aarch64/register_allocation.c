/*
 * register_allocation.c - chooses a block's own registers: those that none of its instructions
 * uses. Dead ones need not be restored.
 */
#include "arch.h"
#include "assembler.h"
#include "block_emitter.h"
#include "instruction.h"
#include "thread_layout.h"

static uint32_t touched(void)
{
	uint32_t regs = ms_tracer_get_reg_bit(MS_TRACER_THREAD_REGISTER);

	for (uint32_t i = 0; i < ms_tracer_emitter.g->n; i++)
		regs |= ms_tracer_emitter.g->in[i].use | ms_tracer_emitter.g->in[i].def;
	return regs;
}

/* Takes one of them, preferably a dead one. */
static uint8_t take_register(uint32_t *from)
{
	uint32_t best = *from & ~ms_tracer_emitter.g->live;

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
	for (uint32_t i = 0; i < ms_tracer_emitter.g->n; i++)
		if (ms_tracer_uses_thread_register(&ms_tracer_emitter.g->in[i]))
			return true;
	return false;
}

static uint8_t if_alive(uint8_t reg)
{
	return reg != NO_REG && ms_tracer_emitter.g->live >> reg & 1 ? reg : NO_REG;
}

bool ms_tracer_choose_registers(void)
{
	uint32_t free = MS_TRACER_ALL_REGS & ~touched();
	bool needs_x18 = uses_ours() ||
			 ms_tracer_emitter.g->is_jit; /* the comparison needs three registers */
	bool other = !ms_tracer_emitter.g->is_runtime_code &&
		     (ms_tracer_emitter.g->counts_exits ||
		      (ms_tracer_emitter.g->samples_sets && ms_tracer_emitter.g->refs > 0));

	ms_tracer_emitter.cursor = ms_tracer_emitter.work = ms_tracer_emitter.program_x18 =
		ms_tracer_emitter.other = NO_REG;
	if (!ms_tracer_emitter.g->is_runtime_code) {
		ms_tracer_emitter.cursor = take_register(&free);
		ms_tracer_emitter.work = take_register(&free);
	}
	if (needs_x18)
		ms_tracer_emitter.program_x18 = take_register(&free);
	if (other)
		ms_tracer_emitter.other = take_register(&free);
	ms_tracer_emitter.block->taken[0] = if_alive(ms_tracer_emitter.cursor);
	ms_tracer_emitter.block->taken[1] = if_alive(ms_tracer_emitter.work);
	ms_tracer_emitter.block->taken[2] = if_alive(ms_tracer_emitter.program_x18);
	ms_tracer_emitter.block->taken[3] = if_alive(ms_tracer_emitter.other);
	return (ms_tracer_emitter.g->is_runtime_code || ms_tracer_emitter.work != NO_REG) &&
	       (!needs_x18 || ms_tracer_emitter.program_x18 != NO_REG) &&
	       (!other || ms_tracer_emitter.other != NO_REG);
}

void ms_tracer_spill_registers(void)
{
	for (uint32_t i = 0; i < MS_TRACER_MAX_TAKEN; i++)
		if (ms_tracer_emitter.block->taken[i] != NO_REG)
			put_store(ms_tracer_emitter.block->taken[i], MS_TRACER_THREAD_REGISTER,
				  spill_at(ms_tracer_emitter.block->taken[i]));
}

void ms_tracer_release_registers(void)
{
	for (uint32_t i = 0; i < MS_TRACER_MAX_TAKEN; i++)
		if (ms_tracer_emitter.block->taken[i] != NO_REG)
			put_load(ms_tracer_emitter.block->taken[i], MS_TRACER_THREAD_REGISTER,
				 spill_at(ms_tracer_emitter.block->taken[i]));
}

uint32_t ms_tracer_rename_thread_register(const struct ms_tracer_insn *in)
{
	uint32_t word = in->word;

	for (uint32_t f = 0; f < MS_TRACER_FIELD_COUNT; f++)
		if (in->role[f] != 0 &&
		    (word >> ms_tracer_field_shifts[f] & 31) == MS_TRACER_THREAD_REGISTER) {
			word &= ~(31u << ms_tracer_field_shifts[f]);
			word |= (uint32_t)ms_tracer_emitter.program_x18
				<< ms_tracer_field_shifts[f];
		}
	return word;
}
