/*
 * signal_overflow.c - when the user's queue of pending signals is full (RLIMIT_SIGPENDING), the
 * kernel sends SIGIO instead of the signal of an event of memspy. That ends a program that does not
 * handle SIGIO. So while the program leaves SIGIO at its default action, memspy handles it: a SIGIO
 * of the kernel counts as the timer's signal, any other ends the program. The program sees none of
 * that.
 *
 * A program that handles SIGIO gets it: it means that signals were lost, which is true.
 */
#include "signals/signal_overflow.h"

#include "raw_syscall.h"
#include "runtime/thread_state.h"
#include "signals/cpu_timer.h"
#include "signals/signal_action.h"

enum { SIG_IO = 29, BY_KERNEL = 0x80 /* the siginfo's code */ };

/* A child of the program, and a thread that is not traced, have no event of memspy. */
static void handle_sigio(int signal, const int32_t *info, const uint64_t *uc)
{
	struct ms_runtime_thread *t = ms_runtime_get_thread(); /* or its creator's */

	(void)uc;
	ms_runtime_disable_alignment_checks();
	if (info[2] == BY_KERNEL && t->thread_pointer == ms_runtime_get_thread_pointer() &&
	    ms_signals_get_timer(t)->is_created)
		ms_signals_retry_timer(t);
	else
		ms_signals_end_program_by((uint64_t)signal);
}

bool ms_signals_is_overflow_handler(uint64_t handler)
{
	return handler == (uint64_t)handle_sigio;
}

bool ms_signals_must_take_overflow(uint64_t signal, uint64_t handler)
{
	return signal == SIG_IO && handler == 0 && ms_signals_is_timer_signal_taken();
}

struct ms_signals_sigaction ms_signals_get_overflow_action(void)
{
	return ms_signals_make_memspy_action((uint64_t)handle_sigio);
}

void ms_signals_take_overflow_signal(void)
{
	const struct ms_signals_sigaction ours = ms_signals_get_overflow_action();
	struct ms_signals_sigaction was;

	if (ms_signals_set_action(SIG_IO, NULL, &was) == 0 && was.handler == 0)
		ms_signals_set_action(SIG_IO, &ours, NULL);
}

void ms_signals_release_overflow_signal(void)
{
	static const struct ms_signals_sigaction none;
	struct ms_signals_sigaction was;

	if (ms_signals_set_action(SIG_IO, NULL, &was) == 0 &&
	    ms_signals_is_overflow_handler(was.handler))
		ms_signals_set_action(SIG_IO, &none, NULL);
}
