/*
 * timed.c - the program runs natively. From time to time a timer of its CPU time stops a thread,
 * and its state is recorded: pc, registers, the code around the pc. memspy finds out which load or
 * store the thread had waited for (src/decode).
 *
 * The event is in the lane among those of malloc and free, so that the address can be looked up in
 * the heap of that moment. While the runtime itself is at work for the thread, nothing can be
 * written: such samples are counted, and the count is sent with the next one.
 *
 * The cost is measured. A sample that takes more than its share of the time makes the next ones
 * rarer.
 */
#include "timed.h"

#include "action.h"
#include "altstack.h"
#include "learn.h"
#include "maps/maps.h"
#include "runtime/clock.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/thread_state.h"
#include "sys.h"
#include "thin.h"
#include "timer.h"
#include "ucontext.h"
#include "wire/wire.h"

enum { BEFORE = 192, AFTER = 64, LONGEST = 1000 * 1000 * 1000 };
_Static_assert((int)MS_UCONTEXT_REGS <= (int)MS_WIRE_SAMPLE_REGS, "wire layout");
_Static_assert(BEFORE <= (int)MS_WIRE_SAMPLE_CODE && AFTER <= (int)MS_WIRE_SAMPLE_CODE,
	       "wire layout");

/* --- the cost of a sample --- */

static uint64_t delivery; /* nanoseconds from the timer's expiry to its handler and back */
static volatile bool measuring;
static volatile uint32_t met; /* while that is measured */

static void nothing(int signal)
{
	(void)signal;
}

static void measure_one(long pid, uint32_t tid)
{
	uint64_t began = ms_timer_cpu();

	ms_sys(__NR_tgkill, pid, tid, MS_TIMER_SIGNAL, 0, 0, 0);
	uint64_t took = ms_timer_cpu() - began;
	if (delivery == 0 || took < delivery)
		delivery = took;
}

/*
 * The minimum over some signals that the thread sends itself: a timer that expires at ticks costs
 * no more. The parent process may have blocked the signal; a signal that is pending for that reason
 * is the program's.
 */
static void measure_signal(uint32_t tid)
{
	enum { TIMES = 5, UNBLOCK = 1, SET = 2 };
	const uint64_t bit = UINT64_C(1) << (MS_TIMER_SIGNAL - 1);
	const struct ms_action ours = ms_action_ours((uint64_t)nothing);
	struct ms_action was;
	long pid = ms_sys(SYS_getpid, 0, 0, 0, 0, 0, 0);
	uint64_t pending = 0, mask = 0;

	ms_sys(__NR_rt_sigpending, (long)&pending, 8, 0, 0, 0, 0);
	if ((pending & bit) != 0 || ms_action_set(MS_TIMER_SIGNAL, &ours, &was) != 0)
		return;
	ms_sys(__NR_rt_sigprocmask, UNBLOCK, (long)&bit, (long)&mask, 8, 0, 0);
	for (uint32_t i = 0; i < TIMES; i++)
		measure_one(pid, tid);
	ms_sys(__NR_rt_sigprocmask, SET, (long)&mask, 0, 8, 0, 0);
	ms_action_set(MS_TIMER_SIGNAL, &was, NULL);
}

/* How long the thread, which only reads the counter, was stopped; 0: it was not. */
static uint64_t gap(struct ms_thread *t)
{
	enum { SOON = 20000, MOST = 100000 };
	uint32_t was = met;
	uint64_t before = 0, now = ms_counter();

	ms_timer_arm(t, SOON);
	for (uint32_t i = 0; met == was; i++) {
		if (i == MOST)
			return 0;
		before = now;
		now = ms_counter();
	}
	return ms_counter() - before;
}

/*
 * The kernel's part of a sample: the interrupt, which in a virtual machine may take longer than all
 * the rest, the signal, and the return. The median of some.
 */
static void measure_delivery(struct ms_thread *t)
{
	enum { TIMES = 7 };
	uint64_t gaps[TIMES], began = ms_timer_wall(), counted = ms_counter();

	if (t->timer.fd == 0 || t->timer.given)
		return;
	measuring = true;
	for (uint32_t i = 0; i < TIMES; i++) {
		uint64_t took = gap(t);
		uint32_t at = i;

		for (; at > 0 && gaps[at - 1] > took; at--)
			gaps[at] = gaps[at - 1];
		gaps[at] = took;
	}
	measuring = false;
	counted = ms_counter() - counted;
	if (counted > 0 && gaps[TIMES / 2] > 0)
		delivery = gaps[TIMES / 2] * (ms_timer_wall() - began) / counted;
}

