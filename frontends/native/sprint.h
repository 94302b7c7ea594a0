/*
 * sprint.h - measures the speed of a thread of a sampled program: see sprint.c. Calls come in this
 * order:
 *
 *    ms_sprint_start      once
 *    ms_sprint_begin      false: not possible now
 *    ms_sprint_is_over    whenever the tracer continues, until it is true
 *    ms_sprint_end        the speed is in struct ms_sampled; if called earlier, it is not
 */
#ifndef MS_NATIVE_SPRINT_H
#define MS_NATIVE_SPRINT_H

#include <stdbool.h>
#include <stdint.h>

struct ms_thread;

void ms_sprint_start(void);
bool ms_sprint_begin(struct ms_thread *t);
/* The thread's CPU time at the end of its native execution. */
uint64_t ms_sprint_now(struct ms_thread *t);
/* C is called again at the end of the segment. */
void ms_sprint_step(struct ms_thread *t);
bool ms_sprint_is_over(struct ms_thread *t);
/* exits: block exits per 1024 references, here or nearby. */
void ms_sprint_end(struct ms_thread *t, uint64_t exits);
/* References that the thread makes natively in so much of its CPU time. */
uint64_t ms_sprint_references(const struct ms_thread *t, uint64_t time);

#endif
