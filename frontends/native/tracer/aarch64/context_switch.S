/*
 * context_switch.S - the transitions between generated code and C.
 *
 * On entry x18 is the thread, the program's x16 and x18 are in its window, and every other register
 * holds the program's value. C runs on its own stack and returns the address in the cache to
 * continue at: an instruction that loads x16 from the window. The part of the vector registers that
 * a system call does not preserve is saved before C runs: see vector_registers.c.
 */
#include "thread_layout.h"

#define AT(offset) [x18, #(offset)]
#define REG(n)     [x16, #(8 * (n))]

	.macro	FUNCTION name
	.globl	\name
	.hidden	\name
	.type	\name, %function
\name:
	.endm

	.macro	LABEL name
	.globl	\name
	.hidden	\name
\name:
	.endm

	.macro	SAVE
	add	x16, x18, #MS_TRACER_AT_REGS
	stp	x0, x1, REG(0)
	stp	x2, x3, REG(2)
	stp	x4, x5, REG(4)
	stp	x6, x7, REG(6)
	stp	x8, x9, REG(8)
	stp	x10, x11, REG(10)
	stp	x12, x13, REG(12)
	stp	x14, x15, REG(14)
	str	x17, REG(17)
	stp	x19, x20, REG(19)
	stp	x21, x22, REG(21)
	stp	x23, x24, REG(23)
	stp	x25, x26, REG(25)
	stp	x27, x28, REG(27)
	stp	x29, x30, REG(29)
	mov	x0, sp
	str	x0, REG(31)
	mrs	x0, nzcv
	str	x0, AT(MS_TRACER_AT_FLAGS)
	ldr	x0, AT(MS_TRACER_AT_STACK)
	mov	sp, x0
	mov	x29, xzr
	.endm

