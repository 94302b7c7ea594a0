/*
 * turns.h - threads that take turns: what the files share that have to do with it.
 *
 * Only when more than one processor is simulated. Otherwise Valgrind's own lock decides who runs.
 */
#ifndef MS_VG_TURNS_H
#define MS_VG_TURNS_H

#include "tool.h"

enum turn_state {
	TURN_NONE,  /* no such thread */
	TURN_AWAY,  /* in a system call, or on its way into or out of one */
	TURN_READY, /* wants to run */
	TURN_RUNS,
};

enum { SPIN_PLACES = 16 };

/* What a spinning thread reads, and what was there. */
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
	UInt turns;     /* it has begun since the last of them */
	UInt rounds;    /* that were the same, word by word */
	ULong patience; /* how long it waits before it looks again: virtual time */
	UInt words;     /* 0: not known */
	ULong round[YIELD_WORDS];
};

/* One thread's. Who runs may look at all of it; states are changed under the guard of lock.c. */
struct turn {
	UInt state;
	UInt go;           /* futex: it is this thread's turn */
	Int lwp;           /* the kernel's number; 0: it has not been here yet */
	Bool moving;       /* away, and not known to sleep */
	Bool started;      /* the stream knows it */
	UInt turns;        /* that it has had */
	Bool ends;         /* it is on its way out for good */
	Bool waits;        /* the stream knows that it waits */
	UInt reason;       /* enum ms_wire_wait_reason, of the system call it is in */
	UInt woken_by;     /* MS_WIRE_NO_THREAD: not by a thread of this program */
	UInt maker;        /* likewise */
	Addr start;        /* the function it begins with; 0: not known */
	Addr starts;       /* and that of the thread that it makes next */
	Addr futex[2];     /* where it sleeps; the second: where it may have been moved to */
	Addr wakes[2];     /* where its system call may wake who sleeps ... */
	Bool wakes_others; /* ... or who waits for something else */
	Addr cleared;   /* the kernel clears this word, and wakes who sleeps there, when it ends */
	ULong time;     /* virtual: instructions, and waiting */
	ULong executed; /* instructions, without those that were spun */
	ULong told;     /* of them */
	ULong slice;    /* instructions since its processor took it up */
	ULong last_ran; /* which turn that was */
	UInt processor;
	Bool bound; /* by its affinity */
	uint64_t affinity[MS_WIRE_MAX_PROCESSORS / 64];
	Bool spins;
	Bool rewrites; /* rounds that write: what they leave in memory is noted, to be compared */
	ULong spins_until; /* this time, if nothing that it reads changes before */
	UInt places;       /* that it reads */
	struct place place[SPIN_PLACES];
	struct yielding yielding;
	UInt pinned; /* to this processor of the host, plus 1; 0: to none, else ... */
	struct processors_allowed allowed; /* ... it may be on these */
};

/* --- turns.c --- */

extern struct turn *ms_turns;  /* by thread */
extern ThreadId ms_turns_most; /* no thread has a higher number */
/* Who should run; 0: nobody is ready. */
ThreadId ms_turns_pick(void);
/* This one runs from now on, resp. not any more. */
void ms_turns_begin(ThreadId tid);
void ms_turns_end(ThreadId tid);
/* Lets the others go first; that costs it so many instructions of its time. False: there are none.
 */
Bool ms_turns_give_way(struct turn *me, UInt cost);
/* Forgets its records from this one on: so many instructions that were spun. */
void ms_turns_take_back(ULong *from, ULong instructions);
/* What has changed is told: who waits, who does not any more. */
void ms_turns_tell(void);
/* A forked child: this thread is the only one. */
void ms_turns_forked(void);
/* The thread that is being switched away from has asked for it, and is ready. */
extern Bool ms_turns_hands_over;

/* For many turns hardly a line was found that threads had not fought over before: turns are longer,
 * by so many powers of two. */
extern UInt ms_turns_doubled;

/* --- lock.c --- */

/* Who changes states holds the guard, for a moment. */
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

/* The word that the kernel clears when the thread ends that is being made; 0: none. */
Addr ms_calls_cleared(void);

/* --- merge.c --- */

