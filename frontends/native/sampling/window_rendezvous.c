/*
 * window_rendezvous.c - threads enter a window at the same time.
 *
 * With several simulated processors a window measures how threads affect each other, so it must not
 * be half over before the second thread is in it. The thread that opens it, and each that enters,
 * waits until all threads that ran at that time are inside. Threads that were blocked do not enter,
 * and are not waited for. Inside, a thread that is far ahead waits for the others: a window ends
 * when all of them together have made a number of references, and one of them could do that before
 * another has woken up. No wait is long: a thread may wait for a processor, may have blocked the
 * signal that calls it, or may make no references.
 */
#include "sampling/window_rendezvous.h"

#include "runtime/clock.h"
#include "runtime/futex.h"
#include "runtime/task_state.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"
#include "sampling/sampling.h"

enum {
	PATIENCE = 10 * 1000 * 1000, /* ns */
	WAKING = 1000 * 1000,        /* likewise, for threads that have just been woken up */
	MAX_LATE = 3,                /* times late, after which it is not waited for */
};

static struct {
	uint32_t bell; /* futex: something has changed */
	uint32_t waiters;
	uint32_t timeouts; /* in this window, times that woken threads did not enter */
	uint32_t joined, expected;
	uint64_t until;
} rendezvous;

static void wake_all(void)
{
	__atomic_add_fetch(&rendezvous.bell, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&rendezvous.waiters, __ATOMIC_SEQ_CST) != 0)
		ms_runtime_wake_futex(&rendezvous.bell, MS_RUNTIME_FUTEX_PRIVATE,
				      MS_RUNTIME_FUTEX_ALL);
}

void ms_sampling_wake_waiters(void)
{
	wake_all();
}

/* Waits until something changes since `bell` was read; false: the time limit is reached. */
static bool sleep_until(uint32_t bell, uint64_t until)
{
	uint64_t time = ms_runtime_read_wall_clock();
	const int64_t left[2] = { 0, time < until ? (int64_t)(until - time) : 0 };

	if (left[1] <= 0 || left[1] > PATIENCE)
		return false;
	__atomic_add_fetch(&rendezvous.waiters, 1, __ATOMIC_SEQ_CST);
	ms_runtime_wait_futex(&rendezvous.bell, MS_RUNTIME_FUTEX_PRIVATE, bell, left);
	__atomic_sub_fetch(&rendezvous.waiters, 1, __ATOMIC_SEQ_CST);
	return true;
}

uint32_t ms_sampling_read_bell(void)
{
	return __atomic_load_n(&rendezvous.bell, __ATOMIC_SEQ_CST);
}

bool ms_sampling_wait_for_bell(uint32_t bell, uint64_t nanoseconds)
{
	uint64_t until = ms_runtime_read_wall_clock() + nanoseconds;

	while (ms_sampling_read_bell() == bell)
		if (!sleep_until(bell, until))
			return false;
	return true;
}

static uint64_t get_progress(const struct ms_runtime_thread *t)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);

	return s->from + s->references;
}

/* Of those that are waited for, the one with the fewest references; NULL: there is none. */
static struct ms_runtime_thread *find_slowest(const struct ms_runtime_thread *t)
{
	struct ms_runtime_thread *last = NULL;

	for (struct ms_runtime_thread *other = ms_runtime_get_next_thread(NULL); other != NULL;
	     other = ms_runtime_get_next_thread(other))
		if (other != t && !other->ended && other->sampled.inside &&
		    !ms_sampling_get_state(other)->ignored_as_slow &&
		    (last == NULL || get_progress(other) < get_progress(last)))
			last = other;
	return last;
}

uint32_t ms_sampling_count_joined(void)
{
	return __atomic_load_n(&rendezvous.joined, __ATOMIC_SEQ_CST);
}

void ms_sampling_open_rendezvous(void)
{
	rendezvous.joined = 0;
	rendezvous.expected = UINT32_MAX;
	rendezvous.until = ms_runtime_read_wall_clock() + PATIENCE;
	rendezvous.timeouts = 0;
}

void ms_sampling_join_rendezvous(struct ms_runtime_thread *t)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);
	const struct ms_runtime_thread *last = find_slowest(t);

	s->missed_calls = 0;
	s->ignored_as_slow = false;
	s->from = last != NULL ? get_progress(last) : 0;
	rendezvous.joined++;
	wake_all();
}

void ms_sampling_expect_running_threads(const struct ms_runtime_thread *t)
{
	uint32_t expected = 1;

	for (struct ms_runtime_thread *other = ms_runtime_get_next_thread(NULL); other != NULL;
	     other = ms_runtime_get_next_thread(other))
		if (other != t && !other->ended && ms_sampling_get_state(other)->has_timer &&
		    ms_sampling_get_state(other)->missed_calls < MAX_LATE &&
		    ms_runtime_is_thread_running(other)) {
			ms_sampling_get_state(other)->missed_calls++; /* until it enters */
			expected++;
		}
	__atomic_store_n(&rendezvous.expected, expected, __ATOMIC_SEQ_CST);
	wake_all();
}

void ms_sampling_wait_for_expected(void)
{
	for (;;) {
		uint32_t bell = __atomic_load_n(&rendezvous.bell, __ATOMIC_SEQ_CST);

		if (ms_sampling_count_joined() >=
			    __atomic_load_n(&rendezvous.expected, __ATOMIC_SEQ_CST) ||
		    ms_sampling_is_window_closing())
			return;
		if (!sleep_until(bell, rendezvous.until)) {
			rendezvous.timeouts++;
			__atomic_store_n(&rendezvous.expected, 0, __ATOMIC_SEQ_CST);
			return;
		}
	}
}

/* --- inside --- */

void ms_sampling_expect_woken_threads(uint32_t joined, uint32_t threads)
{
	if (rendezvous.timeouts >= MAX_LATE)
		return;
	rendezvous.until = ms_runtime_read_wall_clock() + WAKING;
	__atomic_store_n(&rendezvous.expected, joined + threads + 1, __ATOMIC_SEQ_CST);
}

void ms_sampling_wait_for_slow_threads(struct ms_runtime_thread *t, uint64_t slack)
{
	uint64_t until = 0;

	wake_all();
	for (;;) {
		uint32_t bell = __atomic_load_n(&rendezvous.bell, __ATOMIC_SEQ_CST);
		struct ms_runtime_thread *last = find_slowest(t);

		if (last == NULL || get_progress(t) <= get_progress(last) + slack ||
		    ms_sampling_is_window_closing())
			return;
		until = until == 0 ? ms_runtime_read_wall_clock() + PATIENCE : until;
		if (!sleep_until(bell, until))
			ms_sampling_get_state(last)->ignored_as_slow = true;
	}
}
