/* views/html/figures.c - the figures that every entry of a table has: references, stall, misses by
 * level, and what they cost. */
#include "analysis/confidence_intervals/miss_division.h"
#include "analysis/measured/measured.h"
#include "base/num.h"
#include "run/enum_words.h"
#include "views/html/tables_priv.h"

static void level_columns(struct ms_html_tables *t, size_t i)
{
	static const char *const always[] = { "misses.read", "misses.write", "causes.first",
					      "causes.replacement", "causes.invalidation" };
	static const char *const several[] = { "true_sharing", "false_sharing", "peer", "remote",
					       "write_backs" };
	static const char *const division[] = { "conflict", "capacity", "saved_by_mapping" };
	static const char *const bounds[] = { "conflict.low", "conflict.high", "capacity.low",
					      "capacity.high" };
	struct ms_html_packed *p = &t->packed;

	for (size_t k = 0; k < MS_COUNT(always); k++)
		ms_html_packed_column(p, "levels.%zu.%s", i, always[k]);
	for (size_t k = 0; k < MS_COUNT(several) && t->run->processors > 1; k++)
		ms_html_packed_column(p, "levels.%zu.%s", i, several[k]);
	if (t->run->levels.at[i].prefetch > 0)
		ms_html_packed_column(p, "levels.%zu.covered", i);
	for (size_t k = 0; k < MS_COUNT(division) && t->run->division != MS_RUN_UNDIVIDED; k++)
		ms_html_packed_column(p, "levels.%zu.replacement.%s", i, division[k]);
	for (size_t k = 0; k < MS_COUNT(bounds) && t->run->division == MS_RUN_ESTIMATED; k++)
		ms_html_packed_column(p, "levels.%zu.replacement.intervals.%s", i, bounds[k]);
}

/* Of an out-of-order core: why it costs what it costs. */
static void timing_columns(struct ms_html_tables *t)
{
	static const char *const cycles[] = { "exposed", "prefetched", "overlapped" };
	static const char *const names[] = { "page_walks", "page_walk_cycles", "bandwidth_cycles",
					     "unexplained_cycles" };
	size_t n = ms_run_has_measured_time(t->run) ? MS_COUNT(names) : MS_COUNT(names) - 1;
	struct ms_html_packed *p = &t->packed;

	for (size_t i = 0; i < t->run->levels.n; i++)
		for (size_t k = 0; k < MS_COUNT(cycles); k++)
			ms_html_packed_column(p, "timing.answers.%zu.%s_cycles", i, cycles[k]);
	for (size_t i = 0; i < n; i++)
		ms_html_packed_column(p, "timing.%s", names[i]);
	for (uint32_t i = 0; i < MS_RUN_DEPENDENCES; i++)
		ms_html_packed_column(p, "timing.dependences.%s", ms_run_dependence_word(i));
}

static void timing_figures(struct ms_html_tables *t, const struct ms_summary_counts *c)
{
	struct ms_html_packed *p = &t->packed;

	for (size_t i = 0; i < t->run->levels.n; i++) {
		ms_html_packed_u64(p, c->levels[i].cycles.exposed);
		ms_html_packed_u64(p, c->levels[i].cycles.prefetched);
		ms_html_packed_u64(p, c->levels[i].cycles.overlapped);
	}
	ms_html_packed_u64(p, c->timing.walks);
	ms_html_packed_u64(p, c->timing.walk_cycles);
	ms_html_packed_u64(p, c->timing.bandwidth_cycles);
	if (ms_run_has_measured_time(t->run))
		ms_html_packed_u64(p, c->timing.unexplained_cycles);
	for (int i = 0; i < MS_RUN_DEPENDENCES; i++)
		ms_html_packed_u64(p, c->timing.dependences[i]);
}

