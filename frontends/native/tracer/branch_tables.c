/*
 * branch_tables.c - the tables of indirect branches: for each kind of code the block of a target,
 * indexed by the low bits of the target. The block that is found compares the target with its own
 * pc, so that an entry may be of any target.
 *
 * Most programs have few targets, and clearing large tables is a good part of a short program's
 * time. So a table is filled when the first block of its kind is made, and all tables grow where
 * targets displace each other, if generated code reads their size from memory.
 */
#include "arch.h"
#include "raw_syscall.h"
#include "runtime/libc_substitutes.h"
#include "tracer/arch_priv.h"
#include "tracer/code_cache.h"
#include "tracer/tracer.h"

uint64_t *ms_tracer_branch_tables[MS_TRACER_CODE_KINDS];

enum { GROWTH = 8 };

static struct ms_tracer_branch_table_sizes sizes;
static uint64_t mask;        /* entries in use, minus one */
static uint64_t miss_code;   /* code for targets that are not in the table */
static uint64_t new_entries; /* since the tables have this size */
static bool is_filled[MS_TRACER_CODE_KINDS];

/* Aligned to its size, so that generated code can form an entry's address by inserting bits. The
 * mask is stored before the table. */
static bool allocate_table(uint64_t **table)
{
	uint64_t bytes = sizes.most * sizeof(**table);
	uint64_t at = (uint64_t)ms_tracer_map_near_code(2 * bytes);

	if (at == 0)
		return false;
	*table = (uint64_t *)((at + bytes) & ~(bytes - 1));
	(*table)[-1] = mask;
	return true;
}

bool ms_tracer_start_branch_tables(void)
{
	sizes = ms_tracer_get_branch_table_sizes();
	mask = sizes.first - 1;
	for (uint32_t kind = 0; kind < MS_TRACER_CODE_KINDS; kind++)
		if (!allocate_table(&ms_tracer_branch_tables[kind]))
			return false;
	return true;
}

void ms_tracer_set_branch_miss_code(uint64_t at)
{
	miss_code = at;
}

static void fill(uint32_t kind, uint64_t from)
{
	for (uint64_t i = from; i <= mask; i++)
		__atomic_store_n(&ms_tracer_branch_tables[kind][i], miss_code, __ATOMIC_RELAXED);
}

void ms_tracer_fill_branch_table(uint32_t kind)
{
	if (is_filled[kind])
		return;
	fill(kind, 0);
	is_filled[kind] = true;
}

void ms_tracer_reset_branch_tables(void)
{
	for (uint32_t kind = 0; kind < MS_TRACER_CODE_KINDS; kind++)
		if (is_filled[kind])
			fill(kind, 0);
}

/* Generated code uses the new size as soon as it is stored: the entries must be valid before.
 * Targets that have another place now are missed once more. */
static void grow(void)
{
	uint64_t from = mask + 1;

	mask = from * GROWTH - 1;
	for (uint32_t kind = 0; kind < MS_TRACER_CODE_KINDS; kind++)
		if (is_filled[kind])
			fill(kind, from);
	/* Tables that are filled later are filled as a whole. */
	__atomic_store_n(&ms_tracer_branch_tables[0][-1], mask, __ATOMIC_RELEASE);
	new_entries = 0;
}

static uint64_t *entry_of(uint64_t target, uint32_t kind)
{
	return &ms_tracer_branch_tables[kind][target >> MS_TRACER_BRANCH_TABLE_SHIFT & mask];
}

void ms_tracer_set_branch_target(uint64_t target, const struct ms_tracer_block *block)
{
	if (++new_entries > mask / 2 && mask + 1 < sizes.most)
		grow();
	__atomic_store_n(entry_of(target, block->kind), block->indirect, __ATOMIC_RELEASE);
}

void ms_tracer_drop_branch_target(const struct ms_tracer_block *block)
{
	uint64_t *entry = entry_of(block->pc, block->kind);

	if (*entry == block->indirect)
		__atomic_store_n(entry, miss_code, __ATOMIC_RELEASE);
}
