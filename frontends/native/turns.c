/*
 * turns.c - threads that are simulated on one processor run one at a time.
 *
 * On a real processor a thread runs for milliseconds before another replaces it, and finds most of
 * its data in the cache for that time. Threads that run at the same time hand over chunks
 * alternately. With each chunk, a simulated thread would find the data that the others have left in
 * the cache. So a recorded thread keeps the processor for one turn: until it has written a number
 * of words, waits in a system call or is not recorded any more. The next turn is that of the thread
 * that has waited longest. The records stay in the order of execution.
 *
 * Most system calls do not wait. So before a call the turn is only offered, and the next thread is
 * woken up: if it arrives before the call is over, it takes the turn.
 *
 * A thread does not wait for a holder that sleeps unexpectedly, as in a page fault that is handled
 * by another thread, which may be waiting for its turn. Nor does it wait long for a holder that
 * makes no progress. In both cases the turn ends, and both continue.
 */
#include "turns.h"

#include "futex.h"
#include "runtime/clock.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"
#include "sample.h"
#include "task_state.h"
#include "tracer.h"
#include "wait_loops.h"

enum {
	/* Words: about the time slice of Valgrind, 100,000 blocks. */
	TURN = 1 << 19,
	/* ns, after which the next thread, and the others, check what the holder does; and how long
	 * it may make no progress although the kernel reports it as running. */
	LOOK = 1000 * 1000,
	LOOK_OTHERS = 50 * 1000 * 1000,
	PATIENCE = 100 * 1000 * 1000,
	SLICE = 5 * 1000 * 1000, /* likewise, after which a turn ends with the next call */
};

static struct {
	struct ms_thread *holder; /* NULL: no thread has the processor, none waits */
	uint64_t from;            /* its words when its turn began */
	uint64_t since;           /* and the time */
	bool spins;
	bool offered; /* the holder is in a system call */
	uint64_t random;
	struct ms_thread *first, *last; /* the queue of waiting threads */
	uint32_t waiting;
	/* The holder's progress when it was last checked, and the time. */
	const struct ms_thread *seen;
	uint64_t seen_words, seen_cursor, seen_since;
} now;

static bool is_wanted(const struct ms_thread *t)
{
	return t->lane_number != 0 && !ms_config.split && !t->stopped && !ms_lane_closed() &&
	       t->sampled.code == MS_CODE_RECORDS;
}

/* --- the queue --- */

static void join_queue(struct ms_thread *t)
{
	if (t->turn.waits)
		return;
	t->turn.ahead = now.last;
	t->turn.behind = NULL;
	*(now.last != NULL ? &now.last->turn.behind : &now.first) = t;
	now.last = t;
	now.waiting++;
	__atomic_store_n(&t->turn.waits, true, __ATOMIC_SEQ_CST);
}

static void leave_queue(struct ms_thread *t)
{
	struct ms_thread *ahead = t->turn.ahead, *behind = t->turn.behind;

	if (!t->turn.waits)
		return;
	*(ahead != NULL ? &ahead->turn.behind : &now.first) = behind;
	*(behind != NULL ? &behind->turn.ahead : &now.last) = ahead;
	now.waiting--;
	__atomic_store_n(&t->turn.waits, false, __ATOMIC_SEQ_CST);
}

static void ring(struct ms_thread *t)
{
	__atomic_add_fetch(&t->turn.bell, 1, __ATOMIC_SEQ_CST);
	ms_futex_wake(&t->turn.bell, MS_FUTEX_OWN, 1);
}

/* The window is over: threads leave it without waiting for a turn. */
static void call_all(void)
{
	for (struct ms_thread *t = now.first; t != NULL; t = t->turn.behind)
		ring(t);
}

/* --- the holder --- */

/* Sets the holder before the thread leaves the queue, because ms_turn_leave() reads both without
 * the lock. */
static void give_to(struct ms_thread *t)
{
	if (t != NULL) {
		now.from = t->turn.words;
		now.since = ms_timer_wall();
	}
	now.spins = now.offered = false;
	__atomic_store_n(&now.holder, t, __ATOMIC_SEQ_CST);
	if (t != NULL)
		leave_queue(t);
}

static void give_to_next(void)
{
	struct ms_thread *next = now.first;

	give_to(next);
	if (next != NULL)
		ring(next);
}

static bool is_over(const struct ms_thread *t)
{
	return t->turn.words - now.from >= TURN || now.spins;
}

/* The lane is full: the thread sleeps because of memspy. */
static bool waits_for_memspy(const struct ms_thread *t)
{
	uint32_t freed = __atomic_load_n(&t->lane.freed, __ATOMIC_RELAXED);

	return __atomic_load_n(&t->lane.writer_sleeps, __ATOMIC_RELAXED) &&
	       t->lane.filled - freed >= t->chunk_count;
}

