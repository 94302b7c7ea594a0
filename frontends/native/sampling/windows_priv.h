/* windows_priv.h - what windows.c, window_timers.c and window_reports.c share. */
#ifndef MS_NATIVE_SAMPLING_WINDOWS_PRIV_H
#define MS_NATIVE_SAMPLING_WINDOWS_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/thread_state.h"
#include "sampling/window_plan.h"
#include "tracer/tracer.h"
#include "wire/wire.h"

extern struct ms_sampling_windows {
	uint32_t number;
	bool open, closing;
	uint32_t inside; /* threads */
	uint32_t joined; /* threads that entered this window, or the previous one */
	struct ms_sampling_window_plan plan;
	struct ms_wire_window in; /* of the window that is open */
	uint64_t records;         /* in this window, ... */
	uint64_t exits;           /* ... and in the previous one, per 1024 references */
	uint32_t reported;        /* the last stratum that was sent in the stream */
} ms_sampling_windows;

static inline bool ms_sampling_is_head(void)
{
	return ms_sampling_is_head_window(ms_sampling_windows.number);
}

static inline bool ms_sampling_is_probing_speed(const struct ms_runtime_thread *t)
{
	return t->sampled.code == MS_TRACER_CODE_COUNTS_REFS;
}

/* --- windows.c --- */

/* Called on the only thread, when sampling begins; whether it is to be traced. */
bool ms_sampling_begin_windows(struct ms_runtime_thread *first);
/* Writes the start or the end of a window; MS_RUNTIME_LOCK_SAMPLING is held. */
void ms_sampling_write_window_open(struct ms_runtime_thread *t);
void ms_sampling_write_window_close(struct ms_runtime_thread *t);
/* The thread leaves the window, to wait or to continue natively; the last thread closes it. */
void ms_sampling_leave_window(struct ms_runtime_thread *t);

/* --- window_timers.c --- */

/* The timer of the thread has expired. */
void ms_sampling_handle_expiry(struct ms_runtime_thread *t, uint64_t *uc);
/* The timer expires after so much CPU time of the thread, or later after attempts that failed. */
void ms_sampling_arm_at_least(struct ms_runtime_thread *t, uint64_t interval);
void ms_sampling_arm_next_probe(struct ms_runtime_thread *t);
/* The thread is to enter the open window. */
void ms_sampling_call_into_window(struct ms_runtime_thread *t);

#endif
