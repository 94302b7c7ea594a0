/* forked_child.h - forked children. */
#ifndef MS_VG_FORKED_CHILD_H
#define MS_VG_FORKED_CHILD_H

#include "pub_tool_basics.h"

#include "wire/wire.h"

/* Children are followed: memspy listens at this name. */
void ms_vg_child_set_collector(const HChar *name);
/* Allocated and freed blocks; kind: MS_WIRE_ALLOC or MS_WIRE_INNER_ALLOC. */
void ms_vg_child_note_alloc(UInt kind, UInt path, Addr address, SizeT size);
void ms_vg_child_note_free(Addr address);
/* Before a fork; after it in the parent, which waits until the child has sent its request; in the
 * child. */
void ms_vg_child_before_fork(ThreadId tid);
void ms_vg_child_wait(ThreadId tid);
void ms_vg_child_after_fork(ThreadId tid);

#endif
