/* views/json/counts.c - what JSON says of every entry, whatever it is an entry of. */
#include <math.h>

#include "analysis/confidence_intervals/design_effect.h"
#include "analysis/confidence_intervals/intervals.h"
#include "analysis/confidence_intervals/miss_division.h"
#include "analysis/measured/measured.h"
#include "analysis/summary/rounded_shares.h"
#include "base/json.h"
#include "run/enum_words.h"
#include "views/json/parts.h"

void ms_views_json_read_write(struct ms_json *j, const char *key, const uint64_t counts[MS_RW])
{
	ms_json_object(j, key);
	ms_json_u64(j, "read", counts[MS_READS]);
	ms_json_u64(j, "write", counts[MS_WRITES]);
	ms_json_end(j);
}

/* Only of runs with several processors. */
static void shared(struct ms_json *j, const struct ms_summary_level_counts *level)
{
	uint64_t all = level->causes[MS_CAUSE_INVALIDATED];

	ms_json_u64(j, "true_sharing", all > level->falsely ? all - level->falsely : 0);
	ms_json_u64(j, "false_sharing", level->falsely);
	ms_json_u64(j, "peer", level->peer);
	ms_json_u64(j, "remote", level->remote);
	ms_json_u64(j, "write_backs", level->write_backs);
}

/* Replacement misses, by what a fully associative cache would have done. */
static void division(struct ms_json *j, const struct ms_run *run,
		     const struct ms_summary_level_counts *level)
{
	const struct ms_intervals_division division = ms_intervals_divide(level);

	ms_json_object(j, "replacement");
	ms_json_u64(j, "conflict", division.conflict);
	ms_json_u64(j, "capacity", division.capacity);
	ms_json_u64(j, "ambiguous", division.ambiguous);
	ms_json_u64(j, "saved_by_mapping", division.saved);
	if (run->division == MS_RUN_ESTIMATED) {
		ms_json_object(j, "intervals");
		ms_views_json_interval(j, "conflict", division.conflict_bounds);
		ms_views_json_interval(j, "capacity", division.capacity_bounds);
		ms_views_json_interval(j, "saved_by_mapping", division.saved_bounds);
		ms_json_end(j);
	}
	ms_json_end(j);
}

static const char *const causes[] = { [MS_CAUSE_FIRST] = "first",
				      [MS_CAUSE_REPLACED] = "replacement",
				      [MS_CAUSE_INVALIDATED] = "invalidation" };

void ms_views_json_levels(struct ms_json *j, const struct ms_run *run,
			  const struct ms_summary_counts *c)
{
	ms_json_array(j, "levels");
	for (size_t i = 0; i < run->levels.n; i++) {
		ms_json_object(j, NULL);
		ms_json_text(j, "name", run->levels.at[i].name);
		ms_views_json_read_write(j, "misses", c->levels[i].misses);
		ms_json_object(j, "causes");
		for (int k = 0; k < MS_CAUSES; k++)
			ms_json_u64(j, causes[k], c->levels[i].causes[k]);
		ms_json_end(j);
		if (run->division != MS_RUN_UNDIVIDED)
			division(j, run, &c->levels[i]);
		if (run->processors > 1)
			shared(j, &c->levels[i]);
		if (run->levels.at[i].prefetch > 0)
			ms_json_u64(j, "covered", c->levels[i].covered);
		ms_json_end(j);
	}
	ms_json_end(j);
}

void ms_views_json_share(struct ms_json *j, const char *key, uint64_t part, uint64_t whole)
{
	if (whole > 0)
		ms_json_real(j, key, ms_summary_share(part, whole));
	else
		ms_json_null(j, key);
}

/* Cycles of the misses that the next level answered, or memory. */
static void level_cycles(struct ms_json *j, const struct ms_run *run, size_t level,
			 const struct ms_summary_level_cycles *cycles)
{
	ms_json_object(j, NULL);
	ms_json_text(j, "name",
		     level + 1 < run->levels.n ? run->levels.at[level + 1].name : "memory");
	ms_json_u64(j, "exposed_cycles", cycles->exposed);
	ms_json_u64(j, "prefetched_cycles", cycles->prefetched);
	ms_json_u64(j, "overlapped_cycles", cycles->overlapped);
	ms_json_end(j);
}

void ms_views_json_timing(struct ms_json *j, const struct ms_run *run,
			  const struct ms_summary_counts *c)
{
	bool measured = ms_run_has_measured_time(run);

	if (!ms_run_is_timed(run) && !measured)
		return;
	ms_json_object(j, "timing");
	ms_json_array(j, "answers");
	for (size_t i = 0; i < run->levels.n; i++)
		level_cycles(j, run, i, &c->levels[i].cycles);
	ms_json_end(j);
	ms_json_u64(j, "latency_cycles", ms_summary_latency(c, run->levels.n));
	ms_json_u64(j, "page_walks", c->timing.walks);
	ms_json_u64(j, "page_walk_cycles", c->timing.walk_cycles);
	ms_json_u64(j, "bandwidth_cycles", c->timing.bandwidth_cycles);
	if (measured)
		ms_json_u64(j, "unexplained_cycles", c->timing.unexplained_cycles);
	ms_json_object(j, "dependences");
	for (uint32_t i = 0; i < MS_RUN_DEPENDENCES; i++)
		ms_json_u64(j, ms_run_dependence_word(i), c->timing.dependences[i]);
	ms_json_end(j);
	ms_json_end(j);
}

