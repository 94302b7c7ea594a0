/*
 * engine/feed.c - the hot loop: executions in, hits of the most recent line disposed of at once.
 */
#include "engine/engine_priv.h"
#include "stream/wire.h"

static void touch_line(struct ms_shard *shard, struct slot *slot, uint64_t line)
{
	unsigned missed = ms_shard_access(shard, slot->cell, line, shard->old);

	for (unsigned level = 0; level < missed; level++)
		ms_cells_count_miss(&shard->cells, slot->cell, level, shard->old[level]);
}

static MS_NOINLINE void reference_slowly(struct ms_shard *shard, struct slot *slot,
					 uint64_t address)
{
	uint64_t line = address >> shard->first_shift;

	if (MS_UNLIKELY(shard->general != NULL))
		ms_general_reference(shard, slot, address);
	else if ((address + slot->reach) >> shard->first_shift != line)
		ms_shard_straddle(shard, slot, address);
	else if (!ms_cache_swap(&shard->cache[0], line))
		touch_line(shard, slot, line);
}

/*
 * One reference, all of whose lines are this shard's. Where the line of its last byte is the most
 * recent one of its first byte's set, it touches no other line (the next lines have other sets),
 * and nothing changes. Where that is not so (sets are no power of two, or a reference spans as many
 * lines as there are sets), `recent` is a table that never matches.
 */
MS_INLINE void reference(struct ms_shard *shard, uint32_t shift, struct slot *slot,
			 uint64_t address)
{
	if (MS_UNLIKELY(address - slot->place->start >= slot->place->size) &&
	    !ms_shard_bind(shard, slot, address))
		return;
	slot->count++;
	if (MS_UNLIKELY(shard->recent[(address >> shift) & shard->recent_mask] !=
			(address + slot->reach) >> shift))
		reference_slowly(shard, slot, address);
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
MS_INLINE void reference_of_shard(struct ms_shard *shard, uint32_t shift, struct slot *slot,
				  uint64_t address, unsigned batch)
{
	bool mine = ms_engine_owner(shard->engine, address) == shard->number;

	if (MS_LIKELY((address + slot->reach) >> shift == address >> shift) ||
	    !is_split(shard, address, slot->reach)) {
		if (mine)
			reference(shard, shift, slot, address);
		return;
	}
	if (address - slot->place->start >= slot->place->size &&
	    !ms_shard_bind(shard, slot, address))
		return;
	slot->count += mine;
	ms_shard_split(shard, slot, address, batch);
}

/*
 * Few variables live across the slow calls, so that all stay in registers: hence shard->feed_end. A
 * loop leaves its block by the same exit again and again: then nothing need be looked up.
 */
MS_INLINE const uint64_t *feed(struct ms_shard *shard, const uint64_t *at, unsigned batch,
			       uint32_t shift, const bool alone)
{
	struct shard_exit *exit = NULL;
	uint64_t last_head = at < shard->feed_end ? ~*at : 0; /* not the first one */

	while (at < shard->feed_end) {
		uint64_t head = *at;

		if (head != last_head) {
			if (MS_UNLIKELY(ms_wire_kind_of(head) != MS_WIRE_EXEC ||
					ms_wire_arg_of(head) >= shard->exits.n))
				break;
			exit = &shard->exits.at[ms_wire_arg_of(head)];
			last_head = head;
		}
		struct slot *slot = exit->slots;
		const uint64_t *last = at + 1 + exit->refs;
		if (MS_UNLIKELY(last > shard->feed_end))
			break;
		exit->count++;
		for (const uint64_t *address = at + 1; address < last; address++, slot++) {
			if (alone)
				reference(shard, shift, slot, *address);
			else
				reference_of_shard(shard, shift, slot, *address, batch);
		}
		at = last;
	}
	return at;
}

/* Lines of 64 bytes are what most machines have: a constant is a register less, and faster. */
size_t ms_shard_feed(struct ms_shard *shard, const uint64_t *words, size_t n, unsigned batch)
{
	const uint64_t *at;

	shard->feed_end = words + n;
	if (shard->engine->shards > 1)
		at = feed(shard, words, batch, shard->first_shift, false);
	else if (shard->first_shift == 6)
		at = feed(shard, words, batch, 6, true);
	else
		at = feed(shard, words, batch, shard->first_shift, true);
	return (size_t)(at - words);
}

void ms_shard_add_block(struct ms_shard *shard, const struct ms_block *block)
{
	struct slot *slots = ms_arena_take(&shard->arena, block->refs * sizeof(*slots));

	for (uint32_t i = 0; i < block->refs; i++) {
		slots[i] = (struct slot){
			.place = &shard->places.nowhere,
			.reach = (uint16_t)(block->ref[i].size > 0 ? block->ref[i].size - 1 : 0),
			.kind = block->ref[i].kind,
			.site = block->ref[i].site,
		};
		if ((uint64_t)(slots[i].reach >> shard->first_shift) + 1 >= shard->cache[0].sets)
			ms_shard_forget_recent(shard);
	}
	*ms_vec_add(&shard->blocks) =
		(struct shard_block){ slots, (uint32_t)shard->exits.n, block->refs };
	for (uint32_t i = 0; i < block->exits; i++)
		*ms_vec_add(&shard->exits) = (struct shard_exit){ 0, slots, block->exit_refs[i] };
}
