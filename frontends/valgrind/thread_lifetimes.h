/* thread_lifetimes.h - the state of each thread, where several processors are simulated. */
#ifndef MS_VALGRIND_THREAD_LIFETIMES_H
#define MS_VALGRIND_THREAD_LIFETIMES_H

#include "pub_tool_basics.h"

#include "wire/wire.h"

enum ms_vg_thread_state {
	MS_VG_THREAD_NONE,  /* no such thread */
	MS_VG_THREAD_AWAY,  /* in a system call, or entering or leaving one */
	MS_VG_THREAD_READY, /* wants to run */
	MS_VG_THREAD_RUNS,
};

enum { MS_VG_SPIN_PLACES = 16 };

/* An address that a spinning thread reads, and the value that was there. */
struct ms_vg_spin_place {
	Addr address;
	UInt bytes;
	ULong value[8];
};

/* Processors of the host. */
struct ms_vg_cpu_mask {
	uint64_t word[MS_WIRE_MAX_PROCESSORS / 64];
};

enum { MS_VG_YIELD_WORDS = 192 };

/* What a thread did between its last two calls of sched_yield. */
struct ms_vg_yield_state {
	UInt slices;    /* time slices that have begun since the last call */
	UInt rounds;    /* iterations that were equal, word by word */
	ULong patience; /* how long it waits before it checks again: virtual time */
	UInt words;     /* 0: unknown */
	ULong round[MS_VG_YIELD_WORDS];
};

/* The state of one thread. The running thread may read all of it; states are changed under the
 * guard of scheduler_lock.c. */
struct ms_vg_thread {
	UInt state;
	UInt go;            /* futex: this thread may run */
	Int lwp;            /* the kernel's thread id; 0: it has not been here yet */
	Bool moving;        /* away, and not known to sleep */
	Bool started;       /* its start has been sent in the stream */
	UInt slices;        /* number of time slices so far */
	Bool ends;          /* it is ending */
	Bool waits;         /* its wait has been sent in the stream */
	UInt reason;        /* enum ms_wire_wait_reason, of the system call it is in */
	UInt woken_by;      /* MS_WIRE_NO_THREAD: not by a thread of this program */
	UInt creator;       /* likewise */
	Addr start;         /* the function it begins with; 0: unknown */
	Addr next_start;    /* and that of the thread that it creates next */
	Addr futex[2];      /* where it sleeps; the second: where it may have been requeued to */
	Addr wakes[2];      /* where its system call may wake sleeping threads ... */
	Bool wakes_others;  /* ... or threads that wait for something else */
	Addr cleared;       /* the kernel clears this word, and wakes its sleepers, when it ends */
	ULong time;         /* virtual: instructions, and waiting */
	ULong executed;     /* instructions, without those of spinning */
	ULong clock_sent;   /* the number of them that was sent last */
	ULong quantum_used; /* instructions since its processor last switched to it */
	ULong last_ran;     /* which time slice that was */
	UInt processor;
	Bool bound; /* by its affinity */
	uint64_t affinity[MS_WIRE_MAX_PROCESSORS / 64];
	Bool spins;
	/* iterations that write: the values they leave in memory are noted, and compared */
	Bool rewrites;
	ULong spins_until; /* this time, unless something that it reads changes before */
	UInt places;       /* number of addresses that it reads */
	struct ms_vg_spin_place place[MS_VG_SPIN_PLACES];
	struct ms_vg_yield_state yielding;
	UInt pinned; /* to this processor of the host, plus 1; 0: to none, else ... */
	struct ms_vg_cpu_mask allowed; /* ... it may be on these */
};

extern struct ms_vg_thread *ms_vg_threads; /* by thread */
extern ThreadId ms_vg_threads_highest;     /* no thread has a higher number */
extern UInt ms_vg_threads_live;            /* how many there are */

/* Without this call there is no state: ms_vg_threads is NULL. */
void ms_vg_threads_start(void);
/* The thread that it creates next begins with this function. */
void ms_vg_threads_set_next_start(ThreadId tid, Addr function);
/* The thread that created it, or MS_WIRE_NO_THREAD. */
UInt ms_vg_threads_creator(ThreadId tid);
void ms_vg_threads_set_sent(ThreadId tid);
/* A thread is created, has been sent in the stream, is about to end. */
void ms_vg_threads_create(ThreadId parent, ThreadId child);
void ms_vg_threads_end(ThreadId tid);
/* In a forked child: this thread is the only one. */
void ms_vg_threads_after_fork(void);

#endif
