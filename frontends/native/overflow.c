/*
 * overflow.c - as many signals wait for the user as may (RLIMIT_SIGPENDING): in place of the signal
 * of an event of ours the kernel sends SIGIO, which ends a program that has not asked for it. So
 * while the program leaves SIGIO to what it does by default, it is ours: the kernel's own we take
 * as the timer's, any other ends the program. The program sees none of that.
 *
 * One that handles SIGIO gets it: it says that signals were lost, and they were.
 */
#include "overflow.h"

#include "runtime.h"
#include "sys.h"

enum { SIG_IO = 29, BY_KERNEL = 0x80 /* the siginfo's code */ };

/* A child of the program's, and a thread that we do not know, have no event of ours. */
static void came(int signal, const int32_t *info, const uint64_t *uc)
{
	struct ms_thread *t = ms_self(); /* or its maker's */

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
