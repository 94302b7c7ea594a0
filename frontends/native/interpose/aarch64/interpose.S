/*
 * aarch64/interpose.S - the exported functions that interpose malloc and its family, thread creation and
 * others.
 *
 * The tracer records nothing of this section, and calls the rest of this object natively from here.
 * Functions outside the object (the real functions) are traced like any code. So this section does
 * nothing but store registers where C finds them (struct ms_interpose_frame).
 */
#include "heap/alloc_sampling_layout.h"
#include "interpose/function_numbers.h"

#define FRAME  144 /* of struct ms_interpose_frame */
#define KEPT   32
#define RESULT 128
#define RETURN 136

	.section .text.wrap, "ax", %progbits
	.hidden ms_interpose_text_start, ms_interpose_text_end, ms_runtime_state_page, ms_interpose_real_functions, ms_interpose_recording_functions, ms_interpose_entries, ms_heap_recorded_filter, ms_heap_recorded_blocks
	.hidden ms_runtime_tls_thread
	.globl ms_interpose_text_start
ms_interpose_text_start:

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
	adrp	x16, ms_interpose_real_functions + 8 * \number
	ldr	x16, [x16, #:lo12:ms_interpose_real_functions + 8 * \number]
.endm

.macro jump_to_entry number
	adrp	x16, ms_interpose_entries + 8 * \number
	ldr	x16, [x16, #:lo12:ms_interpose_entries + 8 * \number]
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
 * The exported function jumps to the address in ms_interpose_entries. That is the real function while no
 * calls are recorded, or ms_interpose_record_*, which reports the call, or initially ms_interpose_resolve_*, which looks up
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

ms_interpose_resolve_\name:
	.cfi_startproc
	hint	#34
	save_arguments
	mov	x0, #\number
	bl	ms_interpose_find_real_function
	restore_arguments
	jump_to_entry \number
	.cfi_endproc

	.pushsection .data.rel.ro.wrap_tell, "aw"
	.quad ms_interpose_record_\name
	.popsection
	.pushsection .data.rel.wrap_entry, "aw"
	.quad ms_interpose_resolve_\name
	.popsection
.endm

/* Reports the call, and calls the real function. */
.macro tell_heap number
	save_frame
	mov	x0, #\number
	mov	x1, sp
	bl	ms_heap_begin_call
	mov	x16, x0
	load_arguments
	cbz	w16, 3f
	load_real \number
	blr	x16
	str	x0, [sp, #RESULT]
	mov	x1, x0
	mov	x0, #\number
	bl	ms_heap_end_call
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

/* Jumps to `to` if the fast path is disabled: see ms_heap_set_traced(). */
.macro skip_unless_plain to
	adrp	x16, ms_runtime_state_page + 8
	ldr	x16, [x16, #:lo12:ms_runtime_state_page + 8]
	cbz	x16, \to
.endm

/* The fast path of the same (malloc_fast.c). times: the register by which the size is multiplied; resize:
 * the arguments are a block and its new size. */
.macro plain_take number, times
	skip_unless_plain 7f
	stp	x0, x1, [sp, #-32]!
	.cfi_adjust_cfa_offset 32
	stp	x29, x30, [sp, #16] /* MS_UNWIND_PATH_CACHE_WORDS_BELOW_SP */
	.cfi_rel_offset x30, 24
	.ifc \times, resize
	mov	x2, x30
	add	x3, sp, #32
	bl	ms_heap_begin_realloc_fast
	.else
	.ifnb \times
	mul	x0, x0, \times
	.endif
	mov	x1, x30
	add	x2, sp, #32
	bl	ms_heap_begin_alloc_fast
	.endif
	mov	x16, x0
	ldp	x0, x1, [sp]
	cbz	x16, 6f
	load_real \number
	blr	x16
	mov	x1, #\number
	.ifc \times, resize
	bl	ms_heap_end_realloc_fast
	.else
	bl	ms_heap_end_alloc_fast
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
	bl	ms_heap_record_free_fast
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
ms_interpose_record_\name:
	.cfi_startproc
	hint	#34
	\plain	\number, \times
	tell_heap \number
	.cfi_endproc
.endm

.macro wrap_heap name, number
	wrap_entry \name, \number
ms_interpose_record_\name:
	.cfi_startproc
	hint	#34
	tell_heap \number
	.cfi_endproc
.endm

/* The same where only some blocks are recorded (alloc_sampling.c): most calls go straight to the real
 * function. */
.macro thin_take name, number, times
	.globl ms_heap_sampled_\name
	.hidden ms_heap_sampled_\name
	.balign 16
ms_heap_sampled_\name:
	.cfi_startproc
	hint	#34
	mrs	x16, tpidr_el0
	adrp	x17, :gottprel:ms_runtime_tls_thread
	ldr	x17, [x17, #:gottprel_lo12:ms_runtime_tls_thread]
	ldr	x16, [x16, x17]
	cbz	x16, 5f
	add	x16, x16, #MS_HEAP_ALLOC_COUNTDOWN_AT & ~0xfff
	ldr	x17, [x16, #MS_HEAP_ALLOC_COUNTDOWN_AT & 0xfff]
	.ifnb \times
	mul	x9, x0, \times
	add	x9, x9, #1
	.else
	add	x9, x0, #1
	.endif
	subs	x17, x17, x9
	str	x17, [x16, #MS_HEAP_ALLOC_COUNTDOWN_AT & 0xfff]
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
	adrp	x16, ms_heap_recorded_filter
	ldr	x16, [x16, #:lo12:ms_heap_recorded_filter]
	lsr	x17, x0, #MS_HEAP_FILTER_SHIFT
	eor	x17, x17, x0, lsr #MS_HEAP_FILTER_MIX_SHIFT
	and	x17, x17, #MS_HEAP_FILTER_ENTRIES - 1
	ldrb	w16, [x16, x17]
	cbz	w16, \unknown
	adrp	x16, ms_heap_recorded_blocks
	ldr	x16, [x16, #:lo12:ms_heap_recorded_blocks]
	lsr	x17, x0, #MS_HEAP_RECORDED_SHIFT
	eor	x17, x17, x0, lsr #MS_HEAP_RECORDED_MIX_SHIFT
	and	x17, x17, #(MS_HEAP_RECORDED_ENTRIES - 1) & ~(MS_HEAP_RECORDED_WAYS - 1)
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
	.globl ms_heap_sampled_\name
	.hidden ms_heap_sampled_\name
	.balign 16
ms_heap_sampled_\name:
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
	.globl ms_heap_sampled_\name
	.hidden ms_heap_sampled_\name
	.balign 16
ms_heap_sampled_\name:
	.cfi_startproc
	hint	#34
	check_kept 6f
4:
	tell_heap \number
6:
	mrs	x16, tpidr_el0
	adrp	x17, :gottprel:ms_runtime_tls_thread
	ldr	x17, [x17, #:gottprel_lo12:ms_runtime_tls_thread]
	ldr	x16, [x16, x17]
	cbz	x16, 5f
	add	x16, x16, #MS_HEAP_ALLOC_COUNTDOWN_AT & ~0xfff
	ldr	x17, [x16, #MS_HEAP_ALLOC_COUNTDOWN_AT & 0xfff]
	add	x9, x1, #1
	subs	x17, x17, x9
	b.lo	4b
	str	x17, [x16, #MS_HEAP_ALLOC_COUNTDOWN_AT & 0xfff]
5:
	load_real \number
	br	x16
	.cfi_endproc
.endm

/* Indexed by the numbers of function_numbers.h: the entries below are in that order. */
	.section .data.rel.ro.wrap_tell, "aw"
	.balign 8
	.globl ms_interpose_recording_functions
ms_interpose_recording_functions:
	.section .data.rel.wrap_entry, "aw"
	.balign 8
	.globl ms_interpose_entries
ms_interpose_entries:
	.section .text.wrap, "ax", %progbits

	wrap_plain malloc, MS_INTERPOSE_malloc, plain_take
	wrap_plain calloc, MS_INTERPOSE_calloc, plain_take, x1
	wrap_plain realloc, MS_INTERPOSE_realloc, plain_take, resize
	wrap_heap reallocarray, MS_INTERPOSE_reallocarray
	wrap_plain free, MS_INTERPOSE_free, plain_free
	wrap_heap memalign, MS_INTERPOSE_memalign
	wrap_heap aligned_alloc, MS_INTERPOSE_aligned_alloc
	wrap_heap posix_memalign, MS_INTERPOSE_posix_memalign
	wrap_heap valloc, MS_INTERPOSE_valloc
	wrap_heap pvalloc, MS_INTERPOSE_pvalloc
	wrap_heap _Znwm, MS_INTERPOSE__Znwm
	wrap_heap _ZnwmRKSt9nothrow_t, MS_INTERPOSE__ZnwmRKSt9nothrow_t
	wrap_heap _ZnwmSt11align_val_t, MS_INTERPOSE__ZnwmSt11align_val_t
	wrap_heap _ZnwmSt11align_val_tRKSt9nothrow_t, MS_INTERPOSE__ZnwmSt11align_val_tRKSt9nothrow_t
	wrap_heap _Znam, MS_INTERPOSE__Znam
	wrap_heap _ZnamRKSt9nothrow_t, MS_INTERPOSE__ZnamRKSt9nothrow_t
	wrap_heap _ZnamSt11align_val_t, MS_INTERPOSE__ZnamSt11align_val_t
	wrap_heap _ZnamSt11align_val_tRKSt9nothrow_t, MS_INTERPOSE__ZnamSt11align_val_tRKSt9nothrow_t
	wrap_heap _ZdlPv, MS_INTERPOSE__ZdlPv
	wrap_heap _ZdlPvm, MS_INTERPOSE__ZdlPvm
	wrap_heap _ZdlPvRKSt9nothrow_t, MS_INTERPOSE__ZdlPvRKSt9nothrow_t
	wrap_heap _ZdlPvSt11align_val_t, MS_INTERPOSE__ZdlPvSt11align_val_t
	wrap_heap _ZdlPvmSt11align_val_t, MS_INTERPOSE__ZdlPvmSt11align_val_t
	wrap_heap _ZdlPvSt11align_val_tRKSt9nothrow_t, MS_INTERPOSE__ZdlPvSt11align_val_tRKSt9nothrow_t
	wrap_heap _ZdaPv, MS_INTERPOSE__ZdaPv
	wrap_heap _ZdaPvm, MS_INTERPOSE__ZdaPvm
	wrap_heap _ZdaPvRKSt9nothrow_t, MS_INTERPOSE__ZdaPvRKSt9nothrow_t
	wrap_heap _ZdaPvSt11align_val_t, MS_INTERPOSE__ZdaPvSt11align_val_t
	wrap_heap _ZdaPvmSt11align_val_t, MS_INTERPOSE__ZdaPvmSt11align_val_t
	wrap_heap _ZdaPvSt11align_val_tRKSt9nothrow_t, MS_INTERPOSE__ZdaPvSt11align_val_tRKSt9nothrow_t

	thin_take malloc, MS_INTERPOSE_malloc
	thin_take calloc, MS_INTERPOSE_calloc, x1
	thin_take _Znwm, MS_INTERPOSE__Znwm
	thin_take _Znam, MS_INTERPOSE__Znam
	thin_resize realloc, MS_INTERPOSE_realloc
	thin_free free, MS_INTERPOSE_free
	thin_free _ZdlPv, MS_INTERPOSE__ZdlPv
	thin_free _ZdlPvm, MS_INTERPOSE__ZdlPvm
	thin_free _ZdaPv, MS_INTERPOSE__ZdaPv

/* Functions that map memory, while nothing is traced: C calls the real function. */
.macro wrap_map name, number
	wrap_entry \name, \number
ms_interpose_record_\name:
	.cfi_startproc
	hint	#34
	save_frame
	mov	x0, #\number
	mov	x1, sp
	mov	x2, x4
	mov	x3, x5
	bl	ms_interpose_call_mapping_function
	drop_frame
	ret
	.cfi_endproc
.endm

/* pthread_create() and thrd_create(): the new thread begins in ms_interpose_begin_thread, with arguments that C has
 * prepared. Their parameters are the thread, attributes (not of thrd_create()), the function and its argument. */
.macro wrap_create name, number, function, argument, attributes
	wrap_entry \name, \number
ms_interpose_record_\name:
	.cfi_startproc
	hint	#34
	adrp	x16, ms_runtime_state_page
	ldr	w16, [x16, #:lo12:ms_runtime_state_page]
	cbz	w16, 5f
	save_frame
	mov	x0, \function
	mov	x16, \argument
	mov	x2, \attributes
	mov	x1, x16
	bl	ms_runtime_prepare_thread
	str	x0, [sp, #RESULT]
	mov	x16, x0
	load_arguments
	cbz	x16, 6f
	mov	\argument, x16
	adrp	\function, ms_interpose_begin_thread
	add	\function, \function, #:lo12:ms_interpose_begin_thread
	load_real \number
	blr	x16
	ldr	x2, [sp, #RESULT]
	str	x0, [sp, #RESULT]
	mov	x1, x0
	mov	x0, x2
	bl	ms_runtime_finish_thread_creation
	ldr	x0, [sp, #RESULT]
	.cfi_remember_state
	drop_frame
	ret
	.cfi_restore_state
6:
	drop_frame
5:
	load_real \number
	br	x16
	.cfi_endproc
.endm

	wrap_create pthread_create, MS_INTERPOSE_pthread_create, x2, x3, x1
	wrap_create thrd_create, MS_INTERPOSE_thrd_create, x1, x2, xzr

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

	wrap_map mmap, MS_INTERPOSE_mmap
	wrap_map mmap64, MS_INTERPOSE_mmap64
	wrap_map munmap, MS_INTERPOSE_munmap
	wrap_map mremap, MS_INTERPOSE_mremap
	wrap_map mprotect, MS_INTERPOSE_mprotect
	wrap_map shmat, MS_INTERPOSE_shmat
	wrap_map shmdt, MS_INTERPOSE_shmdt

/*
 * Functions that unload libraries, while nothing is traced: C finds out which have been unloaded.
 */
	wrap_entry dlclose, MS_INTERPOSE_dlclose
ms_interpose_record_dlclose:
	.cfi_startproc
	hint	#34
	begin_frame
	str	x0, [sp, #16]
	bl	ms_interpose_begin_unload
	ldr	x0, [sp, #16]
	load_real MS_INTERPOSE_dlclose
	blr	x16
	str	x0, [sp, #16]
	bl	ms_interpose_end_unload
	ldr	x0, [sp, #16]
	end_frame
	.cfi_endproc

/* Signal functions of a program that is not traced: C calls the real function. */
.macro wrap_signal name, number
	wrap_entry \name, \number
ms_interpose_record_\name:
	.cfi_startproc
	hint	#34
	save_arguments
	bl	ms_signals_is_native_call
	mov	x16, x0
	restore_arguments
	cbz	w16, 4f
	b	ms_signals_native_\name
4:
	load_real \number
	br	x16
	.cfi_endproc
.endm

	wrap_signal sigaction, MS_INTERPOSE_sigaction
	wrap_signal signal, MS_INTERPOSE_signal
	wrap_signal sigprocmask, MS_INTERPOSE_sigprocmask
	wrap_signal pthread_sigmask, MS_INTERPOSE_pthread_sigmask
	wrap_signal sigsuspend, MS_INTERPOSE_sigsuspend
	wrap_signal sigaltstack, MS_INTERPOSE_sigaltstack

/*
 * Functions that wait for otherwise blocked signals. C is called before the wait and, if it
 * requests that, after it. A thread may be cancelled in the wait, so no frame of C is on the stack
 * then.
 */
.macro wrap_wait name, number
	wrap_entry \name, \number
ms_interpose_record_\name:
	.cfi_startproc
	hint	#34
	save_arguments
	bl	ms_signals_before_\name
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
	bl	ms_signals_after_wait
	ldr	x0, [sp, #16]
	end_frame
	.cfi_endproc
.endm

	wrap_wait sigwait, MS_INTERPOSE_sigwait
	wrap_wait sigwaitinfo, MS_INTERPOSE_sigwaitinfo
	wrap_wait sigtimedwait, MS_INTERPOSE_sigtimedwait
	wrap_wait ppoll, MS_INTERPOSE_ppoll
	wrap_wait __ppoll_chk, MS_INTERPOSE___ppoll_chk
	wrap_wait pselect, MS_INTERPOSE_pselect
	wrap_wait epoll_pwait, MS_INTERPOSE_epoll_pwait

/* Functions by which an untraced program may restrict system calls: C is notified, then the real
 * function runs. */
.macro wrap_restrict name, number
	wrap_entry \name, \number
ms_interpose_record_\name:
	.cfi_startproc
	hint	#34
	save_arguments
	bl	ms_interpose_native_\name
	restore_arguments
	load_real \number
	br	x16
	.cfi_endproc
.endm

	wrap_restrict prctl, MS_INTERPOSE_prctl
	wrap_restrict syscall, MS_INTERPOSE_syscall

/*
 * Functions that create a process or execute a program, where these are followed, and functions
 * that set a handler by a direct system call. A thread that runs natively calls them traced, so
 * that their system calls are seen.
 */
.macro wrap_process name, number, begins=ms_interpose_begin_process_call
	wrap_entry \name, \number
ms_interpose_record_\name:
	.cfi_startproc
	hint	#34
	save_arguments
	mov	x0, #\number
	add	x1, sp, #16 /* the arguments, which it may change */
	bl	\begins
	cbz	x0, 4f
	bl	ms_tracer_open_window
4:
	restore_arguments
	load_real \number
	br	x16
	.cfi_endproc
.endm

	wrap_process pthread_cancel, MS_INTERPOSE_pthread_cancel, ms_interpose_begin_cancel_call
	wrap_process fork, MS_INTERPOSE_fork
	wrap_process vfork, MS_INTERPOSE_vfork
	wrap_process forkpty, MS_INTERPOSE_forkpty
	wrap_process daemon, MS_INTERPOSE_daemon
	wrap_process posix_spawn, MS_INTERPOSE_posix_spawn
	wrap_process posix_spawnp, MS_INTERPOSE_posix_spawnp
	wrap_process system, MS_INTERPOSE_system
	wrap_process popen, MS_INTERPOSE_popen
	wrap_process execve, MS_INTERPOSE_execve
	wrap_process execv, MS_INTERPOSE_execv
	wrap_process execvp, MS_INTERPOSE_execvp
	wrap_process execvpe, MS_INTERPOSE_execvpe
	wrap_process execl, MS_INTERPOSE_execl
	wrap_process execlp, MS_INTERPOSE_execlp
	wrap_process execle, MS_INTERPOSE_execle
	wrap_process fexecve, MS_INTERPOSE_fexecve

ms_interpose_begin_thread:
	.cfi_startproc
	hint	#34
	begin_frame
	add	x1, sp, #16
	bl	ms_runtime_begin_thread
	cbz	x0, 7f
	bl	ms_tracer_open_window
7:
	ldp	x1, x0, [sp, #16]
	blr	x1
	bl	ms_runtime_handle_thread_return
	end_frame
	.cfi_endproc

/* Requests of a program that is not traced (include/memspy.h); the first argument points to the
 * request's arguments. */
	.globl ms_interpose_request_entry
	.hidden ms_interpose_request_entry
ms_interpose_request_entry:
	.cfi_startproc
	hint	#34
	save_frame
	mov	x1, sp
	bl	ms_interpose_handle_native_request
	drop_frame
	ret
	.cfi_endproc

/* The object's constructor: when it returns, the program is traced. */
	.globl ms_interpose_init
	.hidden ms_interpose_init
ms_interpose_init:
	.cfi_startproc
	hint	#34
	begin_frame
	bl	ms_native_start
	cbz	x0, 4f
	bl	ms_tracer_open_window
4:
	end_frame
	.cfi_endproc

	.globl ms_interpose_fini
	.hidden ms_interpose_fini
ms_interpose_fini:
	.cfi_startproc
	hint	#34
	begin_frame
	bl	ms_native_finish
	end_frame
	.cfi_endproc

	.globl ms_interpose_text_end
ms_interpose_text_end:

	.section .init_array, "aw"
	.xword ms_interpose_init
	.section .fini_array, "aw"
	.xword ms_interpose_fini
	.section .note.GNU-stack, "", %progbits
