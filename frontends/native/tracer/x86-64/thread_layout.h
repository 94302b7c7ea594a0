/*
 * thread_layout.h - offsets of a thread's state from %gs, for assembler, generated code and C.
 *
 * Registers have the numbers of their encoding: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15.
 */
#ifndef MS_NATIVE_TRACER_X86_64_THREAD_LAYOUT_H
#define MS_NATIVE_TRACER_X86_64_THREAD_LAYOUT_H

#define MS_TRACER_AT_CURSOR  0
#define MS_TRACER_AT_LIMIT   4096
#define MS_TRACER_AT_SELF    4112
#define MS_TRACER_AT_REGS    8192                      /* 16 words: the program's, while C runs */
#define MS_TRACER_AT_SPILL   (MS_TRACER_AT_REGS + 128) /* 16 words: those that a block has taken */
#define MS_TRACER_AT_PC      (MS_TRACER_AT_REGS + 256)
#define MS_TRACER_AT_FLAGS   (MS_TRACER_AT_REGS + 264)
#define MS_TRACER_AT_STACK   (MS_TRACER_AT_REGS + 272) /* the end of C's stack */
#define MS_TRACER_AT_ARG     (MS_TRACER_AT_REGS + 280) /* of the call into C */
#define MS_TRACER_AT_TARGET  (MS_TRACER_AT_REGS + 288) /* of an indirect branch */
#define MS_TRACER_AT_RESUME  (MS_TRACER_AT_REGS + 296)
#define MS_TRACER_AT_C_SP    (MS_TRACER_AT_REGS + 304) /* C's, while a system call runs */
#define MS_TRACER_AT_PENDING (MS_TRACER_AT_REGS + 312) /* a signal is held */
#define MS_TRACER_AT_MASK    (MS_TRACER_AT_REGS + 320) /* the program's mask meanwhile */
#define MS_TRACER_AT_CLONE_CALL \
	(MS_TRACER_AT_REGS + 328) /* of the system call that creates a thread */
#define MS_TRACER_AT_BRANCH_TABLE (MS_TRACER_AT_REGS + 336) /* of indirect branches */
#define MS_TRACER_AT_STUBS        (MS_TRACER_AT_REGS + 344) /* addresses of the entries to C */

#endif
