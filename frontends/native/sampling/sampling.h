/*
 * sampling.h - windows of a sampled program. The program runs natively, and parts of it (windows)
 * are traced. The windows of all threads are open at the same time.
 *
 *    ms_sampling_start      once
 *    ms_sampling_start_thread     for each thread, on it: starts its timer
 *    ms_sampling_may_continue         whenever the tracer continues; false: natively
 */
#ifndef MS_NATIVE_SAMPLING_SAMPLING_H
#define MS_NATIVE_SAMPLING_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/thread_state.h"
#include "wire/wire.h"

struct ms_runtime_thread;

enum { MS_SAMPLING_MAX_SEGMENTS = 12 }; /* at most, of a speed probe */

/* Part of struct ms_runtime_thread. */
struct ms_sampling_thread {
	bool has_timer;          /* it has a timer */
	bool called;             /* it was called to enter the window */
	bool runs_natively;      /* it runs natively, or did until just now */
	bool traced_for_syscall; /* traced up to a system call: see traced_syscall.h */
	uint16_t checks_left;    /* checks for which it stays traced because of that */
	uint8_t missed_calls;    /* consecutive windows that it did not enter in time ... */
	uint8_t failed_windows;  /* ... consecutive times that tracing ended too soon */
	bool ignored_as_slow;    /* it is not waited for in this window */
	uint64_t from;           /* references of the other threads when it entered */
	bool left_for_syscall;   /* it left the open window for a system call ... */
	uint32_t joined_before;  /* ... when so many threads had entered it */
	uint32_t windows;        /* number of its last window, from 1 */
	bool is_absent;          /* it did not open the window that it was to open */
	bool is_spinning;        /* it was in a spin loop when it last called C */
	uint64_t fork_time;      /* of this segment: ns in system calls that created processes */
	/* CPU time of the thread: when its native execution began, and its native time
	 * before that, since the last record; and references of speed probes since then. */
	uint64_t native_since, native_time, probed_refs;
	uint64_t arrived_at; /* CPU time when its timer's signal arrived; 0: otherwise, or long ago
			      */
	/* Of the speed probe: where the segment began, in references and time, and where it ends;
	 * the segments before it, and how many of them were undisturbed. */
	uint64_t segment_from, segment_began, segment_to;
	struct ms_sampling_segment {
		uint32_t references, time, fork_time; /* time: without `forked` */
		bool clean;
	} segment[MS_SAMPLING_MAX_SEGMENTS];
	uint32_t segments, clean;
	struct ms_wire_timed timed; /* segments of the speed probes since the last record */
	/* In the counted start: references that have been added up since counting began, and where
	 * the next window opens. */
	uint64_t taken, count_target;
	/* All references that it counted, spin loops excluded, and all in windows before this one.
	 */
	uint64_t counted, recorded;
	uint64_t speed; /* of the last speed probe: references in 1024 ns, without `forked` */
	uint64_t fork_time_each,
		weights; /* of the last ones: weighted `forked` per 1024 other ns */
	/* The part of the window that has been counted. */
	uint32_t chunk;
	uint64_t at;
	uint64_t references, records, reported;
	struct ms_sampling_native_samples {
		uint64_t until_probe; /* CPU time from the next sample to the next speed probe */
		uint64_t armed_at;    /* CPU time at which the timer began; 0: it was stopped */
		uint64_t unsampled;   /* ns before that, which the next sample represents, too */
	} native_samples;
	uint64_t probe_interval; /* CPU time from the start of native execution to its next
				    speed probe */
	uint64_t random;
};
_Static_assert(sizeof(struct ms_sampling_thread) <= MS_RUNTIME_SAMPLING_BYTES, "thread_state.h");

/* Of this thread. */
static inline struct ms_sampling_thread *ms_sampling_get_state(const struct ms_runtime_thread *t)
{
	return (struct ms_sampling_thread *)(uintptr_t)t->sampling;
}

/* Whether the thread is to be traced from here on. */
bool ms_sampling_start(struct ms_runtime_thread *first);
bool ms_sampling_start_thread(struct ms_runtime_thread *t);
/* False: the window has ended for this thread. */
bool ms_sampling_may_continue(struct ms_runtime_thread *t);
/* The chunk is full, or the requested number of words is written. */
void ms_sampling_handle_full_chunk(struct ms_runtime_thread *t);
/* What the thread has written is published now: counts it. */
void ms_sampling_count_published(struct ms_runtime_thread *t);
/* Whether the window that is open will close. */
bool ms_sampling_is_window_closing(void);
/* The thread is in no window: it writes events only. */
bool ms_sampling_is_outside_window(const struct ms_runtime_thread *t);
/* The thread leaves traced code (too_soon: it cannot be traced here); its native code begins
 * now. */
void ms_sampling_handle_window_end(struct ms_runtime_thread *t, bool too_soon);
void ms_sampling_begin_native_time(struct ms_runtime_thread *t);
/* The thread runs natively: its timer expires after so much of its CPU time. */
void ms_sampling_arm_timer(struct ms_runtime_thread *t, uint64_t nanoseconds);
/* Its timer was stopped temporarily. */
void ms_sampling_resume_timer(struct ms_runtime_thread *t);
/* The thread is traced again, without native execution in between. */
void ms_sampling_cancel_native_time(struct ms_runtime_thread *t);
/* The thread may block in a system call: it leaves its window. */
void ms_sampling_leave_for_syscall(struct ms_runtime_thread *t);
/* The thread has written something that events of other threads may refer to: publishes it now if
 * the thread is in no window. */
void ms_sampling_publish_event(struct ms_runtime_thread *t);
/* The thread has woken so many threads in a system call. */
void ms_sampling_handle_wakeups(struct ms_runtime_thread *t, uint64_t threads);
/* CPU time of a system call that created a process. */
void ms_sampling_add_fork_time(struct ms_runtime_thread *t, uint64_t nanoseconds);
/* Whether all references are counted, in windows and between them: in the counted start. */
bool ms_sampling_is_everything_counted(void);
/* The thread ends; the process ends; the process may execute another program. */
void ms_sampling_end_thread(struct ms_runtime_thread *t);
void ms_sampling_finish(struct ms_runtime_thread *t);
void ms_sampling_report_before_exec(struct ms_runtime_thread *t);
/* In a forked child; and when it has its own stream. */
void ms_sampling_stop_after_fork(void);
void ms_sampling_restart_in_child(struct ms_runtime_thread *t);

#endif
