/* scheduler_lock.h - the guard of the threads' states. */
#ifndef MS_VG_SCHEDULER_LOCK_H
#define MS_VG_SCHEDULER_LOCK_H

#include "pub_tool_basics.h"

/* A thread that changes states holds the guard, briefly. */
void ms_vg_lock_guard(void);
void ms_vg_lock_unguard(void);

#endif
