/*
 * wait_loops.h - loops in which a thread of a sampled program waits until another one writes
 * something. How often they go round depends on how long the other thread takes, and so on the
 * tracer: what such loops do between windows is not counted.
 */
#ifndef MS_NATIVE_WAIT_LOOPS_H
#define MS_NATIVE_WAIT_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

struct ms_thread;

/* Whether the records that end at `to`, the first of them at `from`, read the same places over and
 * over and write nothing in their last words. */
bool ms_wait_loop_is(const uint64_t *from, const uint64_t *to);
/* The same, whether they write or not. */
bool ms_wait_loop_repeats(const uint64_t *from, const uint64_t *to);
/* The thread is in such a loop: a block of it begins where the thread goes on. */
void ms_wait_loop_found(const struct ms_thread *t);
/* Whether any loop was found so far. */
bool ms_wait_loops_exist(void);
/* Whether the thread goes on in a loop that was found. */
bool ms_wait_loop_holds(const struct ms_thread *t);
/* In the loop where the thread goes on, so many references were made that are not counted. */
void ms_wait_loop_skip(const struct ms_thread *t, uint64_t references);
/* At the program's end: which loops they are, and what was not counted. */
void ms_wait_loops_report(struct ms_thread *t);
/* In a forked child. */
void ms_wait_loops_restart(void);

#endif
