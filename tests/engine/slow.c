#include "engine/slow.h"

#include <string.h>

#include "base/mem.h"
#include "base/vec.h"

enum { NONE = UINT32_MAX };

/* --- memory: the last thing that happened to an address says whose it is --- */

struct change {
	uint64_t start, end;
	uint32_t data; /* NONE: unmapped */
	bool heap;
};

/* --- caches: a set is a row of places for lines, each with the time of its last use --- */

struct line {
	bool here;
	uint64_t address; /* of its first byte */
	uint64_t used;    /* the place, also by lines that have left it */
	uint32_t owner;
};

/* A line that was ever in a level, and who pushed it out; NONE while nobody has. */
struct history {
	uint64_t address;
	uint32_t level;
	uint32_t evictor;
};

/* --- prefetchers: streams of misses --- */

struct slow_stream {
	uint64_t used; /* 0: not yet */
	uint64_t address;
	enum { NEW, UP, DOWN } direction;
};

/* --- counters: what, and its coordinates --- */

struct counter {
	const char *what;
	uint32_t site, data, level, other;
	uint64_t count;
};

struct slow {
	const struct ms_machine *machine;
	uint32_t unmapped, freed;
	uint64_t now;
	struct line **levels;
	uint64_t **draws; /* by level and set: how often a random way was drawn there */
	struct slow_stream **streams;
	MS_VEC(struct change) changes;
	MS_VEC(struct history) histories;
	MS_VEC(struct counter) counters;
};

struct slow *slow_open(const struct ms_machine *machine, uint32_t unmapped, uint32_t freed)
{
	struct slow *slow = ms_alloc(sizeof(*slow));

	slow->machine = machine;
	slow->unmapped = unmapped;
	slow->freed = freed;
	slow->levels = ms_alloc(machine->levels.n * sizeof(*slow->levels));
	slow->draws = ms_alloc(machine->levels.n * sizeof(*slow->draws));
	slow->streams = ms_alloc(machine->levels.n * sizeof(*slow->streams));
	for (size_t i = 0; i < machine->levels.n; i++) {
		const struct ms_machine_level *m = &machine->levels.at[i];

		slow->levels[i] = ms_alloc(m->size / m->line * sizeof(struct line));
		slow->draws[i] = ms_alloc(ms_machine_sets(m) * sizeof(uint64_t));
		slow->streams[i] = ms_alloc((m->prefetch + 1) * sizeof(struct slow_stream));
	}
	return slow;
}

void slow_close(struct slow *slow)
{
	for (size_t i = 0; i < slow->machine->levels.n; i++) {
		ms_free(slow->levels[i]);
		ms_free(slow->draws[i]);
		ms_free(slow->streams[i]);
	}
	ms_free(slow->levels);
	ms_free(slow->draws);
	ms_free(slow->streams);
	ms_vec_free(&slow->changes);
	ms_vec_free(&slow->histories);
	ms_vec_free(&slow->counters);
	ms_free(slow);
}

static void change(struct slow *slow, uint64_t start, uint64_t end, uint32_t data, bool heap)
{
	*ms_vec_add(&slow->changes) = (struct change){ start, end, data, heap };
}

/* A heap object reaches to the end of its last 8 bytes. */
void slow_place(struct slow *slow, uint64_t start, uint64_t size, uint32_t data)
{
	change(slow, start, (start + size + 7) & ~UINT64_C(7), data, true);
}

void slow_free(struct slow *slow, uint64_t start, uint64_t size)
{
	change(slow, start, (start + size + 7) & ~UINT64_C(7), slow->freed, true);
}

void slow_map(struct slow *slow, uint64_t start, uint64_t end, uint32_t data)
{
	change(slow, start, end, data, false);
}

void slow_unmap(struct slow *slow, uint64_t start, uint64_t end)
{
	change(slow, start, end, NONE, true);
	change(slow, start, end, NONE, false);
}

