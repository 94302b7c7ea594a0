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
 * Simple: all levels write back, take lines on a store, are neither inclusive nor exclusive and
 * have no prefetcher, units are lines of the first level, and each level is one agent's or all
 * share it.
 */
#include "base/mem.h"
#include "engine/settling.h"
#include "stream/wire.h"

/* Lines are taken through so many at once, and what they need is asked for so many ahead. */
enum { MOST_LINES = 128, AHEAD = 12 };

/* A line that is not in the first level, or must be owned. */
struct event {
	const struct met *met;
	const struct met *begun; /* the first line of its reference */
	struct access access;
	uint64_t falsely;       /* a bit a level */
	uint32_t *record;       /* of the line, in the agent's own levels */
	uint32_t *victim_entry; /* of the line that left the last of them; NULL: none did */
};

/* What a level's records say: of the line that came, and of the one that left (NULL: none). */
struct words {
	uint32_t *came;
	uint32_t *left;
};

struct stretch {
	unsigned levels;
	unsigned private_levels;
	size_t n;
	struct event event[MOST_LINES];
	struct words *words; /* by event and level */
	uint64_t *victims;   /* by event and level: the line that left; MS_LINE_NONE: none did */
	uint32_t *old;       /* likewise: what the record of the line that came said */
	struct event *falling[MOST_LINES]; /* those that have missed all levels so far */
	uint16_t *owner; /* by way of the first level: the event that has made its line owned */
};

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
	t->private_levels = general->coherence->private_levels;
	t->victims = ms_alloc(MOST_LINES * t->levels * sizeof(*t->victims));
	t->words = ms_alloc(MOST_LINES * t->levels * sizeof(*t->words));
	t->old = ms_alloc(MOST_LINES * t->levels * sizeof(*t->old));
	const struct ms_machine_level *first = &general->machine.levels.at[0];
	t->owner = ms_alloc(first->size / first->line * sizeof(*t->owner));
	return t;
}

void ms_stretch_close(struct stretch *t)
{
	if (t == NULL)
		return;
	ms_free(t->victims);
	ms_free(t->words);
	ms_free(t->old);
	ms_free(t->owner);
	ms_free(t);
}

/* --- one level --- */

static uint64_t *victim_of(const struct stretch *t, const struct event *e, unsigned k)
{
	return &t->victims[(size_t)(e - t->event) * t->levels + k];
}

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
MS_INLINE bool is_quiet(struct stretch *t, const struct settling *s, const struct met *m,
			struct seat *seat)
{
	const struct bank *first = s->path[0];
	uint64_t line = ms_settling_line(s, m);

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
			t->event[*owner_of(t, first, *seat)].access.written |= m->written;
		}
	}
	if (second)
		ms_bank_use_second(at);
	else
		ms_bank_use(first, *seat);
	return true;
}

static MS_NOINLINE void add_event(struct stretch *t, const struct settling *s, const struct met *m,
				  const struct met *begun, struct seat seat)
{
	const struct bank *first = s->path[0];
	struct event *e = &t->event[t->n];

	e->met = m;
	e->begun = begun;
	e->falsely = 0;
	ms_settling_begin(s, m, &e->access);
	e->access.old = &t->old[t->n * t->levels];
	e->access.missed = bring(first, e->access.line, &seat, victim_of(t, e, 0)) ? 0 : 1;
	if (m->address & MS_MET_WRITES && seat.way < 64 && !(m->address & MS_MET_PART)) {
		ms_bank_at(first, seat.set)->owned |= UINT64_C(1) << seat.way;
		*owner_of(t, first, seat) = (uint16_t)t->n;
	}
	t->n++;
}

/* Through the first level; what is not quiet there is an event. */
static void meet_first(struct stretch *t, const struct settling *s, const struct met *m,
		       const struct met *end, const struct met **begun)
{
	struct seat seat;

	t->n = 0;
	for (; m < end; m++) {
		if (!(m->address & MS_MET_GOES_ON))
			*begun = m;
		if (ms_settling_is_mine(s, m) && !is_quiet(t, s, m, &seat))
			add_event(t, s, m, *begun, seat);
	}
}

/* Through level k, those that have missed all before it; returns how many are left. */
static size_t fall_through(struct stretch *t, const struct settling *s, unsigned k, size_t n)
{
	const struct bank *bank = s->path[k];
	size_t left = 0;

	for (size_t i = 0; i < n; i++) {
		struct event *e = t->falling[i];

		if (i + AHEAD < n)
			ms_bank_expect(bank, t->falling[i + AHEAD]->access.line >> bank->up);
		uint64_t line = e->access.line >> bank->up;
		struct seat seat = ms_bank_find(bank, line);
		if (bring(bank, line, &seat, victim_of(t, e, k)))
			continue;
		e->access.missed = k + 1;
		t->falling[left++] = e;
	}
	return left;
}

/* --- records --- */

static struct words *words_of(const struct stretch *t, const struct event *e, unsigned k)
{
	return &t->words[(size_t)(e - t->event) * t->levels + k];
}

/* Finds the words, and asks for them; came: where that is known. */
static void find_words(const struct stretch *t, const struct event *e, unsigned k, uint32_t *came)
{
	const struct bank *bank = e->access.path[k];
	uint64_t victim = *victim_of(t, e, k);
	struct words *words = words_of(t, e, k);

	words->came = came;
	words->left = NULL;
	if (victim != MS_LINE_NONE) {
		words->left = ms_access_word(bank, victim);
		__builtin_prefetch(words->left);
	}
}

