/*
 * x86-64/wrap.S - the exported functions that interpose malloc and its family, pthread_create and
 * others.
 *
 * The tracer records nothing of this section, and calls the rest of this object natively from here.
 * Functions outside the object (the real functions) are traced like any code. So this section does
 * nothing but store registers where C finds them (struct ms_wrap_frame).
 */
#include "wrap.h"

#define FRAME  88 /* of struct ms_wrap_frame, up to the return address */
#define KEPT   32
#define RESULT 80

	.section .text.wrap, "ax", @progbits
	.hidden ms_wrap_start, ms_wrap_end, ms_on_page, ms_wrap_real, ms_wrap_tell, ms_wrap_entry, ms_thin_taken, ms_thin_kept
	.globl ms_wrap_start
ms_wrap_start:

.macro save_frame
	subq $FRAME, %rsp
	.cfi_adjust_cfa_offset FRAME
	movq %rdi, 0(%rsp)
	movq %rsi, 8(%rsp)
	movq %rdx, 16(%rsp)
	movq %rcx, 24(%rsp)
	movq %rbx, KEPT(%rsp)
	movq %rbp, KEPT+8(%rsp)
	movq %r12, KEPT+16(%rsp)
	movq %r13, KEPT+24(%rsp)
	movq %r14, KEPT+32(%rsp)
	movq %r15, KEPT+40(%rsp)
.endm

.macro load_arguments
	movq 0(%rsp), %rdi
	movq 8(%rsp), %rsi
	movq 16(%rsp), %rdx
	movq 24(%rsp), %rcx
.endm

/* All argument registers; for variadic functions, %rax has the number of vector registers. */
.macro save_arguments
	subq $56, %rsp
	.cfi_adjust_cfa_offset 56
	movq %rdi, (%rsp)
	movq %rsi, 8(%rsp)
	movq %rdx, 16(%rsp)
	movq %rcx, 24(%rsp)
	movq %r8, 32(%rsp)
	movq %r9, 40(%rsp)
	movq %rax, 48(%rsp)
.endm

.macro restore_arguments
	movq (%rsp), %rdi
	movq 8(%rsp), %rsi
	movq 16(%rsp), %rdx
	movq 24(%rsp), %rcx
	movq 32(%rsp), %r8
	movq 40(%rsp), %r9
	movq 48(%rsp), %rax
	addq $56, %rsp
	.cfi_adjust_cfa_offset -56
.endm

/*
 * The exported function jumps to the address in ms_wrap_entry. That is the real function while no
 * calls are recorded, or ms_tell_*, which reports the call, or initially ms_first_*, which looks up
 * the real function.
 */
.macro wrap_entry name, number
	.globl \name
	.type \name, @function
	.balign 16
\name:
	.cfi_startproc
	endbr64
	jmp *ms_wrap_entry+8*\number(%rip)
	.cfi_endproc
	.size \name, . - \name

ms_first_\name:
	.cfi_startproc
	endbr64
	save_arguments
	movl $\number, %edi
	call ms_wrap_find
	restore_arguments
	jmp *ms_wrap_entry+8*\number(%rip)
	.cfi_endproc

	.pushsection .data.rel.ro.wrap_tell, "aw"
	.quad ms_tell_\name
	.popsection
	.pushsection .data.rel.wrap_entry, "aw"
	.quad ms_first_\name
	.popsection
.endm

/* Reports the call, and calls the real function. */
.macro tell_heap number
	save_frame
	movl $\number, %edi
	movq %rsp, %rsi
	call ms_heap_enter
	testl %eax, %eax
	load_arguments
	jz 3f
	call *ms_wrap_real+8*\number(%rip)
	movq %rax, RESULT(%rsp)
	movl $\number, %edi
	movq %rax, %rsi
	call ms_heap_leave
	movq RESULT(%rsp), %rax
	addq $FRAME, %rsp
	.cfi_adjust_cfa_offset -FRAME
	ret
	.cfi_adjust_cfa_offset FRAME
3:
	addq $FRAME, %rsp
	.cfi_adjust_cfa_offset -FRAME
	jmp *ms_wrap_real+8*\number(%rip)
.endm

/* Jumps to `to` if the fast path is disabled: see ms_plain_trace(). */
.macro skip_unless_plain to
	cmpq $0, ms_on_page+8(%rip)
	je \to
.endm

/* The fast path of the same (plain.c). times: the register by which the size is multiplied; resize:
 * the arguments are a block and its new size. */
