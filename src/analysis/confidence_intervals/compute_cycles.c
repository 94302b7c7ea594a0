/*
 * analysis/confidence_intervals/compute_cycles.c - intervals of the compute cycles of a sampled
 * run.
 *
 * Windows store parts of references, not of instructions. But a source line executes its
 * instructions around its references. So the compute cycles of a line are distributed over the
 * parts like its references; those of a line without references like the references of its
 * function. The variation of these figures between parts, per reference of the run, is that of a
 * ratio of two sums, as for all other figures. The interval is a quarter wider because it is
 * derived from references, as in design_effect.h.
 *
 * A stretch that is shorter than the distance of two windows may be in no window, for example the
 * first and the last one of a program. So an entry may have the length of a window more, or less.
 *
 * Code without references has no such figures. An entry with no other code has no interval; else
 * this code counts from nothing to twice as much.
 *
 * Instructions are known where executions between windows were counted, and where the whole time
 * was simulated. Not considered: a line may execute other paths in other windows.
 */
#include <math.h>

#include "analysis/confidence_intervals/design_effect.h"
#include "analysis/confidence_intervals/intervals_priv.h"
#include "analysis/confidence_intervals/part_weights.h"
#include "base/compiler.h"
#include "base/mem.h"

struct compute_maker {
	const struct ms_run *run;
	size_t rows;
	uint32_t parts;
	struct ms_map by_line; /* line and processor -> row; of several processors */
	double *of_rows;       /* references by row, then part */
	double *of_codes;      /* by code, then part */
	double *all;           /* by part */
};

/* --- rows: instructions of a line, on a processor --- */

size_t ms_intervals_compute_rows(const struct ms_run *run)
{
	if (run->samplings.n == 0)
		return 0;
	return run->processors > 1 ? run->line_times.n : run->lines.n;
}

struct ms_intervals_compute_row ms_intervals_compute_row(const struct ms_run *run, size_t row)
{
	const bool timed = ms_run_is_timed(run);

	if (run->processors > 1) {
		const struct ms_run_line_time *t = &run->line_times.at[row];

		return (struct ms_intervals_compute_row){
			t->line, t->processor, (double)(timed ? t->cycles : t->instructions)
		};
	}
	const struct ms_run_line *line = &run->lines.at[row];

	return (struct ms_intervals_compute_row){
		(uint32_t)row, 0, (double)(timed ? line->cycles : line->instructions)
	};
}

bool ms_intervals_compute_is_known(const struct ms_run *run)
{
	const struct ms_run_sampling *s = &run->samplings.at[0];

	if (run->processors > 1)
		return false;
	if (s->time_scale == 1)
		return true;
	double *cells = ms_intervals_cell_factors(run),
	       *ones = ms_intervals_unit_factors(run, cells);
	bool counted = s->exact && ones != NULL;

	ms_free(cells);
	ms_free(ones);
	return counted;
}

static uint32_t row_of(const struct compute_maker *m, const struct ms_run_cell *cell)
{
	uint32_t line = m->run->sites.at[cell->site].line;

	return m->run->processors > 1 ? ms_map_get(&m->by_line, line, cell->processor) : line;
}

static void add_references(struct compute_maker *m)
{
	const struct ms_run *run = m->run;

	for (size_t i = 0; run->processors > 1 && i < m->rows; i++)
		*ms_map_at(&m->by_line, run->line_times.at[i].line,
			   run->line_times.at[i].processor) = (uint32_t)i;
	for (size_t i = 0; i < run->sampled_references.n; i++) {
		const struct ms_run_sampled_reference *r = &run->sampled_references.at[i];
		const struct ms_run_cell *cell = &run->cells.at[r->cell];
		uint32_t row = row_of(m, cell);
		uint32_t code = run->lines.at[run->sites.at[cell->site].line].code;

		if (r->part >= m->parts)
			continue;
		if (row != MS_MAP_NONE)
			m->of_rows[row * m->parts + r->part] += (double)r->references;
		m->of_codes[code * m->parts + r->part] += (double)r->references;
		m->all[r->part] += (double)r->references;
	}
}

/* --- entries --- */

/* The compute cycles of one entry, by part of the windows; and those of code without references. */
struct compute_sums {
	double parts[MS_RUN_PARTS_MOST];
	double cycles;  /* in the whole program */
	double unheard; /* likewise, of code without references */
	double each;    /* the most of a line for one reference */
};

