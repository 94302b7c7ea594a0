/*
 * allocators.h - the functions that take and give back memory, and others that are noticed in the
 * same way; for the front-ends, which find them in the symbols of a program's modules by the names
 * of allocator_names.h.
 */
#ifndef MS_FRONTENDS_ALLOCATORS_H
#define MS_FRONTENDS_ALLOCATORS_H

#include <stdbool.h>
#include <stddef.h>

enum ms_allocator_action {
	MS_ALLOCATOR_TAKES,   /* returns a block */
	MS_ALLOCATOR_FREES,   /* is given one back */
	MS_ALLOCATOR_RESIZES, /* both */
	MS_ALLOCATOR_FILLS, /* writes the block's address where an argument points to, and returns 0
			     */
	MS_ALLOCATOR_LEAVES, /* whatever is under way will not return: longjmp, exceptions */
	MS_ALLOCATOR_STARTS, /* makes a thread that begins with the function in an argument (block)
			      */
};

/* Arguments are counted from 0; -1: none. Two for the size are multiplied. */
struct ms_allocator_function {
	const char *name;
	enum ms_allocator_action action;
	int size, times;
	int block;    /* the old block, or where the new one's address goes */
	size_t bytes; /* the size, where no argument tells it */
	bool own;     /* the user named it: what it hands out may lie inside another's block */
};

enum { MS_ALLOCATOR_ARGS = 4 };

#endif
