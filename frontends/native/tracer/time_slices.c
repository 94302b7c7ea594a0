/*
 * time_slices.c - recorded threads run one at a time.
 *
 * Threads that are simulated on several processors do so, because the simulated order must not
 * contradict the program's synchronisation: what one thread has waited for is recorded before what
 * it does next. A time slice is one chunk. A thread gives it up before each system call that may
 * wait, when it waits for room in its lane, and when it loops. Chunks that end so are read in the
 * order of execution; others are interleaved (src/schedule/interleave.c). In windows of a sampled
 * program, threads on several processors run at the same time.
 *
 * Threads that are simulated on one processor do so for another reason:
 *
 * On a real processor a thread runs for milliseconds before another replaces it, and finds most of
 * its data in the cache for that time. Threads that run at the same time hand over chunks
 * alternately. With each chunk, a simulated thread would find the data that the others have left in
 * the cache. So a recorded thread keeps the processor for one time slice: until it has written a
 * number of words, waits in a system call or is not recorded any more. The next time slice is that
 * of the thread that has waited longest. The records stay in the order of execution.
 *
 * Most system calls do not wait. So before a call the time slice is only offered, and the next
 * thread is woken up: if it arrives before the call is over, it takes the time slice.
 *
 * A thread does not wait for a holder that sleeps unexpectedly, as in a page fault that is handled
 * by another thread, which may be waiting for its turn. Nor does it wait long for a holder that
 * makes no progress. In both cases the time slice ends, and both continue.
 */
#include "tracer/time_slices.h"

#include "runtime/clock.h"
#include "runtime/config.h"
#include "runtime/futex.h"
#include "runtime/hooks.h"
#include "runtime/lanes.h"
#include "runtime/locks.h"
#include "runtime/task_state.h"
#include "runtime/thread_state.h"
#include "tracer/spin_loops.h"
#include "tracer/tracer.h"

enum {
	/* Words: about the time slice of Valgrind, 100,000 blocks. */
	SLICE_WORDS = 1 << 19,
	/* ns, after which the next thread, and the others, check what the holder does; and how long
	 * it may make no progress although the kernel reports it as running. */
	CHECK_INTERVAL = 1000 * 1000,
	CHECK_INTERVAL_OTHERS = 50 * 1000 * 1000,
	PATIENCE = 100 * 1000 * 1000,
	SLICE_TIME = 5 * 1000 * 1000, /* likewise, after which a turn ends with the next call */
};

static struct {
	struct ms_runtime_thread *holder; /* NULL: no thread has the processor, none waits */
	uint64_t from;                    /* its words when its turn began */
	uint64_t since;                   /* and the time */
	bool spins;
	bool reads_only; /* its last chunk was a loop that writes nothing */
	bool offered;    /* the holder is in a system call */
	uint64_t random;
	struct ms_runtime_thread *first, *last; /* the queue of waiting threads */
	uint32_t waiting;
	/* The holder's progress when it was last checked, and the time. */
	const struct ms_runtime_thread *checked_holder;
	uint64_t checked_words, checked_cursor, checked_since;
} state;

static bool needs_slice(const struct ms_runtime_thread *t)
{
	return t->lane_number != 0 &&
	       (!ms_runtime_config.lane_per_thread || ms_runtime_takes_turns()) && !t->stopped &&
	       !ms_runtime_is_stream_closed() && t->sampled.code == MS_TRACER_CODE_RECORDS;
}

/* --- the queue --- */

static void join_queue(struct ms_runtime_thread *t)
{
	struct ms_tracer_time_slice *slice = ms_tracer_get_time_slice(t);

	if (slice->is_queued)
		return;
	slice->queue_prev = state.last;
	slice->queue_next = NULL;
	*(state.last != NULL ? &ms_tracer_get_time_slice(state.last)->queue_next : &state.first) =
		t;
	state.last = t;
	state.waiting++;
	__atomic_store_n(&slice->is_queued, true, __ATOMIC_SEQ_CST);
}

