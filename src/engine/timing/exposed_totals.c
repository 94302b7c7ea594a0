/*
 * engine/timing/exposed_totals.c - extrapolates the exposed parts of observed misses to all misses.
 *
 * Each cell and level has the mean of its observed misses. Where none was observed, it has that of
 * the cell's other levels, since what a prefetcher or overlap hides of one level it hides of
 * another; then the mean of the level over all cells; where none was observed at all, misses are
 * exposed completely.
 */
#include "base/mem.h"
#include "engine/engine_priv.h"
#include "engine/timing/timing_state.h"

/* The sums by group of sites, and over all cells. */
struct means {
	const struct ms_timing *timing;
	struct ms_timing_sums sums;  /* cells of sites in one group are added */
	struct ms_timing_level *all; /* by level */
};

static void add_level(struct ms_timing_level *into, const struct ms_timing_level *from)
{
	into->misses += from->misses;
	into->exposed += from->exposed;
	into->prefetched += from->prefetched;
}

static void add_cell(struct ms_timing_cell *into, const struct ms_timing_cell *from)
{
	into->walks += from->walks;
	into->exposed_walks += from->exposed_walks;
	into->waited += from->waited;
	for (unsigned i = 0; i < MS_ENGINE_DEPENDENCES; i++)
		into->dependences[i] += from->dependences[i];
}

static void open_means(struct means *means, const struct ms_timing *timing, const uint32_t *group)
{
	uint32_t levels = timing->config.levels;

	*means = (struct means){ .timing = timing, .all = ms_alloc(levels * sizeof(*means->all)) };
	ms_timing_open_sums(&means->sums, levels);
	for (size_t i = 0; i < timing->sums.cells.n; i++) {
		const struct ms_timing_cell *from = &timing->sums.cells.at[i];
		uint32_t site = group != NULL ? group[from->site] : from->site;
		uint32_t number = ms_timing_get_cell(&means->sums, site, from->data);

		add_cell(&means->sums.cells.at[number], from);
		for (uint32_t l = 0; l < levels; l++) {
			const struct ms_timing_level *row = &timing->sums.rows.at[i * levels + l];

			add_level(&means->sums.rows.at[(size_t)number * levels + l], row);
			add_level(&means->all[l], row);
		}
	}
}

static void close_means(struct means *means)
{
	ms_timing_close_sums(&means->sums);
	ms_free(means->all);
}

/* part * whole / of, of numbers whose product may exceed 64 bits. */
static uint64_t scale(uint64_t part, uint64_t whole, uint64_t of)
{
	return of == 0 ? 0 : (uint64_t)((unsigned __int128)part * whole / of);
}

static uint64_t count_misses(const struct ms_engine_total_miss *miss)
{
	uint64_t n = 0;

	for (unsigned c = 0; c < MS_ENGINE_MISS_CAUSES; c++)
		n += miss->causes[c];
	return n;
}

/* The misses that went no further than this level. */
static uint64_t count_answered(const struct ms_engine_totals *totals, size_t i)
{
	const struct ms_engine_total_miss *miss = &totals->misses.at[i], *next = miss + 1;
	uint64_t n = count_misses(miss), further = 0;

	if (i + 1 < totals->misses.n && next->cell == miss->cell && next->level == miss->level + 1)
		further = count_misses(next);
	return n > further ? n - further : 0;
}

/* What was observed: the latency of some misses, and the parts of it. */
struct observed_part {
	uint64_t whole, exposed, prefetched;
};

static void add_observed(struct observed_part *to, const struct ms_timing_config *config,
			 const struct ms_timing_level *row, uint32_t level)
{
	to->whole += row->misses * config->latency[level + 1];
	to->exposed += row->exposed;
	to->prefetched += row->prefetched;
}

static struct observed_part find_observed(const struct means *means, uint32_t number,
					  uint32_t level)
{
	const struct ms_timing_config *config = &means->timing->config;
	struct observed_part found = { 0 };

	if (number != MS_MAP_NONE) {
		const struct ms_timing_level *rows =
			&means->sums.rows.at[(size_t)number * config->levels];

		if (rows[level].misses > 0)
			add_observed(&found, config, &rows[level], level);
		for (uint32_t l = 0; rows[level].misses == 0 && l < config->levels; l++)
			add_observed(&found, config, &rows[l], l);
	}
	if (found.whole == 0)
		add_observed(&found, config, &means->all[level], level);
	return found;
}

static void set_miss(const struct means *means, uint32_t number, struct ms_engine_total_miss *miss,
		     uint64_t answered)
{
	struct observed_part observed = find_observed(means, number, miss->level);
	uint64_t units = answered * MS_ENGINE_MISS_UNIT;

	miss->exposed = observed.whole > 0 ? scale(observed.exposed, units, observed.whole) : units;
	miss->prefetched = scale(observed.prefetched, units, observed.whole);
}

static void set_dependences(const struct ms_timing_cell *sums, struct ms_engine_total_cell *cell,
			    uint64_t misses, uint64_t observed)
{
	for (unsigned i = 0; i < MS_ENGINE_DEPENDENCES; i++)
		cell->dependences[i] = scale(sums->dependences[i], misses, observed);
}

/* What depends on the cell as a whole is scaled by its misses of the first level. */
static void set_cell(const struct means *means, uint32_t number, struct ms_engine_total_cell *cell,
		     uint64_t misses)
{
	const struct ms_timing_config *config = &means->timing->config;
	const struct ms_timing_cell *sums = &means->sums.cells.at[number];
	uint64_t observed = 0;

	for (unsigned i = 0; i < MS_ENGINE_DEPENDENCES; i++)
		observed += sums->dependences[i];
	set_dependences(sums, cell, misses, observed);
	if (means->timing->addresses_only)
		return;
	cell->walks = scale(sums->walks, misses, observed);
	cell->exposed_walks =
		config->walk_latency == 0
			? 0
			: scale(sums->exposed_walks * MS_ENGINE_MISS_UNIT / config->walk_latency,
				misses, observed);
	if (config->read_transfer > 0)
		cell->waited_bytes =
			scale(sums->waited * config->transfer_line / config->read_transfer, misses,
			      observed);
}

static void list_compute(const struct ms_timing *timing, struct ms_engine_totals *totals)
{
	for (size_t i = 0; i < timing->compute.n; i++) {
		const struct ms_timing_compute *compute = &timing->compute.at[i];

		if (compute->instructions > 0)
			*ms_vec_add(&totals->compute) = (struct ms_engine_total_compute){
				.block = (uint32_t)i,
				.instructions = compute->instructions,
				.cycles =
					scale(compute->ticks, MS_ENGINE_MISS_UNIT, MS_TIMING_TICKS),
			};
	}
}

void ms_timing_add_totals(const struct ms_engine *engine, const uint32_t *group,
			  struct ms_engine_totals *totals)
{
	struct means means;

	if (engine->timing == NULL)
		return;
	open_means(&means, engine->timing, group);
	for (size_t i = 0; i < totals->misses.n; i++) {
		struct ms_engine_total_miss *miss = &totals->misses.at[i];
		struct ms_engine_total_cell *cell = &totals->cells.at[miss->cell];
		uint32_t number = ms_map_get(&means.sums.index, cell->site, cell->data);

		if (!engine->timing->addresses_only)
			set_miss(&means, number, miss, count_answered(totals, i));
		if (miss->level == 0 && number != MS_MAP_NONE)
			set_cell(&means, number, cell, count_misses(miss));
	}
	if (!engine->timing->addresses_only)
		list_compute(engine->timing, totals);
	close_means(&means);
}
