/*
 * analysis/metric/metric_intervals.c - the intervals of the figures of ms_metric_table in a sampled
 * run.
 *
 * Not included: occupancy, and normalised time, because windows do not show which processors were
 * busy between them.
 */
#include <math.h>
#include <string.h>

#include "analysis/confidence_intervals/design_effect.h"
#include "analysis/metric/metric.h"

/* An entry, its intervals, and a level. */
struct interval_request {
	const struct ms_summary *whole;
	const struct ms_summary_entry *entry;
	const struct ms_intervals_entry *own;
	size_t level;
};

static const struct ms_intervals_bounds nothing = { NAN, NAN };

static struct ms_intervals_bounds stall_share(const struct interval_request *a)
{
	return a->own->stall;
}

static struct ms_intervals_bounds stall_cycles(const struct interval_request *a)
{
	return a->own->cycles;
}

static struct ms_intervals_bounds compute_cycles(const struct interval_request *a)
{
	return a->own->compute;
}

static struct ms_intervals_bounds stall_per_reference(const struct interval_request *a)
{
	return a->own->average;
}

static struct ms_intervals_bounds references(const struct interval_request *a)
{
	return ms_intervals_references(a->whole, a->own->references);
}

static struct ms_intervals_bounds half_of(const struct interval_request *a, enum ms_summary_rw rw)
{
	const struct ms_intervals_rw *half = &a->own->rw[rw];

	return half->misses != NULL ? ms_intervals_references(a->whole, half->references) : nothing;
}

static struct ms_intervals_bounds reads(const struct interval_request *a)
{
	return half_of(a, MS_READS);
}

static struct ms_intervals_bounds writes(const struct interval_request *a)
{
	return half_of(a, MS_WRITES);
}

static struct ms_intervals_bounds misses(const struct interval_request *a)
{
	return a->own->levels[a->level].misses;
}

static struct ms_intervals_bounds miss_rate(const struct interval_request *a)
{
	return a->own->levels[a->level].rate;
}

static struct ms_intervals_bounds half_misses(const struct interval_request *a,
					      enum ms_summary_rw rw)
{
	const struct ms_intervals_rw *half = &a->own->rw[rw];

	return half->misses != NULL ? half->misses[a->level] : nothing;
}

static struct ms_intervals_bounds read_misses(const struct interval_request *a)
{
	return half_misses(a, MS_READS);
}

static struct ms_intervals_bounds write_misses(const struct interval_request *a)
{
	return half_misses(a, MS_WRITES);
}

static struct ms_intervals_bounds first(const struct interval_request *a)
{
	return a->own->levels[a->level].causes[MS_CAUSE_FIRST];
}

static struct ms_intervals_bounds replacement(const struct interval_request *a)
{
	return a->own->levels[a->level].causes[MS_CAUSE_REPLACED];
}

static struct ms_intervals_bounds invalidation(const struct interval_request *a)
{
	return a->own->levels[a->level].causes[MS_CAUSE_INVALIDATED];
}

static struct ms_intervals_bounds some_misses(const struct interval_request *a, uint64_t n)
{
	return ms_intervals_effect_misses(a->whole->run, &a->entry->counts.levels[a->level],
					  &a->own->levels[a->level], n);
}

static struct ms_intervals_bounds some_taken(const struct interval_request *a, bool falsely)
{
	return ms_intervals_effect_invalidated(a->whole->run, &a->entry->counts.levels[a->level],
					       &a->own->levels[a->level], falsely);
}

static struct ms_intervals_bounds covered(const struct interval_request *a)
{
	return some_misses(a, a->entry->counts.levels[a->level].covered);
}

static struct ms_intervals_bounds peer(const struct interval_request *a)
{
	return some_misses(a, a->entry->counts.levels[a->level].peer);
}

static struct ms_intervals_bounds remote(const struct interval_request *a)
{
	return some_misses(a, a->entry->counts.levels[a->level].remote);
}

static struct ms_intervals_bounds upgrades(const struct interval_request *a)
{
	return ms_intervals_effect_upgrades(a->whole->run, &a->entry->counts, a->own);
}

static struct ms_intervals_bounds write_backs(const struct interval_request *a)
{
	return some_misses(a, a->entry->counts.levels[a->level].write_backs);
}

static struct ms_intervals_bounds true_sharing(const struct interval_request *a)
{
	return some_taken(a, false);
}

static struct ms_intervals_bounds false_sharing(const struct interval_request *a)
{
	return some_taken(a, true);
}

static const struct {
	const char *key;
	struct ms_intervals_bounds (*bounds)(const struct interval_request *asked);
} figures[] = {
	{ "stall_share", stall_share },
	{ "stall_cycles", stall_cycles },
	{ "compute_cycles", compute_cycles },
	{ "stall_per_reference", stall_per_reference },
	{ "references", references },
	{ "reads", reads },
	{ "writes", writes },
	{ "misses", misses },
	{ "miss_rate", miss_rate },
	{ "read_misses", read_misses },
	{ "write_misses", write_misses },
	{ "first", first },
	{ "replacement", replacement },
	{ "invalidation", invalidation },
	{ "true_sharing", true_sharing },
	{ "false_sharing", false_sharing },
	{ "covered", covered },
	{ "peer", peer },
	{ "remote", remote },
	{ "upgrades", upgrades },
	{ "write_backs", write_backs },
};

bool ms_metric_has_interval(const struct ms_metric *metric, const struct ms_run *run)
{
	for (size_t i = 0; i < MS_COUNT(figures) && run->samplings.n > 0; i++)
		if (strcmp(figures[i].key, metric->key) == 0)
			return true;
	return false;
}

struct ms_intervals_bounds ms_metric_interval(const struct ms_metric *metric,
					      const struct ms_summary *whole,
					      const struct ms_summary_entry *entry,
					      const struct ms_intervals_entry *own, size_t level)
{
	struct interval_request asked = { whole, entry, own, level };

	for (size_t i = 0; i < MS_COUNT(figures) && own != NULL; i++)
		if (strcmp(figures[i].key, metric->key) == 0)
			return figures[i].bounds(&asked);
	return nothing;
}
