/*
 * engine/sieve.c - the hot loop: executions in; out come the lines that are no sure hits.
 *
 * The sieve is the first level. Each reference is counted for its data; a line that is there falls
 * through; all others are kept for the levels behind it (settle.c), each with its victim.
 *
 * Where shards take turns, a sieve starts empty. What it does not find in a set that is not yet
 * full has no victim, and may have been there before: settle.c knows. A full set is the first
 * level's, whatever was there before: that is what LRU means.
 *
 * Of a machine that is not plain (general.h) at most the repeated use of a set's last line falls
 * through.
 *
 * A reference to another object than its slot met last has to look its data up, far away in memory.
 * A few such references wait for each other, so that what they need comes in meanwhile.
 */
#include "engine/engine_priv.h"
#include "stream/wire.h"

/* --- data --- */

/* The data of the slot's references from now on. */
static void set_data(struct ms_shard *shard, struct slot *slot, uint32_t data)
{
	if (slot->cell == NULL) {
		slot->cell = ms_cells_at(&shard->cells, slot->site, slot->kind, data);
	} else if (slot->cell->data != data) {
		slot->cell->references += slot->count;
		slot->count = 0;
		slot->cell = ms_cells_after(&shard->cells, slot->cell, data);
	}
}

static void bind_all(struct ms_shard *shard, struct batch *batch)
{
	const struct unbound *end = shard->unbound + shard->unbound_count;

	for (const struct unbound *u = shard->unbound; u < end; u++)
		if (*u->where > MS_PLACE_FREED)
			__builtin_prefetch(ms_place_of(&shard->places, *u->where));
	for (const struct unbound *u = shard->unbound; u < end; u++) {
		set_data(shard, u->slot,
			 ms_places_resolve(&shard->places, u->address, *u->where, &u->slot->place));
		u->slot->count++;
		for (uint32_t k = 0; k < u->lines; k++)
			batch->lines[u->kept + k].cell = u->slot->cell;
	}
	shard->unbound_count = 0;
}

/* --- references --- */

/* A line is numbered by the first line kept of its reference. */
MS_INLINE struct falling *meet_line(struct ms_shard *shard, uint64_t line, struct cell *cell,
				    uint32_t reference, struct falling *out)
{
	uint64_t *recent = &shard->recent[ms_cache_set(&shard->sieve, line)];
	uint64_t was = MS_LINE_NONE;

	if (*recent == line)
		return out;
	if (MS_LIKELY(shard->general == NULL)) {
		*recent = line;
		was = ms_cache_bring(&shard->sieve, line);
		if (was == line)
			return out;
	} else if (shard->general->repeats_are_hits) {
		*recent = line;
	}
	*out = (struct falling){ line, cell, was, reference, shard->phase, 0 };
	return out + 1;
}

/* Any reference whose data is known, or will be. */
MS_INLINE struct falling *meet_lines(struct ms_shard *shard, const struct batch *batch,
				     const struct slot *slot, uint64_t address, struct cell *cell,
				     struct falling *out)
{
	uint64_t line = address >> shard->first_shift;
	uint64_t last = (address + slot->reach) >> shard->first_shift;
	uint32_t reference = (uint32_t)(out - batch->lines);

	for (; MS_UNLIKELY(line != last); line++)
		out = meet_line(shard, line, cell, reference, out);
	return meet_line(shard, line, cell, reference, out);
}

/* One that is no sure hit of the most recent line. */
static MS_NOINLINE struct falling *sift_doubtful(struct ms_shard *shard, const struct batch *batch,
						 const struct slot *slot, uint64_t address,
						 struct falling *out)
{
	return meet_lines(shard, batch, slot, address, slot->cell, out);
}

/* One to an address whose data the slot does not know. */
static MS_NOINLINE struct falling *sift_unbound(struct ms_shard *shard, struct batch *batch,
						struct slot *slot, uint64_t address,
						struct falling *out)
{
	struct unbound *u = &shard->unbound[shard->unbound_count];
	struct falling *next;

	if (address == 0)
		return out; /* a conditional reference that did not happen */
	*u = (struct unbound){ address, slot, ms_places_where(&shard->places, address),
			       (uint32_t)(out - batch->lines), 0 };
	__builtin_prefetch(u->where);
	next = meet_lines(shard, batch, slot, address, NULL, out);
	u->lines = (uint32_t)(next - out);
	shard->unbound_count++;
	if (shard->unbound_count == MS_MOST_UNBOUND)
		bind_all(shard, batch);
	return next;
}

/*
 * Where the line of its last byte is the most recent one of its first byte's set, a reference
 * touches no other line (the next lines have other sets: see `direct`), and nothing changes.
 */
MS_INLINE struct falling *sift_one(struct ms_shard *shard, struct batch *batch, uint32_t shift,
				   const bool direct, struct slot *slot, uint64_t address,
				   struct falling *out)
{
	if (MS_UNLIKELY(address - slot->place->start >= slot->place->size))
		return sift_unbound(shard, batch, slot, address, out);
	slot->count++;
	if (direct && MS_LIKELY(shard->recent[(address >> shift) & shard->sieve.mask] ==
				(address + slot->reach) >> shift))
		return out;
	return sift_doubtful(shard, batch, slot, address, out);
}

/* --- executions --- */

