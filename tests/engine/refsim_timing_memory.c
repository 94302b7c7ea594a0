/*
 * tests/engine/refsim_timing_memory.c - a part of refsim_timing.c: when the data of a miss arrives,
 * and which misses the processor waits for. Every miss of a batch stays in one list.
 */

/* --- sums over all batches --- */

static struct timing_cell *timing_cell_of(struct refsim_timing *t, uint32_t site, uint32_t data)
{
	for (size_t i = 0; i < t->cells.n; i++)
		if (t->cells.at[i].site == site && t->cells.at[i].data == data)
			return &t->cells.at[i];
	*ms_vec_add(&t->cells) = (struct timing_cell){ .site = site, .data = data };
	return &t->cells.at[t->cells.n - 1];
}

/* --- waiting --- */

static uint64_t common_time(const struct timing_flight *f, uint64_t from, uint64_t to)
{
	uint64_t begin = f->begin > from ? f->begin : from, end = f->end < to ? f->end : to;

	return end > begin ? end - begin : 0;
}

/*
 * The processor waits in this interval. From the beginning of the first flight on, the time is
 * shared by the flights in it, each by the time that it is in the interval. Returns that time.
 */
static uint64_t charge_flights(struct refsim_timing *t, uint64_t from, uint64_t to, bool stores)
{
	uint64_t sum = 0, first = to;

	for (size_t i = 0; i < t->flights.n; i++) {
		const struct timing_flight *f = &t->flights.at[i];
		uint64_t begin = f->begin > from ? f->begin : from;

		if (f->is_store != stores || common_time(f, from, to) == 0)
			continue;
		sum += common_time(f, from, to);
		first = begin < first ? begin : first;
	}
	uint64_t left = to - first;
	for (size_t i = 0; i < t->flights.n; i++) {
		struct timing_flight *f = &t->flights.at[i];
		uint64_t common = common_time(f, from, to);

		if (f->is_store != stores || common == 0)
			continue;
		f->charged += left * common / sum;
		left -= left * common / sum;
		sum -= common;
	}
	return to - first;
}

/* The batch ends: what each of its misses was charged is for its translation, then its latency. */
static void add_flights(struct refsim_timing *t)
{
	for (size_t i = 0; i < t->flights.n; i++) {
		const struct timing_flight *f = &t->flights.at[i];
		struct timing_cell *cell = timing_cell_of(t, f->site, f->data);
		struct timing_level *level = &cell->level[f->missed - 1];
		uint64_t walk = f->charged < f->walk ? f->charged : f->walk;
		uint64_t rest = f->charged - walk;
		uint64_t exposed = rest < f->latency ? rest : f->latency;

		cell->walks += f->is_walk;
		cell->exposed_walks += walk;
		level->misses++;
		level->exposed += exposed;
		level->prefetched += f->is_prefetched ? f->latency - exposed : 0;
	}
}

/* --- bandwidth --- */

/*
 * The last level delivers lines 1.5 times as fast as memory is read, also for stores; levels before
 * it are not limited.
 */
static uint64_t transfer_time(const struct refsim_timing *t, const struct timing_flight *f)
{
	const struct ms_machine_level *last = &t->machine->levels.at[t->levels - 1];
	bool is_written = f->is_store && f->missed == t->levels;
	uint32_t speed = is_written ? t->machine->core.write_bandwidth_milli
				    : t->machine->core.bandwidth_milli;
	uint64_t time = speed == 0 ? 0 : (uint64_t)last->line * 1000 * TICKS / speed;

	if (f->missed < t->levels)
		time = time * 100 / 150;
	return f->is_pair && !f->is_store ? 2 * time : time;
}

static bool is_transferred(const struct refsim_timing *t, const struct timing_flight *f,
			   bool stores)
{
	return f->missed + 1 >= t->levels && f->is_store == stores;
}

static uint64_t time_of_transfers(const struct refsim_timing *t, bool stores, uint64_t *n)
{
	uint64_t needed = 0;

	*n = 0;
	for (size_t i = 0; i < t->flights.n; i++)
		if (is_transferred(t, &t->flights.at[i], stores)) {
			needed += transfer_time(t, &t->flights.at[i]);
			++*n;
		}
	return needed;
}

/*
 * The batch has taken this time. Loads and stores are transferred at the same time: if those that
 * need more take longer than the batch, all of them share the difference.
 */
