/*
 * hidden_waits.c - functions of the C library that unblock signals while they wait, or receive
 * them, in a program that is not traced: see signal_hiding.c.
 */
#include "interpose/function_numbers.h"
#include "interpose/interpose.h"
#include "raw_syscall.h"
#include "runtime/runtime.h"
#include "runtime/thread_state.h"
#include "signals/cpu_timer.h"
#include "signals/signal_hiding_priv.h"

typedef int real_suspend(const struct ms_signals_libc_sigset *);
int ms_signals_native_sigsuspend(const struct ms_signals_libc_sigset *meanwhile);
MS_RUNTIME_CALLS_PROGRAM int
ms_signals_native_sigsuspend(const struct ms_signals_libc_sigset *meanwhile)
{
	struct ms_signals_timer *timer = ms_signals_get_hiding_timer();
	int32_t was = timer != NULL ? timer->blocked_by_program : 0;
	bool given = timer != NULL && ms_signals_block_for_wait(ms_runtime_get_thread());

	if (timer != NULL)
		ms_signals_update_program_block(timer, MS_SIGNALS_MASK_SET, meanwhile);
	int status =
		((real_suspend *)ms_interpose_real_functions[MS_INTERPOSE_sigsuspend])(meanwhile);
	if (timer != NULL)
		timer->blocked_by_program = was;
	if (given)
		ms_signals_unblock_after_wait(ms_runtime_get_thread());
	return status;
}

/* Other functions that unblock signals while they wait, or receive them: whether memspy's is among
 * these, and ms_signals_after_wait() must be called afterwards. */
static uint64_t begin_wait(const struct ms_signals_libc_sigset *set, bool opens)
{
	struct ms_runtime_thread *t = ms_runtime_get_thread();

	if (set == NULL || !ms_signals_is_hiding(t) ||
	    !ms_signals_get_timer(t)->blocked_by_program || ms_signals_is_native_call() == 0)
		return 0;
	return ((set->words[0] & MS_SIGNALS_TIMER_BIT) == 0) == opens &&
	       ms_signals_block_for_wait(t);
}

void ms_signals_after_wait(void);
void ms_signals_after_wait(void)
{
	struct ms_runtime_thread *t = ms_runtime_get_thread();

	if (ms_signals_get_timer(t)->kernel_blocked && !t->traced)
		ms_signals_unblock_after_wait(t);
}

#define WAIT(name, opens, ...)                                                        \
	uint64_t ms_signals_before_##name(__VA_ARGS__);                               \
	uint64_t ms_signals_before_##name(__VA_ARGS__)                                \
	{                                                                             \
		return begin_wait((const struct ms_signals_libc_sigset *)set, opens); \
	}
WAIT(sigwait, false, uint64_t set)
WAIT(sigwaitinfo, false, uint64_t set)
WAIT(sigtimedwait, false, uint64_t set)
WAIT(ppoll, true, uint64_t files, uint64_t n, uint64_t until, uint64_t set)
WAIT(__ppoll_chk, true, uint64_t files, uint64_t n, uint64_t until, uint64_t set)
WAIT(pselect, true, uint64_t n, uint64_t in, uint64_t out, uint64_t other, uint64_t until,
     uint64_t set)
WAIT(epoll_pwait, true, uint64_t fd, uint64_t events, uint64_t n, uint64_t until, uint64_t set)
