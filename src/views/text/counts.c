/* views/text/counts.c - what was counted of a run or a part of it: time, references, misses. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/confidence_intervals/design_effect.h"
#include "analysis/confidence_intervals/intervals.h"
#include "analysis/confidence_intervals/miss_division.h"
#include "analysis/confidence_intervals/miss_rate_estimators.h"
#include "analysis/measured/measured.h"
#include "analysis/summary/rounded_shares.h"
#include "base/num.h"
#include "views/text/intervals.h"
#include "views/text/page.h"
#include "views/text/parts.h"

void ms_views_text_cycles(const struct ms_views_text_page *page, const struct ms_summary *whole,
			  const bool *code, const char *what, uint64_t compute, uint64_t stall)
{
	static const char *const names[] = { "Compute", "Memory stall" };
	static const char *const within[] = { "compute", "memory stall" };
	const uint64_t cycles[] = { compute, stall };
	struct ms_intervals intervals;
	char count[MS_NUM_TEXT];

	ms_intervals_by_kind(&intervals, whole, MS_ENTRY_TOTAL,
			     &(struct ms_summary_selection){ code, NULL });
	const struct ms_intervals_entry *own = ms_intervals_at(&intervals, 0);
	ms_views_text_line(
		page, "%s%s: %s %s%s%s", what,
		ms_run_has_measured_time(whole->run) ? " (measured)"
		: ms_run_is_timed(whole->run)        ? " (estimated)"
						     : "",
		ms_format_count(compute + stall, count), ms_views_text_time_unit(whole->run),
		ms_views_text_milliseconds(&intervals.arena, whole->run, compute + stall),
		own != NULL ? ms_views_text_interval(&intervals.arena, ms_intervals_time(own))
			    : "");
	ms_views_text_parts(page, names, cycles, MS_COUNT(cycles));
	if (own != NULL)
		ms_views_text_ranges(page, within,
				     (struct ms_intervals_bounds[]){ own->compute, own->cycles },
				     MS_COUNT(within));
	if (own != NULL && isnan(own->compute.low) && compute > 0)
		ms_views_text_line(page, "  Compute: no interval, %s",
				   isnan(own->cycles.low) ? "there are too few windows"
							  : "this code has no references");
	ms_intervals_free(&intervals);
}

void ms_views_text_normalised(const struct ms_views_text_page *page, const struct ms_run *run,
			      const struct ms_summary_counts *counts)
{
	uint64_t cycles = counts->compute + ms_summary_rw_sum(counts->stall);
	uint64_t normalised = ms_round_u64(counts->normalised);
	char count[MS_NUM_TEXT];

	if (run->processors > 1 && normalised > 0)
		ms_views_text_fold(
			page, "Normalized processor time: %s cycles; %.1f processors busy%s",
			ms_format_count(normalised, count), (double)cycles / counts->normalised,
			run->samplings.n > 0 ? " (no interval: windows do not show who was "
					       "busy between them)"
					     : "");
}

static const char *const read_write[] = { [MS_READS] = "Reads", [MS_WRITES] = "Writes" };
static const char *const causes[] = { [MS_CAUSE_FIRST] = "First reference",
				      [MS_CAUSE_REPLACED] = "Replacement",
				      [MS_CAUSE_INVALIDATED] = "Invalidation" };

/* Of a sampled run: how far parts of some misses may be off that were not kept apart
 * (design_effect.h). */
static void put_parts_within(const struct ms_views_text_page *page, const struct ms_run *run,
			     const char *const *names, const uint64_t *parts, size_t n,
			     uint64_t all, const struct ms_intervals_bounds *within)
{
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_intervals_bounds *bounds = ms_arena_take(&arena, (n + 1) * sizeof(*bounds));

	for (size_t i = 0; i < n && within != NULL; i++)
		bounds[i] = ms_intervals_effect_part((double)parts[i], (double)all, *within,
						     ms_intervals_effect_scale(run));
	ms_views_text_ranges(page, names, bounds, within != NULL ? n : 0);
	ms_arena_free(&arena);
}