/* By fours, and the rest by one jump: the end of a loop would be mispredicted again and again. */
MS_INLINE struct falling *sift_refs(struct ms_shard *shard, struct batch *batch, uint32_t shift,
				    const bool direct, struct slot *slot, const uint64_t *at,
				    uint32_t refs, struct falling *out)
{
#define ONE(i) out = sift_one(shard, batch, shift, direct, slot + (i), at[i], out)
	for (; refs > 4; refs -= 4, slot += 4, at += 4) {
		ONE(0);
		ONE(1);
		ONE(2);
		ONE(3);
	}
	switch (refs) {
	case 4:
		ONE(0);
		ONE(1);
		ONE(2);
		ONE(3);
		break;
	case 3:
		ONE(0);
		ONE(1);
		ONE(2);
		break;
	case 2:
		ONE(0);
		ONE(1);
		break;
	case 1:
		ONE(0);
	}
#undef ONE
	return out;
}

/* Where the next execution stands is known from the head word alone: that must not wait. */
MS_INLINE const uint64_t *sift(struct ms_shard *shard, struct batch *batch, const uint64_t *at,
			       const uint64_t *end, uint32_t shift, const bool direct)
{
	struct falling *out = batch->lines + batch->n;

	while (at < end) {
		uint64_t head = *at;
		const uint64_t *next = at + ms_wire_words_of(head);

		if (MS_UNLIKELY(ms_wire_kind_of(head) != MS_WIRE_EXEC ||
				ms_wire_arg_of(head) >= shard->exits.n || next > end))
			break;
		struct shard_exit *exit = &shard->exits.at[ms_wire_arg_of(head)];
		if (MS_UNLIKELY(exit->refs + 1 != ms_wire_words_of(head)))
			break;
		exit->count++;
		out = sift_refs(shard, batch, shift, direct, exit->slots, at + 1,
				ms_wire_words_of(head) - 1, out);
		at = next;
	}
	batch->n = (size_t)(out - batch->lines);
	return at;
}

/* Room for `more` lines, and one that is written and not kept. */
static void make_room(struct batch *batch, size_t more)
{
	size_t needed = batch->n + more + 1;

	if (needed <= batch->room)
		return;
	if (needed < batch->room * 2)
		needed = batch->room * 2;
	batch->lines = ms_realloc(batch->lines, needed * sizeof(*batch->lines));
	batch->room = needed;
}

/*
 * Lines of 64 bytes are what most machines have: a constant is a register less, and faster.
 * direct: a set is found by a mask, and no reference touches two lines of one set.
 */
size_t ms_shard_sift(struct ms_shard *shard, const uint64_t *words, size_t n, unsigned slot)
{
	struct batch *batch = &shard->engine->batch[slot];
	const uint64_t *at;

	if (MS_UNLIKELY(shard->processors != NULL))
		return ms_processors_sift(shard, words, n, slot);
	make_room(batch, n * shard->most_lines);
	if (shard->sieve.mask == 0 || shard->most_lines > shard->sieve.set_count)
		at = sift(shard, batch, words, words + n, shard->first_shift, false);
	else if (shard->first_shift == 6)
		at = sift(shard, batch, words, words + n, 6, true);
	else
		at = sift(shard, batch, words, words + n, shard->first_shift, true);
	bind_all(shard, batch);
	return (size_t)(at - words);
}

void ms_sieve_empty(struct ms_shard *shard)
{
	ms_cache_empty(&shard->sieve);
	for (uint64_t set = 0; set < shard->sieve.set_count; set++)
		shard->recent[set] = MS_LINE_NONE;
}

/* What another shard must know: the lines of each set, the oldest first. */
void ms_shard_drain(struct ms_shard *shard, unsigned slot)
{
	struct batch *batch = &shard->engine->batch[slot];
	struct cache *sieve = &shard->sieve;
	uint64_t *lines;

	if (shard->engine->sifters == 1)
		return;
	if (shard->processors != NULL) {
		ms_processors_forget(shard);
		return;
	}
	if (shard->general != NULL) {
		ms_sieve_empty(shard);
		return;
	}
	lines = ms_alloc(sieve->ways * sizeof(*lines));
	make_room(batch, sieve->set_count * sieve->ways);
	for (uint64_t set = 0; set < sieve->set_count; set++)
		for (uint32_t n = ms_cache_lines(sieve, set, lines); n > 0; n--)
			batch->lines[batch->n++] =
				(struct falling){ .line = lines[n - 1], .reference = UINT32_MAX };
	ms_sieve_empty(shard);
	ms_free(lines);
}

void ms_shard_add_block(struct ms_shard *shard, const struct ms_block *block)
{
	struct slot *slots;

	if (shard->processors != NULL) {
		ms_processors_add_block(shard, block);
		return;
	}
	slots = ms_arena_take(&shard->arena, block->refs * sizeof(*slots));
	for (uint32_t i = 0; i < block->refs; i++) {
		uint32_t reach = block->ref[i].size > 0 ? block->ref[i].size - 1u : 0;
		uint32_t lines = (reach >> shard->first_shift) + 2;

		slots[i] = (struct slot){
			.place = &shard->places.nowhere,
			.reach = (uint16_t)reach,
			.kind = block->ref[i].kind,
			.site = block->ref[i].site,
		};
		if (lines > shard->most_lines)
			shard->most_lines = lines;
	}
	*ms_vec_add(&shard->blocks) =
		(struct shard_block){ slots, (uint32_t)shard->exits.n, block->refs };
	for (uint32_t i = 0; i < block->exits; i++)
		*ms_vec_add(&shard->exits) = (struct shard_exit){ 0, slots, block->exit_refs[i] };
}
