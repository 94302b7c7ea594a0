/*
 * timer_sampling.c - the program runs natively. From time to time a timer of its CPU time stops a
 * thread, and its state is recorded: pc, registers, the code around the pc. memspy finds out which
 * load or store the thread had waited for (src/decode).
 *
 * The event is in the lane among those of malloc and free, so that the address can be looked up in
 * the heap of that moment. While the runtime itself is at work for the thread, nothing can be
 * written: such samples are counted, and the count is sent with the next one.
 *
 * The cost is measured. A sample that takes more than its share of the time makes the next ones
 * rarer.
 */
#include "sampling/timer_sampling.h"

#include "heap/alloc_sampling.h"
#include "maps/maps.h"
#include "raw_syscall.h"
#include "runtime/clock.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/thread_state.h"
#include "sampling/breakpoint_probe.h"
#include "sampling/fault_probe.h"
#include "signals/altstack.h"
#include "signals/cpu_timer.h"
#include "signals/signal_action.h"
#include "ucontext_layout.h"
#include "unwind/unwind.h"
#include "wire/wire.h"

enum { CODE_BEFORE = 192, AFTER = 64, LONGEST = 1000 * 1000 * 1000 };
enum { SHARED_COST = 2000 }; /* ns, about, of a sample whose signal a speed probe needs anyway */
_Static_assert((int)MS_SIGNALS_UCONTEXT_REGS <= (int)MS_WIRE_SAMPLE_REGS, "wire layout");
_Static_assert(CODE_BEFORE <= (int)MS_WIRE_SAMPLE_CODE && AFTER <= (int)MS_WIRE_SAMPLE_CODE,
	       "wire layout");

/* --- the cost of a sample --- */

static uint64_t delivery; /* nanoseconds from the timer's expiry to its handler and back */
static volatile bool measuring;
static volatile uint32_t deliveries; /* while that is measured */

static void ignore_signal(int signal)
{
	(void)signal;
}

static void measure_one(long pid, uint32_t tid)
{
	uint64_t began = ms_runtime_read_cpu_clock();

	ms_runtime_syscall(__NR_tgkill, pid, tid, MS_SIGNALS_TIMER_SIGNAL, 0, 0, 0);
	uint64_t took = ms_runtime_read_cpu_clock() - began;
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
	const uint64_t bit = UINT64_C(1) << (MS_SIGNALS_TIMER_SIGNAL - 1);
	const struct ms_signals_sigaction ours =
		ms_signals_make_memspy_action((uint64_t)ignore_signal);
	struct ms_signals_sigaction was;
	long pid = ms_runtime_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
	uint64_t pending = 0, mask = 0;

	ms_runtime_syscall(__NR_rt_sigpending, (long)&pending, 8, 0, 0, 0, 0);
	if ((pending & bit) != 0 ||
	    ms_signals_set_action(MS_SIGNALS_TIMER_SIGNAL, &ours, &was) != 0)
		return;
	ms_runtime_syscall(__NR_rt_sigprocmask, UNBLOCK, (long)&bit, (long)&mask, 8, 0, 0);
	for (uint32_t i = 0; i < TIMES; i++)
		measure_one(pid, tid);
	ms_runtime_syscall(__NR_rt_sigprocmask, SET, (long)&mask, 0, 8, 0, 0);
	ms_signals_set_action(MS_SIGNALS_TIMER_SIGNAL, &was, NULL);
}

/* How long the thread, which only reads the counter, was stopped; 0: it was not. */
static uint64_t measure_gap(struct ms_runtime_thread *t)
{
	enum { SOON = 20000, MOST = 100000 };
	uint32_t was = deliveries;
	uint64_t before = 0, now = ms_runtime_read_counter();

	ms_signals_arm_timer(t, SOON);
	for (uint32_t i = 0; deliveries == was; i++) {
		if (i == MOST)
			return 0;
		before = now;
		now = ms_runtime_read_counter();
	}
	return ms_runtime_read_counter() - before;
}

/*
 * The kernel's part of a sample: the interrupt, which in a virtual machine may take longer than all
 * the rest, the signal, and the return. The median of some.
 */