/* "True sharing: 18K (90.0%)   False sharing: 2K (10.0%)" of a level's invalidation misses. */
static void put_sharing(const struct ms_views_text_page *page, const struct ms_run *run,
			const struct ms_summary_level_counts *level,
			const struct ms_intervals_level *within)
{
	static const char *const names[] = { "Invalidation by true sharing", "By false sharing" };
	static const char *const within_names[] = { "true sharing", "false sharing" };
	uint64_t all = level->causes[MS_CAUSE_INVALIDATED];
	const uint64_t parts[] = { all > level->falsely ? all - level->falsely : 0,
				   level->falsely };

	if (all == 0)
		return;
	ms_views_text_parts(page, names, parts, MS_COUNT(parts));
	put_parts_within(page, run, within_names, parts, MS_COUNT(parts), all,
			 within != NULL ? &within->causes[MS_CAUSE_INVALIDATED] : NULL);
}

static void put_division_ranges(const struct ms_views_text_page *page,
				const struct ms_intervals_division *division)
{
	static const char *const names[] = { "capacity", "conflict", "saved" };
	const struct ms_intervals_bounds bounds[] = { division->capacity_bounds,
						      division->conflict_bounds,
						      division->saved_bounds };

	ms_views_text_ranges(page, names, bounds, MS_COUNT(names) - (division->saved == 0));
}

/*
 * Replacement misses by what a fully associative cache would have done. Those of the first level
 * are extrapolated from observed parts of the run.
 */
static void put_division(const struct ms_views_text_page *page, const struct ms_run *run,
			 const struct ms_summary_level_counts *level, size_t i)
{
	static const char *const names[] = { "Replacement: capacity", "Conflict", "Ambiguous" };
	const struct ms_intervals_division division = ms_intervals_divide(level);
	const uint64_t parts[] = { division.capacity, division.conflict, division.ambiguous };
	char count[MS_NUM_TEXT];

	if (run->division == MS_RUN_UNDIVIDED || level->causes[MS_CAUSE_REPLACED] == 0)
		return;
	/* Few of them were in observed parts of the run. */
	if (run->division == MS_RUN_ESTIMATED && division.capacity + division.conflict == 0) {
		ms_views_text_line(page, "  Replacement: capacity or conflict is not known "
					 "(run --exact-3c counts them)");
		return;
	}
	ms_views_text_parts(page, names, parts, MS_COUNT(parts));
	if (i == 0 && run->division == MS_RUN_BOUNDS && run->observed_part < 1)
		ms_views_text_line(page, "    extrapolated from %.2g%% of the run",
				   100 * run->observed_part);
	if (level->saved > 0)
		ms_views_text_line(page, "  Saved by mapping: %s hits",
				   ms_format_count(level->saved, count));
	if (run->division == MS_RUN_ESTIMATED)
		put_division_ranges(page, &division);
}

/* What answered the misses of the first level; each is counted once. */
static void put_answers(const struct ms_views_text_page *page, const struct ms_run *run,
			const struct ms_summary_counts *counts,
			const struct ms_intervals_entry *own)
{
	struct ms_arena arena = MS_ARENA_INIT;
	size_t levels = run->levels.n, n = 0;
	const char **names = ms_arena_take(&arena, (levels + 3) * sizeof(*names));
	uint64_t *parts = ms_arena_take(&arena, (levels + 3) * sizeof(*parts));
	uint64_t peer = 0, remote = 0;

	for (size_t i = 1; i <= levels; i++) {
		names[n] = i < levels       ? run->levels.at[i].name
			   : run->nodes > 1 ? "Local memory"
					    : "Memory";
		parts[n++] = ms_summary_answered(counts, levels, i);
		peer += counts->levels[i - 1].peer;
		remote += counts->levels[i - 1].remote;
	}
	names[n] = "Remote memory";
	parts[n] = remote;
	n += run->nodes > 1;
	names[n] = "Another processor's cache";
	parts[n++] = peer;
	ms_views_text_line(page, "%s misses, by what answered:", run->levels.at[0].name);
	ms_views_text_parts(page, names, parts, n);
	put_parts_within(page, run, names, parts, n, ms_summary_rw_sum(counts->levels[0].misses),
			 own != NULL ? &own->levels[0].misses : NULL);
	ms_arena_free(&arena);
}

