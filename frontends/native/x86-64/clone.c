/*
 * clone.c - the system call of code that creates a thread or shares the parent's memory. Child and
 * parent return from it with the same registers and the same %gs. Only the code that they execute
 * distinguishes the child.
 */
#include "arch.h"
#include "asm.h"
#include "insn.h"
#include "layout.h"
#include "tracer/arch_priv.h"
#include "tracer/code_cache.h"

ms_code *ms_clone_site(uint64_t pc)
{
	uint8_t *code = ms_cache_at, *parent;

	put8(0x0f), put8(0x05);             /* syscall */
	put8(0x48), put8(0x85), put8(0xc0); /* test rax, rax */
	parent = put_branch(5);
	put_constant(RCX, pc + 2);
	put8(0xff), put8(0xe1); /* jmp rcx */
	aim_here(parent);
	put_gs_jump(MS_AT_GLUE + 8 * MS_GLUE_CLONED);
	return code;
}
