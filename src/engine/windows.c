#include "engine/windows.h"

#include <assert.h>
#include <string.h>

#include "engine/engine_priv.h"

/* What is known of a reference at a level. The first of its lines that misses stands for it, but a
 * miss that is known counts more than one that is not. */
enum { KNOWN_HIT, UNKNOWN_HIT, UNKNOWN_MISS, KNOWN_MISS };

/* --- opening --- */

bool ms_engine_can_sample(const struct ms_machine *machine)
{
	return machine->processors <= 1 && !ms_general_is_needed(machine);
}

static void open_level(struct window_level *l, const struct ms_machine_level *level,
		       const struct ms_machine_level *first)
{
	l->ways = level->ways;
	l->sets = ms_machine_sets(level);
	l->mask = (l->sets & (l->sets - 1)) == 0 ? l->sets - 1 : 0;
	l->up = (uint32_t)(__builtin_ctz(level->line) - __builtin_ctz(first->line));
	l->set = ms_pages_alloc(l->sets * sizeof(*l->set));
	l->way = ms_pages_alloc(l->sets * l->ways * sizeof(*l->way));
	for (uint64_t i = 0; i < l->sets * l->ways; i++)
		l->way[i].line = MS_LINE_NONE;
}

struct windows *ms_windows_open(const struct ms_machine *machine,
				const struct ms_sampled_sets *sets)
{
	struct windows *w = ms_alloc(sizeof(*w));

	w->sets = sets != NULL ? *sets : (struct ms_sampled_sets){ .every = 1 };
	w->every_shift = (uint32_t)__builtin_ctzll(w->sets.every);
	w->levels = (unsigned)machine->levels.n;
	w->level = ms_alloc(w->levels * sizeof(*w->level));
	w->state = ms_alloc(w->levels);
	for (unsigned i = 0; i < w->levels; i++)
		open_level(&w->level[i], &machine->levels.at[i], &machine->levels.at[0]);
	return w;
}

void ms_windows_close(struct windows *w)
{
	if (w == NULL)
		return;
	for (unsigned i = 0; i < w->levels; i++) {
		struct window_level *l = &w->level[i];

		ms_pages_free(l->set, l->sets * sizeof(*l->set));
		ms_pages_free(l->way, l->sets * l->ways * sizeof(*l->way));
	}
	ms_free(w->level);
	ms_free(w->state);
	ms_vec_free(&w->counts);
	ms_vec_free(&w->lives);
	ms_arena_free(&w->arena);
	ms_free(w);
}

uint64_t ms_windows_bytes(const struct windows *w)
{
	uint64_t bytes = 0;

	for (unsigned i = 0; w != NULL && i < w->levels; i++)
		bytes += w->level[i].sets *
			 (sizeof(struct window_set) + w->level[i].ways * sizeof(struct window_way));
	return bytes;
}

/* --- windows --- */

void ms_shard_window(struct ms_shard *shard, uint32_t window)
{
	shard->window = window + 1;
}

void ms_windows_mark(struct ms_shard *shard)
{
	struct doubts *doubts = &shard->doubts;
	size_t n = doubts->window_marks.n;

	if (n == 0 || doubts->window_marks.at[n - 1].window != shard->window)
		*ms_vec_add(&doubts->window_marks) =
			(struct window_mark){ doubts->n, shard->window };
}

/* A window without references is none. */
static void follow_marks(struct windows *w, const struct doubts *share, size_t *mark, size_t doubt)
{
	uint32_t window = w->window;

	if (*mark >= share->window_marks.n || share->window_marks.at[*mark].doubt > doubt)
		return;
	while (*mark < share->window_marks.n && share->window_marks.at[*mark].doubt <= doubt)
		window = share->window_marks.at[(*mark)++].window;
	if (window == w->window && w->seen > 0)
		return;
	w->window = window;
	w->seen++;
}

/* --- counting --- */

static uint32_t part_of(const struct windows *w, uint64_t address)
{
	uint64_t group = address >> w->sets.shift & w->sets.mask;
	uint64_t turn = w->seen - 1;

	return (uint32_t)((turn + (group >> w->every_shift)) % MS_SAMPLE_PARTS);
}