/*
 * The time to the handler of this sample: interrupt and signal found the caches full of the
 * program's data. The kernel does not report where the timer expired. If it expired in the kernel,
 * the measurement above is used.
 */
static uint64_t way_here(const struct ms_timed *s, uint64_t began)
{
	enum { LONGEST_WAY = 200000 };
	uint64_t late = began - s->expires;

	return s->expires != 0 && began > s->expires && late < LONGEST_WAY ? late : delivery;
}

/*
 * The mean of about the last eight. The return is assumed to take as long as the way to the
 * handler: the kernel found the caches full of the program's data, and now the program finds them
 * full of the kernel's. That cannot be measured from inside.
 */
static void count_cost(struct ms_timed *s, uint64_t way, uint64_t handling)
{
	uint64_t took = 2 * way + handling;

	s->cost = s->cost == 0 ? (uint32_t)took : (uint32_t)((s->cost * UINT64_C(7) + took) / 8);
}

/* What the handling of blocks, recorded or not, leaves of the permitted time; at least half. */
static void find_left(struct ms_thread *t, uint64_t cpu)
{
	uint64_t spent = cpu > 0 ? t->thin.spent * 1000000 / cpu : 0, half = ms_config.wish / 2;

	t->timed.left = ms_config.wish - (spent < half ? spent : half);
}

/* The period between two samples that keeps this one within its share. */
static uint64_t period_for(const struct ms_timed *s)
{
	uint64_t mean = ms_config.sample;

	if (ms_config.wish != 0) {
		uint64_t least = (uint64_t)s->cost * 1000000 / s->left;

		if (mean < least)
			mean = least;
	}
	return mean < LONGEST ? mean : LONGEST;
}

static void arm(struct ms_thread *t)
{
	struct ms_timed *s = &t->timed;

	s->armed = ms_timer_vary(&s->random, period_for(s));
	ms_timer_arm(t, s->armed);
	s->expires = t->timer.fd != 0 ? ms_timer_cpu() + s->armed : 0;
}

/* As if the thread had begun long ago: so threads that are shorter than a period are sampled too,
 * in proportion to their time. */
static void arm_first(struct ms_thread *t)
{
	struct ms_timed *s = &t->timed;

	s->armed = period_for(s);
	ms_timer_arm(t, 1 + ms_timer_random(&s->random) % s->armed);
}

/* --- a sample --- */

/* How much of the code around pc is certainly readable: its module's, or the rest of its page. */
static void extent(const struct ms_module *m, uint64_t pc, struct ms_wire_sample *sample)
{
	uint64_t start = m != NULL ? m->start : pc & ~(uint64_t)(MS_PAGE - 1);
	uint64_t end = m != NULL ? m->end : start + MS_PAGE;

	sample->before = (uint16_t)(pc - start < BEFORE ? pc - start : BEFORE);
	sample->after = (uint16_t)(end - pc < AFTER ? end - pc : AFTER);
}

/* The kernel's clock counts the program's own code; the other clock counts all CPU time of the
 * thread. */
static uint64_t passed(struct ms_thread *t)
{
	uint64_t before = t->timed.cpu;

	if (t->timer.fd != 0)
		return t->timed.armed;
	t->timed.cpu = ms_timer_cpu();
	return t->timed.cpu - before;
}

static void tell(struct ms_thread *t, const uint64_t *uc, const struct ms_module *m, uint64_t time,
		 uint16_t flags)
{
	struct {
		struct ms_wire_sample sample;
		uint64_t regs[MS_UCONTEXT_REGS];
	} told = { .sample = {
			   .pc = uc[MS_UCONTEXT_PC],
			   .nanoseconds = time,
			   .thread_pointer = t->pointer,
			   .lost = t->timed.lost,
			   .cost = t->timed.cost,
			   .regs = MS_UCONTEXT_REGS,
			   .flags = (uint16_t)(flags | (t->in_heap ? MS_WIRE_SAMPLE_IN_HEAP : 0) |
					       (t->timer.fd == 0 ? MS_WIRE_SAMPLE_TICK : 0)) } };
	uint64_t pc = told.sample.pc;

	extent(m, pc, &told.sample);
	ms_ucontext_regs(uc, told.regs);
	ms_lane_event(t, MS_WIRE_SAMPLE, t->number, &told, sizeof(told) / 8,
		      (const char *)(pc - told.sample.before),
		      (uint32_t)told.sample.before + told.sample.after);
	if ((flags & MS_WIRE_SAMPLE_LEARNT) == 0)
		t->timed.lost = 0;
}

