/*
 * engine/processors_sift.c - the hot loop for several processors: executions in, out come the lines
 * that may change something.
 *
 * Of each set of each agent's first level the most recent line is known, as long as no other agent
 * writes it: a load of it changes nothing. Of stores the first one is kept, which makes the line
 * the agent's own; later ones, while it is the most recent line and no other agent touches it, only
 * add the bytes that they write to what was kept: to whoever has lost the line (losses.h) it is all
 * the same when they were written. What an agent does is told to the others at the end of its turn;
 * a sieve that takes another shard's turn starts without knowing anything.
 *
 * References whose data is not known wait for each other as in sieve.c.
 */
#include "engine/coherence.h"
#include "engine/engine_priv.h"
#include "stream/wire.h"

/* What the hot loop knows of its shard. */
struct sieve {
	struct ms_shard *shard;
	struct met_batch *batch;
	struct recent *recent;
	uint64_t set_mask;
	uint64_t kept_before;
	uint32_t shift;
	bool filters; /* else all is kept */
	bool direct;  /* it does; a set is found by a mask, and lines have at most 64 bytes */
};

/* --- data --- */

static void set_data(struct ms_shard *shard, struct own_slot *slot, uint32_t data)
{
	struct cells *cells = &shard->processors->running->cells;

	if (slot->cell == NULL) {
		slot->cell = ms_cells_at(cells, slot->site, slot->kind, data);
	} else if (slot->cell->data != data) {
		slot->cell->references += slot->count;
		slot->count = 0;
		slot->cell = ms_cells_after(cells, slot->cell, data);
	}
	/* Other shards may be reading it. */
	if (slot->cell->reach != slot->reach)
		slot->cell->reach = slot->reach;
}

static uint64_t object_of(const struct place *place)
{
	return place->size != 0 ? place->start : UINT64_MAX;
}

static void bind_all(struct ms_shard *shard, struct met_batch *batch)
{
	const struct own_unbound *end =
		shard->processors->unbound + shard->processors->unbound_count;

	for (const struct own_unbound *u = shard->processors->unbound; u < end; u++)
		if (*u->where > MS_PLACE_FREED)
			__builtin_prefetch(ms_place_of(&shard->places, *u->where));
	for (const struct own_unbound *u = shard->processors->unbound; u < end; u++) {
		set_data(shard, u->slot,
			 ms_places_resolve(&shard->places, u->address, *u->where, &u->slot->place));
		u->slot->count++;
		for (uint32_t k = 0; k < u->lines; k++) {
			batch->at[u->kept + k].cell = u->slot->cell;
			batch->at[u->kept + k].object = object_of(u->slot->place);
		}
	}
	shard->processors->unbound_count = 0;
}

/* --- references --- */

/* Over all batches: see struct recent. */
MS_INLINE uint64_t number_of(const struct sieve *s, const struct met *kept)
{
	return s->kept_before + (uint64_t)(kept - s->batch->at);
}

/* A store; out has been filled in. */
MS_INLINE struct met *keep_store(const struct sieve *s, struct recent *recent, uint64_t line,
				 uint64_t written, struct met *out)
{
	bool same = recent->line == line && recent->stored >= s->kept_before;

	out->written = 0;
	recent->line = line;
	recent->stored = same ? recent->stored : number_of(s, out);
	s->batch->at[recent->stored - s->kept_before].written |= written;
	return out + !same;
}

MS_INLINE struct met *keep_load(struct recent *recent, uint64_t line, struct met *out)
{
	bool same = recent->line == line;

	recent->line = line;
	recent->stored = same ? recent->stored : 0;
	return out + !same;
}

/* Bytes of a line, which out says; whole: of a reference that touches no other line. */
static struct met *meet_line(const struct sieve *s, uint64_t line, bool writes, bool whole,
			     struct met *out)
{
	struct recent *recent = &s->recent[ms_cache_set(&s->shard->first, line)];
	uint64_t from = out->written & UINT32_MAX, to = out->written >> 32;

	if (s->shift <= 6 && whole) {
		out->address &= ~MS_MET_PART;
		out->written = UINT64_MAX << from & UINT64_MAX >> (63 - to);
		if (s->filters && writes)
			return keep_store(s, recent, line, out->written, out);
	}
	if (!s->filters)
		return out + 1;
	if (!writes)
		return keep_load(recent, line, out);
	*recent = (struct recent){ line, 0 };
	return out + 1;
}

