#include "analysis/evidence/bins.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/summary/mpi_code.h"
#include "base/map.h"
#include "base/mem.h"

/* The last level transfers faster than memory, by about this factor (docs/design/timing.md). */
#define CACHE_BANDWIDTH 1.5
/* First-level misses that processors of today have in flight, if no address depends on another. */
#define IN_FLIGHT 20
/* Of the instructions of a small loop. */
enum { LOOP_BYTES = 64 };

static struct ms_evidence_bin of_entry(const struct ms_summary *s, const struct ms_summary_entry *e)
{
	const struct ms_summary_counts *c = &e->counts;
	size_t levels = s->run->levels.n;
	struct ms_evidence_bin bin = {
		.code = e->code,
		.data = e->data,
		.line = MS_NONE,
		.site = MS_NONE,
		.stall = (double)ms_summary_rw_sum(c->stall),
		.walks = (double)c->timing.walk_cycles,
		.bandwidth = (double)c->timing.bandwidth_cycles,
		.reads = (double)c->stall[MS_READS],
		.references = (double)ms_summary_rw_sum(c->references),
		.writes = (double)c->references[MS_WRITES],
	};
	double all = 0, own = 1;

	bin.latency = bin.stall - bin.walks - bin.bandwidth;
	if (bin.latency < 0)
		bin.latency = 0;
	if (levels > 0) {
		bin.first_misses = (double)ms_summary_rw_sum(c->levels[0].misses);
		bin.last_misses = (double)ms_summary_rw_sum(c->levels[levels - 1].misses);
		bin.first_uses = (double)c->levels[levels - 1].causes[MS_CAUSE_FIRST];
		if (bin.first_misses > 0)
			own -= (double)c->levels[0].causes[MS_CAUSE_INVALIDATED] / bin.first_misses;
		bin.whole_latency = (double)ms_summary_latency(c, levels);
	}
	bin.least_misses = bin.first_misses;
	for (size_t i = 0; i < levels; i++) {
		double misses = (double)ms_summary_rw_sum(c->levels[i].misses);

		bin.prefetched += (double)c->levels[i].cycles.prefetched;
		if (i > 0 && misses > 0 && misses < bin.least_misses)
			bin.least_misses = misses;
	}
	for (size_t i = 0; i < MS_RUN_DEPENDENCES; i++)
		all += (double)c->timing.dependences[i];
	for (size_t i = 0; i < MS_RUN_DEPENDENCES && all > 0; i++)
		bin.dependences[i] = own * (double)c->timing.dependences[i] / all;
	return bin;
}

/* What only the figures of single instructions have: accessed bytes, and the line that stalls the
 * most. weight: of the heaviest instruction so far. */
static void add_cell(struct ms_evidence_bin *bin, const struct ms_run *run,
		     const struct ms_summary_cell_counts *c, double *most)
{
	const struct ms_run_site *site = &run->sites.at[c->cell->site];
	double weight = (double)c->stall.cycles * 1e3 + (double)c->references * 1e-3;

	bin->bytes += (double)c->references * site->size;
	if (c->n > 0 && c->misses[0].level == 0 && bin->first_misses > 0)
		bin->conflicts += (double)c->misses[0].conflict / bin->first_misses;
	if (bin->line == MS_NONE || weight > *most) {
		*most = weight;
		bin->line = site->line;
		bin->site = c->cell->site;
	}
}

/* Puts the cells of each bin together, so that findings read only those. Returns the bin of each
 * cell. */
static uint32_t *place_cells(struct ms_evidence_bins *bins, const struct ms_map *numbers)
{
	const struct ms_run *run = bins->summary->run;
	uint32_t *bin_of = ms_alloc((run->cells.n + 1) * sizeof(*bin_of)), first = 0;

	for (size_t i = 0; i < run->cells.n; i++) {
		uint32_t line = run->sites.at[run->cells.at[i].site].line;

		bin_of[i] = ms_map_get(numbers, run->lines.at[line].code, run->cells.at[i].data);
		if (bin_of[i] != MS_MAP_NONE)
			bins->at.at[bin_of[i]].n_cells++;
	}
	for (size_t i = 0; i < bins->at.n; i++) {
		bins->at.at[i].first_cell = first;
		first += bins->at.at[i].n_cells;
		bins->at.at[i].n_cells = 0;
	}
	bins->cells = ms_alloc((first + 1) * sizeof(*bins->cells));
	return bin_of;
}

static void add_cells(struct ms_evidence_bins *bins, const struct ms_map *numbers)
{
	const struct ms_run *run = bins->summary->run;
	struct ms_summary_rows rows = { 0, 0 };
	double *most = ms_alloc((bins->at.n + 1) * sizeof(*most));
	uint32_t *bin_of = place_cells(bins, numbers);

	for (size_t i = 0; i < run->cells.n; i++) {
		struct ms_evidence_cell cell = { i, rows };
		struct ms_summary_cell_counts c =
			ms_summary_cell_counts(run, &bins->summary->cost, i, &rows);

		if (bin_of[i] == MS_MAP_NONE)
			continue;
		struct ms_evidence_bin *bin = &bins->at.at[bin_of[i]];

		add_cell(bin, run, &c, &most[bin_of[i]]);
		bins->cells[bin->first_cell + bin->n_cells++] = cell;
	}
	ms_free(bin_of);
	ms_free(most);
}