/* All but x16 and x18. */
	.macro	LOAD
	add	x16, x18, #MS_TRACER_AT_REGS
	ldr	x0, AT(MS_TRACER_AT_FLAGS)
	msr	nzcv, x0
	ldr	x0, REG(31)
	mov	sp, x0
	ldp	x0, x1, REG(0)
	ldp	x2, x3, REG(2)
	ldp	x4, x5, REG(4)
	ldp	x6, x7, REG(6)
	ldp	x8, x9, REG(8)
	ldp	x10, x11, REG(10)
	ldp	x12, x13, REG(12)
	ldp	x14, x15, REG(14)
	ldr	x17, REG(17)
	ldp	x19, x20, REG(19)
	ldp	x21, x22, REG(21)
	ldp	x23, x24, REG(23)
	ldp	x25, x26, REG(25)
	ldp	x27, x28, REG(27)
	ldp	x29, x30, REG(29)
	.endm

	.macro	GLUE name, function
	FUNCTION \name
	SAVE
	bl	put_vectors
	mov	x0, x18
	str	x18, [sp, #-16]!
	bl	\function
	ldr	x18, [sp], #16
	b	go_on
	.endm

	.macro	EACH_VECTOR op
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	\op	z\n, [x0, #\n, mul vl]
	.endr
	.endm

/* After the vectors, at x0. */
	.macro	EACH_PREDICATE op
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	\op	p\n, [x0, #\n, mul vl]
	.endr
	.endm

	.text
	.arch_extension sve

/* x1: whether the processor has such registers; x0: where they are saved. */
	.macro	HAS_VECTORS
	adrp	x1, ms_tracer_vector_scale
	ldrb	w1, [x1, #:lo12:ms_tracer_vector_scale]
	mov	x0, #MS_TRACER_AT_VECTORS
	add	x0, x0, x18
	.endm

put_vectors:
	HAS_VECTORS
	cbz	w1, 1f
	rdvl	x1, #1
	str	x1, [x0, #(MS_TRACER_AT_VECTORS_LENGTH - MS_TRACER_AT_VECTORS)]
	add	x0, x0, #MS_TRACER_VECTORS_HEADER_BYTES
	EACH_VECTOR str
	addvl	x0, x0, #16
	addvl	x0, x0, #16
	EACH_PREDICATE str
	rdffr	p0.b
	str	p0, [x0, #16, mul vl]
1:	ret

/* If the program has changed their length meanwhile, it has discarded them. */
get_vectors:
	HAS_VECTORS
	cbz	w1, 1f
	rdvl	x1, #1
	ldr	x2, [x0, #(MS_TRACER_AT_VECTORS_LENGTH - MS_TRACER_AT_VECTORS)]
	cmp	x1, x2
	b.ne	1f
	add	x0, x0, #MS_TRACER_VECTORS_HEADER_BYTES
	EACH_VECTOR ldr
	addvl	x0, x0, #16
	addvl	x0, x0, #16
	ldr	p0, [x0, #16, mul vl]
	wrffr	p0.b
	EACH_PREDICATE ldr
1:	ret

	GLUE	ms_tracer_stub_full, ms_tracer_handle_full_chunk
	GLUE	ms_tracer_stub_link, ms_tracer_handle_unlinked_branch
	GLUE	ms_tracer_stub_miss, ms_tracer_handle_branch_miss
	GLUE	ms_tracer_stub_call, ms_tracer_handle_syscall
	GLUE	ms_tracer_stub_changed, ms_tracer_handle_changed_code

FUNCTION ms_tracer_stub_dispatch
	str	x16, AT(MS_TRACER_AT_REGS + 8 * 16)
	GLUE	go, ms_tracer_dispatch

go_on:
	str	x0, AT(MS_TRACER_AT_RESUME)
	bl	get_vectors
	LOAD
	ldr	x16, AT(MS_TRACER_AT_RESUME)
	br	x16

/* void ms_tracer_open_window(struct ms_runtime_thread *t) */
FUNCTION ms_tracer_open_window
	add	x17, x0, #MS_TRACER_AT_REGS
	str	x18, [x17, #8 * MS_TRACER_THREAD_REGISTER]
	mov	x18, x0
	str	x30, AT(MS_TRACER_AT_PC)
	b	ms_tracer_stub_dispatch

FUNCTION ms_tracer_close_window
	ret

	.macro	PUSH_KEPT
	stp	x19, x20, [sp, #-96]!
	stp	x21, x22, [sp, #16]
	stp	x23, x24, [sp, #32]
	stp	x25, x26, [sp, #48]
	stp	x27, x28, [sp, #64]
	stp	x29, x30, [sp, #80]
	mov	x18, x0
	mov	x16, sp
	str	x16, AT(MS_TRACER_AT_C_SP)
	.endm

	.macro	POP_KEPT
	ldr	x16, AT(MS_TRACER_AT_C_SP)
	mov	sp, x16
	ldp	x21, x22, [sp, #16]
	ldp	x23, x24, [sp, #32]
	ldp	x25, x26, [sp, #48]
	ldp	x27, x28, [sp, #64]
	ldp	x29, x30, [sp, #80]
	ldp	x19, x20, [sp], #96
	ret
	.endm

/*
 * int ms_tracer_call_syscall(struct ms_runtime_thread *t): the program's system call, with its registers and on
 * its stack. A signal between ms_tracer_syscall_ready and ms_tracer_syscall_done finds the program as it would be
 * natively.
 */
FUNCTION ms_tracer_call_syscall
	PUSH_KEPT
	LOAD
LABEL ms_tracer_syscall_ready
	ldr	x16, AT(MS_TRACER_AT_PENDING)
	cbnz	x16, 1f
	ldr	x16, AT(MS_TRACER_AT_REGS + 8 * 16)
LABEL ms_tracer_syscall_insn
	svc	#0
LABEL ms_tracer_syscall_done
	str	x0, AT(MS_TRACER_AT_REGS)
	mov	x0, #0
	POP_KEPT
1:	mov	x0, #1
	POP_KEPT

/* Likewise for a call that creates a thread or shares the parent's memory: it is made at its own
 * site. */
FUNCTION ms_tracer_call_clone
	PUSH_KEPT
	LOAD
	ldr	x16, AT(MS_TRACER_AT_CLONE_CALL)
	br	x16
LABEL ms_tracer_clone_done
	str	x0, AT(MS_TRACER_AT_REGS)
	mov	x0, #0
	POP_KEPT

/* Sets the program's signal mask, on its stack: pending signals arrive at ms_tracer_deliver_done. */
FUNCTION ms_tracer_deliver_pending
	PUSH_KEPT
	adrp	x1, ms_tracer_vector_scale
	ldrb	w1, [x1, #:lo12:ms_tracer_vector_scale]
	cbnz	w1, ms_tracer_deliver_with_vectors
	ldr	x0, AT(MS_TRACER_AT_REGS + 8 * 31)
	mov	sp, x0
	mov	x0, #2
	add	x1, x18, #MS_TRACER_AT_REGS
	add	x1, x1, #(MS_TRACER_AT_MASK - MS_TRACER_AT_REGS)
	mov	x2, xzr
	mov	x3, #8
	mov	x8, #135
	svc	#0
LABEL ms_tracer_deliver_done
	POP_KEPT

/* void ms_tracer_call_sigreturn_at(void *frame) */
FUNCTION ms_tracer_call_sigreturn_at
	mov	sp, x0
	mov	x8, #139
	svc	#0
	brk	#1

FUNCTION ms_tracer_call_sigreturn
	add	x0, x0, #MS_TRACER_AT_REGS
	ldr	x0, [x0, #8 * 31]
	mov	sp, x0
	mov	x8, #139
	svc	#0
	brk	#1

/* The handler of all signals. C returns the address to continue at; 0: the interrupted code. */
FUNCTION ms_tracer_signal_entry
	stp	x0, x1, [sp, #-48]!
	stp	x2, x30, [sp, #16]
	str	x29, [sp, #32]
	mov	x3, x30
	bl	ms_tracer_handle_signal
	mov	x16, x0
	ldp	x2, x30, [sp, #16]
	ldr	x29, [sp, #32]
	ldp	x0, x1, [sp], #48
	cbz	x16, 1f
	adrp	x17, ms_tracer_stub_dispatch
	add	x17, x17, #:lo12:ms_tracer_stub_dispatch
	cmp	x16, x17
	b.ne	2f
	adrp	x17, :gottprel:ms_runtime_tls_thread
	ldr	x17, [x17, #:gottprel_lo12:ms_runtime_tls_thread]
	mrs	x18, tpidr_el0
	ldr	x18, [x18, x17]
2:	br	x16
1:	ret

/* The running thread; see raw_syscall.h. */
	.section .tbss, "awT", %nobits
	.globl	ms_runtime_tls_thread
	.hidden	ms_runtime_tls_thread
	.type	ms_runtime_tls_thread, %object
	.size	ms_runtime_tls_thread, 8
	.balign	8
ms_runtime_tls_thread:
	.zero	8

/* Of threads that were not created through the runtime; as long as the part of the thread's state
 * that C uses, with struct ms_tracer_window: a signal may arrive on such a thread. */
	.bss
	.globl	ms_runtime_no_thread
	.hidden	ms_runtime_no_thread
	.type	ms_runtime_no_thread, %object
	.size	ms_runtime_no_thread, MS_TRACER_AT_VECTORS
	.balign	16
ms_runtime_no_thread:
	.zero	MS_TRACER_AT_VECTORS

	.section .note.GNU-stack, "", %progbits