/* Any reference. */
static struct met *meet_lines(const struct sieve *s, const struct own_slot *slot, uint64_t address,
			      struct met *out)
{
	uint64_t at = address & MS_MET_ADDRESS, last = at + slot->reach;
	uint64_t mask = (UINT64_C(1) << s->shift) - 1;
	bool writes = slot->kind != MS_WIRE_READ, whole = (at | mask) >= last;
	uint64_t marks = MS_MET_PART | (writes ? MS_MET_WRITES : 0);
	const struct met *first = out;

	for (;; at = (at | mask) + 1) {
		bool ends = (at | mask) >= last;

		*out = (struct met){
			.address = at | marks | (out != first ? MS_MET_GOES_ON : 0),
			.cell = slot->cell,
			.object = object_of(slot->place),
			.written = (at & mask) | (ends ? last & mask : mask) << 32,
		};
		out = meet_line(s, at >> s->shift, writes, whole, out);
		if (ends)
			return out;
	}
}

/* One over several lines, or to an address whose data the slot does not know. */
static MS_NOINLINE struct met *sift_odd(const struct sieve *s, struct own_slot *slot,
					uint64_t address, struct met *out)
{
	struct ms_shard *shard = s->shard;
	struct own_unbound *u = &shard->processors->unbound[shard->processors->unbound_count];
	struct met *next;

	if (address - slot->place->start < slot->place->size) {
		slot->count++;
		return meet_lines(s, slot, address, out);
	}
	if (address == 0) {
		shard->processors->skipped++;
		return out; /* a conditional reference that did not happen */
	}
	*u = (struct own_unbound){ address, slot, ms_places_where(&shard->places, address),
				   (uint32_t)(out - s->batch->at), 0 };
	__builtin_prefetch(u->where);
	next = meet_lines(s, slot, address, out);
	u->lines = (uint32_t)(next - out);
	shard->processors->unbound_count++;
	if (shard->processors->unbound_count == MS_MOST_OWN_UNBOUND)
		bind_all(shard, s->batch);
	return next;
}

/* Lines are compared with all bits that an address may have, and kept without those that are marks:
 * an address that has some of them, which no program's has, is always kept. */
MS_INLINE struct met *sift_one(const struct sieve *s, struct own_slot *slot, uint64_t address,
			       struct met *out)
{
	uint64_t start = slot->place->start, line = address >> s->shift;
	uint64_t marks = 0, bytes = 0, stored = 0;

	if (MS_UNLIKELY(!s->direct || address - start >= slot->place->size ||
			(address & ((UINT64_C(1) << s->shift) - 1)) >= slot->room))
		return sift_odd(s, slot, address, out);
	struct recent *recent = &s->recent[line & s->set_mask];

	slot->count++;
	if (slot->kind == MS_WIRE_READ) {
		if (MS_LIKELY(recent->line == line))
			return out;
	} else {
		marks = MS_MET_WRITES;
		bytes = UINT64_MAX >> (63 - slot->reach) << (address & ((1u << s->shift) - 1));
		if (MS_LIKELY(recent->line == line && recent->stored >= s->kept_before)) {
			s->batch->at[recent->stored - s->kept_before].written |= bytes;
			return out;
		}
		stored = number_of(s, out);
	}
	*recent = (struct recent){ (address & MS_MET_ADDRESS) >> s->shift, stored };
	*out = (struct met){ (address & MS_MET_ADDRESS) | marks, slot->cell, start, bytes };
	return out + 1;
}

/* --- executions --- */

