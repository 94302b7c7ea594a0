/* yield_loops.h - threads that spin and yield. */
#ifndef MS_VG_YIELD_LOOPS_H
#define MS_VG_YIELD_LOOPS_H

#include "pub_tool_basics.h"

/* The running thread calls sched_yield. */
void ms_vg_yield(ThreadId tid);

#endif
