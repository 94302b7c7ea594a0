/*
 * counted.h - the head of a sampled program, in which all is counted: see counted.c. Calls come in
 * this order:
 *
 *    ms_counted_start     once; false: it cannot be done
 *    ms_counted_begin     behind each window, until so many references later
 *    ms_counted_step      when C was called as so many are done, or there is no room for more
 *    ms_counted_more      references since it was asked last
 *    ms_counted_end       before each window
 *    ms_counted_tell      the program ends
 */
#ifndef MS_NATIVE_COUNTED_H
#define MS_NATIVE_COUNTED_H

#include <stdbool.h>
#include <stdint.h>

struct ms_thread;

bool ms_counted_start(void);
bool ms_counted_begin(struct ms_thread *t, uint64_t references);
void ms_counted_step(struct ms_thread *t);
uint64_t ms_counted_more(struct ms_thread *t);
void ms_counted_end(struct ms_thread *t);
void ms_counted_tell(struct ms_thread *t);
/* Where generated code counts the executions that leave by an exit. */
uint64_t *ms_counted_exit(uint32_t exit);

#endif
