/* heap_calls.h - observes calls of malloc and its family. */
#ifndef MS_VG_HEAP_CALLS_H
#define MS_VG_HEAP_CALLS_H

#include "pub_tool_basics.h"

#include "allocators.h"

/* Called by generated code. */
void ms_vg_heap_enter(const struct ms_allocator_function *call, Addr sp, UWord arg0, UWord arg1,
		      UWord arg2, UWord arg3);
void ms_vg_heap_return(Addr result, Addr to);
/* The stack pointer with which the running thread returns from the present call, or 0. */
extern ULong ms_vg_heap_return_sp;
/* The thread that runs from now on. */
void ms_vg_heap_switch_thread(ThreadId tid);
void ms_vg_heap_end_thread(ThreadId tid);
void ms_vg_heap_restart(void);

#endif
