#include "analysis/confidence_intervals/intervals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/confidence_intervals/entry_sums.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/num.h"

/* --- bounds --- */

/* All parts together, each with what it stands for. */
static double sum(const struct ms_intervals_maker *m, const double *by_part)
{
	double all = 0;

	for (uint32_t p = 0; p < m->parts; p++)
		all += ms_intervals_part_weight(m->run, p) * by_part[p];
	return all;
}

/* error: of y, independent of what parts differ by. */
static double ratio_with(const struct ms_intervals_maker *m, const double *y, const double *x,
			 double sign, double error)
{
	double whole = sum(m, x);

	return whole > 0 ? sum(m, y) / whole + sign * hypot(ms_intervals_half_width(m->run, y, x),
							    error / whole)
			 : NAN;
}

static double ratio(const struct ms_intervals_maker *m, const double *y, const double *x,
		    double sign)
{
	return ratio_with(m, y, x, sign, 0);
}

static struct ms_intervals_bounds within(struct ms_intervals_bounds b, double most)
{
	if (isnan(b.low) || isnan(b.high))
		return (struct ms_intervals_bounds){ NAN, NAN };
	return (struct ms_intervals_bounds){ b.low < 0 ? 0 : b.low, b.high > most ? most : b.high };
}

/* For each of these references. */
static struct ms_intervals_bounds each(const struct ms_intervals_maker *m,
				       const struct ms_intervals_range *y, const double *x,
				       double most)
{
	return within((struct ms_intervals_bounds){ ratio_with(m, y->low, x, -1, y->error),
						    ratio_with(m, y->high, x, 1, y->error) },
		      most);
}

/* Per reference of the entry; with the events that no window contains, each of size `event`. */
static struct ms_intervals_bounds each_own(const struct ms_intervals_maker *m,
					   const struct ms_intervals_range *y, double event,
					   double most)
{
	double references = sum(m, m->one.references);
	struct ms_intervals_bounds b = each(m, y, m->one.references, INFINITY);

	if (references > 0)
		b.high += ms_intervals_unobserved(m->run) * event / references;
	return within(b, most);
}

/* The interval of the run's references, where they were not counted. */
static struct ms_intervals_bounds references_of(const struct ms_intervals_maker *m)
{
	return ms_intervals_references(m->whole, (struct ms_intervals_bounds){ 1, 1 });
}

/* The total: the figure per reference of the run, times their number; and the events that no window
 * contains, each of size `event`. The errors of both factors add up. */
static struct ms_intervals_bounds number_at_most(const struct ms_intervals_maker *m,
						 const struct ms_intervals_range *y, double event)
{
	struct ms_intervals_bounds n = references_of(m),
				   b = each(m, y, m->all.references, INFINITY);
	double unobserved = ms_intervals_unobserved(m->run) * m->run->samplings.at[0].scale;

	return (struct ms_intervals_bounds){ n.low * b.low, n.high * b.high + unobserved * event };
}

/* Likewise, of a figure that the run estimates: the errors of both are independent. */
static struct ms_intervals_bounds number(const struct ms_intervals_maker *m,
					 const struct ms_intervals_range *y, double event)
{
	struct ms_intervals_bounds n = references_of(m),
				   b = each(m, y, m->all.references, INFINITY);
	double all = (double)ms_summary_rw_sum(m->whole->total.counts.references);
	double figure = all * ratio(m, y->low, m->all.references, 0);
	double unobserved = ms_intervals_unobserved(m->run) * m->run->samplings.at[0].scale * event;

	if (!m->modelled)
		return number_at_most(m, y, event);
	return within(
		(struct ms_intervals_bounds){
			figure - hypot(figure - all * b.low, figure * (1 - n.low / all)),
			figure + unobserved +
				hypot(all * b.high - figure, figure * (n.high / all - 1)) },
		INFINITY);
}

/* The lower bound: a stretch that no window contains may belong to other entries only. */
static double beside_unmet(const struct ms_intervals_maker *m, double share)
{
	return m->whole_run ? share : share / (1 + ms_intervals_longest_gap(m->run));
}

