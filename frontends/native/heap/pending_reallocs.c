/*
 * pending_reallocs.c - blocks on which realloc is in progress.
 *
 * Whether such a block has moved is known only when realloc has returned. By then another thread
 * may have got its memory, and have recorded that. So a thread that records a block checks this
 * table first. If realloc has just released that address, it first records the release for the
 * other thread.
 */
#include "heap/heap.h"
#include "heap/private_call.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"

enum { MAX_REALLOCS = 64 }; /* at a time; further ones may be recorded too late */

static struct {
	uint64_t block;                     /* 0: its release has been recorded */
	ms_heap_free_reporter *report_free; /* NULL: the entry is free */
} calls[MAX_REALLOCS];
uint32_t ms_heap_pending_reallocs;

uint32_t ms_heap_begin_realloc(uint64_t block, ms_heap_free_reporter *report_free)
{
	uint32_t call = 0;

	if (block == 0)
		return 0;
	ms_runtime_lock(MS_RUNTIME_LOCK_REALLOCS);
	while (call < MAX_REALLOCS && calls[call].report_free != NULL)
		call++;
	if (call < MAX_REALLOCS) {
		calls[call].block = block;
		calls[call].report_free = report_free;
		__atomic_add_fetch(&ms_heap_pending_reallocs, 1, __ATOMIC_SEQ_CST);
	}
	ms_runtime_unlock(MS_RUNTIME_LOCK_REALLOCS);
	return call < MAX_REALLOCS ? call + 1 : 0;
}

static void release_realloc(uint32_t call)
{
	calls[call - 1].report_free = NULL;
	__atomic_sub_fetch(&ms_heap_pending_reallocs, 1, __ATOMIC_SEQ_CST);
}

void ms_heap_cancel_realloc(uint32_t call)
{
	if (call == 0)
		return;
	ms_runtime_lock(MS_RUNTIME_LOCK_REALLOCS);
	release_realloc(call);
	ms_runtime_unlock(MS_RUNTIME_LOCK_REALLOCS);
}

void ms_heap_finish_realloc(struct ms_runtime_thread *t, uint32_t call, uint64_t block,
			    ms_heap_free_reporter *report_free)
{
	if (call == 0) {
		report_free(t, block);
		return;
	}
	ms_runtime_lock(MS_RUNTIME_LOCK_REALLOCS);
	if (calls[call - 1].block != 0)
		report_free(t, block);
	release_realloc(call);
	ms_runtime_unlock(MS_RUNTIME_LOCK_REALLOCS);
}

void ms_heap_report_overtaken_free(struct ms_runtime_thread *t, uint64_t block)
{
	if (__atomic_load_n(&ms_heap_pending_reallocs, __ATOMIC_SEQ_CST) == 0)
		return;
	ms_runtime_lock(MS_RUNTIME_LOCK_REALLOCS);
	for (uint32_t i = 0; i < MAX_REALLOCS; i++)
		if (calls[i].report_free != NULL && calls[i].block == block) {
			calls[i].report_free(t, block);
			calls[i].block = 0;
		}
	ms_runtime_unlock(MS_RUNTIME_LOCK_REALLOCS);
}

/* Calls in progress in the child may be recorded too late. */
void ms_heap_reset_reallocs(struct ms_runtime_thread *t)
{
	t->heap_resize = 0;
	for (uint32_t i = 0; i < t->private_depth; i++)
		ms_heap_get_private_calls(t)[i].resize = 0;
	ms_heap_pending_reallocs = 0;
	for (uint32_t i = 0; i < MAX_REALLOCS; i++)
		calls[i].report_free = NULL;
}