static int compare_stall(const void *a, const void *b)
{
	const struct ms_evidence_bin *x = a, *y = b;

	if (x->stall != y->stall)
		return x->stall < y->stall ? 1 : -1;
	if (x->references != y->references)
		return x->references < y->references ? 1 : -1;
	if (x->code != y->code)
		return x->code > y->code ? 1 : -1;
	return (x->data > y->data) - (x->data < y->data);
}

/* What polls for other ranks of MPI stops when they are ready: no remedy here saves its time. */
static void add_bins(struct ms_evidence_bins *bins, const enum ms_summary_mpi *roles,
		     struct ms_map *numbers)
{
	const struct ms_summary *s = bins->summary;
	double *compute = ms_alloc((s->run->codes.n + 1) * sizeof(*compute));

	for (size_t i = 0; i < s->code.at.n; i++)
		compute[s->code.at.at[i].code] = (double)s->code.at.at[i].counts.compute;
	for (size_t i = 0; i < s->bins.at.n; i++) {
		const struct ms_summary_entry *e = &s->bins.at.at[i];

		if (roles[e->code] == MS_SUMMARY_MPI_WAITING)
			continue;
		*ms_map_at(numbers, e->code, e->data) = (uint32_t)bins->at.n;
		struct ms_evidence_bin *bin = ms_vec_add(&bins->at);
		*bin = of_entry(s, e);
		bin->compute = compute[e->code];
	}
	ms_free(compute);
}

void ms_evidence_bins_make(struct ms_evidence_bins *bins, const struct ms_summary *s)
{
	enum ms_summary_mpi *roles = ms_alloc((s->run->codes.n + 1) * sizeof(*roles));
	struct ms_map numbers = MS_MAP_INIT;

	ms_summary_find_mpi(s->run, roles);
	struct ms_summary_mpi_waiting polled = ms_summary_sum_mpi_waiting(s, roles);

	*bins = (struct ms_evidence_bins){
		.summary = s,
		.compute = (double)(s->total.counts.compute - polled.compute),
		.stall = (double)(ms_summary_rw_sum(s->total.counts.stall) - polled.stall),
	};
	add_bins(bins, roles, &numbers);
	ms_free(roles);
	add_cells(bins, &numbers);
	ms_map_free(&numbers);
	if (bins->at.n > 0)
		qsort(bins->at.at, bins->at.n, sizeof(*bins->at.at), compare_stall);
}

void ms_evidence_bins_free(struct ms_evidence_bins *bins)
{
	ms_free(bins->cells);
	ms_vec_free(&bins->at);
}

static void add(struct ms_evidence_bin *to, const struct ms_evidence_bin *more)
{
	double misses = to->first_misses + more->first_misses;

	for (size_t i = 0; i < MS_RUN_DEPENDENCES && misses > 0; i++)
		to->dependences[i] = (to->dependences[i] * to->first_misses +
				      more->dependences[i] * more->first_misses) /
				     misses;
	if (misses > 0)
		to->conflicts =
			(to->conflicts * to->first_misses + more->conflicts * more->first_misses) /
			misses;
	to->stall += more->stall;
	to->latency += more->latency;
	to->walks += more->walks;
	to->bandwidth += more->bandwidth;
	to->reads += more->reads;
	to->compute += more->compute;
	to->whole_latency += more->whole_latency;
	to->prefetched += more->prefetched;
	to->least_misses += more->least_misses;
	to->references += more->references;
	to->writes += more->writes;
	to->bytes += more->bytes;
	to->first_misses = misses;
	to->last_misses += more->last_misses;
	to->first_uses += more->first_uses;
}

struct ms_evidence_bin ms_evidence_of_data(const struct ms_evidence_bins *bins, uint32_t data)
{
	struct ms_evidence_bin all = {
		.code = MS_NONE, .data = data, .line = MS_NONE, .site = MS_NONE
	};

	for (size_t i = 0; i < bins->at.n; i++) {
		const struct ms_evidence_bin *bin = &bins->at.at[i];

		if (bin->data != data)
			continue;
		if (all.code == MS_NONE) {
			all.code = bin->code;
			all.line = bin->line;
			all.site = bin->site;
			all.first_cell = bin->first_cell;
			all.n_cells = bin->n_cells;
		}
		add(&all, bin);
	}
	return all;
}

struct ms_line_use_access ms_evidence_find_access(const struct ms_evidence_bins *bins,
						  const struct ms_evidence_bin *bin)
{
	const struct ms_run *run = bins->summary->run;
	struct ms_line_use_counts counts;

	ms_line_use_counts_make(&counts, run);
	for (size_t i = 0; i < bin->n_cells; i++)
		ms_line_use_count_cell(&counts,
				       &run->cells.at[bins->cells[bin->first_cell + i].cell]);
	return ms_line_use_counts_end(&counts, run);
}

