/* turns.h - threads that are simulated on one processor run one at a time: see turns.c. */
#ifndef MS_NATIVE_TURNS_H
#define MS_NATIVE_TURNS_H

#include <stdbool.h>
#include <stdint.h>

struct ms_thread;

/* Of each struct ms_thread. */
struct ms_turn {
	uint64_t words;                   /* that it has handed over so far; lane.c counts */
	struct ms_thread *ahead, *behind; /* while it waits: those that came before and after it */
	bool waits;
	uint32_t bell; /* futex: something has changed for it */
};

/* It goes on in code that records; false: not yet, and what it was about to do may have changed
 * since it asked. */
bool ms_turn_take(struct ms_thread *t);
/* It does not go on: others may have the processor. */
void ms_turn_leave(struct ms_thread *t);
/* It may wait, in a system call: others may have it until it is back. */
void ms_turn_offer(struct ms_thread *t);
/* Its chunk is full: where it turns round a loop, perhaps until another thread has done something,
 * that one is next. */
void ms_turn_full(struct ms_thread *t);
/* In a forked child, where there is no other thread. */
void ms_turn_forked(struct ms_thread *t);

#endif
