/*
 * clone_call.c - the system call of code that creates a thread or shares the parent's memory. Child
 * and parent return from it with the same registers and the same %gs. Only the code that they
 * execute distinguishes the child.
 */
#include "arch.h"
#include "assembler.h"
#include "instruction.h"
#include "thread_layout.h"
#include "tracer/arch_priv.h"
#include "tracer/code_cache.h"

ms_tracer_code_unit *ms_tracer_emit_clone_call(uint64_t pc)
{
	uint8_t *code = ms_tracer_emit_cursor, *parent;

	put8(0x0f), put8(0x05);             /* syscall */
	put8(0x48), put8(0x85), put8(0xc0); /* test rax, rax */
	parent = put_branch(5);
	put_constant(RCX, pc + 2);
	put8(0xff), put8(0xe1); /* jmp rcx */
	aim_here(parent);
	put_gs_jump(MS_TRACER_AT_STUBS + 8 * MS_TRACER_STUB_CLONED);
	return code;
}