/* Of a share, times the whole: the error of an entry moves both, that of the others the whole. */
static double share_error(const struct ms_intervals_maker *m, const struct ms_intervals_range *y,
			  const struct ms_intervals_range *all)
{
	double share = ratio(m, y->low, all->low, 0);
	double others =
		all->error > y->error ? sqrt(all->error * all->error - y->error * y->error) : 0;

	if (m->whole_run || isnan(share) || share > 1)
		return 0;
	return hypot((1 - share) * y->error, share * others);
}

/*
 * Shares of the whole: the lower bound of an entry is where all others have their upper bounds, and
 * the reverse. Where no miss is known, each entry that may have missed may have any share.
 */
static struct ms_intervals_bounds share(const struct ms_intervals_maker *m,
					const struct ms_intervals_range *y,
					const struct ms_intervals_range *all, double event)
{
	double least[MS_RUN_PARTS_MOST], most[MS_RUN_PARTS_MOST];
	double unobserved = ms_intervals_unobserved(m->run) * event;

	for (uint32_t p = 0; p < m->parts; p++) {
		most[p] = all->high[p] - y->high[p] + y->low[p];
		least[p] = all->low[p] - y->low[p] + y->high[p];
	}
	if (!(sum(m, all->high) > 0))
		return (struct ms_intervals_bounds){ NAN, NAN };
	if (!(sum(m, y->high) > 0))
		return within((struct ms_intervals_bounds){ 0, unobserved / (sum(m, least) +
									     unobserved) },
			      1);
	double error = share_error(m, y, all);

	return within(
		(struct ms_intervals_bounds){
			sum(m, most) > 0 ? beside_unmet(m, ratio_with(m, y->low, most, -1, error))
					 : 0,
			ratio_with(m, y->high, least, 1, error) + unobserved / sum(m, least) },
		1);
}

static struct ms_intervals_bounds reference_share(const struct ms_intervals_maker *m)
{
	const double *y = m->one.references, *x = m->all.references;

	if (m->by_sets == NULL)
		return within((struct ms_intervals_bounds){ beside_unmet(m, ratio(m, y, x, -1)),
							    ratio(m, y, x, 1) },
			      1);
	bool sites = m->whole_run || (m->kind != MS_ENTRY_DATA && m->kind != MS_ENTRY_BIN);
	double share = ratio(m, y, x, 0), off = ms_intervals_half_width(m->run, m->one.apart, x);

	if (sites)
		return within((struct ms_intervals_bounds){ share - off, share + off }, 1);
	double fewer = m->uncertain.fewer / sum(m, x);
	double more =
		ms_intervals_by_sets_more(m->by_sets, &m->uncertain, m->kind == MS_ENTRY_DATA) /
		sum(m, x);

	return within((struct ms_intervals_bounds){ share - off - fewer, share + off + more }, 1);
}

/* For each reference, where these are not known either: by as much as they may be more, or fewer.
 */
static struct ms_intervals_bounds of_estimated(const struct ms_intervals_maker *m,
					       struct ms_intervals_bounds b,
					       struct ms_intervals_bounds references, double most)
{
	double share = ratio(m, m->one.references, m->all.references, 0);

	if (m->by_sets == NULL || isnan(references.low) || !(share > 0))
		return b;
	return within((struct ms_intervals_bounds){ b.low * share / references.high,
						    references.low > 0
							    ? b.high * share / references.low
							    : most },
		      most);
}

/* --- causes --- */

double ms_intervals_lines(const struct ms_run *run, uint32_t data, uint32_t at)
{
	const struct ms_run_level *level = &run->levels.at[at];
	const struct ms_run_data *d = &run->data.at[data];
	uint64_t bytes = d->objects > 0 ? d->peak_bytes : d->bytes;
	uint32_t each = level->processors > 0 ? level->processors : run->processors;
	double caches = each > 0 ? ceil((double)run->processors / each) : 1;

	if (bytes == 0 || level->line == 0)
		return INFINITY;
	/* An object may begin and end anywhere in a line. */
	double most = (double)bytes / level->line + 2 * (d->objects > 0 ? (double)d->objects : 1);
	return caches * (most < (double)bytes ? most : (double)bytes);
}