/* As in sieve.c. */
MS_INLINE struct met *sift_refs(const struct sieve *s, struct own_slot *slot, const uint64_t *at,
				uint32_t refs, struct met *out)
{
#define ONE(i) out = sift_one(s, slot + (i), at[i], out)
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

MS_INLINE const uint64_t *sift(struct sieve s, const uint64_t *at, const uint64_t *end)
{
	struct processors *p = s.shard->processors;
	struct thread_count *thread = p->thread_count;
	uint64_t instructions = 0, references = 0, skipped = p->skipped, weight = p->weight;
	struct own_exit *exits = p->running->exits.at;
	size_t exit_count = p->running->exits.n;
	struct met *out = s.batch->at + s.batch->n;

	while (at < end) {
		uint64_t head = *at;
		const uint64_t *next = at + ms_wire_words_of(head);

		__builtin_prefetch(at + MS_WORDS_AHEAD);
		if (MS_UNLIKELY(ms_wire_kind_of(head) != MS_WIRE_EXEC ||
				ms_wire_arg_of(head) >= exit_count || next > end))
			break;
		struct own_exit *exit = &exits[ms_wire_arg_of(head)];
		if (MS_UNLIKELY(exit->slots == NULL))
			make_slots(s.shard, exit, ms_wire_arg_of(head));
		if (MS_UNLIKELY(exit->refs + 1 != ms_wire_words_of(head)))
			break;
		exit->count++;
		exit->weighted += weight;
		instructions += exit->instructions;
		references += exit->refs;
		out = sift_refs(&s, exit->slots, at + 1, ms_wire_words_of(head) - 1, out);
		at = next;
	}
	s.batch->n = (size_t)(out - s.batch->at);
	thread->instructions += instructions;
	thread->references += references - (p->skipped - skipped);
	p->references += references;
	return at;
}

/* Room for `more` lines, and one that is written and not kept. */
static void make_room(struct met_batch *batch, size_t more)
{
	size_t needed = batch->n + more + 1;

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

/* What was kept for stores in another batch cannot be added to. */
static void begin_batch(struct processors *p, const struct met_batch *batch)
{
	if (batch->marks.n != 0)
		return;
	p->kept_before += p->kept;
	p->kept = 0;
}

/* What an agent knows of a line that another one has touched. */
static void tell(struct recent *recent, uint64_t line, bool written)
{
	if (recent->line != line)
		return;
	recent->stored = 0;
	if (written)
		recent->line = MS_LINE_NONE;
}

/* Where more were kept, others rather forget all that they know. */
enum { LINES_A_SET_TOLD = 4 };

/* All other agents that have run, of the units of what was kept last. */
static void tell_others(const struct ms_shard *shard, const struct met_batch *batch)
{
	const struct processors *p = shard->processors;
	uint32_t up = shard->general->coherence->unit_up;

	for (size_t i = p->kept; i < batch->n; i++) {
		const struct met *met = &batch->at[i];
		uint64_t line = (met->address & MS_MET_ADDRESS) >> shard->first_shift;
		uint64_t end = ((line >> up) + 1) << up;

		for (line = line >> up << up; line < end; line++) {
			uint64_t set = ms_cache_set(&shard->first, line);

			for (size_t k = 0; k < p->ran.n; k++)
				if (p->ran.at[k] != p->running->agent)
					tell(&p->recent[p->ran.at[k]][set], line,
					     met->address & MS_MET_WRITES);
		}
	}
}

/* Cheaper than telling them of very many: at most each set's line is kept once more by each. */
static void let_others_forget(const struct processors *p)
{
	for (size_t k = 0; k < p->ran.n; k++)
		for (uint64_t set = 0; p->ran.at[k] != p->running->agent && set < p->sets; set++)
			p->recent[p->ran.at[k]][set] = (struct recent){ MS_LINE_NONE, 0 };
}

size_t ms_processors_sift(struct ms_shard *shard, const uint64_t *words, size_t n)
{
	struct processors *p = shard->processors;
	struct met_batch *batch = &p->met;
	bool filters = shard->general->repeats_are_hits;
	const uint64_t *at;

	if (p->running == NULL)
		p->running = ms_processors_at(shard, 0);
	if (p->running->exits.n < p->exits.n)
		meet_new_blocks(p);
	if (p->thread_count == NULL)
		p->thread_count = ms_threads_at(&p->threads, p->thread, p->running->number);
	begin_batch(p, batch);
	set_mark(shard, batch);
	make_room(batch, n * (shard->most_lines + 1));
	struct sieve s = {
		.shard = shard,
		.batch = batch,
		.recent = p->recent[p->running->agent],
		.set_mask = shard->first.mask,
		.kept_before = p->kept_before,
		.shift = shard->first_shift,
		.direct = shard->first.mask != 0 && filters && shard->first_shift <= 6,
		.filters = filters,
	};
	/* Lines of 64 bytes are what most machines have: constants are faster. */
	if (s.direct && s.shift == 6) {
		s.direct = true;
		s.shift = 6;
		at = sift(s, words, words + n);
	} else {
		at = sift(s, words, words + n);
	}
	if (filters && p->ran.n > 1 && batch->n - p->kept > p->sets * LINES_A_SET_TOLD)
		let_others_forget(p);
	else if (filters && p->ran.n > 1)
		tell_others(shard, batch);
	p->kept = batch->n;
	bind_all(shard, batch);
	return (size_t)(at - words);
}

void ms_processors_share(struct ms_shard *shard, unsigned slot)
{
	struct met_batch *into = &shard->engine->met[slot], empty = *into;

	*into = shard->processors->met;
	shard->processors->met = empty;
}
