/*
 * engine/processors_sift.c - the hot loop for several processors: executions in, out come the lines
 * that may change something.
 *
 * Of each set of each agent's first level the most recent line is known, as long as no other agent
 * writes it: a load of it changes nothing. Nor does a store to bytes of it that this agent has
 * written already, if no other one has touched the line since: the line is modified, and whoever
 * lost it has been told of these bytes (losses.h). What other agents do in the same stretch of the
 * stream is seen here, in order; a sieve that takes another shard's turn starts without knowing
 * anything.
 *
 * References whose data is not known wait for each other as in sieve.c.
 */
#include <string.h>

#include "engine/coherence.h"
#include "engine/engine_priv.h"
#include "stream/wire.h"

struct sieve {
	struct ms_shard *shard;
	struct met_batch *batch;
	struct recent *recent; /* the running agent's, of set 0 */
	uint32_t recent_shift;
	uint32_t agent;
	uint32_t line_shift;
	uint32_t part_shift; /* bytes of a line's 64th part */
	uint32_t unit_up;
	bool filters;
};

/* --- parts of lines --- */

MS_INLINE uint64_t bits(uint32_t from, uint32_t to)
{
	return UINT64_MAX << from & UINT64_MAX >> (63 - to);
}

/* The 64th parts that bytes from..to of a line touch. */
MS_INLINE uint64_t parts_touched(const struct sieve *s, uint32_t from, uint32_t to)
{
	return bits(from >> s->part_shift, to >> s->part_shift);
}

/* Those that they fill. */
MS_INLINE uint64_t parts_filled(const struct sieve *s, uint32_t from, uint32_t to)
{
	uint32_t first = (from + (1u << s->part_shift) - 1) >> s->part_shift;
	uint32_t end = (to + 1) >> s->part_shift;

	return first < end ? bits(first, end - 1) : 0;
}

/* --- data --- */

static void set_data(struct ms_shard *shard, struct slot *slot, uint32_t data)
{
	struct cells *cells = &shard->processors->running->cells;

	if (slot->cell == NULL) {
		slot->cell = ms_cells_at(cells, slot->site, slot->kind, data);
	} else if (slot->cell->data != data) {
		slot->cell->references += slot->count;
		slot->count = 0;
		slot->cell = ms_cells_after(cells, slot->cell, data);
	}
}

MS_INLINE uint64_t object_of(const struct place *place)
{
	return place->size != 0 ? place->start : UINT64_MAX;
}

static void bind_all(struct ms_shard *shard, struct met_batch *batch)
{
	const struct unbound *end = shard->unbound + shard->unbound_count;

	for (const struct unbound *u = shard->unbound; u < end; u++)
		if (*u->where > MS_PLACE_FREED)
			__builtin_prefetch(ms_place_of(&shard->places, *u->where));
	for (const struct unbound *u = shard->unbound; u < end; u++) {
		set_data(shard, u->slot,
			 ms_places_resolve(&shard->places, u->address, *u->where, &u->slot->place));
		u->slot->count++;
		for (uint32_t k = 0; k < u->lines; k++) {
			batch->at[u->kept + k].cell = u->slot->cell;
			batch->at[u->kept + k].object = object_of(u->slot->place);
		}
	}
	shard->unbound_count = 0;
}

/* --- references --- */

MS_INLINE struct recent *recent_of(const struct sieve *s, uint64_t line)
{
	return s->recent + (ms_cache_set(&s->shard->sieve, line) << s->recent_shift);
}

/* What other agents know of the line's unit holds no more. */
static void tell_others(const struct sieve *s, uint64_t line, bool writes)
{
	uint64_t first = line >> s->unit_up << s->unit_up;

	for (uint64_t at = first; at < first + (UINT64_C(1) << s->unit_up); at++) {
		struct recent *row = recent_of(s, at) - s->agent;

		for (uint32_t i = 0; i < 1u << s->recent_shift; i++) {
			if (row[i].line != at || i == s->agent)
				continue;
			row[i].written = 0;
			if (writes)
				row[i].line = MS_LINE_NONE;
		}
	}
}

static struct met *meet_line(const struct sieve *s, const struct slot *slot, struct met met,
			     struct met *out)
{
	struct recent *own = recent_of(s, met.line);
	bool repeated = own->line == met.line;

