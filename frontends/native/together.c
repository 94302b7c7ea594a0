/*
 * together.c - threads enter a window at the same time.
 *
 * With several simulated processors a window measures how threads affect each other, so it must not
 * be half over before the second thread is in it. The thread that opens it, and each that enters,
 * waits until all threads that ran at that time are inside. Threads that were blocked do not enter,
 * and are not waited for. Inside, a thread that is far ahead waits for the others: a window ends
 * when all of them together have made a number of references, and one of them could do that before
 * another has woken up. No wait is long: a thread may wait for a processor, may have blocked the
 * signal that calls it, or may make no references.
 */
#include "together.h"

#include "futex.h"
#include "runtime/clock.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"
#include "sample.h"
#include "task_state.h"

enum {
	PATIENCE = 10 * 1000 * 1000, /* ns */
	WAKING = 1000 * 1000,        /* likewise, for threads that have just been woken up */
	LATE = 3,                    /* times late, after which it is not waited for */
};

static struct {
	uint32_t bell; /* futex: something has changed */
	uint32_t waiters;
	uint32_t in_vain; /* in this window, times that woken threads did not enter */
	uint32_t here, expected;
	uint64_t until;
} now;

static void ring(void)
{
	__atomic_add_fetch(&now.bell, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&now.waiters, __ATOMIC_SEQ_CST) != 0)
		ms_futex_wake(&now.bell, MS_FUTEX_OWN, MS_FUTEX_ALL);
}

void ms_together_tell(void)
{
	ring();
}

/* Waits until something changes since `bell` was read; false: the time is over. */
static bool sleep_until(uint32_t bell, uint64_t until)
{
	uint64_t time = ms_timer_wall();
	const int64_t left[2] = { 0, time < until ? (int64_t)(until - time) : 0 };

	if (left[1] <= 0 || left[1] > PATIENCE)
		return false;
	__atomic_add_fetch(&now.waiters, 1, __ATOMIC_SEQ_CST);
	ms_futex_wait(&now.bell, MS_FUTEX_OWN, bell, left);
	__atomic_sub_fetch(&now.waiters, 1, __ATOMIC_SEQ_CST);
	return true;
}

static uint64_t made_by(const struct ms_thread *t)
{
	return t->sampled.from + t->sampled.references;
}

/* Of those that are waited for, the one with the fewest references; NULL: there is none. */
static struct ms_thread *last_of(const struct ms_thread *t)
{
	struct ms_thread *last = NULL;

	for (struct ms_thread *other = ms_thread_next(NULL); other != NULL;
	     other = ms_thread_next(other))
		if (other != t && !other->ended && other->sampled.inside &&
		    !other->sampled.left_behind && (last == NULL || made_by(other) < made_by(last)))
			last = other;
	return last;
}

uint32_t ms_together_here(void)
{
	return __atomic_load_n(&now.here, __ATOMIC_SEQ_CST);
}

void ms_together_open(void)
{
	now.here = 0;
	now.expected = UINT32_MAX;
	now.until = ms_timer_wall() + PATIENCE;
	now.in_vain = 0;
}

void ms_together_come(struct ms_thread *t)
{
	const struct ms_thread *last = last_of(t);

	t->sampled.late = 0;
	t->sampled.left_behind = false;
	t->sampled.from = last != NULL ? made_by(last) : 0;
	now.here++;
	ring();
}

void ms_together_expect(const struct ms_thread *t)
{
	uint32_t expected = 1;

	for (struct ms_thread *other = ms_thread_next(NULL); other != NULL;
	     other = ms_thread_next(other))
		if (other != t && !other->ended && other->sampled.known &&
		    other->sampled.late < LATE && ms_together_runs(other)) {
			other->sampled.late++; /* until it enters */
			expected++;
		}
	__atomic_store_n(&now.expected, expected, __ATOMIC_SEQ_CST);
	ring();
}

void ms_together_wait(void)
{
	for (;;) {
		uint32_t bell = __atomic_load_n(&now.bell, __ATOMIC_SEQ_CST);

		if (ms_together_here() >= __atomic_load_n(&now.expected, __ATOMIC_SEQ_CST) ||
		    ms_sample_closes())
			return;
		if (!sleep_until(bell, now.until)) {
			now.in_vain++;
			__atomic_store_n(&now.expected, 0, __ATOMIC_SEQ_CST);
			return;
		}
	}
}

/* --- inside --- */

void ms_together_woke(uint32_t here, uint32_t threads)
{
	if (now.in_vain >= LATE)
		return;
	now.until = ms_timer_wall() + WAKING;
	__atomic_store_n(&now.expected, here + threads + 1, __ATOMIC_SEQ_CST);
}

void ms_together_keep_pace(struct ms_thread *t, uint64_t slack)
{
	uint64_t until = 0;

	ring();
	for (;;) {
		uint32_t bell = __atomic_load_n(&now.bell, __ATOMIC_SEQ_CST);
		struct ms_thread *last = last_of(t);

		if (last == NULL || made_by(t) <= made_by(last) + slack || ms_sample_closes())
			return;
		until = until == 0 ? ms_timer_wall() + PATIENCE : until;
		if (!sleep_until(bell, until))
			last->sampled.left_behind = true;
	}
}