/* Heap objects lie above regions. */
static uint32_t data_of(const struct slow *slow, uint64_t address)
{
	for (int heap = 1; heap >= 0; heap--)
		for (size_t i = slow->changes.n; i-- > 0;) {
			const struct change *c = &slow->changes.at[i];

			if (c->heap != heap || address < c->start || address >= c->end)
				continue;
			if (c->data != NONE)
				return c->data;
			break;
		}
	return slow->unmapped;
}

static struct counter *counter_of(struct slow *slow, const char *what, uint32_t site, uint32_t data,
				  uint32_t level, uint32_t other)
{
	for (size_t i = 0; i < slow->counters.n; i++) {
		struct counter *c = &slow->counters.at[i];

		if (strcmp(c->what, what) == 0 && c->site == site && c->data == data &&
		    c->level == level && c->other == other)
			return c;
	}
	struct counter *c = ms_vec_add(&slow->counters);
	*c = (struct counter){ what, site, data, level, other, 0 };
	return c;
}

static struct history *history_of(struct slow *slow, uint64_t address, uint32_t level)
{
	for (size_t i = 0; i < slow->histories.n; i++)
		if (slow->histories.at[i].address == address &&
		    slow->histories.at[i].level == level)
			return &slow->histories.at[i];
	return NULL;
}

/* --- an access: one line, and what the program does with it --- */

struct touch {
	struct slow *slow;
	uint32_t site, data;
	uint64_t address; /* anywhere in the line */
	bool waits;       /* the program; else misses are not counted */
	bool *counted;    /* by level: the reference has missed it already */
};

static const struct ms_machine_level *level_of(const struct touch *t, uint32_t level)
{
	return &t->slow->machine->levels.at[level];
}

static struct line *set_of_address(const struct touch *t, uint32_t level, uint64_t address)
{
	const struct ms_machine_level *m = level_of(t, level);

	return t->slow->levels[level] + address / m->line % ms_machine_sets(m) * m->ways;
}

static struct line *line_in(const struct touch *t, uint32_t level, uint64_t address)
{
	const struct ms_machine_level *m = level_of(t, level);
	struct line *set = set_of_address(t, level, address);

	for (uint32_t way = 0; way < m->ways; way++)
		if (set[way].here && set[way].address == address / m->line * m->line)
			return &set[way];
	return NULL;
}

/* --- replacement: which place of a full set is given away --- */

/* n places: the older half of them, and of that the older half, ... */
static struct line *older_half(struct line *places, uint32_t n)
{
	uint64_t left = 0, right = 0;

	if (n == 1)
		return places;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t *half = i < n / 2 ? &left : &right;

		if (places[i].used > *half)
			*half = places[i].used;
	}
	return older_half(left > right ? places + n / 2 : places, n / 2);
}

static struct line *oldest(struct line *places, uint32_t n)
{
	struct line *found = places;

	for (uint32_t i = 1; i < n; i++)
		if (places[i].used < found->used)
			found = &places[i];
	return found;
}

