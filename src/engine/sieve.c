/*
 * engine/sieve.c - the hot loop: executions in; out come the lines that are no sure hits.
 *
 * Each reference is counted for its data. The most recent line of a set of the first level falls
 * through: using it again changes nothing, whatever the levels are. All other lines are kept for
 * settle.c. So a sieve may forget what it knows at any time, and only keeps more.
 *
 * Nothing depends on whether a line is kept, unless few are: a jump would often be mispredicted.
 *
 * A reference to another object than its slot met last has to look its data up: mostly near at hand
 * (kinds.h), else far away in memory. A few of the latter wait for each other, so that what they
 * need comes in meanwhile. Where only misses count (ms_engine_skip_hits()), a line that falls
 * through needs no data at all.
 */
#include "engine/engine_priv.h"
#include "engine/loop.h"
#include "stream/wire.h"

/* --- data --- */

/* The references that a slot has made so far; no execution may be under way. */
static uint64_t made_by(const struct ms_shard *shard, const struct slot *slot)
{
	const struct shard_block *block = &shard->blocks.at[slot->block];
	uint64_t number = (uint64_t)(slot - block->slots), made = 0;

	for (uint32_t i = 0; i < block->about->exits; i++) {
		const struct shard_exit *exit = &shard->exits.at[block->first_exit + i];

		made += exit->refs > number ? exit->count : 0;
	}
	return made;
}

void ms_slot_flush(const struct ms_shard *shard, struct slot *slot)
{
	uint64_t made = made_by(shard, slot);

	if (slot->cell != NULL)
		slot->cell->references += made - slot->since;
	slot->since = made;
}

/* The data of the slot's references from now on. */
static void set_data(struct ms_shard *shard, struct slot *slot, uint32_t data)
{
	const struct shard_block *block = &shard->blocks.at[slot->block];
	const struct ms_block_ref *ref = &block->about->ref[slot - block->slots];

	if (slot->cell == NULL) {
		ms_slot_flush(shard, slot);
		slot->cell = ms_cells_at(&shard->cells, ref->site, ref->kind, data);
	} else if (slot->cell->data != data) {
		if (!shard->misses_only) /* else any cell of the site will do */
			ms_slot_flush(shard, slot);
		slot->cell = ms_cells_after(&shard->cells, slot->cell, data);
	}
}

/* Where sets are sampled. */
MS_INLINE void count_part(const struct ms_shard *shard, struct cell *cell, uint64_t address)
{
	if (shard->cells.parts > 0)
		ms_cell_windows(cell, shard->cells.shards)
			->in_part[ms_window_part(&shard->windows, address)]++;
}

void ms_sieve_bind(struct ms_shard *shard)
{
	const struct unbound *end = shard->unbound + shard->unbound_count;

	shard->known += shard->unbound_count > 0;
	for (const struct unbound *u = shard->unbound; u < end; u++)
		if (*u->where > MS_PLACE_FREED)
			__builtin_prefetch(ms_place_of(&shard->places, *u->where));
	for (const struct unbound *u = shard->unbound; u < end; u++) {
		set_data(shard, u->slot,
			 ms_places_resolve(&shard->places, u->address, *u->where, &u->slot->place));
		struct cell *cell = u->slot->cell;
		if (u->crosses != MS_CROSSES_INTO) {
			cell->references++;
			count_part(shard, cell, u->address);
		}
		cell = ms_cells_crossing(&shard->cells, cell, u->crosses);
		for (uint32_t k = 0; k < u->lines; k++)
			u->doubts[k].cell = cell;
	}
	shard->unbound_count = 0;
}

/* --- references --- */

MS_INLINE struct doubt *meet_line(uint64_t *recent, const bool all, uint64_t line,
				  struct cell *cell, uint64_t mark, struct doubt *out)
{
	*out = (struct doubt){ line | mark, cell };
	out += all || *recent != line;
	*recent = line;
	return out;
}

/* Of a line that is not nobody knows what it holds: it would miss, always. */
static bool is_seen(const struct ms_shard *shard, uint64_t line)
{
	const struct windows *w = shard->engine->windows;
	uint64_t address = line << shard->first_shift;

	return shard->windows.seen_groups == NULL ||
	       shard->windows.seen_groups[address >> w->sets.shift & w->sets.mask] != 0;
}

/* What a trace says to go on behind the last address is cut off. */
static uint64_t last_line(const struct ms_shard *shard, const struct slot *slot, uint64_t address)
{
	uint64_t end = address + slot->reach;

	return (end < address ? UINT64_MAX : end) >> shard->first_shift;
}

