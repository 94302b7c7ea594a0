/* private_call.h - an active call of a private allocator: see own.c. */
#ifndef MS_NATIVE_HEAP_PRIVATE_CALL_H
#define MS_NATIVE_HEAP_PRIVATE_CALL_H

#include <stdint.h>

struct ms_heap_call;

enum { MS_OWN_DEEPEST = 2, MS_OWN_MOST = 64 };
struct ms_own_call {
	uint64_t return_sp, return_pc;
	uint64_t size, block;
	const struct ms_heap_call *call;
	uint32_t path;
	uint32_t resize; /* as heap_resize of struct ms_thread */
};

#endif
