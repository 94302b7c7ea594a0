/*
 * aarch64/wrap.S - the exported functions that interpose malloc and its family, pthread_create and
 * others.
 *
 * The tracer records nothing of this section, and calls the rest of this object natively from here.
 * Functions outside the object (the real functions) are traced like any code. So this section does
 * nothing but store registers where C finds them (struct ms_wrap_frame).
 */
#include "wrap.h"

#define FRAME  144 /* of struct ms_wrap_frame */
#define KEPT   32
#define RESULT 128
#define RETURN 136

	.section .text.wrap, "ax", %progbits
	.hidden ms_wrap_start, ms_wrap_end, ms_on_page, ms_wrap_real, ms_wrap_tell, ms_wrap_entry, ms_thin_taken, ms_thin_kept
	.hidden ms_tls_self
	.globl ms_wrap_start
ms_wrap_start:

/* x19 to x30 at KEPT; x30 is the return address too. */
.macro save_frame
	sub	sp, sp, #FRAME
	.cfi_adjust_cfa_offset FRAME
	stp	x0, x1, [sp]
	stp	x2, x3, [sp, #16]
	stp	x19, x20, [sp, #KEPT]
	stp	x21, x22, [sp, #KEPT + 16]
	stp	x23, x24, [sp, #KEPT + 32]
	stp	x25, x26, [sp, #KEPT + 48]
	stp	x27, x28, [sp, #KEPT + 64]
	stp	x29, x30, [sp, #KEPT + 80]
	str	x30, [sp, #RETURN]
	.cfi_rel_offset x30, RETURN
.endm

.macro load_arguments
	ldp	x0, x1, [sp]
	ldp	x2, x3, [sp, #16]
.endm

/* C has preserved callee-saved registers: only the return address is loaded again. */
.macro drop_frame
	ldr	x30, [sp, #RETURN]
	add	sp, sp, #FRAME
	.cfi_adjust_cfa_offset -FRAME
	.cfi_restore x30
.endm

.macro load_real number
	adrp	x16, ms_wrap_real + 8 * \number
	ldr	x16, [x16, #:lo12:ms_wrap_real + 8 * \number]
.endm

.macro jump_to_entry number
	adrp	x16, ms_wrap_entry + 8 * \number
	ldr	x16, [x16, #:lo12:ms_wrap_entry + 8 * \number]
	br	x16
.endm

/* All argument registers. */
.macro save_arguments
	stp	x29, x30, [sp, #-80]!
	.cfi_adjust_cfa_offset 80
	.cfi_rel_offset x29, 0
	.cfi_rel_offset x30, 8
	stp	x0, x1, [sp, #16]
	stp	x2, x3, [sp, #32]
	stp	x4, x5, [sp, #48]
	stp	x6, x7, [sp, #64]
.endm

.macro restore_arguments
	ldp	x6, x7, [sp, #64]
	ldp	x4, x5, [sp, #48]
	ldp	x2, x3, [sp, #32]
	ldp	x0, x1, [sp, #16]
	ldp	x29, x30, [sp], #80
	.cfi_adjust_cfa_offset -80
	.cfi_restore x29
	.cfi_restore x30
.endm

/*
 * The exported function jumps to the address in ms_wrap_entry. That is the real function while no
 * calls are recorded, or ms_tell_*, which reports the call, or initially ms_first_*, which looks up
 * the real function.
 */
.macro wrap_entry name, number
	.globl \name
	.type \name, %function
	.balign 16
\name:
	.cfi_startproc
	hint	#34 /* bti c */
	jump_to_entry \number
	.cfi_endproc
	.size \name, . - \name

ms_first_\name:
	.cfi_startproc
	hint	#34
	save_arguments
	mov	x0, #\number
	bl	ms_wrap_find
	restore_arguments
	jump_to_entry \number
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
	mov	x0, #\number
	mov	x1, sp
	bl	ms_heap_enter
	mov	x16, x0
	load_arguments
	cbz	w16, 3f
	load_real \number
	blr	x16
	str	x0, [sp, #RESULT]
	mov	x1, x0
	mov	x0, #\number
	bl	ms_heap_leave
	ldr	x0, [sp, #RESULT]
	.cfi_remember_state
	drop_frame
	ret
	.cfi_restore_state
3:
	drop_frame
	load_real \number
	br	x16
.endm

/* Jumps to `to` if the fast path is disabled: see ms_plain_trace(). */
.macro skip_unless_plain to
	adrp	x16, ms_on_page + 8
	ldr	x16, [x16, #:lo12:ms_on_page + 8]
	cbz	x16, \to
.endm

/* The fast path of the same (plain.c). times: the register by which the size is multiplied; resize:
 * the arguments are a block and its new size. */
.macro plain_take number, times
	skip_unless_plain 7f
	stp	x0, x1, [sp, #-32]!
	.cfi_adjust_cfa_offset 32
	stp	x29, x30, [sp, #16] /* MS_RECENT_BELOW */
	.cfi_rel_offset x30, 24
	.ifc \times, resize
	mov	x2, x30
	add	x3, sp, #32
	bl	ms_plain_resize
	.else
	.ifnb \times
	mul	x0, x0, \times
	.endif
	mov	x1, x30
	add	x2, sp, #32
	bl	ms_plain_take
	.endif
	mov	x16, x0
	ldp	x0, x1, [sp]
	cbz	x16, 6f
	load_real \number
	blr	x16
	mov	x1, #\number
	.ifc \times, resize
	bl	ms_plain_resized
	.else
	bl	ms_plain_took
	.endif
	ldr	x30, [sp, #24]
	add	sp, sp, #32
	.cfi_remember_state
	.cfi_adjust_cfa_offset -32
	.cfi_restore x30
	ret
	.cfi_restore_state
6:
	ldr	x30, [sp, #24]
	add	sp, sp, #32
	.cfi_adjust_cfa_offset -32
	.cfi_restore x30
7:
.endm

.macro plain_free number, unused
	skip_unless_plain 6f
	stp	x0, x30, [sp, #-16]!
	.cfi_adjust_cfa_offset 16
	.cfi_rel_offset x30, 8
	bl	ms_plain_free
	mov	x16, x0
	ldp	x0, x30, [sp], #16
	.cfi_adjust_cfa_offset -16
	.cfi_restore x30
	cbz	w16, 6f
	load_real \number
	br	x16
6:
.endm

.macro wrap_plain name, number, plain, times
	wrap_entry \name, \number
ms_tell_\name:
	.cfi_startproc
	hint	#34
	\plain	\number, \times
	tell_heap \number
	.cfi_endproc
.endm

.macro wrap_heap name, number
	wrap_entry \name, \number
ms_tell_\name:
	.cfi_startproc
	hint	#34
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
	hint	#34
	mrs	x16, tpidr_el0
	adrp	x17, :gottprel:ms_tls_self
	ldr	x17, [x17, #:gottprel_lo12:ms_tls_self]
	ldr	x16, [x16, x17]
	cbz	x16, 5f
	add	x16, x16, #MS_WRAP_UNTIL & ~0xfff
	ldr	x17, [x16, #MS_WRAP_UNTIL & 0xfff]
	.ifnb \times
	mul	x9, x0, \times
	add	x9, x9, #1
	.else
	add	x9, x0, #1
	.endif
	subs	x17, x17, x9
	str	x17, [x16, #MS_WRAP_UNTIL & 0xfff]
	b.lo	4f
5:
	load_real \number
	br	x16
4:
	tell_heap \number
	.cfi_endproc
.endm

/* Jumps to `unknown` unless the block in x0 is one that was recorded. */
.macro check_kept unknown
	adrp	x16, ms_thin_taken
	ldr	x16, [x16, #:lo12:ms_thin_taken]
	lsr	x17, x0, #MS_THIN_SHIFT
	eor	x17, x17, x0, lsr #MS_THIN_MIX
	and	x17, x17, #MS_THIN_STRETCHES - 1
	ldrb	w16, [x16, x17]
	cbz	w16, \unknown
	adrp	x16, ms_thin_kept
	ldr	x16, [x16, #:lo12:ms_thin_kept]
	lsr	x17, x0, #MS_THIN_PLACE_SHIFT
	eor	x17, x17, x0, lsr #MS_THIN_PLACE_MIX
	and	x17, x17, #(MS_THIN_PLACES - 1) & ~(MS_THIN_NEAR - 1)
	add	x16, x16, x17, lsl #3
	ldp	x9, x10, [x16]
	ldp	x11, x12, [x16, #16]
	ldp	x13, x14, [x16, #32]
	ldp	x15, x17, [x16, #48]
	cmp	x9, x0
	.irp	entry, x10, x11, x12, x13, x14, x15, x17
	ccmp	\entry, x0, #4, ne
	.endr
	b.ne	\unknown
.endm

.macro thin_free name, number
	.globl ms_thin_\name
	.hidden ms_thin_\name
	.balign 16
ms_thin_\name:
	.cfi_startproc
	hint	#34
	check_kept 5f
	tell_heap \number
5:
	load_real \number
	br	x16
	.cfi_endproc
.endm

/* realloc: calls C if the block was recorded or the new one may be; C decides again. */
.macro thin_resize name, number
	.globl ms_thin_\name
	.hidden ms_thin_\name
	.balign 16
ms_thin_\name:
	.cfi_startproc
	hint	#34
	check_kept 6f
4:
	tell_heap \number
6:
	mrs	x16, tpidr_el0
	adrp	x17, :gottprel:ms_tls_self
	ldr	x17, [x17, #:gottprel_lo12:ms_tls_self]
	ldr	x16, [x16, x17]
	cbz	x16, 5f
	add	x16, x16, #MS_WRAP_UNTIL & ~0xfff
	ldr	x17, [x16, #MS_WRAP_UNTIL & 0xfff]
	add	x9, x1, #1
	subs	x17, x17, x9
	b.lo	4b
	str	x17, [x16, #MS_WRAP_UNTIL & 0xfff]
5:
	load_real \number
	br	x16
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
	.section .text.wrap, "ax", %progbits

	wrap_plain malloc, MS_WRAP_malloc, plain_take
	wrap_plain calloc, MS_WRAP_calloc, plain_take, x1
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
	thin_take calloc, MS_WRAP_calloc, x1
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
	hint	#34
	save_frame
	mov	x0, #\number
	mov	x1, sp
	mov	x2, x4
	mov	x3, x5
	bl	ms_untraced_call
	drop_frame
	ret
	.cfi_endproc
.endm

/* pthread_create(): the new thread begins in ms_wrap_thread, with arguments that C has prepared. */
	wrap_entry pthread_create, MS_WRAP_pthread_create
ms_tell_pthread_create:
	.cfi_startproc
	hint	#34
	adrp	x16, ms_on_page
	ldr	w16, [x16, #:lo12:ms_on_page]
	cbz	w16, 5f
	save_frame
	mov	x0, x2
	mov	x2, x1
	mov	x1, x3
	bl	ms_thread_prepare
	str	x0, [sp, #RESULT]
	mov	x16, x0
	load_arguments
	cbz	x16, 6f
	mov	x3, x16
	adrp	x2, ms_wrap_thread
	add	x2, x2, #:lo12:ms_wrap_thread
	load_real MS_WRAP_pthread_create
	blr	x16
	ldr	x2, [sp, #RESULT]
	str	x0, [sp, #RESULT]
	mov	x1, x0
	mov	x0, x2
	bl	ms_thread_prepared
	ldr	x0, [sp, #RESULT]
	.cfi_remember_state
	drop_frame
	ret
	.cfi_restore_state
6:
	drop_frame
5:
	load_real MS_WRAP_pthread_create
	br	x16
	.cfi_endproc

.macro begin_frame
	stp	x29, x30, [sp, #-32]!
	.cfi_adjust_cfa_offset 32
	.cfi_rel_offset x29, 0
	.cfi_rel_offset x30, 8
.endm

.macro end_frame
	ldp	x29, x30, [sp], #32
	.cfi_adjust_cfa_offset -32
	.cfi_restore x29
	.cfi_restore x30
	ret
.endm

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
	hint	#34
	begin_frame
	str	x0, [sp, #16]
	bl	ms_untraced_unloads
	ldr	x0, [sp, #16]
	load_real MS_WRAP_dlclose
	blr	x16
	str	x0, [sp, #16]
	bl	ms_untraced_unloaded
	ldr	x0, [sp, #16]
	end_frame
	.cfi_endproc

/* Signal functions of a program that is not traced: C calls the real function. */
.macro wrap_signal name, number
	wrap_entry \name, \number
ms_tell_\name:
	.cfi_startproc
	hint	#34
	save_arguments
	bl	ms_untraced_is
	mov	x16, x0
	restore_arguments
	cbz	w16, 4f
	b	ms_untraced_\name
4:
	load_real \number
	br	x16
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
	hint	#34
	save_arguments
	bl	ms_waits_\name
	mov	x16, x0
	restore_arguments
	cbnz	w16, 4f
	load_real \number
	br	x16
4:
	begin_frame
	load_real \number
	blr	x16
	str	x0, [sp, #16]
	bl	ms_waited
	ldr	x0, [sp, #16]
	end_frame
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
	hint	#34
	save_arguments
	bl	ms_untraced_\name
	restore_arguments
	load_real \number
	br	x16
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
	hint	#34
	save_arguments
	bl	\begins
	cbz	x0, 4f
	bl	ms_tracer_enter
4:
	restore_arguments
	load_real \number
	br	x16
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
	hint	#34
	begin_frame
	add	x1, sp, #16
	bl	ms_thread_begin
	cbz	x0, 7f
	bl	ms_tracer_enter
7:
	ldp	x1, x0, [sp, #16]
	blr	x1
	bl	ms_thread_returns
	end_frame
	.cfi_endproc

/* Requests of a program that is not traced (include/memspy.h); the first argument points to the
 * request's arguments. */
	.globl ms_hook_entry
	.hidden ms_hook_entry
ms_hook_entry:
	.cfi_startproc
	hint	#34
	save_frame
	mov	x1, sp
	bl	ms_hook
	drop_frame
	ret
	.cfi_endproc

/* The object's constructor: when it returns, the program is traced. */
	.globl ms_wrap_init
	.hidden ms_wrap_init
ms_wrap_init:
	.cfi_startproc
	hint	#34
	begin_frame
	bl	ms_runtime_start
	cbz	x0, 4f
	bl	ms_tracer_enter
4:
	end_frame
	.cfi_endproc

	.globl ms_wrap_fini
	.hidden ms_wrap_fini
ms_wrap_fini:
	.cfi_startproc
	hint	#34
	begin_frame
	bl	ms_runtime_finish
	end_frame
	.cfi_endproc

	.globl ms_wrap_end
ms_wrap_end:

	.section .init_array, "aw"
	.xword ms_wrap_init
	.section .fini_array, "aw"
	.xword ms_wrap_fini
	.section .note.GNU-stack, "", %progbits
