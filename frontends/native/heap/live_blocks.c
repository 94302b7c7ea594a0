/*
 * live_blocks.c - the live blocks of the heap, in an open table by address. They are kept only
 * where children are followed: a forked child records them in its own stream (child_processes.c).
 */
#include "heap/heap.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/locks.h"
#include "wire/wire.h"

struct live_block {
	uint64_t address; /* 0: never used; 1: deleted */
	uint64_t size;
	uint32_t kind, path;
};
enum { REMOVED = 1, FIRST_SIZE = 4096 };

static struct live_block *table;
static uint64_t table_size, used; /* a power of two; entries ever used */

static struct live_block *find(struct live_block *in, uint64_t size, uint64_t address, bool to_add)
{
	uint64_t i = (address >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20 & (size - 1);

	while (in[i].address != 0 && in[i].address != address &&
	       !(to_add && in[i].address == REMOVED))
		i = (i + 1) & (size - 1);
	return &in[i];
}

/* Doubles the table, or keeps its size if most entries are deleted. */
static bool make_room(void)
{
	uint64_t live = 0, size = FIRST_SIZE, live_count = 0;

	for (uint64_t i = 0; i < table_size; i++)
		live += table[i].address > REMOVED;
	while (size < live * 4)
		size *= 2;
	struct live_block *wider = ms_runtime_map_pages(size * sizeof(*wider));
	if (wider == NULL)
		return false;
	for (uint64_t i = 0; i < table_size; i++)
		if (table[i].address > REMOVED) {
			*find(wider, size, table[i].address, true) = table[i];
			live_count++;
		}
	ms_runtime_unmap_pages(table, table_size * sizeof(*table));
	table = wider;
	table_size = size;
	used = live_count;
	return true;
}

/* A block that does not fit into memory has no name in the child. */
void ms_heap_add_live_block(uint32_t kind, uint32_t path, uint64_t address, uint64_t size)
{
	if (!ms_runtime_config.follow_children || address <= REMOVED)
		return;
	ms_runtime_lock(MS_RUNTIME_LOCK_LIVE_BLOCKS);
	if (used * 2 < table_size || make_room()) {
		struct live_block *at = find(table, table_size, address, false);

		if (at->address == 0) {
			at = find(table, table_size, address, true);
			used += at->address == 0;
		}
		*at = (struct live_block){ address, size, kind, path };
	}
	ms_runtime_unlock(MS_RUNTIME_LOCK_LIVE_BLOCKS);
}

void ms_heap_remove_live_block(uint64_t address)
{
	if (!ms_runtime_config.follow_children || address <= REMOVED)
		return;
	ms_runtime_lock(MS_RUNTIME_LOCK_LIVE_BLOCKS);
	if (table != NULL) {
		struct live_block *at = find(table, table_size, address, false);

		if (at->address == address)
			at->address = REMOVED;
	}
	ms_runtime_unlock(MS_RUNTIME_LOCK_LIVE_BLOCKS);
}

void ms_heap_report_live_blocks(struct ms_runtime_thread *t)
{
	static const uint32_t kinds[2] = { MS_WIRE_ALLOC, MS_WIRE_INNER_ALLOC };

	/* Outer blocks first: inner ones are inside them. */
	for (uint32_t k = 0; k < 2; k++)
		for (uint64_t i = 0; i < table_size; i++) {
			uint64_t words[2] = { table[i].address, table[i].size };

			if (table[i].address > REMOVED && table[i].kind == kinds[k])
				ms_runtime_write_event(t, kinds[k], table[i].path, words, 2, NULL,
						       0);
		}
}
