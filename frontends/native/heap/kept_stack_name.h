/*
 * kept_stack_name.h - the name of a function's variables that stays between its calls: see
 * kept_stack_name.c.
 */
#ifndef MS_NATIVE_HEAP_KEPT_STACK_NAME_H
#define MS_NATIVE_HEAP_KEPT_STACK_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include "heap/stack_frame.h"
#include "runtime/thread_state.h"

enum { MS_HEAP_KEPT_EXITS = 32 };

/* The thread's last call of a function with named variables. */
struct ms_heap_kept_name {
	struct ms_heap_stack_frame frame;
	uint64_t start, size;  /* of all its variables */
	uint64_t chunk, since; /* where in the lane it began, or returned */
	bool has_returned;
	bool is_interrupted;   /* the thread ran unrecorded since then */
	bool is_kept;          /* the name stays; the function's calls are not noticed */
	bool is_learning;      /* blocks that use it now do so rightly */
	bool is_disproved;     /* other code uses the memory: the name must end */
	uint8_t exits;         /* of blocks that used the variables */
	uint32_t private_uses; /* calls in a row between which no other code used the memory */
	uint32_t exit[MS_HEAP_KEPT_EXITS];
};
_Static_assert(sizeof(struct ms_heap_kept_name) <= MS_RUNTIME_KEPT_NAME_BYTES, "thread_state.h");

static inline struct ms_heap_kept_name *ms_heap_get_kept_name(const struct ms_runtime_thread *t)
{
	return (struct ms_heap_kept_name *)(uintptr_t)t->kept_name;
}

/* A function is called: before its names are written; and after that. */
void ms_heap_observe_call(struct ms_runtime_thread *t, const struct ms_heap_stack_frame *frame,
			  uint64_t start, uint64_t size);
void ms_heap_mark_call(struct ms_runtime_thread *t);
/* It returns: before its names are ended; and after that. */
void ms_heap_observe_return(struct ms_runtime_thread *t, const struct ms_heap_stack_frame *frame);
void ms_heap_mark_return(struct ms_runtime_thread *t, const struct ms_heap_stack_frame *frame);
/* The thread ran unrecorded: the lane does not have all references since its last call. */
void ms_heap_interrupt_kept_name(struct ms_runtime_thread *t);
/* Its code is translated again: learns the new blocks. */
void ms_heap_learn_kept_name(struct ms_runtime_thread *t);
/* Whether the function's calls were observed often enough for its name to stay. */
bool ms_heap_may_keep_name(const struct ms_runtime_thread *t,
			   const struct ms_wire_stack_function *function);

#endif
