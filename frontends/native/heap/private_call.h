/* private_call.h - an active call of a private allocator: see private_alloc.c. */
#ifndef MS_NATIVE_HEAP_PRIVATE_CALL_H
#define MS_NATIVE_HEAP_PRIVATE_CALL_H

#include <stdint.h>

#include "runtime/thread_state.h"

struct ms_allocator_function;

enum { MS_HEAP_PRIVATE_MAX_DEPTH = 2, MS_HEAP_PRIVATE_MAX_NAMES = 64 };
struct ms_heap_private_call {
	uint64_t return_sp, return_pc;
	uint64_t size, block;
	const struct ms_allocator_function *call;
	uint32_t path;
	uint32_t resize; /* as heap_resize of struct ms_runtime_thread */
};
_Static_assert(sizeof(struct ms_heap_private_call[MS_HEAP_PRIVATE_MAX_DEPTH]) <=
		       MS_RUNTIME_PRIVATE_CALLS_BYTES,
	       "thread_state.h");

/* private_alloc_names.c: a function that the user named was called. */
void ms_heap_note_private_call(const struct ms_allocator_function *call);

/* Of this thread: MS_HEAP_PRIVATE_MAX_DEPTH. */
static inline struct ms_heap_private_call *
ms_heap_get_private_calls(const struct ms_runtime_thread *t)
{
	return (struct ms_heap_private_call *)(uintptr_t)t->private_calls;
}

#endif
