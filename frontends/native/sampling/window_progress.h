/*
 * window_progress.h - counts the references and records that a thread has written into a window:
 * see window_progress.c.
 *
 *    ms_sampling_begin_progress     the thread enters a window of so many references
 *    ms_sampling_count_progress     adds what it has written since, to struct ms_sampling_thread
 *    ms_sampling_set_progress_limit      C is called soon for the next count
 */
#ifndef MS_NATIVE_SAMPLING_WINDOW_PROGRESS_H
#define MS_NATIVE_SAMPLING_WINDOW_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct ms_runtime_thread;

void ms_sampling_begin_progress(struct ms_runtime_thread *t, uint64_t length);
/* all: examines every record, else a part of them. */
void ms_sampling_count_progress(struct ms_runtime_thread *t, bool all);
void ms_sampling_set_progress_limit(struct ms_runtime_thread *t, uint64_t length);
/* The address at which the chunk is full. */
uint64_t ms_sampling_get_chunk_limit(const struct ms_runtime_thread *t);

#endif