/* Whether the holder has made no progress since the last check. */
static bool is_stuck(void)
{
	const struct ms_thread *t = now.holder;
	uint64_t cursor = __atomic_load_n(&t->lane.cursor, __ATOMIC_RELAXED);
	uint64_t time = ms_timer_wall();

	if (t != now.seen || t->turn.words != now.seen_words || cursor != now.seen_cursor ||
	    waits_for_memspy(t)) {
		now.seen = t;
		now.seen_words = t->turn.words;
		now.seen_cursor = cursor;
		now.seen_since = time;
		return false;
	}
	return time - now.seen_since > PATIENCE || !ms_together_runs(t);
}

/* The first thread in a window is at a random point of its turn. */
static void begin(struct ms_thread *t)
{
	give_to(t);
	if (ms_config.period == 0)
		return;
	if (now.random == 0)
		now.random = ms_config.seed;
	now.from -= ms_timer_random(&now.random) % TURN;
}

static bool has_turn(struct ms_thread *t)
{
	if (now.holder == t && is_over(t))
		give_to_next();
	if (now.holder == NULL)
		begin(t);
	if (now.holder != t) {
		join_queue(t);
		if ((now.offered && now.first == t) || is_stuck())
			give_to_next();
	}
	if (now.holder == t)
		now.offered = false;
	return now.holder == t;
}

/* The next thread checks the holder. The others check, too, in case that one does not run: the more
 * there are, the more rarely. */
static int64_t until_it_looks(const struct ms_thread *t)
{
	return t == now.first ? LOOK : LOOK_OTHERS + (int64_t)now.waiting * (LOOK / 4);
}

bool ms_turn_take(struct ms_thread *t)
{
	int64_t most[2] = { 0, 0 };

	if (!is_wanted(t)) {
		ms_turn_leave(t);
		return true;
	}
	if (__atomic_load_n(&now.holder, __ATOMIC_SEQ_CST) == t && !now.offered && !is_over(t))
		return true;
	ms_lock(MS_LOCK_TURNS);
	bool mine = has_turn(t);
	uint32_t bell = __atomic_load_n(&t->turn.bell, __ATOMIC_SEQ_CST);
	most[1] = until_it_looks(t);
	ms_unlock(MS_LOCK_TURNS);
	if (mine)
		return true;
	ms_futex_wait(&t->turn.bell, MS_FUTEX_OWN, bell, most);
	return false;
}

void ms_turn_leave(struct ms_thread *t)
{
	if (!__atomic_load_n(&t->turn.waits, __ATOMIC_SEQ_CST) &&
	    __atomic_load_n(&now.holder, __ATOMIC_SEQ_CST) != t)
		return;
	ms_lock(MS_LOCK_TURNS);
	leave_queue(t);
	if (now.holder == t && ms_config.period != 0 && ms_sample_closes())
		call_all();
	if (now.holder == t)
		give_to_next();
	else if (now.offered && now.first != NULL)
		ring(now.first); /* the thread that was woken up may have been this one */
	ms_unlock(MS_LOCK_TURNS);
}

void ms_turn_offer(struct ms_thread *t)
{
	if (__atomic_load_n(&now.holder, __ATOMIC_SEQ_CST) != t) {
		ms_turn_leave(t);
		return;
	}
	ms_lock(MS_LOCK_TURNS);
	if (now.holder == t && (now.first == NULL || ms_timer_wall() - now.since > SLICE)) {
		give_to_next();
	} else if (now.holder == t) {
		now.offered = true;
		ring(now.first);
	}
	ms_unlock(MS_LOCK_TURNS);
}

/* --- loops that wait --- */

/* The thread that this loop waits for has not entered the window yet. The loop must not fill the
 * window before that. */
static void wait_a_little(struct ms_thread *t)
{
	static const int64_t time[2] = { 0, 100 * 1000 };

	ms_futex_wait(&t->turn.bell, MS_FUTEX_OWN, __atomic_load_n(&t->turn.bell, __ATOMIC_SEQ_CST),
		      time);
}

/* In windows, only loops that are known to wait end a turn: all other code must run in windows as
 * it does between them. */
void ms_turn_full(struct ms_thread *t)
{
	const uint64_t *from = (const uint64_t *)t->lane.chunk_start;
	const uint64_t *to = (const uint64_t *)t->lane.cursor;

	if (now.holder != t || t->stopped)
		return;
	if (ms_config.period == 0) {
		now.spins = now.waiting != 0 && ms_wait_loop_repeats(from, to);
	} else if (ms_wait_loop_is(from, to)) {
		ms_wait_loop_found(t);
		now.spins = now.waiting != 0;
		if (!now.spins)
			wait_a_little(t);
	}
}

void ms_turn_forked(struct ms_thread *t)
{
	t->turn.waits = false;
	now.first = now.last = NULL;
	now.waiting = 0;
	give_to(NULL);
}
