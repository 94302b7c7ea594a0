/*
 * liveness.c - liveness of registers and flags.
 *
 * A value that is overwritten before it is read is dead. Everything that cannot be analysed counts
 * as live, with one exception: no calling convention passes flags through a return, or through a
 * jump to another function by way of the linkage table.
 */
#include "arch.h"
#include "instruction.h"

enum { AHEAD = 24 };

struct ms_tracer_live_set ms_tracer_find_live_before(const struct ms_tracer_insn *in,
						     struct ms_tracer_live_set after)
{
	return (struct ms_tracer_live_set){
		.regs = (uint16_t)((after.regs & ~in->def) | in->use | 1 << RSP),
		.flags = (uint16_t)((after.flags & ~in->flags_def) | in->flags_use),
	};
}

static bool hides_flags(const struct ms_tracer_insn *in)
{
	return in->kind == MS_TRACER_INSN_RETURN || in->kind == MS_TRACER_INSN_INDIRECT_CALL ||
	       (in->kind == MS_TRACER_INSN_INDIRECT_JUMP && in->rip_modrm != 0);
}

struct ms_tracer_live_set ms_tracer_find_live_at(uint64_t pc)
{
	struct ms_tracer_live_set used = { 0, 0 }, dead = { 0, 0 };
	bool flags_end = false;

	for (int i = 0; i < AHEAD; i++) {
		const struct ms_tracer_insn *in = ms_tracer_decode_insn(pc);

		if (in->kind == MS_TRACER_INSN_UNKNOWN)
			break;
		used.regs |= in->use;
		used.flags |= in->flags_use;
		dead.regs |= in->def & ~used.regs;
		dead.flags |= in->flags_def & ~used.flags;
		flags_end = hides_flags(in);
		if (in->kind != MS_TRACER_INSN_PLAIN && in->kind != MS_TRACER_INSN_JUMP &&
		    in->kind != MS_TRACER_INSN_CALL)
			break;
		pc = in->kind == MS_TRACER_INSN_PLAIN ? pc + in->length : in->target;
		if ((uint16_t)(used.regs | dead.regs) == 0xffff &&
		    (used.flags | dead.flags) == MS_TRACER_ALL_FLAGS)
			break;
	}
	if (flags_end)
		dead.flags |= MS_TRACER_ALL_FLAGS & ~used.flags;
	return (struct ms_tracer_live_set){ .regs = (uint16_t)~dead.regs,
					    .flags =
						    (uint16_t)(MS_TRACER_ALL_FLAGS & ~dead.flags) };
}
