/* heap.h - shared by heap.c and entries.c. */
#ifndef MS_VG_HEAP_H
#define MS_VG_HEAP_H

#include "pub_tool_basics.h"

#include "allocators.h"

/* Whether pc is in the C library's allocator: when a thread ends, that frees again the blocks that
 * the thread had freed and that it had cached for it. */
Bool ms_heap_is_allocators(Addr pc);

#endif
