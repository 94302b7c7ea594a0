/*
 * engine/processors_sift.c - the hot loop for several processors: executions in, out come the lines
 * that may change something.
 *
 * Of each set of each agent's first level the two most recent lines are known, as long as no other
 * agent writes them: a load of one of them changes nothing but which of the two is the more recent.
 * That is told once, before another line of the set is kept, if it is not what it was when
 * something of the set was last kept: so two arrays of which the same places lie in the same sets
 * are not kept at each step. Of stores the first one is kept, which makes the line the agent's own;
 * later ones, while it is one of the two and no other agent touches it, only add the bytes that
 * they write to what was kept: to whoever has lost the line (losses.h) it is all the same when they
 * were written. What an agent does is told to the others at the end of its turn; a sieve that takes
 * another shard's turn starts without knowing anything.
 *
 * References whose data is not known wait for each other as in sieve.c.
 */
#include "engine/coherence.h"
#include "engine/processors_sieve.h"
#include "stream/wire.h"

/* --- data --- */

static void set_data(struct ms_shard *shard, struct own_slot *slot, uint32_t data)
{
	const struct processors *p = shard->processors;
	struct cells *cells = &p->running->cells;

	if (slot->cell == NULL) {
		ms_own_slot_flush(p, p->running, slot);
		slot->cell = ms_cells_at(cells, slot->site, slot->kind, data);
	} else if (slot->cell->data != data) {
		ms_own_slot_flush(p, p->running, slot);
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

void ms_own_bind(struct ms_shard *shard, struct met_batch *batch)
{
	const struct own_unbound *end =
		shard->processors->unbound + shard->processors->unbound_count;

	for (const struct own_unbound *u = shard->processors->unbound; u < end; u++)
		if (*u->where > MS_PLACE_FREED)
			__builtin_prefetch(ms_place_of(&shard->places, *u->where));
	for (const struct own_unbound *u = shard->processors->unbound; u < end; u++) {
		set_data(shard, u->slot,
			 ms_places_resolve(&shard->places, u->address, *u->where, &u->slot->place));
		u->slot->cell->references++;
		for (uint32_t k = 0; k < u->lines; k++) {
			batch->at[u->kept + k].cell = u->slot->cell;
			batch->at[u->kept + k].object = object_of(u->slot->place);
		}
	}
	shard->processors->running->known += shard->processors->unbound_count > 0;
	shard->processors->unbound_count = 0;
}

/* --- references that are not direct: the order is never left to be told later --- */

/* Whether the line was the most recent one; it is now. */
static bool meet_line(const struct sieve *s, struct recent *r, uint64_t line)
{
	if (r->line[r->last] == line)
		return true;
	if (r->line[r->last ^ 1] == line)
		r->last = r->told = r->last ^ 1;
	else
		ms_own_meet_third(s, r, line, 0);
	return false;
}

/* Bytes of a line, which out says; whole: of a reference that touches no other line. */
static struct met *keep_line(const struct sieve *s, uint64_t line, bool writes, bool whole,
			     struct met *out)
{
	struct recent *r = &s->recent[ms_cache_set(&s->shard->first, line)];
	uint64_t from = out->written & UINT32_MAX, to = out->written >> 32, bytes = 0;
	bool adds = s->shift <= 6 && whole;

	if (adds) {
		bytes = UINT64_MAX << from & UINT64_MAX >> (63 - to);
		out->address &= ~MS_MET_PART;
		out->written = bytes;
	}
	if (!s->filters)
		return out + 1;
	bool same = meet_line(s, r, line);
	if (!writes)
		return out + !same;
	uint64_t *stored = &r->stored[r->last];
	if (same && adds && *stored >= s->kept_before) {
		s->batch->at[*stored - s->kept_before].written |= bytes;
		return out;
	}
	*stored = adds ? ms_own_number(s, out) : 0;
	return out + 1;
}

static struct met *keep_orders(const struct sieve *s, uint64_t line, uint64_t last, struct met *out)
{
	for (; s->filters && line <= last; line++)
		out = ms_own_keep_order(s, &s->recent[ms_cache_set(&s->shard->first, line)], out);
	return out;
}

/* Any reference. */
static struct met *meet_lines(const struct sieve *s, const struct own_slot *slot, uint64_t address,
			      struct met *out)
{
	uint64_t at = address & MS_MET_ADDRESS, last = at + slot->reach;
	uint64_t mask = (UINT64_C(1) << s->shift) - 1;
	bool writes = slot->kind != MS_WIRE_READ, whole = (at | mask) >= last;
	uint64_t marks = MS_MET_PART | (writes ? MS_MET_WRITES : 0);
	const struct met *first = out = keep_orders(s, at >> s->shift, last >> s->shift, out);

	for (;; at = (at | mask) + 1) {
		bool ends = (at | mask) >= last;

		*out = (struct met){
			.address = at | marks | (out != first ? MS_MET_GOES_ON : 0),
			.cell = slot->cell,
			.object = object_of(slot->place),
			.written = (at & mask) | (ends ? last & mask : mask) << 32,
		};
		out = keep_line(s, at >> s->shift, writes, whole, out);
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

	if (address - slot->place->start < slot->place->size)
		return meet_lines(s, slot, address, out);
	slot->since++; /* as in sieve.c */
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
	return next;
}

MS_NOINLINE struct met *ms_own_keep(const struct sieve *s, const struct own_slot *slot,
				    uint64_t address, uint64_t bytes, struct met *out)
{
	uint64_t at = address & MS_MET_ADDRESS, line = at >> s->shift;
	struct recent *r = &s->recent[line & s->set_mask];

	out = ms_own_keep_order(s, r, out);
	ms_own_meet_third(s, r, line, bytes != 0 ? ms_own_number(s, out) : 0);
	*out = (struct met){ .address = at | (bytes != 0 ? MS_MET_WRITES : 0),
			     .cell = slot->cell,
			     .object = slot->place->start,
			     .written = bytes };
	return out + 1;
}

/* One whose data is known, and that touches one line. */
MS_INLINE bool is_direct(const struct sieve *s, const struct own_slot *slot, uint64_t address)
{
	return address - slot->place->start < slot->place->size &&
	       (address & ((UINT64_C(1) << s->shift) - 1)) < slot->room;
}

/* Such a one, to a line that is one of its set's two; false: it is not, and nothing was done.
 * before: the line that was used last, which is there; a load of it changes nothing. Lines are
 * compared with all bits that an address may have, and kept without those that are marks: an
 * address that has some of them, which no program's has, is always kept. */
MS_INLINE bool sift_near(const struct sieve *s, const struct own_slot *slot, uint64_t address,
			 uint64_t *before, struct met **out)
{
	uint64_t line = address >> s->shift;
	struct recent *r = &s->recent[line & s->set_mask];

	if (MS_UNLIKELY(!is_direct(s, slot, address)))
		return false;
	if (line == *before && slot->kind == MS_WIRE_READ)
		return true;
	uint32_t k = r->line[1] == line;
	if (MS_UNLIKELY(r->line[k] != line))
		return false;
	r->last = k;
	*before = line;
	if (slot->kind != MS_WIRE_READ)
		*out = ms_own_store(s, slot, address, ms_own_bytes(s, slot, address), r, k, *out);
	return true;
}

MS_INLINE struct met *sift_one(const struct sieve *s, struct own_slot *slot, uint64_t address,
			       struct met *out)
{
	uint64_t before = MS_LINE_NONE;

	if (MS_UNLIKELY(!s->direct || !is_direct(s, slot, address)))
		return sift_odd(s->copy, slot, address, out);
	if (MS_UNLIKELY(!sift_near(s, slot, address, &before, &out)))
		return ms_own_keep(s->copy, slot, address, ms_own_written(s, slot, address), out);
	return out;
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

/* As ms_loop_find_periods(); one that sees windows is told of each line that it meets. */
static bool marches(const struct ms_shard *shard)
{
	return shard->first_shift == MS_LOOP_SHIFT && shard->first.mask != 0 &&
	       shard->general->pairs_are_hits && shard->engine->windows == NULL;
}

static MS_NOINLINE void make_slots(struct ms_shard *shard, struct own_exit *exit, uint32_t number)
{
	const struct processors *p = shard->processors;
	const struct known_exit *known = &p->exits.at[number];
	const struct ms_block *block = p->blocks.at[known->block];

	exit->slots = ms_processor_slots(shard, p->running, known->block);
	exit->words = block->exit_refs[known->number] + 1;
	exit->period = 0;
	if (marches(shard))
		exit->period = (uint8_t)ms_loop_period(block, exit->words - 1, shard->first.ways);
	exit->instructions =
		block->exit_instructions != NULL ? block->exit_instructions[known->number] : 0;
}

/* Where the hot loop is. */
struct going {
	const uint64_t *at;
	struct met *out;
	uint64_t instructions; /* these two of all executions so far */
	uint64_t executions;
	struct own_exit *exit; /* of the execution that it is in; NULL: in none, but before it */
	uint32_t met;          /* references of that execution that are done */
};

/*
 * Executions, up to the first that is not all of it direct, or may be a loop to be followed. What
 * it needs stays in registers, as it calls nothing but for lines that are kept. For lines of 64
 * bytes.
 */
static MS_NOINLINE void sift_on(const struct sieve *sieve, struct going *g, const uint64_t *end)
{
	struct sieve s = *sieve;
	const struct processors *p = s.shard->processors;
	const struct own_slot *slot;
	struct own_exit *exits = p->running->exits.at, *exit;
	size_t exit_count = p->running->exits.n;
	uint64_t instructions = 0, executions = 0, weight = p->weight, before = MS_LINE_NONE;
	const uint64_t *at = g->at;
	struct met *out = g->out;
	uint32_t i = 0;

	s.shift = 6;
	for (exit = NULL; at < end; exit = NULL) {
		uint64_t head = *at;
		uint32_t words = ms_wire_words_of(head);

		__builtin_prefetch(at + MS_OWN_WORDS_AHEAD);
		if (MS_UNLIKELY(ms_wire_kind_of(head) != MS_WIRE_EXEC ||
				ms_wire_arg_of(head) >= exit_count || at + words > end ||
				exits[ms_wire_arg_of(head)].words != words))
			break;
		exit = &exits[ms_wire_arg_of(head)];
		if (exit->period != 0 && at + words < end && at[words] == head &&
		    (exit->pause == 0 || --exit->pause == 0)) {
			exit = NULL;
			break;
		}
		exit->count++;
		exit->weighted += weight;
		instructions += exit->instructions;
		executions++;
		slot = exit->slots;
		for (i = 0; i + 1 < words; i++, slot++)
			if (MS_UNLIKELY(!sift_near(&s, slot, at[1 + i], &before, &out))) {
				if (!is_direct(&s, slot, at[1 + i]))
					goto done;
				out = ms_own_keep(sieve, slot, at[1 + i],
						  ms_own_written(&s, slot, at[1 + i]), out);
				before = at[1 + i] >> s.shift;
			}
		at += words;
	}
done:
	g->at = at;
	g->out = out;
	g->exit = exit;
	g->met = i;
	g->instructions += instructions;
	g->executions += executions;
}

/* The rest of the execution that it is in. */
static void finish_execution(const struct sieve *s, struct going *g)
{
	uint32_t words = g->exit->words;

	for (uint32_t i = g->met; i + 1 < words; i++)
		g->out = sift_one(s, g->exit->slots + i, g->at[1 + i], g->out);
	g->at += words;
}

static bool follow(const struct sieve *s, struct going *g, struct own_exit *exit,
		   const uint64_t *end)
{
	uint64_t n = ms_own_march(s->copy, exit, g->at, end, &g->out);

	exit->count += n;
	exit->weighted += n * s->shard->processors->weight;
	g->instructions += n * exit->instructions;
	g->executions += n;
	g->at += n * exit->words;
	return n != 0;
}

/* One execution, or a loop; false: nothing of the kind stands there. */
MS_INLINE bool sift_next(const struct sieve *s, struct going *g, const uint64_t *end)
{
	const struct processors *p = s->shard->processors;
	uint64_t head = *g->at;
	const uint64_t *next = g->at + ms_wire_words_of(head);

	if (ms_wire_kind_of(head) != MS_WIRE_EXEC || ms_wire_arg_of(head) >= p->running->exits.n ||
	    next > end)
		return false;
	struct own_exit *exit = &p->running->exits.at[ms_wire_arg_of(head)];
	if (exit->slots == NULL)
		make_slots(s->shard, exit, ms_wire_arg_of(head));
	if (exit->words != ms_wire_words_of(head))
		return false;
	if (s->direct && exit->period != 0 && next < end && *next == head && exit->pause == 0 &&
	    follow(s, g, exit, end))
		return true;
	exit->count++;
	exit->weighted += p->weight;
	g->instructions += exit->instructions;
	g->executions++;
	g->out = sift_refs(s, exit->slots, g->at + 1, ms_wire_words_of(head) - 1, g->out);
	g->at = next;
	return true;
}

/* near: sift_on() is for the machine. */
MS_INLINE void sift_all(const struct sieve *s, bool near, struct going *g, const uint64_t *end)
{
	const struct processors *p = s->shard->processors;

	while (g->at < end) {
		g->exit = NULL;
		if (near)
			sift_on(s->copy, g, end);
		if (g->exit != NULL)
			finish_execution(s, g);
		else if (g->at == end || !sift_next(s, g, end))
			break;
		if (MS_UNLIKELY(p->unbound_count >= MS_MOST_UNBOUND))
			ms_own_bind(s->shard, s->batch);
	}
}

const uint64_t *ms_own_sift(const struct sieve *s, const uint64_t *at, const uint64_t *end)
{
	struct processors *p = s->shard->processors;
	struct thread_count *thread = p->thread_count;
	uint64_t skipped = p->skipped;
	struct going g = { .at = at, .out = s->batch->at + s->batch->n };

	/* Lines of 64 bytes are what most machines have. What begins so short a turn as some have
	 * must be little, so nothing is copied there. */
	if (s->direct && s->shift == 6) {
		sift_all(s, true, &g, end);
	} else {
		const struct sieve registers = *s;

		sift_all(&registers, false, &g, end);
	}
	/* All words but one of each are references. */
	uint64_t references = (uint64_t)(g.at - at) - g.executions;
	s->batch->n = (size_t)(g.out - s->batch->at);
	thread->instructions += g.instructions;
	thread->references += references - (p->skipped - skipped);
	p->references += references;
	return g.at;
}
