/* stream/stamps.h - where the stamps of wire_stamped.h come from on this machine. */
#ifndef MS_STREAM_STAMPS_H
#define MS_STREAM_STAMPS_H

#include "stream/wire_stamped.h"

/*
 * Whether the processors' counter will do: if the kernel, which has compared those of all
 * processors, offers it as a clock. available: its list of such.
 */
enum ms_wire_stamps ms_stamps_by(const char *available);
/* The same of this machine. MEMSPY_NATIVE_STAMPS, for tests: "counter", "counted" or "none". */
enum ms_wire_stamps ms_stamps_here(void);

/* What the kernel calls it. */
extern const char ms_stamps_clock[];
/* The counter; whatever is read from memory afterwards is read later. */
uint64_t ms_stamps_counter(void);

#endif
