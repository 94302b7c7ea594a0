#include "analysis/summary/counts.h"

#include <string.h>

#include "base/num.h"

/* What the real machine's samples of a cell stand for; the result: events. */
static uint64_t count_samples(struct ms_summary_samples *samples, const struct ms_run *run,
			      size_t cell, size_t *at)
{
	uint64_t events = 0;

	for (; *at < run->hardware_samples.n && run->hardware_samples.at[*at].cell == cell; ++*at) {
		const struct ms_run_hardware_sample *s = &run->hardware_samples.at[*at];

		events += s->events;
		samples->n += s->samples;
		samples->events_squares += s->events_squares;
		samples->latency += s->latency;
		samples->latency_squares += s->latency_squares;
	}
	return events;
}

static uint64_t to_cycles(const struct ms_summary_cost *cost, uint64_t ns)
{
	return ms_round_u64((double)ns * cost->ns);
}

/* Measured stall has the mean weight of the simulated one. */
static struct ms_summary_stall measured_stall(const struct ms_summary_cell_counts *c,
					      const struct ms_summary_stall *simulated)
{
	uint64_t cycles = to_cycles(c->cost, c->samples.latency);
	double weight = simulated->cycles > 0 ? simulated->weighted / (double)simulated->cycles : 1;

	return (struct ms_summary_stall){ cycles, (double)cycles * weight };
}

struct ms_summary_cell_counts ms_summary_cell_counts(const struct ms_run *run,
						     const struct ms_summary_cost *cost, size_t i,
						     struct ms_summary_rows *at)
{
	const struct ms_run_cell *cell = &run->cells.at[i];
	size_t first = at->miss;
	struct ms_summary_cell_counts counts = {
		.cell = cell,
		.rw = run->sites.at[cell->site].kind == MS_SITE_WRITE ? MS_WRITES : MS_READS,
		.references = cell->references,
		.cost = cost,
	};

	uint64_t events = count_samples(&counts.samples, run, i, &at->sample);
	if (ms_run_is_measured(run)) {
		counts.references += events;
		counts.stall.cycles = counts.samples.latency;
		return counts;
	}
	while (at->miss < run->misses.n && run->misses.at[at->miss].cell == i)
		at->miss++;
	counts.misses = at->miss > first ? &run->misses.at[first] : NULL;
	counts.n = at->miss - first;
	counts.stall = ms_summary_cost_cell(cost, cell, counts.misses, counts.n);
	if (cost->measured) {
		counts.estimated = counts.stall.cycles;
		counts.stall = measured_stall(&counts, &counts.stall);
	}
	return counts;
}

bool ms_summary_rows_end(const struct ms_run *run, const struct ms_summary_rows *at)
{
	return at->miss == run->misses.n && at->sample == run->hardware_samples.n;
}

void ms_summary_add_measured_compute(struct ms_summary_counts *to,
				     const struct ms_summary_cost *cost,
				     const struct ms_run_hardware_compute *compute)
{
	to->compute += to_cycles(cost, compute->time);
	to->samples.compute += compute->time;
	to->samples.compute_squares += compute->time_squares;
}

bool ms_summary_cell_is_selected(const struct ms_run *run, uint32_t cell, const bool *code,
				 const bool *data)
{
	const struct ms_run_cell *c = &run->cells.at[cell];

	return (data == NULL || data[c->data]) &&
	       (code == NULL || code[run->lines.at[run->sites.at[c->site].line].code]);
}

static void add_samples(struct ms_summary_samples *to, const struct ms_summary_samples *from)
{
	to->n += from->n;
	to->events_squares += from->events_squares;
	to->latency += from->latency;
	to->latency_squares += from->latency_squares;
	to->compute += from->compute;
	to->compute_squares += from->compute_squares;
}

static void add_cycles(struct ms_summary_level_cycles *to,
		       const struct ms_summary_level_cycles *from)
{
	to->exposed += from->exposed;
	to->estimated += from->estimated;
	to->prefetched += from->prefetched;
	to->overlapped += from->overlapped;
}

static void add_dependences(uint64_t *to, const uint64_t *from)
{
	for (int i = 0; i < MS_RUN_DEPENDENCES; i++)
		to[i] += from[i];
}

static void add_timing(struct ms_summary_timing *to, const struct ms_summary_timing *from)
{
	to->walks += from->walks;
	to->walk_cycles += from->walk_cycles;
	to->bandwidth_cycles += from->bandwidth_cycles;
	to->unexplained_cycles += from->unexplained_cycles;
	add_dependences(to->dependences, from->dependences);
}

/* Of an out-of-order core, and for what was measured: why the cell costs what it costs. */
static void add_cell_timing(struct ms_summary_counts *to, const struct ms_summary_cell_counts *c)
{
	struct ms_summary_timing timing = {
		.walks = c->cell->walks,
		.walk_cycles = ms_summary_cost_walks(c->cost, c->cell),
		.bandwidth_cycles = ms_summary_cost_bandwidth(c->cost, c->cell),
	};

	memcpy(timing.dependences, c->cell->dependences, sizeof(timing.dependences));
	add_timing(&to->timing, &timing);
	for (size_t i = 0; i < c->n; i++) {
		struct ms_summary_level_cycles cycles =
			ms_summary_cost_level(c->cost, c->misses, c->n, i);

		add_cycles(&to->levels[c->misses[i].level].cycles, &cycles);
	}
}