.macro plain_take number, times
	skip_unless_plain 7f
	subq $24, %rsp
	.cfi_adjust_cfa_offset 24
	movq %rdi, 0(%rsp)
	movq %rsi, 8(%rsp)
	movq %rbp, 16(%rsp) /* MS_RECENT_BELOW */
	.ifc \times, resize
	movq 24(%rsp), %rdx
	leaq 32(%rsp), %rcx
	call ms_plain_resize
	.else
	.ifnb \times
	imulq \times, %rdi
	.endif
	movq 24(%rsp), %rsi
	leaq 32(%rsp), %rdx
	call ms_plain_take
	.endif
	testq %rax, %rax
	movq 0(%rsp), %rdi
	movq 8(%rsp), %rsi
	jz 6f
	call *ms_wrap_real+8*\number(%rip)
	movq %rax, %rdi
	movl $\number, %esi
	.ifc \times, resize
	call ms_plain_resized
	.else
	call ms_plain_took
	.endif
	addq $24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
	.cfi_adjust_cfa_offset 24
6:
	addq $24, %rsp
	.cfi_adjust_cfa_offset -24
7:
.endm

.macro plain_free number, unused
	skip_unless_plain 6f
	subq $8, %rsp
	.cfi_adjust_cfa_offset 8
	movq %rdi, 0(%rsp)
	call ms_plain_free
	movq 0(%rsp), %rdi
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	testl %eax, %eax
	jz 6f
	jmp *ms_wrap_real+8*\number(%rip)
6:
.endm

.macro wrap_plain name, number, plain, times
	wrap_entry \name, \number
ms_tell_\name:
	.cfi_startproc
	endbr64
	\plain \number, \times
	tell_heap \number
	.cfi_endproc
.endm

.macro wrap_heap name, number
	wrap_entry \name, \number
ms_tell_\name:
	.cfi_startproc
	endbr64
	tell_heap \number
	.cfi_endproc
.endm

/* The same where only some blocks are recorded (thin.c): most calls go straight to the real
 * function. */
.macro thin_take name, number, times
	.globl ms_thin_\name
	.hidden ms_thin_\name
	.balign 16
ms_thin_\name:
	.cfi_startproc
	endbr64
	movq %rdi, %rax
	.ifnb \times
	imulq \times, %rax
	.endif
	incq %rax
	subq %rax, %gs:MS_WRAP_UNTIL
	jb 4f
	jmp *ms_wrap_real+8*\number(%rip)
4:
	tell_heap \number
	.cfi_endproc
.endm

/* Jumps to `unknown` unless the block in %rdi is one that was recorded. */
.macro check_kept unknown
	movq %rdi, %rax
	shrq $MS_THIN_SHIFT, %rax
	movq %rdi, %rdx
	shrq $MS_THIN_MIX, %rdx
	xorl %edx, %eax
	andl $MS_THIN_STRETCHES-1, %eax
	movq ms_thin_taken(%rip), %rdx
	cmpb $0, (%rdx,%rax)
	je \unknown
	movq %rdi, %rax
	shrq $MS_THIN_PLACE_SHIFT, %rax
	movq %rdi, %rdx
	shrq $MS_THIN_PLACE_MIX, %rdx
	xorl %edx, %eax
	andl $(MS_THIN_PLACES-1)&~(MS_THIN_NEAR-1), %eax
	movq ms_thin_kept(%rip), %rdx
	leaq (%rdx,%rax,8), %rdx
	.irp at, 0, 8, 16, 24, 32, 40, 48
	cmpq %rdi, \at(%rdx)
	je 7f
	.endr
	cmpq %rdi, 56(%rdx)
	jne \unknown
7:
.endm

.macro thin_free name, number
	.globl ms_thin_\name
	.hidden ms_thin_\name
	.balign 16
ms_thin_\name:
	.cfi_startproc
	endbr64
	check_kept 5f
	tell_heap \number
5:
	jmp *ms_wrap_real+8*\number(%rip)
	.cfi_endproc
.endm

/* realloc: calls C if the block was recorded or the new one may be; C decides again. */
.macro thin_resize name, number
	.globl ms_thin_\name
	.hidden ms_thin_\name
	.balign 16
ms_thin_\name:
	.cfi_startproc
	endbr64
	check_kept 6f
4:
	tell_heap \number
6:
	leaq 1(%rsi), %rax
	movq %gs:MS_WRAP_UNTIL, %rdx
	subq %rax, %rdx
	jb 4b
	movq %rdx, %gs:MS_WRAP_UNTIL
	jmp *ms_wrap_real+8*\number(%rip)
	.cfi_endproc
