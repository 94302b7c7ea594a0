/*
 * written.h - counts the references and records that a thread has written into a window: see
 * written.c.
 *
 *    ms_written_begin     the thread enters a window of so many references
 *    ms_written_count     adds what it has written since, to struct ms_sampled
 *    ms_written_step      C is called soon for the next count
 */
#ifndef MS_NATIVE_WRITTEN_H
#define MS_NATIVE_WRITTEN_H

#include <stdbool.h>
#include <stdint.h>

struct ms_thread;

void ms_written_begin(struct ms_thread *t, uint64_t length);
/* all: examines every record, else a part of them. */
void ms_written_count(struct ms_thread *t, bool all);
void ms_written_step(struct ms_thread *t, uint64_t length);
/* The address at which the chunk is full. */
uint64_t ms_written_limit(const struct ms_thread *t);

#endif
