#include "engine/windows.h"

#include <assert.h>
#include <string.h>

#include "engine/engine_priv.h"
#include "engine/fall.h"

/* --- opening --- */

bool ms_engine_can_sample(const struct ms_machine *machine)
{
	return ms_general_is_plain(machine);
}

/* alone: there is one processor, and so one cache of the level. */
static void open_level(struct window_level *l, const struct ms_machine_level *level, bool alone)
{
	enum { SETS_A_STAMPED = 32, FEW = 64 };

	l->ways = level->ways;
	l->sets = ms_machine_sets(level);
	if (!alone)
		return;
	l->set = ms_pages_alloc(l->sets * sizeof(*l->set));
	l->stamped_every = l->sets < FEW ? 1 : SETS_A_STAMPED;
	l->stamps = (l->sets + l->stamped_every - 1) / l->stamped_every * l->ways;
	l->stamp = ms_pages_alloc(l->stamps * sizeof(*l->stamp));
}

struct windows *ms_windows_open(const struct ms_machine *machine,
				const struct ms_sampled_sets *sets)
{
	struct windows *w = ms_alloc(sizeof(*w));

	w->sets = sets != NULL ? *sets : (struct ms_sampled_sets){ .every = 1 };
	w->every_shift = (uint32_t)__builtin_ctzll(w->sets.every);
	w->levels = (unsigned)machine->levels.n;
	w->level = ms_alloc(w->levels * sizeof(*w->level));
	for (unsigned i = 0; i < w->levels; i++)
		open_level(&w->level[i], &machine->levels.at[i], machine->processors <= 1);
	w->known = ms_alloc(w->levels * sizeof(*w->known));
	w->taken = ms_alloc(w->levels * sizeof(*w->taken));
	return w;
}

void ms_windows_close(struct windows *w)
{
	if (w == NULL)
		return;
	for (unsigned i = 0; i < w->levels && w->level[i].set != NULL; i++) {
		ms_pages_free(w->level[i].set, w->level[i].sets * sizeof(*w->level[i].set));
		ms_pages_free(w->level[i].stamp, w->level[i].stamps * sizeof(*w->level[i].stamp));
	}
	ms_free(w->level);
	ms_free(w->units.at);
	ms_free(w->known);
	ms_free(w->taken);
	ms_vec_free(&w->counts);
	ms_vec_free(&w->lives);
	ms_arena_free(&w->arena);
	ms_free(w);
}

uint64_t ms_windows_bytes(const struct windows *w)
{
	uint64_t bytes = 0;

	for (unsigned i = 0; w != NULL && i < w->levels && w->level[i].set != NULL; i++)
		bytes += w->level[i].sets * sizeof(struct window_set) +
			 w->level[i].stamps * sizeof(struct window_stamp);
	return bytes;
}

/* --- windows --- */

/* A window without references is none. */
void ms_windows_follow(struct windows *w, const struct window_mark *mark)
{
	w->turn = mark->turn;
	w->parts = mark->parts;
	if (mark->window == w->window && w->seen > 0)
		return;
	w->window = mark->window;
	w->seen++;
}

/* Up to where nothing changes. */
static size_t follow_marks(struct windows *w, const struct doubts *share, size_t *mark,
			   size_t doubt)
{
	const struct window_mark *marks = share->window_marks.at;
	const struct window_mark *last = NULL;
	size_t n = share->window_marks.n;

	for (; *mark < n && marks[*mark].doubt <= doubt; (*mark)++)
		last = &marks[*mark];
	if (last != NULL)
		ms_windows_follow(w, last);
	return *mark < n ? marks[*mark].doubt : SIZE_MAX;
}

/* --- counting --- */

struct settling {
	struct ms_shard *shard;
	struct windows *w;
	unsigned slot;
};

/* Windows are what was drawn; and groups of sets, where these were. */
static uint32_t part_of(const struct settling *s, uint64_t line)
{
	const struct windows *w = s->w;
	uint64_t group = line << s->shard->first_shift >> w->sets.shift & w->sets.mask;

	if (w->sets.every <= 1)
		return w->parts.first + w->turn % w->parts.n;
	return w->parts.first + (uint32_t)((w->turn + (group >> w->every_shift)) % w->parts.n);
}

