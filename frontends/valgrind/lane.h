/* lane.h - the writer's end of the stream. */
#ifndef MS_VG_LANE_H
#define MS_VG_LANE_H

#include "pub_tool_basics.h"

#include "wire/wire.h"

/* Generated code reads and writes these two: the address of the next word, and the address at which
 * no block may start any more. */
extern uint64_t *ms_vg_lane_cursor; /* in shared memory */
extern ULong ms_vg_lane_limit;
/* If several processors are simulated, it also counts instructions. */
extern ULong ms_vg_lane_executed;

/* Maps the stream that fd refers to, and closes fd; False: it is not a stream of memspy. */
Bool ms_vg_lane_attach(Int fd);
/*
 * Hands the chunk to the reader and waits for a free one; called with the lane at a record's end.
 */
void ms_vg_lane_next_chunk(void);
/* Writes one event: head word, n words, then bytes of text padded with zeros. */
void ms_vg_lane_write_event(UInt kind, UInt arg, const void *words, UInt n, const HChar *text,
			    UInt bytes);
/* Likewise, for an event of the running thread that does not affect others: it may be in the
 * thread's track. */
void ms_vg_lane_write_own_event(UInt kind, UInt arg, const void *words, UInt n);
/* The thread that runs from now on. */
void ms_vg_lane_switch_thread(ThreadId tid);
/* Whether executions are written from now on; events always are. */
void ms_vg_lane_set_counting(Bool on);
/* Sends the last chunk; marks the stream as ended regularly. */
void ms_vg_lane_finish(void);
/* The program's exit code, sent when it ends; otherwise a signal has ended it. */
void ms_vg_lane_set_exit_code(UInt code);
/* It executes another program; False: that has failed. */
void ms_vg_lane_set_executes(Bool executes);
/*
 * For time_slices.c. The running thread's time slice ends after so many words, 0: not by itself.
 * From the first time slice on, records are counted.
 */
void ms_vg_lane_begin_slice(UInt words);
/* Whether the time slice's end has not been reached. */
Bool ms_vg_lane_slice_continues(void);
/* Records that were not returned before, and their instructions; False: they need not be counted.
 * During a time slice that will end by itself, this is called from time to time. */
Bool ms_vg_lane_take_uncounted(ULong **from, ULong **to, ULong *instructions);
/* Forgets records, from this one on. */
void ms_vg_lane_take_back(ULong *from);
/* Whether the next record follows immediately on records that end here. */
Bool ms_vg_lane_continues_at(const ULong *end);
/* For track_merge.c. False: nothing is counted, or there is no reader. */
Bool ms_vg_lane_may_track(void);
/* Generated code writes at cursor from now on, up to full; or to the lane again: returns where the
 * cursor was. */
void ms_vg_lane_to_track(ULong *cursor, ULong *full);
ULong *ms_vg_lane_from_track(void);
/* Whole executions of a thread, or a single event, go to the lane, or the part of them that
 * windows.c selects. Not too many at a time: they must fit into the reserve. */
void ms_vg_lane_write_records(ThreadId tid, ULong *from, const ULong *to);
/* For windows.c. Copies records; tid 0: the thread that was last sent in the lane. */
void ms_vg_lane_copy(ThreadId tid, const ULong *from, const ULong *to);
/* An event, between records that are copied. */
void ms_vg_lane_write_between(UInt kind, UInt arg, const void *words, UInt n);
/* All that is in the lane goes to the reader. */
void ms_vg_lane_publish(void);
/* Waits until the reader has read it; then returns the density of windows: ms_wire_pace(). */
ULong ms_vg_lane_wait_for_pace(void);
/* After fork, in the child, first of all where several processors are simulated. */
void ms_vg_lane_after_fork(void);
/* After fork, in the child: the stream stays the parent's. */
void ms_vg_lane_leave(void);
/* Or: another stream replaces it, and counting continues as before after ms_vg_lane_restart(). */
Bool ms_vg_lane_join(Int fd);
void ms_vg_lane_restart(void);

#endif
