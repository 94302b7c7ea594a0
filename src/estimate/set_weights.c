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
	double seen, hits, misses;           /* references; those that hit; weighted misses */
	double crossed[MS_ENGINE_CROSSINGS]; /* misses of references that are on one line that is
					      * seen ...
					      */
	double crossing_weight;              /* ... and the weight of each */
};

struct code {
	double refs, misses; /* in the program */
	double left;         /* of its sites: references that did not miss */
	double miss_weight;  /* the weight of each miss, if there are too many; else 1 */
};

struct weigh {
	const struct ms_estimate_set_weights *of;
	struct site *sites;
	struct code *codes;
	size_t code_count;
	double *misses;       /* by cell */
	double *extra_weight; /* by level: the additional weight of each miss of other code */
};

/* --- references over lines --- */

static double crossing_weight_of(const double *crossed)
{
	double from = crossed[MS_ENGINE_CROSSES_OUT], into = crossed[MS_ENGINE_CROSSES_INTO];

	return from + into > 0 ? (from > into ? from : into) / (from + into) : 1;
}

static void weigh_crossings(struct weigh *w)
{
	double few[MS_ENGINE_CROSSINGS] = { 0 };

	for (size_t i = 0; i < w->of->sites; i++) {
		const double *crossed = w->sites[i].crossed;
		bool many = crossed[MS_ENGINE_CROSSES_OUT] + crossed[MS_ENGINE_CROSSES_INTO] >= FEW;

		w->sites[i].crossing_weight = many ? crossing_weight_of(crossed) : 0;
		for (unsigned k = 0; k < MS_ENGINE_CROSSINGS && !many; k++)
			few[k] += crossed[k];
	}
	for (size_t i = 0; i < w->of->sites; i++)
		if (!(w->sites[i].crossing_weight > 0))
			w->sites[i].crossing_weight = crossing_weight_of(few);
}

/* --- sites --- */

static double or_none(double n)
{
	return n > 0 ? n : 0;
}

static double each_of(const struct weigh *w, const struct ms_engine_total_cell *cell)
{
	return cell->crosses != MS_ENGINE_CROSSES_NONE ? w->sites[cell->site].crossing_weight : 1;
}

static void add_sites(struct weigh *w)
{
	const struct ms_engine_totals *t = w->of->totals;

	for (size_t i = 0; i < t->misses.n; i++)
		for (unsigned k = 0; k < MS_ENGINE_MISS_CAUSES && t->misses.at[i].level == 0; k++)
			w->misses[t->misses.at[i].cell] += (double)t->misses.at[i].causes[k];
	for (size_t i = 0; i < t->cells.n; i++)
		if (t->cells.at[i].crosses != MS_ENGINE_CROSSES_NONE)
			w->sites[t->cells.at[i].site].crossed[t->cells.at[i].crosses] +=
				w->misses[i];
	weigh_crossings(w);
	for (size_t i = 0; i < t->cells.n; i++) {
		const struct ms_engine_total_cell *cell = &t->cells.at[i];
		struct site *site = &w->sites[cell->site];

		w->misses[i] *= each_of(w, cell);
		site->seen += (double)cell->references;
		site->hits += or_none((double)cell->references - w->misses[i]);
		site->misses += w->misses[i];
	}
}

/* --- code --- */

static void add_codes(struct weigh *w)
{
	for (size_t i = 0; i < w->of->sites; i++) {
		struct code *code = &w->codes[w->of->codes[i]];

		code->refs += w->of->refs[i];
		code->misses += w->of->scale * w->sites[i].misses;
	}
}

static bool is_beyond(const struct weigh *w, const struct code *code)
{
	return code->misses > code->refs && code->refs >= FEW * w->of->every;
}

/* References of sites that were hardly seen. */
static double hardly_seen(const struct weigh *w)
{
	double n = 0;

	for (size_t i = 0; i < w->of->sites; i++) {
		double seen = w->of->scale * w->sites[i].seen;

		n += seen < w->of->refs[i] / 2 ? w->of->refs[i] - seen : 0;
	}
	return n;
}

static void weigh_codes(struct weigh *w)
{
	for (size_t i = 0; i < w->code_count; i++) {
		struct code *code = &w->codes[i];

		code->miss_weight = is_beyond(w, code) ? code->refs / code->misses : 1;
	}
}

static double miss_weight_of(const struct weigh *w, uint32_t site, uint32_t level)
{
	const struct code *code = &w->codes[w->of->codes[site]];
	double each = 1 + w->extra_weight[level];

	if (code->miss_weight < 1)
		return code->miss_weight;
	return code->misses < code->refs && each * code->misses > code->refs
		       ? code->refs / code->misses
		       : each;
}

