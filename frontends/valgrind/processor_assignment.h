/* processor_assignment.h - the simulated processor of each thread. */
#ifndef MS_VG_PROCESSOR_ASSIGNMENT_H
#define MS_VG_PROCESSOR_ASSIGNMENT_H

#include "pub_tool_basics.h"

#include "wire/wire.h"

#include "thread_lifetimes.h"

/* The processor of each thread: "0,1,1,3", "affinity"; before the start. */
Bool ms_vg_assign_read_map(const HChar *text);
/* It binds itself to these processors, or is bound. */
void ms_vg_assign_affinity(ThreadId tid, const uint64_t *mask);

/* The processor of a new thread. */
UInt ms_vg_assign_processor(ThreadId tid);
/* The thread is bound to these processors: moves it, and sends that in the stream. */
void ms_vg_assign_bind(struct ms_vg_thread *t, const uint64_t *mask);
void ms_vg_assign_send(ThreadId tid, const uint64_t *mask);

#endif