bool ms_evidence_is_near(const struct ms_evidence_bins *bins, const struct ms_evidence_bin *a,
			 const struct ms_evidence_bin *b)
{
	const struct ms_run *run = bins->summary->run;

	if (a->code == b->code)
		return true;
	if (a->site == MS_NONE || b->site == MS_NONE ||
	    strcmp(run->codes.at[a->code].module, run->codes.at[b->code].module) != 0)
		return false;
	uint64_t x = run->sites.at[a->site].offset, y = run->sites.at[b->site].offset;

	return (x > y ? x - y : y - x) < LOOP_BYTES;
}

/* By line of the run: references of a bin, and its misses of the first level. */
struct misses_of_line {
	double references, misses;
};

static struct ms_summary_cell_counts counts_of(const struct ms_evidence_bins *bins,
					       const struct ms_evidence_bin *bin, size_t i)
{
	struct ms_evidence_cell cell = bins->cells[bin->first_cell + i];

	return ms_summary_cell_counts(bins->summary->run, &bins->summary->cost, cell.cell,
				      &cell.rows);
}

static struct misses_of_line *count_lines(const struct ms_evidence_bins *bins,
					  const struct ms_evidence_bin *bin)
{
	const struct ms_run *run = bins->summary->run;
	struct misses_of_line *lines = ms_alloc((run->lines.n + 1) * sizeof(*lines));

	for (size_t i = 0; i < bin->n_cells; i++) {
		struct ms_summary_cell_counts c = counts_of(bins, bin, i);
		struct misses_of_line *line = &lines[run->sites.at[c.cell->site].line];

		line->references += (double)c.references;
		for (size_t k = 0; k < MS_CAUSES && c.n > 0 && c.misses[0].level == 0; k++)
			line->misses += (double)c.misses[0].causes[k];
	}
	return lines;
}

struct ms_evidence_bin ms_evidence_of_missing_lines(const struct ms_evidence_bins *bins,
						    const struct ms_evidence_bin *bin,
						    double misses)
{
	const struct ms_run *run = bins->summary->run;
	struct ms_summary_entry entry = { .code = bin->code, .data = bin->data };
	struct misses_of_line *lines = count_lines(bins, bin);

	entry.counts.levels = ms_alloc((run->levels.n + 1) * sizeof(*entry.counts.levels));
	struct ms_evidence_bin part, single = { .line = MS_NONE, .site = MS_NONE };
	double most = 0;

	for (size_t i = 0; i < bin->n_cells; i++) {
		struct ms_summary_cell_counts c = counts_of(bins, bin, i);
		const struct misses_of_line *line = &lines[run->sites.at[c.cell->site].line];

		if (line->misses < misses * line->references)
			continue;
		ms_summary_add_cell(&entry.counts, &c);
		add_cell(&single, run, &c, &most);
	}
	ms_free(lines);
	part = of_entry(bins->summary, &entry);
	ms_free(entry.counts.levels);
	part.first_cell = bin->first_cell;
	part.n_cells = bin->n_cells;
	part.compute = bin->compute;
	part.bytes = single.bytes;
	part.line = single.line;
	part.site = single.site;
	part.conflicts = bin->conflicts;
	return part;
}

/* Stores of whole lines may leave out the first level: the level with the most counts. */
double ms_evidence_touched_entry(const struct ms_run *run, const struct ms_summary_entry *entry)
{
	double most = 0;

	for (size_t l = 0; l < run->levels.n; l++) {
		double bytes = (double)entry->counts.levels[l].causes[MS_CAUSE_FIRST] *
			       run->levels.at[l].line;

		most = bytes > most ? bytes : most;
	}
	return most;
}

double ms_evidence_touched(const struct ms_evidence_bins *bins, uint32_t data)
{
	const struct ms_summary *s = bins->summary;
	double most = 0;

	for (size_t i = 0; i < s->data.at.n; i++)
		if (s->data.at.at[i].data == data)
			most = fmax(most, ms_evidence_touched_entry(s->run, &s->data.at.at[i]));
	return most;
}

double ms_evidence_streamed(const struct ms_evidence_bins *bins, const struct ms_evidence_bin *bin,
			    double bytes)
{
	const struct ms_summary *s = bins->summary;
	double line = s->run->levels.n > 0 ? s->run->levels.at[0].line : 64;
	double fetched = bin->first_misses * line;
	double far = bin->first_misses > 0 ? bin->last_misses / bin->first_misses : 0;

	if (bytes > fetched)
		bytes = fetched;
	if (!s->cost.exposed || s->cost.byte <= 0)
		return fetched > 0 ? bin->stall * bytes / fetched : 0;
	double transfer = bytes * s->cost.byte * (far + (1 - far) / CACHE_BANDWIDTH);

	return transfer > bin->compute ? transfer - bin->compute : 0;
}

double ms_evidence_overlapped(const struct ms_evidence_bins *bins,
			      const struct ms_evidence_bin *bin)
{
	if (!bins->summary->cost.exposed)
		return bin->latency;
	double busy = (bin->whole_latency - bin->prefetched) / IN_FLIGHT;

	return busy > bin->compute ? busy - bin->compute : 0;
}