static enum ms_crossing crossing(const struct ms_shard *shard, const struct slot *slot,
				 uint64_t address)
{
	uint64_t line = address >> shard->first_shift, last = last_line(shard, slot, address);

	if (shard->windows.seen_groups == NULL || line == last)
		return MS_CROSSES_NONE;
	if (!is_seen(shard, line))
		return MS_CROSSES_INTO;
	return is_seen(shard, last) ? MS_CROSSES_NONE : MS_CROSSES_FROM;
}

/* Any reference whose data is known, or will be. */
static struct doubt *meet_lines(struct ms_shard *shard, const struct slot *slot, uint64_t address,
				struct cell *cell, struct doubt *out)
{
	uint64_t line = address >> shard->first_shift, last = last_line(shard, slot, address);
	const struct doubt *first = out;

	for (;; line++) {
		uint64_t *recent = &shard->recent[ms_cache_set(&shard->first, line)];
		uint64_t mark = out != first ? MS_LINE_GOES_ON : 0;

		if (is_seen(shard, line))
			out = meet_line(recent, shard->keeps_all, line, cell, mark, out);
		if (line == last)
			return out;
	}
}

/*
 * A site that goes from object to object need not remember each of them: mostly their page tells
 * that they are of the data of the one before, or of the other one of two that alternate. Where it
 * stays close to where it was it had better remember, unless there is nothing to remember, as in
 * freed memory and between objects. NULL: it has to be asked for.
 */
static struct cell *cell_nearby(struct ms_shard *shard, const struct slot *slot, uint64_t address)
{
	enum { CLOSE_BITS = 8 };
	uint64_t *odd = &shard->odd[(uintptr_t)slot / sizeof(*slot) % MS_ODD_SLOTS];
	bool close = *odd == address >> CLOSE_BITS;
	struct cell *cell = slot->cell;
	uint32_t data;

	if (cell == NULL || (close && slot->place != &shard->places.nowhere))
		return NULL;
	*odd = address >> CLOSE_BITS;
	data = ms_heap_near_data(&shard->places, address);
	if (cell->data == data)
		return cell;
	return !close && cell->before != NULL && cell->before->data == data ? cell->before : NULL;
}

/* One over several lines, or to an address whose data the slot does not know. */
static MS_NOINLINE struct doubt *sift_odd(struct ms_shard *shard, struct slot *slot,
					  uint64_t address, struct doubt *out)
{
	struct unbound *u = &shard->unbound[shard->unbound_count];
	struct doubt *next;

	enum ms_crossing crosses = crossing(shard, slot, address);
	bool counts = crosses != MS_CROSSES_INTO;

	if (address - slot->place->start < slot->place->size) {
		if (counts)
			count_part(shard, slot->cell, address);
		slot->since += !counts;
		return meet_lines(shard, slot, address,
				  ms_cells_crossing(&shard->cells, slot->cell, crosses), out);
	}
	slot->since++; /* not to be added to its cell: it will be, to another, when bound ... */
	if (address == 0)
		return out; /* ... or is a conditional reference that did not happen */
	struct cell *cell = cell_nearby(shard, slot, address);
	if (cell != NULL) {
		cell->references += counts;
		if (counts)
			count_part(shard, cell, address);
		return meet_lines(shard, slot, address,
				  ms_cells_crossing(&shard->cells, cell, crosses), out);
	}
	*u = (struct unbound){ address, slot, ms_places_where(&shard->places, address),
			       out,     0,    crosses };
	__builtin_prefetch(u->where);
	next = meet_lines(shard, slot, address, NULL, out);
	u->lines = (uint32_t)(next - out);
	shard->unbound_count++;
	return next;
}

/* What the hot loop knows of its shard; direct: a set is found by a mask, and not all is kept. */
struct sieve {
	struct ms_shard *shard;
	struct shard_exit *exits;
	uint64_t exit_count;
	uint64_t *recent;
	uint64_t mask;
	uint32_t shift;
	bool direct;
	bool jumps; /* most lines are the most recent ones: a jump over the rest is faster */
	bool misses_only;
	bool sets;          /* are sampled */
	size_t bytes_ahead; /* so far ahead the stream is asked for */
};

/* Only what is no sure hit has to be bound. Nothing but what did not happen has the address 0. */
MS_INLINE struct doubt *sift_unless_hit(struct sieve sieve, struct slot *slot, uint64_t address,
					struct doubt *out)
{
	uint64_t line = address >> sieve.shift;
	uint64_t *recent = &sieve.recent[line & sieve.mask];