/* A data of an entry is added up: its first references are no more than its lines. */
static void close_data(struct ms_intervals_maker *m, uint32_t data)
{
	double scale = m->run->samplings.at[0].scale;

	for (uint32_t i = 0; i < m->run->levels.n; i++) {
		double most = ms_intervals_lines(m->run, data, i);
		struct ms_intervals_causes *w = &m->one.why[i];
		/* Where all of the time was seen, blocks may have lain here and there. */
		bool stays = m->by_sets == NULL || m->run->data.at[data].kind != MS_DATA_HEAP;
		bool bounded = stays && scale * sum(m, m->unseen[i]) > most;

		w->data++;
		w->bounded += bounded ? most : 0;
		for (uint32_t p = 0; p < m->parts; p++) {
			w->every[p] += m->unseen[i][p];
			w->unseen[p] += bounded ? 0 : m->unseen[i][p];
		}
	}
	memset(m->unseen, 0, m->run->levels.n * sizeof(*m->unseen));
}

/*
 * Data of which windows have seen all lines does not add to the variation between windows. But
 * windows may have missed as much of other data, unless the data is alone in its entry.
 */
static struct ms_intervals_bounds firsts(const struct ms_intervals_maker *m,
					 const struct ms_intervals_causes *w, double most)
{
	struct ms_intervals_bounds n = references_of(m);
	double each = ratio(m, w->unseen, m->all.references, 0);
	double off = ms_intervals_half_width(m->run, w->data > 1 ? w->every : w->unseen,
					     m->all.references);
	bool whole = w->data == 1 && w->bounded > 0;
	double unobserved =
		whole ? 0 : ms_intervals_unobserved(m->run) * m->run->samplings.at[0].scale;
	struct ms_intervals_bounds b = { n.low * (each - off),
					 n.high * (each + off) + w->bounded + unobserved };

	/* Where some sets were seen all of the time, what was not seen was not used. */
	if (m->run->samplings.at[0].ratio < 1)
		b.low = m->whole_run ? w->seen : 0;
	return within(b, most);
}

static void causes(const struct ms_intervals_maker *m, const struct ms_intervals_causes *w,
		   struct ms_intervals_level *l)
{
	struct ms_intervals_bounds taken = within(number_at_most(m, &w->taken, 0), l->misses.high);
	struct ms_intervals_range sure;

	memcpy(sure.low, w->taken.low, sizeof(sure.low));
	memcpy(sure.high, w->taken.low, sizeof(sure.high));

	double times = ms_intervals_unseen_sharing(m->run),
	       more = number_at_most(m, &sure, 0).high * (times - 1);

	if (more > 0) {
		l->rate = within((struct ms_intervals_bounds){ l->rate.low, l->rate.high * times },
				 1);
		l->share = within(
			(struct ms_intervals_bounds){ l->share.low / times, l->share.high * times },
			1);
		l->misses.high += more;
		taken.high += more;
	}

	struct ms_intervals_bounds first = firsts(m, w, l->misses.high);
	struct ms_intervals_bounds b = number_at_most(m, &w->replaced, 1);
	double least = l->misses.low - first.high - taken.high;
	double most = l->misses.high - first.low - taken.low;

	b.low = least > b.low ? least : b.low;
	b.high = most < b.high ? most : b.high;
	b.high = b.high > b.low ? b.high : b.low;
	l->causes[MS_CAUSE_FIRST] = first;
	l->causes[MS_CAUSE_REPLACED] = within(b, l->misses.high);
	l->causes[MS_CAUSE_INVALIDATED] = taken;
}

/* --- stall of several processors: what a miss costs is known of all of a level's together --- */

