/*
 * x86-64/interpose.S - the exported functions that interpose malloc and its family, thread creation and
 * others.
 *
 * The tracer records nothing of this section, and calls the rest of this object natively from here.
 * Functions outside the object (the real functions) are traced like any code. So this section does
 * nothing but store registers where C finds them (struct ms_interpose_frame).
 */
#include "heap/alloc_sampling_layout.h"
#include "interpose/function_numbers.h"

#define FRAME  88 /* of struct ms_interpose_frame, up to the return address */
#define KEPT   32
#define RESULT 80

	.section .text.wrap, "ax", @progbits
	.hidden ms_interpose_text_start, ms_interpose_text_end, ms_runtime_state_page, ms_interpose_real_functions, ms_interpose_recording_functions, ms_interpose_entries, ms_heap_recorded_filter, ms_heap_recorded_blocks
	.globl ms_interpose_text_start
ms_interpose_text_start:

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
 * The exported function jumps to the address in ms_interpose_entries. That is the real function while no
 * calls are recorded, or ms_interpose_record_*, which reports the call, or initially ms_interpose_resolve_*, which looks up
 * the real function.
 */
.macro wrap_entry name, number
	.globl \name
	.type \name, @function
	.balign 16
\name:
	.cfi_startproc
	endbr64
	jmp *ms_interpose_entries+8*\number(%rip)
	.cfi_endproc
	.size \name, . - \name

ms_interpose_resolve_\name:
	.cfi_startproc
	endbr64
	save_arguments
	movl $\number, %edi
	call ms_interpose_find_real_function
	restore_arguments
	jmp *ms_interpose_entries+8*\number(%rip)
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
	movl $\number, %edi
	movq %rsp, %rsi
	call ms_heap_begin_call
	testl %eax, %eax
	load_arguments
	jz 3f
	call *ms_interpose_real_functions+8*\number(%rip)
	movq %rax, RESULT(%rsp)
	movl $\number, %edi
	movq %rax, %rsi
	call ms_heap_end_call
	movq RESULT(%rsp), %rax
	addq $FRAME, %rsp
	.cfi_adjust_cfa_offset -FRAME
	ret
	.cfi_adjust_cfa_offset FRAME
3:
	addq $FRAME, %rsp
	.cfi_adjust_cfa_offset -FRAME
	jmp *ms_interpose_real_functions+8*\number(%rip)
.endm

/* Jumps to `to` if the fast path is disabled: see ms_heap_set_traced(). */
.macro skip_unless_plain to
	cmpq $0, ms_runtime_state_page+8(%rip)
	je \to
.endm

/* The fast path of the same (malloc_fast.c). times: the register by which the size is multiplied; resize:
 * the arguments are a block and its new size. */
.macro plain_take number, times
	skip_unless_plain 7f
	subq $24, %rsp
	.cfi_adjust_cfa_offset 24
	movq %rdi, 0(%rsp)
	movq %rsi, 8(%rsp)
	movq %rbp, 16(%rsp) /* MS_UNWIND_PATH_CACHE_WORDS_BELOW_SP */
	.ifc \times, resize
	movq 24(%rsp), %rdx
	leaq 32(%rsp), %rcx
	call ms_heap_begin_realloc_fast
	.else
	.ifnb \times
	imulq \times, %rdi
	.endif
	movq 24(%rsp), %rsi
	leaq 32(%rsp), %rdx
	call ms_heap_begin_alloc_fast
	.endif
	testq %rax, %rax
	movq 0(%rsp), %rdi
	movq 8(%rsp), %rsi
	jz 6f
	call *ms_interpose_real_functions+8*\number(%rip)
	movq %rax, %rdi
	movl $\number, %esi
	.ifc \times, resize
	call ms_heap_end_realloc_fast
	.else
	call ms_heap_end_alloc_fast
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
	call ms_heap_record_free_fast
	movq 0(%rsp), %rdi
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	testl %eax, %eax
	jz 6f
	jmp *ms_interpose_real_functions+8*\number(%rip)
6:
.endm

.macro wrap_plain name, number, plain, times
	wrap_entry \name, \number
ms_interpose_record_\name:
	.cfi_startproc
	endbr64
	\plain \number, \times
	tell_heap \number
	.cfi_endproc
.endm

.macro wrap_heap name, number
	wrap_entry \name, \number