static void measure_delivery(struct ms_runtime_thread *t)
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);
	enum { TIMES = 7 };
	uint64_t gaps[TIMES], began = ms_runtime_read_wall_clock(),
			      counted = ms_runtime_read_counter(),
			      cpu = ms_runtime_read_cpu_clock();

	if (timer->fd == 0 || timer->kernel_blocked)
		return;
	measuring = true;
	for (uint32_t i = 0; i < TIMES; i++) {
		uint64_t took = measure_gap(t);
		uint32_t at = i;

		for (; at > 0 && gaps[at - 1] > took; at--)
			gaps[at] = gaps[at - 1];
		gaps[at] = took;
	}
	measuring = false;
	counted = ms_runtime_read_counter() - counted;
	if (counted > 0 && gaps[TIMES / 2] > 0)
		delivery = gaps[TIMES / 2] * (ms_runtime_read_wall_clock() - began) / counted;
	/* On a busy machine the gaps contain the time of other processes. */
	cpu = (ms_runtime_read_cpu_clock() - cpu) / TIMES;
	if (delivery > cpu)
		delivery = cpu;
}

/*
 * The time to the handler of this sample: interrupt and signal found the caches full of the
 * program's data. The kernel does not report where the timer expired. If it expired in the kernel,
 * the measurement above is used.
 */
static uint64_t get_delivery_time(const struct ms_sampling_timer_state *s, uint64_t began)
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
static void update_cost(struct ms_sampling_timer_state *s, uint64_t delivery_time,
			uint64_t handling)
{
	uint64_t took = 2 * delivery_time + handling;

	s->cost = s->cost == 0 ? (uint32_t)took : (uint32_t)((s->cost * UINT64_C(7) + took) / 8);
}

uint64_t ms_sampling_get_delivery_cost(void)
{
	return 2 * delivery;
}

/* What the handling of blocks, recorded or not, and samples of page faults leave of the permitted
 * time; at least half. */
static void update_budget(struct ms_runtime_thread *t, uint64_t cpu)
{
	uint64_t used = ms_heap_get_alloc_sampling(t)->spent +
			ms_sampling_get_fault_probe(t)->spent,
		 spent = cpu > 0 ? used * 1000000 / cpu : 0,
		 half = ms_runtime_config.max_overhead_ppm / 2;

	ms_sampling_get_timer_state(t)->overhead_left =
		ms_runtime_config.max_overhead_ppm - (spent < half ? spent : half);
}

/* The period between two samples that keeps this one within its share. If the user has chosen the
 * rate, that is half of the time: a program whose samples take longer than the period between them
 * would make no progress. */
static uint64_t period_for(const struct ms_sampling_timer_state *s)
{
	uint64_t mean = ms_runtime_config.sample_interval != 0
				? ms_runtime_config.sample_interval
				: ms_runtime_config.native_sample_interval;

	uint64_t least = ms_runtime_config.max_overhead_ppm != 0
				 ? (uint64_t)s->cost * 1000000 / s->overhead_left
				 : s->cost;

	if (mean < least)
		mean = least;
	return mean < LONGEST ? mean : LONGEST;
}

uint64_t ms_sampling_draw_sample_interval(struct ms_runtime_thread *t)
{
	struct ms_sampling_timer_state *s = ms_sampling_get_timer_state(t);

	return ms_runtime_vary_interval(&s->random, period_for(s));
}

static void arm(struct ms_runtime_thread *t)
{
	struct ms_sampling_timer_state *s = ms_sampling_get_timer_state(t);

	s->armed = ms_sampling_draw_sample_interval(t);
	ms_signals_arm_timer(t, s->armed);
	s->expires = ms_signals_get_timer(t)->fd != 0 ? ms_runtime_read_cpu_clock() + s->armed : 0;
}

/* As if the thread had begun long ago: so threads that are shorter than a period are sampled too,
 * in proportion to their time. */
static void arm_first(struct ms_runtime_thread *t)
{
	struct ms_sampling_timer_state *s = ms_sampling_get_timer_state(t);

	s->armed = period_for(s);
	ms_signals_arm_timer(t, 1 + ms_runtime_draw_random(&s->random) % s->armed);
}

/* --- a sample --- */

