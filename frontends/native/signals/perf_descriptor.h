/* perf_descriptor.h - events of the kernel (perf_event_open) that send memspy's signal. */
#ifndef MS_NATIVE_SIGNALS_PERF_DESCRIPTOR_H
#define MS_NATIVE_SIGNALS_PERF_DESCRIPTOR_H

#include <stdint.h>

/* Descriptors of events start here, away from the program's. */
enum { MS_SIGNALS_FIRST_DESCRIPTOR = 700 };

struct perf_event_attr;
/*
 * Opens an event of this thread, which receives the timer's signal when it overflows. Returns the
 * descriptor; 0: the kernel does not permit it.
 */
int32_t ms_signals_open_perf_event(const struct perf_event_attr *wanted, uint32_t tid);

#endif