static void price_level(const struct ms_intervals_maker *m, struct ms_intervals_sums *s,
			uint32_t level)
{
	double n = (double)ms_summary_rw_sum(m->whole->total.counts.references);
	struct ms_intervals_bounds b = each(m, &s->misses[level], m->all.references, INFINITY);
	struct ms_intervals_bounds cost =
		ms_intervals_mean_miss_cost(m->whole, level, &s->answered[level],
					    (struct ms_intervals_bounds){ n * b.low, n * b.high });

	for (uint32_t p = 0; p < m->parts; p++) {
		double least = s->misses[level].low[p], most = s->misses[level].high[p];

		s->stall.low[p] += cost.low * (cost.low < 0 ? most : least);
		s->stall.high[p] += cost.high * (cost.high < 0 ? least : most);
	}
}

static void price_all(const struct ms_intervals_maker *m, struct ms_intervals_sums *s)
{
	if (m->run->processors == 1)
		return;
	memset(&s->stall, 0, sizeof(s->stall));
	for (uint32_t i = 0; i < m->run->levels.n; i++)
		price_level(m, s, i);
}

/* Threads that were not seen together may have taken more lines from each other. */
static void widen_stall(const struct ms_intervals_maker *m, struct ms_intervals_entry *e)
{
	double times = m->run->processors > 1 ? ms_intervals_unseen_sharing(m->run) : 1;

	if (!(times > 1))
		return;
	e->stall = within(
		(struct ms_intervals_bounds){ e->stall.low / times, e->stall.high * times }, 1);
	e->cycles.high *= times;
	e->average.high *= times;
}

/* Where these are known, no reference misses twice. */
static double most_references(const struct ms_intervals_maker *m, struct ms_intervals_bounds share)
{
	return m->by_sets != NULL && !isnan(share.high) ? references_of(m).high * share.high
							: INFINITY;
}

/* What is added to the interval of a figure because of unknown references. */
static void add_errors(const struct ms_intervals_maker *m, struct ms_intervals_sums *s)
{
	static const double quantile = 1.96;

	for (uint32_t i = 0; m->modelled && i < m->run->levels.n; i++) {
		s->misses[i].error = quantile * ms_intervals_unknown_refs_error(
							&s->unknown[i], &m->unknown_levels[i]);
		s->stall.error = hypot(s->stall.error,
				       ms_intervals_miss_cost(m->whole, i) * s->misses[i].error);
	}
}

static struct ms_intervals_entry bounds(struct ms_intervals_maker *m)
{
	double scale = m->run->samplings.at[0].scale;
	double dearest = ms_intervals_max_miss_cost(m->whole);

	price_all(m, &m->one);
	add_errors(m, &m->one);
	struct ms_intervals_entry e = {
		.references = reference_share(m),
		.stall = share(m, &m->one.stall, &m->all.stall, dearest),
		.cycles = number(m, &m->one.stall, dearest),
		.average = each_own(m, &m->one.stall, dearest, INFINITY),
		.compute = { NAN, NAN },
		.levels = ms_arena_take(&m->intervals->arena, m->run->levels.n * sizeof(*e.levels)),
	};

	double references = most_references(m, e.references);

	e.cycles = within(e.cycles, references * dearest);
	e.average = of_estimated(m, e.average, e.references, dearest);
	widen_stall(m, &e);
	ms_intervals_expose(m->whole, &m->one.figures, &e);
	for (size_t i = 0; i < m->run->levels.n; i++) {
		e.levels[i] = (struct ms_intervals_level){
			.misses = within(number(m, &m->one.misses[i], 1), references),
			.rate = of_estimated(m, each_own(m, &m->one.misses[i], 1, 1), e.references,
					     1),
			.share = share(m, &m->one.misses[i], &m->all.misses[i], 1),
			.seen = { scale * sum(m, m->one.extreme[i].low),
				  scale * sum(m, m->one.extreme[i].high) },
			.stale = scale * m->one.stale[i],
		};
		causes(m, &m->one.why[i], &e.levels[i]);
	}
	ms_intervals_set_measured(m->whole, &m->one.figures, &e);
	ms_intervals_contain(&e, m->whole, &m->one.figures);
	for (size_t i = 0; i < m->run->levels.n; i++)
		e.levels[i].extreme =
			m->modelled ? within(number_at_most(m, &m->one.extreme[i], 1), references)
				    : e.levels[i].misses;
	return e;
}

