/*
 * sample.c - opens and closes windows.
 *
 * Windows should be spread evenly over the program's references. But references are not counted in
 * native execution. What is known is CPU time, and code that waits for memory takes more of it per
 * reference than other code. So a thread's timer expires several times between two windows, each
 * time after some of its CPU time. Then the thread runs for a short while in code that is
 * translated but only counts (a sprint: ms_lane_aside). That is nearly as fast as native code, and
 * measures the references per nanosecond at this point. All the time since the last sprint is
 * assumed to have had the same rate. When the program reaches the position that was drawn for the
 * next window, the window opens: in slow code with a probability equal to its share of the
 * references.
 *
 * The head of a program differs (counted.c): there references are also counted between windows, and
 * windows open exactly where they were drawn.
 *
 * When one thread opens a window, all others enter as soon as they run: their timers are set to
 * expire immediately. It closes when it has the number of references that was drawn for it; threads
 * leave it at their next chunk. A thread that waits in a system call is not inside, so no thread
 * waits for it.
 */
#include "sample.h"

#include "altstack.h"
#include "counted.h"
#include "gap.h"
#include "heap/heap.h"
#include "plan.h"
#include "runtime.h"
#include "runtime/clock.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"
#include "sprint.h"
#include "timer.h"
#include "together.h"
#include "tracer.h"
#include "ucontext.h"
#include "wait_loops.h"
#include "wire/wire.h"
#include "written.h"

enum {
	SPRINTS = 5,        /* between two windows, on average */
	USUAL_EXITS = 200,  /* exits of blocks per 1024 references */
	RETRY = 100 * 1000, /* ns, where no window can open */
	LEAST_GAP = 50 * 1000,
	MOST_VAIN = 7,       /* times that the interval is doubled */
	PACE = 16,           /* part of a window that a thread may be ahead of another */
	SLOWEST_FIRST = 512, /* references in 1024 ns, assumed during the first sprints, which */
	FIRST_SPRINTS = 8,   /* run with cold caches, and predict the next one badly */
};

static struct all {
	uint32_t number;
	bool open, closing;
	uint32_t inside; /* threads */
	uint32_t came;   /* threads that entered this window, or the previous one */
	struct ms_plan plan;
	struct ms_wire_window in; /* of the window that is open */
	uint64_t records;         /* in this window, ... */
	uint64_t exits;           /* ... and in the previous one, per 1024 references */
	uint32_t told;            /* the last stratum that was sent in the stream */
} all;

/* --- the plan of windows --- */

static bool is_head(void)
{
	return ms_plan_is_head(all.number);
}

static void draw_window(void)
{
	ms_plan_draw(&all.plan, all.number, ms_gap.position, ms_gap.counted);
}

/* --- counting the records --- */

/* Everything is one window, of some sets: memspy knows how often each exit was taken, and how many
 * references are on the way to it. Walking through all records would take a tenth of the time. */
static bool is_known_by_exits(void)
{
	return ms_config.groups != 0 && ms_plan_is_whole() && !ms_config.split;
}

/* Counts that are sent as known are exact. */
static void count(struct ms_thread *t)
{
	if (is_known_by_exits())
		return;
	ms_written_count(t, ms_plan_is_whole() || is_head() || ms_gap.counted);
}

void ms_sample_publish(struct ms_thread *t)
{
	if (t->sampled.inside)
		count(t);
}

/* Adds the thread's references inside to the window's sum. */
static void tell(struct ms_thread *t)
{
	struct ms_sampled *s = &t->sampled;

	all.in.references += s->references - s->told;
	s->told = s->references;
}

/* --- the speed of a thread --- */

/* Not while the program itself could wait for the signal: disguise.c. */
void ms_sample_arm(struct ms_thread *t, uint64_t nanoseconds)
{
	if (!t->timer.given)
		ms_timer_arm(t, nanoseconds);
}

/* If a thread never gets far, such as one in restartable code, its next attempt is delayed more and
 * more: an attempt takes longer than the thread is traced. */
static void arm_for(struct ms_thread *t, uint64_t gap)
{
	uint64_t least = (uint64_t)LEAST_GAP << t->sampled.vain;

	ms_sample_arm(t, gap > least ? gap : least);
}