ms_interpose_record_\name:
	.cfi_startproc
	endbr64
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
	endbr64
	movq %rdi, %rax
	.ifnb \times
	imulq \times, %rax
	.endif
	incq %rax
	subq %rax, %gs:MS_HEAP_ALLOC_COUNTDOWN_AT
	jb 4f
	jmp *ms_interpose_real_functions+8*\number(%rip)
4:
	tell_heap \number
	.cfi_endproc
.endm

/* Jumps to `unknown` unless the block in %rdi is one that was recorded. */
.macro check_kept unknown
	movq %rdi, %rax
	shrq $MS_HEAP_FILTER_SHIFT, %rax
	movq %rdi, %rdx
	shrq $MS_HEAP_FILTER_MIX_SHIFT, %rdx
	xorl %edx, %eax
	andl $MS_HEAP_FILTER_ENTRIES-1, %eax
	movq ms_heap_recorded_filter(%rip), %rdx
	cmpb $0, (%rdx,%rax)
	je \unknown
	movq %rdi, %rax
	shrq $MS_HEAP_RECORDED_SHIFT, %rax
	movq %rdi, %rdx
	shrq $MS_HEAP_RECORDED_MIX_SHIFT, %rdx
	xorl %edx, %eax
	andl $(MS_HEAP_RECORDED_ENTRIES-1)&~(MS_HEAP_RECORDED_WAYS-1), %eax
	movq ms_heap_recorded_blocks(%rip), %rdx
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
	.globl ms_heap_sampled_\name
	.hidden ms_heap_sampled_\name
	.balign 16
ms_heap_sampled_\name:
	.cfi_startproc
	endbr64
	check_kept 5f
	tell_heap \number
5:
	jmp *ms_interpose_real_functions+8*\number(%rip)
	.cfi_endproc
.endm

/* realloc: calls C if the block was recorded or the new one may be; C decides again. */
.macro thin_resize name, number
	.globl ms_heap_sampled_\name
	.hidden ms_heap_sampled_\name
	.balign 16
ms_heap_sampled_\name:
	.cfi_startproc
	endbr64
	check_kept 6f
4:
	tell_heap \number
6:
	leaq 1(%rsi), %rax
	movq %gs:MS_HEAP_ALLOC_COUNTDOWN_AT, %rdx
	subq %rax, %rdx
	jb 4b
	movq %rdx, %gs:MS_HEAP_ALLOC_COUNTDOWN_AT
	jmp *ms_interpose_real_functions+8*\number(%rip)
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
	.section .text.wrap, "ax", @progbits

	wrap_plain malloc, MS_INTERPOSE_malloc, plain_take
	wrap_plain calloc, MS_INTERPOSE_calloc, plain_take, %rsi
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
	thin_take calloc, MS_INTERPOSE_calloc, %rsi
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
	endbr64
	save_frame
	movl $\number, %edi
	movq %rsp, %rsi
	movq %r8, %rdx
	movq %r9, %rcx
	call ms_interpose_call_mapping_function
	addq $FRAME, %rsp
	.cfi_adjust_cfa_offset -FRAME
	ret
	.cfi_endproc
.endm

/* pthread_create() and thrd_create(): the new thread begins in ms_interpose_begin_thread, with arguments that C has
 * prepared. Their parameters are the thread, attributes (not of thrd_create()), the function and its argument. */
.macro wrap_create name, number, function, argument, attributes
	wrap_entry \name, \number
ms_interpose_record_\name:
	.cfi_startproc
	endbr64
	cmpl $0, ms_runtime_state_page(%rip)
	je 5f
	save_frame
	movq \function, %rdi
	.ifnb \attributes
	movq \attributes, %rax
	.else
	xorl %eax, %eax
	.endif
	movq \argument, %rsi
	movq %rax, %rdx
	call ms_runtime_prepare_thread
	movq %rax, RESULT(%rsp)
	testq %rax, %rax
	load_arguments
	jz 6f
	leaq ms_interpose_begin_thread(%rip), \function
	movq %rax, \argument
	call *ms_interpose_real_functions+8*\number(%rip)
	movq RESULT(%rsp), %rdi
	movq %rax, RESULT(%rsp)
	movq %rax, %rsi
	call ms_runtime_finish_thread_creation
	movq RESULT(%rsp), %rax
	addq $FRAME, %rsp
	.cfi_adjust_cfa_offset -FRAME
	ret
	.cfi_adjust_cfa_offset FRAME
6:
	addq $FRAME, %rsp
	.cfi_adjust_cfa_offset -FRAME
5:
	jmp *ms_interpose_real_functions+8*\number(%rip)
	.cfi_endproc