	if (MS_UNLIKELY((address & ((UINT64_C(1) << sieve.shift) - 1)) >= slot->room))
		return sift_odd(sieve.shard, slot, address, out);
	if (MS_LIKELY(*recent == line && line != 0))
		return out;
	if (MS_UNLIKELY(address - slot->place->start >= slot->place->size))
		return sift_odd(sieve.shard, slot, address, out);
	return meet_line(recent, false, line, slot->cell, 0, out);
}

/* Where most lines are the most recent ones: this one is, and the reference is on no other. */
MS_INLINE bool is_sure_hit(struct sieve sieve, const struct slot *slot, uint64_t address)
{
	uint64_t recent = sieve.recent[address >> sieve.shift & sieve.mask];

	return address - (recent << sieve.shift) < slot->room;
}

MS_INLINE struct doubt *sift_one(struct sieve sieve, struct slot *slot, uint64_t address,
				 struct doubt *out)
{
	uint64_t line = address >> sieve.shift;

	if ((!sieve.direct || sieve.sets) && address == 0) { /* most may be: see sift_odd() */
		slot->since++;
		return out;
	}
	if (sieve.misses_only && sieve.direct)
		return sift_unless_hit(sieve, slot, address, out);
	if (MS_UNLIKELY(!sieve.direct || address - slot->place->start >= slot->place->size))
		return sift_odd(sieve.shard, slot, address, out);
	if (sieve.jumps && !sieve.sets && MS_LIKELY(is_sure_hit(sieve, slot, address)))
		return out;
	if (MS_UNLIKELY((address & ((UINT64_C(1) << sieve.shift) - 1)) >= slot->room))
		return sift_odd(sieve.shard, slot, address, out);
	if (sieve.sets)
		count_part(sieve.shard, slot->cell, address);
	if (sieve.jumps && sieve.sets && MS_LIKELY(is_sure_hit(sieve, slot, address)))
		return out;
	return meet_line(&sieve.recent[line & sieve.mask], false, line, slot->cell, 0, out);
}

/* --- executions --- */

struct doubt *ms_sieve_meet(struct ms_shard *shard, const struct shard_exit *exit,
			    const uint64_t *addresses, struct doubt *out)
{
	struct sieve sieve = { .shard = shard,
			       .recent = shard->recent,
			       .mask = shard->first.mask,
			       .shift = shard->first_shift,
			       .direct = true,
			       .misses_only = shard->misses_only };

	for (uint32_t i = 0; i < exit->refs; i++)
		out = sift_one(sieve, exit->slots + i, addresses[i], out);
	if (shard->unbound_count >= MS_MOST_UNBOUND)
		ms_sieve_bind(shard);
	return out;
}

/*
 * By sixteens, and the rest by one jump: the end of a loop would be mispredicted again and again.
 * Both ends are given, so that the addresses' is also where the next execution stands.
 */
MS_INLINE struct doubt *sift_refs(struct sieve sieve, struct slot *slots_end, const uint64_t *end,
				  uint64_t refs, struct doubt *out)
{
#define ONE(i) out = sift_one(sieve, slots_end - (i), end[-(i)], out)
	for (; MS_UNLIKELY(refs > 16); refs--)
		out = sift_one(sieve, slots_end - refs, *(end - refs), out);
	switch (refs) {
	case 16:
		ONE(16); /* fall through */
	case 15:
		ONE(15); /* fall through */
	case 14:
		ONE(14); /* fall through */
	case 13:
		ONE(13); /* fall through */
	case 12:
		ONE(12); /* fall through */
	case 11:
		ONE(11); /* fall through */
	case 10:
		ONE(10); /* fall through */
	case 9:
		ONE(9); /* fall through */
	case 8:
		ONE(8); /* fall through */
	case 7:
		ONE(7); /* fall through */
	case 6:
		ONE(6); /* fall through */
	case 5:
		ONE(5); /* fall through */
	case 4:
		ONE(4); /* fall through */
	case 3:
		ONE(3); /* fall through */
	case 2:
		ONE(2); /* fall through */
	case 1:
		ONE(1); /* fall through */
	case 0:
		break;
	default:
		__builtin_unreachable();
	}
#undef ONE
	return out;
}

/* Executions without references, as long as there are only such. */
MS_INLINE const uint64_t *count_alone(struct sieve sieve, const uint64_t *at, const uint64_t *end)
{
	const uint32_t alone = (uint32_t)ms_wire_head(MS_WIRE_EXEC, 1, 0);

	for (; at < end && (uint32_t)*at == alone; at++) {
		uint64_t number = ms_wire_arg_of(*at);

		if (MS_UNLIKELY(number >= sieve.exit_count || sieve.exits[number].refs != 0))
			break;
		sieve.exits[number].count++;
	}
	return at;
}

