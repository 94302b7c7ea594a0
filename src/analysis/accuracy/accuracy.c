#include "analysis/accuracy/accuracy.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/accuracy/accuracy_priv.h"
#include "analysis/measured/measured.h"
#include "base/map.h"

/* Bins with this much of the stall time together are where a programmer begins. */
static const double THROUGH = 0.9;

static int check(const struct ms_run *whole, const struct ms_run *sampled, struct ms_err *err)
{
	if (whole->samplings.n > 0)
		return ms_fail(err, MS_EUSAGE,
			       "run @%" PRId64 " is a sampled one, expected one that was "
			       "simulated whole first, then the sampled one",
			       whole->id);
	if (sampled->samplings.n == 0)
		return ms_fail(err, MS_EUSAGE,
			       "run @%" PRId64 " is not a sampled one; make one with memspy replay "
			       "--sample 1/10",
			       sampled->id);
	bool same = whole->levels.n == sampled->levels.n && sampled->levels.n > 0;
	for (size_t i = 0; same && i < whole->levels.n; i++) {
		const struct ms_run_level *a = &whole->levels.at[i], *b = &sampled->levels.at[i];

		same = a->size == b->size && a->ways == b->ways && a->line == b->line;
	}
	if (!same)
		return ms_fail(err, MS_EUSAGE,
			       "runs @%" PRId64 " and @%" PRId64 " are of machines with other "
			       "caches (%s, %s), expected the same ones",
			       whole->id, sampled->id, whole->machine, sampled->machine);
	return MS_OK;
}

static void shares(const struct ms_summary_level_counts *c, double causes[MS_CAUSES])
{
	for (unsigned i = 0; i < MS_CAUSES; i++)
		causes[i] = ms_summary_rw_sum(c->misses) > 0
				    ? (double)c->causes[i] / (double)ms_summary_rw_sum(c->misses)
				    : NAN;
}

/* Misses of lines that something has replaced that was not seen. */
static uint64_t not_seen(const struct ms_run *run, uint32_t level)
{
	uint64_t count = 0;

	for (size_t i = 0; i < run->replaced.n; i++)
		if (run->replaced.at[i].level == level &&
		    strcmp(run->data.at[run->replaced.at[i].evictor].name, "<not seen>") == 0)
			count += run->replaced.at[i].count;
	return count;
}

static void add_level(struct ms_accuracy *a, uint32_t l,
		      const struct ms_intervals_level_estimate *e)
{
	const struct ms_summary_counts *whole = &a->summary.total.counts;
	const struct ms_summary_level_counts *s = &a->sampled_summary.total.counts.levels[l];
	uint64_t references = ms_summary_rw_sum(whole->references),
		 misses = ms_summary_rw_sum(s->misses);
	struct ms_accuracy_level level = { .name = a->whole->levels.at[l].name, .sampled = *e };

	level.rate = references > 0 ? (double)ms_summary_rw_sum(whole->levels[l].misses) /
					      (double)references
				    : NAN;
	level.lost = references > 0 ? (double)whole->levels[l].causes[MS_CAUSE_INVALIDATED] /
					      (double)references
				    : NAN;
	level.covered = level.rate >= e->low && level.rate <= e->high;
	level.lost_covered = level.lost >= e->lost_low && level.lost <= e->lost_high;
	shares(&whole->levels[l], level.causes);
	shares(s, level.sampled_causes);
	level.not_seen = misses > 0 ? (double)not_seen(a->sampled, l) / (double)misses : 0;
	level.sampled_causes[MS_CAUSE_REPLACED] -= level.not_seen;
	*ms_vec_add(&a->levels) = level;
}

static double share_of(const struct ms_summary *s, const struct ms_summary_entry *entry)
{
	uint64_t all = ms_summary_rw_sum(s->total.counts.stall);

	return all > 0 ? (double)ms_summary_rw_sum(entry->counts.stall) / (double)all : 0;
}

static void add_bin(struct ms_accuracy *a, const struct ms_accuracy_matcher *matcher, size_t i)
{
	const struct ms_summary_entry *entry = &a->summary.bins.at.at[i];
	uint32_t k = ms_accuracy_matcher_find(matcher, entry);
	struct ms_accuracy_bin bin = { .name = entry->name,
				       .share = share_of(&a->summary, entry),
				       .rank = (uint32_t)i + 1 };

	if (k != MS_MAP_NONE) {
		bin.sampled_share =
			share_of(&a->sampled_summary, &a->sampled_summary.bins.at.at[k]);
		bin.sampled_rank = k + 1;
	}
	*ms_vec_add(&a->bins) = bin;
}

static void add_bins(struct ms_accuracy *a)
{
	struct ms_accuracy_matcher *matcher =
		ms_accuracy_matcher_open(&a->summary, &a->sampled_summary);
	double sum = 0;

	a->through = THROUGH;
	for (size_t i = 0; i < a->summary.bins.at.n && sum < THROUGH; i++) {
		double share = share_of(&a->summary, &a->summary.bins.at.at[i]);

		if (share <= 0)
			break;
		add_bin(a, matcher, i);
		sum += share;
	}
	ms_accuracy_matcher_close(matcher);
	while (a->in_order < a->bins.n &&
	       a->bins.at[a->in_order].rank == a->bins.at[a->in_order].sampled_rank)
		a->in_order++;
}

static bool is_between(uint64_t references, const struct ms_run_sampling *s)
{
	double half = 0.5; /* totals are rounded */

	return (double)references >= s->total_low - half &&
	       (double)references <= s->total_high + half;
}

int ms_accuracy_make(struct ms_accuracy *a, const struct ms_run *whole,
		     const struct ms_run *sampled, struct ms_err *err)
{
	struct ms_intervals_estimates estimates;

	MS_TRY(ms_measured_refuse(whole, "miss rates", err));
	MS_TRY(ms_measured_refuse(sampled, "miss rates", err));
	*a = (struct ms_accuracy){ .whole = whole, .sampled = sampled };
	MS_TRY(check(whole, sampled, err));
	MS_TRY(ms_summary_make(&a->summary, whole, NULL, NULL, err));
	int code = ms_summary_make(&a->sampled_summary, sampled, NULL, NULL, err);
	if (code != MS_OK) {
		ms_summary_free(&a->summary);
		return code;
	}
	a->references = ms_summary_rw_sum(a->summary.total.counts.references);
	a->covered = is_between(a->references, &sampled->samplings.at[0]);
	ms_intervals_estimates_make(&estimates, sampled, NULL, NULL);
	for (uint32_t l = 0; l < estimates.levels.n; l++)
		add_level(a, l, &estimates.levels.at[l]);
	ms_intervals_estimates_free(&estimates);
	add_bins(a);
	ms_accuracy_judge_order(a);
	return MS_OK;
}

void ms_accuracy_free(struct ms_accuracy *a)
{
	ms_summary_free(&a->summary);
	ms_summary_free(&a->sampled_summary);
	ms_vec_free(&a->levels);
	ms_vec_free(&a->bins);
}
