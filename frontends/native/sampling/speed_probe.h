/*
 * speed_probe.h - measures the speed of a thread of a sampled program: see speed_probe.c. Calls
 * come in this order:
 *
 *    ms_sampling_start_speed_probes      once
 *    ms_sampling_begin_speed_probe      false: not possible now
 *    ms_sampling_is_speed_probe_over    whenever the tracer continues, until it is true
 *    ms_sampling_end_speed_probe        the speed is in struct ms_sampling_thread; if called
 * earlier, it is not
 */
#ifndef MS_NATIVE_SAMPLING_SPEED_PROBE_H
#define MS_NATIVE_SAMPLING_SPEED_PROBE_H

#include <stdbool.h>
#include <stdint.h>

struct ms_runtime_thread;

void ms_sampling_start_speed_probes(void);
bool ms_sampling_begin_speed_probe(struct ms_runtime_thread *t);
/* The thread's CPU time at the end of its native execution. */
uint64_t ms_sampling_get_arrival_time(struct ms_runtime_thread *t);
/* C is called again at the end of the segment. */
void ms_sampling_set_segment_limit(struct ms_runtime_thread *t);
bool ms_sampling_is_speed_probe_over(struct ms_runtime_thread *t);
/* exits: block exits per 1024 references, here or nearby. */
void ms_sampling_end_speed_probe(struct ms_runtime_thread *t, uint64_t exits);
/* References that the thread makes natively in so much of its CPU time. */
uint64_t ms_sampling_estimate_references(const struct ms_runtime_thread *t, uint64_t time);

#endif
