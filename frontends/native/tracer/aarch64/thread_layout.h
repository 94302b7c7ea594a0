/*
 * thread_layout.h - offsets of a thread's state from x18, for assembler, generated code and C:
 * while a window is open, x18 is the address of struct ms_runtime_thread.
 */
#ifndef MS_NATIVE_TRACER_AARCH64_THREAD_LAYOUT_H
#define MS_NATIVE_TRACER_AARCH64_THREAD_LAYOUT_H

#define MS_TRACER_THREAD_REGISTER \
	18 /* the register; the program's value of it is in MS_TRACER_AT_REGS */

#define MS_TRACER_AT_CURSOR  0
#define MS_TRACER_AT_LIMIT   4096
#define MS_TRACER_AT_REGS    8192 /* x0 to x30 and sp: the program's, while C runs */
#define MS_TRACER_AT_SPILL   (MS_TRACER_AT_REGS + 256) /* x0 to x30: those that a block has taken */
#define MS_TRACER_AT_PC      (MS_TRACER_AT_REGS + 512)
#define MS_TRACER_AT_FLAGS   (MS_TRACER_AT_REGS + 520)
#define MS_TRACER_AT_STACK   (MS_TRACER_AT_REGS + 528) /* the end of C's stack */
#define MS_TRACER_AT_ARG     (MS_TRACER_AT_REGS + 536) /* of the call into C */
#define MS_TRACER_AT_TARGET  (MS_TRACER_AT_REGS + 544) /* of an indirect branch */
#define MS_TRACER_AT_RESUME  (MS_TRACER_AT_REGS + 552)
#define MS_TRACER_AT_C_SP    (MS_TRACER_AT_REGS + 560) /* C's, while a system call runs */
#define MS_TRACER_AT_PENDING (MS_TRACER_AT_REGS + 568) /* a signal is held */
#define MS_TRACER_AT_MASK    (MS_TRACER_AT_REGS + 576) /* the program's mask meanwhile */
#define MS_TRACER_AT_CLONE_CALL \
	(MS_TRACER_AT_REGS + 584) /* of the system call that creates a thread */
#define MS_TRACER_AT_BRANCH_TABLE (MS_TRACER_AT_REGS + 592) /* of indirect branches */
#define MS_TRACER_AT_STUBS        (MS_TRACER_AT_REGS + 600) /* addresses of the entries to C */

/* Vector registers while C runs, if the processor has SVE: in the format of a signal frame's
 * record. */
#define MS_TRACER_AT_VECTORS           (MS_TRACER_AT_REGS + 4096)
#define MS_TRACER_AT_VECTORS_LENGTH    (MS_TRACER_AT_VECTORS + 8) /* of a register, in bytes */
#define MS_TRACER_VECTORS_HEADER_BYTES 16

#endif