/* How much of the code around pc is certainly readable: its module's, or the rest of its page. */
static void find_code_extent(const struct ms_maps_loaded_module *m, uint64_t pc,
			     struct ms_wire_sample *sample)
{
	uint64_t start = m != NULL ? m->start : pc & ~(uint64_t)(MS_RUNTIME_PAGE_BYTES - 1);
	uint64_t end = m != NULL ? m->end : start + MS_RUNTIME_PAGE_BYTES;

	sample->before = (uint16_t)(pc - start < CODE_BEFORE ? pc - start : CODE_BEFORE);
	sample->after = (uint16_t)(end - pc < AFTER ? end - pc : AFTER);
}

/* The kernel's clock counts the program's own code; the other clock counts all CPU time of the
 * thread. */
static uint64_t get_elapsed(struct ms_runtime_thread *t)
{
	struct ms_sampling_timer_state *s = ms_sampling_get_timer_state(t);
	uint64_t before = s->cpu;

	if (ms_signals_get_timer(t)->fd != 0)
		return s->armed;
	s->cpu = ms_runtime_read_cpu_clock();
	return s->cpu - before;
}

/* Fills in what all samples have. flags: beside those of the thread. */
static struct ms_wire_sample describe_sample(struct ms_runtime_thread *t, uint64_t pc,
					     uint64_t time, uint32_t cost, uint16_t flags)
{
	if (t->in_heap)
		flags |= MS_WIRE_SAMPLE_IN_HEAP;
	if (ms_signals_get_timer(t)->fd == 0)
		flags |= MS_WIRE_SAMPLE_TICK;
	return (struct ms_wire_sample){ .pc = pc,
					.nanoseconds = time,
					.thread_pointer = t->thread_pointer,
					.cost = cost,
					.flags = flags };
}

/* The calls that led to the interrupted instruction; samples between windows need none. */
static void write_calls(struct ms_runtime_thread *t, const uint64_t *uc)
{
	static const uint8_t at[MS_UNWIND_CALLEE_SAVED_COUNT] = MS_SIGNALS_UCONTEXT_CALLEE_SAVED;
	struct ms_unwind_frame frame = { .pc = uc[MS_SIGNALS_UCONTEXT_PC],
					 .sp = uc[MS_SIGNALS_UCONTEXT_SP],
					 .interrupted = true };

	if (ms_runtime_config.sample_interval == 0 || ms_maps_is_other_unloading(t))
		return;
	if (MS_SIGNALS_UCONTEXT_LINK != 0)
		frame.link = uc[MS_SIGNALS_UCONTEXT_LINK];
	for (uint32_t i = 0; i < MS_UNWIND_CALLEE_SAVED_COUNT; i++)
		frame.callee_saved[i] = uc[at[i]];
	ms_unwind_report_calls(t, &frame);
}

/* lost: samples, or page faults; see MS_WIRE_SAMPLE_FAULT. */
static void write_sample(struct ms_runtime_thread *t, const uint64_t *uc,
			 const struct ms_maps_loaded_module *m, uint64_t time, uint32_t cost,
			 uint16_t flags, uint32_t lost)
{
	uint64_t pc = uc[MS_SIGNALS_UCONTEXT_PC];
	struct {
		struct ms_wire_sample sample;
		uint64_t regs[MS_SIGNALS_UCONTEXT_REGS];
	} record = { .sample = describe_sample(t, pc, time, cost, flags) };

	record.sample.lost = lost;
	record.sample.regs = MS_SIGNALS_UCONTEXT_REGS;
	find_code_extent(m, pc, &record.sample);
	ms_signals_read_ucontext_regs(uc, record.regs);
	if ((flags & MS_WIRE_SAMPLE_LEARNT) == 0)
		write_calls(t, uc);
	ms_runtime_write_event(t, MS_WIRE_SAMPLE, t->number, &record, sizeof(record) / 8,
			       (const char *)(pc - record.sample.before),
			       (uint32_t)record.sample.before + record.sample.after);
}

/*
 * The timer is restricted to user code: when it expires in the kernel, it starts once more with the
 * same period. So a signal that is late by periods says how often it has found the thread there.
 */
