/*
 * window_opener.c - which of several threads opens the next window while references are counted.
 *
 * A short window has the references of the thread that opens it: others are called, and arrive when
 * it is closed. They would be late for the next one, too, and a thread that had no processor while
 * others counted would open all windows that are due when it returns. So the thread is drawn, with
 * probabilities equal to what each lacks: its part of the windows, less what windows have of it. It
 * opens the window when it checks next.
 *
 * Meanwhile, and while a window closes, the others may not get far ahead: the program has no
 * windows where they count then. They wait, which gives a thread that has no processor theirs. One
 * that sleeps is waited for once.
 */
#include "sampling/window_opener.h"

#include "runtime/clock.h"
#include "runtime/config.h"
#include "runtime/locks.h"
#include "runtime/threads.h"
#include "sampling/between_windows.h"
#include "sampling/counted_start.h"
#include "sampling/sampling.h"
#include "sampling/window_rendezvous.h"
#include "sampling/windows_priv.h"

enum {
	AHEAD_PART = 4,                 /* of a period, in references */
	WAIT_NANOSECONDS = 1000 * 1000, /* at most, at a time */
};

static struct {
	uint64_t random;
	uint32_t window; /* for which it was drawn, from 1 */
	uint32_t thread; /* its number */
} opener;

/* References that windows should have of the thread, and have not. */
static uint64_t get_lack(const struct ms_runtime_thread *t)
{
	const struct ms_sampling_thread *s = ms_sampling_get_state(t);
	uint64_t window = ms_runtime_config.window, period = ms_runtime_config.period;
	uint64_t all = s->recorded + s->counted + ms_sampling_read_new_count(t);
	uint64_t due = all / period * window + all % period * window / period;

	return !t->ended && !s->is_absent && due > s->recorded ? due - s->recorded : 0;
}

static uint32_t draw_opener(const struct ms_runtime_thread *first)
{
	uint64_t all = 0;

	for (const struct ms_runtime_thread *t = ms_runtime_get_next_thread(NULL); t != NULL;
	     t = ms_runtime_get_next_thread(t))
		all += get_lack(t);
	if (all == 0)
		return first->number;
	if (opener.random == 0)
		opener.random = ms_runtime_config.seed;
	uint64_t drawn = ms_runtime_draw_random(&opener.random) % all;
	for (const struct ms_runtime_thread *t = ms_runtime_get_next_thread(NULL); t != NULL;
	     t = ms_runtime_get_next_thread(t)) {
		uint64_t lack = get_lack(t);

		if (drawn < lack)
			return t->number;
		drawn -= lack;
	}
	return first->number; /* others have counted meanwhile */
}

bool ms_sampling_is_window_opener(const struct ms_runtime_thread *t)
{
	ms_sampling_get_state(t)->is_absent = false;
	if (ms_sampling_gap.counting_threads < 2)
		return true;
	if (opener.window != ms_sampling_windows.number + 1) {
		opener.thread = draw_opener(t);
		opener.window = ms_sampling_windows.number + 1;
	}
	return opener.thread == t->number;
}

bool ms_sampling_is_too_far_ahead(void)
{
	/* A thread in a window does not count meanwhile. */
	return ms_sampling_gap.counting_threads + ms_sampling_windows.inside > 1 &&
	       ms_sampling_gap.position >=
		       ms_sampling_windows.plan.next + ms_runtime_config.period / AHEAD_PART;
}

/* The thread that was drawn does not come: another one is drawn. */
static void set_absent(uint32_t window)
{
	ms_runtime_lock(MS_RUNTIME_LOCK_SAMPLING);
	for (struct ms_runtime_thread *t = ms_runtime_get_next_thread(NULL); t != NULL;
	     t = ms_runtime_get_next_thread(t))
		if (!ms_sampling_windows.open && ms_sampling_windows.number == window &&
		    t->number == opener.thread)
			ms_sampling_get_state(t)->is_absent = true;
	opener.window = 0;
	ms_runtime_unlock(MS_RUNTIME_LOCK_SAMPLING);
}

void ms_sampling_wait_for_window(uint32_t window, uint32_t bell)
{
	if (!ms_sampling_wait_for_bell(bell, WAIT_NANOSECONDS))
		set_absent(window);
}
