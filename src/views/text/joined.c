/*
 * views/text/joined.c - runs whose time was measured and whose causes were simulated: where both
 * are from, the measured time and its parts, and where the two disagree.
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/measured/measured.h"
#include "analysis/summary/rounded_shares.h"
#include "base/mem.h"
#include "base/num.h"
#include "views/text/page.h"
#include "views/text/parts.h"

static void add_origin(struct ms_text *out, const struct ms_run_origin *o)
{
	enum { DIGITS = 8 }; /* of a uid, as elsewhere where space is short */

	if (o->tag != NULL)
		ms_text_addf(out, "@%s (%s)", o->tag, o->started);
	else
		ms_text_addf(out, "%.*s (%s)", (int)DIGITS, o->uid, o->started);
}

static void origin_line(const struct ms_views_text_page *page, const struct ms_run *run)
{
	struct ms_text text = MS_TEXT_INIT;

	if (run->origins.n != MS_RUN_ORIGIN_PARTS)
		return;
	ms_text_add(&text, "simulated run ");
	add_origin(&text, &run->origins.at[MS_RUN_SIMULATED_PART]);
	ms_text_add(&text, ", sampled run ");
	add_origin(&text, &run->origins.at[MS_RUN_MEASURED_PART]);
	ms_views_text_wrap(page, "Joined:   ", text.at);
	ms_text_free(&text);
}

/* What samples between windows stand for. */
static void covered_line(const struct ms_views_text_page *page, const struct ms_run *run)
{
	double covered = run->hardware.at[0].covered;

	if (covered < 1)
		ms_views_text_line(page,
				   "          %.1f%% of the time was sampled; times are "
				   "extrapolated to all of it",
				   100 * covered);
}

void ms_views_text_joined(const struct ms_views_text_page *page, const struct ms_run *run)
{
	if (!ms_run_is_joined(run))
		return;
	origin_line(page, run);
	ms_views_text_samples(page, run, "Measured: ");
	covered_line(page, run);
	if (run->hardware.at[0].samples < MS_RUN_SAMPLES_LEAST)
		ms_views_text_line(page,
				   "          too few samples (at least %d): time is estimated",
				   (int)MS_RUN_SAMPLES_LEAST);
}

/* --- time --- */

static void put_estimate(const struct ms_views_text_page *page, const struct ms_summary *whole,
			 const struct ms_summary_counts *c)
{
	uint64_t stall = ms_summary_rw_sum(c->estimated.stall), all = stall + c->estimated.compute;
	struct ms_arena arena = MS_ARENA_INIT;
	char count[MS_NUM_TEXT];

	ms_views_text_line(page, "  Estimated: %s cycles%s, of which %s memory stall",
			   ms_format_count(all, count),
			   whole->run->clock_mhz > 0
				   ? ms_views_text_milliseconds(&arena, whole->run, all)
				   : "",
			   ms_views_text_rate(&arena, stall, all));
	ms_arena_free(&arena);
}

void ms_views_text_measured_time(const struct ms_views_text_page *page,
				 const struct ms_summary *whole, const char *what,
				 const struct ms_summary_counts *c)
{
	const uint64_t parts[] = { c->samples.compute, c->samples.latency };
	struct ms_measured_time stall = ms_measured_stall_time(whole, c);
	char all[MS_NUM_TEXT], compute[MS_NUM_TEXT], wait[MS_NUM_TEXT];
	char low[MS_NUM_TEXT], high[MS_NUM_TEXT];
	struct ms_arena arena = MS_ARENA_INIT;
	uint32_t tenths[2];

	ms_summary_share_list(parts, 2, MS_WHOLE, tenths);
	ms_views_text_line(page, "%s (measured): %s", what,
			   ms_format_nanoseconds(parts[0] + parts[1], all));
	if (parts[0] + parts[1] > 0)
		ms_views_text_fold(page, "  Compute: %s (%s)   Memory stall: %s (%s; %s to %s)",
				   ms_format_nanoseconds(parts[0], compute),
				   ms_views_text_percent(&arena, tenths[0]),
				   ms_format_nanoseconds(parts[1], wait),
				   ms_views_text_percent(&arena, tenths[1]),
				   ms_format_nanoseconds(ms_round_u64(stall.low), low),
				   ms_format_nanoseconds(ms_round_u64(stall.high), high));
	put_estimate(page, whole, c);
	ms_arena_free(&arena);
}