/* Memspy should soon get the first samples, and then select the events it needs. */
static bool is_one_of_the_first(uint64_t n)
{
	enum { FIRST = 8, LAST = 256 };

	return n >= FIRST && n <= LAST && (n & (n - 1)) == 0;
}

static void take(struct ms_thread *t, const uint64_t *uc, const struct ms_module *m, uint64_t time)
{
	static uint64_t all;
	uint64_t n = __atomic_fetch_add(&all, 1, __ATOMIC_RELAXED);
	uint64_t site = ms_lane_wanted(uc[MS_UCONTEXT_PC]);
	bool watched = site != 0 && ms_learn_watch(t, site);

	if (ms_thin_is_on()) /* the heap may have grown for blocks that were not recorded */
		ms_maps_grown(t);
	tell(t, uc, m, time, watched ? MS_WIRE_SAMPLE_WATCHED : 0);
	if (is_one_of_the_first(n))
		ms_lane_hand_over(t);
}

void ms_timed_learnt(struct ms_thread *t, const uint64_t *uc)
{
	if (t->busy || t->ended || t->stopped)
		return;
	t->busy = 1;
	tell(t, uc, ms_maps_module(uc[MS_UCONTEXT_PC]), 0, MS_WIRE_SAMPLE_LEARNT);
	t->busy = 0;
}

/* Other threads may have requested meanwhile that all threads be counted again; an untraced thread
 * notices that here. */
static void listen(struct ms_thread *t)
{
	if (!t->stopped || t->ended || t->busy)
		return;
	t->busy = 1;
	ms_lane_turn(t);
	t->busy = 0;
}

static void expired(struct ms_thread *t, uint64_t *uc)
{
	struct ms_timed *s = &t->timed;
	uint64_t began = ms_timer_cpu(), time = passed(t);
	const struct ms_module *m;

	if (measuring) {
		met++;
		return;
	}
	listen(t);
	if (t->ended || t->stopped) {
		if (!t->ended)
			arm(t);
		return;
	}
	uint64_t here = way_here(s, began);
	if (t->busy) {
		s->lost++;
	} else {
		t->busy = 1;
		m = ms_maps_find(t, uc[MS_UCONTEXT_PC]);
		if (m != NULL && m->own)
			s->lost++;
		else
			take(t, uc, m, time);
		t->busy = 0;
	}
	find_left(t, began);
	arm(t);
	count_cost(s, here, ms_timer_cpu() - began);
}

bool ms_timed_start(struct ms_thread *t)
{
	if (!ms_altstack_make(t))
		return false;
	measure_signal(t->tid);
	if (!ms_timer_start(expired)) {
		ms_say("memspy: nothing was sampled: the program, or who started it, has taken "
		       "signal %u",
		       (uint64_t)MS_TIMER_SIGNAL);
		return false;
	}
	ms_learn_start();
	if (ms_timer_make(t)) {
		ms_timer_open(t);
		measure_delivery(t);
	}
	ms_timed_thread(t);
	return true;
}

void ms_timed_thread(struct ms_thread *t)
{
	t->timed = (struct ms_timed){ .random = ms_config.seed * 0x10001 + t->number,
				      .left = ms_config.wish };
	if (!ms_altstack_make(t))
		return;
	if (!ms_timer_make(t)) {
		ms_say("memspy: thread %u was not sampled: the kernel has no timer for it",
		       (uint64_t)t->number);
		return;
	}
	t->timed.cpu = ms_timer_cpu();
	arm_first(t);
	ms_timer_open(t);
}

void ms_timed_resume(struct ms_thread *t)
{
	if (t->ended)
		return;
	t->timed.cpu = ms_timer_cpu();
	arm(t);
}