/* CPU time until this thread's next sprint: if several run, they share it. */
static void arm(struct ms_thread *t)
{
	uint64_t usual = ms_gap_speed();
	uint64_t least = ms_gap.sprints < FIRST_SPRINTS ? SLOWEST_FIRST : 1;
	uint64_t speed = usual > least ? usual : least;
	uint64_t threads = all.came > 0 ? all.came : 1;
	uint64_t mean = ms_config.period / SPRINTS * 1024 / speed / threads;

	t->sampled.gap = ms_timer_vary(&t->sampled.random, mean);
	arm_for(t, t->sampled.gap);
}

/* If the thread has really blocked the signal, it enters at its next check. */
static bool hears(const struct ms_thread *t)
{
	return !t->timer.given && !(t->traced && t->timer.hidden);
}

static void call(struct ms_thread *t)
{
	t->sampled.called = true;
	if (!hears(t))
		return;
	ms_timer_arm(t, 1);
	if (!hears(t)) /* it has blocked the signal just now */
		ms_timer_stop(t);
}

static bool sprints(const struct ms_thread *t)
{
	return t->sampled.code == MS_CODE_COUNTS;
}

bool ms_sample_misses_nothing(void)
{
	return ms_gap.counted || is_head();
}

/* --- one window --- */

static void open_window(struct ms_thread *t)
{
	bool known = ms_gap.counted || ms_gap.since > ms_gap.since_guessed;
	const struct {
		struct ms_wire_window left_out;
		struct ms_wire_timed timed;
	} out = { { known ? ms_gap.since - ms_gap.since_guessed : MS_WIRE_NOT_KNOWN,
		    MS_WIRE_NOT_KNOWN, ms_gap.since },
		  ms_gap.since_timed };

	if (all.plan.stratum > all.told) {
		const uint64_t words[] = { ms_config.window, ms_config.period };

		ms_lane_event(t, MS_WIRE_STRATUM, ++all.told, words, 2, NULL, 0);
	}
	ms_lane_event(t, MS_WIRE_WINDOW_OPEN, all.number, &out, sizeof(out) / 8, NULL, 0);
	all.in = (struct ms_wire_window){ 0, MS_WIRE_NOT_KNOWN, 0 };
	all.records = 0;
	ms_gap.since = ms_gap.since_guessed = 0;
	ms_gap.since_timed = (struct ms_wire_timed){ 0, 0 };
	all.open = true;
	all.closing = false;
	all.came = 0;
}

static void close_window(struct ms_thread *t)
{
	all.in.nanoseconds = all.in.references;
	ms_lane_event(t, MS_WIRE_WINDOW_CLOSE, all.number, &all.in, sizeof(all.in) / 8, NULL, 0);
	ms_gap.position += all.in.references;
	if (all.in.references > 0)
		all.exits = all.records * 1024 / all.in.references;
	all.number++;
	all.open = all.closing = false;
	ms_gap_decide();
	draw_window();
}

/* With several simulated processors: what the thread does from here on is ordered now. */
static void begin_here(struct ms_thread *t)
{
	ms_lane_turn(t);
	ms_lane_event(t, MS_WIRE_SWITCH, t->number, NULL, 0, NULL, 0);
}

static void come_inside(struct ms_thread *t)
{
	if (ms_config.split)
		begin_here(t);
	ms_lane_event(t, MS_WIRE_HEAP_CALL, t->in_heap, NULL, 0, NULL, 0);
	t->sampled.inside = true;
	t->sampled.escorted = false;
	ms_lane_away(t, false);
	ms_together_come(t);
	all.inside++;
	all.came += t->sampled.windows != all.number + 1;
	t->sampled.windows = all.number + 1;
	ms_written_begin(t, all.plan.length);
}

/* Leaves the window, to wait or to continue natively; the last thread closes it. */
static void go_outside(struct ms_thread *t)
{
	count(t);
	ms_lane_turn(t);
	ms_lane_reserve(t);
	ms_lock(MS_LOCK_SAMPLE);
	tell(t);
	all.records += t->sampled.records;
	t->sampled.inside = false;
	t->sampled.left = ms_timer_cpu();
	if (--all.inside == 0 && all.closing)
		close_window(t);
	ms_unlock(MS_LOCK_SAMPLE);
	ms_lane_away(t, true);
	ms_together_tell();
}

