#include "analysis/evictions/evictions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/evictions/evictions_priv.h"
#include "analysis/measured/measured.h"
#include "analysis/summary/select.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"

/* --- what was asked for --- */

static int choose(const struct ms_summary_entries *entries, size_t all, const char *const *names,
		  size_t n, bool **chosen, struct ms_text *remarks, struct ms_err *err)
{
	if (n == 0)
		return MS_OK;
	*chosen = ms_alloc(all * sizeof(**chosen));
	return ms_summary_select(entries, names, n, *chosen, remarks, err);
}

static int find_level(struct ms_evictions *e, const char *name, struct ms_err *err)
{
	const struct ms_run *run = e->whole.run;
	struct ms_text names = MS_TEXT_INIT;

	e->level = MS_NONE;
	if (name == NULL)
		return MS_OK;
	for (uint32_t i = 0; i < run->levels.n; i++) {
		if (strcasecmp(run->levels.at[i].name, name) == 0) {
			e->level = i;
			return MS_OK;
		}
		ms_text_addf(&names, "%s%.50s", i > 0 ? ", " : "", run->levels.at[i].name);
	}
	int code = ms_fail(err, MS_EUSAGE,
			   "--level: found \"%s\", expected a cache level of this run: %s", name,
			   names.n > 0 ? names.at : "it has none");
	ms_text_free(&names);
	return code;
}

bool ms_evictions_has_level(const struct ms_evictions *e, uint32_t level)
{
	return e->level == MS_NONE || e->level == level;
}

/* --- adding up --- */

/* A row of the run with what its cell says. */
static struct ms_evictions_row place_of(const struct ms_run *run, size_t i)
{
	const struct ms_run_eviction *row = &run->evictions.at[i];
	const struct ms_run_cell *cell = &run->cells.at[row->cell];

	return (struct ms_evictions_row){ row->level, row->victim,
					  cell->data, run->sites.at[cell->site].line,
					  row->count, { NAN, NAN } };
}

static bool is_at(const struct ms_evictions *e, const struct ms_evictions_row *p)
{
	return e->at == NULL || e->at[e->whole.run->lines.at[p->line].code];
}

static void add_place(struct ms_evictions_rows *places, struct ms_map *seen,
		      const struct ms_evictions_row *p)
{
	uint32_t *slot = ms_map_at(seen, (uint64_t)p->level << 32 | p->victim,
				   (uint64_t)p->evictor << 32 | p->line);

	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)places->at.n;
		*ms_vec_add(&places->at) = *p;
		places->at.at[*slot].count = 0;
	}
	places->at.at[*slot].count += p->count;
}

static void add_data(struct ms_evictions *e, const struct ms_evictions_row *p)
{
	size_t first = p->level * e->whole.run->data.n;

	e->data[first + p->victim].evicted += p->count;
	e->data[first + p->evictor].evicts += p->count;
	if (p->victim == p->evictor)
		e->data[first + p->victim].itself += p->count;
}

static void add_rows(struct ms_evictions *e)
{
	const struct ms_run *run = e->whole.run;
	struct ms_map places = MS_MAP_INIT, pairs = MS_MAP_INIT;

	for (size_t i = 0; i < run->evictions.n; i++) {
		struct ms_evictions_row p = place_of(run, i);
		struct ms_evictions_level *level = &e->levels[p.level];

		add_data(e, &p);
		level->evictions += p.count;
		level->itself += p.victim == p.evictor ? p.count : 0;
		if (e->of != NULL && !e->of[p.victim])
			continue;
		level->of += p.count;
		if ((e->by != NULL && !e->by[p.evictor]) || !is_at(e, &p))
			continue;
		level->chosen += p.count;
		if (!ms_evictions_has_level(e, p.level))
			continue;
		add_place(&e->places, &places, &p);
		p.line = MS_NONE;
		add_place(&e->pairs, &pairs, &p);
	}
	ms_map_free(&places);
	ms_map_free(&pairs);
}

