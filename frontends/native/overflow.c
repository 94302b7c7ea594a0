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

static const struct ms_overflow_action none;

static long kernel_action(const struct ms_overflow_action *act, struct ms_overflow_action *old)
{
	return ms_sys(__NR_rt_sigaction, SIG_IO, (long)act, (long)old, 8, 0, 0);
}

/* A child of the program's, and a thread that we do not know, have no event of ours. */
static void came(int signal, const int32_t *info, const uint64_t *uc)
{
	struct ms_thread *t = ms_self(); /* or its maker's */

	(void)uc;
	if (info[2] == BY_KERNEL && t->pointer == ms_thread_pointer() && t->timer.made) {
		ms_timer_overflowed(t);
		return;
	}
	kernel_action(&none, NULL);
	ms_sys(SYS_kill, ms_sys(SYS_getpid, 0, 0, 0, 0, 0, 0), signal, 0, 0, 0, 0);
}

bool ms_overflow_is(uint64_t handler)
{
	return handler == (uint64_t)came;
}

bool ms_overflow_takes(uint64_t signal, uint64_t handler)
{
	return signal == SIG_IO && handler == 0 && ms_timer_is_on();
}

struct ms_overflow_action ms_overflow_ours(void)
{
	/* As timer.c has it. */
	struct ms_overflow_action ours = { (uint64_t)came, 4 | 0x08000000 | 0x10000000,
					   ms_restorer(), ~0ull };

	if (ours.restorer != 0)
		ours.flags |= 0x04000000;
	return ours;
}

void ms_overflow_start(void)
{
	const struct ms_overflow_action ours = ms_overflow_ours();
	struct ms_overflow_action was;

	if (kernel_action(NULL, &was) == 0 && was.handler == 0)
		kernel_action(&ours, NULL);
}

void ms_overflow_leave(void)
{
	struct ms_overflow_action was;

	if (kernel_action(NULL, &was) == 0 && ms_overflow_is(was.handler))
		kernel_action(&none, NULL);
}
