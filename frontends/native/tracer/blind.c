/*
 * blind.c - reports the untraced times between a window that ended too early and the next one:
 * their number, their reason, and the CPU time that the thread used in them.
 *
 * An untraced time is reported when the thread is traced again or when the program ends. So the
 * stream is also right about a program that is killed, up to that moment.
 */
#include "runtime.h"
#include "runtime/clock.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/thread_state.h"
#include "sample.h"
#include "tracer.h"
#include "tracer/window.h"
#include "wire/wire.h"

enum { PROCESS_CLOCK = 2 };

/* Where only windows are simulated, the time between them is known to be missing. */
static bool is_missed(void)
{
	return ms_config.window >= ms_config.period;
}

void ms_blind_begin(struct ms_thread *t, uint32_t why)
{
	struct ms_window *w = ms_window_of(t);

	if (w->blind || why == MS_END_ASKED)
		return;
	w->blind = true;
	w->blind_why = why;
	w->blind_since = is_missed() ? ms_timer_of((uint32_t)w->tid) : 0;
}

bool ms_blind_is(const struct ms_thread *t)
{
	return ms_on && !t->traced && !t->busy && (is_missed() || ms_sample_misses_nothing()) &&
	       ((const struct ms_window *)t->tracer)->blind;
}

/* The reason reported last; MS_WIRE_UNTRACED_REASONS: none yet. */
static uint32_t last_reason = MS_WIRE_UNTRACED_REASONS;

static void tell(struct ms_thread *t, uint32_t reason, uint64_t times, uint64_t nanoseconds)
{
	struct ms_wire_untraced words = { times, nanoseconds, ms_timer_clock(PROCESS_CLOCK) };

	last_reason = reason;
	ms_lane_event(t, MS_WIRE_UNTRACED, reason, &words, sizeof(words) / 8, NULL, 0);
}

void ms_blind_tell(struct ms_thread *t, struct ms_thread *of)
{
	static const uint8_t reasons[MS_END_KINDS] = {
		[MS_END_CODE] = MS_WIRE_UNTRACED_CODE,
		[MS_END_INSTRUCTION] = MS_WIRE_UNTRACED_INSTRUCTION,
		[MS_END_SEGMENT] = MS_WIRE_UNTRACED_REGISTER,
		[MS_END_FULL] = MS_WIRE_UNTRACED_CACHE,
		[MS_END_FAULT] = MS_WIRE_UNTRACED_FAULT,
		[MS_END_OWN] = MS_WIRE_UNTRACED_BELOW,
	};
	struct ms_window *w = ms_window_of(of);
	uint64_t now;

	if (!__atomic_exchange_n(&w->blind, false, __ATOMIC_SEQ_CST))
		return;
	now = w->blind_since != 0 ? ms_timer_of((uint32_t)w->tid) : 0;
	/* A thread that has ended has no clock. */
	tell(t, reasons[w->blind_why], 1, now > w->blind_since ? now - w->blind_since : 0);
}

void ms_tracer_tell(struct ms_thread *t, bool to_its_end, uint64_t threads)
{
	for (struct ms_thread *of = ms_window_all; of != NULL; of = ms_window_of(of)->next)
		ms_blind_tell(t, of);
	if (to_its_end)
		tell(t, MS_WIRE_UNTRACED_CALLS, 1, 0);
	if (threads != 0)
		tell(t, MS_WIRE_UNTRACED_THREADS, threads, 0);
	/* The number of times is zero: only their CPU time, known only now, is added. */
	if (last_reason != MS_WIRE_UNTRACED_REASONS)
		tell(t, last_reason, 0, 0);
}
