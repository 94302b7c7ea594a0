/*
 * engine/handoff.c - a line that goes from one processor's caches to another's.
 *
 * Where processors fight over a line their turns are all alike: it is missed, as another one has
 * written it, comes from there, and is written again. general.c does such an access step by step,
 * and each step looks for the set, the record and the directory's entry anew; and it does the load
 * and the store one after the other, where the second undoes half of what the first has done. Here
 * all is looked for once, and what both come to is done at once. What is unlike that is left to
 * general.c, with nothing changed.
 *
 * For simple machines (stretch.c), and references to one line of at most 64 bytes.
 */
#include "engine/directory.h"
#include "engine/settling.h"

enum { MOST_PRIVATE = 4 }; /* levels of an agent's own */

/* A line on its way. */
struct handoff {
	struct settling *s;
	struct coherence *coherence;
	const struct met *met;   /* what misses it ... */
	const struct met *store; /* ... and writes it: the same, or the next; NULL: nothing does */
	uint64_t line;
	uint32_t *entry;  /* of the directory */
	uint32_t *record; /* of the agent's own levels */
	unsigned levels;
	uint32_t owner;
	struct seat seats[MOST_PRIVATE]; /* where it comes to */
	struct seat shared;              /* and where it is in the level behind them */
};

MS_INLINE uint32_t offset_of(const struct handoff *h, const struct met *m)
{
	return (uint32_t)(m->address & ((UINT64_C(1) << h->s->shard->first_shift) - 1));
}

/* The agent has the line in its first level, and may not write it without asking; or somebody waits
 * for what is written. */
static void write_held(const struct settling *s, const struct met *m, uint32_t *entry,
		       struct seat seat)
{
	struct access a;

	ms_settling_begin(s, m, &a);
	a.entry = entry;
	ms_coherence_own(&a);
	ms_bank_use(s->path[0], seat);
	ms_coherence_tell(&a);
	ms_coherence_quiet(&a);
}

/* --- what it needs --- */

/* An empty way of the line's set, if there is one. A policy is not asked for a victim: it may be
 * another one the next time. */
static struct seat empty_seat(const struct bank *bank, uint64_t line)
{
	uint64_t set = ms_bank_set_of(bank, line);
	struct seat seat = { set, MS_BANK_NOWHERE };

	if (bank->policy == NULL)
		seat = ms_bank_room(bank, set);
	else
		seat.way = ms_bank_way(bank, ms_bank_at(bank, set), MS_LINE_NONE);
	if (seat.way != MS_BANK_NOWHERE && ms_bank_line(bank, seat) != MS_LINE_NONE)
		seat.way = MS_BANK_NOWHERE;
	return seat;
}

/* Where the line comes to; false: it was not lost there, or something has to leave. */
MS_INLINE bool find_room(struct handoff *h)
{
	for (unsigned k = 0; k < h->levels; k++) {
		h->seats[k] = empty_seat(h->s->path[k], h->line);
		if (!ms_line_is_lost(h->record[k]) || h->seats[k].way == MS_BANK_NOWHERE)
			return false;
	}
	return true;
}

/* The store that follows a load of the same line, as of whoever counts something up. */
static const struct met *store_of(const struct settling *s, const struct met *m,
				  const struct met *end)
{
	const struct met *next = m + 1;

	if (m->address & MS_MET_WRITES)
		return m;
	if (next == end || !(next->address & MS_MET_WRITES) ||
	    next->address & (MS_MET_PART | MS_MET_GOES_ON) ||
	    ms_settling_line(s, next) != ms_settling_line(s, m))
		return NULL;
	return next;
}

/* --- counting --- */

/* It is not given the handoff, so that this stays in registers. */
static MS_NOINLINE struct shared *find_sharing(struct sharing *sharing, const struct met *met,
					       const struct loss *loss, uint32_t cell,
					       uint64_t line)
{
	struct shared like = {
		.cell = cell,
		.writer = loss->writer,
		.line = line,
		.offset = (uint32_t)((met->address & MS_MET_ADDRESS) - line),
		.writer_offset = loss->offset,
		.object = met->object,
		.writer_object = loss->object,
	};

	return ms_sharing_at(sharing, &like);
}

