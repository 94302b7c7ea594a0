/* tests/engine/refsim_caches.c - a part of refsim.c: what one access of a line does to caches. */

/* --- an access: one line, and what the program does with it --- */

struct touch {
	struct refsim *refsim;
	struct who who;
	uint64_t address;           /* of the bytes of the line that are touched: the first ... */
	uint64_t end;               /* ... and the one after the last */
	bool waits;                 /* the program; else misses are not counted */
	bool *counted;              /* by level: the reference has missed it already */
	uint32_t missed;            /* levels that this line missed */
	bool peer;                  /* another processor's cache has answered */
	const struct history *lost; /* by which it missed, if it did */
	struct history lost_copy;
};

static struct refsim_key key_of(const struct touch *t, uint32_t level, uint32_t other)
{
	return (struct refsim_key){ .site = t->who.site,
				    .data = t->who.data,
				    .processor = t->who.processor,
				    .level = level,
				    .other = other };
}

static struct refsim_key thread_key(const struct touch *t, uint32_t level)
{
	return (struct refsim_key){ .processor = t->who.processor,
				    .level = level,
				    .other = t->refsim->thread };
}

static const struct ms_machine_level *level_of(const struct touch *t, uint32_t level)
{
	return &t->refsim->machine->levels.at[level];
}

static uint32_t level_count(const struct touch *t)
{
	return (uint32_t)t->refsim->machine->levels.n;
}

/* The cache of the level that the processor of the access has. */
static struct refsim_cache *cache_of(const struct touch *t, uint32_t level)
{
	struct refsim_cache *c = t->refsim->caches.at;

	while (c->level != level || c->number != t->who.processor / sharers(t->refsim, level))
		c++;
	return c;
}

static struct line *set_in(const struct touch *t, const struct refsim_cache *c, uint64_t address)
{
	const struct ms_machine_level *m = level_of(t, c->level);

	return c->lines + address / m->line % ms_machine_sets(m) * m->ways;
}

static struct line *line_in(const struct touch *t, const struct refsim_cache *c, uint64_t address)
{
	const struct ms_machine_level *m = level_of(t, c->level);
	struct line *set = set_in(t, c, address);

	for (uint32_t way = 0; way < m->ways; way++)
		if (set[way].here && set[way].address == address / m->line * m->line)
			return &set[way];
	return NULL;
}

static struct history *history_of(const struct touch *t, const struct refsim_cache *cache,
				  uint64_t address)
{
	uint32_t line = level_of(t, cache->level)->line;

	for (size_t i = 0; i < cache->histories.n; i++)
		if (cache->histories.at[i].address == address / line * line)
			return &cache->histories.at[i];
	return NULL;
}

