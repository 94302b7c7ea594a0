/*
 * analysis/confidence_intervals/cell_misses.c - what a run estimates of a cell's misses, part by
 * part.
 *
 * The run has one figure for a cell and level; windows have known misses and unknown references in
 * each part. The misses of a part are the known ones, and of the unknown references as many of each
 * kind of line (unknown_refs.h) as the run estimates of that kind.
 */
#include "analysis/confidence_intervals/intervals_priv.h"
#include "analysis/confidence_intervals/part_weights.h"
#include "analysis/confidence_intervals/poststratified.h"
#include "base/mem.h"

/* --- of one cell --- */

struct cell_level_sums {
	double known, unknown, unknown_misses, unseen_known, unseen_unknown;
};

static double clip(double x, double most)
{
	return x < 0 ? 0 : x > most ? most : x;
}

static double share(double part, double whole)
{
	return whole > 0 ? clip(part / whole, 1) : 0;
}

static void add_row(struct cell_level_sums *s, const struct ms_run_sampled_miss *row, double weight)
{
	s->known += weight * (double)row->known;
	s->unknown += weight * (double)(row->unknown_hits + row->unknown_misses);
	s->unknown_misses += weight * (double)row->unknown_misses;
	s->unseen_known += weight * (double)row->unseen_known;
	s->unseen_unknown += weight * (double)row->unseen_unknown;
}

/* misses, first: as the run has them, for what was seen. */
static struct ms_intervals_unknown_refs kinds_of(const struct cell_level_sums *s, double misses,
						 double first)
{
	double first_share = share(first, s->unseen_known + s->unseen_unknown);
	struct ms_intervals_unknown_refs u = {
		.seen_before = clip(s->unknown - s->unseen_unknown, s->unknown),
		.seen_before_misses = clip(s->unknown_misses - s->unseen_unknown, s->unknown),
		.first = first_share * s->unseen_unknown,
		.between_only = (1 - first_share) * s->unseen_unknown,
	};

	u.between_only_misses =
		clip(misses - s->known - u.seen_before_misses - u.first, u.between_only);
	return u;
}

/* Of the unknown references to lines that no window had seen, those that miss. */
static double unseen_share(const struct ms_intervals_unknown_refs *u)
{
	return share(u->first + u->between_only_misses, u->first + u->between_only);
}

static void add_part(struct ms_intervals_cell_level *level, const struct ms_run_sampled_miss *row,
		     double factor)
{
	double again = (double)row->unknown_misses - (double)row->unseen_unknown;

	level->misses[row->part] +=
		factor * ((double)row->known + (again > 0 ? again : 0) +
			  unseen_share(&level->unknown) * (double)row->unseen_unknown);
}

/* In units of what each sampled reference stands for. */
static struct ms_intervals_unknown_refs times(struct ms_intervals_unknown_refs u, double factor)
{
	return (struct ms_intervals_unknown_refs){
		factor * u.seen_before, factor * u.seen_before_misses, factor * u.between_only,
		factor * u.between_only_misses, factor * u.first
	};
}

void ms_intervals_cell_level(const struct ms_run *run, const struct ms_intervals_cell_rows *rows,
			     double factor, uint32_t number, struct ms_intervals_cell_level *level)
{
	double scale = run->samplings.at[0].scale * (factor > 0 ? factor : 1);
	double misses = 0, first = 0;
	struct cell_level_sums s = { 0 };

	*level = (struct ms_intervals_cell_level){ .misses = { 0 } };
	for (size_t i = 0; i < rows->n; i++)
		if (rows->at[i].level == number)
			add_row(&s, &rows->at[i], ms_intervals_part_weight(run, rows->at[i].part));
	for (size_t i = 0; i < rows->figures_n; i++) {
		const struct ms_run_miss *figure = &rows->figures[i];

		misses +=
			figure->level == number ? (double)ms_summary_miss_count(figure) / scale : 0;
		first += figure->level == number ? (double)figure->causes[MS_CAUSE_FIRST] / scale
						 : 0;
	}
	level->unknown = kinds_of(&s, misses, first);
	for (size_t i = 0; i < rows->n; i++)
		if (rows->at[i].level == number)
			add_part(level, &rows->at[i], factor);
	level->unknown = times(level->unknown, factor);
}

/* --- sites as strata --- */

struct ms_intervals_strata {
	const struct ms_run *run;
	uint32_t parts;
	double *sites; /* references by site, then part */
	double *all;   /* by part */
};

struct ms_intervals_strata *ms_intervals_strata_open(const struct ms_run *run, const double *cells,
						     uint32_t parts)
{
	struct ms_intervals_strata *s = ms_alloc(sizeof(*s));

	*s = (struct ms_intervals_strata){ run, parts,
					   ms_alloc((run->sites.n + 1) * parts * sizeof(double)),
					   ms_alloc(MS_RUN_PARTS_MOST * sizeof(double)) };
	for (size_t i = 0; i < run->sampled_references.n; i++) {
		const struct ms_run_sampled_reference *r = &run->sampled_references.at[i];
		double n = cells[r->cell] * (double)r->references;

		if (r->part >= parts)
			continue;
		s->sites[(size_t)run->cells.at[r->cell].site * parts + r->part] += n;
		s->all[r->part] += n;
	}
	return s;
}

static const double *of_site(const struct ms_intervals_strata *s, uint32_t cell)
{
	return s->sites + (size_t)s->run->cells.at[cell].site * s->parts;
}

void ms_intervals_strata_misses(const struct ms_intervals_strata *s, uint32_t cell, double *by_part)
{
	if (s != NULL)
		ms_intervals_poststratify(by_part, of_site(s, cell), s->all, s->parts);
}

void ms_intervals_strata_references(const struct ms_intervals_strata *s, uint32_t cell,
				    double *by_part)
{
	if (s != NULL)
		ms_intervals_poststratify_references(by_part, of_site(s, cell), s->all, s->parts);
}

void ms_intervals_strata_close(struct ms_intervals_strata *s)
{
	if (s == NULL)
		return;
	ms_free(s->sites);
	ms_free(s->all);
	ms_free(s);
}

/* --- of the run --- */

struct ms_intervals_unknown_total ms_intervals_unknown_level(const struct ms_run *run,
							     uint32_t level, double all)
{
	double used = 0, frames = 0;

	for (size_t i = 0; i < run->misses.n; i++)
		if (run->misses.at[i].level == level)
			used += (double)run->misses.at[i].causes[MS_CAUSE_FIRST];
	if (level < run->sampled_levels.n)
		frames = (double)run->sampled_levels.at[level].frames *
			 (double)run->samplings.at[0].sets;
	return (struct ms_intervals_unknown_total){ all, used > frames ? 1 - frames / used : 0,
						    level == 0 };
}
