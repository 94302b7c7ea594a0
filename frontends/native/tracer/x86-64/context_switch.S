/*
 * context_switch.S - the transitions between generated code and C.
 *
 * On entry all registers hold the program's values, and %gs is the thread. C runs on its own stack
 * and returns the address to continue at: in the cache, or in the program's own code when the
 * window ends.
 */
#include "thread_layout.h"

	.macro	FUNCTION name
	.globl	\name
	.hidden	\name
	.type	\name, @function
\name:
	.endm

	.macro	LABEL name
	.globl	\name
	.hidden	\name
\name:
	.endm

/* C makes unaligned references: disables alignment checks, which the program may have enabled. */
	.macro	NO_CHECKS
	pushfq
	andl	$~0x40000, (%rsp)
	popfq
	.endm

	.macro	SAVE
	movq	%rax, %gs:MS_TRACER_AT_REGS
	movq	%rcx, %gs:MS_TRACER_AT_REGS + 8
	movq	%rdx, %gs:MS_TRACER_AT_REGS + 16
	movq	%rbx, %gs:MS_TRACER_AT_REGS + 24
	movq	%rsp, %gs:MS_TRACER_AT_REGS + 32
	movq	%rbp, %gs:MS_TRACER_AT_REGS + 40
	movq	%rsi, %gs:MS_TRACER_AT_REGS + 48
	movq	%rdi, %gs:MS_TRACER_AT_REGS + 56
	movq	%r8, %gs:MS_TRACER_AT_REGS + 64
	movq	%r9, %gs:MS_TRACER_AT_REGS + 72
	movq	%r10, %gs:MS_TRACER_AT_REGS + 80
	movq	%r11, %gs:MS_TRACER_AT_REGS + 88
	movq	%r12, %gs:MS_TRACER_AT_REGS + 96
	movq	%r13, %gs:MS_TRACER_AT_REGS + 104
	movq	%r14, %gs:MS_TRACER_AT_REGS + 112
	movq	%r15, %gs:MS_TRACER_AT_REGS + 120
	movq	%gs:MS_TRACER_AT_STACK, %rsp
	pushfq
	testl	$0x40000, (%rsp)
	popq	%gs:MS_TRACER_AT_FLAGS
	jz	9f
	NO_CHECKS
9:	cld
	.endm

	.macro	LOAD
	movq	%gs:MS_TRACER_AT_REGS, %rax
	movq	%gs:MS_TRACER_AT_REGS + 8, %rcx
	movq	%gs:MS_TRACER_AT_REGS + 16, %rdx
	movq	%gs:MS_TRACER_AT_REGS + 24, %rbx
	movq	%gs:MS_TRACER_AT_REGS + 40, %rbp
	movq	%gs:MS_TRACER_AT_REGS + 48, %rsi
	movq	%gs:MS_TRACER_AT_REGS + 56, %rdi
	movq	%gs:MS_TRACER_AT_REGS + 64, %r8
	movq	%gs:MS_TRACER_AT_REGS + 72, %r9
	movq	%gs:MS_TRACER_AT_REGS + 80, %r10
	movq	%gs:MS_TRACER_AT_REGS + 88, %r11
	movq	%gs:MS_TRACER_AT_REGS + 96, %r12
	movq	%gs:MS_TRACER_AT_REGS + 104, %r13
	movq	%gs:MS_TRACER_AT_REGS + 112, %r14
	movq	%gs:MS_TRACER_AT_REGS + 120, %r15
	movq	%gs:MS_TRACER_AT_REGS + 32, %rsp
	.endm

	.macro	GLUE name, function
	FUNCTION \name
	SAVE
	movq	%gs:MS_TRACER_AT_SELF, %rdi
	call	\function
	jmp	go_on
	.endm

	.text
	GLUE	ms_tracer_stub_full, ms_tracer_handle_full_chunk
	GLUE	ms_tracer_stub_link, ms_tracer_handle_unlinked_branch
	GLUE	ms_tracer_stub_miss, ms_tracer_handle_branch_miss
	GLUE	ms_tracer_stub_dispatch, ms_tracer_dispatch
	GLUE	ms_tracer_stub_call, ms_tracer_handle_syscall
	GLUE	ms_tracer_stub_computed, ms_tracer_handle_computed_addresses
	GLUE	ms_tracer_stub_changed, ms_tracer_handle_changed_code

go_on:
	movq	%rax, %gs:MS_TRACER_AT_RESUME
	pushq	%gs:MS_TRACER_AT_FLAGS
	popfq
	LOAD
	jmp	*%gs:MS_TRACER_AT_RESUME