/* --- called by the tracer --- */

static void expired(struct ms_thread *t, uint64_t *uc)
{
	bool late = t->sampled.called && (!all.open || all.closing);
	uint64_t came = ms_timer_cpu();

	if (t->traced && ms_gap_tallies(t))
		ms_tracer_look(t);
	if (t->traced)
		return;
	if (ms_lane_closed()) {
		if (ms_config.attached) {
			ms_disguise_ends(t, &uc[MS_UCONTEXT_MASK]);
			ms_altstack_close(t, uc, true);
		}
	} else if (late) {
		t->sampled.called = false;
		arm(t);
	} else if (ms_tracer_enter_at(t, uc)) {
		t->sampled.came = came;
	} else {
		ms_timer_arm(t, RETRY);
	}
}

void ms_sample_resume(struct ms_thread *t)
{
	arm_for(t, t->sampled.gap);
}

/* Called on the only thread. */
static bool begin(struct ms_thread *first)
{
	ms_plan_start(&all.plan);
	ms_gap.counted = ms_config.counted != 0;
	ms_gap.rate = (struct ms_alloc_rate){ .blocks = ms_heap_blocks() };
	all.exits = USUAL_EXITS;
	ms_sprint_start();
	draw_window();
	return ms_sample_thread(first);
}

bool ms_sample_start(struct ms_thread *first)
{
	if (!ms_plan_is_whole() && !ms_timer_start(expired)) {
		ms_say("memspy: the program keeps signal %u for itself: no window can open",
		       (uint64_t)MS_TIMER_SIGNAL);
		return false;
	}
	return begin(first);
}

bool ms_sample_thread(struct ms_thread *t)
{
	t->sampled = (struct ms_sampled){ .known = true,
					  .left = ms_timer_cpu(),
					  .speed = ms_gap_speed(),
					  .random = ms_config.seed * 1000003 + t->number };
	if (ms_plan_is_whole())
		return true;
	ms_lane_away(t, true);
	ms_sample_told(t);
	bool made = ms_timer_make(t);
	ms_timer_open(t);
	if (made && all.open)
		call(t);
	else if (!is_head() && !ms_gap.counted)
		arm(t);
	t->sampled.natively = !ms_sample_misses_nothing();
	return !t->sampled.natively;
}

/* Calls the other threads, wherever they are: each runs sooner or later. */
static void call_others(struct ms_thread *t)
{
	for (struct ms_thread *other = ms_thread_next(NULL); other != NULL;
	     other = ms_thread_next(other))
		if (other != t && !other->ended && other->sampled.known && !other->sampled.inside)
			call(other);
}

/* Enters the open window, or the next one if it is due. */
static bool come(struct ms_thread *t)
{
	bool first = false, in;

	ms_lane_reserve(t);
	ms_lock(MS_LOCK_SAMPLE);
	if (!ms_gap.counted)
		ms_gap_take_time(t, ms_sprint_now(t));
	in = all.open ? !all.closing : ms_gap.position >= all.plan.next;
	if (in && !all.open) {
		if (is_head() || (ms_plan_is_whole() && all.number == 0))
			ms_gap.since = ms_gap.since_guessed = 0; /* nothing was omitted */
		open_window(t);
		ms_together_open();
		first = true;
	}
	if (in)
		come_inside(t);
	ms_unlock(MS_LOCK_SAMPLE);
	if (first)
		call_others(t);
	if (first && ms_config.split)
		ms_together_expect(t);
	if (in && ms_config.split)
		ms_together_wait();
	return in;
}

/* In the head, before the next window: C was called for another reason, which is frequent where
 * code is new, or allocates. */
static bool counts_on(struct ms_thread *t)
{
	return ms_gap_tallies(t) && !t->sampled.called &&
	       !__atomic_load_n(&all.open, __ATOMIC_RELAXED) &&
	       (t->lane.cursor < t->limit || ms_gap_waits_on(t));
}