static void leave_queue(struct ms_runtime_thread *t)
{
	struct ms_tracer_time_slice *slice = ms_tracer_get_time_slice(t);
	struct ms_runtime_thread *prev_waiter = slice->queue_prev, *next_waiter = slice->queue_next;

	if (!slice->is_queued)
		return;
	*(prev_waiter != NULL ? &ms_tracer_get_time_slice(prev_waiter)->queue_next : &state.first) =
		next_waiter;
	*(next_waiter != NULL ? &ms_tracer_get_time_slice(next_waiter)->queue_prev : &state.last) =
		prev_waiter;
	state.waiting--;
	__atomic_store_n(&slice->is_queued, false, __ATOMIC_SEQ_CST);
}

static void wake(struct ms_runtime_thread *t)
{
	struct ms_tracer_time_slice *slice = ms_tracer_get_time_slice(t);

	__atomic_add_fetch(&slice->bell, 1, __ATOMIC_SEQ_CST);
	ms_runtime_wake_futex(&slice->bell, MS_RUNTIME_FUTEX_PRIVATE, 1);
}

/* The window has closed: threads leave it without waiting for a time slice. */
static void wake_all(void)
{
	for (struct ms_runtime_thread *t = state.first; t != NULL;
	     t = ms_tracer_get_time_slice(t)->queue_next)
		wake(t);
}

/* --- the holder --- */

/* Sets the holder before the thread leaves the queue, because ms_tracer_leave_time_slice() reads
 * both without the lock. */
static void give_slice_to(struct ms_runtime_thread *t)
{
	if (t != NULL) {
		state.from = t->published_words;
		state.since = ms_runtime_read_wall_clock();
	}
	state.reads_only = state.spins = state.offered = false;
	__atomic_store_n(&state.holder, t, __ATOMIC_SEQ_CST);
	if (t != NULL)
		leave_queue(t);
}

static void give_slice_to_next(void)
{
	struct ms_runtime_thread *next = state.first;

	give_slice_to(next);
	if (next != NULL)
		wake(next);
}

static bool is_slice_over(const struct ms_runtime_thread *t)
{
	const uint64_t most = ms_runtime_takes_turns() ? 1 : SLICE_WORDS;

	return t->published_words - state.from >= most || state.spins;
}

/* The lane is full: the thread sleeps because of memspy. */
static bool waits_for_memspy(const struct ms_runtime_thread *t)
{
	uint32_t freed = __atomic_load_n(&t->lane.freed, __ATOMIC_RELAXED);

	return __atomic_load_n(&t->lane.writer_sleeps, __ATOMIC_RELAXED) &&
	       t->lane.filled - freed >= t->chunk_count;
}

/* Whether the holder has made no progress since the last check. */
static bool is_holder_stuck(void)
{
	const struct ms_runtime_thread *t = state.holder;
	uint64_t cursor = __atomic_load_n(&t->lane.cursor, __ATOMIC_RELAXED);
	uint64_t time = ms_runtime_read_wall_clock();

	if (t != state.checked_holder || t->published_words != state.checked_words ||
	    cursor != state.checked_cursor || waits_for_memspy(t)) {
		state.checked_holder = t;
		state.checked_words = t->published_words;
		state.checked_cursor = cursor;
		state.checked_since = time;
		return false;
	}
	return time - state.checked_since > PATIENCE || !ms_runtime_is_thread_running(t);
}

/* The first thread in a window is at a random point of its turn. */
static void begin_slice(struct ms_runtime_thread *t)
{
	give_slice_to(t);
	if (ms_runtime_config.period == 0)
		return;
	if (state.random == 0)
		state.random = ms_runtime_config.seed;
	state.from -= ms_runtime_draw_random(&state.random) % SLICE_WORDS;
}

static bool try_take_slice(struct ms_runtime_thread *t)
{
	if (state.holder == t && is_slice_over(t))
		give_slice_to_next();
	if (state.holder == NULL)
		begin_slice(t);
	if (state.holder != t) {
		join_queue(t);
		if ((state.offered && state.first == t) || is_holder_stuck())
			give_slice_to_next();
	}
	if (state.holder == t)
		state.offered = false;
	return state.holder == t;
}

/* The next thread checks the holder. The others check, too, in case that one does not run: the more
 * there are, the more rarely. */
static int64_t get_check_interval(const struct ms_runtime_thread *t)
{
	return t == state.first
		       ? CHECK_INTERVAL
		       : CHECK_INTERVAL_OTHERS + (int64_t)state.waiting * (CHECK_INTERVAL / 4);
}

