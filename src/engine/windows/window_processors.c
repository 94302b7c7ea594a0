/*
 * engine/windows/window_processors.c - windows of the caches of several processors.
 *
 * Does what window_simulation.c does for one processor, on the cache arrays of
 * configurable_caches.h. Ways have fixed numbers there, so each way records the window in which
 * its line was last used. A line is a known hit if that is the present window. It is a known miss
 *
 *   - if at some time all ways of its set held lines that were used in this window. An invalidation
 *     leaves an empty way, which the next line fills. Therefore the number of lines present at the
 *     same time counts, not the number of lines that were brought in;
 *   - or if another agent has written it in this window, after this agent's last use.
 *
 * If an agent has used a line in this window and then finds it invalidated, it certainly held the
 * line before. The cause of such a miss is known, too.
 */
#include "engine/coherence/coherence.h"
#include "engine/engine_priv.h"

/* --- units --- */

static uint64_t place_of(const struct ms_engine_windows_units *u, uint64_t number)
{
	uint64_t i = number * UINT64_C(0x9e3779b97f4a7c15) >> 32 & u->mask;

	while (u->at[i].window == u->window && u->at[i].number != number)
		i = (i + 1) & u->mask;
	return i;
}

static void grow(struct ms_engine_windows_units *u)
{
	enum { FIRST_SIZE = 1024 };
	struct ms_engine_windows_units larger = { .window = u->window };
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

static struct ms_engine_windows_unit *unit_at(struct ms_engine_windows_state *w, uint64_t number)
{
	struct ms_engine_windows_units *u = &w->units;

	if (u->window != w->seen) {
		u->window = w->seen;
		u->n = 0;
	}
	if (u->at == NULL || 2 * u->n > u->mask)
		grow(u);
	struct ms_engine_windows_unit *unit = &u->at[place_of(u, number)];
	if (unit->window != u->window) {
		*unit = (struct ms_engine_windows_unit){ .number = number, .window = u->window };
		u->n++;
	}
	return unit;
}

/* An entry describes up to 64 agents, one bit each. */
static uint64_t number_of(const struct ms_engine_windows_access *a, uint32_t agent)
{
	const struct ms_coherence *c = a->shard->configurable->coherence;

	return (a->line >> c->unit_shift) * (c->agents / 64 + 1) + agent / 64;
}

/* --- cache arrays --- */

static struct ms_engine_windows_array *open_bank(struct ms_caches_array *array)
{
	struct ms_engine_windows_array *w = ms_alloc(sizeof(*w));

	w->used = ms_pages_alloc(array->set_count * array->ways * sizeof(*w->used));
	w->claims = ms_pages_alloc(array->set_count * sizeof(*w->claims));
	array->windows = w;
	return w;
}

void ms_engine_windows_close_array(struct ms_caches_array *array)
{
	struct ms_engine_windows_array *w = array->windows;

	if (w == NULL)
		return;
	ms_pages_free(w->used, array->set_count * array->ways * sizeof(*w->used));
	ms_pages_free(w->claims, array->set_count * sizeof(*w->claims));
	ms_free(w);
	array->windows = NULL;
}

static bool is_complete(const struct ms_engine_windows_state *w,
			const struct ms_caches_array *array, uint64_t set)
{
	const struct ms_engine_windows_set_use *claim = &array->windows->claims[set];

	return claim->window == w->seen && claim->ways == array->ways;
}

/* Records that the line in this way is used in this window. */
static void claim(const struct ms_engine_windows_state *w, const struct ms_caches_array *array,
		  struct ms_caches_position position)
{
	uint32_t *used = array->windows->used + position.set * array->ways, ways = 0;
	struct ms_engine_windows_set_use *claim = &array->windows->claims[position.set];

	if (used[position.way] == w->seen)
		return;
	used[position.way] = w->seen;
	for (uint32_t i = 0; i < array->ways; i++)
		ways += used[i] == w->seen &&
			ms_caches_get_line(array, (struct ms_caches_position){ position.set, i }) !=
				MS_CACHES_NO_LINE;
	if (claim->window != w->seen)
		*claim = (struct ms_engine_windows_set_use){ .window = w->seen };
	if (ways > claim->ways)
		claim->ways = ways;
}

/* --- one line --- */

/* A write of another agent invalidates the line in the caches that belong to one agent alone.
 * Caches that agents share keep it. */
static bool is_taken(const struct ms_engine_windows_access *a, struct ms_caches_array *array,
		     uint64_t line, bool *surely)
{
	struct ms_engine_windows_state *w = a->shard->engine->windows;
	uint64_t bit = UINT64_C(1) << a->agent % 64;

	*surely = false;
	if (array->group->kind != 0)
		return false;
	if ((unit_at(w, number_of(a, a->agent))->users & bit) == 0)
		return unit_at(w, number_of(a, 0))->written;
	*surely = ms_caches_is_invalidated(*ms_caches_get_record_word(array, line));
	return *surely;
}

static enum ms_engine_windows_certainty classify_at(const struct ms_engine_windows_access *a,
						    unsigned level)
{
	struct ms_engine_windows_state *w = a->shard->engine->windows;
	struct ms_caches_array *array = a->path[level];
	uint64_t line = a->line >> array->l1_shift;
	struct ms_caches_position position = ms_caches_find_line(array, line);

	if (array->windows == NULL)
		open_bank(array);
	if (position.way != MS_CACHES_NO_WAY)
		return array->windows->used[position.set * array->ways + position.way] == w->seen
			       ? MS_ENGINE_WINDOWS_KNOWN_HIT
			       : MS_ENGINE_WINDOWS_UNKNOWN_HIT;
	if (is_taken(a, array, line, &w->taken[level]) || is_complete(w, array, position.set))
		return MS_ENGINE_WINDOWS_KNOWN_MISS;
	w->level[level].unknown++;
	return MS_ENGINE_WINDOWS_UNKNOWN_MISS;
}

/* After an unknown miss, a miss of a lower level is unknown, too: the access may not have reached
 * that level. */
void ms_engine_windows_classify_line(const struct ms_engine_windows_access *a)
{
	struct ms_engine_windows_state *w = a->shard->engine->windows;
	bool unknown = false;

	for (unsigned level = 0; level < w->levels; level++) {
		enum ms_engine_windows_certainty known = classify_at(a, level);

		unknown |= known == MS_ENGINE_WINDOWS_UNKNOWN_MISS;
		if (known == MS_ENGINE_WINDOWS_KNOWN_MISS && unknown)
			known = MS_ENGINE_WINDOWS_UNKNOWN_MISS;
		w->known[level] = known;
		if (known <= MS_ENGINE_WINDOWS_UNKNOWN_HIT)
			return;
	}
}

static uint32_t part_now(const struct ms_engine_windows_state *w)
{
	return w->parts.first + w->step % w->parts.n;
}

void ms_engine_windows_count_miss(struct ms_engine_shard *shard,
				  const struct ms_count_misses *counters, unsigned level,
				  uint32_t record)
{
	struct ms_engine_windows_state *w = shard->engine->windows;
	struct ms_engine_windows_counts *counts = ms_engine_windows_get_counts(w, counters->number);
	uint32_t part = part_now(w);
	bool unseen = record == MS_CACHES_NEVER_PRESENT;

	if (w->known[level] != MS_ENGINE_WINDOWS_KNOWN_MISS) {
		counts[level].part[part].unknown_misses++;
		counts[level].part[part].unseen_unknown += unseen;
		return;
	}
	counts[level].part[part].known++;
	counts[level].part[part].unseen_known += unseen;
	counts[level].part[part].lost += ms_caches_is_invalidated(record);
	counts[level].part[part].surely_lost += w->taken[level];
}

/* A hit on a line of an earlier window may be a miss in reality. So it is unknown whether the
 * access reaches the levels below. */
static void count_unknown_hit(const struct ms_engine_windows_access *a, unsigned level)
{
	struct ms_engine_windows_state *w = a->shard->engine->windows;
	struct ms_engine_windows_counts *counts = ms_engine_windows_get_counts(
		w, ms_engine_get_miss_counters(a->shard, a->cell)->number);

	for (; level < w->levels; level++)
		counts[level].part[part_now(w)].unknown_hits++;
}

void ms_engine_windows_use_line(const struct ms_engine_windows_access *a, unsigned missed)
{
	struct ms_engine_windows_state *w = a->shard->engine->windows;
	struct ms_engine_windows_unit *unit;
	unsigned level = 0;

	for (; level < w->levels && w->known[level] > MS_ENGINE_WINDOWS_UNKNOWN_HIT; level++)
		;
	if (level < w->levels && w->known[level] == MS_ENGINE_WINDOWS_UNKNOWN_HIT) {
		w->level[level].unknown++;
		count_unknown_hit(a, level > missed ? level : missed);
	}
	for (unsigned i = 0; i <= level && i < w->levels; i++) {
		struct ms_caches_position position =
			ms_caches_find_line(a->path[i], a->line >> a->path[i]->l1_shift);

		if (position.way != MS_CACHES_NO_WAY)
			claim(w, a->path[i], position);
	}
	unit = unit_at(w, number_of(a, a->agent));
	unit->users |= UINT64_C(1) << a->agent % 64;
	if (a->writes)
		unit_at(w, number_of(a, 0))->written = true;
}
