/* run/threads.h - threads of a run, and sharing between processors; part of run/run.h. */
#ifndef MS_RUN_THREADS_H
#define MS_RUN_THREADS_H

#include <stdint.h>

/* Instructions of a line by processor; empty in runs with one processor. */
struct ms_run_line_time {
	uint32_t line;
	uint32_t processor;
	uint64_t instructions;
	double weighted; /* each divided by the number of busy processors */
	uint64_t cycles; /* of compute time, estimated; in-order cores: 0 */
};

/*
 * Invalidation misses of a cell on one line of memory, by the reference that had invalidated the
 * line. Offsets are those of the first byte accessed.
 */
struct ms_run_sharing {
	uint32_t cell;   /* that missed */
	uint32_t writer; /* cell: that had written */
	uint64_t line;   /* address; MS_NO_OFFSET: lines that could not be distinguished */
	uint32_t offset; /* in the line; likewise the writer's */
	uint32_t writer_offset;
	uint64_t object; /* offset in the object or variable; MS_NO_OFFSET: not known */
	uint64_t writer_object;
	const char *field; /* the member at this offset; NULL: not known */
	const char *writer_field;
	uint64_t truly; /* misses: the reference accesses bytes that were written */
	uint64_t falsely;
	uint64_t peer;   /* of both: another processor's cache answered */
	uint64_t remote; /* of both: another node's memory answered */
};

/* The last known state of a thread. */
enum ms_run_thread_end {
	MS_THREAD_ENDED,    /* it had ended */
	MS_THREAD_SIGNALED, /* a signal had ended it and the program */
	MS_THREAD_RUNNING,  /* the program ended while it was runnable */
	MS_THREAD_WAITING,  /* the program ended while it waited */
	MS_THREAD_ENDS,
};

/*
 * One thread. Times are virtual, in cycles with the latencies of the run's machine: its
 * instructions, its stalls, and its advances to the times of the threads that woke it.
 */
struct ms_run_thread {
	const char *name;      /* its start function, or its given name; NULL: unknown */
	uint32_t processor;    /* on which it ran last */
	uint64_t instructions; /* without those of spin loops */
	uint64_t references;
	uint64_t began;   /* virtual time */
	uint64_t elapsed; /* until it ended: compute, stall and wait */
	double weighted;  /* instructions, each divided by the number of busy processors */
	uint32_t end;     /* enum ms_run_thread_end */
};

/* Misses of a thread at one level. */
struct ms_run_thread_miss {
	uint32_t thread;
	uint32_t level;
	uint64_t misses;
	uint64_t peer;
	uint64_t remote;
	double weighted;
};

enum ms_run_wait_reason {
	MS_WAIT_FUTEX,     /* for a lock, a condition, a barrier */
	MS_WAIT_JOIN,      /* for another thread's end */
	MS_WAIT_SPIN,      /* executing a loop that waits; a cycle an instruction */
	MS_WAIT_PROCESSOR, /* another thread occupied the processor */
	MS_WAIT_OTHER,     /* in another system call */
	MS_WAIT_REASONS,
};

/* How long a thread waited, by reason and by the line that waited. */
struct ms_run_wait {
	uint32_t thread;
	uint32_t line; /* MS_NONE: not known */
	uint32_t reason;
	uint64_t times;
	uint64_t cycles;
};

#endif
