/* analysis/counts.c - cells and entries added to entries. */
#include "analysis/summary.h"

struct ms_cell_counts ms_cell_counts(const struct ms_run *run, const struct ms_cost *cost, size_t i,
				     size_t *at)
{
	const struct ms_run_cell *cell = &run->cells.at[i];
	size_t first = *at;

	while (*at < run->misses.n && run->misses.at[*at].cell == i)
		++*at;
	struct ms_cell_counts counts = {
		.cell = cell,
		.rw = run->sites.at[cell->site].kind == MS_SITE_WRITE ? MS_WRITES : MS_READS,
		.misses = *at > first ? &run->misses.at[first] : NULL,
		.n = *at - first,
	};
	counts.stall = ms_cost_stall(cost, counts.misses, counts.n);
	return counts;
}

void ms_counts_add_cell(struct ms_counts *to, const struct ms_cell_counts *c)
{
	to->references[c->rw] += c->cell->references;
	to->stall[c->rw] += c->stall.cycles;
	to->normalised += c->stall.weighted;
	to->upgrades += c->cell->upgrades;
	for (size_t i = 0; i < c->n; i++) {
		const struct ms_run_miss *row = &c->misses[i];
		struct ms_level_counts *level = &to->levels[row->level];

		level->misses[c->rw] += ms_miss_count(row);
		for (int k = 0; k < MS_CAUSES; k++)
			level->causes[k] += row->causes[k];
		level->covered += row->covered;
		level->falsely += row->falsely;
		level->peer += row->peer;
		level->remote += row->remote;
		level->write_backs += row->write_backs;
	}
}

void ms_counts_add(struct ms_counts *to, const struct ms_counts *from, size_t levels)
{
	for (int rw = 0; rw < MS_RW; rw++) {
		to->references[rw] += from->references[rw];
		to->stall[rw] += from->stall[rw];
	}
	to->instructions += from->instructions;
	to->upgrades += from->upgrades;
	to->normalised += from->normalised;
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

uint64_t ms_counts_answered(const struct ms_counts *counts, size_t levels, size_t level)
{
	const struct ms_level_counts *before = &counts->levels[level - 1];
	uint64_t all = ms_both(before->misses);
	uint64_t others = before->peer + before->remote +
			  (level < levels ? ms_both(counts->levels[level].misses) : 0);

	return all > others ? all - others : 0;
}
