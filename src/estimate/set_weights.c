/*
 * estimate/set_weights.c - the weight of each miss, with sampled sets during the whole run.
 *
 * A miss represents as many misses as there are sets for each sampled set. This is right for the
 * whole program. For single code it may be too much or too little: where the distance of its lines
 * equals that of the sampled sets, or where it uses few lines. The number of references of code is
 * known, and code cannot have more misses than references. Misses beyond that are moved to other
 * code, which the sampled sets under-represent, up to its number of references. Within code, the
 * proportions of sites remain as simulated. A site with too many misses gets as many references as
 * misses, and other sites of the same code get fewer.
 *
 * A reference that crosses two lines misses once, whether one of the lines misses or both. Where
 * code walks over lines, only the later or only the first line misses. Where it accesses uncached
 * data, both miss. Then references that begin on a sampled line miss as often as those that end on
 * one: so the larger of the two numbers counts. Sites with few such references are pooled.
 */
#include "estimate/set_weights.h"

#include <stdbool.h>

#include "base/mem.h"

enum { FEW = 64 }; /* fewer are pooled with those of other sites */

struct site {
	double seen, hits, missed;           /* references; those that hit; weighted misses */
	double crossed[MS_ENGINE_CROSSINGS]; /* misses of references that are on one line that is
					      * seen ...
					      */
	double once;                         /* ... and the weight of each */
};

struct code {
	double made, missed; /* in the program */
	double left;         /* of its sites: references that did not miss */
	double missing;      /* the weight of each miss, if there are too many; else 1 */
};

struct weigh {
	const struct ms_estimate_set_weights *of;
	struct site *sites;
	struct code *codes;
	size_t code_count;
	double *missed; /* by cell */
	double *more;   /* by level: the additional weight of each miss of other code */
};

/* --- references over lines --- */

static double once_of(const double *crossed)
{
	double from = crossed[MS_ENGINE_CROSSES_OUT], into = crossed[MS_ENGINE_CROSSES_INTO];

	return from + into > 0 ? (from > into ? from : into) / (from + into) : 1;
}

static void count_once(struct weigh *w)
{
	double few[MS_ENGINE_CROSSINGS] = { 0 };

	for (size_t i = 0; i < w->of->sites; i++) {
		const double *crossed = w->sites[i].crossed;
		bool many = crossed[MS_ENGINE_CROSSES_OUT] + crossed[MS_ENGINE_CROSSES_INTO] >= FEW;

		w->sites[i].once = many ? once_of(crossed) : 0;
		for (unsigned k = 0; k < MS_ENGINE_CROSSINGS && !many; k++)
			few[k] += crossed[k];
	}
	for (size_t i = 0; i < w->of->sites; i++)
		if (!(w->sites[i].once > 0))
			w->sites[i].once = once_of(few);
}

/* --- sites --- */

static double or_none(double n)
{
	return n > 0 ? n : 0;
}

static double each_of(const struct weigh *w, const struct ms_engine_total_bin *cell)
{
	return cell->crosses != MS_ENGINE_CROSSES_NONE ? w->sites[cell->site].once : 1;
}

static void add_sites(struct weigh *w)
{
	const struct ms_engine_totals *t = w->of->totals;

	for (size_t i = 0; i < t->misses.n; i++)
		for (unsigned k = 0; k < MS_ENGINE_MISS_CAUSES && t->misses.at[i].level == 0; k++)
			w->missed[t->misses.at[i].cell] += (double)t->misses.at[i].causes[k];
	for (size_t i = 0; i < t->cells.n; i++)
		if (t->cells.at[i].crosses != MS_ENGINE_CROSSES_NONE)
			w->sites[t->cells.at[i].site].crossed[t->cells.at[i].crosses] +=
				w->missed[i];
	count_once(w);
	for (size_t i = 0; i < t->cells.n; i++) {
		const struct ms_engine_total_bin *cell = &t->cells.at[i];
		struct site *site = &w->sites[cell->site];

		w->missed[i] *= each_of(w, cell);
		site->seen += (double)cell->references;
		site->hits += or_none((double)cell->references - w->missed[i]);
		site->missed += w->missed[i];
	}
}

/* --- code --- */

static void add_codes(struct weigh *w)
{
	for (size_t i = 0; i < w->of->sites; i++) {
		struct code *code = &w->codes[w->of->codes[i]];

		code->made += w->of->made[i];
		code->missed += w->of->scale * w->sites[i].missed;
	}
}

static bool is_beyond(const struct weigh *w, const struct code *code)
{
	return code->missed > code->made && code->made >= FEW * w->of->every;
}

/* References of sites that were hardly seen. */
static double hardly_seen(const struct weigh *w)
{
	double n = 0;

	for (size_t i = 0; i < w->of->sites; i++) {
		double seen = w->of->scale * w->sites[i].seen;

		n += seen < w->of->made[i] / 2 ? w->of->made[i] - seen : 0;
	}
	return n;
}

static void weigh_codes(struct weigh *w)
{
	for (size_t i = 0; i < w->code_count; i++) {
		struct code *code = &w->codes[i];

		code->missing = is_beyond(w, code) ? code->made / code->missed : 1;
	}
}

static double missing_of(const struct weigh *w, uint32_t site, uint32_t level)
{
	const struct code *code = &w->codes[w->of->codes[site]];
	double each = 1 + w->more[level];

	if (code->missing < 1)
		return code->missing;
	return code->missed < code->made && each * code->missed > code->made
		       ? code->made / code->missed
		       : each;
}

