/* stack_frame.h - active functions with named variables on the stack: see stack_variables.c. */
#ifndef MS_NATIVE_HEAP_STACK_FRAME_H
#define MS_NATIVE_HEAP_STACK_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/thread_state.h"

struct ms_wire_stack_function;
struct ms_maps_loaded_module;

enum { MS_HEAP_STACK_DEPTH = 63 }; /* deeper ones have no names */

struct ms_heap_stack_frame {
	uint64_t cfa; /* the stack pointer before the call */
	const struct ms_wire_stack_function *function;
};

struct ms_heap_stack_frames {
	uint32_t depth;
	bool are_known; /* false: the thread ran unrecorded since; see ms_heap_find_stack_frames()
			 */
	struct ms_heap_stack_frame at[MS_HEAP_STACK_DEPTH];
};
_Static_assert(sizeof(struct ms_heap_stack_frames) <= MS_RUNTIME_STACK_FRAMES_BYTES,
	       "thread_state.h");

static inline struct ms_heap_stack_frames *
ms_heap_get_stack_frames(const struct ms_runtime_thread *t)
{
	return (struct ms_heap_stack_frames *)(uintptr_t)t->stack_frames;
}

/* Watches the functions of the table that are in this module. */
void ms_heap_watch_stack_functions(const struct ms_maps_loaded_module *module, const char *path);
/* private_alloc.c: a function of the table begins at pc, or one returns there. */
void ms_heap_watch_frame(uint64_t pc, const struct ms_wire_stack_function *function);
void ms_heap_watch_return(uint64_t pc);
/* Ends the names of all frames that are not above the stack pointer; false: there are none. */
bool ms_heap_end_stack_frames(struct ms_runtime_thread *t, uint64_t sp);
/* False: nothing was named. */
bool ms_heap_begin_stack_frame(struct ms_runtime_thread *t,
			       const struct ms_wire_stack_function *function, uint64_t cfa);
/* Whether its calls are too frequent to be noticed any longer. */
bool ms_heap_is_frame_too_frequent(const struct ms_runtime_thread *t,
				   const struct ms_wire_stack_function *function);
/* Its last call that is noticed: the name stays if it may. */
void ms_heap_keep_stack_name(struct ms_runtime_thread *t,
			     const struct ms_wire_stack_function *function, uint64_t cfa);

#endif
