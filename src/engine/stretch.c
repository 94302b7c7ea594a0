/*
 * engine/stretch.c - one processor's turn through simple caches, level by level.
 *
 * While a processor runs no other does anything: so its lines can go through the first level all
 * together, then what is left through the next one, and so on, as settle.c does it for one
 * processor, and what each pass needs from far memory is asked for ahead. In between, in order,
 * stand what the directory says of those lines, and what becomes of the records of the agent's own
 * levels: these two belong together, as a line that leaves the agent's caches may come back.
 *
 * A store that is not quiet makes its line owned until the end of the pass; what is stored to it
 * meanwhile, while it stays in the first level, is added to what that store writes.
 *
 * Most lines that miss are plain (stretch_plain.h); all others are accesses as general.c makes
 * them.
 *
 * Simple: all levels write back, take lines on a store, are neither inclusive nor exclusive and
 * have no prefetcher, units are lines of the first level, and each level is one agent's or all
 * share it.
 */
#include "base/mem.h"
#include "engine/stretch_plain.h"
#include "stream/wire.h"

/* --- opening and closing --- */

static bool is_simple(const struct ms_machine_level *level)
{
	return level->write == MS_WRITE_BACK && level->write_miss == MS_WRITE_MISS_ALLOCATE &&
	       level->contents == MS_CONTENTS_NEITHER && level->prefetch == 0;
}

struct stretch *ms_stretch_open(const struct general *general)
{
	for (unsigned k = 0; k < general->levels; k++)
		if (!is_simple(&general->machine.levels.at[k]))
			return NULL;
	if (general->levels > 64 || general->coherence->unit_up != 0 || general->kinds > 2 ||
	    (general->kinds == 2 && general->kind[1].count != 1))
		return NULL;
	struct stretch *t = ms_alloc(sizeof(*t));
	t->levels = general->levels;
	t->coherence = general->coherence;
	t->shape = (struct shape){ t->coherence->private_levels, t->coherence->holder_words };
	t->passing = ms_alloc(MS_STRETCH_LINES * t->levels * sizeof(*t->passing));
	t->old = ms_alloc(MS_STRETCH_LINES * t->levels * sizeof(*t->old));
	for (size_t i = 0; i < MS_STRETCH_LINES; i++)
		t->event[i].at = &t->passing[i * t->levels];
	const struct ms_machine_level *first = &general->machine.levels.at[0];
	t->owner = ms_alloc(first->size / first->line * sizeof(*t->owner));
	t->charges = ms_alloc(t->levels * sizeof(*t->charges));
	t->misses = ms_alloc(t->levels * sizeof(*t->misses));
	return t;
}

void ms_stretch_close(struct stretch *t)
{
	if (t == NULL)
		return;
	ms_free(t->passing);
	ms_free(t->old);
	ms_free(t->owner);
	ms_free(t->charges);
	ms_free(t->misses);
	ms_free(t);
}

/* --- one level --- */

/* The line, and where it is; false: it was not there, and comes; *victim is what left. */
MS_INLINE bool bring(const struct bank *bank, uint64_t line, struct seat *seat, uint64_t *victim)
{
	if (seat->way != MS_BANK_NOWHERE) {
		ms_bank_use(bank, *seat);
		return true;
	}
	*seat = ms_bank_room(bank, seat->set);
	*victim = ms_bank_line(bank, *seat);
	ms_bank_put(bank, *seat, line);
	return false;
}

static uint16_t *owner_of(const struct stretch *t, const struct bank *first, struct seat seat)
{
	return &t->owner[seat.set * first->ways + seat.way];
}

/* Where the line is in the first level and nothing else changes, it becomes the most recent. seat:
 * where it is there. */
MS_INLINE bool is_quiet(struct stretch *t, const struct bank *first, const struct met *m,
			uint64_t line, struct seat *seat)
{
	seat->set = ms_bank_set_of(first, line);
	struct bank_set *at = ms_bank_at(first, seat->set);
	bool second = ms_bank_is_second(first, at, line, &seat->way);

	if (!second)
		seat->way = ms_bank_way(first, at, line);
	if (MS_UNLIKELY(seat->way == MS_BANK_NOWHERE))
		return false;
	if (m->address & MS_MET_WRITES) {
		if (seat->way >= 64 || !((at->quiet | at->owned) >> seat->way & 1))
			return false;
		if (at->owned >> seat->way & 1) {
			if (m->address & MS_MET_PART)
				return false;
			t->event[*owner_of(t, first, *seat)].written |= m->written;
		}
	}
	if (second)
		ms_bank_use_second(at);
	else
		ms_bank_use(first, *seat);
	return true;
}

/* Finds what records say of a line that came to a bank, and of the one that left, and asks for
 * that; came: where it is. */
MS_INLINE void find_words(struct passing *p, const struct bank *bank, uint32_t *came)
{
	p->came = came;
	p->left = NULL;
	if (p->victim != MS_LINE_NONE) {
		p->left = ms_access_word(bank, p->victim);
		__builtin_prefetch(p->left);
	}
}

