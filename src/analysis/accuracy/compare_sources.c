#include "analysis/accuracy/compare_sources.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "run/enum_words.h"

static const double JUDGED_ABOVE = 0.05;
enum { FIRST = 3 };

const char *ms_accuracy_source_text(const struct ms_run *run, struct ms_arena *arena)
{
	if (ms_run_is_measured(run))
		return ms_arena_printf(arena, "sampled (%s)",
				       ms_run_source_word(run->hardware.at[0].source));
	if (ms_run_has_measured_time(run))
		return ms_arena_printf(arena, "joined (%s, %s)", run->machine,
				       ms_run_source_word(run->hardware.at[0].source));
	return ms_arena_printf(arena, "simulated (%s)", run->machine);
}

static const struct ms_summary_entries *list_of(const struct ms_summary *s,
						enum ms_summary_entry_kind kind)
{
	return kind == MS_ENTRY_CODE ? &s->code : kind == MS_ENTRY_BIN ? &s->bins : &s->data;
}

/* The share of a simulated run is exact: its interval has no width. */
static struct ms_measured_share share_of(const struct ms_summary *s,
					 const struct ms_summary_counts *c)
{
	if (ms_run_is_measured(s->run) || s->cost.measured)
		return ms_measured_stall_share(s, c);
	bool stalls = ms_summary_rw_sum(s->total.counts.stall) > 0;
	double all = (double)ms_summary_rw_sum(stalls ? s->total.counts.stall
						      : s->total.counts.references);
	double share =
		all > 0 ? (double)ms_summary_rw_sum(stalls ? c->stall : c->references) / all : 0;

	return (struct ms_measured_share){ share, share, share };
}

static void add_list(struct ms_accuracy_sources *c, int run, enum ms_summary_entry_kind kind,
		     struct ms_names *names, struct ms_map *rows)
{
	const struct ms_summary_entries *entries = list_of(&c->of[run], kind);
	uint32_t rank = 0;

	for (size_t i = 0; i < entries->at.n; i++) {
		const struct ms_summary_entry *e = &entries->at.at[i];

		if (!e->counts.used)
			continue;
		const char *name = ms_intern(names, e->name);
		uint32_t *slot = ms_map_at(rows, (uintptr_t)name, 0);
		if (*slot == MS_MAP_NONE) {
			*slot = (uint32_t)c->rows.n;
			*ms_vec_add(&c->rows) = (struct ms_accuracy_sources_row){ .name = e->name };
		}
		c->rows.at[*slot].in[run] =
			(struct ms_accuracy_compared){ share_of(&c->of[run], &e->counts), ++rank };
	}
}

static int by_rank(const void *a, const void *b)
{
	const struct ms_accuracy_sources_row *x = a, *y = b;

	for (int run = 0; run < 2; run++) {
		uint32_t i = x->in[run].rank, j = y->in[run].rank;

		if (i != j) /* entries without a rank are last */
			return i == 0 ? 1 : j == 0 ? -1 : i < j ? -1 : 1;
	}
	return strcmp(x->name, y->name);
}

static bool is_judged(const struct ms_accuracy_sources *c, const struct ms_accuracy_sources_row *r)
{
	return r->in[0].share.share >= c->above || r->in[1].share.share >= c->above;
}

/* Rows are in the order of the first run: how far the second has the same order. */
static void judge_order(struct ms_accuracy_sources *c)
{
	uint32_t last = 0;
	size_t seen = 0;

	for (size_t i = 0; i < c->rows.n && seen < FIRST; i++) {
		const struct ms_accuracy_sources_row *r = &c->rows.at[i];

		if (!is_judged(c, r))
			continue;
		if (r->in[1].rank <= last)
			return;
		last = r->in[1].rank;
		seen++;
		c->first++;
	}
}

static void judge(struct ms_accuracy_sources *c)
{
	double n = (double)c->rows.n, x = 0, y = 0, xx = 0, yy = 0, xy = 0;

	for (size_t i = 0; i < c->rows.n; i++) {
		const struct ms_accuracy_sources_row *r = &c->rows.at[i];
		const struct ms_measured_share *a = &r->in[0].share, *b = &r->in[1].share;
		double off = fabs(a->share - b->share);

		x += a->share, y += b->share;
		xx += a->share * a->share, yy += b->share * b->share, xy += a->share * b->share;
		if (off > c->worst) {
			c->worst = off;
			c->worst_name = r->name;
		}
		if (!is_judged(c, r))
			continue;
		c->judged++;
		c->within += a->low <= b->high && b->low <= a->high;
	}
	double spread = (n * xx - x * x) * (n * yy - y * y);
	c->correlation = c->rows.n > 2 && spread > 0 ? (n * xy - x * y) / sqrt(spread) : NAN;
	judge_order(c);
}

int ms_accuracy_sources_make(struct ms_accuracy_sources *c, const struct ms_run runs[2],
			     enum ms_summary_entry_kind kind, struct ms_err *err)
{
	struct ms_names names = { 0 };
	struct ms_map rows = MS_MAP_INIT;

	*c = (struct ms_accuracy_sources){ .above = JUDGED_ABOVE };
	MS_TRY(ms_summary_make(&c->of[0], &runs[0], NULL, NULL, err));
	int code = ms_summary_make(&c->of[1], &runs[1], NULL, NULL, err);
	if (code != MS_OK) {
		ms_summary_free(&c->of[0]);
		return code;
	}
	for (int run = 0; run < 2; run++)
		add_list(c, run, kind, &names, &rows);
	if (c->rows.n > 1)
		qsort(c->rows.at, c->rows.n, sizeof(*c->rows.at), by_rank);
	judge(c);
	ms_names_free(&names);
	ms_map_free(&rows);
	return MS_OK;
}

void ms_accuracy_sources_free(struct ms_accuracy_sources *c)
{
	ms_vec_free(&c->rows);
	ms_summary_free(&c->of[0]);
	ms_summary_free(&c->of[1]);
}