struct window_counts *ms_windows_counts(struct windows *w, uint32_t tally)
{
	while (MS_UNLIKELY(tally >= w->counts.n))
		*ms_vec_add(&w->counts) = NULL;

	struct window_counts **counts = &w->counts.at[tally];
	if (MS_UNLIKELY(*counts == NULL))
		*counts = ms_arena_take(&w->arena,
					sizeof(**counts) + w->levels * sizeof((*counts)->level[0]));
	return *counts;
}

static struct window_counts *counts_of(const struct settling *s, struct cell *cell)
{
	return ms_windows_counts(s->w, ms_shard_tally(s->shard, cell)->number);
}

static struct window_life *life_of(struct windows *w, unsigned level, uint32_t data)
{
	size_t i = (size_t)data * w->levels + level;

	if (i >= w->lives.n) {
		ms_vec_reserve(&w->lives, i + 1 - w->lives.n);
		memset(w->lives.at + w->lives.n, 0, (i + 1 - w->lives.n) * sizeof(*w->lives.at));
		w->lives.n = i + 1;
	}
	return &w->lives.at[i];
}

/* What hits a level so is not known to ask those behind it, nor not to. */
static void count_unknown_hit(const struct settling *s, struct cell *cell, uint64_t line,
			      unsigned level)
{
	struct window_counts *counts = counts_of(s, cell);
	uint32_t part = part_of(s, line);

	for (; level < s->w->levels; level++)
		counts->level[level][part].unknown_hits++;
}

/* --- generations --- */

/* The line in this way has left; each stamped set stands for many. */
static void end_generation(struct windows *w, unsigned level, const struct window_stamp *left,
			   uint32_t now)
{
	struct window_life *life;

	if (!left->known)
		return;
	life = life_of(w, level, left->owner);
	life->generations += w->level[level].stamped_every;
	life->dead += now - left->used;
	life->whole += now - left->came;
}

/* Way i of the set becomes the most recent one; what is there then. */
static struct window_stamp *move_stamps(const struct window_level *l, uint64_t set, uint32_t i)
{
	struct window_stamp *stamps, first;

	if (set % l->stamped_every != 0)
		return NULL;
	stamps = &l->stamp[set / l->stamped_every * l->ways];
	first = stamps[i];
	memmove(stamps + 1, stamps, i * sizeof(*stamps));
	stamps[0] = first;
	return stamps;
}

/* --- one line, one level --- */

/* What is known of a line at a level. */
enum { KNOWN_HIT, UNKNOWN_HIT, UNKNOWN_MISS, KNOWN_MISS };

static const struct cache *cache_of(const struct settling *s, unsigned level)
{
	return level == 0 ? &s->shard->first : &s->shard->cache[level];
}

/* All of the set was used in this window: whatever the level says of it is known. */
MS_INLINE bool is_settled(const struct windows *w, const struct window_level *l, uint64_t set)
{
	return l->set[set].settled == w->seen;
}

static uint32_t fresh_ways(const struct windows *w, struct window_set *set)
{
	if (set->window != w->seen) {
		set->window = w->seen;
		set->fresh = 0;
	}
	return set->fresh;
}

/* Brings the line, as the level would. The ways used in this window are the set's first ones. */
static int touch(const struct settling *s, unsigned level, struct falling *f, uint32_t now)
{
	const struct cache *cache = cache_of(s, level);
	struct window_level *l = &s->w->level[level];
	uint64_t line = f->line >> cache->up, number = ms_cache_set(cache, line);
	struct window_set *set = &l->set[number];
	uint64_t *lines = cache->lines + number * cache->stride;
	uint32_t fresh = fresh_ways(s->w, set), i = 0, last = l->ways - 1;
	struct window_stamp *stamp;

	while (i < last && lines[i] != line)
		i++;
	bool hit = lines[i] == line;
	f->victim = hit ? MS_LINE_NONE : lines[i];
	for (uint32_t k = i; k > 0; k--)
		lines[k] = lines[k - 1];
	lines[0] = line;
	stamp = move_stamps(l, number, i);
	if (stamp != NULL && !hit && fresh == l->ways)
		end_generation(s->w, level, stamp, now);
	if (stamp != NULL && !(hit && i < fresh))
		*stamp = (struct window_stamp){ now, now, f->cell->data, !hit && fresh == l->ways };
	if (stamp != NULL)
		stamp->used = now;
	if (hit && i < fresh)
		return KNOWN_HIT;
	if (fresh == l->ways)
		return KNOWN_MISS;
	l->unknown++;
	set->fresh++;
	if (set->fresh == l->ways && stamp == NULL)
		set->settled = s->w->seen;
	return hit ? UNKNOWN_HIT : UNKNOWN_MISS;
}