/* Misses of a level beyond the references of their code are moved to other code, up to the number
 * of references that were hardly seen. */
static void weigh_others(struct weigh *w)
{
	const struct ms_engine_totals *t = w->of->totals;
	double *beyond = ms_alloc(2 * w->of->levels * sizeof(*beyond));
	double *others = beyond + w->of->levels, most = hardly_seen(w);

	for (size_t i = 0; i < t->misses.n; i++) {
		const struct ms_engine_total_miss *m = &t->misses.at[i];
		const struct ms_engine_total_cell *cell = &t->cells.at[m->cell];
		double missing = w->codes[w->of->codes[cell->site]].miss_weight;
		double n = 0;

		for (unsigned k = 0; k < MS_ENGINE_MISS_CAUSES; k++)
			n += w->of->scale * each_of(w, cell) * (double)m->causes[k];
		beyond[m->level] += n * (1 - missing);
		others[m->level] += missing < 1 ? 0 : n;
	}
	double part = beyond[0] > most ? most / beyond[0] : 1;

	for (unsigned l = 0; l < w->of->levels; l++)
		w->extra_weight[l] = others[l] > 0 ? part * beyond[l] / others[l] : 0;
	ms_free(beyond);
}

static double misses_of(const struct weigh *w, uint32_t site)
{
	return w->of->scale * w->sites[site].misses * miss_weight_of(w, site, 0);
}

/* Sites have references for their misses; what the code has beyond these its sites share. */
static void share_made(const struct weigh *w)
{
	for (uint32_t i = 0; i < w->of->sites; i++)
		w->codes[w->of->codes[i]].left += or_none(w->of->refs[i] - misses_of(w, i));
	for (uint32_t i = 0; i < w->of->sites; i++) {
		const struct code *code = &w->codes[w->of->codes[i]];
		double misses = misses_of(w, i), left = or_none(w->of->refs[i] - misses);
		double all = or_none(code->refs - miss_weight_of(w, i, 0) * code->misses);

		if (code->left > 0 || misses > w->of->refs[i])
			w->of->refs[i] = misses + (left > 0 ? left / code->left * all : 0);
	}
}

/* --- cells --- */

/* The data of misses and of hits are distributed as simulated. */
static double references_of(const struct weigh *w, const struct ms_engine_total_cell *cell,
			    double missed)
{
	const struct site *site = &w->sites[cell->site];
	double misses = misses_of(w, cell->site), made = w->of->refs[cell->site];
	double own = site->misses > 0 ? misses * missed / site->misses : 0;

	if (site->hits > 0)
		return own + or_none(made - misses) * or_none((double)cell->references - missed) /
				     site->hits;
	return misses > 0 ? made * own / misses : 0;
}

void ms_estimate_weigh_crossings(const struct ms_estimate_set_weights *of)
{
	struct weigh w = { .of = of,
			   .sites = ms_alloc((of->sites + 1) * sizeof(*w.sites)),
			   .misses = ms_alloc((of->totals->cells.n + 1) * sizeof(*w.misses)) };

	add_sites(&w);
	for (size_t i = 0; i < of->totals->cells.n * of->levels; i++)
		of->miss_weights[i] = each_of(&w, &of->totals->cells.at[i / of->levels]);
	ms_free(w.sites);
	ms_free(w.misses);
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
		struct ms_engine_total_cell *cell = &totals->cells.at[i],
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
			   .misses = ms_alloc((of->totals->cells.n + 1) * sizeof(*w.misses)),
			   .extra_weight = ms_alloc(of->levels * sizeof(*w.extra_weight)) };

	for (size_t i = 0; i < of->sites; i++)
		w.code_count = of->codes[i] >= w.code_count ? of->codes[i] + 1 : w.code_count;
	w.codes = ms_alloc((w.code_count + 1) * sizeof(*w.codes));
	add_sites(&w);
	add_codes(&w);
	weigh_codes(&w);
	weigh_others(&w);
	share_made(&w);
	for (size_t i = 0; i < of->totals->cells.n; i++) {
		const struct ms_engine_total_cell *cell = &of->totals->cells.at[i];
		double seen = of->scale * (double)cell->references;

		of->ref_weights[i] = seen > 0 ? references_of(&w, cell, w.misses[i]) / seen : 1;
		for (unsigned l = 0; l < of->levels; l++)
			of->miss_weights[i * of->levels + l] =
				each_of(&w, cell) * miss_weight_of(&w, cell->site, l);
	}
	ms_free(w.sites);
	ms_free(w.misses);
	ms_free(w.codes);
	ms_free(w.extra_weight);
}
