/*
 * turns.h - threads that take turns: shared by the files that implement it.
 *
 * Used only when more than one processor is simulated. Otherwise Valgrind's own lock decides which
 * thread runs.
 */
#ifndef MS_VG_TURNS_H
#define MS_VG_TURNS_H

#include "tool.h"

enum turn_state {
	TURN_NONE,  /* no such thread */
	TURN_AWAY,  /* in a system call, or entering or leaving one */
	TURN_READY, /* wants to run */
	TURN_RUNS,
};

enum { SPIN_PLACES = 16 };

/* An address that a spinning thread reads, and the value that was there. */
struct place {
	Addr address;
	UInt bytes;
	ULong value[8];
};

/* Processors of the host. */
struct processors_allowed {
	uint64_t word[MS_WIRE_MAX_PROCESSORS / 64];
};

enum { YIELD_WORDS = 192 };

/* What a thread did between its last two calls of sched_yield. */
struct yielding {
	UInt turns;     /* turns that have begun since the last call */
	UInt rounds;    /* iterations that were equal, word by word */
	ULong patience; /* how long it waits before it checks again: virtual time */
	UInt words;     /* 0: unknown */
	ULong round[YIELD_WORDS];
};

/* The state of one thread. The running thread may read all of it; states are changed under the
 * guard of lock.c. */
struct turn {
	UInt state;
	UInt go;           /* futex: it is this thread's turn */
	Int lwp;           /* the kernel's thread id; 0: it has not been here yet */
	Bool moving;       /* away, and not known to sleep */
	Bool started;      /* its start has been sent in the stream */
	UInt turns;        /* number of turns so far */
	Bool ends;         /* it is ending */
	Bool waits;        /* its wait has been sent in the stream */
	UInt reason;       /* enum ms_wire_wait_reason, of the system call it is in */
	UInt woken_by;     /* MS_WIRE_NO_THREAD: not by a thread of this program */
	UInt maker;        /* likewise */
	Addr start;        /* the function it begins with; 0: unknown */
	Addr starts;       /* and that of the thread that it creates next */
	Addr futex[2];     /* where it sleeps; the second: where it may have been requeued to */
	Addr wakes[2];     /* where its system call may wake sleeping threads ... */
	Bool wakes_others; /* ... or threads that wait for something else */
	Addr cleared;      /* the kernel clears this word, and wakes its sleepers, when it ends */
	ULong time;        /* virtual: instructions, and waiting */
	ULong executed;    /* instructions, without those of spinning */
	ULong told;        /* the number of them that was sent last */
	ULong slice;       /* instructions since its processor last switched to it */
	ULong last_ran;    /* which turn that was */
	UInt processor;
	Bool bound; /* by its affinity */
	uint64_t affinity[MS_WIRE_MAX_PROCESSORS / 64];
	Bool spins;
	/* iterations that write: the values they leave in memory are noted, and compared */
	Bool rewrites;
	ULong spins_until; /* this time, unless something that it reads changes before */
	UInt places;       /* number of addresses that it reads */
	struct place place[SPIN_PLACES];
	struct yielding yielding;
	UInt pinned; /* to this processor of the host, plus 1; 0: to none, else ... */
	struct processors_allowed allowed; /* ... it may be on these */
};

/* --- turns.c --- */

extern struct turn *ms_turns;  /* by thread */
extern ThreadId ms_turns_most; /* no thread has a higher number */
/* The thread that should run next; 0: none is ready. */
ThreadId ms_turns_pick(void);
/* This thread runs from now on; or does not any more. */
void ms_turns_begin(ThreadId tid);
void ms_turns_end(ThreadId tid);
/* Lets other threads go first, at a cost of so many instructions of its time. False: there are
 * none. */
Bool ms_turns_give_way(struct turn *me, UInt cost);
/* Forgets its records from this one on, with so many instructions of spinning. */
void ms_turns_take_back(ULong *from, ULong instructions);
/* Sends changes: which threads wait, and which do not any more. */
void ms_turns_tell(void);
/* In a forked child: this thread is the only one. */
void ms_turns_forked(void);
/* The thread that is being switched away from has requested it, and is ready. */
extern Bool ms_turns_hands_over;

/* For many turns, hardly a line was found that became newly contended: turns are longer, by so many
 * powers of two. */
extern UInt ms_turns_doubled;

/* --- lock.c --- */

/* A thread that changes states holds the guard, briefly. */
void ms_turns_guard(void);
void ms_turns_unguard(void);

/* --- pin.c --- */

void ms_pin_start(void);
/* This thread will be woken. */
void ms_pin_next(ThreadId next);
/* This one runs. */
void ms_pin_begin(ThreadId tid);
/* Before a system call. */
void ms_pin_call(UInt number);

