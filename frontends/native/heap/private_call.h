/* private_call.h - an active call of a private allocator: see private_alloc.c. */
#ifndef MS_NATIVE_HEAP_PRIVATE_CALL_H
#define MS_NATIVE_HEAP_PRIVATE_CALL_H

#include <stdint.h>

struct ms_allocator_function;

enum { MS_HEAP_PRIVATE_MAX_DEPTH = 2, MS_HEAP_PRIVATE_MAX_NAMES = 64 };
struct ms_heap_private_call {
	uint64_t return_sp, return_pc;
	uint64_t size, block;
	const struct ms_allocator_function *call;
	uint32_t path;
	uint32_t resize; /* as heap_resize of struct ms_runtime_thread */
};

#endif
