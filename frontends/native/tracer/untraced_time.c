/*
 * untraced_time.c - reports the untraced times between a window that ended too early and the next
 * one: their number, their reason, and the CPU time that the thread used in them.
 *
 * An untraced time is reported when the thread is traced again or when the program ends. So the
 * stream is also right about a program that is killed, up to that moment.
 */
#include "runtime/clock.h"
#include "runtime/config.h"
#include "runtime/hooks.h"
#include "runtime/lanes.h"
#include "runtime/runtime.h"
#include "runtime/thread_state.h"
#include "tracer/tracer.h"
#include "tracer/window.h"
#include "wire/wire.h"

enum { PROCESS_CLOCK = 2 };

/* Where only windows are simulated, the time between them is known to be missing. */
static bool is_time_missed(void)
{
	return ms_runtime_config.window >= ms_runtime_config.period;
}

void ms_tracer_begin_untraced_time(struct ms_runtime_thread *t, uint32_t why)
{
	struct ms_tracer_window *w = ms_tracer_get_window(t);

	if (w->is_untraced || why == MS_TRACER_END_ASKED)
		return;
	w->is_untraced = true;
	w->untraced_reason = why;
	w->untraced_since = is_time_missed() ? ms_runtime_read_thread_clock((uint32_t)w->tid) : 0;
}

bool ms_tracer_is_in_untraced_time(const struct ms_runtime_thread *t)
{
	return ms_runtime_active && !t->traced && !t->busy &&
	       (is_time_missed() || ms_native_hooks.is_everything_counted()) &&
	       ((const struct ms_tracer_window *)t->tracer)->is_untraced;
}

/* The reason reported last; MS_WIRE_UNTRACED_REASONS: none yet. */
static uint32_t last_reason = MS_WIRE_UNTRACED_REASONS;

static void report(struct ms_runtime_thread *t, uint32_t reason, uint64_t times,
		   uint64_t nanoseconds)
{
	struct ms_wire_untraced words = { times, nanoseconds,
					  ms_runtime_read_clock(PROCESS_CLOCK) };

	last_reason = reason;
	ms_runtime_write_event(t, MS_WIRE_UNTRACED, reason, &words, sizeof(words) / 8, NULL, 0);
}

void ms_tracer_report_untraced_time(struct ms_runtime_thread *t, struct ms_runtime_thread *of)
{
	static const uint8_t reasons[MS_TRACER_END_KINDS] = {
		[MS_TRACER_END_CODE] = MS_WIRE_UNTRACED_CODE,
		[MS_TRACER_END_INSTRUCTION] = MS_WIRE_UNTRACED_INSTRUCTION,
		[MS_TRACER_END_SEGMENT] = MS_WIRE_UNTRACED_REGISTER,
		[MS_TRACER_END_FULL] = MS_WIRE_UNTRACED_CACHE,
		[MS_TRACER_END_FAULT] = MS_WIRE_UNTRACED_FAULT,
		[MS_TRACER_END_OWN] = MS_WIRE_UNTRACED_BELOW,
	};
	struct ms_tracer_window *w = ms_tracer_get_window(of);
	uint64_t now;

	if (!__atomic_exchange_n(&w->is_untraced, false, __ATOMIC_SEQ_CST))
		return;
	now = w->untraced_since != 0 ? ms_runtime_read_thread_clock((uint32_t)w->tid) : 0;
	/* A thread that has ended has no clock. */
	report(t, reasons[w->untraced_reason], 1,
	       now > w->untraced_since ? now - w->untraced_since : 0);
}

void ms_tracer_report_all_untraced(struct ms_runtime_thread *t, bool to_its_end, uint64_t threads)
{
	for (struct ms_runtime_thread *of = ms_tracer_traced_threads; of != NULL;
	     of = ms_tracer_get_window(of)->next)
		ms_tracer_report_untraced_time(t, of);
	if (to_its_end)
		report(t, MS_WIRE_UNTRACED_CALLS, 1, 0);
	if (threads != 0)
		report(t, MS_WIRE_UNTRACED_THREADS, threads, 0);
	/* The number of times is zero: only their CPU time, known only now, is added. */
	if (last_reason != MS_WIRE_UNTRACED_REASONS)
		report(t, last_reason, 0, 0);
}