/* Whether what leaves the exclusive level comes to a cache of fewer processors. */
static bool is_taken_by_few(const struct touch *t, uint32_t level)
{
	uint32_t to = level - 1;

	while (level_of(t, to)->contents == MS_CONTENTS_EXCLUSIVE)
		to--;
	return sharers(t->refsim, level) != sharers(t->refsim, to);
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

static struct line *first_in(struct line *places, uint32_t n)
{
	struct line *found = places;

	for (uint32_t i = 1; i < n; i++)
		if (places[i].inserted < found->inserted)
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

static struct line *choose_victim(struct touch *t, struct refsim_cache *c, struct line *set)
{
	const struct ms_machine_level *m = level_of(t, c->level);
	uint64_t number = (uint64_t)(set - c->lines) / m->ways;
	uint64_t seed = (uint64_t)c->number << 48 ^ (number * 256 + c->level);

	if (m->replacement == MS_REPLACEMENT_TREE_PLRU)
		return older_half(set, m->ways);
	if (m->replacement == MS_REPLACEMENT_RANDOM)
		return set + split_mix(seed, ++c->draws[number]) % m->ways;
	if (m->replacement == MS_REPLACEMENT_FIFO)
		return first_in(set, m->ways);
	return oldest(set, m->ways);
}

/* --- lines leave and come --- */

static void evict(struct touch *t, const struct refsim_cache *c, struct line *line)
{
	count(t->refsim, SLOW_EVICTIONS, key_of(t, c->level, line->owner), 1);
	monitor_sees_eviction(t->refsim, c->level, line);
	history_of(t, c, line->address)->evictor = t->who.data;
	line->here = false;
}

/* All that nearer caches have of the line; what they had and an exclusive one gave them too. */
static void evict_nearer(struct touch *t, const struct refsim_cache *outer, uint64_t start)
{
	uint64_t end = start + level_of(t, outer->level)->line;

	for (size_t i = 0; i < t->refsim->caches.n; i++) {
		const struct refsim_cache *c = &t->refsim->caches.at[i];
		uint32_t first = c->number * sharers(t->refsim, c->level);

		if (c->level >= outer->level ||
		    first / sharers(t->refsim, outer->level) != outer->number)
			continue;
		for (uint64_t at = start; at < end; at += level_of(t, c->level)->line) {
			struct line *line = line_in(t, c, at);
			struct history *history = history_of(t, c, at);

			if (line != NULL)
				evict(t, c, line);
			else if (history != NULL && history->evictor == NONE && !history->lost)
				history->evictor = t->who.data;
		}
	}
}

static void come(struct touch *t, uint32_t level, uint64_t address, uint32_t owner);

static void push_out(struct touch *t, struct refsim_cache *c, struct line *place)
{
	struct line victim = *place;
	uint32_t next = c->level + 1;

	evict(t, c, place);
	if (level_of(t, c->level)->contents == MS_CONTENTS_INCLUSIVE)
		evict_nearer(t, c, victim.address);
	if (next == level_count(t) || level_of(t, next)->contents != MS_CONTENTS_EXCLUSIVE)
		return;
	/* Another processor may have brought it there before. */
	struct line *same = line_in(t, cache_of(t, next), victim.address);
	if (same != NULL) {
		same->owner = victim.owner;
		same->used = ++t->refsim->now;
	} else {
		come(t, next, victim.address, victim.owner);
	}
}

static void come(struct touch *t, uint32_t level, uint64_t address, uint32_t owner)
{
	const struct ms_machine_level *m = level_of(t, level);
	struct refsim_cache *c = cache_of(t, level);
	struct line *set = set_in(t, c, address), *place = NULL;
	uint64_t start = address / m->line * m->line;

	for (uint32_t way = m->ways; way-- > 0;)
		if (!set[way].here)
			place = &set[way];
	if (place == NULL) {
		place = choose_victim(t, c, set);
		push_out(t, c, place);
	}
	uint64_t now = ++t->refsim->now;
	*place = (struct line){ true, start, now, now, owner };
	if (history_of(t, c, start) == NULL)
		*ms_vec_add(&c->histories) = (struct history){ .address = start };
	history_of(t, c, start)->evictor = NONE;
	history_of(t, c, start)->lost = false;
}

/* --- misses --- */

static bool is_confirmed_by(const struct refsim_stream *s, uint64_t line, uint32_t size)
{
	return s->direction == NEW && (line == s->address + size || line + size == s->address);
}

static bool is_ahead(const struct refsim_stream *s, uint64_t line, uint32_t size)
{
	for (uint64_t step = 1; step <= 4; step++) {
		if (s->direction == UP && line == s->address + step * size)
			return true;
		if (s->direction == DOWN && line + step * size == s->address)
			return true;
	}
	return false;
}

/* The stream of the cache that this line belongs to, the most recent of several; NULL: none. */
static struct refsim_stream *stream_of(struct touch *t, struct refsim_cache *c, uint64_t line,
				       bool covered)
{
	const struct ms_machine_level *m = level_of(t, c->level);
	struct refsim_stream *found = NULL;

	for (uint32_t i = 0; i < m->prefetch; i++) {
		struct refsim_stream *s = &c->streams[i];

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
static bool watch(struct touch *t, struct refsim_cache *c)
{
	const struct ms_machine_level *m = level_of(t, c->level);
	uint64_t line = t->address / m->line * m->line;
	struct refsim_stream *covering = stream_of(t, c, line, true);
	struct refsim_stream *s = covering;

	if (s == NULL) {
		s = stream_of(t, c, line, false);
		if (s != NULL && s->address != line)
			s->direction = line > s->address ? UP : DOWN;
	}
	if (s == NULL) {
		s = c->streams;
		for (uint32_t i = 1; i < m->prefetch; i++)
			if (c->streams[i].used < s->used)
				s = &c->streams[i];
		s->direction = NEW;
	}
	s->address = line;
	s->used = ++t->refsim->now;
	return covering != NULL;
}

/* Whether anything that is touched was written since the line was taken away. */
static bool is_truly_shared(const struct touch *t, const struct history *history)
{
	for (size_t i = history->lost_at; i < t->refsim->writes.n; i++)
		if (t->refsim->writes.at[i].start < t->end &&
		    t->refsim->writes.at[i].end > t->address)
			return true;
	return false;
}

/*
 * --- fully associative caches of the same size: what hits there is among the last lines used ---
 */

static uint64_t line_address(const struct touch *t, const struct refsim_cache *c)
{
	const struct ms_machine_level *m = level_of(t, c->level);

	return t->address / m->line * m->line;
}

/* lines: the one used most recently is the last. */
static bool is_among_last(const struct touch *t, const struct refsim_cache *c,
			  const uint64_t *lines, size_t n)
{
	const struct ms_machine_level *m = level_of(t, c->level);

	for (size_t i = n; i-- > 0 && n - i <= m->size / m->line;)
		if (lines[i] == line_address(t, c))
			return true;
	return false;
}

static bool hits_fully_associative(const struct touch *t, const struct refsim_cache *c)
{
	return is_among_last(t, c, c->used.at, c->used.n);
}

static bool hits_kept(const struct touch *t, const struct refsim_cache *c)
{
	return is_among_last(t, c, c->kept.at, c->kept.n);
}

static bool is_recent_of_set(const struct touch *t, const struct refsim_cache *c)
{
	const struct ms_machine_level *m = level_of(t, c->level);
	uint64_t sets = m->size / m->line / m->ways, set = t->address / m->line % sets;

	for (size_t i = c->used.n; i-- > 0;)
		if (c->used.at[i] / m->line % sets == set)
			return c->used.at[i] == line_address(t, c);
	return false;
}

/* Moves the line to the end; there is room for one more. */
static size_t move_to_end(uint64_t *lines, size_t all, uint64_t address)
{
	size_t n = 0;

	for (size_t i = 0; i < all; i++)
		if (lines[i] != address)
			lines[n++] = lines[i];
	lines[n] = address;
	return n + 1;
}

static void use_line(const struct touch *t, struct refsim_cache *c)
{
	uint64_t address = line_address(t, c);

	if (t->refsim->processors > 1)
		return;
	if (c->level == 0 && !is_recent_of_set(t, c)) {
		ms_vec_reserve(&c->kept, 1);
		c->kept.n = move_to_end(c->kept.at, c->kept.n, address);
	}
	ms_vec_reserve(&c->used, 1);
	c->used.n = move_to_end(c->used.at, c->used.n, address);
}

static void hit(const struct touch *t, struct refsim_cache *c)
{
	if (!hits_fully_associative(t, c))
		count(t->refsim, SLOW_SAVED, key_of(t, c->level, 0), 1);
	if (c->level == 0 && !is_recent_of_set(t, c) && !hits_kept(t, c))
		count(t->refsim, SLOW_KEPT_SAVED, key_of(t, c->level, 0), 1);
	use_line(t, c);
}

static void divide_replacement(const struct touch *t, const struct refsim_cache *c)
{
	count(t->refsim, hits_fully_associative(t, c) ? SLOW_CONFLICT : SLOW_CAPACITY,
	      key_of(t, c->level, 0), 1);
	if (c->level == 0)
		count(t->refsim, hits_kept(t, c) ? SLOW_KEPT_CONFLICT : SLOW_KEPT_CAPACITY,
		      key_of(t, c->level, 0), 1);
}

static void count_cause(struct touch *t, uint32_t level, const struct history *history)
{
	if (history == NULL) {
		count(t->refsim, SLOW_FIRST, key_of(t, level, 0), 1);
	} else if (history->lost) {
		count(t->refsim, SLOW_INVALIDATION, key_of(t, level, 0), 1);
		if (!is_truly_shared(t, history))
			count(t->refsim, SLOW_FALSELY, key_of(t, level, 0), 1);
	} else {
		count(t->refsim, SLOW_REPLACEMENT, key_of(t, level, 0), 1);
		count(t->refsim, SLOW_REPLACED, key_of(t, level, history->evictor), 1);
		divide_replacement(t, cache_of(t, level));
	}
}

static void miss(struct touch *t, uint32_t level)
{
	struct refsim_cache *c = cache_of(t, level);
	struct history *history = history_of(t, c, t->address);

	if (!t->waits)
		return;
	t->missed = level + 1;
	if (!is_handling(t->refsim))
		monitor_sees_miss(t->refsim, level);
	if (history != NULL && history->lost && t->lost == NULL) {
		t->lost_copy = *history;
		t->lost = &t->lost_copy;
	}
	bool covered = level_of(t, level)->prefetch > 0 && watch(t, c);
	if (t->counted[level])
		return;
	t->counted[level] = true;
	if (covered)
		count(t->refsim, SLOW_COVERED, key_of(t, level, 0), 1);
	count(t->refsim, SLOW_WEIGHTED, key_of(t, level, 0), 1.0 / t->refsim->busy);
	count(t->refsim, SLOW_THREAD_MISSES, thread_key(t, level), 1);
	count_cause(t, level, history);
}

/* --- loads and stores, at one level --- */

static void load_from(struct touch *t, uint32_t level)
{
	if (level == level_count(t))
		return;
	struct line *line = line_in(t, cache_of(t, level), t->address);

	if (line != NULL) {
		line->used = ++t->refsim->now;
		hit(t, cache_of(t, level));
		return;
	}
	miss(t, level);
	use_line(t, cache_of(t, level));
	load_from(t, level + 1);
	/* What an exclusive level had to give is now here. */
	if (level + 1 < level_count(t) &&
	    level_of(t, level + 1)->contents == MS_CONTENTS_EXCLUSIVE) {
		struct refsim_cache *next = cache_of(t, level + 1);

		line = line_in(t, next, t->address);
		if (line != NULL && is_taken_by_few(t, level + 1))
			history_of(t, next, t->address)->evictor = t->who.data;
		if (line != NULL)
			line->here = false;
	}
	if (level_of(t, level)->contents != MS_CONTENTS_EXCLUSIVE)
		come(t, level, t->address, t->who.data);
}

static void store_to(struct touch *t, uint32_t level)
{
	if (level == level_count(t))
		return;
	const struct ms_machine_level *m = level_of(t, level);
	struct line *line = line_in(t, cache_of(t, level), t->address);

	if (line != NULL) {
		line->used = ++t->refsim->now;
		hit(t, cache_of(t, level));
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
