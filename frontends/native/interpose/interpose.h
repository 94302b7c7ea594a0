/*
 * interpose.h - data of the wrappers that interpose.S shares with C. Parts below interpose/ include
 * it, too: it declares no function.
 */
#ifndef MS_NATIVE_INTERPOSE_INTERPOSE_H
#define MS_NATIVE_INTERPOSE_INTERPOSE_H

#include <stddef.h>
#include <stdint.h>

#include "callee_saved.h"
#include "interpose/function_numbers.h"

/* The layout that interpose.S creates on the stack. */
struct ms_interpose_frame {
	uint64_t args[4];
	uint64_t callee_saved[MS_UNWIND_CALLEE_SAVED_COUNT];
	uint64_t result; /* before the call: the frame pointer, for malloc_fast.c */
	uint64_t return_pc;
	uint64_t caller_stack[];
};

/* The functions that would be called without memspy; NULL: not known yet. */
extern void *ms_interpose_real_functions[MS_INTERPOSE_COUNT];
/* The code of the wrappers. */
extern const uint8_t ms_interpose_text_start[], ms_interpose_text_end[];

#endif