/* The entry of the line that left the last own level. */
MS_INLINE void find_victim(const struct stretch *t, struct event *e, unsigned last)
{
	e->victim_entry = NULL;
	if (e->at[last].victim != MS_LINE_NONE) {
		e->victim_entry = ms_lines_at(&t->coherence->directory, e->at[last].victim);
		__builtin_prefetch(e->victim_entry);
	}
}

/* What it will need is asked for here. next: the level behind the first; NULL: there is none. */
MS_INLINE void add_event(struct stretch *t, struct shape shape, const struct bank *first,
			 const struct bank *next, const struct met *m, const struct met *begun,
			 uint64_t line, struct seat seat)
{
	struct event *e = &t->event[t->n];
	bool part = m->address & MS_MET_PART;

	e->met = m;
	e->begun = begun;
	e->line = line;
	e->written = part ? 0 : m->written;
	e->missed = bring(first, line, &seat, &e->at[0].victim) ? 0 : 1;
	e->seat = seat;
	if (m->address & MS_MET_WRITES && seat.way < 64 && !part) {
		ms_bank_at(first, seat.set)->owned |= UINT64_C(1) << seat.way;
		*owner_of(t, first, seat) = (uint16_t)t->n;
	}
	t->n++;
	e->entry = ms_lines_at(&t->coherence->directory, line);
	__builtin_prefetch(e->entry);
	if (e->missed == 0)
		return;
	if (next != NULL)
		ms_bank_expect(next, line >> next->up);
	t->falling[t->left++] = e;
	uint32_t *record = ms_lines_at(first->nest->lines, line);
	__builtin_prefetch(record);
	find_words(&e->at[0], first, record);
	if (shape.own == 1)
		find_victim(t, e, 0);
}

/* Through the first level; what is not quiet there is an event. */
MS_INLINE void meet_first(struct stretch *t, struct shape shape, const struct settling *s,
			  const struct met *m, const struct met *end, const struct met **begun)
{
	/* Not what others may write to: it stays in registers. */
	const struct bank first = *s->path[0];
	const struct bank *next = t->levels > 1 ? s->path[1] : NULL;
	uint32_t shift = s->shard->first_shift;
	bool alone = s->alone;
	struct seat seat;

	t->n = t->left = 0;
	for (; m < end; m++) {
		uint64_t line = (m->address & MS_MET_ADDRESS) >> shift;

		if (!(m->address & MS_MET_GOES_ON))
			*begun = m;
		if ((alone || ms_settling_is_mine(s, m)) && !is_quiet(t, &first, m, line, &seat))
			add_event(t, shape, &first, next, m, *begun, line, seat);
	}
}

/* Through level k, those that have missed all before it. */
static void fall_through(struct stretch *t, const struct settling *s, unsigned k)
{
	const struct bank bank = *s->path[k];
	const struct bank *next = k + 1 < t->levels ? s->path[k + 1] : NULL;
	size_t left = 0;

	for (size_t i = 0; i < t->left; i++) {
		struct event *e = t->falling[i];
		uint64_t line = e->line >> bank.up;
		struct seat seat = ms_bank_find(&bank, line);

		if (bring(&bank, line, &seat, &e->at[k].victim))
			continue;
		if (next != NULL)
			ms_bank_expect(next, e->line >> next->up);
		e->missed = k + 1;
		t->falling[left++] = e;
	}
	t->left = left;
}

/* The same of one of the agent's own. */
static void fall_through_own(struct stretch *t, const struct settling *s, unsigned k)
{
	fall_through(t, s, k);
	for (size_t i = 0; i < t->left; i++) {
		struct event *e = t->falling[i];

		find_words(&e->at[k], s->path[k], e->at[0].came + k);
		if (k + 1 == t->shape.own)
			find_victim(t, e, k);
	}
}

/* --- those that are not plain --- */

/* What left the level is gone, and what came is there. */
static void exchange(const struct stretch *t, const struct event *e, unsigned k)
{
	const struct access *a = e->access;
	const struct passing *p = &e->at[k];

	if (p->left != NULL) {
		ms_access_evict(a, k, p->left);
		if (k < t->shape.own)
			ms_coherence_pushed_out(a, a->path[k], p->victim, p->left,
						k + 1 == t->shape.own ? e->victim_entry : NULL);
	}
	if (MS_UNLIKELY(ms_line_is_lost(*p->came)))
		ms_coherence_regain(a, a->line, *p->came);
	*p->came = ms_line_here(a->cell->data);
	ms_move(&a->shard->movements, k, a->cell->data, 1);
}

static void note_level(struct event *e, unsigned k, uint32_t word)
{
	struct access *a = e->access;

	a->old[k] = word;
	if (MS_LIKELY(!ms_line_is_lost(word)))
		return;
	ms_coherence_note(a, k);
	e->falsely |= (uint64_t)a->coherence->general->falsely[k] << k;
}

static void make_access(struct stretch *t, const struct settling *s, struct event *e)
{
	size_t number = (size_t)(e - t->event);

	e->access = &t->access[number];
	e->falsely = 0;
	ms_settling_begin(s, e->met, e->access);
	e->access->old = &t->old[number * t->levels];
	e->access->written = e->written;
	e->access->entry = e->entry;
}