/* Of all levels together: levels with too few of them add nothing. */
static struct ms_intervals_bounds write_backs_within(const struct ms_run *run,
						     const struct ms_summary_counts *counts,
						     const struct ms_intervals_entry *own)
{
	struct ms_intervals_bounds sum = { 0, 0 };

	for (size_t i = 0; i < run->levels.n; i++) {
		const struct ms_summary_level_counts *c = &counts->levels[i];
		struct ms_intervals_bounds b =
			ms_intervals_effect_misses(run, c, &own->levels[i], c->write_backs);

		if (!isnan(b.low))
			sum = (struct ms_intervals_bounds){ sum.low + b.low, sum.high + b.high };
	}
	return sum;
}

/* What coherence costs beside misses. */
static void put_traffic(const struct ms_views_text_page *page, const struct ms_run *run,
			const struct ms_summary_counts *counts,
			const struct ms_intervals_entry *own)
{
	static const char *const names[] = { "upgrades", "write-backs" };
	char upgrades[MS_NUM_TEXT], backs[MS_NUM_TEXT];
	uint64_t write_backs = 0;

	for (size_t i = 0; i < run->levels.n; i++)
		write_backs += counts->levels[i].write_backs;
	ms_views_text_line(page, "Upgrades: %s   Write-backs: %s",
			   ms_format_count(counts->upgrades, upgrades),
			   ms_format_count(write_backs, backs));
	if (own == NULL)
		return;
	const struct ms_intervals_bounds bounds[] = {
		ms_intervals_effect_upgrades(run, counts, own), write_backs_within(run, counts, own)
	};

	ms_views_text_ranges(page, names, bounds, MS_COUNT(bounds));
}

/* Of a sampled run: between what the miss rate lies in 95 of 100 cases. */
static void put_interval(const struct ms_views_text_page *page,
			 const struct ms_intervals_estimates *estimates, size_t level, bool several)
{
	if (level >= estimates->levels.n)
		return;
	const struct ms_intervals_level_estimate *e = &estimates->levels.at[level];
	if (isfinite(e->low) && isfinite(e->high))
		ms_views_text_line(page,
				   "  Estimated; 95%% interval of the miss rate: %.2f%% to %.2f%%",
				   100 * e->low, 100 * e->high);
	if (isfinite(e->lost_low) && isfinite(e->lost_high) && several)
		ms_views_text_line(page, "  Likewise of invalidation misses: %.2f%% to %.2f%%",
				   100 * e->lost_low, 100 * e->lost_high);
	if (!isfinite(e->low) || !isfinite(e->high))
		ms_views_text_line(page, "  Estimated from too few windows for an interval");
}

void ms_views_text_miss_rates(const struct ms_views_text_page *page, const struct ms_run *run)
{
	struct ms_intervals_estimates estimates;
	struct ms_text text = MS_TEXT_INIT;

	if (run->samplings.n == 0)
		return;
	ms_intervals_estimates_make(&estimates, run, NULL, NULL);
	for (size_t i = 0; i < estimates.levels.n; i++) {
		const struct ms_intervals_level_estimate *e = &estimates.levels.at[i];

		ms_text_addf(&text, "%s%s ", i > 0 ? ", " : "", run->levels.at[i].name);
		if (isfinite(e->low) && isfinite(e->high))
			ms_text_addf(&text, "%.2f%% to %.2f%%", 100 * e->low, 100 * e->high);
		else
			ms_text_add(&text, "from too few windows to tell");
	}
	ms_text_add(&text, " (95% intervals of the miss rates)");
	ms_views_text_wrap(page, "Known to: ", text.at);
	ms_text_free(&text);
	ms_intervals_estimates_free(&estimates);
}

/* Of references, or of misses of a level: all of them, reads and writes. */
static void put_halves_within(const struct ms_views_text_page *page, const char *what,
			      struct ms_intervals_bounds all,
			      const struct ms_intervals_bounds halves[MS_RW])
{
	const char *const names[] = { what, "reads", "writes" };
	const struct ms_intervals_bounds bounds[] = { all, halves[MS_READS], halves[MS_WRITES] };

	ms_views_text_ranges(page, names, bounds, MS_COUNT(bounds));
}