/* --- the first level --- */

static bool goes_on(const struct doubt *at, const struct doubt *end)
{
	return at < end && (at->line & MS_LINE_GOES_ON) != 0;
}

/* A reference, of as many lines as it has; what misses is added. A known miss counts more than one
 * that is not. */
static size_t touch_reference(const struct settling *s, const struct doubts *share, size_t at,
			      size_t n, uint32_t phase, struct falling *out)
{
	int most = KNOWN_HIT;
	size_t missed = 0;

	for (size_t i = at; i < at + n; i++) {
		struct falling f = { .line = share->at[i].line & ~MS_LINE_GOES_ON,
				     .cell = share->at[i].cell,
				     .reference = (uint32_t)at,
				     .phase = phase & 0x3fffffff };
		int what = touch(s, 0, &f, s->w->now + (uint32_t)at);

		most = what > most ? what : most;
		if (what >= UNKNOWN_MISS)
			out[missed++] = f;
	}
	for (size_t i = 0; i < missed; i++)
		out[i].unknown = most == UNKNOWN_MISS;
	if (most == UNKNOWN_HIT)
		count_unknown_hit(s, share->at[at].cell, share->at[at].line & ~MS_LINE_GOES_ON, 0);
	return missed;
}

/* Where the first reference from `at` on ends of which something may be unknown; it begins at
 * *from. */
static size_t find_unsettled(const struct settling *s, const struct doubts *share, size_t at,
			     size_t to, size_t *from)
{
	const struct cache *first = &s->shard->first;
	const struct window_level *l = &s->w->level[0];
	const struct doubt *doubts = share->at;

	*from = at;
	for (; at < to; at++) {
		uint64_t line = doubts[at].line & ~MS_LINE_GOES_ON;

		if (doubts[at].line == line)
			*from = at;
		if (MS_UNLIKELY(!is_settled(s->w, l, ms_cache_set(first, line)))) {
			for (at++; goes_on(doubts + at, doubts + to);)
				at++;
			return at;
		}
	}
	*from = to;
	return to;
}

/* Doubts of one window and phase through the first level: settled sets many at a time. */
static size_t fall_first(const struct settling *s, const struct doubts *share, size_t at, size_t to,
			 uint32_t phase, struct falling *out)
{
	const struct cache *first = &s->shard->first;
	size_t n = 0;

	while (at < to) {
		size_t from, end = find_unsettled(s, share, at, to, &from);
		const struct span span = { at, phase };

		if (from > at)
			n += first->way->first(first, share, &span, from, out + n);
		if (end > from)
			n += touch_reference(s, share, from, end - from, phase, out + n);
		at = end;
	}
	return n;
}

/* --- the others --- */

/* One line further on; false: it has hit. */
static bool touch_next(const struct settling *s, unsigned level, struct falling *f)
{
	int what = touch(s, level, f, s->w->now + f->reference);

	if (what == UNKNOWN_HIT)
		count_unknown_hit(s, f->cell, f->line, level);
	f->unknown |= what == UNKNOWN_MISS;
	return what >= UNKNOWN_MISS;
}

static size_t fall_next(const struct settling *s, unsigned level, struct falling *lines, size_t n)
{
	const struct cache *cache = cache_of(s, level);
	size_t out = 0;

	for (size_t i = 0; i < n; i++) {
		if (i + MS_FALL_GROUP < n && cache->far)
			ms_cache_expect(cache, lines[i + MS_FALL_GROUP].line >> cache->up);
		lines[out] = lines[i];
		out += touch_next(s, level, &lines[out]);
	}
	return out;
}

