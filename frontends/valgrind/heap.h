/* heap.h - what heap.c and entries.c share. */
#ifndef MS_VG_HEAP_H
#define MS_VG_HEAP_H

#include "pub_tool_basics.h"

#include "allocators.h"

#endif