/* What code has too many of at a level others have, as far as they were hardly seen. */
static void weigh_others(struct weigh *w)
{
	const struct ms_engine_totals *t = w->of->totals;
	double *beyond = ms_alloc(2 * w->of->levels * sizeof(*beyond));
	double *others = beyond + w->of->levels, most = hardly_seen(w);

	for (size_t i = 0; i < t->misses.n; i++) {
		const struct ms_engine_total_miss *m = &t->misses.at[i];
		const struct ms_engine_total_bin *cell = &t->cells.at[m->cell];
		double missing = w->codes[w->of->codes[cell->site]].missing;
		double n = 0;

		for (unsigned k = 0; k < MS_ENGINE_MISS_CAUSES; k++)
			n += w->of->scale * each_of(w, cell) * (double)m->causes[k];
		beyond[m->level] += n * (1 - missing);
		others[m->level] += missing < 1 ? 0 : n;
	}
	double part = beyond[0] > most ? most / beyond[0] : 1;

	for (unsigned l = 0; l < w->of->levels; l++)
		w->more[l] = others[l] > 0 ? part * beyond[l] / others[l] : 0;
	ms_free(beyond);
}

static double misses_of(const struct weigh *w, uint32_t site)
{
	return w->of->scale * w->sites[site].missed * missing_of(w, site, 0);
}

/* Sites have references for their misses; what the code has beyond these its sites share. */
static void share_made(const struct weigh *w)
{
	for (uint32_t i = 0; i < w->of->sites; i++)
		w->codes[w->of->codes[i]].left += or_none(w->of->made[i] - misses_of(w, i));
	for (uint32_t i = 0; i < w->of->sites; i++) {
		const struct code *code = &w->codes[w->of->codes[i]];
		double misses = misses_of(w, i), left = or_none(w->of->made[i] - misses);
		double all = or_none(code->made - missing_of(w, i, 0) * code->missed);

		if (code->left > 0 || misses > w->of->made[i])
			w->of->made[i] = misses + (left > 0 ? left / code->left * all : 0);
	}
}

/* --- cells --- */

/* Its misses are those of its data; and on which data it hits is what was seen, too. */
static double references_of(const struct weigh *w, const struct ms_engine_total_bin *cell,
			    double missed)
{
	const struct site *site = &w->sites[cell->site];
	double misses = misses_of(w, cell->site), made = w->of->made[cell->site];
	double own = site->missed > 0 ? misses * missed / site->missed : 0;

	if (site->hits > 0)
		return own + or_none(made - misses) * or_none((double)cell->references - missed) /
				     site->hits;
	return misses > 0 ? made * own / misses : 0;
}

void ms_estimate_weigh_crossings(const struct ms_estimate_set_weights *of)
{
	struct weigh w = { .of = of,
			   .sites = ms_alloc((of->sites + 1) * sizeof(*w.sites)),
			   .missed = ms_alloc((of->totals->cells.n + 1) * sizeof(*w.missed)) };

	add_sites(&w);
	for (size_t i = 0; i < of->totals->cells.n * of->levels; i++)
		of->missing[i] = each_of(&w, &of->totals->cells.at[i / of->levels]);
	ms_free(w.sites);
	ms_free(w.missed);
}

void ms_estimate_subtract_crossings(struct ms_engine_totals *totals)
{
	uint64_t *misses = ms_alloc((totals->cells.n + 1) * sizeof(*misses));
	size_t of = 0;

	for (size_t i = 0; i < totals->misses.n; i++)
		for (unsigned k = 0; k < MS_ENGINE_MISS_CAUSES && totals->misses.at[i].level == 0;
		     k++)
			misses[totals->misses.at[i].cell] += totals->misses.at[i].causes[k];
	for (size_t i = 0; i < totals->cells.n; i++) {
		struct ms_engine_total_bin *cell = &totals->cells.at[i],
					   *from = &totals->cells.at[of];
		bool alike = from->site == cell->site && from->data == cell->data;
		uint64_t most = from->references > misses[of] ? from->references - misses[of] : 0;

		if (cell->crosses == MS_ENGINE_CROSSES_NONE)
			of = i;
		else if (alike)
			from->references -= cell->references < most ? cell->references : most;
	}
	ms_free(misses);
}

void ms_estimate_weigh_sets(const struct ms_estimate_set_weights *of)
{
	struct weigh w = { .of = of,
			   .sites = ms_alloc((of->sites + 1) * sizeof(*w.sites)),
			   .missed = ms_alloc((of->totals->cells.n + 1) * sizeof(*w.missed)),
			   .more = ms_alloc(of->levels * sizeof(*w.more)) };

	for (size_t i = 0; i < of->sites; i++)
		w.code_count = of->codes[i] >= w.code_count ? of->codes[i] + 1 : w.code_count;
	w.codes = ms_alloc((w.code_count + 1) * sizeof(*w.codes));
	add_sites(&w);
	add_codes(&w);
	weigh_codes(&w);
	weigh_others(&w);
	share_made(&w);
	for (size_t i = 0; i < of->totals->cells.n; i++) {
		const struct ms_engine_total_bin *cell = &of->totals->cells.at[i];
		double seen = of->scale * (double)cell->references;

		of->cells[i] = seen > 0 ? references_of(&w, cell, w.missed[i]) / seen : 1;
		for (unsigned l = 0; l < of->levels; l++)
			of->missing[i * of->levels + l] =
				each_of(&w, cell) * missing_of(&w, cell->site, l);
	}
	ms_free(w.sites);
	ms_free(w.missed);
	ms_free(w.codes);
	ms_free(w.more);
}
