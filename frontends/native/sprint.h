/*
 * sprint.h - how fast a thread of a sampled program is: see sprint.c. Calls come in this order:
 *
 *    ms_sprint_start      once
 *    ms_sprint_begin      false: it cannot be found out now
 *    ms_sprint_is_over    whenever the tracer goes on, until it is
 *    ms_sprint_end        its speed is known, in struct ms_sampled; or sooner, and then not
 */
#ifndef MS_NATIVE_SPRINT_H
#define MS_NATIVE_SPRINT_H

#include <stdbool.h>
#include <stdint.h>

struct ms_thread;

void ms_sprint_start(void);
bool ms_sprint_begin(struct ms_thread *t);
/* The thread's CPU time when it stopped to run natively. */
uint64_t ms_sprint_now(struct ms_thread *t);
/* C comes back when the segment is over. */
void ms_sprint_step(struct ms_thread *t);
bool ms_sprint_is_over(struct ms_thread *t);
/* exits: of blocks, for 1024 references, here or nearby. */
void ms_sprint_end(struct ms_thread *t, uint64_t exits);
/* Those that the thread makes natively in so much of its CPU time. */
uint64_t ms_sprint_references(const struct ms_thread *t, uint64_t time);

#endif