static struct window_counts *counts_of(struct windows *w, const struct tally *tally)
{
	while (tally->number >= w->counts.n)
		*ms_vec_add(&w->counts) = NULL;

	struct window_counts **counts = &w->counts.at[tally->number];
	if (*counts == NULL)
		*counts = ms_arena_take(&w->arena,
					sizeof(**counts) + w->levels * sizeof((*counts)->level[0]));
	return *counts;
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

static void count_states(struct windows *w, struct window_counts *counts, uint32_t part)
{
	for (unsigned l = 0; l < w->levels; l++) {
		counts->level[l][part].known += w->state[l] == KNOWN_MISS;
		counts->level[l][part].unknown_misses += w->state[l] == UNKNOWN_MISS;
		counts->level[l][part].unknown_hits += w->state[l] == UNKNOWN_HIT;
	}
}

/* --- one line, one level --- */

/* The set as it is in this window, its ways in *ways. */
static struct window_set *set_at(const struct windows *w, struct window_level *l, uint64_t line,
				 struct window_way **ways)
{
	uint64_t number = l->mask != 0 ? line & l->mask : line % l->sets;
	struct window_set *set = &l->set[number];

	*ways = l->way + number * l->ways;
	if (set->window != w->seen) {
		set->window = w->seen;
		set->fresh = 0;
	}
	return set;
}

/* Way i becomes the most recent one. */
static struct window_way *to_front(struct window_way *ways, uint32_t i)
{
	struct window_way way = ways[i];

	memmove(ways + 1, ways, i * sizeof(*ways));
	ways[0] = way;
	return ways;
}

/* *left: the way that had to make room, if it was one. */
static int touch(const struct windows *w, struct window_level *l, uint64_t line,
		 struct window_way *left)
{
	struct window_way *ways;
	struct window_set *set = set_at(w, l, line, &ways);
	uint32_t i = 0;

