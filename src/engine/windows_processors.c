/*
 * engine/windows_processors.c - windows of several processors' caches.
 *
 * What windows.c is for one, with the banks of general.h, whose ways have fixed numbers: each knows
 * the window that its line was used in last. A line is a known hit where that is this window. It is
 * a known miss
 *
 *   where as many lines were in its set at a time as the set has ways, all used in this window. A
 *   line that others take away leaves an empty way, which the next one fills: so what counts is how
 *   many there were at a time, not how many came;
 *   or where another agent has written it in this window, since this one has used it last.
 *
 * An agent that has used a line in this window and finds that it was taken away has surely had it
 * by then: of such a miss the cause is known, too.
 */
#include "engine/coherence.h"
#include "engine/engine_priv.h"

/* --- units --- */

static uint64_t place_of(const struct window_units *u, uint64_t number)
{
	uint64_t i = number * UINT64_C(0x9e3779b97f4a7c15) >> 32 & u->mask;

	while (u->at[i].window == u->window && u->at[i].number != number)
		i = (i + 1) & u->mask;
	return i;
}

static void grow(struct window_units *u)
{
	enum { FIRST_SIZE = 1024 };
	struct window_units larger = { .window = u->window };
	uint64_t size = u->at != NULL ? 2 * (u->mask + 1) : FIRST_SIZE;

	larger.at = ms_alloc(size * sizeof(*larger.at));
	larger.mask = size - 1;
	larger.n = u->n;
	for (uint64_t i = 0; u->at != NULL && i <= u->mask; i++)
		if (u->at[i].window == u->window)
			larger.at[place_of(&larger, u->at[i].number)] = u->at[i];
	ms_free(u->at);
	*u = larger;
}

static struct window_unit *unit_at(struct windows *w, uint64_t number)
{
	struct window_units *u = &w->units;

	if (u->window != w->seen) {
		u->window = w->seen;
		u->n = 0;
	}
	if (u->at == NULL || 2 * u->n > u->mask)
		grow(u);
	struct window_unit *unit = &u->at[place_of(u, number)];
	if (unit->window != u->window) {
		*unit = (struct window_unit){ .number = number, .window = u->window };
		u->n++;
	}
	return unit;
}

/* Agents are told apart 64 at a time. */
static uint64_t number_of(const struct window_access *a, uint32_t agent)
{
	const struct coherence *c = a->shard->general->coherence;

	return (a->line >> c->unit_up) * (c->agents / 64 + 1) + agent / 64;
}

/* --- banks --- */

static struct window_bank *open_bank(struct bank *bank)
{
	struct window_bank *w = ms_alloc(sizeof(*w));

	w->used = ms_pages_alloc(bank->set_count * bank->ways * sizeof(*w->used));
	w->claims = ms_pages_alloc(bank->set_count * sizeof(*w->claims));
	bank->windows = w;
	return w;
}

void ms_window_bank_close(struct bank *bank)
{
	struct window_bank *w = bank->windows;

	if (w == NULL)
		return;
	ms_pages_free(w->used, bank->set_count * bank->ways * sizeof(*w->used));
	ms_pages_free(w->claims, bank->set_count * sizeof(*w->claims));
	ms_free(w);
	bank->windows = NULL;
}

static bool is_settled(const struct windows *w, const struct bank *bank, uint64_t set)
{
	const struct window_claim *claim = &bank->windows->claims[set];

	return claim->window == w->seen && claim->ways == bank->ways;
}

/* The line in the way is used in this window. */
static void claim(const struct windows *w, const struct bank *bank, struct seat seat)
{
	uint32_t *used = bank->windows->used + seat.set * bank->ways, ways = 0;
	struct window_claim *claim = &bank->windows->claims[seat.set];

	if (used[seat.way] == w->seen)
		return;
	used[seat.way] = w->seen;
	for (uint32_t i = 0; i < bank->ways; i++)
		ways += used[i] == w->seen &&
			ms_bank_line(bank, (struct seat){ seat.set, i }) != MS_LINE_NONE;
	if (claim->window != w->seen)
		*claim = (struct window_claim){ .window = w->seen };
	if (ways > claim->ways)
		claim->ways = ways;
}

/* --- one line --- */

