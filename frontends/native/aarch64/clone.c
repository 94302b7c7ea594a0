/*
 * clone.c - the system call of code that creates a thread or shares the parent's memory. Child and
 * parent return from it with the same registers and, when they share memory, the same x18. Only the
 * code that they execute distinguishes the child. This code needs a register for its branch. It
 * uses x17 where no register is dead, as calls between modules destroy x17 too.
 */
#include "arch.h"
#include "asm.h"
#include "insn.h"
#include "layout.h"
#include "tracer/arch_priv.h"
#include "tracer/code_cache.h"

ms_code *ms_clone_site(uint64_t pc)
{
	uint32_t *from, *parent;
	uint32_t dead = MS_ALL_REGS & ~(ms_live_at(pc + 4) | ms_reg_bit(MS_OURS) | 1);
	uint32_t reg = dead != 0 ? (uint32_t)__builtin_ctz(dead) : 17;

	if ((uint64_t)ms_cache_at % 8 != 0)
		put(0);
	from = ms_cache_at;
	put(0xd4000001); /* svc #0 */
	parent = ms_cache_at;
	put(0xb5000000); /* cbnz x0 */
	put(0x58000000 | 6 << 5 | reg);
	put_load(MS_OURS, MS_OURS, MS_AT_REGS + 8 * MS_OURS);
	put_jump_register(reg);
	aim_here(parent);
	put_load(16, MS_OURS, MS_AT_GLUE + 8 * MS_GLUE_CLONED);
	put_jump_register(16);
	put(0);
	*(uint64_t *)ms_cache_at = pc + 4;
	ms_cache_at += 2;
	ms_cache_sync(from, ms_cache_at);
	return from;
}