/* The thread's records go into a track of its own from now on; time: its virtual time. */
void ms_merge_begin(ThreadId tid, ULong time);
/* Whoever writes into a track does not any more, and what was executed before this time goes into
 * the lane. */
void ms_merge_end(ULong horizon);
/* In a forked child: tracks are the parent's. */
void ms_merge_forget(void);
/* Who writes into a track; 0: nobody. */
ThreadId ms_merge_thread(void);
/* A record there begins at this time; some, from time to time, are told. */
void ms_merge_stop(const ULong *record, ULong time);
/* An event stands there next. */
void ms_merge_own_event(const ULong *record);
/* Records there are forgotten, from this one on. */
void ms_merge_take_back(const ULong *from);

/* --- contend.c; contend.h has more --- */

void ms_contend_start(void);
/* So many words were noted. */
void ms_contend_grow_older(ULong words);
/* Whether threads fight over any line lately. */
Bool ms_contend_any(void);
/* How often a line was found to be fought over, after nobody did for a while. */
extern ULong ms_contend_found;

/* --- spin.c --- */

enum spinning {
	SPIN_NO,
	SPIN_MAYBE,  /* look again after as many words */
	SPIN_READS,  /* until something that it reads changes */
	SPIN_WRITES, /* the same, with writes that others see: atomic instructions */
};

/* By exit: what an execution is that is left there. In a word, as it is asked for all of them. */
struct exit_meaning {
	UInt first_ref; /* into ms_spin_ref_meaning */
	UShort refs;
	UShort instructions : 15;
	UShort pauses : 1; /* it ends with a hint that the code spins */
};
_Static_assert(sizeof(struct exit_meaning) == 8, "a word");
extern struct exit_meaning *ms_spin_exits;
extern UShort *ms_spin_ref_meaning; /* bytes << 1 | whether it writes */

/* The description of a block is complete: what its exits mean. */
void ms_spin_block(const struct ms_wire_ref *refs, UInt n, const struct ms_wire_exit *exits,
		   UInt exit_count, UInt first_exit, Bool pauses);
void ms_spin_restart(void);
/* Records of the running thread, in their order, from this time on; in a track executions only. */
void ms_spin_note_records(const ULong *from, const ULong *to, ULong time, ULong instructions);
/* Of one execution. */
static inline UInt ms_spin_instructions(const ULong *record)
{
	return ms_spin_exits[ms_wire_arg_of(*record)].instructions;
}
/* Likewise: what its references are, as above. */
static inline const UShort *ms_spin_refs(const ULong *record, UInt *refs)
{
	const struct exit_meaning *exit = &ms_spin_exits[ms_wire_arg_of(*record)];

	*refs = exit->refs;
	return &ms_spin_ref_meaning[exit->first_ref];
}
/* The next records are another thread's, or stand elsewhere. */
void ms_spin_forget(void);
/* Whether the records that were counted last go round in circles; *words: of one round, *hinted:
 * only a hint says so, its registers may differ. */
enum spinning ms_spin_look(ThreadId tid, const void *state, UInt *words, Bool *hinted);
/* Records that can be taken back, of a thread that spins: from where on, and their instructions. */
ULong *ms_spin_take_back(ULong *instructions);
/* The records of the running thread's turn; False: they do not stand in one piece. */
Bool ms_spin_turn(const ULong **from, const ULong **to);
/* Whether they write what other threads may see. */
Bool ms_spin_writes(ThreadId tid, const ULong *from, const ULong *to);
/* Notes what the last round reads, and writes if so wanted, resp. what these records read and write;
 * False: too much. */
Bool ms_spin_note(struct turn *me, Bool writes_too);
Bool ms_spin_note_all(struct turn *me, const ULong *from, const ULong *to);
Bool ms_spin_changed(const struct turn *t);

/* --- assign.c --- */

/* Where a new thread is. */
UInt ms_assign_processor(ThreadId tid);
/* It is bound to these: where it is then; and the stream is told. */
void ms_assign_bind(struct turn *t, const uint64_t *mask);
void ms_assign_tell(ThreadId tid, const uint64_t *mask);

/* --- yield.c --- */

/* The running thread calls sched_yield. */
void ms_yield(ThreadId tid);

#endif
