/* track_merge.h - merges the records of threads in the order of virtual time. */
#ifndef MS_VG_TRACK_MERGE_H
#define MS_VG_TRACK_MERGE_H

#include "pub_tool_basics.h"

/* The thread's records go to a track of its own from now on; time: its virtual time. */
void ms_vg_merge_begin(ThreadId tid, ULong time);
/* Ends the writing to a track, and sends what was executed before this time to the lane. */
void ms_vg_merge_end(ULong horizon);
/* In a forked child: the tracks belong to the parent. */
void ms_vg_merge_forget(void);
/* The thread that writes to a track; 0: none. */
ThreadId ms_vg_merge_thread(void);
/* A record there begins at this time; reported for some records, from time to time. */
void ms_vg_merge_note_record(const ULong *record, ULong time);
/* The next record there is an event. */
void ms_vg_merge_note_event(const ULong *record);
/* Forgets records there, from this one on. */
void ms_vg_merge_take_back(const ULong *from);

#endif