static double weighted(const struct compute_maker *m, const double *by_part)
{
	double sum = 0;

	for (uint32_t p = 0; p < m->parts; p++)
		sum += ms_intervals_part_weight(m->run, p) * by_part[p];
	return sum;
}

static void add_row(const struct compute_maker *m, struct compute_sums *s, size_t i)
{
	struct ms_intervals_compute_row row = ms_intervals_compute_row(m->run, i);
	const double *like = m->of_rows + i * m->parts;
	double scale = m->run->samplings.at[0].scale, references = weighted(m, like);

	if (!(references > 0)) {
		like = m->of_codes + (size_t)m->run->lines.at[row.line].code * m->parts;
		references = weighted(m, like);
	}
	s->cycles += row.cycles;
	if (!(references > 0)) {
		s->unheard += row.cycles;
		return;
	}
	double each = row.cycles / (scale * references);

	s->each = each > s->each ? each : s->each;
	for (uint32_t p = 0; p < m->parts; p++)
		s->parts[p] += each * like[p];
}

static struct ms_intervals_bounds bounds(const struct compute_maker *m,
					 const struct compute_sums *s)
{
	const struct ms_run_sampling *all = &m->run->samplings.at[0];
	double references = all->scale * weighted(m, m->all);
	double off =
		references * MS_EFFECT_WIDER * ms_intervals_half_width(m->run, s->parts, m->all);
	bool ranged = all->total_low < all->total_high && all->total > 0;
	double least = ranged ? all->total_low / all->total : 1;
	double most = ranged ? all->total_high / all->total : 1;

	if (s->unheard >= s->cycles || isnan(off))
		return (struct ms_intervals_bounds){ NAN, NAN };
	off += s->cycles / (all->windows > 0 ? (double)all->windows : 1) + s->unheard;
	double low = s->cycles - off;
	return (struct ms_intervals_bounds){
		low > 0 ? low * least : 0,
		most * (s->cycles + off) + ms_intervals_unobserved(m->run) * all->scale * s->each
	};
}

static void set_all(const struct compute_maker *m, struct ms_intervals *intervals,
		    const uint64_t *keys)
{
	bool known = ms_intervals_compute_is_known(m->run);
	struct compute_sums *sums = ms_alloc((intervals->at.n + 1) * sizeof(*sums));

	for (size_t i = 0; i < m->rows; i++) {
		uint32_t at = keys[i] == MS_NO_KEY ? MS_MAP_NONE
						   : ms_map_get(&intervals->entries, keys[i], 0);

		if (at != MS_MAP_NONE)
			add_row(m, &sums[at], i);
	}
	for (size_t i = 0; i < intervals->at.n; i++) {
		struct ms_intervals_entry *e = &intervals->at.at[i];

		e->compute = known ? (struct ms_intervals_bounds){ sums[i].cycles, sums[i].cycles }
				   : bounds(m, &sums[i]);
		e->computes = true;
	}
	ms_free(sums);
}

void ms_intervals_set_compute(struct ms_intervals *intervals, const struct ms_run *run,
			      const uint64_t *keys)
{
	uint32_t parts = ms_intervals_parts(run);
	size_t rows = ms_intervals_compute_rows(run);

	if (run->samplings.n == 0 || parts == 0)
		return;
	if (ms_run_has_measured_time(run)) {
		ms_intervals_set_measured_compute(intervals, run, keys);
		return;
	}
	struct compute_maker m = { .run = run,
				   .rows = rows,
				   .parts = parts,
				   .by_line = MS_MAP_INIT,
				   .of_rows = ms_alloc((rows + 1) * parts * sizeof(double)),
				   .of_codes =
					   ms_alloc((run->codes.n + 1) * parts * sizeof(double)),
				   .all = ms_alloc(MS_RUN_PARTS_MOST * sizeof(double)) };

	add_references(&m);
	set_all(&m, intervals, keys);
	ms_map_free(&m.by_line);
	ms_free(m.of_rows);
	ms_free(m.of_codes);
	ms_free(m.all);
}

void ms_intervals_add_compute(struct ms_intervals *intervals, const struct ms_run *run,
			      const uint64_t *lines)
{
	size_t n = ms_intervals_compute_rows(run);
	uint64_t *keys = ms_alloc((n + 1) * sizeof(*keys));

	for (size_t i = 0; i < n; i++)
		keys[i] = lines[ms_intervals_compute_row(run, i).line];
	ms_intervals_set_compute(intervals, run, keys);
	ms_free(keys);
}