void ms_sampling_count_kernel_time(struct ms_runtime_thread *t, uint64_t began)
{
	struct ms_sampling_timer_state *s = ms_sampling_get_timer_state(t);

	if (s->expires != 0 && began > s->expires && s->armed != 0)
		s->kernel += (began - s->expires) / s->armed * s->armed;
}

static void write_kernel_time(struct ms_runtime_thread *t)
{
	struct ms_sampling_timer_state *s = ms_sampling_get_timer_state(t);
	struct ms_wire_sample sample =
		describe_sample(t, 0, s->armed, s->cost, MS_WIRE_SAMPLE_KERNEL);

	if (s->kernel < s->armed || s->armed == 0)
		return;
	sample.lost = (uint32_t)(s->kernel / s->armed);
	s->kernel -= sample.lost * s->armed;
	ms_runtime_write_event(t, MS_WIRE_SAMPLE, t->number, &sample, sizeof(sample) / 8, NULL, 0);
}

/* Memspy should soon get the first samples, and then select the events it needs; later ones while
 * the code that they are about still runs. */
static bool is_handed_over(uint64_t n)
{
	enum { FIRST = 8, EACH = 32 };

	return n % EACH == 0 || (n >= FIRST && (n & (n - 1)) == 0);
}

/* alone: the thread continues natively, so that a breakpoint can stop it; else a speed probe has
 * caused the signal, and most of the cost. */
static void take_sample(struct ms_runtime_thread *t, const uint64_t *uc,
			const struct ms_maps_loaded_module *m, uint64_t time, bool alone)
{
	static uint64_t all;
	struct ms_sampling_timer_state *s = ms_sampling_get_timer_state(t);
	uint64_t n = __atomic_fetch_add(&all, 1, __ATOMIC_RELAXED);
	uint64_t site = alone ? ms_runtime_find_wanted_site(uc[MS_SIGNALS_UCONTEXT_PC]) : 0;
	bool watched = site != 0 && ms_sampling_set_breakpoint(t, site);

	if (ms_heap_is_alloc_sampling()) /* the heap may have grown for blocks that were not
					    recorded */
		ms_maps_check_heap_growth(t);
	write_kernel_time(t);
	write_sample(t, uc, m, time, alone ? s->cost : SHARED_COST,
		     watched ? MS_WIRE_SAMPLE_WATCHED : 0, s->lost);
	s->lost = 0;
	if (is_handed_over(n))
		ms_runtime_hand_over_chunk(t);
}

/* The thread was stopped by another event than its timer's, before the instruction at pc. */
static void record_here(struct ms_runtime_thread *t, const uint64_t *uc, uint64_t time,
			uint16_t flags, uint32_t lost)
{
	if (t->busy || t->ended || t->stopped || t->traced)
		return;
	t->busy = 1;
	if ((flags & MS_WIRE_SAMPLE_FAULT) != 0) /* the allocator touches what the heap grew by */
		ms_maps_check_heap_growth(t);
	write_sample(t, uc, ms_maps_find_module(uc[MS_SIGNALS_UCONTEXT_PC]), time,
		     ms_sampling_get_timer_state(t)->cost, flags, lost);
	t->busy = 0;
}

void ms_sampling_record_probed_sample(struct ms_runtime_thread *t, const uint64_t *uc)
{
	record_here(t, uc, 0, MS_WIRE_SAMPLE_LEARNT, 0);
}

void ms_sampling_record_fault(struct ms_runtime_thread *t, const uint64_t *uc, uint32_t faults,
			      uint64_t nanoseconds)
{
	record_here(t, uc, nanoseconds, MS_WIRE_SAMPLE_FAULT, faults);
}

static void handle_event(struct ms_runtime_thread *t, int32_t fd, uint64_t *uc)
{
	ms_sampling_handle_breakpoint(t, fd, uc);
	ms_sampling_handle_fault(t, fd, uc);
}

/* Other threads may have requested meanwhile that all threads be counted again; an untraced thread
 * notices that here. */
static void check_recording(struct ms_runtime_thread *t)
{
	if (!t->stopped || t->ended || t->busy)
		return;
	t->busy = 1;
	ms_runtime_end_chunk(t);
	t->busy = 0;
}

