/* heap.h - what heap.c and entries.c share: the functions that take and give back memory, and
 * others that are noticed in the same way. */
#ifndef MS_VG_HEAP_H
#define MS_VG_HEAP_H

#include "pub_tool_basics.h"

enum ms_heap_action {
	MS_TAKES,   /* returns a block */
	MS_FREES,   /* is given one back */
	MS_RESIZES, /* both */
	MS_FILLS,   /* writes the block's address where an argument points to, and returns 0 */
	MS_LEAVES,  /* whatever is under way will not return: longjmp, exceptions */
	MS_STARTS,  /* makes a thread that begins with the function in an argument (block) */
};

/* Arguments are counted from 0; -1: none. Two for the size are multiplied. */
struct ms_heap_call {
	const HChar *name;
	enum ms_heap_action action;
	Int size, times;
	Int block;   /* the old block, or where the new one's address goes */
	SizeT bytes; /* the size, where no argument tells it */
	Bool own;    /* the user named it: what it hands out may lie inside another's block */
};

enum { MS_HEAP_ARGS = 4 };

#endif
