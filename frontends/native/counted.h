/*
 * counted.h - the counted start of a sampled program, in which all references are counted: see
 * counted.c. Calls come in this order:
 *
 *    ms_counted_begin     after each window, for so many references
 *    ms_counted_step      C was called: the references are made, or scratch memory is full
 *    ms_counted_more      references since the last call of it, by any thread
 *    ms_counted_until     counting continues, for so many references
 *    ms_counted_end       before each window
 *    ms_counted_tell      the program ends: records the counts of all threads
 */
#ifndef MS_NATIVE_COUNTED_H
#define MS_NATIVE_COUNTED_H

#include <stdbool.h>
#include <stdint.h>

struct ms_thread;

/* Bytes that a thread needs after its struct ms_thread. */
uint64_t ms_counted_bytes(void);
/* In a forked child: discards the counts of its parent. */
void ms_counted_again(struct ms_thread *t);
bool ms_counted_begin(struct ms_thread *t, uint64_t references);
void ms_counted_until(struct ms_thread *t, uint64_t references);
void ms_counted_step(struct ms_thread *t);
uint64_t ms_counted_more(struct ms_thread *t);
void ms_counted_end(struct ms_thread *t);
void ms_counted_tell(struct ms_thread *t);
/* Offset from struct ms_thread of the counter of executions that leave by an exit. */
uint64_t ms_counted_at(uint32_t exit);

#endif
