/*
 * sample.h - windows of a sampled program: it runs natively, and every now and then some of it is
 * traced. All threads' windows are open at the same time.
 *
 *    ms_sample_start      once
 *    ms_sample_thread     for each thread, on it: its timer runs
 *    ms_sample_go         whenever the tracer goes on; false: natively
 */
#ifndef MS_NATIVE_SAMPLE_H
#define MS_NATIVE_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "stream/wire.h"

struct ms_thread;

enum { MS_SAMPLE_SEGMENTS = 12 }; /* of a sprint, at most */

/* How a pc is translated: it is recorded; references are counted (sprint.c); references, and how
 * often each exit is taken (counted.c). */
enum ms_code_kind { MS_CODE_RECORDS, MS_CODE_COUNTS, MS_CODE_TALLIES, MS_CODES };

/* Of each struct ms_thread. */
struct ms_sampled {
	bool known;       /* it has a timer */
	bool inside;      /* the window that is open; what it does is recorded */
	bool called;      /* to come into it */
	bool natively;    /* it runs, or did until just now */
	bool escorted;    /* traced because of a call: see escort.h */
	uint16_t kept;    /* so many looks yet it stays traced for one */
	uint8_t late;     /* times, one behind the other, that it was waited for in vain ... */
	uint8_t vain;     /* ... or was traced, but not for long */
	bool left_behind; /* in this window, likewise */
	uint64_t from;    /* references that the others had when it came */
	bool called_away; /* out of the window that is open, by a system call ... */
	uint32_t here;    /* ... when so many had come into it */
	uint32_t windows; /* number of the last one that it was in, from 1 */
	uint8_t code;     /* enum ms_code_kind: what it runs in */
	bool waits;       /* it was in a loop that waits, when it last came to C */
	bool disturbed;   /* code was translated or linked in this segment */
	/* Of this segment: ticks that C took, and how often it was called; when it was last, 0: it
	 * has gone back since; and ns in system calls that made processes. */
	uint64_t own, calls, works_since, forked;
	/* CPU time of the thread: since when it runs natively, and how long it did before that,
	 * since it was told; and references of sprints since then. */
	uint64_t left, native, sprinted;
	uint64_t came; /* CPU time when its timer's signal came; 0: by another way, or long ago */
	/* Of the sprint: where the segment began, in references and time, and where it ends; those
	 * before it, and how many were not disturbed. */
	uint64_t segment_from, segment_began, segment_to;
	struct ms_segment {
		uint32_t references, time, forked; /* time: without these */
		bool clean;
	} segment[MS_SAMPLE_SEGMENTS];
	uint32_t segments, clean;
	struct ms_wire_timed timed; /* such, of the sprints since it was told */
	/* In the head: references that have been taken of those counted since it ran aside, and
	 * where the next window opens. */
	uint64_t taken, until;
	uint64_t speed; /* of the last sprint: references in 1024 ns, without such calls */
	uint64_t forked_each, weights; /* of the last ones: ns in these for 1024 others, weighed */
	/* What has been counted of the window. */
	uint32_t chunk;
	uint64_t at;
	uint64_t references, records, told;
	uint64_t gap; /* CPU time from when it ran natively to its next sprint */
	uint64_t random;
};

/* Whether the thread is to be traced from here on. */
bool ms_sample_start(struct ms_thread *first);
bool ms_sample_thread(struct ms_thread *t);
/* False: the window is over for this thread. */
bool ms_sample_go(struct ms_thread *t);
/* The chunk is full, or as much is written as was to be. */
void ms_sample_full(struct ms_thread *t);
/* What it has written goes to others now: it is counted. */
void ms_sample_publish(struct ms_thread *t);
/* Whether the window that is open will close. */
bool ms_sample_closes(void);
/* It is not in a window: nothing but events comes from it. */
bool ms_sample_is_outside(const struct ms_thread *t);
/* It goes on natively, perhaps because it cannot be traced here; from now on; or it may wait in a
 * system call. */
void ms_sample_left(struct ms_thread *t, bool too_soon);
void ms_sample_natively(struct ms_thread *t);
/* It runs natively: after so much of its time it is to come. */
void ms_sample_arm(struct ms_thread *t, uint64_t nanoseconds);
/* Its timer was stopped for a moment. */
void ms_sample_resume(struct ms_thread *t);
/* It comes back, and has done nothing natively. */
void ms_sample_back(struct ms_thread *t);
void ms_sample_away(struct ms_thread *t);
/* Something that others' events may refer to: it goes to them now if it is in no window. */
void ms_sample_told(struct ms_thread *t);
/* In that call it has woken up so many threads. */
void ms_sample_woke(struct ms_thread *t, uint64_t threads);
/* The tracer works for itself: what is timed just now says nothing of the program. */
void ms_sample_disturb(struct ms_thread *t);
/* C was called by a branch or a system call, and goes back: what it has taken between is not the
 * program's time. But some of it is, since then (ms_counter()): natively it takes that as well. */
void ms_sample_works(struct ms_thread *t);
void ms_sample_worked(struct ms_thread *t);
/* CPU time that a system call took which made a process. */
void ms_sample_forks(struct ms_thread *t, uint64_t nanoseconds);
void ms_sample_not_own(struct ms_thread *t, uint64_t since);
/* Whether all is counted, in windows and between them: in the head. */
bool ms_sample_misses_nothing(void);
/* The thread ends; the process does, or may become another program. */
void ms_sample_end(struct ms_thread *t);
void ms_sample_finish(struct ms_thread *t);
void ms_sample_executes(struct ms_thread *t);
/* In a forked child; and when it has a stream of its own. */
void ms_sample_forked(void);
void ms_sample_again(struct ms_thread *t);

#endif
