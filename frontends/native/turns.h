/* turns.h - time slices: threads that are simulated on one processor run one at a time. See
 * turns.c. */
#ifndef MS_NATIVE_TURNS_H
#define MS_NATIVE_TURNS_H

#include <stdbool.h>
#include <stdint.h>

struct ms_thread;

/* Part of struct ms_thread. */
struct ms_turn {
	uint64_t words;                   /* that it has published so far; counted by lane.c */
	struct ms_thread *ahead, *behind; /* neighbours in the queue while it waits */
	bool waits;
	uint32_t bell; /* futex: its state has changed */
};

/* The thread continues in code that records; false: not yet, and what it was about to do may have
 * changed meanwhile. */
bool ms_turn_take(struct ms_thread *t);
/* The thread stops recording: others may have the processor. */
void ms_turn_leave(struct ms_thread *t);
/* The thread may block in a system call: others may have the processor until it returns. */
void ms_turn_offer(struct ms_thread *t);
/* Its chunk is full. If it spins in a loop, perhaps until another thread has done something, its
 * time slice ends. */
void ms_turn_full(struct ms_thread *t);
/* In a forked child, where there is no other thread. */
void ms_turn_forked(struct ms_thread *t);

#endif