/* The n-th number (from 1) of SplitMix64 with this seed. */
static uint64_t split_mix(uint64_t seed, uint64_t n)
{
	uint64_t z = seed + n * UINT64_C(0x9e3779b97f4a7c15);

	z ^= z >> 30;
	z *= UINT64_C(0xbf58476d1ce4e5b9);
	z ^= z >> 27;
	z *= UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static struct line *choose_victim(struct touch *t, uint32_t level, struct line *set)
{
	const struct ms_machine_level *m = level_of(t, level);
	uint64_t number = (uint64_t)(set - t->slow->levels[level]) / m->ways;

	if (m->replacement == MS_REPLACEMENT_TREE_PLRU)
		return older_half(set, m->ways);
	if (m->replacement == MS_REPLACEMENT_RANDOM)
		return set +
		       split_mix(number * 256 + level, ++t->slow->draws[level][number]) % m->ways;
	return oldest(set, m->ways);
}

/* --- lines leave and come --- */

static void evict(struct touch *t, uint32_t level, struct line *line)
{
	counter_of(t->slow, "eviction", t->site, t->data, level, line->owner)->count++;
	history_of(t->slow, line->address, level)->evictor = t->data;
	line->here = false;
}

/* All that nearer levels have of the line; what they had and an exclusive one gave them too. */
static void evict_nearer(struct touch *t, uint32_t outer, uint64_t start)
{
	uint64_t end = start + level_of(t, outer)->line;

	for (uint32_t level = 0; level < outer; level++) {
		for (uint64_t at = start; at < end; at += level_of(t, level)->line) {
			struct line *line = line_in(t, level, at);
			struct history *history = history_of(t->slow, at, level);

			if (line != NULL)
				evict(t, level, line);
			else if (history != NULL && history->evictor == NONE)
				history->evictor = t->data;
		}
	}
}

static void come(struct touch *t, uint32_t level, uint64_t address, uint32_t owner)
{
	const struct ms_machine_level *m = level_of(t, level);
	struct line *set = set_of_address(t, level, address), *place = NULL;
	uint64_t start = address / m->line * m->line;

	for (uint32_t way = m->ways; way-- > 0;)
		if (!set[way].here)
			place = &set[way];
	if (place == NULL) {
		place = choose_victim(t, level, set);
		struct line victim = *place;

		evict(t, level, place);
		if (m->contents == MS_CONTENTS_INCLUSIVE)
			evict_nearer(t, level, victim.address);
		if (level + 1 < t->slow->machine->levels.n &&
		    level_of(t, level + 1)->contents == MS_CONTENTS_EXCLUSIVE)
			come(t, level + 1, victim.address, victim.owner);
	}
	*place = (struct line){ true, start, ++t->slow->now, owner };
	if (history_of(t->slow, start, level) == NULL)
		*ms_vec_add(&t->slow->histories) = (struct history){ start, level, NONE };
	history_of(t->slow, start, level)->evictor = NONE;
}

/* --- misses --- */

static bool is_confirmed_by(const struct slow_stream *s, uint64_t line, uint32_t size)
{
	return s->direction == NEW && (line == s->address + size || line + size == s->address);
}

static bool is_ahead(const struct slow_stream *s, uint64_t line, uint32_t size)
{
	for (uint64_t step = 1; step <= 4; step++) {
		if (s->direction == UP && line == s->address + step * size)
			return true;
		if (s->direction == DOWN && line + step * size == s->address)
			return true;
	}
	return false;
}

/* The stream of the level that this line belongs to, the most recent of several; NULL: none. */
static struct slow_stream *stream_of(struct touch *t, uint32_t level, uint64_t line, bool covered)
{
	const struct ms_machine_level *m = level_of(t, level);
	struct slow_stream *found = NULL;

	for (uint32_t i = 0; i < m->prefetch; i++) {
		struct slow_stream *s = &t->slow->streams[level][i];

		if (s->used == 0 || s->address / 4096 != line / 4096)
			continue;
		if (covered ? !is_ahead(s, line, m->line)
			    : line != s->address && !is_confirmed_by(s, line, m->line))
			continue;
		if (found == NULL || s->used > found->used)
			found = s;
	}
	return found;
}

/* A miss as a prefetcher sees it; true: it would have fetched this line before. */
static bool watch(struct touch *t, uint32_t level)
{
	const struct ms_machine_level *m = level_of(t, level);
	uint64_t line = t->address / m->line * m->line;
	struct slow_stream *covering = stream_of(t, level, line, true);
	struct slow_stream *s = covering;

	if (s == NULL) {
		s = stream_of(t, level, line, false);
		if (s != NULL && s->address != line)
			s->direction = line > s->address ? UP : DOWN;
	}
	if (s == NULL) {
		s = t->slow->streams[level];
		for (uint32_t i = 1; i < m->prefetch; i++)
			if (t->slow->streams[level][i].used < s->used)
				s = &t->slow->streams[level][i];
		s->direction = NEW;
	}
	s->address = line;
	s->used = ++t->slow->now;
	return covering != NULL;
}

static void miss(struct touch *t, uint32_t level)
{
	const struct ms_machine_level *m = level_of(t, level);
	struct history *history = history_of(t->slow, t->address / m->line * m->line, level);

	if (!t->waits)
		return;
	bool covered = m->prefetch > 0 && watch(t, level);
	if (t->counted[level])
		return;
	t->counted[level] = true;
	if (covered)
		counter_of(t->slow, "covered", t->site, t->data, level, 0)->count++;
	counter_of(t->slow, history ? "replacement" : "first", t->site, t->data, level, 0)->count++;
	if (history)
		counter_of(t->slow, "replaced", t->site, t->data, level, history->evictor)->count++;
}

/* --- loads and stores, at one level --- */

static void load_from(struct touch *t, uint32_t level)
{
	if (level == t->slow->machine->levels.n)
		return;
	struct line *line = line_in(t, level, t->address);
	bool exclusive = level_of(t, level)->contents == MS_CONTENTS_EXCLUSIVE;

	if (line != NULL) {
		line->used = ++t->slow->now;
		return;
	}
	miss(t, level);
	load_from(t, level + 1);
	/* What an exclusive level had to give is now here. */
	if (level + 1 < t->slow->machine->levels.n &&
	    level_of(t, level + 1)->contents == MS_CONTENTS_EXCLUSIVE &&
	    (line = line_in(t, level + 1, t->address)) != NULL)
		line->here = false;
	if (!exclusive)
		come(t, level, t->address, t->data);
}

static void store_to(struct touch *t, uint32_t level)
{
	if (level == t->slow->machine->levels.n)
		return;
	const struct ms_machine_level *m = level_of(t, level);
	struct line *line = line_in(t, level, t->address);

	if (line != NULL) {
		line->used = ++t->slow->now;
	} else if (m->write_miss == MS_WRITE_MISS_AROUND || m->contents == MS_CONTENTS_EXCLUSIVE) {
		miss(t, level);
		store_to(t, level + 1);
		return;
	} else {
		load_from(t, level);
	}
	if (m->write == MS_WRITE_THROUGH) {
		t->waits = false;
		store_to(t, level + 1);
	}
}

void slow_reference(struct slow *slow, uint32_t site, uint64_t address, uint32_t size,
		    enum slow_kind kind)
{
	uint32_t first_line = slow->machine->levels.at[0].line;
	bool counted[16] = { false };
	struct touch t = { slow, site, data_of(slow, address), address, true, counted };

	counter_of(slow, "reference", site, t.data, 0, 0)->count++;
	for (uint64_t at = address / first_line; at <= (address + size - 1) / first_line; at++) {
		t.address = at * first_line;
		t.waits = true;
		if (kind != SLOW_WRITE)
			load_from(&t, 0);
		if (kind != SLOW_READ)
			store_to(&t, 0);
	}
}

static uint64_t count_of(const struct slow *slow, const char *what, uint32_t site, uint32_t data,
			 uint32_t level, uint32_t other)
{
	return counter_of((struct slow *)slow, what, site, data, level, other)->count;
}

uint64_t slow_references(const struct slow *slow, uint32_t site, uint32_t data)
{
	return count_of(slow, "reference", site, data, 0, 0);
}

uint64_t slow_misses(const struct slow *slow, uint32_t site, uint32_t data, uint32_t level,
		     int cause)
{
	return count_of(slow, cause == 0 ? "first" : "replacement", site, data, level, 0);
}

uint64_t slow_covered(const struct slow *slow, uint32_t site, uint32_t data, uint32_t level)
{
	return count_of(slow, "covered", site, data, level, 0);
}

uint64_t slow_replaced(const struct slow *slow, uint32_t site, uint32_t data, uint32_t level,
		       uint32_t other)
{
	return count_of(slow, "replaced", site, data, level, other);
}

uint64_t slow_evictions(const struct slow *slow, uint32_t site, uint32_t data, uint32_t level,
			uint32_t other)
{
	return count_of(slow, "eviction", site, data, level, other);
}

uint64_t slow_counted(const struct slow *slow, const char *what)
{
	uint64_t n = 0;

	for (size_t i = 0; i < slow->counters.n; i++)
		n += strcmp(slow->counters.at[i].what, what) == 0 && slow->counters.at[i].count > 0;
	return n;
}