MS_INLINE struct shared *sharing_of(const struct handoff *h, uint32_t cell, const struct loss *loss)
{
	struct sharing *sharing = &h->s->shard->processors->sharing;
	uint64_t line = h->line << h->s->shard->first_shift;
	struct shared *near = *ms_sharing_near(sharing, cell, loss->writer, line);

	if (MS_LIKELY(ms_shared_is(near, cell, loss->writer, line, offset_of(h, h->met),
				   loss->offset)))
		return near;
	return find_sharing(sharing, h->met, loss, cell, line);
}

/* As ms_settling_count() does: what is known here need not be asked. */
MS_INLINE void count(const struct handoff *h)
{
	struct ms_shard *shard = h->s->shard;
	struct thread_count *thread = h->s->thread;
	struct tally *tally = ms_shard_tally(shard, h->met->cell);
	struct tally_more *more = ms_tally_more(&shard->tallies, tally, 0);
	uint64_t touched = UINT64_MAX >> (63 - h->met->cell->reach) << offset_of(h, h->met);
	const struct loss *loss = ms_loss_at(&h->coherence->losses, ms_line_loss(h->record[0]));
	struct shared *shared = sharing_of(h, tally->number, loss);
	bool truly = loss->written[0] & touched;

	shared->truly += truly;
	shared->falsely += !truly;
	shared->peer++;
	__atomic_store_n(&shard->misses, shard->misses + 1, __ATOMIC_RELAXED);
	for (unsigned k = 0; k < h->levels; k++) {
		loss = ms_loss_at(&h->coherence->losses, ms_line_loss(h->record[k]));
		tally->level[k].causes[MS_MISS_INVALIDATED]++;
		more[k].falsely += !(loss->written[0] & touched);
		more[k].weighted += h->s->mark->weight;
		thread->level[k].misses++;
		ms_phases_count(&shard->phases, h->s->mark->phase, k, shard->levels);
	}
	more[h->levels - 1].peer++;
	thread->level[h->levels - 1].peer++;
	/* Who only reads it, or reads it first, has it written back, unless its owner keeps it. */
	if (h->store != h->met && h->coherence->protocol != MS_PROTOCOL_MOESI)
		more[h->levels - 1].write_backs++;
}

/* --- taking it over --- */

/* The line comes into the levels from which it was taken. */
MS_INLINE void come_back(const struct handoff *h)
{
	struct settling *s = h->s;
	uint32_t data = h->met->cell->data;

	if (!ms_bank_is_first(s->path[h->levels], h->shared))
		ms_bank_use(s->path[h->levels], h->shared);
	for (unsigned k = h->levels; k-- > 0;) {
		h->record[k] = ms_line_here(data);
		ms_bank_put(s->path[k], h->seats[k], h->line);
	}
}

/* So it is lost there no more. */
MS_INLINE void regain(const struct handoff *h)
{
	for (unsigned k = 0; k < h->levels; k++)
		ms_losses_regain(&h->coherence->losses, &h->entry[MS_ENTRY_LOSSES],
				 ms_line_loss(h->record[k]));
}

MS_INLINE void arrive(const struct handoff *h)
{
	for (unsigned k = 0; k < h->levels; k++)
		ms_move(&h->s->shard->movements, k, h->met->cell->data, 1);
}

/* Its owner may not write it any more without asking. */
MS_INLINE void share(const struct handoff *h)
{
	const struct bank *bank = &h->coherence->general->kind[0].at[h->owner]->bank[0];
	struct seat seat = ms_bank_find(bank, h->line);

	if (seat.way < 64)
		ms_bank_at(bank, seat.set)->quiet &= ~(UINT64_C(1) << seat.way);
	if (h->coherence->protocol == MS_PROTOCOL_MOESI)
		ms_entry_set(h->entry, MS_UNIT_OWNED, h->owner);
	else
		ms_entry_set(h->entry, MS_UNIT_SHARED, 0);
	ms_entry_add_holder(h->entry, h->s->agent);
}

/* What the agent has, its owner has lost. Returns how many of the owner's levels have. */
MS_INLINE unsigned take_from_owner(const struct handoff *h, uint32_t loss)
{
	struct nest *nest = h->coherence->general->kind[0].at[h->owner];
	struct movements *movements = &h->s->shard->movements;
	uint32_t *record = ms_lines_at(nest->lines, h->line), data = h->met->cell->data;
	unsigned n = 0;

	for (unsigned k = h->levels; k-- > 0;) {
		struct seat seat = ms_bank_find_first(&nest->bank[k], h->line);

		if (MS_UNLIKELY(seat.way == MS_BANK_NOWHERE)) {
			ms_move(movements, k, data, 1);
			continue;
		}
		ms_move_over(movements, k, data, ms_line_data(record[k]));
		record[k] = ms_line_lost(loss);
		ms_bank_empty(&nest->bank[k], seat);
		n++;
	}
	return n;
}

