/*
 * clone_call.c - the system call of code that creates a thread or shares the parent's memory. Child
 * and parent return from it with the same registers and, when they share memory, the same x18. Only
 * the code that they execute distinguishes the child. This code needs a register for its branch. It
 * uses x17 where no register is dead, as calls between modules destroy x17 too.
 */
#include "arch.h"
#include "assembler.h"
#include "instruction.h"
#include "thread_layout.h"
#include "tracer/arch_priv.h"
#include "tracer/code_cache.h"

ms_tracer_code_unit *ms_tracer_emit_clone_call(uint64_t pc)
{
	uint32_t *from, *parent;
	uint32_t dead =
		MS_TRACER_ALL_REGS & ~(ms_tracer_find_live_at(pc + 4) |
				       ms_tracer_get_reg_bit(MS_TRACER_THREAD_REGISTER) | 1);
	uint32_t reg = dead != 0 ? (uint32_t)__builtin_ctz(dead) : 17;

	if ((uint64_t)ms_tracer_emit_cursor % 8 != 0)
		put(0);
	from = ms_tracer_emit_cursor;
	put(0xd4000001); /* svc #0 */
	parent = ms_tracer_emit_cursor;
	put(0xb5000000); /* cbnz x0 */
	put(0x58000000 | 6 << 5 | reg);
	put_load(MS_TRACER_THREAD_REGISTER, MS_TRACER_THREAD_REGISTER,
		 MS_TRACER_AT_REGS + 8 * MS_TRACER_THREAD_REGISTER);
	put_jump_register(reg);
	aim_here(parent);
	put_load(16, MS_TRACER_THREAD_REGISTER, MS_TRACER_AT_STUBS + 8 * MS_TRACER_STUB_CLONED);
	put_jump_register(16);
	put(0);
	*(uint64_t *)ms_tracer_emit_cursor = pc + 4;
	ms_tracer_emit_cursor += 2;
	ms_tracer_sync_instruction_cache(from, ms_tracer_emit_cursor);
	return from;
}