/* --- rest.c --- */

/* Before the program runs. */
void ms_turns_look_start(void);
/* Waits until every thread that moves is back, asleep or gone. */
void ms_turns_settle(void);

/* --- calls.c --- */

/* The word that the kernel clears at the end of the thread that is being created; 0: none. */
Addr ms_calls_cleared(void);

/* --- merge.c --- */

/* The thread's records go to a track of its own from now on; time: its virtual time. */
void ms_merge_begin(ThreadId tid, ULong time);
/* Ends the writing to a track, and sends what was executed before this time to the lane. */
void ms_merge_end(ULong horizon);
/* In a forked child: the tracks belong to the parent. */
void ms_merge_forget(void);
/* The thread that writes to a track; 0: none. */
ThreadId ms_merge_thread(void);
/* A record there begins at this time; reported for some records, from time to time. */
void ms_merge_stop(const ULong *record, ULong time);
/* The next record there is an event. */
void ms_merge_own_event(const ULong *record);
/* Forgets records there, from this one on. */
void ms_merge_take_back(const ULong *from);

/* --- contend.c; contend.h has more --- */

void ms_contend_start(void);
/* So many words have been noted. */
void ms_contend_grow_older(ULong words);
/* Whether any line was contended recently. */
Bool ms_contend_any(void);
/* How often a line became contended that had not been for a while. */
extern ULong ms_contend_found;

/* --- spin.c --- */

enum spinning {
	SPIN_NO,
	SPIN_MAYBE,  /* look again after as many words */
	SPIN_READS,  /* until something that it reads changes */
	SPIN_WRITES, /* the same, with writes that others see: atomic instructions */
};

/* By exit: the meaning of an execution that ends there. In one word, as it is read for every
 * execution. */
struct exit_meaning {
	UInt first_ref; /* into ms_spin_ref_meaning */
	UShort refs;
	UShort instructions : 15;
	UShort pauses : 1; /* it ends with a spin hint (pause) */
};
_Static_assert(sizeof(struct exit_meaning) == 8, "a word");
extern struct exit_meaning *ms_spin_exits;
extern UShort *ms_spin_ref_meaning; /* bytes << 1 | whether it writes */

/* The description of a block is complete: records the meaning of its exits. */
void ms_spin_block(const struct ms_wire_ref *refs, UInt n, const struct ms_wire_exit *exits,
		   UInt exit_count, UInt first_exit, Bool pauses);
void ms_spin_restart(void);
/* Records of the running thread, in order, from this time on; in a track, executions only. */
void ms_spin_note_records(const ULong *from, const ULong *to, ULong time, ULong instructions);
/* Instructions of one execution. */
static inline UInt ms_spin_instructions(const ULong *record)
{
	return ms_spin_exits[ms_wire_arg_of(*record)].instructions;
}
/* Likewise: its references, encoded as above. */
static inline const UShort *ms_spin_refs(const ULong *record, UInt *refs)
{
	const struct exit_meaning *exit = &ms_spin_exits[ms_wire_arg_of(*record)];

	*refs = exit->refs;
	return &ms_spin_ref_meaning[exit->first_ref];
}
/* The next records are another thread's, or are at another address. */
void ms_spin_forget(void);
/* Whether the last counted records repeat in a loop; *words: of one iteration, *hinted: only a hint
 * indicates it, its registers may differ. */
enum spinning ms_spin_look(ThreadId tid, const void *state, UInt *words, Bool *hinted);
/* The records of a spinning thread that can be taken back: their start, and their instructions. */
ULong *ms_spin_take_back(ULong *instructions);
/* The records of the running thread's turn; False: they are not contiguous. */
Bool ms_spin_turn(const ULong **from, const ULong **to);
/* Whether they write what other threads may see. */
Bool ms_spin_writes(ThreadId tid, const ULong *from, const ULong *to);
/* Notes what the last iteration reads, and on request what it writes; or what these records read
 * and write. False: too much. */
Bool ms_spin_note(struct turn *me, Bool writes_too);
Bool ms_spin_note_all(struct turn *me, const ULong *from, const ULong *to);
Bool ms_spin_changed(const struct turn *t);

/* --- assign.c --- */

/* The processor of a new thread. */
UInt ms_assign_processor(ThreadId tid);
/* The thread is bound to these processors: moves it, and sends that in the stream. */
void ms_assign_bind(struct turn *t, const uint64_t *mask);
void ms_assign_tell(ThreadId tid, const uint64_t *mask);

/* --- yield.c --- */

/* The running thread calls sched_yield. */
void ms_yield(ThreadId tid);

#endif
