/*
 * disguise.c - a program that is sampled, but not traced, does not see the timer's signal: it may
 * set a handler for it, ignore it or block it, and finds it as it has set it, but the kernel is not
 * told. Else a program that sets all signals to what they do by default would be ended by the next
 * sample, and one that waits for all of them would be told of ours.
 *
 * Only by the C library's functions; who makes the system call itself is on his own.
 */
#include "runtime.h"

#include "sys.h"
#include "wrap.h"

extern void *ms_wrap_real[MS_WRAP_ALL];

/* The C library's. */
struct set {
	uint64_t words[16];
};
struct theirs {
	uint64_t handler;
	struct set mask;
	int32_t flags;
	uint64_t restorer;
};

enum { UNBLOCK = 1 };
static const uint64_t our_bit = UINT64_C(1) << (MS_TIMER_SIGNAL - 1);
static struct theirs theirs;

/* Whether the thread runs natively: what traced code does is seen as the system call that it is. */
uint64_t ms_untraced_is(void);
uint64_t ms_untraced_is(void)
{
	const struct ms_thread *t = ms_self();

	return t->pointer != ms_thread_pointer() || t->traced == 0;
}

/* What timer.c does with a signal that is not of its timers. */
static void tell_timer(void)
{
	const uint64_t kernel[4] = { theirs.handler, (uint32_t)theirs.flags, 0,
				     theirs.mask.words[0] };
	const uint64_t args[6] = { MS_TIMER_SIGNAL, (uint64_t)kernel };

	ms_timer_action(args);
}

typedef int real_action(int, const struct theirs *, struct theirs *);
int ms_untraced_sigaction(int signal, const struct theirs *wanted, struct theirs *old);
MS_CALLS_OUT int ms_untraced_sigaction(int signal, const struct theirs *wanted, struct theirs *old)
{
	struct theirs was = theirs;

	if (signal != MS_TIMER_SIGNAL)
		return ((real_action *)ms_wrap_real[MS_WRAP_sigaction])(signal, wanted, old);
	if (wanted != NULL) {
		theirs = *wanted;
		tell_timer();
	}
	if (old != NULL)
		*old = was;
	return 0;
}

typedef uint64_t real_signal(int, uint64_t);
uint64_t ms_untraced_signal(int signal, uint64_t handler);
MS_CALLS_OUT uint64_t ms_untraced_signal(int signal, uint64_t handler)
{
	uint64_t was = theirs.handler;

	if (signal != MS_TIMER_SIGNAL)
		return ((real_signal *)ms_wrap_real[MS_WRAP_signal])(signal, handler);
	theirs = (struct theirs){ .handler = handler };
	tell_timer();
	return was;
}

/* --- masks --- */

typedef int real_mask(int, const struct set *, struct set *);

MS_CALLS_OUT static int mask(uint64_t function, int how, const struct set *wanted, struct set *old)
{
	real_mask *real = (real_mask *)ms_wrap_real[function];
	struct set ours;

	if (wanted == NULL || how == UNBLOCK || (wanted->words[0] & our_bit) == 0)
		return real(how, wanted, old);
	/* The kernel looks at no more of it. */
	ours.words[0] = wanted->words[0] & ~our_bit;
	return real(how, &ours, old);
}

int ms_untraced_sigprocmask(int how, const struct set *wanted, struct set *old);
int ms_untraced_sigprocmask(int how, const struct set *wanted, struct set *old)
{
	return mask(MS_WRAP_sigprocmask, how, wanted, old);
}

int ms_untraced_pthread_sigmask(int how, const struct set *wanted, struct set *old);
int ms_untraced_pthread_sigmask(int how, const struct set *wanted, struct set *old)
{
	return mask(MS_WRAP_pthread_sigmask, how, wanted, old);
}
