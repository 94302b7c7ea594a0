/*
 * sample.h - windows of a sampled program. The program runs natively, and parts of it (windows) are
 * traced. The windows of all threads are open at the same time.
 *
 *    ms_sample_start      once
 *    ms_sample_thread     for each thread, on it: starts its timer
 *    ms_sample_go         whenever the tracer continues; false: natively
 */
#ifndef MS_NATIVE_SAMPLE_H
#define MS_NATIVE_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/wire.h"

struct ms_thread;

enum { MS_SAMPLE_SEGMENTS = 12 }; /* at most, of a sprint */

/* Part of struct ms_thread. */
struct ms_sampled {
	bool known;       /* it has a timer */
	bool inside;      /* it is in the open window: its references are recorded */
	bool called;      /* it was called to enter the window */
	bool natively;    /* it runs natively, or did until just now */
	bool escorted;    /* traced up to a system call: see escort.h */
	uint16_t kept;    /* checks for which it stays traced because of that */
	uint8_t late;     /* consecutive windows that it did not enter in time ... */
	uint8_t vain;     /* ... consecutive times that tracing ended too soon */
	bool left_behind; /* it is not waited for in this window */
	uint64_t from;    /* references of the other threads when it entered */
	bool called_away; /* it left the open window for a system call ... */
	uint32_t here;    /* ... when so many threads had entered it */
	uint32_t windows; /* number of its last window, from 1 */
	uint8_t code;     /* enum ms_code_kind: the code that it runs */
	bool waits;       /* it was in a wait loop when it last called C */
	bool disturbed;   /* code was translated or linked in this segment */
	/* Of this segment: ticks spent in C; number of calls of C; when the last call began, 0: it
	 * has returned; and ns in system calls that created processes. */
	uint64_t own, calls, works_since, forked;
	/* CPU time of the thread: when its native execution began, and its native time before that,
	 * since the last record; and references of sprints since then. */
	uint64_t left, native, sprinted;
	uint64_t came; /* CPU time when its timer's signal arrived; 0: otherwise, or long ago */
	/* Of the sprint: where the segment began, in references and time, and where it ends; the
	 * segments before it, and how many of them were undisturbed. */
	uint64_t segment_from, segment_began, segment_to;
	struct ms_segment {
		uint32_t references, time, forked; /* time: without `forked` */
		bool clean;
	} segment[MS_SAMPLE_SEGMENTS];
	uint32_t segments, clean;
	struct ms_wire_timed timed; /* segments of the sprints since the last record */
	/* In the counted start: references that have been added up since counting began, and where
	 * the next window opens. */
	uint64_t taken, until;
	uint64_t speed; /* of the last sprint: references in 1024 ns, without `forked` */
	uint64_t forked_each, weights; /* of the last ones: weighted `forked` per 1024 other ns */
	/* The part of the window that has been counted. */
	uint32_t chunk;
	uint64_t at;
	uint64_t references, records, told;
	uint64_t gap; /* CPU time from the start of native execution to its next sprint */
	uint64_t random;
};

/* Whether the thread is to be traced from here on. */
bool ms_sample_start(struct ms_thread *first);
bool ms_sample_thread(struct ms_thread *t);
/* False: the window has ended for this thread. */
bool ms_sample_go(struct ms_thread *t);
/* The chunk is full, or the requested number of words is written. */
void ms_sample_full(struct ms_thread *t);
/* What the thread has written is published now: counts it. */
void ms_sample_publish(struct ms_thread *t);
/* Whether the window that is open will close. */
bool ms_sample_closes(void);
/* The thread is in no window: it writes events only. */
bool ms_sample_is_outside(const struct ms_thread *t);
/* The thread leaves traced code (too_soon: it cannot be traced here); its native code begins
 * now. */
void ms_sample_left(struct ms_thread *t, bool too_soon);
void ms_sample_natively(struct ms_thread *t);
/* The thread runs natively: its timer expires after so much of its CPU time. */
void ms_sample_arm(struct ms_thread *t, uint64_t nanoseconds);
/* Its timer was stopped temporarily. */
void ms_sample_resume(struct ms_thread *t);
/* The thread is traced again, without native execution in between. */
void ms_sample_back(struct ms_thread *t);
/* The thread may block in a system call: it leaves its window. */
void ms_sample_away(struct ms_thread *t);
/* The thread has written something that events of other threads may refer to: publishes it now if
 * the thread is in no window. */
void ms_sample_told(struct ms_thread *t);
/* The thread has woken so many threads in a system call. */
void ms_sample_woke(struct ms_thread *t, uint64_t threads);
/* The tracer translates or links code: the time of the current segment does not represent the
 * program. */
void ms_sample_disturb(struct ms_thread *t);
/* C was called by a branch or a system call, and returns: the time in between is not the program's.
 * The exception is the time since `since` (ms_counter()), which the program would also spend
 * natively: ms_sample_not_own(). */
void ms_sample_works(struct ms_thread *t);
void ms_sample_worked(struct ms_thread *t);
/* CPU time of a system call that created a process. */
void ms_sample_forks(struct ms_thread *t, uint64_t nanoseconds);
void ms_sample_not_own(struct ms_thread *t, uint64_t since);
/* Whether all references are counted, in windows and between them: in the counted start. */
bool ms_sample_misses_nothing(void);
/* The thread ends; the process ends; the process may execute another program. */
void ms_sample_end(struct ms_thread *t);
void ms_sample_finish(struct ms_thread *t);
void ms_sample_executes(struct ms_thread *t);
/* In a forked child; and when it has its own stream. */
void ms_sample_forked(void);
void ms_sample_again(struct ms_thread *t);

#endif
