/* interpose.h - the functions that the runtime interposes: what interpose.S shares with C. */
#ifndef MS_NATIVE_INTERPOSE_INTERPOSE_H
#define MS_NATIVE_INTERPOSE_INTERPOSE_H

#include <stdbool.h>
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
/* Finds those that are not known yet. */
void ms_interpose_find_real_functions(void);
/* The code of the wrappers. */
extern const uint8_t ms_interpose_text_start[], ms_interpose_text_end[];
/* Switches the recording of allocations. While it is off, an allocation costs one jump more. */
void ms_interpose_set_alloc_recording(bool on);
/* Updates whether the functions that create processes or execute programs are wrapped. */
void ms_interpose_update_process_entries(void);
/* Called by interpose.S; fifth and sixth are the arguments that the frame does not hold. */
uint64_t ms_interpose_call_mapping_function(uint64_t function, struct ms_interpose_frame *frame,
					    uint64_t fifth, uint64_t sixth);

/* --- client_request_entry.c --- */

/* Reads the notes of a module: if its sources include memspy.h, its client requests are enabled. */
void ms_interpose_install_request_entry(uint64_t bias, const void *headers, uint32_t count);
extern const uint8_t ms_interpose_request_entry[];

#endif