void ms_views_json_counts(struct ms_json *j, const struct ms_summary *whole,
			  const struct ms_summary_counts *c)
{
	if (ms_run_is_measured(whole->run)) {
		ms_views_json_samples(j, whole, c);
		return;
	}
	if (ms_summary_knows_references(whole->run, c))
		ms_views_json_read_write(j, "references", c->references);
	ms_views_json_levels(j, whole->run, c);
	if (whole->run->processors > 1)
		ms_json_u64(j, "upgrades", c->upgrades);
	ms_json_u64(j, "stall_cycles", ms_summary_rw_sum(c->stall));
	ms_views_json_share(j, "stall_share", ms_summary_rw_sum(c->stall),
			    ms_summary_rw_sum(whole->total.counts.stall));
	ms_views_json_measured(j, whole, c);
	ms_views_json_timing(j, whole->run, c);
}

void ms_views_json_interval(struct ms_json *j, const char *key, struct ms_intervals_bounds b)
{
	if (isnan(b.low) || isnan(b.high)) {
		ms_json_null(j, key);
		return;
	}
	ms_json_object(j, key);
	ms_json_real(j, "low", b.low);
	ms_json_real(j, "high", b.high);
	ms_json_end(j);
}

void ms_views_json_low_high(struct ms_json *j, const struct ms_run *run,
			    struct ms_intervals_bounds b)
{
	if (run->samplings.n == 0)
		return;
	if (isnan(b.low) || isnan(b.high)) {
		ms_json_null(j, "low");
		ms_json_null(j, "high");
		return;
	}
	ms_json_real(j, "low", b.low);
	ms_json_real(j, "high", b.high);
}

/* What no window contains cannot be estimated. */
static struct ms_intervals_bounds of_half(const struct ms_intervals_rw *half,
					  struct ms_intervals_bounds bounds)
{
	return half->misses != NULL ? bounds : (struct ms_intervals_bounds){ NAN, NAN };
}

/* Likewise of reads and of writes. */
static void halves_between(struct ms_json *j, const struct ms_intervals_entry *e)
{
	const struct ms_intervals_rw *r = &e->rw[MS_READS], *w = &e->rw[MS_WRITES];

	ms_json_object(j, "reference_shares");
	ms_views_json_interval(j, "read", of_half(r, r->references));
	ms_views_json_interval(j, "write", of_half(w, w->references));
	ms_json_end(j);
	ms_json_object(j, "stall");
	ms_views_json_interval(j, "read", of_half(r, r->cycles));
	ms_views_json_interval(j, "write", of_half(w, w->cycles));
	ms_json_end(j);
}

static void level_halves(struct ms_json *j, const struct ms_intervals_entry *e, size_t level)
{
	static const char *const names[] = {
		[MS_READS] = "read_misses", [MS_WRITES] = "write_misses"
	};

	for (unsigned i = 0; i < MS_RW; i++)
		if (e->rw[i].misses != NULL)
			ms_views_json_interval(j, names[i], e->rw[i].misses[level]);
		else
			ms_json_null(j, names[i]);
}

/* Misses of several processors that windows did not keep apart. */
static void some_between(struct ms_json *j, const struct ms_run *run,
			 const struct ms_summary_level_counts *c,
			 const struct ms_intervals_level *within)
{
	ms_views_json_interval(j, "true_sharing",
			       ms_intervals_effect_invalidated(run, c, within, false));
	ms_views_json_interval(j, "false_sharing",
			       ms_intervals_effect_invalidated(run, c, within, true));
	ms_views_json_interval(j, "peer", ms_intervals_effect_misses(run, c, within, c->peer));
	ms_views_json_interval(j, "remote", ms_intervals_effect_misses(run, c, within, c->remote));
	ms_views_json_interval(j, "write_backs",
			       ms_intervals_effect_misses(run, c, within, c->write_backs));
}

void ms_views_json_intervals(struct ms_json *j, const struct ms_run *run,
			     const struct ms_summary_counts *c, const struct ms_intervals_entry *e)
{
	bool halves = e != NULL && (e->rw[MS_READS].misses || e->rw[MS_WRITES].misses);

	if (e == NULL)
		return;
	ms_json_object(j, "intervals");
	ms_views_json_interval(j, "reference_share", e->references);
	ms_views_json_interval(j, "stall_share", e->stall);
	ms_views_json_interval(j, "stall_cycles", e->cycles);
	ms_views_json_interval(j, "stall_per_reference", e->average);
	if (e->computes)
		ms_views_json_interval(j, "compute_cycles", e->compute);
	if (run->processors > 1)
		ms_views_json_interval(j, "upgrades", ms_intervals_effect_upgrades(run, c, e));
	if (halves)
		halves_between(j, e);
	ms_json_array(j, "levels");
	for (size_t i = 0; i < run->levels.n; i++) {
		ms_json_object(j, NULL);
		ms_json_text(j, "name", run->levels.at[i].name);
		ms_views_json_interval(j, "misses", e->levels[i].misses);
		ms_views_json_interval(j, "miss_rate", e->levels[i].rate);
		ms_views_json_interval(j, "miss_share", e->levels[i].share);
		if (halves)
			level_halves(j, e, i);
		if (run->processors > 1)
			some_between(j, run, &c->levels[i], &e->levels[i]);
		ms_json_object(j, "causes");
		for (int k = 0; k < MS_CAUSES; k++)
			ms_views_json_interval(j, causes[k], e->levels[i].causes[k]);
		ms_json_end(j);
		ms_json_end(j);
	}
	ms_json_end(j);
	ms_json_end(j);
}
