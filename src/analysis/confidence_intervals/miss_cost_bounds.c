/* analysis/confidence_intervals/miss_cost_bounds.c - what misses of a sampled run cost, at least
 * and at most. */
#include <math.h>

#include "analysis/confidence_intervals/design_effect.h"
#include "analysis/confidence_intervals/part_weights.h"

/*
 * A miss that goes on to the next level costs what that one's answer costs, no longer what this
 * one's does: the difference, which may be negative with latencies of the user's.
 */
double ms_intervals_miss_cost(const struct ms_summary *whole, uint32_t level)
{
	const uint64_t *answer = whole->cost.answer.at;

	return (double)answer[level] - (level > 0 ? (double)answer[level - 1] : 0);
}

void ms_intervals_part_stall(const struct ms_summary *whole, const struct ms_run_sampled_miss *row,
			     double *low, double *high)
{
	double least = (double)row->known,
	       most = least + (double)(row->unknown_hits + row->unknown_misses),
	       cost = ms_intervals_miss_cost(whole, row->level);

	*low = cost * (cost < 0 ? most : least);
	*high = cost * (cost < 0 ? least : most);
}

double ms_intervals_max_miss_cost(const struct ms_summary *whole)
{
	double most = 0;

	for (size_t i = 0; i < whole->cost.answer.n; i++)
		if ((double)whole->cost.answer.at[i] > most)
			most = (double)whole->cost.answer.at[i];
	if (whole->run->processors > 1 && (double)whole->cost.peer > most)
		most = (double)whole->cost.peer;
	if (whole->run->nodes > 1 && (double)whole->cost.remote > most)
		most = (double)whole->cost.remote;
	return most;
}

/* How many of a level's misses some others answered: between these, as parts of all of them. */
static struct ms_intervals_bounds part_of(const struct ms_run *run, double some, double misses,
					  struct ms_intervals_bounds within)
{
	enum { FEW = 2 * MS_EFFECT_EVENTS }; /* of less than these of them nothing more is known */
	double scale = ms_intervals_effect_scale(run);
	struct ms_intervals_bounds b = ms_intervals_effect_part(some, misses, within, scale);

	if (!(misses > 0))
		return (struct ms_intervals_bounds){ 0, 1 };
	if (isnan(b.low) || isnan(b.high))
		b = (struct ms_intervals_bounds){ 0, FEW * scale };
	b.low /= misses;
	b.high /= misses;
	return (struct ms_intervals_bounds){ b.low < 1 ? b.low : 1, b.high < 1 ? b.high : 1 };
}

/* Adds the misses with another answer: each costs `more` cycles, which may be negative. */
static void add_price(struct ms_intervals_bounds *price, struct ms_intervals_bounds part,
		      double more)
{
	price->low += more * (more < 0 ? part.high : part.low);
	price->high += more * (more < 0 ? part.low : part.high);
}

struct ms_intervals_bounds ms_intervals_mean_miss_cost(const struct ms_summary *whole,
						       uint32_t level,
						       const struct ms_intervals_answered *a,
						       struct ms_intervals_bounds within)
{
	const struct ms_run *run = whole->run;
	const struct ms_summary_level_counts *all = &whole->total.counts.levels[level];
	double cost = ms_intervals_miss_cost(whole, level),
	       answer = (double)whole->cost.answer.at[level];
	struct ms_intervals_bounds price = { cost, cost };

	if (all->peer > 0)
		add_price(&price, part_of(run, a->peer, a->misses, within),
			  (double)whole->cost.peer - answer);
	if (all->remote > 0)
		add_price(&price, part_of(run, a->remote, a->misses, within),
			  (double)whole->cost.remote - answer);
	return price;
}
