/* host_affinity.h - keeps threads on one processor of the host. */
#ifndef MS_VG_HOST_AFFINITY_H
#define MS_VG_HOST_AFFINITY_H

#include "pub_tool_basics.h"

void ms_vg_pin_start(void);
/* This thread will be woken. */
void ms_vg_pin_next(ThreadId next);
/* This one runs. */
void ms_vg_pin_begin(ThreadId tid);
/* Before a system call. */
void ms_vg_pin_before_syscall(UInt number);

#endif
