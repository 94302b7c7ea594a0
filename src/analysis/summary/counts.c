#include "analysis/summary/counts.h"

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
	};

	if (run->hardware.n > 0) {
		count_samples(&counts, run, i, at);
		return counts;
	}
	while (*at < run->misses.n && run->misses.at[*at].cell == i)
		++*at;
	counts.misses = *at > first ? &run->misses.at[first] : NULL;
	counts.n = *at - first;
	counts.stall = ms_summary_cost_stall(cost, counts.misses, counts.n);
	return counts;
}

size_t ms_summary_cell_rows(const struct ms_run *run)
{
	return run->hardware.n > 0 ? run->hardware_samples.n : run->misses.n;
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

void ms_summary_add_cell(struct ms_summary_counts *to, const struct ms_summary_cell_counts *c)
{
	to->used |= c->references > 0 || c->n > 0;
	to->references[c->rw] += c->references;
	to->stall[c->rw] += c->stall.cycles;
	to->normalised += c->stall.weighted;
	to->upgrades += c->cell->upgrades;
	add_samples(&to->samples, &c->samples);
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
	}
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
