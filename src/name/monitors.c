/*
 * name/monitors.c - adds the samples of virtual performance monitors to a run: the samples of
 * each monitored engine become rows of the run of its machine.
 */
#include <stdlib.h>

#include "base/num.h"
#include "engine/simulated_pmu/pmu.h"
#include "name/name_priv.h"

static const uint32_t events[] = {
	[MS_PMU_MISSES] = MS_RUN_PMU_MISSES,
	[MS_PMU_EVICTIONS] = MS_RUN_PMU_EVICTIONS,
	[MS_PMU_LATENCY] = MS_RUN_PMU_LATENCY,
};

static uint64_t misses_of(const struct ms_engine_total_miss *row)
{
	uint64_t count = 0;

	for (unsigned c = 0; c < MS_ENGINE_MISS_CAUSES; c++)
		count += row->causes[c];
	return count;
}

/* Cycles waited: of each miss those of the level that answered. */
static uint64_t waited(const struct ms_engine_totals *totals, const struct ms_run *run)
{
	uint64_t cycles = 0;

	for (size_t i = 0; i < totals->misses.n; i++) {
		const struct ms_engine_total_miss *row = &totals->misses.at[i];
		bool further = i + 1 < totals->misses.n && row[1].cell == row->cell &&
			       row[1].level == row->level + 1;
		uint64_t count = misses_of(row), beyond = further ? misses_of(&row[1]) : 0;
		uint32_t latency = row->level + 1 < run->levels.n
					   ? run->levels.at[row->level + 1].latency
					   : run->memory_latency;

		cycles += count > beyond ? (count - beyond) * latency : 0;
	}
	return cycles;
}

/* The run's cell of a sample. It exists, because both engines process the same references. */
static uint32_t cell_of(const struct ms_engine_totals *totals, uint32_t site, uint32_t data)
{
	size_t from = 0, to = totals->cells.n;

	while (to - from > 1) {
		size_t middle = from + (to - from) / 2;
		const struct ms_engine_total_cell *cell = &totals->cells.at[middle];

		if (cell->site < site || (cell->site == site && cell->data <= data))
			from = middle;
		else
			to = middle;
	}
	return (uint32_t)from;
}

struct pmu_rows {
	struct ms_run *run;
	struct ms_name_state *naming;
	const struct ms_engine_totals *clean;
	struct ms_engine_totals disturbed;
	struct ms_pmu_totals seen;
	uint32_t number; /* of the monitor in the run */
};

static void add_pmu(const struct pmu_rows *r, const struct ms_pmu_config *pmu)
{
	const struct ms_pmu_totals *seen = &r->seen;
	uint64_t instructions = r->run->instructions;

	*ms_vec_add(&r->run->pmus) = (struct ms_run_pmu){
		.event = events[pmu->event],
		.level = pmu->event == MS_PMU_LATENCY && pmu->level == 0 ? MS_NONE : pmu->level,
		.period = seen->period,
		.adaptive = pmu->period == 0,
		.wish = pmu->period == 0 ? pmu->wish : 0,
		.seed = pmu->seed,
		.cost = pmu->cost,
		.events = seen->events,
		.interrupts = seen->interrupts,
		.effective = seen->effective,
		.handler_instructions = seen->handler_instructions,
		.handler_references = seen->handler_references,
		.cycles = instructions + waited(&r->disturbed, r->run) +
			  seen->interrupts * pmu->cost + seen->handler_instructions +
			  seen->handler_waited,
		.clean_cycles = instructions + waited(r->clean, r->run),
	};
}

static void add_levels(const struct pmu_rows *r)
{
	size_t first = r->run->pmu_levels.n;

	for (uint32_t l = 0; l < r->run->levels.n; l++)
		*ms_vec_add(&r->run->pmu_levels) = (struct ms_run_pmu_level){
			.pmu = r->number, .level = l, .monitor_misses = r->seen.handler_misses.at[l]
		};
	for (size_t i = 0; i < r->disturbed.misses.n; i++) {
		const struct ms_engine_total_miss *row = &r->disturbed.misses.at[i];

		r->run->pmu_levels.at[first + row->level].misses += misses_of(row);
	}
}

static void add_samples(const struct pmu_rows *r)
{
	for (size_t i = 0; i < r->seen.samples.n; i++) {
		const struct ms_pmu_sample *s = &r->seen.samples.at[i];
		bool program = s->victim != MS_PMU_NO_DATA && s->victim != MS_BOUND_MONITOR;

		*ms_vec_add(&r->run->pmu_samples) = (struct ms_run_pmu_sample){
			.pmu = r->number,
			.cell = cell_of(r->clean, s->site, s->data),
			.victim = program ? ms_name_data(r->naming, s->victim) : MS_NONE,
			.count = s->count,
			.events = s->events,
			.latency = s->latency,
			.monitor = s->victim == MS_BOUND_MONITOR ? s->count : 0,
		};
	}
}

static int by_pmu_cell_victim(const void *a, const void *b)
{
	const struct ms_run_pmu_sample *x = a, *y = b;
	int c = ms_cmp_u64(x->pmu, y->pmu);

	if (c == 0)
		c = ms_cmp_u64(x->cell, y->cell);
	return c != 0 ? c : ms_cmp_u64(x->victim, y->victim);
}

/* No victim, and one of the handler's own, are one row. */
static void join_samples(struct ms_run *run)
{
	size_t kept = 0;

	if (run->pmu_samples.n > 1)
		qsort(run->pmu_samples.at, run->pmu_samples.n, sizeof(*run->pmu_samples.at),
		      by_pmu_cell_victim);
	for (size_t i = 0; i < run->pmu_samples.n; i++) {
		const struct ms_run_pmu_sample *s = &run->pmu_samples.at[i];
		struct ms_run_pmu_sample *last = &run->pmu_samples.at[kept > 0 ? kept - 1 : 0];

		if (kept == 0 || by_pmu_cell_victim(last, s) != 0) {
			run->pmu_samples.at[kept++] = *s;
			continue;
		}
		last->count += s->count;
		last->events += s->events;
		last->latency += s->latency;
		last->monitor += s->monitor;
	}
	run->pmu_samples.n = kept;
}

void ms_name_add_pmus(struct ms_name_state *n, const struct ms_engine_totals *totals)
{
	for (size_t i = 0; i < n->from.pmu_count; i++) {
		struct ms_engine *engine = n->from.pmu_engines[i];
		struct pmu_rows r = {
			.run = n->run, .naming = n, .clean = totals, .number = (uint32_t)i
		};

		ms_engine_compute_totals(engine, &r.disturbed);
		ms_pmu_get_totals(engine, &r.seen);
		add_pmu(&r, &n->from.pmus[i]);
		add_levels(&r);
		add_samples(&r);
		ms_engine_free_totals(&r.disturbed);
		ms_pmu_free_totals(&r.seen);
	}
	join_samples(n->run);
}