/* What an agent alone has, it has lost when another one wrote there. */
static bool is_taken(const struct window_access *a, struct bank *bank, uint64_t line, bool *surely)
{
	struct windows *w = a->shard->engine->windows;
	uint64_t bit = UINT64_C(1) << a->agent % 64;

	*surely = false;
	if (bank->nest->kind != 0)
		return false;
	if ((unit_at(w, number_of(a, a->agent))->users & bit) == 0)
		return unit_at(w, number_of(a, 0))->written;
	*surely = ms_line_is_lost(*ms_access_word(bank, line));
	return *surely;
}

static enum window_known look_at(const struct window_access *a, unsigned level)
{
	struct windows *w = a->shard->engine->windows;
	struct bank *bank = a->path[level];
	uint64_t line = a->line >> bank->up;
	struct seat seat = ms_bank_find(bank, line);

	if (bank->windows == NULL)
		open_bank(bank);
	if (seat.way != MS_BANK_NOWHERE)
		return bank->windows->used[seat.set * bank->ways + seat.way] == w->seen
			       ? MS_WINDOW_KNOWN_HIT
			       : MS_WINDOW_UNKNOWN_HIT;
	if (is_taken(a, bank, line, &w->taken[level]) || is_settled(w, bank, seat.set))
		return MS_WINDOW_KNOWN_MISS;
	w->level[level].unknown++;
	return MS_WINDOW_UNKNOWN_MISS;
}

/* Behind a level that it is not known to miss, nothing is known, unless it hits. */
void ms_windows_look(const struct window_access *a)
{
	struct windows *w = a->shard->engine->windows;
	bool unknown = false;

	for (unsigned level = 0; level < w->levels; level++) {
		enum window_known known = look_at(a, level);

		unknown |= known == MS_WINDOW_UNKNOWN_MISS;
		if (known == MS_WINDOW_KNOWN_MISS && unknown)
			known = MS_WINDOW_UNKNOWN_MISS;
		w->known[level] = known;
		if (known <= MS_WINDOW_UNKNOWN_HIT)
			return;
	}
}

static uint32_t part_now(const struct windows *w)
{
	return w->parts.first + w->turn % w->parts.n;
}

void ms_windows_count(struct ms_shard *shard, const struct tally *tally, unsigned level,
		      uint32_t record)
{
	struct windows *w = shard->engine->windows;
	struct window_counts *counts = ms_windows_counts(w, tally->number);
	uint32_t part = part_now(w);
	bool unseen = record == MS_LINE_NEVER;

	if (w->known[level] != MS_WINDOW_KNOWN_MISS) {
		counts[level].part[part].unknown_misses++;
		counts[level].part[part].unseen_unknown += unseen;
		return;
	}
	counts[level].part[part].known++;
	counts[level].part[part].unseen_known += unseen;
	counts[level].part[part].lost += ms_line_is_lost(record);
	counts[level].part[part].surely_lost += w->taken[level];
}

/* What hits a level by what is stale is not known to ask those behind it, nor not to. */
static void count_unknown_hit(const struct window_access *a, unsigned level)
{
	struct windows *w = a->shard->engine->windows;
	struct window_counts *counts =
		ms_windows_counts(w, ms_shard_tally(a->shard, a->cell)->number);

	for (; level < w->levels; level++)
		counts[level].part[part_now(w)].unknown_hits++;
}

void ms_windows_use(const struct window_access *a, unsigned missed)
{
	struct windows *w = a->shard->engine->windows;
	struct window_unit *unit;
	unsigned level = 0;

	for (; level < w->levels && w->known[level] > MS_WINDOW_UNKNOWN_HIT; level++)
		;
	if (level < w->levels && w->known[level] == MS_WINDOW_UNKNOWN_HIT) {
		w->level[level].unknown++;
		count_unknown_hit(a, level > missed ? level : missed);
	}
	for (unsigned i = 0; i <= level && i < w->levels; i++) {
		struct seat seat = ms_bank_find(a->path[i], a->line >> a->path[i]->up);

		if (seat.way != MS_BANK_NOWHERE)
			claim(w, a->path[i], seat);
	}
	unit = unit_at(w, number_of(a, a->agent));
	unit->users |= UINT64_C(1) << a->agent % 64;
	if (a->writes)
		unit_at(w, number_of(a, 0))->written = true;
}