static void apply_bandwidth(struct refsim_timing *t, uint64_t duration)
{
	uint64_t loads, stores;
	uint64_t of_loads = time_of_transfers(t, false, &loads),
		 of_stores = time_of_transfers(t, true, &stores);
	bool is_for_stores = of_stores > of_loads;
	uint64_t needed = is_for_stores ? of_stores : of_loads,
		 transfers = is_for_stores ? stores : loads;
	uint64_t left = needed > duration ? needed - duration : 0;

	for (size_t i = 0; i < t->flights.n; i++)
		if (is_transferred(t, &t->flights.at[i], is_for_stores)) {
			const struct timing_flight *f = &t->flights.at[i];

			timing_cell_of(t, f->site, f->data)->waited += left / transfers;
			left -= left / transfers--;
		}
}

/* --- page walkers, the divider: intervals of time, each with room for some requests --- */

static uint64_t serve(struct timing_resource *r, uint64_t at, uint64_t cost, uint32_t servers)
{
	enum { REQUESTS = 8, KNOWN = 512 };
	uint64_t size = 1, number;

	while (size < cost * REQUESTS)
		size *= 2;
	for (number = at / size;; number++) {
		uint64_t used = 0;

		for (size_t i = 0; i < r->served.n; i++) {
			/* Only the latest of the intervals at the same place is known. */
			if (r->served.at[i] > number && (r->served.at[i] - number) % KNOWN == 0)
				return at + cost;
			used += r->served.at[i] == number ? cost : 0;
		}
		if (used + cost > size * servers)
			continue;
		*ms_vec_add(&r->served) = number;
		uint64_t end = number * size + (used + cost) / servers;
		return end > at + cost ? end : at + cost;
	}
}

/* --- TLB --- */

/* Of a set, the entries with the highest (time, page) stay. Returns whether the page was there. */
static bool use_page(struct timing_tlb *tlb, uint32_t sets, uint32_t ways, uint64_t page,
		     uint64_t now)
{
	size_t same_set = 0, oldest = 0;

	for (size_t i = 0; i < tlb->entries.n; i++)
		if (tlb->entries.at[i].page == page) {
			tlb->entries.at[i].used = now;
			return true;
		}
	*ms_vec_add(&tlb->entries) = (struct timing_page){ page, now };
	for (size_t i = 0; i < tlb->entries.n; i++) {
		const struct timing_page *e = &tlb->entries.at[i], *o = &tlb->entries.at[oldest];

		if (e->page % sets != page % sets)
			continue;
		if (same_set++ == 0 || e->used < o->used ||
		    (e->used == o->used && e->page < o->page))
			oldest = i;
	}
	if (same_set > ways)
		tlb->entries.at[oldest] = tlb->entries.at[--tlb->entries.n];
	return false;
}

enum { FIRST_WAYS = 4, SECOND_WAYS = 8 };

static bool use_second(struct refsim_timing *t, uint64_t page)
{
	return use_page(&t->second, t->machine->core.tlb_second_entries / SECOND_WAYS + 1,
			SECOND_WAYS, page, t->now_tlb);
}

/* Returns the time that the translation takes. */
static uint64_t translate(struct refsim_timing *t, uint64_t address, uint64_t at, bool *is_walk)
{
	const struct ms_machine_core *core = &t->machine->core;
	uint64_t page = address / t->page;

	*is_walk = false;
	if (core->walk_latency == 0)
		return 0;
	t->now_tlb++;
	bool first = use_page(&t->first, core->tlb_entries / FIRST_WAYS + 1, FIRST_WAYS, page,
			      t->now_tlb);
	if (use_second(t, page))
		return first ? 0 : (uint64_t)core->tlb_second_latency * TICKS;
	*is_walk = true;
	return serve(&t->walkers, at, (uint64_t)core->walk_latency * TICKS,
		     core->walks == 0 ? 1 : core->walks) -
	       at;
}

/* A batch that is not replayed used these pages; its order is not known. */
static void touch_pages(struct refsim_timing *t)
{
	enum { MANY = 512 };
	size_t lines = 0;

	for (size_t i = 0; i < t->misses.n; i++)
		lines += t->misses.at[i].missed > 1;
	if (t->machine->core.walk_latency == 0 ||
	    (!is_any_chosen(t->number + 1, 8) && lines >= MANY))
		return;
	for (size_t i = 0; i < t->misses.n; i++)
		if (t->misses.at[i].missed > 1)
			use_second(t, t->misses.at[i].line * t->line / t->page);
	t->now_tlb++;
}

/* --- prefetcher --- */

/* A site has two places: its own stream is at one of them, or replaces the less recent one. */
static struct timing_stream *find_stream(struct refsim_timing *t, uint32_t site)
{
	uint32_t places = t->machine->core.prefetch_streams;
	size_t place = ms_hash(site, 0) % (places == 0 ? 1 : places);
	size_t other = place == 0 ? 0 : place % 2 == 0 ? place + 1 : place - 1;