/* --- whose fault it was: as in settle.c --- */

struct records {
	uint32_t *came;
	uint32_t *left; /* NULL: none */
};

static struct records find_records(const struct settling *s, const struct falling *f,
				   unsigned level)
{
	uint32_t up = cache_of(s, level)->up;
	struct lines *lines = &s->shard->lines;
	struct records r = { ms_lines_at(lines, f->line >> up << up) + level, NULL };

	__builtin_prefetch(r.came);
	if (f->victim != MS_LINE_NONE) {
		r.left = ms_lines_at(lines, f->victim << up) + level;
		__builtin_prefetch(r.left);
	}
	return r;
}

static void count_miss(const struct settling *s, const struct falling *f, unsigned level,
		       uint32_t record)
{
	struct window_counts *counts = counts_of(s, f->cell);
	uint32_t part = part_of(s, f->line);
	bool unseen = record == MS_LINE_NEVER;

	ms_shard_count_miss(s->shard, s->slot, f, level, record);
	if (f->unknown) {
		counts->level[level][part].unknown_misses++;
		counts->level[level][part].unseen_unknown += unseen;
	} else {
		counts->level[level][part].known++;
		counts->level[level][part].unseen_known += unseen;
	}
}

static void blame(const struct settling *s, const struct falling *f, unsigned level,
		  const struct records *r, bool first)
{
	struct ms_shard *shard = s->shard;
	uint32_t record = *r->came, data = f->cell->data;

	if (r->left != NULL) {
		uint32_t owner = ms_line_data(*r->left);

		ms_tally_pair(&shard->tallies, ms_shard_tally(shard, f->cell), level, PAIR_EVICTS,
			      owner);
		ms_move_over(&shard->movements, level, data, owner);
		*r->left = ms_line_gone(data);
	} else {
		ms_move(&shard->movements, level, data, 1);
	}
	*r->came = ms_line_here(data);
	if (first)
		count_miss(s, f, level, record);
}

static void blame_all(const struct settling *s, unsigned level, const struct falling *lines,
		      size_t n)
{
	struct records records[MS_FALL_GROUP];

	for (size_t at = 0, end; at < n; at = end) {
		end = n - at > MS_FALL_GROUP ? at + MS_FALL_GROUP : n;
		for (size_t i = at; i < end; i++)
			records[i - at] = find_records(s, &lines[i], level);
		for (size_t i = at; i < end; i++)
			blame(s, &lines[i], level, &records[i - at],
			      i == 0 || lines[i - 1].reference != lines[i].reference);
	}
}

/* --- batches --- */

/* Of one window and phase. */
static void settle_stretch(const struct settling *s, const struct doubts *share, size_t from,
			   size_t to, uint32_t phase)
{
	struct ms_shard *shard = s->shard;
	struct falling *lines;
	size_t n;

	shard->falling.n = 0;
	ms_vec_reserve(&shard->falling, to - from + 1);
	lines = shard->falling.at;
	n = fall_first(s, share, from, to, phase, lines);
	__atomic_store_n(&shard->misses, shard->misses + n, __ATOMIC_RELAXED);
	for (unsigned level = 0; level < s->w->levels && n > 0; level++) {
		if (level > 0)
			n = fall_next(s, level, lines, n);
		blame_all(s, level, lines, n);
	}
}

void ms_windows_settle(struct ms_shard *shard, unsigned slot, struct doubts *share)
{
	const struct settling s = { shard, shard->engine->windows, slot };
	size_t mark = 0;

	if (shard->number != 0)
		return;
	for (size_t i = 0; i < share->spans.n; i++) {
		size_t to = ms_span_end(share, i), until;

		for (size_t at = share->spans.at[i].from; at < to; at = until) {
			size_t change = follow_marks(s.w, share, &mark, at);

			until = change < to ? change : to;
			settle_stretch(&s, share, at, until, share->spans.at[i].phase);
		}
	}
	s.w->now += (uint32_t)share->n;
	share->window_marks.n = 0;
}