	if (repeated && (!met.writes || !(parts_touched(s, met.from, met.to) & ~own->written)))
		return out;
	if (s->filters) {
		tell_others(s, met.line, met.writes);
		if (!repeated)
			*own = (struct recent){ met.line, 0 };
		if (met.writes)
			own->written |= parts_filled(s, met.from, met.to);
	}
	met.cell = slot->cell;
	*out = met;
	return out + 1;
}

/* Any reference. Its data is the slot's, or will be entered when that is known. */
static MS_NOINLINE struct met *meet_lines(const struct sieve *s, const struct slot *slot,
					  uint64_t address, struct met *out)
{
	uint64_t last = address + slot->reach;
	uint32_t mask = (1u << s->line_shift) - 1;
	struct met met = { .line = address >> s->line_shift,
			   .object = object_of(slot->place),
			   .reference = (uint32_t)(out - s->batch->at) & 0x7fffffff,
			   .writes = slot->kind != MS_WIRE_READ,
			   .from = (uint16_t)(address & mask) };

	for (; MS_UNLIKELY(met.line != last >> s->line_shift); met.line++, met.from = 0) {
		met.to = (uint16_t)mask;
		out = meet_line(s, slot, met, out);
	}
	met.to = (uint16_t)(last & mask);
	return meet_line(s, slot, met, out);
}

/* One to an address whose data the slot does not know. */
static MS_NOINLINE struct met *sift_unbound(const struct sieve *s, struct slot *slot,
					    uint64_t address, struct met *out)
{
	struct ms_shard *shard = s->shard;
	struct unbound *u = &shard->unbound[shard->unbound_count];
	struct met *next;

	if (address == 0) {
		shard->processors->skipped++;
		return out; /* a conditional reference that did not happen */
	}
	*u = (struct unbound){ address, slot, ms_places_where(&shard->places, address),
			       (uint32_t)(out - s->batch->at), 0 };
	__builtin_prefetch(u->where);
	next = meet_lines(s, slot, address, out);
	u->lines = (uint32_t)(next - out);
	shard->unbound_count++;
	if (shard->unbound_count == MS_MOST_UNBOUND)
		bind_all(shard, s->batch);
	return next;
}

/* The most recent line of the first byte's set is that of the last byte: it touches no other. */
MS_INLINE struct met *sift_one(const struct sieve *s, uint64_t set_mask, struct slot *slot,
			       uint64_t address, struct met *out)
{
	uint64_t set = (address >> s->line_shift) & set_mask;
	uint64_t last = address + slot->reach;
	const struct recent *own = s->recent + (set << s->recent_shift);

	if (MS_UNLIKELY(address - slot->place->start >= slot->place->size))
		return sift_unbound(s, slot, address, out);
	slot->count++;
	if (MS_LIKELY(own->line == last >> s->line_shift)) {
		uint32_t mask = (1u << s->line_shift) - 1;

		if (MS_LIKELY(slot->kind == MS_WIRE_READ) ||
		    !(parts_touched(s, (uint32_t)address & mask, (uint32_t)last & mask) &
		      ~own->written))
			return out;
	}
	return meet_lines(s, slot, address, out);
}

/* --- executions --- */

static void sift_refs(const struct sieve *s, bool direct, struct slot *slot, const uint64_t *at,
		      uint32_t refs)
{
	struct met *out = s->batch->at + s->batch->n;

	for (uint32_t i = 0; i < refs && direct; i++)
		out = sift_one(s, s->shard->sieve.mask, &slot[i], at[i], out);
	for (uint32_t i = 0; i < refs && !direct; i++) {
		if (at[i] - slot[i].place->start >= slot[i].place->size) {
			out = sift_unbound(s, &slot[i], at[i], out);
			continue;
		}
		slot[i].count++;
		out = meet_lines(s, &slot[i], at[i], out);
	}
	s->batch->n = (size_t)(out - s->batch->at);
}

static MS_NOINLINE void make_slots(struct ms_shard *shard, struct own_exit *exit, uint32_t number)
{
	const struct processors *p = shard->processors;
	const struct known_exit *known = &p->exits.at[number];
	const struct ms_block *block = p->blocks.at[known->block];

	exit->slots = ms_processor_slots(shard, p->running, known->block);
	exit->refs = block->exit_refs[known->number];
	exit->instructions =
		block->exit_instructions != NULL ? block->exit_instructions[known->number] : 0;
}