	while (t->streams.n <= place || t->streams.n <= other)
		*ms_vec_add(&t->streams) = (struct timing_stream){ .site = NONE };
	struct timing_stream *a = &t->streams.at[place], *b = &t->streams.at[other];
	if (a->site == site || b->site == site)
		return a->site == site ? a : b;
	if (a->site != NONE && b->batch < a->batch)
		a = b;
	ms_vec_free(&a->times);
	*a = (struct timing_stream){ .site = site };
	return a;
}

/* Whether a miss so many lines after the one before continues the stream. */
static bool continues(const struct refsim_timing *t, const struct timing_stream *s, uint64_t line)
{
	const struct ms_machine_core *core = &t->machine->core;
	int64_t distance = (int64_t)(line - s->line);
	uint64_t bytes = (uint64_t)(distance < 0 ? -distance : distance) * t->line;
	uint64_t most = core->prefetch_stride < core->page ? core->prefetch_stride : core->page;

	if (distance == 0 || bytes > most)
		return false;
	if (!core->prefetch_crosses_pages &&
	    line * t->line / t->small_page != s->line * t->line / t->small_page)
		return false;
	if (distance == s->stride)
		return true;
	return distance > 0 ? distance <= 2 && (s->stride == 1 || s->stride == 2)
			    : distance >= -2 && (s->stride == -1 || s->stride == -2);
}

static uint32_t at_most(uint32_t value, uint32_t most)
{
	return value < most ? value : most;
}

/* Whether the site has missed in this region before in this batch. Of 1024 places for regions, the
 * latest miss has its place. */
static bool has_missed_in(const struct refsim_timing *t, uint32_t site, uint64_t number)
{
	enum { PLACES = 1024 };

	for (size_t i = t->regions.n; i-- > 0;) {
		const struct timing_region *r = &t->regions.at[i];

		if (ms_hash(r->number, r->site + 1) % PLACES == ms_hash(number, site + 1) % PLACES)
			return r->site == site && r->number == number;
	}
	return false;
}

/* A far miss. Whether the site has returned to regions often enough before it. */
static bool returns_to_regions(struct refsim_timing *t, struct timing_stream *s, uint64_t line)
{
	enum { LINES = 64, ENOUGH = 8, MOST = 16 };
	uint64_t number = line / LINES;
	bool was_enough = s->returns >= ENOUGH, is_known = has_missed_in(t, s->site, number);

	*ms_vec_add(&t->regions) = (struct timing_region){ s->site, number };
	if (number == s->line / LINES)
		return was_enough;
	if (is_known)
		s->returns = at_most(s->returns + 2, MOST);
	else if (s->returns > 0)
		s->returns--;
	return was_enough;
}

/* How many misses before this one its line was requested; 0: it was not. */
static uint32_t find_lead(struct refsim_timing *t, struct timing_stream *s, uint64_t line,
			  bool is_far)
{
	uint32_t lead = 0;

	if (continues(t, s, line))
		lead = at_most(s->run++, t->distance);
	else
		s->run = 0;
	if (is_far && returns_to_regions(t, s, line) && lead == 0)
		lead = t->distance;
	s->stride = (int64_t)(line - s->line);
	return lead;
}

/* The first miss of a batch: the stream was running meanwhile, at the speed that it had. */
static uint32_t resume(const struct refsim_timing *t, struct timing_stream *s, uint64_t now,
		       bool is_far)
{
	enum { ENOUGH = 8 };

	s->batch = t->replays;
	s->times.n = 0;
	for (uint32_t k = t->distance + 1; k-- > 0;)
		*ms_vec_add(&s->times) = now - k * s->interval;
	if (s->run > 0)
		return s->run = t->distance;
	return is_far && s->returns >= ENOUGH ? t->distance : 0;
}

/* The latest far miss of this line in this batch, of 1024 places for lines; NULL: there is none. */
static const struct timing_flight *far_miss_of(const struct refsim_timing *t, uint64_t line)
{
	enum { PLACES = 1024 };

	for (size_t i = t->flights.n; i-- > 0;) {
		const struct timing_flight *f = &t->flights.at[i];

		if (f->missed > 1 && f->line % PLACES == line % PLACES)
			return f->line == line ? f : NULL;
	}
	return NULL;
}

/* Of the two lines beside this one, on one side, the nearer one that has missed. */
static const struct timing_flight *far_miss_beside(const struct refsim_timing *t, uint64_t line,
						   bool is_before)
{
	const struct timing_flight *f = far_miss_of(t, is_before ? line - 1 : line + 1);

	return f != NULL ? f : far_miss_of(t, is_before ? line - 2 : line + 2);
}

