/* heap.h - what heap.c and entries.c share. */
#ifndef MS_VG_HEAP_H
#define MS_VG_HEAP_H

#include "pub_tool_basics.h"

#include "allocators.h"

/* Code that the C library's allocator consists of: when a thread ends it frees once more what the
 * thread had freed and it has kept for it. */
Bool ms_heap_is_allocators(Addr pc);

#endif