.endm

	wrap_create pthread_create, MS_INTERPOSE_pthread_create, %rdx, %rcx, %rsi
	wrap_create thrd_create, MS_INTERPOSE_thrd_create, %rsi, %rdx

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
	endbr64
	subq $8, %rsp
	.cfi_adjust_cfa_offset 8
	movq %rdi, (%rsp)
	call ms_interpose_begin_unload
	movq (%rsp), %rdi
	call *ms_interpose_real_functions+8*MS_INTERPOSE_dlclose(%rip)
	movq %rax, (%rsp)
	call ms_interpose_end_unload
	movq (%rsp), %rax
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc

/* Signal functions of a program that is not traced: C calls the real function. */
.macro wrap_signal name, number
	wrap_entry \name, \number
ms_interpose_record_\name:
	.cfi_startproc
	endbr64
	subq $24, %rsp
	.cfi_adjust_cfa_offset 24
	movq %rdi, (%rsp)
	movq %rsi, 8(%rsp)
	movq %rdx, 16(%rsp)
	call ms_signals_is_native_call
	movq (%rsp), %rdi
	movq 8(%rsp), %rsi
	movq 16(%rsp), %rdx
	addq $24, %rsp
	.cfi_adjust_cfa_offset -24
	testl %eax, %eax
	jne ms_signals_native_\name
	jmp *ms_interpose_real_functions+8*\number(%rip)
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
	endbr64
	save_arguments
	call ms_signals_before_\name
	movl %eax, %r11d
	restore_arguments
	testl %r11d, %r11d
	jnz 4f
	jmp *ms_interpose_real_functions+8*\number(%rip)
4:
	subq $8, %rsp
	.cfi_adjust_cfa_offset 8
	call *ms_interpose_real_functions+8*\number(%rip)
	movq %rax, (%rsp)
	call ms_signals_after_wait
	movq (%rsp), %rax
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
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
	endbr64
	save_arguments
	call ms_interpose_native_\name
	restore_arguments
	jmp *ms_interpose_real_functions+8*\number(%rip)
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
	endbr64
	save_arguments
	movl $\number, %edi
	movq %rsp, %rsi /* the arguments, which it may change */
	call \begins
	testq %rax, %rax
	jz 4f
	movq %rax, %rdi
	call ms_tracer_open_window
4:
	restore_arguments
	jmp *ms_interpose_real_functions+8*\number(%rip)
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
	endbr64
	subq $24, %rsp
	.cfi_adjust_cfa_offset 24
	movq %rsp, %rsi
	call ms_runtime_begin_thread
	testq %rax, %rax
	jz 7f
	movq %rax, %rdi
	call ms_tracer_open_window
7:
	movq 8(%rsp), %rdi
	call *(%rsp)
	movq %rax, %rdi
	call ms_runtime_handle_thread_return
	addq $24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
	.cfi_endproc

/* Requests of a program that is not traced (include/memspy.h); the first argument points to the
 * request's arguments. */
	.globl ms_interpose_request_entry
	.hidden ms_interpose_request_entry
ms_interpose_request_entry:
	.cfi_startproc
	endbr64
	save_frame
	movq %rsp, %rsi
	call ms_interpose_handle_native_request
	addq $FRAME, %rsp
	.cfi_adjust_cfa_offset -FRAME
	ret
	.cfi_endproc

/* The object's constructor: when it returns, the program is traced. */
	.globl ms_interpose_init
	.hidden ms_interpose_init
ms_interpose_init:
	.cfi_startproc
	endbr64
	subq $8, %rsp
	.cfi_adjust_cfa_offset 8
	call ms_native_start
	testq %rax, %rax
	jz 4f
	movq %rax, %rdi
	call ms_tracer_open_window
4:
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc

	.globl ms_interpose_fini
	.hidden ms_interpose_fini
ms_interpose_fini:
	.cfi_startproc
	endbr64
	subq $8, %rsp
	.cfi_adjust_cfa_offset 8
	call ms_native_finish
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc

/* The return code for memspy's own signal. It is in this section because a handler of the program
 * may use it while traced. */
	.globl ms_runtime_signal_restorer
	.hidden ms_runtime_signal_restorer
ms_runtime_signal_restorer:
	movl $15, %eax
	syscall

	.globl ms_interpose_text_end
ms_interpose_text_end:

	.section .init_array, "aw"
	.quad ms_interpose_init
	.section .fini_array, "aw"
	.quad ms_interpose_fini
	.section .note.GNU-stack, "", @progbits
