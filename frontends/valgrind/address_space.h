/* address_space.h - modules, mappings, threads. */
#ifndef MS_VG_ADDRESS_SPACE_H
#define MS_VG_ADDRESS_SPACE_H

#include "pub_tool_basics.h"

void ms_vg_memory_start(void);
/* Maps the first thread's stack as far as the architecture needs it. */
void ms_vg_memory_map_stack(void);
/* Sends everything that exists: for another stream. */
void ms_vg_memory_restart(ThreadId tid);
/* Looks for changes that are not announced; called before each translation. */
void ms_vg_memory_check_thread(ThreadId tid);
/* The thread requests its own end, or the program's: no other thread ends it. */
void ms_vg_memory_set_thread_exits(ThreadId tid);
/* Whether it has. */
Bool ms_vg_memory_thread_exits(ThreadId tid);
/* Sends its end in the stream, once. */
void ms_vg_memory_send_thread_end(ThreadId tid);

#endif