/* The loss by which the agent had lost it, if no other one had by it; else 0. */
MS_INLINE uint32_t last_loss(const struct handoff *h)
{
	uint32_t number = ms_line_loss(h->record[0]);

	for (unsigned k = 1; k < h->levels; k++)
		if (h->record[k] != h->record[0])
			return 0;
	return ms_loss_at(&h->coherence->losses, number)->refs == h->levels ? number : 0;
}

/* All others who have lost the line are told what is written. That loss has ended, and can be used
 * anew. */
MS_INLINE void tell_losses(const struct handoff *h, uint32_t ended)
{
	uint32_t *link = &h->entry[MS_ENTRY_LOSSES];

	while (*link != 0) {
		struct loss *loss = ms_loss_at(&h->coherence->losses, *link);

		if (*link == ended) {
			*link = loss->next;
			continue;
		}
		loss->written[0] |= h->store->written;
		link = &loss->next;
	}
}

/* The owner loses it, by a loss that is in no list. */
MS_INLINE void own(const struct handoff *h, uint32_t number)
{
	struct tally *tally = ms_shard_tally(h->s->shard, h->store->cell);
	struct loss *loss = ms_loss_at(&h->coherence->losses, number);

	tally->upgrades += h->store != h->met;
	loss->refs = take_from_owner(h, number);
	loss->writer = tally->number;
	loss->offset = offset_of(h, h->store);
	loss->object = h->store->object;
	loss->written[0] = h->store->written;
	loss->next = h->entry[MS_ENTRY_LOSSES];
	h->entry[MS_ENTRY_LOSSES] = number;
	ms_entry_remove_holder(h->entry, h->owner);
	ms_entry_set(h->entry, MS_UNIT_MODIFIED, h->s->agent);
	ms_entry_add_holder(h->entry, h->s->agent);
}

/* Another agent has it, modified; this one had it, and what all share has it. levels: an agent's
 * own; most have one, which is a constant then. */
MS_INLINE unsigned take_over(struct settling *s, const struct met *m, const struct met *end,
			     uint32_t *entry, unsigned levels)
{
	struct handoff h = { .s = s,
			     .coherence = s->shard->general->coherence,
			     .met = m,
			     .store = store_of(s, m, end),
			     .line = ms_settling_line(s, m),
			     .entry = entry,
			     .levels = levels,
			     .owner = ms_entry_owner(entry) };

	if (h.levels == s->shard->levels || h.levels > MOST_PRIVATE)
		return 0;
	h.record = ms_access_word(s->path[0], h.line);
	if (!find_room(&h))
		return 0;
	h.shared = ms_bank_find_first(s->path[h.levels], h.line >> s->path[h.levels]->up);
	if (h.shared.way == MS_BANK_NOWHERE)
		return 0;
	count(&h);
	uint32_t loss = h.store != NULL ? last_loss(&h) : 0;
	if (loss == 0)
		regain(&h);
	come_back(&h);
	if (h.store == NULL) {
		arrive(&h);
		share(&h);
		return 1;
	}
	tell_losses(&h, loss);
	own(&h, loss != 0 ? loss : ms_losses_add(&h.coherence->losses));
	if (h.store == m)
		return 1;
	if (s->path[0]->policy != NULL) /* to which the store is another use */
		ms_bank_use(s->path[0], h.seats[0]);
	return 2;
}

unsigned ms_handoff(struct settling *s, const struct met *m, const struct met *end,
		    struct seat seat)
{
	if (m->address & MS_MET_PART)
		return 0;
	uint32_t *entry = ms_coherence_entry(s->shard->general->coherence, ms_settling_line(s, m));
	if (seat.way != MS_BANK_NOWHERE) {
		write_held(s, m, entry, seat);
		return 1;
	}
	if (ms_entry_state(entry) != MS_UNIT_MODIFIED || ms_entry_holds(entry, s->agent))
		return 0;
	unsigned levels = s->shard->general->coherence->private_levels;
	return levels == 1 ? take_over(s, m, end, entry, 1) : take_over(s, m, end, entry, levels);
}
