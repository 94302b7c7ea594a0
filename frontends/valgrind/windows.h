/* windows.h - selects what is sent, where the program is sampled. */
#ifndef MS_VG_WINDOWS_H
#define MS_VG_WINDOWS_H

#include "pub_tool_basics.h"

#include "wire/wire.h"

extern Bool ms_vg_windows_on; /* the program is sampled */
/* "MEAN,PERIOD,SEED,HEAD,PACED", in references; which sets are sampled. */
Bool ms_vg_windows_read_option(const HChar *text);
Bool ms_vg_windows_read_groups(const HChar *text);
/* Starts the plan of windows here; in a forked child it starts again. */
void ms_vg_windows_start(void);
/* The description of a block is complete; conditional: some of its references may not happen. */
void ms_vg_windows_add_block(const struct ms_wire_exit *exits, UInt n, UInt first,
			     const struct ms_wire_ref *refs, UInt ref_count, Bool conditional);
/* Records: those in windows are copied into the lane. */
void ms_vg_windows_take(ThreadId tid, ULong *from, const ULong *to);
/* Generated code writes to the lane for now; False: it did already. And back to the stage. */
Bool ms_vg_windows_pause(void);
void ms_vg_windows_continue(void);
/* Another program may replace this one: the reader gets what there is. */
void ms_vg_windows_hand_over(void);
/* In a forked child: the stage is the parent's. */
void ms_vg_windows_forget(void);
/* The program ends. */
void ms_vg_windows_finish(void);

#endif
