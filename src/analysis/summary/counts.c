#include "analysis/summary/counts.h"

#include <string.h>

/* What the real machine's samples of a cell stand for. */
static void count_samples(struct ms_summary_cell_counts *counts, const struct ms_run *run,
			  size_t cell, size_t *at)
{
	for (; *at < run->hardware_samples.n && run->hardware_samples.at[*at].cell == cell; ++*at) {
		const struct ms_run_hardware_sample *s = &run->hardware_samples.at[*at];

		counts->references += s->events;
		counts->stall.cycles += s->latency;
		counts->samples.n += s->samples;
		counts->samples.events_squares += s->events_squares;
		counts->samples.latency_squares += s->latency_squares;
	}
}

struct ms_summary_cell_counts ms_summary_cell_counts(const struct ms_run *run,
						     const struct ms_summary_cost *cost, size_t i,
						     size_t *at)
{
	const struct ms_run_cell *cell = &run->cells.at[i];
	size_t first = *at;
	struct ms_summary_cell_counts counts = {
		.cell = cell,
		.rw = run->sites.at[cell->site].kind == MS_SITE_WRITE ? MS_WRITES : MS_READS,
		.references = cell->references,
		.cost = cost,
	};

	if (ms_run_is_measured(run)) {
		count_samples(&counts, run, i, at);
		return counts;
	}
	while (*at < run->misses.n && run->misses.at[*at].cell == i)
		++*at;
	counts.misses = *at > first ? &run->misses.at[first] : NULL;
	counts.n = *at - first;
	counts.stall = ms_summary_cost_cell(cost, cell, counts.misses, counts.n);
	return counts;
}

size_t ms_summary_cell_rows(const struct ms_run *run)
{
	return ms_run_is_measured(run) ? run->hardware_samples.n : run->misses.n;
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
	to->latency_squares += from->latency_squares;
}

static void add_cycles(struct ms_summary_level_cycles *to,
		       const struct ms_summary_level_cycles *from)
{
	to->exposed += from->exposed;
	to->prefetched += from->prefetched;
	to->overlapped += from->overlapped;
}

static void add_timing(struct ms_summary_timing *to, const struct ms_summary_timing *from)
{
	to->walks += from->walks;
	to->walk_cycles += from->walk_cycles;
	to->bandwidth_cycles += from->bandwidth_cycles;
	for (int i = 0; i < MS_RUN_DEPENDENCES; i++)
		to->dependences[i] += from->dependences[i];
}

/* Of an out-of-order core: why the cell costs what it costs. */
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
	to->used |= c->references > 0 || c->n > 0;
	to->references[c->rw] += c->references;
	to->stall[c->rw] += c->stall.cycles;
	to->normalised += c->stall.weighted;
	to->upgrades += c->cell->upgrades;
	add_samples(&to->samples, &c->samples);
	if (c->cost->exposed)
		add_cell_timing(to, c);
	for (size_t i = 0; i < c->n; i++) {
		const struct ms_run_miss *row = &c->misses[i];
		struct ms_summary_level_counts *level = &to->levels[row->level];

		level->misses[c->rw] += ms_summary_miss_count(row);
		for (int k = 0; k < MS_CAUSES; k++)
			level->causes[k] += row->causes[k];
		level->covered += row->covered;
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
	}
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

		sum += c->exposed + c->prefetched + c->overlapped;
	}
	return sum;
}

double ms_summary_exposed_share(const struct ms_run *run, const struct ms_summary_counts *counts,
				size_t level)
{
	const struct ms_summary_level_cycles *c = &counts->levels[level].cycles;
	uint64_t all = c->exposed + c->prefetched + c->overlapped;

	return ms_run_is_timed(run) && all > 0 ? (double)c->exposed / (double)all : 1;
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
