/*
 * analysis/evictions/eviction_intervals.c - intervals of the numbers of evictions of a sampled run.
 *
 * Windows store parts of misses, but not of evictions. The misses bound the evictions: each miss
 * brings in a line, and each line that is brought in evicts one, unless there is room, or stays
 * until the end. So the evictions by a data structure, and the evictions of its lines, are at most
 * its misses, and at least its misses minus the capacity of the level.
 *
 * A pair is a subset of its evictor's evictions (design_effect.h). The victims of unknown misses
 * are not known, nor whether unknown hits evict a line: a pair may have all of these, or none. The
 * upper bound of a pair is the misses of either data structure. The lower bound is what is left of
 * either when all other pairs have as much as they can.
 *
 * Not considered: pairs between windows may differ from those in windows.
 */
#include <math.h>

#include "analysis/confidence_intervals/design_effect.h"
#include "analysis/evictions/evictions_priv.h"
#include "base/mem.h"

struct eviction_bounder {
	struct ms_evictions *e;
	const struct ms_run *run;
	struct ms_intervals by_place; /* line and data */
	double scale;
	/* By level: all high ends together. */
	double *evicted;
	double *evicts;
};

static const struct ms_intervals_bounds unknown = { NAN, NAN };

static double larger(double a, double b)
{
	return a > b ? a : b;
}

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

/* --- data and levels --- */

/* Lines that misses bring in: a reference that crosses a line's end may bring in two. */
static double lines_of(const struct ms_intervals_level *l, double count)
{
	double misses = l->seen.low + l->stale;

	return l->extreme.high * (misses > 0 ? larger(1, count / misses) : 1);
}

/*
 * Lines that come in: at most, and without those for which there is room. Where others take lines
 * away there always may be. once: so many may have come in where no window was.
 */
static struct ms_intervals_bounds come_and_go(const struct eviction_bounder *j,
					      const struct ms_intervals_level *l, uint32_t level,
					      double count, double once)
{
	double room =
		j->run->processors == 1 ? (double)ms_run_cache_lines(j->run, level) : INFINITY;

	if (isnan(l->extreme.low) || isnan(l->extreme.high) ||
	    !(count >= MS_EFFECT_EVENTS * j->scale))
		return unknown;
	return (struct ms_intervals_bounds){ smaller(larger(0, l->extreme.low - room), count),
					     larger(lines_of(l, count) + once, count) };
}

/*
 * Code that passes over a data structure once, for example to fill it, may do so between two
 * windows, and no window shows it. This is assumed to be no more than windows have counted for the
 * data.
 */
static double one_pass(const struct eviction_bounder *j, uint32_t data, uint32_t level,
		       double count)
{
	bool windows = j->run->samplings.n > 0 && j->run->samplings.at[0].ratio < 1;
	double lines = ms_intervals_lines(j->run, data, level);

	return !windows || isinf(lines) ? 0 : smaller(lines, count);
}

static void bound_data(const struct eviction_bounder *j, uint32_t level, uint32_t data)
{
	struct ms_evictions_data *d = &j->e->data[level * j->run->data.n + data];
	const struct ms_intervals_entry *own = ms_intervals_at(&j->e->by_data, data);

	d->evicted_within = d->evicts_within = unknown;
	if (own == NULL)
		return;
	const struct ms_intervals_level *l = &own->levels[level];
	double evicted = (double)d->evicted, evicts = (double)d->evicts;

	d->evicted_within = come_and_go(j, l, level, evicted, one_pass(j, data, level, evicted));
	d->evicts_within = come_and_go(j, l, level, evicts, one_pass(j, data, level, evicts));
	/* Also of data that was seen too seldom to have an interval. */
	j->evicted[level] += lines_of(l, evicted);
	j->evicts[level] += lines_of(l, evicts);
}

static void bound_levels(const struct eviction_bounder *j)
{
	const struct ms_summary *whole = &j->e->whole;
	const struct ms_intervals_entry *all = ms_intervals_at(&j->e->total, 0);

	for (uint32_t i = 0; i < j->run->levels.n; i++) {
		struct ms_evictions_level *level = &j->e->levels[i];
		double cost = ms_evictions_replacement_cost(whole, i);

		level->within = level->stall_within = unknown;
		for (uint32_t d = 0; d < j->run->data.n; d++)
			bound_data(j, i, d);
		if (all == NULL)
			continue;
		const struct ms_intervals_bounds *replaced =
			&all->levels[i].causes[MS_CAUSE_REPLACED];
		level->within = come_and_go(j, &all->levels[i], i, (double)level->evictions, 0);
		level->stall_within =
			(struct ms_intervals_bounds){ cost * replaced->low, cost * replaced->high };
	}
}

/* --- pairs and places --- */