/*
 * Where sets are sampled natively, most executions have no reference that is seen, and those that
 * are seen stand alone, in executions of one. Both are told by their head word: so the next one
 * need not wait for its length.
 */
MS_INLINE const uint64_t *sift_sets(struct sieve sieve, const uint64_t *at, const uint64_t *end,
				    struct doubt **out)
{
	const uint32_t reference = (uint32_t)ms_wire_head(MS_WIRE_EXEC, 2, 0);

	for (;;) {
		at = count_alone(sieve, at, end);
		if (end - at < 2 || (uint32_t)*at != reference ||
		    ms_wire_arg_of(*at) >= sieve.exit_count)
			return at;
		struct shard_exit *exit = &sieve.exits[ms_wire_arg_of(*at)];
		if (MS_UNLIKELY(exit->refs != 1))
			return at;
		exit->count++;
		*out = sift_one(sieve, exit->slots, at[1], *out);
		at += 2;
		if (MS_UNLIKELY(sieve.shard->unbound_count >= MS_MOST_UNBOUND))
			ms_sieve_bind(sieve.shard);
	}
}

/* Where the next execution stands is known from the head word alone: that must not wait. */
MS_INLINE const uint64_t *sift(struct sieve sieve, struct doubts *doubts, const uint64_t *at,
			       const uint64_t *end)
{
	struct ms_shard *shard = sieve.shard;
	struct doubt *out = doubts->at + doubts->n;
	struct loop_place place = { at, end, NULL, 0 };

	while (at < end) {
		if (sieve.sets && (at = sift_sets(sieve, at, end, &out)) == end)
			break;
		uint64_t head = *at;
		const uint64_t *next = at + ms_wire_words_of(head);

		__builtin_prefetch((const char *)at + sieve.bytes_ahead);
		if (MS_UNLIKELY(ms_wire_kind_of(head) != MS_WIRE_EXEC ||
				ms_wire_arg_of(head) >= sieve.exit_count || next > end))
			break;
		struct shard_exit *exit = &sieve.exits[ms_wire_arg_of(head)];
		if (MS_UNLIKELY(exit->refs != ms_wire_words_of(head) - 1))
			break;
		if (sieve.direct && ms_loop_suits(&place, exit, at, next, sieve.jumps)) {
			struct doubt *met = out;

			at = ms_loop_sift(shard, exit, &place, at, &met);
			out = met;
			continue;
		}
		ms_loop_leave(&place);
		exit->count++;
		uint64_t refs = ms_wire_words_of(head) - 1; /* the exit's, but known sooner */
		out = sift_refs(sieve, exit->slots + refs, next, refs, out);
		at = next;
		if (MS_UNLIKELY(shard->unbound_count >= MS_MOST_UNBOUND))
			ms_sieve_bind(shard);
	}
	doubts->n = (size_t)(out - doubts->at);
	return at;
}

/* Where few lines are kept, jumping over that is predicted well; so many words tell. */
enum { WORDS_TO_JUDGE = 1024, WORDS_A_DOUBT = 8 };

static void judge(struct ms_shard *shard, size_t doubts, size_t words)
{
	shard->judged_words += words;
	shard->judged_doubts += doubts;
	if (shard->judged_words < WORDS_TO_JUDGE)
		return;
	shard->few_doubts = shard->judged_doubts < shard->judged_words / WORDS_A_DOUBT;
	shard->judged_words = 0;
	shard->judged_doubts = 0;
}

typedef const uint64_t *(*sift_fn)(const struct sieve *sieve, struct doubts *doubts,
				   const uint64_t *at, const uint64_t *end);

/* A function for each kind of sieve, as all together there are too few registers. Lines of 64 bytes
 * are what most machines have: a constant is a register less, and faster. */
#define SIFT(name, ...)                                                                            \
	static MS_NOINLINE const uint64_t *name(const struct sieve *shared, struct doubts *doubts, \
						const uint64_t *at, const uint64_t *end)           \
	{                                                                                          \
		struct sieve sieve = { __VA_ARGS__ };                                              \
                                                                                                   \
		return sift_as(sieve, shared, doubts, at, end);                                    \
	}

