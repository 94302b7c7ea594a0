/*
 * tests/engine/refsim_timing_totals.c - a part of refsim_timing.c: what was observed, extrapolated
 * to all misses that the caches have counted.
 */

/* part * all / observed */
static uint64_t extrapolate(uint64_t part, uint64_t all, uint64_t observed)
{
	return observed == 0 ? 0 : (uint64_t)((unsigned __int128)part * all / observed);
}

static uint64_t misses_of(const struct refsim *refsim, uint32_t site, uint32_t data, uint32_t level)
{
	struct refsim_key key = { .site = site, .data = data, .level = level };
	double n = 0;

	for (int cause = SLOW_FIRST; cause <= SLOW_INVALIDATION; cause++)
		n += refsim_count(refsim, (enum refsim_what)cause, key);
	return (uint64_t)n;
}

static const struct timing_cell *observed_cell(const struct refsim_timing *t, uint32_t site,
					       uint32_t data)
{
	for (size_t i = 0; i < t->cells.n; i++)
		if (t->cells.at[i].site == site && t->cells.at[i].data == data)
			return &t->cells.at[i];
	return NULL;
}

struct observed_part {
	uint64_t latency, exposed, prefetched;
};

static void add_observed(struct observed_part *sum, const struct refsim_timing *t,
			 const struct timing_cell *cell, uint32_t level)
{
	sum->latency += cell->level[level].misses * latency_of(t, level + 1);
	sum->exposed += cell->level[level].exposed;
	sum->prefetched += cell->level[level].prefetched;
}

/* The cell's own misses; where none was observed, those of its other levels; or those of all
 * cells. */
static struct observed_part observed_level(const struct refsim_timing *t,
					   const struct timing_cell *cell, uint32_t level)
{
	struct observed_part sum = { 0, 0, 0 };

	if (cell != NULL && cell->level[level].misses > 0) {
		add_observed(&sum, t, cell, level);
		return sum;
	}
	for (uint32_t l = 0; cell != NULL && l < t->levels; l++)
		add_observed(&sum, t, cell, l);
	if (sum.latency > 0)
		return sum;
	for (size_t i = 0; i < t->cells.n; i++)
		add_observed(&sum, t, &t->cells.at[i], level);
	return sum;
}

struct refsim_timed_level refsim_timed_level(const struct refsim *refsim, uint32_t site,
					     uint32_t data, uint32_t level)
{
	const struct refsim_timing *t = refsim->timing;
	struct observed_part seen = observed_level(t, observed_cell(t, site, data), level);
	uint64_t missed = misses_of(refsim, site, data, level);
	uint64_t further = level + 1 < t->levels ? misses_of(refsim, site, data, level + 1) : 0;
	uint64_t units = missed > further ? (missed - further) * MS_ENGINE_MISS_UNIT : 0;

	return (struct refsim_timed_level){
		.exposed =
			seen.latency == 0 ? units : extrapolate(seen.exposed, units, seen.latency),
		.prefetched = extrapolate(seen.prefetched, units, seen.latency),
	};
}

struct refsim_timed_cell refsim_timed_cell(const struct refsim *refsim, uint32_t site,
					   uint32_t data)
{
	const struct refsim_timing *t = refsim->timing;
	const struct ms_machine_core *core = &t->machine->core;
	const struct timing_cell *cell = observed_cell(t, site, data);
	uint64_t all = misses_of(refsim, site, data, 0), observed = 0;
	uint64_t walk = (uint64_t)core->walk_latency * TICKS;
	uint64_t bytes = t->machine->levels.at[t->levels - 1].line, transfer = 0;
	struct refsim_timed_cell timed = { 0 };

	if (cell == NULL || all == 0)
		return timed;
	for (unsigned i = 0; i < MS_ENGINE_DEPENDENCES; i++)
		observed += cell->dependences[i];
	for (unsigned i = 0; i < MS_ENGINE_DEPENDENCES; i++)
		timed.dependences[i] = extrapolate(cell->dependences[i], all, observed);
	timed.walks = extrapolate(cell->walks, all, observed);
	if (walk > 0)
		timed.exposed_walks = extrapolate(cell->exposed_walks * MS_ENGINE_MISS_UNIT / walk,
						  all, observed);
	if (core->bandwidth_milli > 0)
		transfer = bytes * 1000 * TICKS / core->bandwidth_milli;
	if (transfer > 0)
		timed.waited_bytes = extrapolate(cell->waited * bytes / transfer, all, observed);
	return timed;
}

struct refsim_timed_block refsim_timed_block(const struct refsim *refsim, uint32_t block)
{
	const struct timing_compute *c = &refsim->timing->compute[block];

	return (struct refsim_timed_block){
		.instructions = c->instructions,
		.cycles = extrapolate(c->ticks, MS_ENGINE_MISS_UNIT, TICKS),
	};
}