/* By what windows saw: some of the evictor's, here or in all code. */
static struct ms_intervals_bounds seen(const struct eviction_bounder *j,
				       const struct ms_evictions_row *p,
				       const struct ms_intervals_level *own)
{
	const struct ms_evictions_data *evictor = ms_evictions_of(j->e, p->level, p->evictor);
	double all = (double)j->e->levels[p->level].evictions, part = (double)p->count;
	double evicts = (double)evictor->evicts;
	double stale = own->stale, hits = own->seen.high - own->seen.low - own->stale;
	const struct ms_intervals_bounds off = { own->stale + own->extreme.low,
						 own->extreme.high - hits };
	struct ms_intervals_bounds b =
		ms_intervals_effect_part(part, own->seen.low + own->stale, off, j->scale);

	/* What another processor has taken away is known to miss, and may push out anything. */
	if (j->run->processors > 1)
		stale = larger(stale,
			       smaller(1, ms_intervals_effect_stale(j->run, p->level) / all) *
				       evicts);
	b = ms_intervals_effect_blur(b, part, evicts, stale);
	b.high += hits;
	return b;
}

/* What is left of either when all others have all that they can. */
static double left(const struct eviction_bounder *j, const struct ms_evictions_row *p,
		   double evicted, double evicts)
{
	const struct ms_evictions_data *victim = ms_evictions_of(j->e, p->level, p->victim);
	const struct ms_evictions_data *evictor = ms_evictions_of(j->e, p->level, p->evictor);
	double others = j->evicts[p->level] - evicts, victims = j->evicted[p->level] - evicted;

	return larger(victim->evicted_within.low - others, evictor->evicts_within.low - victims);
}

/* At most all of the victim's and of the evictor's; own: as the place has it. */
static struct ms_intervals_bounds cap(const struct eviction_bounder *j,
				      const struct ms_evictions_row *p,
				      const struct ms_intervals_level *own,
				      struct ms_intervals_bounds b)
{
	const struct ms_intervals_entry *victim = ms_intervals_at(&j->e->by_data, p->victim);
	double part = (double)p->count, evicts = lines_of(own, part);

	b.high = smaller(b.high, evicts);
	if (victim != NULL) {
		double evicted =
			lines_of(&victim->levels[p->level],
				 (double)ms_evictions_of(j->e, p->level, p->victim)->evicted);

		b.high = smaller(b.high, evicted);
		/* For a part of the code alone, the lower bound is not known. */
		if (p->line == MS_NONE && j->e->at == NULL)
			b.low = larger(b.low, left(j, p, evicted, evicts));
	}
	return (struct ms_intervals_bounds){ smaller(b.low, part), larger(b.high, part) };
}

static struct ms_intervals_bounds bound(const struct eviction_bounder *j,
					const struct ms_evictions_row *p)
{
	const struct ms_intervals_entry *own =
		p->line == MS_NONE
			? ms_intervals_at(&j->e->by_data, p->evictor)
			: ms_intervals_at(&j->by_place, (uint64_t)p->line << 32 | p->evictor);

	if (own == NULL)
		return unknown;
	struct ms_intervals_bounds b = seen(j, p, &own->levels[p->level]);
	return isnan(b.low) || isnan(b.high) ? unknown : cap(j, p, &own->levels[p->level], b);
}

static void bound_places(const struct eviction_bounder *j, struct ms_evictions_rows *places)
{
	for (size_t i = 0; i < places->at.n; i++)
		places->at.at[i].within = bound(j, &places->at.at[i]);
}

/* Intervals of data at each line of source. */
static void make_places(struct eviction_bounder *j)
{
	const struct ms_run *run = j->run;
	uint64_t *keys = ms_alloc((run->cells.n + 1) * sizeof(*keys));

	for (uint32_t i = 0; i < run->cells.n; i++)
		keys[i] = (uint64_t)run->sites.at[run->cells.at[i].site].line << 32 |
			  run->cells.at[i].data;
	ms_intervals_make(&j->by_place, &j->e->whole, keys, MS_ENTRY_BIN);
	ms_free(keys);
}

void ms_evictions_set_intervals(struct ms_evictions *e)
{
	const struct ms_run *run = e->whole.run;
	size_t levels = run->levels.n + 1;
	struct eviction_bounder j = { .e = e,
				      .run = run,
				      .scale = ms_intervals_effect_scale(run),
				      .evicted = ms_alloc(levels * sizeof(double)),
				      .evicts = ms_alloc(levels * sizeof(double)) };

	ms_intervals_by_kind(&e->by_data, &e->whole, MS_ENTRY_DATA, NULL);
	ms_intervals_by_kind(&e->total, &e->whole, MS_ENTRY_TOTAL, NULL);
	make_places(&j);
	bound_levels(&j);
	bound_places(&j, &e->pairs);
	bound_places(&j, &e->places);
	ms_intervals_free(&j.by_place);
	ms_free(j.evicted);
	ms_free(j.evicts);
}