/* In the head: enters a window, or continues to the next one. */
static bool go_counted(struct ms_thread *t)
{
	bool window, goes_on;

	if (t->sampled.inside)
		go_outside(t);
	ms_lock(MS_LOCK_SAMPLE);
	if (ms_gap_tallies(t))
		ms_gap_take_step(t);
	else if (t->sampled.natively)
		ms_gap_take_time(t, ms_sprint_now(t));
	window = all.open ? !all.closing : ms_gap.position >= all.plan.next;
	ms_unlock(MS_LOCK_SAMPLE);
	if (window) {
		ms_gap_stop_counting(t);
		if (come(t))
			return true;
	}
	ms_lock(MS_LOCK_SAMPLE);
	goes_on = ms_gap_count_on(t, all.plan.next);
	ms_unlock(MS_LOCK_SAMPLE);
	return goes_on;
}

/* Checks whether the window has its number of references. */
static void look(struct ms_thread *t)
{
	ms_lock(MS_LOCK_SAMPLE);
	tell(t);
	if (all.in.references >= all.plan.length)
		all.closing = true;
	ms_unlock(MS_LOCK_SAMPLE);
	if (ms_config.split)
		ms_together_keep_pace(t, all.plan.length / PACE);
}

/* With several threads, one that allocates all the time never reaches the end of a chunk, as each
 * block ends one: the references in these chunks have been counted. */
static void look_sometimes(struct ms_thread *t)
{
	struct ms_sampled *s = &t->sampled;

	if (s->inside && s->references - s->told > all.plan.length / PACE)
		look(t);
}

/* The thread is about to make a system call that must be seen: a process that is created natively
 * would not be followed, and a signal of memspy would reach the program. */
static bool is_kept(struct ms_thread *t)
{
	if (t->sampled.kept == 0 || (t->sampled.inside ? t->stopped : !sprints(t) || !t->aside))
		return false;
	t->sampled.kept--;
	return true;
}

bool ms_sample_go(struct ms_thread *t)
{
	struct ms_sampled *s = &t->sampled;
	bool joins = s->called || s->windows == all.number + 1;

	look_sometimes(t);
	if (s->inside && !__atomic_load_n(&all.closing, __ATOMIC_RELAXED) && !t->stopped)
		return true;
	if (is_kept(t))
		return true;
	if (ms_gap_is_counted(t))
		return counts_on(t) || go_counted(t);
	ms_gap_stop_counting(t);
	ms_gap.counted = false;
	if (s->inside)
		return false;
	if (s->escorted && s->kept != 0 && t->stopped && !t->aside)
		return true;
	if (sprints(t) && t->aside && !(s->called && all.open) && !ms_sprint_is_over(t))
		return true;
	if (sprints(t))
		ms_sprint_end(t, all.exits);
	else if (s->known && !ms_plan_is_whole() && (s->kept != 0 || !(joins && all.open)) &&
		 !is_head() && ms_sprint_begin(t))
		return true;
	s->called = false;
	return s->known && !t->stopped && come(t);
}

void ms_sample_full(struct ms_thread *t)
{
	t->sampled.vain = 0;
	if (t->aside) {
		ms_lock(MS_LOCK_SAMPLE); /* others may read its progress */
		if (t->lane.cursor >= ms_lane_aside_limit(t))
			ms_lane_full(t);
		ms_unlock(MS_LOCK_SAMPLE);
		if (sprints(t)) {
			ms_sprint_step(t);
		} else {
			ms_lane_look();
			ms_counted_step(t);
		}
	} else if (!t->sampled.inside || t->stopped) {
		ms_lane_full(t);
	} else {
		count(t);
		if (t->lane.cursor >= ms_written_limit(t))
			ms_lane_full(t);
		ms_written_step(t, all.plan.length);
		look(t);
	}
}

/* In the head only code that cannot be translated runs natively: the thread returns soon. */
void ms_sample_left(struct ms_thread *t, bool too_soon)
{
	uint8_t vain = t->sampled.vain;

	t->sampled.vain = !too_soon ? 0 : vain < MOST_VAIN ? vain + 1 : vain;
	if (!ms_gap_is_counted(t))
		ms_gap.counted = false;
	ms_gap_stop_counting(t);
	if (sprints(t))
		ms_sprint_end(t, all.exits);
	if (t->sampled.inside)
		go_outside(t);
	t->sampled.natively = true;
	if (is_head() || ms_gap.counted)
		arm_for(t, 0);
	else if (!ms_plan_is_whole() && t->sampled.escorted)
		arm_for(t, t->sampled.gap);
	else if (!ms_plan_is_whole())
		arm(t);
	else if (ms_on)
		ms_again_arm(t);
	t->sampled.escorted = false;
}

