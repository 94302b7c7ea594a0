/*
 * native_samples.h - timer samples of a sampled program while it runs natively between windows: see
 * native_samples.c. The functions do nothing if no such samples are requested.
 */
#ifndef MS_NATIVE_SAMPLING_NATIVE_SAMPLES_H
#define MS_NATIVE_SAMPLING_NATIVE_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

struct ms_runtime_thread;

/* For each thread, on it, before its timer is armed. */
void ms_sampling_start_native_samples(struct ms_runtime_thread *t);
/* The thread's timer is to expire after so much CPU time, for a speed probe or a window. Returns
 * the time until it must expire first: not more. */
uint64_t ms_sampling_split_for_samples(struct ms_runtime_thread *t, uint64_t nanoseconds);
/* The timer is armed already; its native code begins only now. */
void ms_sampling_begin_sampled_time(struct ms_runtime_thread *t, uint64_t now);
/* The thread stops running natively before its timer has expired. */
void ms_sampling_interrupt_sampled_time(struct ms_runtime_thread *t);
/* The thread has executed so many references in a speed probe or a window. */
void ms_sampling_add_traced_time(struct ms_runtime_thread *t, uint64_t references);
/* The timer of the thread, which runs natively, has expired at this CPU time: takes a sample. True:
 * only the sample was due, and the timer runs again. */
bool ms_sampling_sample_at_expiry(struct ms_runtime_thread *t, const uint64_t *uc, uint64_t came);

#endif
