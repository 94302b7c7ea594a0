/* heap.h - allocations of the program: calls of malloc and its relatives, and of private
 * allocators. */
#ifndef MS_NATIVE_HEAP_HEAP_H
#define MS_NATIVE_HEAP_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "maps/maps.h"
#include "runtime.h"

struct ms_thread;
struct ms_frame;
struct ms_wrap_frame;
struct ms_module;
struct ms_heap_call;

/* --- heap.c, called by wrap.S --- */

/* 1: ms_heap_leave() must be called after the real function. */
uint64_t ms_heap_enter(uint64_t function, struct ms_wrap_frame *frame);
void ms_heap_leave(uint64_t function, uint64_t result);
/* Blocks that traced code has allocated since the start. */
uint64_t ms_heap_blocks(void);
/* Whether a block that ends there exceeds the recorded end of the heap. */
static inline bool ms_heap_is_beyond(uint64_t end)
{
	const uint64_t near = UINT64_C(1) << 40; /* farther away it is not in the heap */

	return end - 1 - __atomic_load_n(&ms_maps_heap_end, __ATOMIC_ACQUIRE) < near;
}
const char *ms_heap_name(uint64_t function);
/* Where calls of this function go: to the recording wrapper (`tells`, of wrap.S), or to the real
 * one. */
const void *ms_heap_wrapper(uint64_t function, const void *tells, const void *real);
/* Calls of this function are not recorded, because it calls another wrapped function. */
void ms_heap_passes(uint64_t function);

/* --- plain.c --- */

#define ms_plain (*(struct ms_thread **)&ms_on_page[2]) /* tested by wrap.S */
/* Whether the fast path of plain.c may replace heap.c. */
void ms_plain_switch(bool may);
/* Disables the fast path while the only thread is traced: wrap.S then need not call C, which would
 * leave generated code. */
void ms_plain_trace(bool traced);
/* The program has several threads from here on, or one again. */
void ms_plain_many(bool there_are);

/* --- resize.c: blocks in an active realloc --- */

/* Records that the block is freed. */
typedef void ms_resize_teller(struct ms_thread *t, uint64_t block);
/* Before the call; the result is an argument of one of the next two. 0: there is no block, or no
 * room. */
uint32_t ms_resize_begin(uint64_t block, ms_resize_teller *tell);
/* The call failed, or was left by a jump. */
void ms_resize_stays(uint32_t call);
/* The call has returned and the block is freed: records it, unless another thread has. */
void ms_resize_gone(struct ms_thread *t, uint32_t call, uint64_t block, ms_resize_teller *tell);
/* Number of active calls whose block another thread may already have been given. */
extern uint32_t ms_resize_under_way;
/* Called before a block at this address is recorded. */
void ms_resize_overtake(struct ms_thread *t, uint64_t block);
/* In a forked child, which has one thread. */
void ms_resize_forked(struct ms_thread *t);

/* --- own.c, own_names.c: allocators that have no wrapper --- */

/* "own=": as src/collect/own.c writes it. */
void ms_own_named(const char *text);
/* A module was mapped: searches it for the functions. */
void ms_own_look(const struct ms_module *module, const char *path);
void ms_own_add(uint64_t pc, const struct ms_heap_call *call);
void ms_own_gone(uint64_t start, uint64_t size);
/* Reports names that were not found in any module. */
void ms_own_finish(void);
/* Whether traced code must call ms_own_pass() before it continues at pc. */
bool ms_own_watches(uint64_t pc);
/* Traced code continues at pc. from: the caller of the function that begins there, as it is after
 * the return. */
void ms_own_pass(struct ms_thread *t, uint64_t pc, uint64_t sp, const uint64_t *args,
		 uint64_t result, const struct ms_frame *from);
/* Whether a call with this stack pointer was made by such an allocator. */
bool ms_own_inside(struct ms_thread *t, uint64_t sp);

#endif
