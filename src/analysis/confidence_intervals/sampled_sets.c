/*
 * analysis/confidence_intervals/sampled_sets.c - intervals of references, with sampled sets during
 * the whole run.
 *
 * The number of references of each site is known (estimate/set_refs.c); their data is estimated
 * from the simulated ones. So an entry that has all cells of its sites, as code has, has an exact
 * number. For other entries the error comes from the parts: the deviation of a cell in each part
 * from its share of the site's references. Also, fewer references of a site may have been simulated
 * than the share of sampled sets predicts: the others were to lines that are all in other sets,
 * such as a stack line that all functions use. They are assumed to be to the same data, but may be
 * to any.
 */
#include "analysis/confidence_intervals/design_effect.h"
#include "analysis/confidence_intervals/intervals_priv.h"
#include "analysis/confidence_intervals/part_weights.h"
#include "base/mem.h"

struct ms_intervals_by_sets {
	const struct ms_run *run;
	uint64_t used;
	double *site;        /* by site, then part: references that were seen ... */
	double *site_seen;   /* ... and all of them */
	double *site_made;   /* in the program */
	double *site_others; /* of these: what may be on other data than what was seen ... */
	double *code_others; /* ... of all sites of a code ... */
	double others;       /* ... and of all */
	size_t *rows;        /* of a cell: where its sampled references begin */
	bool *data_unseen;   /* by data */
};

static uint32_t code_of(const struct ms_run *run, uint32_t site)
{
	return run->lines.at[run->sites.at[site].line].code;
}

static void add_up(struct ms_intervals_by_sets *s)
{
	const struct ms_run *run = s->run;

	for (size_t i = 0; i < run->cells.n; i++)
		s->site_made[run->cells.at[i].site] += (double)run->cells.at[i].references;
	for (size_t i = run->sampled_references.n; i-- > 0;) {
		const struct ms_run_sampled_reference *r = &run->sampled_references.at[i];
		size_t site = run->cells.at[r->cell].site;

		s->site[site * MS_RUN_PARTS_MOST + r->part] += (double)r->references;
		s->site_seen[site] += (double)r->references;
	}
	for (size_t i = 0, at = 0; i <= run->cells.n; i++) {
		while (at < run->sampled_references.n && run->sampled_references.at[at].cell < i)
			at++;
		s->rows[i] = at;
	}
	for (uint32_t d = 0; d < run->data.n; d++)
		s->data_unseen[d] = ms_intervals_is_unknown_evictor(run, d);
	for (uint32_t i = 0; i < run->sites.n; i++) {
		double others = s->site_made[i] - run->samplings.at[0].scale * s->site_seen[i];

		s->site_others[i] = others > 0 ? others : 0;
		s->code_others[code_of(run, i)] += s->site_others[i];
		s->others += s->site_others[i];
	}
}

struct ms_intervals_by_sets *ms_intervals_by_sets_open(const struct ms_run *run)
{
	size_t sites = run->sites.n + 1;
	struct ms_intervals_by_sets *s;

	if (!ms_intervals_has_sampled_sets(run))
		return NULL;
	s = ms_alloc(sizeof(*s));
	*s = (struct ms_intervals_by_sets){
		.run = run,
		.used = ms_intervals_used_parts(run),
		.site = ms_alloc(sites * MS_RUN_PARTS_MOST * sizeof(double)),
		.site_seen = ms_alloc(sites * sizeof(double)),
		.site_made = ms_alloc(sites * sizeof(double)),
		.site_others = ms_alloc(sites * sizeof(double)),
		.code_others = ms_alloc((run->codes.n + 1) * sizeof(double)),
		.rows = ms_alloc((run->cells.n + 2) * sizeof(size_t)),
		.data_unseen = ms_alloc(run->data.n + 1),
	};
	add_up(s);
	return s;
}

void ms_intervals_by_sets_close(struct ms_intervals_by_sets *s)
{
	if (s == NULL)
		return;
	ms_free(s->site);
	ms_free(s->site_seen);
	ms_free(s->site_made);
	ms_free(s->site_others);
	ms_free(s->code_others);
	ms_free(s->rows);
	ms_free(s->data_unseen);
	ms_free(s);
}

void ms_intervals_by_sets_add(const struct ms_intervals_by_sets *s, uint32_t cell,
			      double *references, double *apart)
{
	const struct ms_run *run = s->run;
	uint32_t site = run->cells.at[cell].site;
	double n = (double)run->cells.at[cell].references, seen = 0;

	ms_intervals_spread_evenly(run, s->used, n, references);
	if (!(s->site_seen[site] > 0) || !(s->site_made[site] > 0))
		return;
	/* What each that was seen stands for, in those of the sets that are. */
	double each = s->site_made[site] / s->site_seen[site] / run->samplings.at[0].scale;

	for (size_t i = s->rows[cell]; i < s->rows[cell + 1]; i++) {
		const struct ms_run_sampled_reference *r = &run->sampled_references.at[i];

		apart[r->part] += each * (double)r->references;
		seen += (double)r->references;
	}
	for (uint32_t p = 0; p < MS_RUN_PARTS_MOST; p++)
		apart[p] -= each * seen / s->site_seen[site] *
			    s->site[(size_t)site * MS_RUN_PARTS_MOST + p];
}

void ms_intervals_by_sets_add_uncertain(const struct ms_intervals_by_sets *s, uint32_t cell,
					struct ms_intervals_uncertain *uncertain)
{
	const struct ms_run_cell *c = &s->run->cells.at[cell];
	double n = (double)c->references, seen = 0, scale = s->run->samplings.at[0].scale;
	uint32_t code = code_of(s->run, c->site);

	if (uncertain->codes[code] != uncertain->entry)
		uncertain->of_code += s->code_others[code] / scale;
	uncertain->codes[code] = uncertain->entry;
	uncertain->unseen |= s->data_unseen[c->data];
	if (s->data_unseen[c->data] || !(s->site_made[c->site] > 0))
		return;
	for (size_t i = s->rows[cell]; i < s->rows[cell + 1]; i++)
		seen += (double)s->run->sampled_references.at[i].references;
	uncertain->fewer += n > scale * seen ? n / scale - seen : 0;
	uncertain->own += n / s->site_made[c->site] * s->site_others[c->site] / scale;
}

double ms_intervals_by_sets_more(const struct ms_intervals_by_sets *s,
				 const struct ms_intervals_uncertain *uncertain, bool any_code)
{
	double all = any_code ? s->others / s->run->samplings.at[0].scale : uncertain->of_code;

	return !uncertain->unseen && all > uncertain->own ? all - uncertain->own : 0;
}
