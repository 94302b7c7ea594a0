/* heap.h - allocations of the program: calls of malloc and its relatives, and of private
 * allocators. */
#ifndef MS_NATIVE_HEAP_HEAP_H
#define MS_NATIVE_HEAP_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/runtime.h"

struct ms_runtime_thread;
struct ms_unwind_frame;
struct ms_interpose_frame;
struct ms_maps_loaded_module;
struct ms_allocator_function;

/* --- malloc_calls.c, called by interpose.S --- */

/* 1: ms_heap_end_call() must be called after the real function. */
uint64_t ms_heap_begin_call(uint64_t function, struct ms_interpose_frame *frame);
void ms_heap_end_call(uint64_t function, uint64_t result);
/* Blocks that traced code has allocated since the start. */
uint64_t ms_heap_count_blocks(void);
const char *ms_heap_get_function_name(uint64_t function);
/* Where calls of this function go: to the wrapper of interpose.S that records them, or to the real
 * function. */
const void *ms_heap_choose_wrapper(uint64_t function, const void *recording, const void *real);
/* Calls of this function are not recorded, because it calls another wrapped function. */
void ms_heap_ignore_function(uint64_t function);

/* --- malloc_fast.c --- */

#define ms_heap_fast_path_thread \
	(*(struct ms_runtime_thread **)&ms_runtime_state_page[2]) /* tested by interpose.S */
/* Whether the fast path of malloc_fast.c may replace malloc_calls.c. */
void ms_heap_enable_fast_path(bool may);
/* Disables the fast path while the only thread is traced: interpose.S then need not call C, which
 * would leave generated code. */
void ms_heap_set_traced(bool traced);
/* The program has several threads from here on, or one again. */
void ms_heap_set_multithreaded(bool there_are);

/* --- pending_reallocs.c: blocks in an active realloc --- */

/* Records that the block is freed. */
typedef void ms_heap_free_reporter(struct ms_runtime_thread *t, uint64_t block);
/* Before the call; the result is an argument of one of the next two. 0: there is no block, or no
 * room. */
uint32_t ms_heap_begin_realloc(uint64_t block, ms_heap_free_reporter *report_free);
/* The call failed, or was left by a jump. */
void ms_heap_cancel_realloc(uint32_t call);
/* The call has returned and the block is freed: records it, unless another thread has. */
void ms_heap_finish_realloc(struct ms_runtime_thread *t, uint32_t call, uint64_t block,
			    ms_heap_free_reporter *report_free);
/* Number of active calls whose block another thread may already have been given. */
extern uint32_t ms_heap_pending_reallocs;
/* Called before a block at this address is recorded. */
void ms_heap_report_overtaken_free(struct ms_runtime_thread *t, uint64_t block);
/* In a forked child, which has one thread. */
void ms_heap_reset_reallocs(struct ms_runtime_thread *t);

/* --- live_blocks.c: blocks that a forked child must know --- */

void ms_heap_add_live_block(uint32_t kind, uint32_t path, uint64_t address, uint64_t size);
void ms_heap_remove_live_block(uint64_t address);
/* In a forked child, with its own stream. */
void ms_heap_report_live_blocks(struct ms_runtime_thread *t);

/* --- private_alloc.c, private_alloc_names.c: allocators that have no wrapper --- */

/* "own=": as src/launch/private_alloc.c writes it. */
void ms_heap_add_private_name(const char *text);
/* "frames=": the table of stack_variables.c. */
void ms_heap_read_stack_table(const char *text);
/* The thread runs unrecorded: functions of the table may begin and return unnoticed. */
void ms_heap_forget_stack_frames(struct ms_runtime_thread *t);
bool ms_heap_are_stack_frames_known(const struct ms_runtime_thread *t);
/* Names the variables of all active functions of the table; now: where the thread is. */
void ms_heap_find_stack_frames(struct ms_runtime_thread *t, const struct ms_unwind_frame *now);
/* The chunk of the thread's lane ends: whether a name that stayed still fits. */
void ms_heap_check_kept_name(struct ms_runtime_thread *t);
/* Ends a name that does not. */
void ms_heap_end_disproved_name(struct ms_runtime_thread *t);
/* The thread ends. */
void ms_heap_end_kept_name(struct ms_runtime_thread *t);
/* A module was mapped: searches it for the functions. */
void ms_heap_scan_module(const struct ms_maps_loaded_module *module, const char *path);
void ms_heap_watch_function(uint64_t pc, const struct ms_allocator_function *call);
void ms_heap_unwatch_range(uint64_t start, uint64_t size);
/* Reports names that were not found in any module. */
void ms_heap_report_missing_names(void);
/* Whether traced code must call ms_heap_handle_watched_pc() before it continues at pc. recorded:
 * the code records references; where it only counts them, variables on the stack need no names. */
bool ms_heap_is_watched(uint64_t pc, bool recorded);
/* Traced code continues at pc. from: the caller of the function that begins there, as it is after
 * the return. */
void ms_heap_handle_watched_pc(struct ms_runtime_thread *t, uint64_t pc, uint64_t sp,
			       const uint64_t *args, uint64_t result,
			       const struct ms_unwind_frame *from, bool recorded);
/* Whether a call with this stack pointer was made by such an allocator. */
bool ms_heap_is_inside_private_call(struct ms_runtime_thread *t, uint64_t sp);

#endif
