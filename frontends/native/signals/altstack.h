/*
 * altstack.h - alternate signal stacks (sigaltstack): the kernel has one of memspy's for every
 * thread that memspy may interrupt, the program sees the one that it has set itself.
 */
#ifndef MS_NATIVE_SIGNALS_ALTSTACK_H
#define MS_NATIVE_SIGNALS_ALTSTACK_H

#include <stdbool.h>
#include <stdint.h>

#include "raw_syscall.h"
#include "runtime/thread_state.h"

struct ms_runtime_thread;

struct ms_signals_kernel_stack { /* the kernel's stack_t */
	uint64_t start;
	uint32_t flags, pad;
	uint64_t size;
};
/* SS_ONSTACK, SS_DISABLE, SS_AUTODISARM. */
enum { MS_SIGNALS_STACK_ONSTACK = 1, MS_SIGNALS_STACK_DISABLE = 2 };
#define MS_SIGNALS_STACK_AUTODISARM (1u << 31)

/* Part of struct ms_runtime_thread. */
struct ms_signals_altstack {
	uint64_t memspy_stack;                  /* memspy's stack; 0: the thread has none */
	uint64_t memspy_stack_size;             /* as the kernel has it: look_for_return() */
	struct ms_signals_kernel_stack program; /* what the program has set */
	struct ms_signals_kernel_stack
		disarmed;   /* restored when its handler returns (SS_AUTODISARM) */
	uint64_t deferred;  /* signals that arrived while another one was being delivered */
	bool was_installed; /* the kernel has had memspy's stack for this thread */
	bool raw;           /* `program` was set by a system call that nothing intercepts */
};
_Static_assert(sizeof(struct ms_signals_altstack) <= MS_RUNTIME_ALTSTACK_BYTES, "thread_state.h");

/* Of this thread. */
static inline struct ms_signals_altstack *ms_signals_get_altstack(const struct ms_runtime_thread *t)
{
	return (struct ms_signals_altstack *)(uintptr_t)t->altstack;
}

/* The raw system call. */
static inline int64_t ms_signals_call_sigaltstack(const struct ms_signals_kernel_stack *now,
						  struct ms_signals_kernel_stack *old)
{
	return ms_runtime_syscall(__NR_sigaltstack, (long)now, (long)old, 0, 0, 0, 0);
}

/* Called once, before all others. */
void ms_signals_start_altstacks(void);
/* Installs memspy's stack on the running thread, t. The stack that the kernel had until then is the
 * program's. */
void ms_signals_install_altstack(struct ms_runtime_thread *t);
/* Likewise, for a new thread. False: no memory, which has been logged: memspy must not send a
 * signal to this thread. */
bool ms_signals_create_altstack(struct ms_runtime_thread *t);
/* The struct of an ended thread is used for another one: only the memory of memspy's stack stays.
 */
void ms_signals_reset_altstack(struct ms_runtime_thread *t);
/* Before the signal is sent that ends a window, and in whose handler the next function is called.
 */
void ms_signals_prepare_altstack_restore(const struct ms_runtime_thread *t, bool for_good);
/* A window of t ends, by a return to uc. A stack that the program has set by a raw system call
 * becomes the kernel's again; if memspy leaves the thread (for_good), any stack that the program
 * has set does. */
void ms_signals_restore_altstack_at(const struct ms_runtime_thread *t, uint64_t *uc, bool for_good);
/* A traced handler of t returns to uc: the kernel keeps memspy's stack. */
void ms_signals_keep_altstack_at_return(const struct ms_runtime_thread *t, uint64_t *uc);
/* memspy leaves the running thread, t. */
void ms_signals_remove_altstack(struct ms_runtime_thread *t);
/* Emulates the program's sigaltstack() on the running thread, t, at the stack pointer sp; returns
 * what the kernel would return. */
int64_t ms_signals_emulate_sigaltstack(struct ms_runtime_thread *t, uint64_t sp,
				       const struct ms_signals_kernel_stack *wanted,
				       struct ms_signals_kernel_stack *old);
/* Likewise in a process that memspy does not trace, such as a child: only memspy's stack is
 * hidden. */
int64_t ms_signals_forward_sigaltstack(const struct ms_runtime_thread *t,
				       const struct ms_signals_kernel_stack *wanted,
				       struct ms_signals_kernel_stack *old);
/* Whether sp is on memspy's stack. */
bool ms_signals_is_on_memspy_stack(const struct ms_runtime_thread *t, uint64_t sp);
/*
 * A signal has interrupted the program at uc. Copies the signal frame to where the kernel would
 * have put it without memspy, for a handler with these flags (SA_ONSTACK), and returns the copy's
 * ucontext; NULL: the frame is already there. ends: the address that the handler returns to.
 */
uint64_t *ms_signals_move_frame(struct ms_runtime_thread *t, uint64_t *uc, uint64_t flags,
				uint64_t ends);

/* Changes uc so that a return to it enters the handler on such a copy, natively, with its mask
 * blocked; false: the frame is where it should be. */
struct ms_signals_sigaction;
bool ms_signals_enter_handler(struct ms_runtime_thread *t,
			      const struct ms_signals_sigaction *action, int signal, uint64_t *uc,
			      uint64_t ends);

#endif
