/*
 * engine/windows/window_simulation.c - simulates windows of one processor: which hits and misses
 * are known, and the generations of lines.
 */
#include "engine/windows/windows.h"

#include <string.h>

#include "engine/caches/lru_lookup.h"
#include "engine/caches/miss_attribution.h"
#include "engine/engine_priv.h"
#include "engine/windows/window_variant.h"

/* --- windows --- */

/* Counts a window only when it has references. */
void ms_engine_windows_enter(struct ms_engine_windows_state *w,
			     const struct ms_engine_windows_mark *mark)
{
	w->step = mark->step;
	w->parts = mark->parts;
	if (mark->window == w->window && w->seen > 0)
		return;
	w->window = mark->window;
	w->seen++;
}

/* Applies the marks up to this pending access; returns the index of the next mark, up to which the
 * window stays the same. */
static size_t follow_marks(struct ms_engine_windows_state *w,
			   const struct ms_engine_windows_marks *list, size_t *mark, size_t pending)
{
	const struct ms_engine_windows_mark *marks = list->at.at;
	const struct ms_engine_windows_mark *last = NULL;
	size_t n = list->at.n;

	for (; *mark < n && marks[*mark].index <= pending; (*mark)++)
		last = &marks[*mark];
	if (last != NULL)
		ms_engine_windows_enter(w, last);
	return *mark < n ? marks[*mark].index : SIZE_MAX;
}

/* --- counting --- */

struct window_simulation {
	struct ms_engine_shard *shard;
	struct ms_engine_windows_state *w;
	bool sets;     /* cache sets are sampled */
	uint32_t part; /* otherwise: the part that counts go to now */
};

/*
 * Parts must differ by what was drawn at random: windows, or groups of sets. If all of the time is
 * simulated, consecutive groups go to consecutive parts. If both were drawn, windows select a row
 * of parts and groups a column. All windows simulate the same groups: if windows and groups moved
 * on together, the differences between groups would be the same in every part, and would not show.
 */
uint32_t ms_engine_windows_choose_part(const struct ms_engine_windows_parts *parts,
				       const struct ms_engine_windows_sets *sets, uint32_t step,
				       uint64_t block)
{
	enum { SIDE = MS_ENGINE_WINDOWS_SIDE };

	if (sets->in_windows && parts->n == SIDE * SIDE)
		return parts->first + step % SIDE * SIDE + (uint32_t)(block % SIDE);
	return parts->first + (uint32_t)((step + block) % parts->n);
}

static uint32_t part_of(const struct window_simulation *s, uint64_t line)
{
	const struct ms_engine_windows_state *w = s->w;
	uint64_t group = line << s->shard->first_shift >> w->sets.shift & w->sets.mask;

	if (!s->sets)
		return s->part;
	return ms_engine_windows_choose_part(&w->parts, &w->sets, w->step, group >> w->every_shift);
}

struct ms_engine_windows_counts *ms_engine_windows_get_counts(struct ms_engine_windows_state *w,
							      uint32_t counters)
{
	while (MS_UNLIKELY(counters >= w->counts.n))
		*ms_vec_add(&w->counts) = NULL;

	struct ms_engine_windows_counts **counts = &w->counts.at[counters];
	if (MS_UNLIKELY(*counts == NULL))
		*counts = ms_arena_take(&w->arena, w->levels * sizeof(**counts));
	return *counts;
}

static struct ms_engine_windows_counts *counts_of(const struct window_simulation *s,
						  struct ms_count_cell *cell)
{
	return ms_engine_windows_get_counts(s->w,
					    ms_engine_get_miss_counters(s->shard, cell)->number);
}

static struct ms_engine_windows_life *life_of(struct ms_engine_windows_state *w, unsigned level,
					      uint32_t data)
{
	size_t i = (size_t)data * w->levels + level;

	if (i >= w->lives.n) {
		ms_vec_reserve(&w->lives, i + 1 - w->lives.n);
		memset(w->lives.at + w->lives.n, 0, (i + 1 - w->lives.n) * sizeof(*w->lives.at));
		w->lives.n = i + 1;
	}
	return &w->lives.at[i];
}

/* A hit on a line of an earlier window may be a miss in reality. So it is unknown whether the
 * access reaches the levels below. */
static void count_unknown_hit(const struct window_simulation *s, struct ms_count_cell *cell,
			      uint64_t line, unsigned level)
{
	struct ms_engine_windows_counts *counts = counts_of(s, cell);
	uint32_t part = part_of(s, line);

	for (; level < s->w->levels; level++)
		counts[level].part[part].unknown_hits++;
}

/* --- generations --- */

/* The line in this way was evicted. A stamped set represents stamped_every sets. */
static void end_generation(struct ms_engine_windows_state *w, unsigned level,
			   const struct ms_engine_windows_stamp *left, uint32_t now)
{
	struct ms_engine_windows_life *life;

	if (!left->known)
		return;
	life = life_of(w, level, left->owner);
	life->generations += w->level[level].stamped_every;
	life->dead += now - left->used;
	life->whole += now - left->came;
}

/* Selects whole blocks of sets, because each block has the same number of sampled sets, whichever
 * they are. */
