/* instrumented_instructions.c - emits one instruction of a block: first code that records its
 * references, then the instruction itself. */
#include "arch.h"
#include "assembler.h"
#include "block_emitter.h"
#include "instruction.h"
#include "thread_layout.h"
#include "tracer/code_cache.h"

static uint32_t slot_at(uint32_t ref)
{
	return 8 * (1 + ref);
}

/* Computes the address in the work register, unless a register holds it already; returns the
 * register. */
static uint32_t put_address(const struct ms_tracer_insn *in, uint32_t word)
{
	uint32_t t = word & 31, n = word >> 5 & 31, m = word >> 16 & 31, w = ms_tracer_emitter.work;

	if (in->kind == MS_TRACER_INSN_LITERAL) {
		ms_tracer_put_constant(w, in->target);
	} else if (in->mode == MS_TRACER_MODE_ZERO) {
		uint32_t low = (uint32_t)__builtin_ctz(ms_tracer_zero_block_bytes);

		/* and w, t, #~(bytes - 1) */
		put(0x92400000 | (64 - low) << 16 | (63 - low) << 10 | t << 5 | w);
	} else if (in->mode == MS_TRACER_MODE_INDEX) {
		put(0x8b200000 | m << 16 | (uint32_t)in->extend << 13 | (uint32_t)in->shift << 10 |
		    n << 5 | w);
	} else if (in->offset != 0 || n == SP || in->refs > 1) {
		put_add(w, n, in->offset);
	} else {
		return n;
	}
	return w;
}

uint32_t ms_tracer_emit_address(const struct ms_tracer_insn *in, uint32_t word, uint32_t k)
{
	uint32_t reg = put_address(in, word);

	if (k > 0 && in->step != 0)
		put_add(reg, reg, (int32_t)k * in->step);
	return reg;
}

void ms_tracer_emit_refs(uint32_t i)
{
	const struct ms_tracer_insn *in = &ms_tracer_emitter.g->in[i];
	uint32_t first = ms_tracer_emitter.g->refs_before[i], reg;
	uint32_t word = ms_tracer_uses_thread_register(in) ? ms_tracer_rename_thread_register(in)
							   : in->word;

	if (in->refs == 0 || ms_tracer_emitter.g->is_runtime_code ||
	    ms_tracer_emitter.g->counts_refs)
		return;
	if (ms_tracer_emitter.g->samples_sets) {
		ms_tracer_emit_sampled_refs(i, word);
		return;
	}
	reg = put_address(in, word);
	for (uint32_t k = 0; k < in->refs; k++) {
		if (k > 0 && in->step != 0)
			put_add(reg, reg, in->step);
		put_store(reg, ms_tracer_emitter.cursor, slot_at(first + k));
	}
}

void ms_tracer_mark_site(const struct ms_tracer_insn *in, enum ms_tracer_site_state state)
{
	uint64_t offset = (uint64_t)ms_tracer_emit_cursor - ms_tracer_emitter.block->entry;

	ms_tracer_add_site(
		ms_tracer_emitter.block,
		(struct ms_tracer_insn_site){ in->pc, (uint16_t)offset, (uint8_t)state });
}

/* The same load, from the address in the work register. */
static uint32_t literal_word(uint32_t word)
{
	static const uint32_t general[] = { 0xb9400000, 0xf9400000, 0xb9800000 };
	static const uint32_t vector[] = { 0xbd400000, 0xfd400000, 0x3dc00000 };
	uint32_t opc = word >> 30;

	return (word >> 26 & 1 ? vector[opc] : general[opc]) |
	       (uint32_t)ms_tracer_emitter.work << 5 | (word & 31);
}

uint32_t ms_tracer_emit_branch_register(const struct ms_tracer_insn *in)
{
	if (!ms_tracer_uses_thread_register(in))
		return in->word;
	put_load(ms_tracer_emitter.program_x18, MS_TRACER_THREAD_REGISTER,
		 reg_at(MS_TRACER_THREAD_REGISTER));
	return ms_tracer_rename_thread_register(in);
}

static void put_insn(const struct ms_tracer_insn *in, uint32_t word)
{
	switch ((enum ms_tracer_insn_kind)in->kind) {
	case MS_TRACER_INSN_ADDRESS:
		ms_tracer_put_constant(word & 31, in->target);
		break;
	case MS_TRACER_INSN_CALL:
		ms_tracer_put_constant(30, in->pc + 4);
		break;
	case MS_TRACER_INSN_LITERAL:
		if (ms_tracer_emitter.g->counts_refs ||
		    ms_tracer_emitter.g->samples_sets) /* otherwise it holds the address already */
			ms_tracer_put_constant(ms_tracer_emitter.work, in->target);
		ms_tracer_mark_site(in, MS_TRACER_SITE_BODY);
		put(literal_word(word));
		break;
	case MS_TRACER_INSN_EXCLUSIVE_STORE: /* without its load; the runtime's code may have
						executed one */
		put(0xd5033f5f);             /* clrex */
		ms_tracer_mark_site(in, MS_TRACER_SITE_BODY);
		put(word);
		break;
	/* system registers, or instructions that this processor lacks, may fault as well */
	default:
		ms_tracer_mark_site(in, MS_TRACER_SITE_BODY);
		put(word);
		break;
	}
}

void ms_tracer_emit_insn(uint32_t i)
{
	const struct ms_tracer_insn *in = &ms_tracer_emitter.g->in[i];
	uint32_t word = in->word;

	if (ms_tracer_emitter.g->passed[i])
		return;
	if (ms_tracer_uses_thread_register(in)) {
		put_load(ms_tracer_emitter.program_x18, MS_TRACER_THREAD_REGISTER,
			 reg_at(MS_TRACER_THREAD_REGISTER));
		word = ms_tracer_rename_thread_register(in);
	}
	ms_tracer_emit_refs(i);
	put_insn(in, word);
	if (in->def >> MS_TRACER_THREAD_REGISTER & 1)
		put_store(ms_tracer_emitter.program_x18, MS_TRACER_THREAD_REGISTER,
			  reg_at(MS_TRACER_THREAD_REGISTER));
}
