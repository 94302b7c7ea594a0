/* unwind.h - call paths. */
#ifndef MS_NATIVE_UNWIND_UNWIND_H
#define MS_NATIVE_UNWIND_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kept.h"

struct ms_thread;

/* Callee-saved registers of a caller, and where it was called from. */
struct ms_frame {
	uint64_t kept[MS_KEPT];
	uint64_t pc, sp;
	uint64_t link; /* the return address if it may still be in a register; else 0 */
	bool called;   /* pc is a return address and part of the path */
};
/* Code was unmapped: invalidates what is cached for it. */
void ms_unwind_forget(void);
/* The number of the current call path; called: frame's pc is a return address and part of it. */
uint32_t ms_path_here(struct ms_thread *t, const struct ms_frame *frame, bool called);
/* The same for a call through wrap.S; the path is cached. */
uint32_t ms_path_call(struct ms_thread *t, const struct ms_frame *frame);
/* The number of a path. */
uint32_t ms_path_number(struct ms_thread *t, const uint64_t *path, uint32_t n);
/* For a new stream: records all paths there, with their present numbers. */
void ms_path_tell_again(struct ms_thread *t);

#endif