/* What left the level is gone, and what came is there. */
static void exchange(const struct stretch *t, struct event *e, unsigned k)
{
	struct access *a = &e->access;
	const struct words *words = words_of(t, e, k);

	if (words->left != NULL) {
		ms_access_evict(a, k, words->left);
		if (k < t->private_levels)
			ms_coherence_pushed_out(a, a->path[k], *victim_of(t, e, k), words->left,
						k + 1 == t->private_levels ? e->victim_entry
									   : NULL);
	}
	if (MS_UNLIKELY(ms_line_is_lost(*words->came)))
		ms_coherence_regain(a, a->line, *words->came);
	*words->came = ms_line_here(a->cell->data);
	ms_move(&a->shard->movements, k, a->cell->data, 1);
}

static void note_level(struct event *e, unsigned k, uint32_t word)
{
	struct access *a = &e->access;

	a->old[k] = word;
	if (MS_LIKELY(!ms_line_is_lost(word)))
		return;
	ms_coherence_note(a, k);
	e->falsely |= (uint64_t)a->coherence->general->falsely[k] << k;
}

/* What the directory says, and the agent's own levels, which are behind each other in one record.
 */
static void settle_private(const struct stretch *t, struct event *e)
{
	struct access *a = &e->access;
	unsigned missed = a->missed < t->private_levels ? a->missed : t->private_levels;
	bool writes = e->met->address & MS_MET_WRITES;

	if (writes)
		ms_coherence_own(a);
	for (unsigned k = 0; k < missed; k++)
		note_level(e, k, *words_of(t, e, k)->came);
	if (missed == t->private_levels)
		ms_coherence_read(a, missed);
	for (unsigned k = missed; k-- > 0;)
		exchange(t, e, k);
	if (writes)
		ms_coherence_tell(a);
}

static void find_private(const struct stretch *t, struct event *e)
{
	struct access *a = &e->access;
	unsigned last = t->private_levels - 1;

	a->entry = ms_coherence_entry(a->coherence, a->unit);
	__builtin_prefetch(a->entry);
	if (a->missed == 0)
		return;
	e->record = ms_access_word(a->path[0], a->line);
	__builtin_prefetch(e->record);
	for (unsigned k = 0; k <= last && k < a->missed; k++)
		find_words(t, e, k, e->record + k);
	e->victim_entry = NULL;
	if (a->missed > last && *victim_of(t, e, last) != MS_LINE_NONE) {
		e->victim_entry = ms_coherence_entry(a->coherence, *victim_of(t, e, last));
		__builtin_prefetch(e->victim_entry);
	}
}

static void settle_all_private(struct stretch *t)
{
	for (size_t i = 0; i < t->n && i < AHEAD; i++)
		find_private(t, &t->event[i]);
	for (size_t i = 0; i < t->n; i++) {
		if (i + AHEAD < t->n)
			find_private(t, &t->event[i + AHEAD]);
		settle_private(t, &t->event[i]);
	}
}

/* The records of what all share may stand in the directory. */
static void find_shared(const struct stretch *t, const struct event *e, unsigned k)
{
	const struct access *a = &e->access;
	const struct bank *bank = a->path[k];
	bool beside = bank->nest->lines == &a->coherence->directory && bank->up == 0;
	uint32_t *came = beside ? a->entry + bank->word : ms_access_word(bank, a->line >> bank->up);

	__builtin_prefetch(came);
	find_words(t, e, k, came);
}

/* Those that missed a level that all share. */
static void settle_shared(struct stretch *t, unsigned k, size_t n)
{
	for (size_t i = 0; i < n && i < AHEAD; i++)
		find_shared(t, t->falling[i], k);
	for (size_t i = 0; i < n; i++) {
		struct event *e = t->falling[i];

		if (i + AHEAD < n)
			find_shared(t, t->falling[i + AHEAD], k);
		e->access.old[k] = *words_of(t, e, k)->came;
		exchange(t, e, k);
	}
}

/* --- all of it --- */

static void count_event(struct settling *s, const struct event *e)
{
	struct general *general = s->shard->general;

	for (unsigned k = 0; k < e->access.missed; k++) {
		general->old[k] = e->access.old[k];
		general->falsely[k] = e->falsely >> k & 1;
	}
	ms_settling_count(s, e->begun, e->met, &e->access);
}

/* Whether the line is quiet is seen when all is done: it may have left, and come back. */
static void end_event(const struct event *e)
{
	const struct bank *first = e->access.path[0];

	ms_bank_at(first, ms_bank_set_of(first, e->access.line))->owned = 0;
	ms_coherence_quiet(&e->access);
}

static void settle_some(struct stretch *t, struct settling *s, const struct met *m,
			const struct met *end, const struct met **begun)
{
	size_t left = 0;

	meet_first(t, s, m, end, begun);
	for (size_t i = 0; i < t->n; i++)
		if (t->event[i].access.missed > 0)
			t->falling[left++] = &t->event[i];
	for (unsigned k = 1; k < t->private_levels && left > 0; k++)
		left = fall_through(t, s, k, left);
	settle_all_private(t);
	for (unsigned k = t->private_levels; k < t->levels && left > 0; k++) {
		left = fall_through(t, s, k, left);
		settle_shared(t, k, left);
	}
	for (size_t i = 0; i < t->n; i++)
		count_event(s, &t->event[i]);
	for (size_t i = 0; i < t->n; i++)
		if (t->event[i].met->address & MS_MET_WRITES)
			end_event(&t->event[i]);
}

void ms_stretch_settle(struct stretch *t, struct settling *s, const struct met *m,
		       const struct met *end)
{
	const struct met *begun = m;

	for (; m < end; m += MOST_LINES)
		settle_some(t, s, m, end - m < MOST_LINES ? end : m + MOST_LINES, &begun);
}