void ms_views_text_measured_share(const struct ms_views_text_page *page,
				  const struct ms_summary *whole, const struct ms_summary_counts *c)
{
	static const char *const verdicts[] = {
		[MS_MEASURED_AGREES] = "",
		[MS_MEASURED_MORE] = ": more was measured than the simulation explains",
		[MS_MEASURED_LESS] = ": less was measured than the simulation expects",
	};
	char ns[MS_NUM_TEXT], low[MS_NUM_TEXT], high[MS_NUM_TEXT];

	if (!whole->cost.measured)
		return;
	struct ms_measured_time t = ms_measured_stall_time(whole, c);
	struct ms_measured_comparison compared = ms_measured_compare(whole, c);

	ms_views_text_fold(
		page, "  Measured: %s (%s to %s), %.1f%% to %.1f%%   Estimated: %.1f%%%s",
		ms_format_nanoseconds(ms_round_u64(t.ns), ns),
		ms_format_nanoseconds(ms_round_u64(t.low), low),
		ms_format_nanoseconds(ms_round_u64(t.high), high), 100 * compared.share.low,
		100 * compared.share.high, 100 * compared.estimated, verdicts[compared.verdict]);
}

/* "L2: 120 ms (63.4%), Memory: 69.3 ms (36.6%)" */
static void put_times(const struct ms_views_text_page *page, const char *const *names,
		      const uint64_t *parts, size_t n, double cycles_per_ns)
{
	struct ms_arena arena = MS_ARENA_INIT;
	uint32_t *tenths = ms_arena_take(&arena, n * sizeof(*tenths));
	struct ms_text text = MS_TEXT_INIT;
	char time[MS_NUM_TEXT];

	ms_summary_share_list(parts, n, MS_WHOLE, tenths);
	for (size_t i = 0; i < n; i++)
		if (parts[i] > 0)
			ms_text_addf(&text, "%s%s: %s (%s)", text.n > 0 ? ", " : "", names[i],
				     ms_format_nanoseconds(
					     ms_round_u64((double)parts[i] / cycles_per_ns), time),
				     ms_views_text_percent(&arena, tenths[i]));
	if (text.n > 0)
		ms_views_text_wrap(page, "  ", text.at);
	ms_text_free(&text);
	ms_arena_free(&arena);
}

void ms_views_text_stall_parts(const struct ms_views_text_page *page,
			       const struct ms_summary *whole, const struct ms_summary_counts *c)
{
	const struct ms_run *run = whole->run;
	struct ms_arena arena = MS_ARENA_INIT;
	size_t levels = run->levels.n, n = 0;
	const char **names = ms_arena_take(&arena, (levels + 3) * sizeof(*names));
	uint64_t *parts = ms_arena_take(&arena, (levels + 3) * sizeof(*parts));

	for (size_t i = 0; i < levels; i++) {
		names[n] = i + 1 < levels ? run->levels.at[i + 1].name : "Memory";
		parts[n++] = c->levels[i].cycles.exposed;
	}
	names[n] = "Page walks";
	parts[n++] = c->timing.walk_cycles;
	names[n] = "Bandwidth";
	parts[n++] = c->timing.bandwidth_cycles;
	if (whole->cost.measured && c->samples.latency > 0) {
		names[n] = "Not explained by the simulation";
		parts[n++] = c->timing.unexplained_cycles;
		ms_views_text_line(page, "Memory stall (measured) by what was waited for "
					 "(simulated):");
		put_times(page, names, parts, n, whole->cost.ns);
	} else if (!whole->cost.measured) {
		ms_views_text_line(page, "Memory stall by what was waited for (estimated):");
		ms_views_text_parts(page, names, parts, n);
	}
	ms_arena_free(&arena);
}

/* --- where measurement and simulation disagree --- */

struct disagreement {
	const char *name;
	struct ms_measured_comparison compared;
};

static double distance(const struct disagreement *d)
{
	return fabs(d->compared.share.share - d->compared.estimated);
}

static int by_distance(const void *a, const void *b)
{
	double x = distance(a), y = distance(b);

	return (y > x) - (y < x);
}

void ms_views_text_disagreements(const struct ms_views_text_page *page,
				 const struct ms_summary *whole,
				 const struct ms_summary_entries *entries)
{
	enum { SHOWN = 5 };
	struct ms_arena arena = MS_ARENA_INIT;
	struct disagreement *found;
	size_t n = 0;

	if (!whole->cost.measured)
		return;
	found = ms_alloc((entries->at.n + 1) * sizeof(*found));
	for (size_t i = 0; i < entries->at.n; i++) {
		const struct ms_summary_entry *e = &entries->at.at[i];
		struct disagreement d = { e->name, ms_measured_compare(whole, &e->counts) };

		if (d.compared.verdict != MS_MEASURED_AGREES)
			found[n++] = d;
	}
	if (n > 1)
		qsort(found, n, sizeof(*found), by_distance);
	for (size_t i = 0; i < n && i < SHOWN; i++)
		ms_views_text_wrap(page, i == 0 ? "Differs:  " : "          ",
				   ms_arena_printf(&arena,
						   "%s: estimated %.1f%%, measured %.1f to %.1f%%",
						   found[i].name, 100 * found[i].compared.estimated,
						   100 * found[i].compared.share.low,
						   100 * found[i].compared.share.high));
	if (n > SHOWN)
		ms_views_text_line(page, "          and %zu more (--by bin, --json)", n - SHOWN);
	ms_arena_free(&arena);
	ms_free(found);
}