MS_INLINE const uint64_t *sift_as(struct sieve sieve, const struct sieve *shared,
				  struct doubts *doubts, const uint64_t *at, const uint64_t *end)
{
	sieve.shard = shared->shard;
	sieve.exits = shared->exits;
	sieve.exit_count = shared->exit_count;
	sieve.recent = shared->recent;
	sieve.mask = shared->mask;
	sieve.bytes_ahead = shared->bytes_ahead;
	if (sieve.shift == 0)
		sieve.shift = shared->shift;
	return sift(sieve, doubts, at, end);
}

SIFT(sift_all, .direct = false)
SIFT(sift_parts, .direct = true, .jumps = true, .sets = true)
SIFT(sift_misses, .direct = true, .misses_only = true)
SIFT(sift_misses_64, .direct = true, .misses_only = true, .shift = 6)
SIFT(sift_any, .direct = true)
SIFT(sift_many_64, .direct = true, .shift = 6)
SIFT(sift_few_64, .direct = true, .shift = 6, .jumps = true)
#undef SIFT

static sift_fn choose_sift(const struct ms_shard *shard)
{
	if (shard->first.mask == 0 || shard->keeps_all)
		return sift_all;
	if (shard->cells.parts > 0)
		return sift_parts;
	if (shard->misses_only)
		return shard->first_shift == 6 ? sift_misses_64 : sift_misses;
	if (shard->first_shift != 6)
		return sift_any;
	return shard->few_doubts ? sift_few_64 : sift_many_64;
}

size_t ms_sieve_sift(struct ms_shard *shard, const uint64_t *words, size_t n)
{
	struct doubts *doubts = &shard->doubts;
	size_t before = doubts->n;
	struct sieve sieve = { .shard = shard,
			       .exits = shard->exits.at,
			       .exit_count = shard->exits.n,
			       .recent = shard->recent,
			       .mask = shard->first.mask,
			       .shift = shard->first_shift,
			       .bytes_ahead = shard->loop_way->words_ahead * sizeof(*words) };
	const uint64_t *at, *end = words + n;

	shard->known++;
	ms_doubts_make_room(doubts, n * shard->most_lines);
	ms_doubts_begin(doubts, shard->phase);
	at = choose_sift(shard)(&sieve, doubts, words, end);
	ms_sieve_bind(shard);
	judge(shard, doubts->n - before, (size_t)(at - words));
	shard->steps += (size_t)(at - words);
	return (size_t)(at - words);
}

/* What is no line of the set: where sets are found by a mask, a line of the one beside it, so that
 * no address is near to what is not there (see is_sure_hit()). */
static uint64_t not_in(const struct cache *first, uint64_t set)
{
	return first->mask != 0 ? set ^ 1 : MS_LINE_NONE;
}

void ms_shard_forget(struct ms_shard *shard)
{
	if (shard->processors != NULL)
		ms_processors_forget(shard);
	for (uint64_t set = 0; set < shard->first.set_count; set++)
		shard->recent[set] = not_in(&shard->first, set);
}

void ms_shard_add_block(struct ms_shard *shard, const struct ms_block *block)
{
	uint32_t line = 1u << shard->first_shift;
	struct slot *slots;

	if (shard->processors != NULL) {
		ms_processors_add_block(shard, block);
		return;
	}
	if (shard->engine->monitor != NULL)
		ms_monitor_block(shard, block);
	slots = ms_arena_take(&shard->arena, block->refs * sizeof(*slots));
	for (uint32_t i = 0; i < block->refs; i++) {
		uint32_t reach = block->ref[i].size > 0 ? block->ref[i].size - 1u : 0;
		uint32_t lines = (reach >> shard->first_shift) + 2;

		slots[i] = (struct slot){
			.place = &shard->places.nowhere,
			.block = (uint32_t)shard->blocks.n,
			.reach = (uint16_t)reach,
			.room = (uint16_t)(reach < line ? line - reach : 0),
		};
		if (shard->misses_only)
			slots[i].cell = ms_cells_at(&shard->cells, block->ref[i].site,
						    block->ref[i].kind, shard->hits);
		if (lines > shard->most_lines)
			shard->most_lines = lines;
	}
	*ms_vec_add(&shard->blocks) =
		(struct shard_block){ block, slots, (uint32_t)shard->exits.n };
	for (uint32_t i = 0; i < block->exits; i++)
		*ms_vec_add(&shard->exits) =
			(struct shard_exit){ .slots = slots, .refs = block->exit_refs[i] };
	if (block->exits > 0) /* a broken trace may have blocks without */
		ms_loop_find_periods(shard, block, shard->exits.at + shard->exits.n - block->exits);
}