/* --- entry by entry --- */

struct entry_member {
	uint64_t key;
	uint32_t data;
	uint32_t cell;
};

static int compare_members(const void *a, const void *b)
{
	const struct entry_member *x = a, *y = b;
	int order = ms_cmp_u64(x->key, y->key);

	if (order == 0)
		order = ms_cmp_u64(x->data, y->data);
	return order != 0 ? order : ms_cmp_u64(x->cell, y->cell);
}

static void add_entries(struct ms_intervals_maker *m, const struct entry_member *members, size_t n)
{
	for (size_t i = 0; i < n;) {
		uint64_t key = members[i].key;

		ms_intervals_sums_clear(m, &m->one);
		m->uncertain = (struct ms_intervals_uncertain){ .entry = m->uncertain.entry + 1,
								.codes = m->uncertain.codes };
		for (; i < n && members[i].key == key; i++) {
			ms_intervals_sums_add_cell(m, &m->one, members[i].cell);
			if (m->by_sets != NULL)
				ms_intervals_by_sets_add_uncertain(m->by_sets, members[i].cell,
								   &m->uncertain);
			if (i + 1 == n || members[i + 1].key != key ||
			    members[i + 1].data != members[i].data)
				close_data(m, members[i].data);
		}
		*ms_map_at(&m->intervals->entries, key, 0) = (uint32_t)m->intervals->at.n;
		*ms_vec_add(&m->intervals->at) = bounds(m);
	}
}

static void make_entries(struct ms_intervals_maker *m, const uint64_t *keys)
{
	size_t cells = m->run->cells.n, n = 0;
	struct entry_member *members = ms_alloc((cells + 1) * sizeof(*members));

	ms_intervals_sums_clear(m, &m->all);
	for (uint32_t i = 0; i < cells; i++) {
		ms_intervals_sums_add_cell(m, &m->all, i);
		if (keys[i] != MS_NO_KEY)
			members[n++] =
				(struct entry_member){ keys[i], m->run->cells.at[i].data, i };
	}
	memset(m->unseen, 0, m->run->levels.n * sizeof(*m->unseen));
	price_all(m, &m->all);
	for (uint32_t i = 0; i < m->run->levels.n; i++)
		m->unknown_levels[i] = ms_intervals_unknown_level(
			m->run, i, ms_intervals_unknown_refs_count(&m->all.unknown[i]));
	add_errors(m, &m->all);
	if (n > 1)
		qsort(members, n, sizeof(*members), compare_members);
	add_entries(m, members, n);
	ms_free(members);
}

/* Where the rows of each cell begin: they are sorted by cell. */
static void find_rows(struct ms_intervals_maker *m)
{
	const struct ms_run *run = m->run;
	size_t r = 0, k = 0, a = 0, s = 0;

	for (uint32_t i = 0; i <= run->cells.n; i++) {
		while (r < run->sampled_references.n && run->sampled_references.at[r].cell < i)
			r++;
		while (k < run->sampled_misses.n && run->sampled_misses.at[k].cell < i)
			k++;
		while (a < run->misses.n && run->misses.at[a].cell < i)
			a++;
		while (s < run->hardware_samples.n && run->hardware_samples.at[s].cell < i)
			s++;
		m->answers_at[i] = a;
		m->samples_at[i] = s;
		m->references_at[i] = r;
		m->misses_at[i] = k;
	}
}

uint32_t ms_intervals_parts(const struct ms_run *run)
{
	uint32_t n = run->samplings.n == 1 ? run->samplings.at[0].parts : 0;

	for (size_t i = 1; i < run->samplings.n; i++)
		n += run->samplings.at[i].parts;
	return n < MS_RUN_PARTS_MOST ? n : MS_RUN_PARTS_MOST;
}

