/*
 * counted.h - the head of a sampled program, in which all is counted: see counted.c. Calls come in
 * this order:
 *
 *    ms_counted_begin     behind each window, until so many references later
 *    ms_counted_step      when C was called as so many are done, or there is no room for more
 *    ms_counted_more      references since it was asked last, by any thread
 *    ms_counted_until     it goes on, for so many references
 *    ms_counted_end       before each window
 *    ms_counted_tell      the program ends: what all threads have counted
 */
#ifndef MS_NATIVE_COUNTED_H
#define MS_NATIVE_COUNTED_H

#include <stdbool.h>
#include <stdint.h>

struct ms_thread;

/* What a thread needs behind its struct ms_thread. */
uint64_t ms_counted_bytes(void);
/* In a forked child: its parent's are not its own. */
void ms_counted_again(struct ms_thread *t);
bool ms_counted_begin(struct ms_thread *t, uint64_t references);
void ms_counted_until(struct ms_thread *t, uint64_t references);
void ms_counted_step(struct ms_thread *t);
uint64_t ms_counted_more(struct ms_thread *t);
void ms_counted_end(struct ms_thread *t);
void ms_counted_tell(struct ms_thread *t);
/* Where generated code counts the executions that leave by an exit, from struct ms_thread on. */
uint64_t ms_counted_at(uint32_t exit);

#endif
