/* stream/timestamps.h - the source of the stamps of wire/stamped.h on this machine. */
#ifndef MS_STREAM_TIMESTAMPS_H
#define MS_STREAM_TIMESTAMPS_H

#include "wire/stamped.h"

/*
 * Returns whether the processors' counter can be used: if the kernel, which compares the counters
 * of all processors, offers it as a clock source. available: the kernel's list of clock sources.
 */
enum ms_wire_stamps ms_stream_timestamps_by_clock(const char *available);
/* The same for this machine. MEMSPY_NATIVE_STAMPS, for tests: "counter", "counted" or "none". */
enum ms_wire_stamps ms_stream_timestamps_of_machine(void);

/* The kernel's name of the counter. */
extern const char ms_stream_timestamps_clock[];
/* Reads the counter; later loads are not executed before it. */
uint64_t ms_stream_timestamps_counter(void);

#endif
