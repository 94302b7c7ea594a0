/*
 * engine/feed.c - the hot loop: executions in, hits of the most recent line disposed of at once.
 */
#include "engine/engine_priv.h"
#include "stream/wire.h"

/*
 * What the hot loop needs of the first level, in registers: the compiler cannot know that counting
 * does not change it. Where sets are no power of two, mask 0 finds the most recent line of set 0,
 * which is a hit when it is the line, and tells nothing when it is not.
 */
struct first_level {
	const uint64_t *recent;
	uint64_t mask;
	uint32_t shift;
};

static MS_NOINLINE void touch_older_line(struct ms_shard *shard, struct slot *slot, uint64_t line)
{
	unsigned missed = ms_shard_access(shard, slot->cell, line, shard->old);

	for (unsigned level = 0; level < missed; level++)
		ms_cells_count_miss(&shard->cells, slot->cell, level, shard->old[level]);
}

/* One reference, all of whose lines are this shard's. */
MS_INLINE void reference(struct ms_shard *shard, struct first_level first, struct slot *slot,
			 uint64_t address)
{
	uint64_t line = address >> first.shift;

	if (MS_UNLIKELY(address - slot->place->start >= slot->place->size) &&
	    !ms_shard_bind(shard, slot, address))
		return;
	slot->count++;
	if (MS_UNLIKELY((address + slot->reach) >> first.shift != line))
		ms_shard_straddle(shard, slot, address);
	else if (MS_UNLIKELY(first.recent[line & first.mask] != line))
		touch_older_line(shard, slot, line);
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
MS_INLINE void reference_of_shard(struct ms_shard *shard, struct first_level first,
				  struct slot *slot, uint64_t address, unsigned batch)
{
	bool mine = ms_engine_owner(shard->engine, address) == shard->number;

	if (MS_LIKELY((address + slot->reach) >> first.shift == address >> first.shift) ||
	    !is_split(shard, address, slot->reach)) {
		if (mine)
			reference(shard, first, slot, address);
		return;
	}
	if (address - slot->place->start >= slot->place->size &&
	    !ms_shard_bind(shard, slot, address))
		return;
	slot->count += mine;
	ms_shard_split(shard, slot, address, batch);
}

MS_INLINE size_t feed(struct ms_shard *shard, const uint64_t *words, size_t n, unsigned batch,
		      const struct first_level first, const bool alone)
{
	const uint64_t *at = words, *end = words + n;
	uint64_t executions = 0;

	while (at < end) {
		uint64_t head = *at;

		if (MS_UNLIKELY(ms_wire_kind_of(head) != MS_WIRE_EXEC ||
				ms_wire_arg_of(head) >= shard->exits.n))
			break;
		struct shard_exit *exit = &shard->exits.at[ms_wire_arg_of(head)];
		struct slot *slot = exit->slots;
		const uint64_t *last = at + 1 + exit->refs;
		if (MS_UNLIKELY(last > end))
			break;
		exit->count++;
		executions++;
		for (at++; at < last; at++, slot++) {
			if (alone)
				reference(shard, first, slot, *at);
			else
				reference_of_shard(shard, first, slot, *at, batch);
		}
	}
	__atomic_store_n(&shard->references,
			 shard->references + (uint64_t)(at - words) - executions, __ATOMIC_RELAXED);
	return (size_t)(at - words);
}

/* Lines of 64 bytes are what most machines have: a constant is a register less, and faster. */
size_t ms_shard_feed(struct ms_shard *shard, const uint64_t *words, size_t n, unsigned batch)
{
	const struct cache *cache = &shard->cache[0];
	const struct first_level any = { cache->recent, cache->mask, cache->line_shift };
	const struct first_level usual = { cache->recent, cache->mask, 6 };

	if (shard->engine->shards > 1)
		return feed(shard, words, n, batch, any, false);
	if (cache->line_shift == 6)
		return feed(shard, words, n, batch, usual, true);
	return feed(shard, words, n, batch, any, true);
}

void ms_shard_add_block(struct ms_shard *shard, const struct ms_block *block)
{
	struct slot *slots = ms_arena_take(&shard->arena, block->refs * sizeof(*slots));

	for (uint32_t i = 0; i < block->refs; i++)
		slots[i] = (struct slot){
			.place = &shard->places.nowhere,
			.reach = block->ref[i].size > 0 ? block->ref[i].size - 1u : 0,
			.site = block->ref[i].site,
		};
	*ms_vec_add(&shard->blocks) =
		(struct shard_block){ slots, (uint32_t)shard->exits.n, block->refs };
	for (uint32_t i = 0; i < block->exits; i++)
		*ms_vec_add(&shard->exits) = (struct shard_exit){ 0, slots, block->exit_refs[i] };
}
