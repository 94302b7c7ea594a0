/*
 * engine/feed.c - the hot loop: executions in, hits of the most recent line disposed of at once.
 */
#include "engine/engine_priv.h"
#include "stream/wire.h"

/* One reference, all of whose lines are this shard's. */
MS_INLINE void reference(struct ms_shard *shard, struct slot *slot, uint64_t address)
{
	const struct cache *first = &shard->cache[0];
	uint32_t shift = first->line_shift;
	uint64_t line = address >> shift;

	if (MS_UNLIKELY(address - slot->place->start >= slot->place->size) &&
	    !ms_shard_bind(shard, slot, address))
		return;
	slot->count++;
	if (MS_UNLIKELY((address + slot->reach) >> shift != line)) {
		ms_shard_straddle(shard, slot, address);
		return;
	}
	if (MS_LIKELY(first->tags[ms_cache_set(first, line)] == line))
		return;

	unsigned missed = ms_shard_access(shard, slot->cell, line, shard->old);
	for (unsigned level = 0; level < missed; level++)
		ms_cells_count_miss(&shard->cells, slot->cell, level, shard->old[level]);
}

/* Whether the reference's lines belong to several shards; every shard must find the same. */
static bool is_split(const struct ms_shard *shard, uint64_t address, uint32_t reach)
{
	uint64_t end = address + reach;
	unsigned owner = ms_engine_owner(shard->engine, address);

	for (uint64_t at = address; at >> shard->first_shift < end >> shard->first_shift;) {
		at += UINT64_C(1) << shard->first_shift;
		if (ms_engine_owner(shard->engine, at < end ? at : end) != owner)
			return true;
	}
	return false;
}

/* The same where other shards exist: a reference is counted by the owner of its first line. */
MS_INLINE void reference_of_shard(struct ms_shard *shard, struct slot *slot, uint64_t address,
				  unsigned batch)
{
	uint32_t shift = shard->first_shift;
	bool mine = ms_engine_owner(shard->engine, address) == shard->number;

	if (MS_LIKELY((address + slot->reach) >> shift == address >> shift) ||
	    !is_split(shard, address, slot->reach)) {
		if (mine)
			reference(shard, slot, address);
		return;
	}
	if (address - slot->place->start >= slot->place->size &&
	    !ms_shard_bind(shard, slot, address))
		return;
	slot->count += mine;
	ms_shard_split(shard, slot, address, batch);
}

MS_INLINE size_t feed(struct ms_shard *shard, const uint64_t *words, size_t n, unsigned batch,
		      const bool alone)
{
	size_t at = 0;
	uint64_t instructions = 0, references = 0;

	while (at < n) {
		uint64_t head = words[at];
		uint32_t number = ms_wire_block_of(head);
		uint32_t exit = ms_wire_exit_of(head);

		if (ms_wire_kind_of(head) != MS_WIRE_EXEC || number >= shard->blocks.n)
			break;
		const struct shard_block *block = &shard->blocks.at[number];
		if (exit >= block->exits || n - at - 1 < block->exit_refs[exit])
			break;
		uint32_t refs = block->exit_refs[exit];
		const uint64_t *addresses = words + at + 1;
		block->exit_counts[exit]++;
		for (uint32_t i = 0; i < refs; i++) {
			if (alone)
				reference(shard, &block->slots[i], addresses[i]);
			else
				reference_of_shard(shard, &block->slots[i], addresses[i], batch);
		}
		instructions += block->exit_instructions[exit];
		references += refs;
		at += 1 + refs;
	}
	__atomic_store_n(&shard->instructions, shard->instructions + instructions, __ATOMIC_RELAXED);
	__atomic_store_n(&shard->references, shard->references + references, __ATOMIC_RELAXED);
	return at;
}

size_t ms_shard_feed(struct ms_shard *shard, const uint64_t *words, size_t n, unsigned batch)
{
	return shard->engine->shards == 1 ? feed(shard, words, n, batch, true)
					  : feed(shard, words, n, batch, false);
}

void ms_shard_add_block(struct ms_shard *shard, const struct ms_block *block)
{
	struct shard_block *mine = ms_vec_add(&shard->blocks);

	*mine = (struct shard_block){
		.exit_refs = block->exit_refs,
		.exit_instructions = block->exit_instructions,
		.exit_counts = ms_arena_take(&shard->arena, block->exits * sizeof(uint64_t)),
		.slots = ms_arena_take(&shard->arena, block->refs * sizeof(struct slot)),
		.exits = block->exits,
		.refs = block->refs,
	};
	for (uint32_t i = 0; i < block->refs; i++) {
		mine->slots[i].place = &shard->places.nowhere;
		mine->slots[i].reach = block->ref[i].size > 0 ? block->ref[i].size - 1u : 0;
		mine->slots[i].site = block->ref[i].site;
	}
}
