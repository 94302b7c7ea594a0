/* syscalls.h - system calls that carry information. */
#ifndef MS_VG_SYSCALLS_H
#define MS_VG_SYSCALLS_H

#include "pub_tool_basics.h"

void ms_vg_syscalls_before(ThreadId tid, UInt number, UWord *args);
void ms_vg_syscalls_after(ThreadId tid, UInt number, UWord *args, SysRes result);

/* The word that the kernel clears at the end of the thread that is being created; 0: none. */
Addr ms_vg_syscalls_clear_tid_word(void);

#endif
