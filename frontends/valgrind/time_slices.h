/* time_slices.h - schedules threads, where several processors are simulated. */
#ifndef MS_VG_TIME_SLICES_H
#define MS_VG_TIME_SLICES_H

#include "pub_tool_basics.h"

#include "wire/wire.h"

#include "thread_lifetimes.h"

extern UInt ms_vg_processors; /* 1: Valgrind decides which thread runs */
void ms_vg_slice_start(UInt processors, ULong seed);
/* At a superblock's start; state: the guest's. Generated code has that in a register and calls
 * ms_vg_slice_enter() (slice_entry.c), which passes it on. */
void ms_vg_slice_check(void *state);
void ms_vg_slice_enter(void);
/* Counts what the running thread has executed, before the lane continues elsewhere. */
void ms_vg_slice_count(void);
/* The end of the thread is next in the stream. */
void ms_vg_slice_send_last_clock(ThreadId tid);
/* Memory is unmapped or protected. */
void ms_vg_slice_mapping_changes(void);

/* The thread that should run next; 0: none is ready. */
ThreadId ms_vg_slice_pick(void);
/* This thread runs from now on; or does not any more. */
void ms_vg_slice_begin(ThreadId tid);
void ms_vg_slice_end(ThreadId tid);
/* Lets other threads go first, at a cost of so many instructions of its time. False: there are
 * none. */
Bool ms_vg_slice_give_way(struct ms_vg_thread *me, UInt cost);
/* Forgets its records from this one on, with so many instructions of spinning. */
void ms_vg_slice_take_back(ULong *from, ULong instructions);
/* Sends changes: which threads wait, and which do not any more. */
void ms_vg_slice_send_waits(void);
/* Another thread was created in the present time slice. */
void ms_vg_slice_resume(void);
/* In a forked child: no thread runs yet. */
void ms_vg_slice_after_fork(void);
/* The thread that is being switched away from has requested it, and is ready. */
extern Bool ms_vg_slice_hands_over;

/* For many time slices, hardly a line was found that became newly contended: time slices are
 * longer, by so many powers of two. */
extern UInt ms_vg_slice_doublings;

#endif