bool ms_tracer_take_time_slice(struct ms_runtime_thread *t)
{
	struct ms_tracer_time_slice *slice = ms_tracer_get_time_slice(t);
	int64_t most[2] = { 0, 0 };

	if (!needs_slice(t)) {
		ms_tracer_leave_time_slice(t);
		return true;
	}
	if (__atomic_load_n(&state.holder, __ATOMIC_SEQ_CST) == t && !state.offered &&
	    !is_slice_over(t))
		return true;
	ms_runtime_lock(MS_RUNTIME_LOCK_TIME_SLICES);
	bool has_slice = try_take_slice(t);
	uint32_t bell = __atomic_load_n(&slice->bell, __ATOMIC_SEQ_CST);
	most[1] = get_check_interval(t);
	ms_runtime_unlock(MS_RUNTIME_LOCK_TIME_SLICES);
	if (has_slice)
		return true;
	ms_runtime_wait_futex(&slice->bell, MS_RUNTIME_FUTEX_PRIVATE, bell, most);
	return false;
}

void ms_tracer_leave_time_slice(struct ms_runtime_thread *t)
{
	if (!__atomic_load_n(&ms_tracer_get_time_slice(t)->is_queued, __ATOMIC_SEQ_CST) &&
	    __atomic_load_n(&state.holder, __ATOMIC_SEQ_CST) != t)
		return;
	ms_runtime_lock(MS_RUNTIME_LOCK_TIME_SLICES);
	leave_queue(t);
	if (state.holder == t && ms_runtime_config.period != 0 &&
	    ms_native_hooks.is_window_closing())
		wake_all();
	if (state.holder == t)
		give_slice_to_next();
	else if (state.offered && state.first != NULL)
		wake(state.first); /* the thread that was woken up may have been this one */
	ms_runtime_unlock(MS_RUNTIME_LOCK_TIME_SLICES);
}

void ms_tracer_offer_time_slice(struct ms_runtime_thread *t)
{
	if (__atomic_load_n(&state.holder, __ATOMIC_SEQ_CST) != t) {
		ms_tracer_leave_time_slice(t);
		return;
	}
	ms_runtime_lock(MS_RUNTIME_LOCK_TIME_SLICES);
	if (state.holder == t && (state.first == NULL || ms_runtime_takes_turns() ||
				  ms_runtime_read_wall_clock() - state.since > SLICE_TIME)) {
		give_slice_to_next();
	} else if (state.holder == t) {
		state.offered = true;
		wake(state.first);
	}
	ms_runtime_unlock(MS_RUNTIME_LOCK_TIME_SLICES);
}

/* --- spin loops --- */

/* The thread that this loop waits for has not entered the window yet. The loop must not fill the
 * window before that. */
static void wait_briefly(struct ms_runtime_thread *t)
{
	struct ms_tracer_time_slice *slice = ms_tracer_get_time_slice(t);
	static const int64_t time[2] = { 0, 100 * 1000 };

	ms_runtime_wait_futex(&slice->bell, MS_RUNTIME_FUTEX_PRIVATE,
			      __atomic_load_n(&slice->bell, __ATOMIC_SEQ_CST), time);
}

/* In windows, only loops that are known to wait end a turn: all other code must run in windows as
 * it does between them. */
void ms_tracer_check_for_spinning(struct ms_runtime_thread *t)
{
	const uint64_t *from = (const uint64_t *)t->lane.chunk_start;
	const uint64_t *to = (const uint64_t *)t->lane.cursor;

	if (state.holder != t || t->stopped)
		return;
	if (ms_runtime_config.period == 0) {
		state.reads_only = ms_runtime_takes_turns() && ms_tracer_is_spin_loop(from, to);
		state.spins = state.waiting != 0 && ms_tracer_is_repeating(from, to);
	} else if (ms_tracer_is_spin_loop(from, to)) {
		ms_tracer_add_spin_loop(t);
		state.spins = state.waiting != 0;
		if (!state.spins)
			wait_briefly(t);
	}
}

bool ms_tracer_is_spinning(const struct ms_runtime_thread *t)
{
	return state.holder == t && state.reads_only;
}

void ms_tracer_reset_time_slices(struct ms_runtime_thread *t)
{
	ms_tracer_get_time_slice(t)->is_queued = false;
	state.first = state.last = NULL;
	state.waiting = 0;
	give_slice_to(NULL);
}