static void join(struct ms_intervals_bounds *a, const struct ms_intervals_bounds *b)
{
	if (isnan(b->low) || isnan(b->high))
		return;
	a->low = b->low < a->low ? b->low : a->low;
	a->high = b->high > a->high ? b->high : a->high;
}

static void join_levels(struct ms_intervals_level *a, const struct ms_intervals_level *b)
{
	join(&a->misses, &b->misses);
	join(&a->rate, &b->rate);
	join(&a->share, &b->share);
	for (unsigned c = 0; c < MS_CAUSES; c++)
		join(&a->causes[c], &b->causes[c]);
}

/* Where execution counts replace the references: joins the intervals by windows alone, as in
 * miss_rate_estimators.c. */
static void join_by_windows(struct ms_intervals_maker *m, const uint64_t *keys, const double *ones)
{
	struct ms_intervals counted = *m->intervals;

	*m->intervals = (struct ms_intervals){ .arena = MS_ARENA_INIT, .entries = MS_MAP_INIT };
	m->cells = ones;
	make_entries(m, keys);
	for (size_t i = 0; i < counted.at.n; i++) {
		struct ms_intervals_entry *a = &m->intervals->at.at[i], *b = &counted.at.at[i];

		join(&a->references, &b->references);
		join(&a->stall, &b->stall);
		join(&a->cycles, &b->cycles);
		join(&a->average, &b->average);
		for (size_t l = 0; l < m->run->levels.n; l++)
			join_levels(&a->levels[l], &b->levels[l]);
	}
	ms_intervals_free(&counted);
}

void ms_intervals_of_keys(struct ms_intervals *intervals, const struct ms_summary *whole,
			  const uint64_t *keys, enum ms_summary_entry_kind kind, bool whole_run)
{
	const struct ms_run *run = whole->run;
	size_t cells = run->cells.n + 2, levels = run->levels.n + 1;

	*intervals = (struct ms_intervals){ .arena = MS_ARENA_INIT, .entries = MS_MAP_INIT };
	if (run->samplings.n == 0)
		return;
	struct ms_intervals_maker m = {
		.intervals = intervals,
		.whole = whole,
		.run = run,
		.parts = ms_intervals_parts(run),
		.references_at = ms_alloc(cells * sizeof(size_t)),
		.misses_at = ms_alloc(cells * sizeof(size_t)),
		.answers_at = ms_alloc(cells * sizeof(size_t)),
		.samples_at = ms_alloc(cells * sizeof(size_t)),
		.modelled = ms_intervals_is_modelled(run),
		.unknown_levels = ms_alloc(levels * sizeof(struct ms_intervals_unknown_total)),
		.kind = kind,
		.whole_run = whole_run,
		.uncertain.codes = ms_alloc((run->codes.n + 1) * sizeof(uint32_t)),
		.unseen = ms_alloc(levels * sizeof(*m.unseen))
	};
	double *cells_of = ms_intervals_cell_factors(run),
	       *ones = ms_intervals_unit_factors(run, cells_of);

	ms_intervals_sums_open(run, &m.all);
	ms_intervals_sums_open(run, &m.one);
	find_rows(&m);
	m.by_sets = ms_intervals_by_sets_open(run);
	m.cells = cells_of;
	/* An entry may be code that few windows executed: its parts do not show what it does in
	 * others. */
	if (whole_run && ms_intervals_is_counted(run, ones))
		m.strata = ms_intervals_strata_open(run, cells_of, m.parts);
	make_entries(&m, keys);
	if (ones != NULL && m.strata == NULL)
		join_by_windows(&m, keys, ones);
	ms_intervals_strata_close(m.strata);
	ms_intervals_by_sets_close(m.by_sets);
	ms_free(m.references_at);
	ms_free(m.misses_at);
	ms_free(m.answers_at);
	ms_free(m.samples_at);
	ms_free(cells_of);
	ms_free(ones);
	ms_free(m.unknown_levels);
	ms_intervals_sums_close(&m.all);
	ms_intervals_sums_close(&m.one);
	ms_free(m.uncertain.codes);
	ms_free(m.unseen);
}