void ms_sampling_sample_interrupted(struct ms_runtime_thread *t, const uint64_t *uc, uint64_t time,
				    bool alone)
{
	struct ms_sampling_timer_state *s = ms_sampling_get_timer_state(t);
	const struct ms_maps_loaded_module *m;

	if (t->busy) {
		s->lost++;
		return;
	}
	t->busy = 1;
	/* Page faults of the handler, which unwinds the stack, are not the program's. */
	ms_signals_pause_companion(t);
	m = ms_maps_find_or_scan_module(t, uc[MS_SIGNALS_UCONTEXT_PC]);
	if (m != NULL && m->is_memspy)
		s->lost++;
	else
		take_sample(t, uc, m, time, alone);
	ms_signals_resume_companion(t);
	t->busy = 0;
}

uint64_t ms_sampling_charge_sample(struct ms_runtime_thread *t, uint64_t began)
{
	struct ms_sampling_timer_state *s = ms_sampling_get_timer_state(t);
	uint64_t delivery_took = get_delivery_time(s, began);

	update_cost(s, delivery_took, ms_runtime_read_cpu_clock() - began);
	return delivery_took;
}

static void expired(struct ms_runtime_thread *t, uint64_t *uc)
{
	struct ms_sampling_timer_state *s = ms_sampling_get_timer_state(t);
	uint64_t began = ms_runtime_read_cpu_clock(), time = get_elapsed(t);

	if (measuring) {
		deliveries++;
		return;
	}
	check_recording(t);
	if (t->ended || t->stopped) {
		if (!t->ended)
			arm(t);
		return;
	}
	uint64_t delivery_took = get_delivery_time(s, began);
	ms_sampling_count_kernel_time(t, began);
	ms_sampling_sample_interrupted(t, uc, time, true);
	update_budget(t, began);
	arm(t);
	update_cost(s, delivery_took, ms_runtime_read_cpu_clock() - began);
}

bool ms_sampling_start_timer_sampling(struct ms_runtime_thread *t)
{
	if (!ms_signals_create_altstack(t))
		return false;
	measure_signal(t->tid);
	if (!ms_signals_start_timers(expired)) {
		ms_runtime_log_message(
			"memspy: nothing was sampled: the program, or its parent, has taken "
			"signal %u",
			(uint64_t)MS_SIGNALS_TIMER_SIGNAL);
		return false;
	}
	ms_signals_set_event_handler(handle_event);
	ms_sampling_measure_fault();
	if (ms_signals_create_timer(t)) {
		ms_signals_unblock_timer(t);
		measure_delivery(t);
	}
	ms_sampling_start_timer_thread(t);
	return true;
}

/* Between windows the delivery is not measured in advance; most samples measure their own. */
void ms_sampling_init_timer_state(struct ms_runtime_thread *t)
{
	enum { USUAL_DELIVERY = 15 * 1000 };

	*ms_sampling_get_timer_state(t) = (struct ms_sampling_timer_state){
		.random = ms_runtime_config.seed * 0x10001 + t->number,
		.overhead_left = ms_runtime_config.max_overhead_ppm
	};
	if (delivery == 0)
		delivery = USUAL_DELIVERY;
}

void ms_sampling_start_timer_thread(struct ms_runtime_thread *t)
{
	struct ms_sampling_timer_state *s = ms_sampling_get_timer_state(t);

	ms_sampling_init_timer_state(t);
	if (!ms_signals_create_altstack(t))
		return;
	if (!ms_signals_create_timer(t)) {
		ms_runtime_log_message(
			"memspy: thread %u was not sampled: the kernel has no timer for it",
			(uint64_t)t->number);
		return;
	}
	s->cpu = ms_runtime_read_cpu_clock();
	ms_sampling_start_fault_probe(t, ms_runtime_draw_random(&s->random));
	arm_first(t);
	ms_signals_unblock_timer(t);
}

void ms_sampling_resume_timer_sampling(struct ms_runtime_thread *t)
{
	if (t->ended)
		return;
	ms_sampling_get_timer_state(t)->cpu = ms_runtime_read_cpu_clock();
	arm(t);
}