	left->line = MS_LINE_NONE;
	while (i < l->ways && ways[i].line != line)
		i++;
	if (i < set->fresh) {
		to_front(ways, i)->used = w->now;
		return KNOWN_HIT;
	}
	if (i < l->ways) {
		*to_front(ways, i) = (struct window_way){ line, 0, w->now };
		set->fresh++;
		return UNKNOWN_HIT;
	}
	bool known = set->fresh == l->ways;
	*left = ways[l->ways - 1];
	*to_front(ways, l->ways - 1) = (struct window_way){ line, known ? w->now : 0, w->now };
	set->fresh += !known;
	return known ? KNOWN_MISS : UNKNOWN_MISS;
}

/* The line has left a level after its owner's use of it. */
static void end_generation(struct windows *w, unsigned level, const struct window_way *left,
			   uint32_t owner)
{
	struct window_life *life;

	if (left->came == 0)
		return;
	life = life_of(w, level, owner);
	life->generations++;
	life->dead += w->now - left->used;
	life->whole += w->now - left->came;
}

/* --- one reference --- */

struct settling {
	struct ms_shard *shard;
	struct windows *w;
	unsigned slot;
	struct falling f; /* the line, and whose it is */
	unsigned counted; /* levels, from the first, whose miss is counted */
	struct window_counts *counts;
	uint32_t part;
};

/* As blame() in settle.c. full: all of the set was used in this window; known: it is known that the
 * level was asked, too. */
static void bring(struct settling *s, unsigned level, const struct window_way *left, bool full,
		  bool known)
{
	struct ms_shard *shard = s->shard;
	uint32_t up = s->w->level[level].up, data = s->f.cell->data;
	uint32_t *came = ms_lines_at(&shard->lines, s->f.line >> up << up) + level;
	uint32_t record = *came;

	if (left->line != MS_LINE_NONE) {
		uint32_t *gone = ms_lines_at(&shard->lines, left->line << up) + level;
		uint32_t owner = ms_line_data(*gone);

		ms_tally_pair(&shard->tallies, ms_shard_tally(shard, s->f.cell), level, PAIR_EVICTS,
			      owner);
		ms_move_over(&shard->movements, level, data, owner);
		*gone = ms_line_gone(data);
		if (full)
			end_generation(s->w, level, left, owner);
	} else {
		ms_move(&shard->movements, level, data, 1);
	}
	*came = ms_line_here(data);
	if (level < s->counted)
		return;
	s->counted = level + 1;
	ms_shard_count_miss(shard, s->slot, &s->f, level, record);
	s->counts->level[level][s->part].unseen_known += record == MS_LINE_NEVER && known;
	s->counts->level[level][s->part].unseen_unknown += record == MS_LINE_NEVER && !known;
}

static void note(struct windows *w, unsigned level, uint8_t state)
{
	if (w->state[level] < state)
		w->state[level] = state;
}

static void settle_line(struct settling *s)
{
	struct windows *w = s->w;
	bool known = true; /* that it asks this level */

	for (unsigned l = 0; l < w->levels; l++) {
		struct window_way left;
		int what = touch(w, &w->level[l], s->f.line >> w->level[l].up, &left);

		if (what == KNOWN_HIT)
			return;
		w->level[l].unknown += what != KNOWN_MISS;
		if (what == UNKNOWN_HIT) {
			for (; l < w->levels; l++)
				note(w, l, UNKNOWN_HIT);
			return;
		}
		known &= what == KNOWN_MISS;
		bring(s, l, &left, what == KNOWN_MISS, known);
		note(w, l, known ? KNOWN_MISS : UNKNOWN_MISS);
	}
}

/* Most references: the line was used lately in this window. Nothing more is to be known. */
static bool hits_lately(struct windows *w, uint64_t line)
{
	enum { LATELY = 4 };
	struct window_way *ways;
	const struct window_set *set = set_at(w, &w->level[0], line, &ways);
	uint32_t n = set->fresh < LATELY ? set->fresh : LATELY;

	for (uint32_t i = 0; i < n; i++) {
		if (ways[i].line != line)
			continue;
		struct window_way way = ways[i];

		for (; i > 0; i--)
			ways[i] = ways[i - 1];
		way.used = w->now;
		ways[0] = way;
		return true;
	}
	return false;
}

static void settle_reference(struct settling *s, const struct doubt *at, const struct doubt *end)
{
	struct windows *w = s->w;
	uint64_t line = at->line & ~MS_LINE_GOES_ON;

	w->now++;
	s->f.cell = at->cell;
	s->counted = 0;
	s->part = part_of(w, line << s->shard->first_shift);
	s->counts = counts_of(w, ms_shard_tally(s->shard, at->cell));
	s->counts->references[s->part]++;
	if (end - at == 1 && hits_lately(w, line))
		return;
	memset(w->state, KNOWN_HIT, w->levels);
	for (; at < end; at++) {
		s->f.line = at->line & ~MS_LINE_GOES_ON;
		settle_line(s);
	}
	count_states(w, s->counts, s->part);
	if (s->counted > 0)
		__atomic_store_n(&s->shard->misses, s->shard->misses + 1, __ATOMIC_RELAXED);
}

static void settle_span(struct settling *s, const struct doubts *share, size_t span, size_t *mark)
{
	size_t to = ms_span_end(share, span), next;

	s->f = (struct falling){ .phase = share->spans.at[span].phase };
	for (size_t i = share->spans.at[span].from; i < to; i = next) {
		next = i + 1;
		while (next < to && (share->at[next].line & MS_LINE_GOES_ON) != 0)
			next++;
		follow_marks(s->w, share, mark, i);
		settle_reference(s, share->at + i, share->at + next);
	}
}

void ms_windows_settle(struct ms_shard *shard, unsigned slot, struct doubts *share)
{
	struct settling s = { .shard = shard, .w = shard->engine->windows, .slot = slot };
	size_t mark = 0;

	if (shard->number != 0)
		return;
	for (size_t i = 0; i < share->spans.n; i++)
		settle_span(&s, share, i, &mark);
	share->window_marks.n = 0;
}