static void put_misses_within(const struct ms_views_text_page *page,
			      const struct ms_intervals_entry *own, size_t level)
{
	struct ms_intervals_bounds halves[MS_RW];

	if (own == NULL)
		return;
	for (unsigned i = 0; i < MS_RW; i++)
		halves[i] = own->rw[i].misses != NULL ? own->rw[i].misses[level]
						      : (struct ms_intervals_bounds){ NAN, NAN };
	put_halves_within(page, "misses", own->levels[level].misses, halves);
}

static void put_references_within(const struct ms_views_text_page *page,
				  const struct ms_summary *whole,
				  const struct ms_intervals_entry *own)
{
	struct ms_intervals_bounds halves[MS_RW];

	if (own == NULL)
		return;
	for (unsigned i = 0; i < MS_RW; i++)
		halves[i] = own->rw[i].misses != NULL
				    ? ms_intervals_references(whole, own->rw[i].references)
				    : (struct ms_intervals_bounds){ NAN, NAN };
	put_halves_within(page, "references", ms_intervals_references(whole, own->references),
			  halves);
}

static void put_covered(const struct ms_views_text_page *page, const struct ms_run *run,
			const struct ms_summary_level_counts *level,
			const struct ms_intervals_level *within)
{
	static const char *const name = "covered";
	uint64_t misses = ms_summary_rw_sum(level->misses);
	struct ms_arena arena = MS_ARENA_INIT;
	char count[MS_NUM_TEXT];

	ms_views_text_line(page, "  Covered by the prefetcher: %s (%s)",
			   ms_format_count(level->covered, count),
			   ms_views_text_rate(&arena, level->covered, misses));
	put_parts_within(page, run, &name, &level->covered, 1, misses,
			 within != NULL ? &within->misses : NULL);
	ms_arena_free(&arena);
}

static void put_level(const struct ms_views_text_page *page, const struct ms_run *run,
		      const struct ms_summary_counts *counts, size_t i,
		      const struct ms_intervals_estimates *estimates,
		      const struct ms_intervals_entry *intervals)
{
	const struct ms_summary_level_counts *level = &counts->levels[i];
	const struct ms_intervals_level *within = intervals != NULL ? &intervals->levels[i] : NULL;
	uint64_t misses = ms_summary_rw_sum(level->misses);
	bool known = ms_summary_knows_references(run, counts);
	struct ms_arena arena = MS_ARENA_INIT;
	char count[MS_NUM_TEXT];

	ms_views_text_fold(
		page, "%s misses: %s%s%s", run->levels.at[i].name, ms_format_count(misses, count),
		known ? "   Miss rate: " : "",
		known ? ms_views_text_rate(&arena, misses, ms_summary_rw_sum(counts->references))
		      : "");
	put_interval(page, estimates, i, run->processors > 1);
	ms_views_text_parts(page, read_write, level->misses, MS_RW);
	put_misses_within(page, intervals, i);
	ms_views_text_parts(page, causes, level->causes, MS_CAUSES);
	ms_views_text_cause_ranges(page, level, intervals, i);
	put_division(page, run, level, i);
	if (run->processors > 1)
		put_sharing(page, run, level, within);
	if (run->levels.at[i].prefetch > 0)
		put_covered(page, run, level, within);
	ms_arena_free(&arena);
}

