/* settled_threads.h - waits until every thread is ready, asleep in the kernel, or gone. */
#ifndef MS_VALGRIND_SETTLED_THREADS_H
#define MS_VALGRIND_SETTLED_THREADS_H

#include "pub_tool_basics.h"

/* Before the program runs. */
void ms_vg_quiesce_start(void);
/* Waits until every thread that moves is back, asleep or gone. */
void ms_vg_quiesce(void);

#endif
