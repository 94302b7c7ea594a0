/*
 * resize.c - blocks on which realloc is in progress.
 *
 * Whether such a block has moved is known only when realloc has returned. By then another thread
 * may have got its memory, and have recorded that. So a thread that records a block checks this
 * table first. If realloc has just released that address, it first records the release for the
 * other thread.
 */
#include "heap/heap.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"

enum { MOST = 64 }; /* at a time; further ones may be recorded too late */

static struct {
	uint64_t block;         /* 0: its release has been recorded */
	ms_resize_teller *tell; /* NULL: the entry is free */
} calls[MOST];
uint32_t ms_resize_under_way;

uint32_t ms_resize_begin(uint64_t block, ms_resize_teller *tell)
{
	uint32_t call = 0;

	if (block == 0)
		return 0;
	ms_lock(MS_LOCK_RESIZE);
	while (call < MOST && calls[call].tell != NULL)
		call++;
	if (call < MOST) {
		calls[call].block = block;
		calls[call].tell = tell;
		__atomic_add_fetch(&ms_resize_under_way, 1, __ATOMIC_SEQ_CST);
	}
	ms_unlock(MS_LOCK_RESIZE);
	return call < MOST ? call + 1 : 0;
}

static void give_back(uint32_t call)
{
	calls[call - 1].tell = NULL;
	__atomic_sub_fetch(&ms_resize_under_way, 1, __ATOMIC_SEQ_CST);
}

void ms_resize_stays(uint32_t call)
{
	if (call == 0)
		return;
	ms_lock(MS_LOCK_RESIZE);
	give_back(call);
	ms_unlock(MS_LOCK_RESIZE);
}

void ms_resize_gone(struct ms_thread *t, uint32_t call, uint64_t block, ms_resize_teller *tell)
{
	if (call == 0) {
		tell(t, block);
		return;
	}
	ms_lock(MS_LOCK_RESIZE);
	if (calls[call - 1].block != 0)
		tell(t, block);
	give_back(call);
	ms_unlock(MS_LOCK_RESIZE);
}

void ms_resize_overtake(struct ms_thread *t, uint64_t block)
{
	if (__atomic_load_n(&ms_resize_under_way, __ATOMIC_SEQ_CST) == 0)
		return;
	ms_lock(MS_LOCK_RESIZE);
	for (uint32_t i = 0; i < MOST; i++)
		if (calls[i].tell != NULL && calls[i].block == block) {
			calls[i].tell(t, block);
			calls[i].block = 0;
		}
	ms_unlock(MS_LOCK_RESIZE);
}

/* Calls in progress in the child may be recorded too late. */
void ms_resize_forked(struct ms_thread *t)
{
	t->heap_resize = 0;
	for (uint32_t i = 0; i < t->own_count; i++)
		t->own[i].resize = 0;
	ms_resize_under_way = 0;
	for (uint32_t i = 0; i < MOST; i++)
		calls[i].tell = NULL;
}