.endm

/* Indexed by the numbers of wrap.h: the entries below are in that order. */
	.section .data.rel.ro.wrap_tell, "aw"
	.balign 8
	.globl ms_wrap_tell
ms_wrap_tell:
	.section .data.rel.wrap_entry, "aw"
	.balign 8
	.globl ms_wrap_entry
ms_wrap_entry:
	.section .text.wrap, "ax", @progbits

	wrap_plain malloc, MS_WRAP_malloc, plain_take
	wrap_plain calloc, MS_WRAP_calloc, plain_take, %rsi
	wrap_plain realloc, MS_WRAP_realloc, plain_take, resize
	wrap_heap reallocarray, MS_WRAP_reallocarray
	wrap_plain free, MS_WRAP_free, plain_free
	wrap_heap memalign, MS_WRAP_memalign
	wrap_heap aligned_alloc, MS_WRAP_aligned_alloc
	wrap_heap posix_memalign, MS_WRAP_posix_memalign
	wrap_heap valloc, MS_WRAP_valloc
	wrap_heap pvalloc, MS_WRAP_pvalloc
	wrap_heap _Znwm, MS_WRAP__Znwm
	wrap_heap _ZnwmRKSt9nothrow_t, MS_WRAP__ZnwmRKSt9nothrow_t
	wrap_heap _ZnwmSt11align_val_t, MS_WRAP__ZnwmSt11align_val_t
	wrap_heap _ZnwmSt11align_val_tRKSt9nothrow_t, MS_WRAP__ZnwmSt11align_val_tRKSt9nothrow_t
	wrap_heap _Znam, MS_WRAP__Znam
	wrap_heap _ZnamRKSt9nothrow_t, MS_WRAP__ZnamRKSt9nothrow_t
	wrap_heap _ZnamSt11align_val_t, MS_WRAP__ZnamSt11align_val_t
	wrap_heap _ZnamSt11align_val_tRKSt9nothrow_t, MS_WRAP__ZnamSt11align_val_tRKSt9nothrow_t
	wrap_heap _ZdlPv, MS_WRAP__ZdlPv
	wrap_heap _ZdlPvm, MS_WRAP__ZdlPvm
	wrap_heap _ZdlPvRKSt9nothrow_t, MS_WRAP__ZdlPvRKSt9nothrow_t
	wrap_heap _ZdlPvSt11align_val_t, MS_WRAP__ZdlPvSt11align_val_t
	wrap_heap _ZdlPvmSt11align_val_t, MS_WRAP__ZdlPvmSt11align_val_t
	wrap_heap _ZdlPvSt11align_val_tRKSt9nothrow_t, MS_WRAP__ZdlPvSt11align_val_tRKSt9nothrow_t
	wrap_heap _ZdaPv, MS_WRAP__ZdaPv
	wrap_heap _ZdaPvm, MS_WRAP__ZdaPvm
	wrap_heap _ZdaPvRKSt9nothrow_t, MS_WRAP__ZdaPvRKSt9nothrow_t
	wrap_heap _ZdaPvSt11align_val_t, MS_WRAP__ZdaPvSt11align_val_t
	wrap_heap _ZdaPvmSt11align_val_t, MS_WRAP__ZdaPvmSt11align_val_t
	wrap_heap _ZdaPvSt11align_val_tRKSt9nothrow_t, MS_WRAP__ZdaPvSt11align_val_tRKSt9nothrow_t

	thin_take malloc, MS_WRAP_malloc
	thin_take calloc, MS_WRAP_calloc, %rsi
	thin_take _Znwm, MS_WRAP__Znwm
	thin_take _Znam, MS_WRAP__Znam
	thin_resize realloc, MS_WRAP_realloc
	thin_free free, MS_WRAP_free
	thin_free _ZdlPv, MS_WRAP__ZdlPv
	thin_free _ZdlPvm, MS_WRAP__ZdlPvm
	thin_free _ZdaPv, MS_WRAP__ZdaPv

/* Functions that map memory, while nothing is traced: C calls the real function. */
.macro wrap_map name, number
	wrap_entry \name, \number
ms_tell_\name:
	.cfi_startproc
	endbr64
	save_frame
	movl $\number, %edi
	movq %rsp, %rsi
	movq %r8, %rdx
	movq %r9, %rcx
	call ms_untraced_call
	addq $FRAME, %rsp
	.cfi_adjust_cfa_offset -FRAME
	ret
	.cfi_endproc