/* The time to get there was not the program's. */
void ms_sample_natively(struct ms_thread *t)
{
	t->sampled.left = ms_timer_cpu();
}

void ms_sample_back(struct ms_thread *t)
{
	t->sampled.natively = false;
}

bool ms_sample_closes(void)
{
	return __atomic_load_n(&all.closing, __ATOMIC_RELAXED);
}

bool ms_sample_is_outside(const struct ms_thread *t)
{
	return ms_config.period != 0 && !ms_plan_is_whole() && !t->sampled.inside;
}

void ms_sample_away(struct ms_thread *t)
{
	t->sampled.called_away = t->sampled.inside;
	t->sampled.here = ms_together_here();
	if (t->sampled.inside)
		go_outside(t);
}

void ms_sample_told(struct ms_thread *t)
{
	if (ms_sample_is_outside(t) && ms_config.split)
		ms_lane_turn(t);
}

void ms_sample_woke(struct ms_thread *t, uint64_t threads)
{
	enum { MOST = 64 };

	if (t->sampled.called_away && t->sampled.windows == all.number + 1 && !ms_sample_closes())
		ms_together_woke(t->sampled.here, (uint32_t)(threads < MOST ? threads : MOST));
}

/* Adds what other threads have done without a report; the lock is held. */
static void take_others(const struct ms_thread *t)
{
	for (struct ms_thread *other = ms_thread_next(NULL); other != NULL;
	     other = ms_thread_next(other)) {
		if (other == t || other->ended || !other->sampled.known)
			continue;
		if (ms_gap_tallies(other))
			ms_gap_take_counted(other);
		else if (other->sampled.natively && !other->traced)
			ms_gap_take_time(other, ms_timer_of(other->tid));
	}
}

/*
 * A last, empty window reports what followed the others. Threads inside may still write: then the
 * open window stays open.
 */
static void tell_rest(struct ms_thread *t)
{
	ms_gap_stop_counting(t);
	if (sprints(t))
		ms_sprint_end(t, all.exits);
	if (t->sampled.inside)
		go_outside(t);
	ms_lane_reserve(t);
	ms_lock(MS_LOCK_SAMPLE);
	if (!ms_gap.counted || t->sampled.natively)
		ms_gap_take_time(t, ms_sprint_now(t));
	take_others(t);
	if (all.open && all.inside == 0 && ms_gap.since > 0)
		close_window(t);
	if (!all.open)
		open_window(t);
	if (all.inside == 0)
		close_window(t);
	ms_unlock(MS_LOCK_SAMPLE);
	if (ms_gap_is_known())
		ms_counted_tell(t);
	ms_wait_loops_report(t);
}

void ms_sample_end(struct ms_thread *t)
{
	if (!t->sampled.known)
		return;
	ms_gap_stop_counting(t);
	if (!t->sampled.natively)
		return;
	ms_lock(MS_LOCK_SAMPLE);
	ms_gap_take_time(t, ms_sprint_now(t));
	ms_unlock(MS_LOCK_SAMPLE);
}

void ms_sample_finish(struct ms_thread *t)
{
	if (!t->sampled.known)
		return;
	tell_rest(t);
	all.closing = true; /* for threads that run on to the end */
}

/* If the exec fails, the program continues after that window. */
void ms_sample_executes(struct ms_thread *t)
{
	if (t->sampled.known)
		tell_rest(t);
}

void ms_sample_forked(void)
{
	all.closing = true;
	ms_gap.counted = false;
}

/* Everything begins as in its parent; ms_sample_go() decides whether it continues traced. */
void ms_sample_again(struct ms_thread *t)
{
	bool known = t->sampled.known;

	all = (struct all){ .number = 0 };
	ms_wait_loops_restart();
	ms_gap = (struct ms_gap){ .position = 0 };
	t->sampled = (struct ms_sampled){ .known = false };
	ms_counted_again(t);
	if (known)
		begin(t);
}