/* Two such misses on one side, whichever sites made them: lines are requested at their speed. */
static bool follows_lines(const struct refsim_timing *t, uint64_t line, uint64_t now,
			  uint64_t *requested)
{
	for (int side = 0; side < 2; side++) {
		bool is_before = side == 0;
		const struct timing_flight *f = far_miss_beside(t, line, is_before);

		f = f == NULL ? NULL : far_miss_beside(t, f->line, is_before);
		if (f == NULL)
			continue;
		uint64_t lines = is_before ? line - f->line : f->line - line;
		uint64_t time = now > f->start ? now - f->start : 0;

		*requested = now - time / lines * t->distance;
		return true;
	}
	return false;
}

/* Returns whether the line was requested before, and when. */
static bool is_requested(struct refsim_timing *t, const struct timing_miss *miss, uint64_t now,
			 uint64_t *requested, bool *is_pair)
{
	bool is_far = miss->missed > 1;
	uint32_t lead;

	*is_pair = false;
	if (t->distance == 0)
		return false;
	struct timing_stream *s = find_stream(t, miss->site);
	if (s->batch != t->replays) {
		lead = resume(t, s, now, is_far);
	} else {
		uint64_t before = s->times.at[s->times.n - 1];

		lead = find_lead(t, s, miss->line, is_far);
		s->interval = (3 * s->interval + (now > before ? now - before : 0)) / 4;
	}
	s->line = miss->line;
	/* Lines are read in pairs; of a stream with a larger stride, the other one is not used. */
	*is_pair = s->run > 1 && (s->stride > 1 || s->stride < -1);
	*ms_vec_add(&s->times) = now;
	*requested = s->times.at[s->times.n - 1 - lead];
	return lead > 0 || (is_far && follows_lines(t, miss->line, now, requested));
}

/* --- misses --- */

/* The time from which on fewer than all miss registers are taken by demand misses so far. */
static uint64_t register_is_free(const struct refsim_timing *t)
{
	uint32_t n = t->machine->core.outstanding;

	n = n == 0 ? MS_ASSUMED_OUTSTANDING : n;
	return t->demand_ends.n >= n ? t->demand_ends.at[n - 1] : 0;
}

/* The list is sorted, the latest first. */
static void take_register(struct refsim_timing *t, uint64_t end)
{
	size_t i = t->demand_ends.n;

	*ms_vec_add(&t->demand_ends) = end;
	for (; i > 0 && t->demand_ends.at[i - 1] < end; i--)
		t->demand_ends.at[i] = t->demand_ends.at[i - 1];
	t->demand_ends.at[i] = end;
}

static void demand(struct refsim_timing *t, uint64_t line, struct timing_flight *f)
{
	uint64_t free = register_is_free(t);

	f->begin = f->begin > free ? f->begin : free;
	f->walk = translate(t, line * t->line, f->begin, &f->is_walk);
	f->end = f->begin + f->walk + f->latency;
	take_register(t, f->end);
}

/* A miss of a line. Returns when it is in the first level. */
static uint64_t miss_line(struct refsim_timing *t, const struct timing_miss *miss, uint64_t start,
			  bool is_store)
{
	struct timing_flight f = { .line = miss->line,
				   .site = miss->site,
				   .data = miss->data,
				   .missed = miss->missed,
				   .is_store = is_store,
				   .start = start,
				   .begin = start,
				   .charged = t->dispatch,
				   .latency = latency_of(t, miss->missed) };
	uint64_t requested;
	bool walks;

	f.is_prefetched = is_requested(t, miss, start, &requested, &f.is_pair);
	if (!f.is_prefetched) {
		demand(t, miss->line, &f);
	} else {
		translate(t, miss->line * t->line, start, &walks);
		/* A stream of stores writes whole lines: they need not be read before. */
		f.end = is_store ? start : requested + f.latency;
		f.end = f.end > start ? f.end : start;
	}
	*ms_vec_add(&t->flights) = f;
	return f.end;
}

/* A hit waits if the line is on its way. Of 256 places for lines, the latest miss has its place. */
static uint64_t hit_line(const struct refsim_timing *t, uint64_t line, uint64_t start)
{
	enum { PLACES = 256 };

	for (size_t i = t->flights.n; i-- > 0;) {
		const struct timing_flight *f = &t->flights.at[i];

		if (ms_hash(f->line, 0) % PLACES != ms_hash(line, 0) % PLACES)
			continue;
		return f->line == line && f->end > start ? f->end : start;
	}
	return start;
}