static const uint64_t *sift(const struct sieve *s, const uint64_t *at, const uint64_t *end,
			    bool direct)
{
	struct processors *p = s->shard->processors;
	struct thread_count *thread = ms_threads_at(&p->threads, p->thread, p->running->number);
	uint64_t instructions = 0, references = 0, skipped = p->skipped;

	while (at < end) {
		uint64_t head = *at;
		const uint64_t *next = at + ms_wire_words_of(head);
		uint32_t number = ms_wire_arg_of(head);

		if (MS_UNLIKELY(ms_wire_kind_of(head) != MS_WIRE_EXEC ||
				number >= p->running->exits.n || next > end))
			break;
		struct own_exit *exit = &p->running->exits.at[number];
		if (MS_UNLIKELY(exit->slots == NULL))
			make_slots(s->shard, exit, number);
		if (MS_UNLIKELY(exit->refs + 1 != ms_wire_words_of(head)))
			break;
		exit->count++;
		exit->weighted += p->weight;
		instructions += exit->instructions;
		references += exit->refs;
		sift_refs(s, direct, exit->slots, at + 1, exit->refs);
		at = next;
	}
	thread->instructions += instructions;
	thread->references += references - (p->skipped - skipped);
	p->references += references;
	return at;
}

/* Room for `more` lines. */
static void make_room(struct met_batch *batch, size_t more)
{
	size_t needed = batch->n + more;

	if (needed <= batch->room)
		return;
	if (needed < batch->room * 2)
		needed = batch->room * 2;
	batch->at = ms_realloc(batch->at, needed * sizeof(*batch->at));
	batch->room = needed;
}

/* Whose the lines are that come next. */
static void set_mark(const struct ms_shard *shard, struct met_batch *batch)
{
	const struct processors *p = shard->processors;
	struct mark mark = { .from = batch->n,
			     .processor = p->running->number,
			     .thread = p->thread,
			     .phase = shard->phase,
			     .weight = p->weight,
			     .changes = p->changes.n };

	if (batch->marks.n > 0) {
		const struct mark *last = &batch->marks.at[batch->marks.n - 1];

		if (last->processor == mark.processor && last->thread == mark.thread &&
		    last->phase == mark.phase && last->weight == mark.weight &&
		    last->changes == mark.changes)
			return;
	}
	*ms_vec_add(&batch->marks) = mark;
}

static void meet_new_blocks(struct processors *p)
{
	struct processor *running = p->running;
	size_t more = p->exits.n - running->exits.n;

	ms_vec_reserve(&running->exits, more);
	running->exits.n += more;
}

size_t ms_processors_sift(struct ms_shard *shard, const uint64_t *words, size_t n, unsigned slot)
{
	struct processors *p = shard->processors;
	const struct coherence *c = shard->general->coherence;
	struct met_batch *batch = &shard->engine->met[slot];

	if (p->running == NULL)
		p->running = ms_processors_at(shard, 0);
	if (p->running->exits.n < p->exits.n)
		meet_new_blocks(p);
	set_mark(shard, batch);
	make_room(batch, n * (shard->most_lines + 1));
	struct sieve s = {
		.shard = shard,
		.batch = batch,
		.recent = p->recent + p->running->agent,
		.recent_shift = p->recent_shift,
		.agent = p->running->agent,
		.line_shift = shard->first_shift,
		.part_shift = shard->first_shift > 6 ? shard->first_shift - 6 : 0,
		.unit_up = c->unit_up,
		.filters = shard->general->repeats_are_hits,
	};
	bool direct = shard->sieve.mask != 0 && shard->most_lines <= shard->sieve.set_count;
	const uint64_t *at = sift(&s, words, words + n, direct);
	bind_all(shard, batch);
	return (size_t)(at - words);
}

void ms_processors_forget(struct ms_shard *shard)
{
	struct processors *p = shard->processors;
	uint64_t n = shard->sieve.set_count << p->recent_shift;

	for (uint64_t i = 0; i < n; i++)
		p->recent[i] = (struct recent){ MS_LINE_NONE, 0 };
}
