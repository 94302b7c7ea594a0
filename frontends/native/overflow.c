/*
 * overflow.c - when the user's queue of pending signals is full (RLIMIT_SIGPENDING), the kernel
 * sends SIGIO instead of the signal of an event of memspy. That ends a program that does not handle
 * SIGIO. So while the program leaves SIGIO at its default action, memspy handles it: a SIGIO of the
 * kernel counts as the timer's signal, any other ends the program. The program sees none of that.
 *
 * A program that handles SIGIO gets it: it means that signals were lost, which is true.
 */
#include "overflow.h"

#include "action.h"
#include "runtime/thread_state.h"
#include "sys.h"
#include "timer.h"

enum { SIG_IO = 29, BY_KERNEL = 0x80 /* the siginfo's code */ };

/* A child of the program, and a thread that is not traced, have no event of memspy. */
static void came(int signal, const int32_t *info, const uint64_t *uc)
{
	struct ms_thread *t = ms_self(); /* or its creator's */

	(void)uc;
	ms_no_checks();
	if (info[2] == BY_KERNEL && t->pointer == ms_thread_pointer() && t->timer.made)
		ms_timer_overflowed(t);
	else
		ms_action_end_by((uint64_t)signal);
}

bool ms_overflow_is(uint64_t handler)
{
	return handler == (uint64_t)came;
}

bool ms_overflow_takes(uint64_t signal, uint64_t handler)
{
	return signal == SIG_IO && handler == 0 && ms_timer_is_on();
}

struct ms_action ms_overflow_ours(void)
{
	return ms_action_ours((uint64_t)came);
}

void ms_overflow_start(void)
{
	const struct ms_action ours = ms_overflow_ours();
	struct ms_action was;

	if (ms_action_set(SIG_IO, NULL, &was) == 0 && was.handler == 0)
		ms_action_set(SIG_IO, &ours, NULL);
}

void ms_overflow_leave(void)
{
	static const struct ms_action none;
	struct ms_action was;

	if (ms_action_set(SIG_IO, NULL, &was) == 0 && ms_overflow_is(was.handler))
		ms_action_set(SIG_IO, &none, NULL);
}