void ms_summary_add_cell(struct ms_summary_counts *to, const struct ms_summary_cell_counts *c)
{
	to->used |= c->references > 0 || c->n > 0 || c->samples.n > 0;
	to->references[c->rw] += c->references;
	to->stall[c->rw] += c->stall.cycles;
	to->estimated.stall[c->rw] += c->estimated;
	to->normalised += c->stall.weighted;
	to->upgrades += c->cell->upgrades;
	add_samples(&to->samples, &c->samples);
	if (c->cost->exposed || c->cost->measured)
		add_cell_timing(to, c);
	else if (c->cost->weighs) /* several processors: no more than that is known */
		add_dependences(to->timing.dependences, c->cell->dependences);
	for (size_t i = 0; i < c->n; i++) {
		const struct ms_run_miss *row = &c->misses[i];
		struct ms_summary_level_counts *level = &to->levels[row->level];

		level->misses[c->rw] += ms_summary_miss_count(row);
		for (int k = 0; k < MS_CAUSES; k++)
			level->causes[k] += row->causes[k];
		level->covered += row->covered;
		level->conflict += row->conflict;
		level->capacity += row->capacity;
		level->saved += row->saved;
		level->maybe_saved += row->maybe_saved;
		level->conflict_variance += row->conflict_variance;
		level->capacity_variance += row->capacity_variance;
		level->saved_variance += row->saved_variance;
		level->falsely += row->falsely;
		level->peer += row->peer;
		level->remote += row->remote;
		level->write_backs += row->write_backs;
	}
}

void ms_summary_add_counts(struct ms_summary_counts *to, const struct ms_summary_counts *from,
			   size_t levels)
{
	to->used |= from->used;
	for (int rw = 0; rw < MS_RW; rw++) {
		to->references[rw] += from->references[rw];
		to->stall[rw] += from->stall[rw];
		to->estimated.stall[rw] += from->estimated.stall[rw];
	}
	to->estimated.compute += from->estimated.compute;
	to->instructions += from->instructions;
	to->compute += from->compute;
	add_timing(&to->timing, &from->timing);
	to->upgrades += from->upgrades;
	to->normalised += from->normalised;
	add_samples(&to->samples, &from->samples);
	for (size_t i = 0; i < levels; i++) {
		for (int rw = 0; rw < MS_RW; rw++)
			to->levels[i].misses[rw] += from->levels[i].misses[rw];
		for (int c = 0; c < MS_CAUSES; c++)
			to->levels[i].causes[c] += from->levels[i].causes[c];
		to->levels[i].covered += from->levels[i].covered;
		to->levels[i].conflict += from->levels[i].conflict;
		to->levels[i].capacity += from->levels[i].capacity;
		to->levels[i].saved += from->levels[i].saved;
		to->levels[i].maybe_saved += from->levels[i].maybe_saved;
		to->levels[i].conflict_variance += from->levels[i].conflict_variance;
		to->levels[i].capacity_variance += from->levels[i].capacity_variance;
		to->levels[i].saved_variance += from->levels[i].saved_variance;
		to->levels[i].falsely += from->levels[i].falsely;
		to->levels[i].peer += from->levels[i].peer;
		to->levels[i].remote += from->levels[i].remote;
		to->levels[i].write_backs += from->levels[i].write_backs;
		add_cycles(&to->levels[i].cycles, &from->levels[i].cycles);
	}
}

uint64_t ms_summary_latency(const struct ms_summary_counts *counts, size_t levels)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < levels; i++) {
		const struct ms_summary_level_cycles *c = &counts->levels[i].cycles;

		sum += c->estimated + c->prefetched + c->overlapped;
	}
	return sum;
}

double ms_summary_exposed_share(const struct ms_run *run, const struct ms_summary_counts *counts,
				size_t level)
{
	const struct ms_summary_level_cycles *c = &counts->levels[level].cycles;
	uint64_t all = c->estimated + c->prefetched + c->overlapped;
	bool known = ms_run_is_timed(run) || ms_run_has_measured_time(run);

	return known && all > 0 ? (double)c->exposed / (double)all : 1;
}

uint64_t ms_summary_answered(const struct ms_summary_counts *counts, size_t levels, size_t level)
{
	const struct ms_summary_level_counts *before = &counts->levels[level - 1];
	uint64_t all = ms_summary_rw_sum(before->misses);
	uint64_t others = before->peer + before->remote +
			  (level < levels ? ms_summary_rw_sum(counts->levels[level].misses) : 0);

	return all > others ? all - others : 0;
}

bool ms_summary_counts_empty(const struct ms_summary_counts *counts)
{
	return !counts->used && counts->instructions == 0;
}