.endm

/* pthread_create(): the new thread begins in ms_wrap_thread, with arguments that C has prepared. */
	wrap_entry pthread_create, MS_WRAP_pthread_create
ms_tell_pthread_create:
	.cfi_startproc
	endbr64
	cmpl $0, ms_on_page(%rip)
	je 5f
	save_frame
	movq %rdx, %rdi
	movq %rsi, %rdx
	movq %rcx, %rsi
	call ms_thread_prepare
	movq %rax, RESULT(%rsp)
	testq %rax, %rax
	load_arguments
	jz 6f
	leaq ms_wrap_thread(%rip), %rdx
	movq %rax, %rcx
	call *ms_wrap_real+8*MS_WRAP_pthread_create(%rip)
	movq RESULT(%rsp), %rdi
	movq %rax, RESULT(%rsp)
	movq %rax, %rsi
	call ms_thread_prepared
	movq RESULT(%rsp), %rax
	addq $FRAME, %rsp
	.cfi_adjust_cfa_offset -FRAME
	ret
	.cfi_adjust_cfa_offset FRAME
6:
	addq $FRAME, %rsp
	.cfi_adjust_cfa_offset -FRAME
5:
	jmp *ms_wrap_real+8*MS_WRAP_pthread_create(%rip)
	.cfi_endproc

	wrap_map mmap, MS_WRAP_mmap
	wrap_map mmap64, MS_WRAP_mmap64
	wrap_map munmap, MS_WRAP_munmap
	wrap_map mremap, MS_WRAP_mremap
	wrap_map mprotect, MS_WRAP_mprotect

/*
 * Functions that unload libraries, while nothing is traced: C finds out which have been unloaded.
 */
	wrap_entry dlclose, MS_WRAP_dlclose
ms_tell_dlclose:
	.cfi_startproc
	endbr64
	subq $8, %rsp
	.cfi_adjust_cfa_offset 8
	movq %rdi, (%rsp)
	call ms_untraced_unloads
	movq (%rsp), %rdi
	call *ms_wrap_real+8*MS_WRAP_dlclose(%rip)
	movq %rax, (%rsp)
	call ms_untraced_unloaded
	movq (%rsp), %rax
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc

/* Signal functions of a program that is not traced: C calls the real function. */
.macro wrap_signal name, number
	wrap_entry \name, \number
ms_tell_\name:
	.cfi_startproc
	endbr64
	subq $24, %rsp
	.cfi_adjust_cfa_offset 24
	movq %rdi, (%rsp)
	movq %rsi, 8(%rsp)
	movq %rdx, 16(%rsp)
	call ms_untraced_is
	movq (%rsp), %rdi
	movq 8(%rsp), %rsi
	movq 16(%rsp), %rdx
	addq $24, %rsp
	.cfi_adjust_cfa_offset -24
	testl %eax, %eax
	jne ms_untraced_\name
	jmp *ms_wrap_real+8*\number(%rip)
	.cfi_endproc
.endm

	wrap_signal sigaction, MS_WRAP_sigaction
	wrap_signal signal, MS_WRAP_signal
	wrap_signal sigprocmask, MS_WRAP_sigprocmask
	wrap_signal pthread_sigmask, MS_WRAP_pthread_sigmask
	wrap_signal sigsuspend, MS_WRAP_sigsuspend
	wrap_signal sigaltstack, MS_WRAP_sigaltstack

/*
 * Functions that wait for otherwise blocked signals. C is called before the wait and, if it
 * requests that, after it. A thread may be cancelled in the wait, so no frame of C is on the stack
 * then.
 */
.macro wrap_wait name, number
	wrap_entry \name, \number
ms_tell_\name:
	.cfi_startproc
	endbr64
	save_arguments
	call ms_waits_\name
	movl %eax, %r11d
	restore_arguments
	testl %r11d, %r11d
	jnz 4f
	jmp *ms_wrap_real+8*\number(%rip)
4:
	subq $8, %rsp
	.cfi_adjust_cfa_offset 8
	call *ms_wrap_real+8*\number(%rip)
	movq %rax, (%rsp)
	call ms_waited
	movq (%rsp), %rax
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
.endm

	wrap_wait sigwait, MS_WRAP_sigwait
	wrap_wait sigwaitinfo, MS_WRAP_sigwaitinfo
	wrap_wait sigtimedwait, MS_WRAP_sigtimedwait
	wrap_wait ppoll, MS_WRAP_ppoll
	wrap_wait __ppoll_chk, MS_WRAP___ppoll_chk
	wrap_wait pselect, MS_WRAP_pselect
	wrap_wait epoll_pwait, MS_WRAP_epoll_pwait