void ms_html_put_figure_columns(struct ms_html_tables *t)
{
	static const char *const names[] = { "references.read", "references.write", "stall.read",
					     "stall.write" };
	static const char *const sampled[] = { "samples", "share", "share_low", "share_high" };

	for (size_t i = 0; i < MS_COUNT(names); i++)
		ms_html_packed_column(&t->packed, "%s", names[i]);
	if (t->run->processors > 1)
		ms_html_packed_column(&t->packed, "upgrades");
	for (size_t i = 0; i < t->run->levels.n; i++)
		level_columns(t, i);
	static const char *const joined[] = { "stall_ns", "estimated_share", "differs" };
	bool measured = ms_run_has_measured_time(t->run);

	for (size_t i = 0; i < MS_COUNT(sampled) && (ms_run_is_measured(t->run) || measured); i++)
		ms_html_packed_column(&t->packed, "%s", sampled[i]);
	for (size_t i = 0; i < MS_COUNT(joined) && measured; i++)
		ms_html_packed_column(&t->packed, "%s", joined[i]);
	if (ms_run_is_timed(t->run) || measured)
		timing_columns(t);
}

static void division_figures(struct ms_html_tables *t, const struct ms_summary_level_counts *l)
{
	struct ms_intervals_division division = ms_intervals_divide(l);
	struct ms_html_packed *p = &t->packed;

	ms_html_packed_u64(p, division.conflict);
	ms_html_packed_u64(p, division.capacity);
	ms_html_packed_u64(p, division.saved);
	if (t->run->division != MS_RUN_ESTIMATED)
		return;
	ms_html_packed_u64(p, ms_round_u64(division.conflict_bounds.low));
	ms_html_packed_u64(p, ms_round_u64(division.conflict_bounds.high));
	ms_html_packed_u64(p, ms_round_u64(division.capacity_bounds.low));
	ms_html_packed_u64(p, ms_round_u64(division.capacity_bounds.high));
}

static void level_figures(struct ms_html_tables *t, const struct ms_summary_level_counts *l,
			  size_t i)
{
	struct ms_html_packed *p = &t->packed;
	uint64_t taken = l->causes[MS_CAUSE_INVALIDATED];

	for (int rw = 0; rw < MS_RW; rw++)
		ms_html_packed_u64(p, l->misses[rw]);
	for (int k = 0; k < MS_CAUSES; k++)
		ms_html_packed_u64(p, l->causes[k]);
	if (t->run->processors > 1) {
		ms_html_packed_u64(p, taken > l->falsely ? taken - l->falsely : 0);
		ms_html_packed_u64(p, l->falsely);
		ms_html_packed_u64(p, l->peer);
		ms_html_packed_u64(p, l->remote);
		ms_html_packed_u64(p, l->write_backs);
	}
	if (t->run->levels.at[i].prefetch > 0)
		ms_html_packed_u64(p, l->covered);
	if (t->run->division != MS_RUN_UNDIVIDED)
		division_figures(t, l);
}

/* Of the real machine: how many samples, and their share with its interval. */
static void sample_figures(struct ms_html_tables *t, const struct ms_summary_counts *c)
{
	struct ms_measured_share i = ms_measured_stall_share(t->s, c);

	ms_html_packed_u64(&t->packed, c->samples.n);
	ms_html_packed_real(&t->packed, i.share);
	ms_html_packed_real(&t->packed, i.low);
	ms_html_packed_real(&t->packed, i.high);
}

/* Beside it, what the simulation estimates: differs is 0, 1 (more was measured) or 2 (less). */
static void joined_figures(struct ms_html_tables *t, const struct ms_summary_counts *c)
{
	struct ms_measured_comparison compared = ms_measured_compare(t->s, c);

	ms_html_packed_u64(&t->packed, c->samples.latency);
	ms_html_packed_real(&t->packed, compared.estimated);
	ms_html_packed_u64(&t->packed, compared.verdict);
}

void ms_html_put_figures(struct ms_html_tables *t, const struct ms_summary_counts *c)
{
	struct ms_html_packed *p = &t->packed;

	for (int rw = 0; rw < MS_RW; rw++)
		ms_html_packed_u64(p, c->references[rw]);
	for (int rw = 0; rw < MS_RW; rw++)
		ms_html_packed_u64(p, c->stall[rw]);
	if (t->run->processors > 1)
		ms_html_packed_u64(p, c->upgrades);
	for (size_t i = 0; i < t->run->levels.n; i++)
		level_figures(t, &c->levels[i], i);
	bool measured = ms_run_has_measured_time(t->run);

	if (ms_run_is_measured(t->run) || measured)
		sample_figures(t, c);
	if (measured)
		joined_figures(t, c);
	if (ms_run_is_timed(t->run) || measured)
		timing_figures(t, c);
}
