/* interpose.h - the functions that the runtime interposes: what wrap.S shares with C. */
#ifndef MS_NATIVE_INTERPOSE_INTERPOSE_H
#define MS_NATIVE_INTERPOSE_INTERPOSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kept.h"
#include "wrap.h"

/* The layout that wrap.S creates on the stack. */
struct ms_wrap_frame {
	uint64_t args[4];
	uint64_t kept[MS_KEPT];
	uint64_t result; /* before the call: the frame pointer, for plain.c */
	uint64_t return_pc;
	uint64_t caller_stack[];
};

/* The functions that would be called without memspy; NULL: not known yet. */
extern void *ms_wrap_real[MS_WRAP_ALL];
/* Finds those that are not known yet. */
void ms_interpose_find_real_functions(void);
/* The code of the wrappers. */
extern const uint8_t ms_wrap_start[], ms_wrap_end[];
/* Switches the recording of allocations. While it is off, an allocation costs one jump more. */
void ms_heap_switch(bool on);
/* Updates whether the functions that create processes or execute programs are wrapped. */
void ms_wrap_processes(void);
/* Called by wrap.S; fifth and sixth are the arguments that the frame does not hold. */
uint64_t ms_untraced_call(uint64_t function, struct ms_wrap_frame *frame, uint64_t fifth,
			  uint64_t sixth);

/* --- hook.c --- */

/* Reads the notes of a module: if its sources include memspy.h, its client requests are enabled. */
void ms_hook_notes(uint64_t bias, const void *headers, uint32_t count);
extern const uint8_t ms_hook_entry[];

#endif