/* Functions by which an untraced program may restrict system calls: C is notified, then the real
 * function runs. */
.macro wrap_restrict name, number
	wrap_entry \name, \number
ms_tell_\name:
	.cfi_startproc
	endbr64
	save_arguments
	call ms_untraced_\name
	restore_arguments
	jmp *ms_wrap_real+8*\number(%rip)
	.cfi_endproc
.endm

	wrap_restrict prctl, MS_WRAP_prctl
	wrap_restrict syscall, MS_WRAP_syscall

/*
 * Functions that create a process or execute a program, where these are followed, and functions
 * that set a handler by a direct system call. A thread that runs natively calls them traced, so
 * that their system calls are seen.
 */
.macro wrap_process name, number, begins=ms_process_begins
	wrap_entry \name, \number
ms_tell_\name:
	.cfi_startproc
	endbr64
	save_arguments
	call \begins
	testq %rax, %rax
	jz 4f
	movq %rax, %rdi
	call ms_tracer_enter
4:
	restore_arguments
	jmp *ms_wrap_real+8*\number(%rip)
	.cfi_endproc
.endm

	wrap_process pthread_cancel, MS_WRAP_pthread_cancel, ms_cancel_begins
	wrap_process fork, MS_WRAP_fork
	wrap_process vfork, MS_WRAP_vfork
	wrap_process forkpty, MS_WRAP_forkpty
	wrap_process daemon, MS_WRAP_daemon
	wrap_process posix_spawn, MS_WRAP_posix_spawn
	wrap_process posix_spawnp, MS_WRAP_posix_spawnp
	wrap_process system, MS_WRAP_system
	wrap_process popen, MS_WRAP_popen
	wrap_process execve, MS_WRAP_execve
	wrap_process execv, MS_WRAP_execv
	wrap_process execvp, MS_WRAP_execvp
	wrap_process execvpe, MS_WRAP_execvpe
	wrap_process execl, MS_WRAP_execl
	wrap_process execlp, MS_WRAP_execlp
	wrap_process execle, MS_WRAP_execle
	wrap_process fexecve, MS_WRAP_fexecve

ms_wrap_thread:
	.cfi_startproc
	endbr64
	subq $24, %rsp
	.cfi_adjust_cfa_offset 24
	movq %rsp, %rsi
	call ms_thread_begin
	testq %rax, %rax
	jz 7f
	movq %rax, %rdi
	call ms_tracer_enter
7:
	movq 8(%rsp), %rdi
	call *(%rsp)
	movq %rax, %rdi
	call ms_thread_returns
	addq $24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
	.cfi_endproc

/* Requests of a program that is not traced (include/memspy.h); the first argument points to the
 * request's arguments. */
	.globl ms_hook_entry
	.hidden ms_hook_entry
ms_hook_entry:
	.cfi_startproc
	endbr64
	save_frame
	movq %rsp, %rsi
	call ms_hook
	addq $FRAME, %rsp
	.cfi_adjust_cfa_offset -FRAME
	ret
	.cfi_endproc

/* The object's constructor: when it returns, the program is traced. */
	.globl ms_wrap_init
	.hidden ms_wrap_init
ms_wrap_init:
	.cfi_startproc
	endbr64
	subq $8, %rsp
	.cfi_adjust_cfa_offset 8
	call ms_runtime_start
	testq %rax, %rax
	jz 4f
	movq %rax, %rdi
	call ms_tracer_enter
4:
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc

	.globl ms_wrap_fini
	.hidden ms_wrap_fini
ms_wrap_fini:
	.cfi_startproc
	endbr64
	subq $8, %rsp
	.cfi_adjust_cfa_offset 8
	call ms_runtime_finish
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc

/* The return code for memspy's own signal. It is in this section because a handler of the program
 * may use it while traced. */
	.globl ms_own_restorer
	.hidden ms_own_restorer
ms_own_restorer:
	movl $15, %eax
	syscall

	.globl ms_wrap_end
ms_wrap_end:

	.section .init_array, "aw"
	.quad ms_wrap_init
	.section .fini_array, "aw"
	.quad ms_wrap_fini
	.section .note.GNU-stack, "", @progbits
