/*
 * counted_start.h - the counted start of a sampled program, in which all references are counted:
 * see counted_start.c. Calls come in this order:
 *
 *    ms_sampling_begin_counting        after each window, for so many references
 *    ms_sampling_set_count_limit       C was called: the references are made, or scratch is full
 *    ms_sampling_take_new_count        references since its last call, by any thread
 *    ms_sampling_count_until           counting continues, for so many references
 *    ms_sampling_end_counting          before each window
 *    ms_sampling_report_exit_counters  the program ends: records the counts of all threads
 */
#ifndef MS_NATIVE_SAMPLING_COUNTED_START_H
#define MS_NATIVE_SAMPLING_COUNTED_START_H

#include <stdbool.h>
#include <stdint.h>

struct ms_runtime_thread;

/* In a forked child: discards the counts of its parent. */
void ms_sampling_clear_exit_counters(struct ms_runtime_thread *t);
bool ms_sampling_begin_counting(struct ms_runtime_thread *t, uint64_t references);
void ms_sampling_count_until(struct ms_runtime_thread *t, uint64_t references);
void ms_sampling_set_count_limit(struct ms_runtime_thread *t);
uint64_t ms_sampling_take_new_count(struct ms_runtime_thread *t);
/* The same, but leaves them to the next call. */
uint64_t ms_sampling_read_new_count(const struct ms_runtime_thread *t);
void ms_sampling_end_counting(struct ms_runtime_thread *t);
void ms_sampling_report_exit_counters(struct ms_runtime_thread *t);

#endif