void ms_views_text_counts(const struct ms_views_text_page *page, const struct ms_summary *whole,
			  const bool *code, const bool *data,
			  const struct ms_summary_counts *counts)
{
	const struct ms_run *run = whole->run;
	const struct ms_summary_selection selection = { code, data };
	struct ms_intervals_estimates estimates = { MS_VEC_INIT };
	struct ms_intervals intervals;
	char count[MS_NUM_TEXT];

	if (run->samplings.n > 0)
		ms_intervals_estimates_make(&estimates, run, code, data);
	ms_intervals_by_kind(&intervals, whole, MS_ENTRY_TOTAL, &selection);
	ms_intervals_split_rw(&intervals, whole, MS_ENTRY_TOTAL, &selection);
	const struct ms_intervals_entry *own = ms_intervals_at(&intervals, 0);
	if (ms_summary_knows_references(run, counts)) {
		ms_views_text_line(page, "References: %s",
				   ms_format_count(ms_summary_rw_sum(counts->references), count));
		ms_views_text_parts(page, read_write, counts->references, MS_RW);
		put_references_within(page, whole, own);
	}
	for (size_t i = 0; i < run->levels.n; i++)
		put_level(page, run, counts, i, &estimates, own);
	if (run->processors > 1 && run->levels.n > 0) {
		put_answers(page, run, counts, own);
		put_traffic(page, run, counts, own);
	}
	ms_intervals_free(&intervals);
	ms_intervals_estimates_free(&estimates);
}

/* Shares of the reasons, of what could be attributed last; of references where nothing stalls. */
static void reason_shares(const struct ms_summary *s, bool stalls, uint32_t *tenths,
			  struct ms_arena *arena)
{
	size_t n = s->reasons.at.n;
	uint64_t *parts = ms_arena_take(arena, (n + 1) * sizeof(*parts));

	parts[n] = ms_summary_rw_sum(stalls ? s->total.counts.stall : s->total.counts.references);
	for (size_t i = 0; i < n; i++) {
		const struct ms_summary_counts *c = &s->reasons.at.at[i].counts;

		parts[i] = ms_summary_rw_sum(stalls ? c->stall : c->references);
		parts[n] -= parts[i];
	}
	ms_summary_share_list(parts, n + 1, MS_WHOLE, tenths);
}

/* In a sampled run: the interval of all data that has a reason, together. */
static const char *reasons_within(const struct ms_summary *s, bool stalls, struct ms_arena *arena)
{
	const struct ms_run *run = s->run;
	uint64_t *keys = ms_arena_take(arena, (run->cells.n + 1) * sizeof(*keys));
	struct ms_intervals intervals;

	for (size_t i = 0; i < run->cells.n; i++)
		keys[i] = run->data.at[run->cells.at[i].data].reason != NULL ? 0 : MS_NO_KEY;
	ms_intervals_make(&intervals, s, keys, MS_ENTRY_DATA);
	const struct ms_intervals_entry *own = ms_intervals_at(&intervals, 0);
	const char *within =
		own != NULL
			? ms_views_text_share_interval(arena, stalls ? own->stall : own->references)
			: "";
	ms_intervals_free(&intervals);
	return within;
}

void ms_views_text_reasons(const struct ms_views_text_page *page, const struct ms_summary *s)
{
	bool stalls = ms_summary_rw_sum(s->total.counts.stall) > 0;
	size_t n = s->reasons.at.n;
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_text text = MS_TEXT_INIT;
	uint32_t *tenths = ms_arena_take(&arena, (n + 1) * sizeof(*tenths));
	uint32_t sum = 0;

	reason_shares(s, stalls, tenths, &arena);
	for (size_t i = 0; i < n; i++) {
		if (!s->reasons.at.at[i].counts.used)
			continue;
		sum += tenths[i];
		ms_text_addf(&text, "%s%s %s", text.n ? ", " : ": ",
			     ms_views_text_percent(&arena, tenths[i]), s->reasons.at.at[i].name);
	}
	const char *within = reasons_within(s, stalls, &arena);
	if (text.n == 0)
		ms_views_text_fold(page, "Unattributed: none; every %s has its data.",
				   ms_run_is_measured(s->run) ? "sample"
				   : s->run->misses_only      ? "miss"
							      : "reference");
	else
		ms_views_text_wrap(page, "Unattributed: ",
				   ms_arena_printf(&arena, "%s of %s%s%s%s",
						   ms_views_text_percent(&arena, sum),
						   ms_run_is_measured(s->run)
							   ? ms_measured_quantity(s->run)
						   : stalls ? "stall time"
							    : "references",
						   text.at, within[0] != '\0' ? ";" : "", within));
	ms_text_free(&text);
	ms_arena_free(&arena);
}
