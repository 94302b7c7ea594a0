/*
 * track_order.h - the time slices whose records are in tracks, in the order of their execution, and
 * what must come before what when they are merged (schedule/hand_offs.h).
 */
#ifndef MS_VG_TRACK_ORDER_H
#define MS_VG_TRACK_ORDER_H

#include "pub_tool_basics.h"

#include "schedule/hand_offs.h"

/* The records of a time slice. */
struct ms_vg_segment {
	ULong number; /* in the order of execution, from 1 on */
	UInt track;
	ThreadId tid;
	const ULong *from, *to;
	ULong end; /* virtual time */
	Bool passed, examined;
	Bool follows_all; /* it comes after all segments before it */
	UInt hand_offs, next_hand_off, units, next_unit;
	struct ms_schedule_hand_off *hand_off;
	struct ms_schedule_unit *unit;
};

/* The numbers of those that are in tracks. */
extern ULong ms_vg_order_first, ms_vg_order_next;

Bool ms_vg_order_is_full(void);
/* A segment ends; there is room for it. */
void ms_vg_order_add(UInt track, ThreadId tid, const ULong *from, const ULong *to, ULong end);
/* NULL: it has been passed on. */
struct ms_vg_segment *ms_vg_order_get(ULong number);
/* Finds the hand-offs of all. False: there are too many, and the order of execution must be kept.
 */
Bool ms_vg_order_examine(void);
/* Some are marked as passed. */
void ms_vg_order_drop_passed(void);
void ms_vg_order_forget(void);

#endif