MS_INLINE bool is_stamped(const struct ms_engine_windows_level *l, uint64_t set)
{
	return (set >> l->block_shift & (l->stamped_every - 1)) == 0;
}

static struct ms_engine_windows_stamp *stamps_of(const struct ms_engine_windows_level *l,
						 uint64_t set)
{
	uint64_t block = (set >> l->block_shift) / l->stamped_every;
	uint64_t within = set & ((UINT64_C(1) << l->group_shift) - 1);

	return &l->stamp[(block << l->group_shift | within) * l->ways];
}

/* Updates the stamps of a set after an access to a line that was in this way; fresh: the number of
 * ways that had been used in this window. */
static void stamp(struct ms_engine_windows_state *w, unsigned level, uint64_t set,
		  const struct ms_caches_miss *f, uint32_t way, uint32_t fresh)
{
	const struct ms_engine_windows_level *l = &w->level[level];
	bool hit = way != MS_CACHES_LOOKUP_MISS, known_miss = !hit && fresh == l->ways;
	uint32_t i = hit ? way : l->ways - 1, now = w->now + f->reference;
	struct ms_engine_windows_stamp *stamps = stamps_of(l, set);
	struct ms_engine_windows_stamp first = stamps[i];

	memmove(stamps + 1, stamps, i * sizeof(*stamps));
	if (known_miss)
		end_generation(w, level, &first, now);
	if (way >= fresh)
		first = (struct ms_engine_windows_stamp){ now, now, f->cell->data, known_miss };
	first.used = now;
	stamps[0] = first;
}

/* --- certainty of hits and misses --- */

static const struct ms_caches_lru *cache_of(const struct window_simulation *s, unsigned level)
{
	return level == 0 ? &s->shard->caches.first : &s->shard->caches.level[level];
}

/*
 * Returns whether it is unknown if the access hits or misses the level; way: where the line was.
 * The ways used in this window are the first ones of the set, because replacement is LRU. When all
 * ways have been used in this window, every result is known.
 */
MS_INLINE bool is_uncertain(const struct window_simulation *s, unsigned level,
			    const struct ms_caches_miss *f, uint32_t way)
{
	const struct ms_caches_lru *cache = cache_of(s, level);
	struct ms_engine_windows_level *l = &s->w->level[level];
	uint64_t number = ms_caches_index_lru_set(cache, f->line >> cache->l1_shift);
	struct ms_engine_windows_set *set = &l->set[number];

	if (set->complete == s->w->seen)
		return false;
	uint32_t fresh = set->window == s->w->seen ? set->fresh : 0;
	bool unknown = (way >= fresh) & (fresh < l->ways);
	set->window = s->w->seen;
	set->fresh = fresh + unknown;
	l->unknown += unknown;
	if (is_stamped(l, number))
		stamp(s->w, level, number, f, way, fresh);
	else if (fresh + unknown == l->ways)
		set->complete = s->w->seen;
	return unknown;
}

static struct ms_caches_window_lookup seen_of(const struct window_simulation *s, unsigned level)
{
	return (struct ms_caches_window_lookup){ s->w->level[level].set, s->w->seen,
						 s->w->ways.at };
}

/* --- the first level --- */

static void count_first_hit(const struct window_simulation *s,
			    const struct ms_filter_pending *ref_start)
{
	count_unknown_hit(s, ref_start->cell, ref_start->line & ~MS_FILTER_SAME_REFERENCE, 0);
}

/*
 * Combines n lines of one reference, and moves those that missed to the front of `out`. A known
 * miss of any line makes the reference a known miss; otherwise an unknown miss outranks an unknown
 * hit.
 */
static size_t classify_reference(const struct window_simulation *s,
				 const struct ms_filter_pending_list *share,
				 const struct ms_caches_miss *from, const uint32_t *ways, size_t n,
				 struct ms_caches_miss *out)
{
	bool unknown = false, known_miss = false;
	size_t missed = 0;

	for (size_t i = 0; i < n; i++) {
		bool uncertain = is_uncertain(s, 0, &from[i], ways[i]);

		unknown |= uncertain;
		known_miss |= !uncertain && ways[i] == MS_CACHES_LOOKUP_MISS;
		if (ways[i] == MS_CACHES_LOOKUP_MISS)
			out[missed++] = from[i];
	}
	for (size_t i = 0; i < missed; i++) {
		out[i].unknown = !known_miss;
		out[i].phase = part_of(s, out[i].line) & MS_CACHES_ATTRIBUTION_PHASE;
	}
	if (unknown && missed == 0)
		count_first_hit(s, &share->at[from->reference]);
	return missed;
}

