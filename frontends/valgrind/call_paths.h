/* call_paths.h - call paths, each sent once. */
#ifndef MS_VG_CALL_PATHS_H
#define MS_VG_CALL_PATHS_H

#include "pub_tool_basics.h"

/* The number of the running thread's call path, from the caller of the current function on. */
UInt ms_vg_path_of_thread(ThreadId tid, Bool skip_first);
/* The calls of a path, valid until the next one, and the number of such calls. */
const Addr *ms_vg_path_get(UInt number, UInt *length);
UInt ms_vg_path_number(const Addr *path, UInt length);
void ms_vg_path_restart(void);

#endif