/* An out-of-order core waits for the exposed part of it, which is that of all misses. */
double ms_evictions_replacement_cost(const struct ms_summary *whole, size_t level)
{
	return (double)ms_summary_cost_of_miss(&whole->cost, level) *
	       ms_summary_exposed_share(whole->run, &whole->total.counts, level);
}

static void add_levels(struct ms_evictions *e)
{
	const struct ms_run *run = e->whole.run;

	for (uint32_t i = 0; i < run->levels.n; i++) {
		const struct ms_summary_level_counts *counts = &e->whole.total.counts.levels[i];
		struct ms_evictions_level *level = &e->levels[i], *worst = &e->levels[e->worst];

		level->misses = ms_summary_rw_sum(counts->misses);
		level->replaced = counts->causes[MS_CAUSE_REPLACED];
		level->stall = ms_round_u64((double)level->replaced *
					    ms_evictions_replacement_cost(&e->whole, i));
		if (level->stall > worst->stall ||
		    (level->stall == worst->stall && worst->evictions == 0 && level->evictions > 0))
			e->worst = i;
	}
}

static int compare_places(const void *a, const void *b, void *of)
{
	const struct ms_evictions_row *x = a, *y = b;
	const struct ms_run *run = of;
	int order = ms_cmp_u64(x->level, y->level);

	if (order == 0)
		order = ms_cmp_u64(y->count, x->count);
	if (order == 0)
		order = strcmp(run->data.at[x->victim].name, run->data.at[y->victim].name);
	if (order == 0)
		order = strcmp(run->data.at[x->evictor].name, run->data.at[y->evictor].name);
	return order != 0 ? order : ms_cmp_u64(x->line, y->line);
}

static void sort(struct ms_evictions_rows *places, const struct ms_run *run)
{
	if (places->at.n > 1)
		qsort_r(places->at.at, places->at.n, sizeof(*places->at.at), compare_places,
			(void *)(uintptr_t)run);
}

static int make(struct ms_evictions *e, const struct ms_evictions_wanted *wanted,
		struct ms_err *err)
{
	const struct ms_summary *whole = &e->whole;
	const struct ms_run *run = whole->run;

	MS_TRY(find_level(e, wanted->level, err));
	MS_TRY(choose(&whole->data, run->data.n, wanted->of, wanted->n_of, &e->of, wanted->remarks,
		      err));
	MS_TRY(choose(&whole->data, run->data.n, wanted->by, wanted->n_by, &e->by, wanted->remarks,
		      err));
	MS_TRY(choose(&whole->code, run->codes.n, wanted->at, wanted->n_at, &e->at, wanted->remarks,
		      err));
	e->levels = ms_alloc((run->levels.n + 1) * sizeof(*e->levels));
	e->data = ms_alloc((run->levels.n * run->data.n + 1) * sizeof(*e->data));
	add_rows(e);
	add_levels(e);
	sort(&e->places, run);
	sort(&e->pairs, run);
	ms_evictions_set_intervals(e);
	return MS_OK;
}

int ms_evictions_make(struct ms_evictions *evictions, const struct ms_run *run,
		      const struct ms_evictions_wanted *wanted, const char *latency,
		      struct ms_err *err)
{
	MS_TRY(ms_measured_refuse(run, "evictions", err));
	*evictions = (struct ms_evictions){ .level = MS_NONE };
	MS_TRY(ms_summary_make(&evictions->whole, run, NULL, latency, err));
	int code = make(evictions, wanted, err);
	if (code != MS_OK)
		ms_evictions_free(evictions);
	return code;
}

void ms_evictions_free(struct ms_evictions *e)
{
	ms_free(e->of);
	ms_free(e->by);
	ms_free(e->at);
	ms_free(e->levels);
	ms_free(e->data);
	ms_vec_free(&e->places.at);
	ms_vec_free(&e->pairs.at);
	ms_intervals_free(&e->by_data);
	ms_intervals_free(&e->total);
	ms_summary_free(&e->whole);
}