/* void ms_tracer_open_window(struct ms_runtime_thread *t) */
FUNCTION ms_tracer_open_window
	popq	%rax
	movq	%rax, %gs:MS_TRACER_AT_PC
	jmp	ms_tracer_stub_dispatch

FUNCTION ms_tracer_close_window
	ret

	.macro	PUSH_KEPT
	pushq	%rbx
	pushq	%rbp
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	movq	%rsp, %gs:MS_TRACER_AT_C_SP
	.endm

	.macro	POP_KEPT
	movq	%gs:MS_TRACER_AT_C_SP, %rsp
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbp
	popq	%rbx
	ret
	.endm

/*
 * The program's system call, with its registers and on its stack. A signal between ms_tracer_syscall_ready
 * and ms_tracer_syscall_done finds the program as it would be natively.
 */
FUNCTION ms_tracer_call_syscall
	PUSH_KEPT
	LOAD
LABEL ms_tracer_syscall_ready
	cmpq	$0, %gs:MS_TRACER_AT_PENDING
	jne	1f
LABEL ms_tracer_syscall_insn
	syscall
LABEL ms_tracer_syscall_done
	movq	%rax, %gs:MS_TRACER_AT_REGS
	xorl	%eax, %eax
	POP_KEPT
1:	movl	$1, %eax
	POP_KEPT

/* Likewise for a call that creates a thread or shares the parent's memory: it is made at its own
 * site. */
FUNCTION ms_tracer_call_clone
	PUSH_KEPT
	LOAD
	jmp	*%gs:MS_TRACER_AT_CLONE_CALL
LABEL ms_tracer_clone_done
	movq	%rax, %gs:MS_TRACER_AT_REGS
	xorl	%eax, %eax
	POP_KEPT

/* Sets the program's signal mask, on its stack: pending signals arrive at ms_tracer_deliver_done. */
FUNCTION ms_tracer_deliver_pending
	PUSH_KEPT
	movq	%gs:MS_TRACER_AT_REGS + 32, %rsp
	movq	%gs:MS_TRACER_AT_SELF, %rsi
	addq	$MS_TRACER_AT_MASK, %rsi
	movl	$2, %edi
	xorl	%edx, %edx
	movl	$8, %r10d
	movl	$14, %eax
	syscall
LABEL ms_tracer_deliver_done
	POP_KEPT

FUNCTION ms_tracer_call_sigreturn
	movq	%gs:MS_TRACER_AT_REGS + 32, %rsp
	movl	$15, %eax
	syscall
	ud2

/* The handler of all signals. C returns the address to continue at; 0: the interrupted code. */
FUNCTION ms_tracer_signal_entry
	pushq	%rdi
	pushq	%rsi
	pushq	%rdx
	subq	$16, %rsp
	cld
	NO_CHECKS
	movq	40(%rsp), %rcx
	call	ms_tracer_handle_signal
	addq	$16, %rsp
	popq	%rdx
	popq	%rsi
	popq	%rdi
	testq	%rax, %rax
	jz	1f
	jmp	*%rax
1:	ret

/*
 * uint64_t ms_tracer_call_with_vectors_saved(f, a, b): 0xe6: SSE, AVX and AVX-512, as far as the processor has them.
 */
FUNCTION ms_tracer_call_with_vectors_saved
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%rbx
	pushq	%r12
	subq	$2816, %rsp
	andq	$-64, %rsp
	movq	%rdi, %rbx
	movq	%rdx, %r12
	xorl	%eax, %eax
	movq	%rax, 512(%rsp)
	movq	%rax, 520(%rsp)
	movq	%rax, 528(%rsp)
	movq	%rax, 536(%rsp)
	movq	%rax, 544(%rsp)
	movq	%rax, 552(%rsp)
	movq	%rax, 560(%rsp)
	movq	%rax, 568(%rsp)
	xorl	%edx, %edx
	movl	$0xe6, %eax
	xsave64	(%rsp)
	movq	%rsi, %rdi
	movq	%r12, %rsi
	movq	%rsp, %rdx
	call	*%rbx
	movq	%rax, %rbx
	xorl	%edx, %edx
	movl	$0xe6, %eax
	xrstor64 (%rsp)
	movq	%rbx, %rax
	leaq	-16(%rbp), %rsp
	popq	%r12
	popq	%rbx
	popq	%rbp
	ret

	.section .note.GNU-stack, "", @progbits
