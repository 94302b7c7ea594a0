/* unwind.h - call paths. */
#ifndef MS_NATIVE_UNWIND_UNWIND_H
#define MS_NATIVE_UNWIND_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "callee_saved.h"

struct ms_runtime_thread;

/* Callee-saved registers of a caller, and where it was called from. */
struct ms_unwind_frame {
	uint64_t callee_saved[MS_UNWIND_CALLEE_SAVED_COUNT];
	uint64_t pc, sp;
	uint64_t link;    /* the return address if it may still be in a register; else 0 */
	bool called;      /* pc is a return address and part of the path */
	bool interrupted; /* pc is an instruction that was not executed yet, of any function */
};
/* Code was unmapped: invalidates what is cached for it. */
void ms_unwind_invalidate_caches(void);
/* The number of the current call path; called: frame's pc is a return address and part of it. */
uint32_t ms_unwind_get_path(struct ms_runtime_thread *t, const struct ms_unwind_frame *frame,
			    bool called);
/* The same for a call through interpose.S; the path is cached. */
uint32_t ms_unwind_get_call_path(struct ms_runtime_thread *t, const struct ms_unwind_frame *frame);
/* The number of a path. */
uint32_t ms_unwind_number_path(struct ms_runtime_thread *t, const uint64_t *path, uint32_t n);
/* Records the calls that have not returned: MS_WIRE_CALLS. */
void ms_unwind_report_calls(struct ms_runtime_thread *t, const struct ms_unwind_frame *frame);
/* For a new stream: records all paths there, with their present numbers. */
void ms_unwind_report_all_paths(struct ms_runtime_thread *t);

#endif