/* What the directory says, and the agent's own levels, which are behind each other in one record.
 */
static MS_NOINLINE void settle_private(struct stretch *t, const struct settling *s, struct event *e)
{
	unsigned missed = e->missed < t->shape.own ? e->missed : t->shape.own;
	bool writes = e->met->address & MS_MET_WRITES;

	make_access(t, s, e);
	if (writes)
		ms_coherence_own(e->access);
	for (unsigned k = 0; k < missed; k++)
		note_level(e, k, *e->at[k].came);
	if (missed == t->shape.own)
		ms_coherence_read(e->access, missed);
	for (unsigned k = missed; k-- > 0;)
		exchange(t, e, k);
	if (writes)
		ms_coherence_tell(e->access);
}

/* --- both --- */

MS_INLINE void settle_own(struct stretch *t, struct shape shape, const struct settling *s)
{
	for (size_t i = 0; i < t->n; i++) {
		struct event *e = &t->event[i];

		e->access = NULL;
		if (!ms_plain_settle(t, shape, s, e))
			settle_private(t, s, e);
	}
}

/* The records of what all share may stand in the directory. */
static void find_shared(const struct settling *s, const struct event *e, unsigned k)
{
	const struct bank *bank = s->path[k];
	bool beside =
		bank->nest->lines == &s->shard->general->coherence->directory && bank->up == 0;
	uint32_t *came = beside ? e->entry + bank->word : ms_access_word(bank, e->line >> bank->up);

	__builtin_prefetch(came);
	find_words(&e->at[k], bank, came);
}

/* Those that missed a level that all share. */
static void settle_shared(struct stretch *t, const struct settling *s, unsigned k)
{
	for (size_t i = 0; i < t->left; i++)
		find_shared(s, t->falling[i], k);
	for (size_t i = 0; i < t->left; i++) {
		struct event *e = t->falling[i];

		if (e->access == NULL) {
			ms_plain_exchange(t, t->shape, s, e, k);
		} else {
			e->access->old[k] = *e->at[k].came;
			exchange(t, e, k);
		}
	}
}

/* --- all of it --- */

static void count_event(struct settling *s, const struct event *e)
{
	struct general *general = s->shard->general;

	e->access->missed = e->missed;
	for (unsigned k = 0; k < e->missed; k++) {
		general->old[k] = e->access->old[k];
		general->falsely[k] = e->falsely >> k & 1;
	}
	ms_settling_count(s, e->begun, e->met, e->access);
}

/* Whether the line is quiet is seen when all is done: it may have left, and come back. */
MS_INLINE void end_event(const struct settling *s, const struct event *e)
{
	const struct bank *first = s->path[0];
	struct bank_set *at = ms_bank_at(first, e->seat.set);
	uint32_t way = e->seat.way;

	at->owned = 0;
	if (e->entry[MS_ENTRY_LOSSES] != 0 || ms_entry_state(e->entry) != MS_UNIT_MODIFIED ||
	    ms_entry_owner(e->entry) != s->agent)
		return;
	if (MS_UNLIKELY(ms_bank_line(first, e->seat) != e->line))
		way = ms_bank_way(first, at, e->line);
	if (way < 64)
		at->quiet |= UINT64_C(1) << way;
}

MS_INLINE void settle_some(struct stretch *t, struct shape shape, struct settling *s,
			   const struct met *m, const struct met *end, const struct met **begun)
{
	uint32_t nodes = s->shard->engine->placement.nodes;

	meet_first(t, shape, s, m, end, begun);
	for (unsigned k = 1; k < shape.own && t->left > 0; k++)
		fall_through_own(t, s, k);
	settle_own(t, shape, s);
	for (unsigned k = shape.own; k < t->levels && t->left > 0; k++) {
		fall_through(t, s, k);
		settle_shared(t, s, k);
	}
	for (size_t i = 0; i < t->n; i++) {
		const struct event *e = &t->event[i];

		if (e->access != NULL)
			count_event(s, e);
		else if (nodes > 1 && e->missed == t->levels)
			ms_settling_note_memory(s, e->met);
		if (e->met->address & MS_MET_WRITES)
			end_event(s, e);
	}
}

void ms_stretch_settle(struct stretch *t, struct settling *s, const struct met *m,
		       const struct met *end)
{
	const struct met *begun = m;

	ms_plain_begin(t, s);
	for (; m < end; m += MS_STRETCH_LINES) {
		const struct met *to = end - m < MS_STRETCH_LINES ? end : m + MS_STRETCH_LINES;

		if (t->shape.own == 1 && t->shape.words == 1)
			settle_some(t, (struct shape){ 1, 1 }, s, m, to, &begun);
		else
			settle_some(t, t->shape, s, m, to, &begun);
	}
	ms_plain_end(t, s);
}

void ms_stretch_finish(struct stretch *t)
{
	if (t != NULL)
		ms_plain_enter(t);
}
