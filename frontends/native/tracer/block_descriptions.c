/*
 * block_descriptions.c - describes each block of translated code once; exits are numbered across
 * all blocks.
 *
 * With sampled sets most references are not recorded, so the position in the record cannot identify
 * a reference. Then an execution refers to a block without references. Before it, each recorded
 * reference is an execution of a block that consists of this reference only, and that counts as no
 * instructions. Such a block is described once for all blocks that contain its instruction.
 */
#include "tracer/block_descriptions.h"

#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"
#include "tracer/described_blocks.h"
#include "tracer/exit_counters.h"
#include "tracer/tracer.h"
#include "wire/wire.h"

static uint32_t next_block, next_exit;

/* A bit for each exit: an execution that leaves a block there has written to memory. */
enum { WRITES_EXITS = 1 << 20 };
static uint64_t writes[WRITES_EXITS / 64];

/* Number of references of an execution, by exit, where its record does not contain them. */
uint16_t *ms_tracer_exit_refs;

/* Descriptions of references: a direct-mapped table by pc, in which a new entry replaces the old
 * one. */
static struct ref_block {
	uint64_t key;
	uint32_t exit;
} * ref_blocks;
enum { REF_BLOCKS = 1 << 16, KIND_BITS = 2, SIZE_BITS = 12 };

static void remember_writes(uint32_t exit, const struct ms_wire_ref *refs, uint32_t n)
{
	uint64_t bit = UINT64_C(1) << exit % 64;

	if (exit >= WRITES_EXITS)
		return;
	writes[exit / 64] &= ~bit;
	for (uint32_t i = 0; i < n; i++)
		if (refs[i].kind != MS_WIRE_READ)
			writes[exit / 64] |= bit;
}

bool ms_tracer_does_exit_write(uint32_t exit)
{
	return exit >= WRITES_EXITS || (writes[exit / 64] >> exit % 64 & 1) != 0;
}

static uint32_t write_description(struct ms_runtime_thread *t, const uint64_t *words, uint32_t n,
				  const struct ms_wire_exit *exits, uint32_t exit_count)
{
	uint32_t first = next_exit;

	next_exit += exit_count;
	for (uint32_t i = 0; i < exit_count; i++)
		ms_runtime_set_exit_instructions(first + i, exits[i].instructions);
	ms_runtime_write_event(t, MS_WIRE_BLOCK, next_block++, words, n, NULL, 0);
	return first;
}

static uint32_t copy_words(uint64_t *to, const void *from, uint32_t n)
{
	ms_runtime_copy_bytes(to, from, n * 8);
	return n;
}

/* Descriptions are kept where code is translated twice: to record and to count, or again after the
 * code cache was flushed. Most programs fit into it. */
static bool may_find_description(uint64_t generation)
{
	return generation != 0 || ms_tracer_get_exit_counter_bytes() != 0;
}

static uint32_t describe(struct ms_runtime_thread *t, const struct ms_tracer_description *block)
{
	uint64_t words[MS_WIRE_RESERVE_WORDS];
	const struct ms_wire_block head = { (uint16_t)block->instructions,
					    (uint16_t)block->ref_count, (uint16_t)block->exit_count,
					    block->operands != NULL };
	uint64_t generation = ms_tracer_count_cache_restarts();
	uint32_t n = 0, first;

	n += copy_words(&words[n], &head, 1);
	n += copy_words(&words[n], block->pcs, block->instructions);
	n += copy_words(&words[n], block->refs, block->ref_count);
	n += copy_words(&words[n], block->exits, block->exit_count);
	if (block->operands != NULL)
		n += copy_words(&words[n], block->operands, block->instructions);

	if (!may_find_description(generation) || block->instructions == 0) {
		first = write_description(t, words, n, block->exits, block->exit_count);
	} else if (!ms_tracer_find_description(words, n, t->sampled.code, generation, &first)) {
		first = write_description(t, words, n, block->exits, block->exit_count);
		ms_tracer_add_description(first);
	}
	for (uint32_t i = 0; i < block->exit_count; i++)
		remember_writes(first + i, block->refs, block->exits[i].refs);
	return first;
}

uint32_t ms_tracer_describe_block(struct ms_runtime_thread *t,
				  const struct ms_tracer_description *block)
{
	ms_runtime_lock(MS_RUNTIME_LOCK_BLOCKS);
	uint32_t first = describe(t, block);
	ms_runtime_unlock(MS_RUNTIME_LOCK_BLOCKS);
	return first;
}

/* --- sampled sets --- */

bool ms_tracer_start_ref_blocks(void)
{
	ms_tracer_exit_refs = ms_runtime_map_pages(MS_WIRE_EXITS * sizeof(*ms_tracer_exit_refs));
	ref_blocks = ms_runtime_map_pages(REF_BLOCKS * sizeof(*ref_blocks));
	return ms_tracer_exit_refs != NULL && ref_blocks != NULL;
}

uint32_t ms_tracer_describe_block_without_refs(struct ms_runtime_thread *t,
					       const struct ms_tracer_description *block)
{
	struct ms_tracer_description without = *block;

	without.ref_count = 0;
	ms_runtime_lock(MS_RUNTIME_LOCK_BLOCKS);
	for (uint32_t i = 0; i < block->exit_count; i++) {
		block->exits[i].made = block->exits[i].refs;
		block->exits[i].refs = 0;
	}
	uint32_t first = describe(t, &without);
	for (uint32_t i = 0; i < block->exit_count && first + i < MS_WIRE_EXITS; i++)
		ms_tracer_exit_refs[first + i] = block->exits[i].made;
	ms_runtime_unlock(MS_RUNTIME_LOCK_BLOCKS);
	return first;
}

uint32_t ms_tracer_describe_ref_block(struct ms_runtime_thread *t, uint64_t pc,
				      const uint64_t *operands, uint16_t size, uint16_t kind,
				      uint32_t times)
{
	const struct ms_wire_ref ref = { 0, size, kind, (uint16_t)times };
	struct ms_wire_exit exit = { 1, 0, 0 };
	const struct ms_tracer_description block = { .pcs = &pc,
						     .operands = operands,
						     .instructions = 1,
						     .ref_count = 1,
						     .refs = &ref,
						     .exits = &exit,
						     .exit_count = 1 };
	uint64_t key = (pc << SIZE_BITS | size) << KIND_BITS | kind;
	struct ref_block *k = &ref_blocks[(key ^ key >> 17) % REF_BLOCKS];

	ms_runtime_lock(MS_RUNTIME_LOCK_BLOCKS);
	if (k->key != key) {
		k->exit = describe(t, &block);
		k->key = key;
		if (k->exit < MS_WIRE_EXITS)
			ms_tracer_exit_refs[k->exit] = 0;
	}
	uint32_t number = k->exit;
	ms_runtime_unlock(MS_RUNTIME_LOCK_BLOCKS);
	return number;
}

void ms_tracer_forget_ref_blocks(void)
{
	ms_runtime_lock(MS_RUNTIME_LOCK_BLOCKS);
	for (uint32_t i = 0; i < REF_BLOCKS && ref_blocks != NULL; i++)
		ref_blocks[i].key = 0;
	ms_tracer_forget_descriptions();
	ms_runtime_unlock(MS_RUNTIME_LOCK_BLOCKS);
}

uint32_t ms_tracer_count_exits(void)
{
	return next_exit;
}

void ms_tracer_restart_descriptions(void)
{
	next_block = 0;
	next_exit = 0;
	ms_tracer_forget_ref_blocks();
}