/* Looks up pending accesses of one window and phase in the first level. */
static size_t look_up_first(const struct window_simulation *s,
			    const struct ms_filter_pending_list *share, size_t at, size_t to,
			    struct ms_caches_miss *lines)
{
	const struct ms_caches_lru *first = &s->shard->caches.first;
	const struct ms_caches_window_lookup seen = seen_of(s, 0);
	const struct ms_filter_phase_span span = { at, s->part };
	size_t n = first->impl->first(first, &seen, share, &span, to, lines), out = 0;

	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && lines[end].reference == lines[i].reference;)
			end++;
		if (MS_UNLIKELY(end > i + 1)) {
			out += classify_reference(s, share, &lines[i], &seen.way[i], end - i,
						  &lines[out]);
			continue;
		}
		bool missed = seen.way[i] == MS_CACHES_LOOKUP_MISS;
		bool unknown = is_uncertain(s, 0, &lines[i], seen.way[i]);

		if (unknown && !missed)
			count_first_hit(s, &share->at[lines[i].reference]);
		lines[out] = lines[i];
		lines[out].unknown = unknown;
		if (s->sets)
			lines[out].phase =
				part_of(s, lines[out].line) & MS_CACHES_ATTRIBUTION_PHASE;
		out += missed;
	}
	return out;
}

/* --- the other levels --- */

/* The compaction has no branch on the result of the look-up; only an unknown hit takes a branch,
 * because it must be counted. */
static size_t look_up_next(const struct window_simulation *s, unsigned level,
			   struct ms_caches_miss *lines, size_t n)
{
	const struct ms_caches_window_lookup seen = seen_of(s, level);
	size_t out = 0;

	ms_caches_look_up_level(&s->shard->caches.level[level], &seen, lines, n);
	for (size_t i = 0; i < n; i++) {
		bool missed = seen.way[i] == MS_CACHES_LOOKUP_MISS;
		bool unknown = is_uncertain(s, level, &lines[i], seen.way[i]);

		if (unknown && !missed)
			count_unknown_hit(s, lines[i].cell, lines[i].line, level);
		lines[out] = lines[i];
		lines[out].unknown |= unknown;
		out += missed;
	}
	return out;
}

/* --- attribution: called by miss_attribution.c --- */

void ms_engine_windows_count_misses(struct ms_caches_attributions *attributions,
				    const struct ms_caches_attribution *c)
{
	struct ms_engine_shard *shard = attributions->shard;
	uint32_t counters = ms_engine_get_miss_counters(shard, c->cell)->number;
	struct ms_engine_windows_counts *counts =
		ms_engine_windows_get_counts(shard->engine->windows, counters);
	uint32_t part = c->kind & MS_CACHES_ATTRIBUTION_PHASE,
		 unseen = c->came == MS_CACHES_NEVER_PRESENT ? c->count : 0;

	if (c->kind & MS_CACHES_ATTRIBUTION_UNKNOWN) {
		counts[attributions->level].part[part].unknown_misses += c->count;
		counts[attributions->level].part[part].unseen_unknown += unseen;
	} else {
		counts[attributions->level].part[part].known += c->count;
		counts[attributions->level].part[part].unseen_known += unseen;
	}
}

/* --- batches --- */

/* Simulates pending accesses of one window and phase. */
static void simulate_span(const struct window_simulation *s,
			  const struct ms_filter_pending_list *share, size_t from, size_t to,
			  struct ms_caches_attributions *attributions)
{
	struct ms_engine_shard *shard = s->shard;
	struct ms_caches_miss *lines;
	size_t n;

	shard->caches.missed_lines.n = 0;
	ms_vec_reserve(&shard->caches.missed_lines, to - from + 1);
	ms_vec_reserve(&s->w->ways, to - from + 1);
	lines = shard->caches.missed_lines.at;
	n = look_up_first(s, share, from, to, lines);
	__atomic_store_n(&shard->caches.misses, shard->caches.misses + n, __ATOMIC_RELAXED);
	for (unsigned level = 0; level < s->w->levels && n > 0; level++) {
		if (level > 0)
			n = look_up_next(s, level, lines, n);
		ms_timing_record_misses(shard, attributions->batch_index, level, lines, n);
		ms_call_paths_record_misses(shard, attributions->batch_index, level, lines, n);
		ms_caches_attribute_misses(attributions, level, lines, n);
	}
}

void ms_engine_windows_simulate_batch(struct ms_engine_shard *shard, unsigned batch_index)
{
	const struct ms_filter_pending_list *share = ms_engine_get_share(shard, batch_index);
	const struct ms_engine_windows_state *w = shard->engine->windows;
	struct window_simulation s = { .shard = shard,
				       .w = shard->engine->windows,
				       .sets = w->sets.every > 1 };
	struct ms_caches_attributions attributions = { .shard = shard,
						       .batch_index = batch_index,
						       .windows = true };
	struct ms_engine_windows_marks *marks = &s.w->marks[batch_index];
	size_t mark = 0;

	if (shard->number != 0)
		return;
	for (size_t i = 0; i < share->spans.n; i++) {
		size_t to = ms_filter_find_span_end(share, i), until;

		attributions.phase = share->spans.at[i].phase;
		for (size_t at = share->spans.at[i].from; at < to; at = until) {
			size_t change = follow_marks(s.w, marks, &mark, at);

			until = change < to ? change : to;
			s.part = w->parts.first + w->step % w->parts.n;
			simulate_span(&s, share, at, until, &attributions);
		}
	}
	s.w->now += (uint32_t)share->n;
	marks->at.n = 0;
}
