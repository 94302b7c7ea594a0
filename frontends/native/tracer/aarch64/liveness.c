/*
 * liveness.c - liveness of registers: a register is live if the following code reads it before it
 * overwrites it. Where that cannot be analysed (calls, returns, system calls), all registers are
 * live.
 */
#include "arch.h"
#include "instruction.h"
#include "maps/maps.h"
#include "runtime/config.h"
#include "tracer/arch_priv.h"
#include "tracer/code_cache.h"

enum { LOOKAHEAD = 24 };

static uint64_t stable_start, stable_end; /* range of code that may be read and cached */

void ms_tracer_forget_decoded(void)
{
	stable_start = stable_end = 0;
}

static bool is_stable(uint64_t pc)
{
	if (pc % 4 != 0)
		return false;
	if (pc - stable_start < stable_end - stable_start)
		return true;
	return ms_maps_is_stable_code(pc, &stable_start, &stable_end);
}

/* Rotations of x12 whose sum is zero, then a move of a register to itself. */
static bool is_request(uint64_t pc)
{
	static const uint32_t words[] = { 0x93cc0d8c, 0x93cc358c, 0x93cccd8c, 0x93ccf58c,
					  0xaa0a014a };
	const uint32_t *at = (const uint32_t *)pc - 4;

	if (pc - 16 < stable_start)
		return false;
	for (uint32_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (at[i] != words[i])
			return false;
	return true;
}

void ms_tracer_decode_insn(struct ms_tracer_insn *in, uint64_t pc)
{
	if (ms_tracer_get_copied_bytes(pc) >= 4 && pc % 4 == 0) {
		ms_tracer_decode_word(in, pc, *(const uint32_t *)ms_tracer_get_code_bytes(pc),
				      ms_runtime_config.atomics_twice);
		in->why = MS_TRACER_END_INSTRUCTION;
		return;
	}
	if (!is_stable(pc)) {
		*in = (struct ms_tracer_insn){ .pc = pc,
					       .kind = MS_TRACER_INSN_UNKNOWN,
					       .why = MS_TRACER_END_CODE };
		return;
	}
	ms_tracer_decode_word(in, pc, *(const uint32_t *)pc, ms_runtime_config.atomics_twice);
	in->why = MS_TRACER_END_INSTRUCTION;
	if (in->word == 0xaa0a014a && is_request(pc))
		in->kind = MS_TRACER_INSN_REQUEST;
}

uint32_t ms_tracer_find_live_at(uint64_t pc)
{
	uint32_t used = 0, dead = 0;

	for (uint32_t i = 0; i < LOOKAHEAD; i++) {
		struct ms_tracer_insn in;

		ms_tracer_decode_insn(&in, pc);
		if (in.kind == MS_TRACER_INSN_UNKNOWN || in.kind >= MS_TRACER_INSN_SYSCALL)
			break;
		used |= in.use;
		dead |= in.def & ~used;
		if (in.kind >= MS_TRACER_INSN_BRANCH)
			break;
		pc = in.kind == MS_TRACER_INSN_JUMP ? in.target : pc + 4;
	}
	return MS_TRACER_ALL_REGS & ~dead;
}
