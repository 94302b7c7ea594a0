/* views/text/hardware.c - text about runs that were sampled on the real machine. */
#include "analysis/measured/measured.h"

#include <inttypes.h>
#include <math.h>

#include "analysis/summary/rounded_shares.h"
#include "base/num.h"
#include "base/table.h"
#include "views/intervals.h"
#include "views/text/page.h"
#include "views/text/parts.h"

/* A limit of 1 % is not exceeded by a cost that is rounded to "1%". */
static const double SLIGHTLY_MORE = 1.05;

/* The distance between samples; not known if all are page faults. */
static void add_period(struct ms_text *out, const struct ms_run_hardware *h)
{
	const char *mean = h->period > 0 ? " on average" : "";
	char number[MS_NUM_TEXT];

	if (h->samples == 0)
		return;
	if (h->period > 0 && h->unit == MS_RUN_NANOSECONDS)
		ms_text_addf(out, ", every %s of processor time",
			     ms_format_nanoseconds(ms_round_u64(h->period), number));
	else if (h->period > 1)
		ms_text_addf(out, ", one of %s", ms_format_count(ms_round_u64(h->period), number));
	else if (h->unit != MS_RUN_NANOSECONDS)
		ms_text_add(out, ", each of them");
	if (h->adaptive && h->overhead <= h->wish * SLIGHTLY_MORE)
		ms_text_addf(out, "%s, so that it takes at most %.2g%% of the time", mean,
			     100 * h->wish);
	else if (h->adaptive)
		ms_text_addf(out, "%s, to take %.2g%% of the time", mean, 100 * h->wish);
}

void ms_views_text_hardware(const struct ms_views_text_page *page, const struct ms_run *run)
{
	struct ms_text text = MS_TEXT_INIT;

	ms_text_addf(&text, "%s (%s)", run->machine, run->machine_origin);
	ms_views_text_wrap(page, "Machine:  ", text.at);
	ms_text_free(&text);
	ms_views_text_samples(page, run, "Sampled:  ");
}

void ms_views_text_samples(const struct ms_views_text_page *page, const struct ms_run *run,
			   const char *label)
{
	const struct ms_run_hardware *h = &run->hardware.at[0];
	struct ms_text text = MS_TEXT_INIT;
	char number[MS_NUM_TEXT];

	ms_text_addf(&text, "by %s (%s)", ms_measured_source_name(h->source), h->event);
	add_period(&text, h);
	if (h->samples == 0)
		ms_text_add(&text, "; no samples");
	else
		ms_text_addf(&text, "; %s sample%s", ms_format_count(h->samples, number),
			     h->samples == 1 ? "" : "s");
	if (h->samples > 0 && h->threads > 0)
		ms_text_addf(&text, " of %" PRIu64 " thread%s", h->threads,
			     h->threads == 1 ? "" : "s");
	if (h->overhead >= 0 && h->samples > 0)
		ms_text_addf(&text,
			     h->overhead < 1 ? ", which took %.2g%% of the program's time"
					     : ", which took %.0f%% of the program's time",
			     100 * h->overhead);
	if (h->adaptive && h->samples > 0 && h->overhead > h->wish * SLIGHTLY_MORE)
		ms_text_add(&text, ", more than that: it is short, or allocates very often");
	ms_views_text_wrap(page, label, text.at);
	if (h->throttled > 0)
		ms_views_text_line(page, "          The kernel paused it %" PRIu64 " time%s.",
				   h->throttled, h->throttled == 1 ? "" : "s");
	ms_text_free(&text);
}

static void put_sureness(const struct ms_views_text_page *page, const struct ms_measured_detail *d)
{
	static const char *const names[MS_SURENESSES] = {
		[MS_SURE_EXACT] = "Address known",
		[MS_SURE_LEARNT] = "Learnt",
		[MS_SURE_GUESSED] = "Guessed from a neighbour",
		[MS_SURE_ALIKE] = "Like other blocks",
	};

	ms_views_text_line(page, "How sure the data of a sample is:");
	/* The last only where blocks were left out. */
	ms_views_text_parts(page, names, d->sureness,
			    d->sureness[MS_SURE_ALIKE] > 0 ? MS_SURENESSES : MS_SURE_ALIKE);
}

static const char *const answer_names[MS_ANSWERS] = {
	[MS_ANSWER_UNKNOWN] = "Not reported",
	[MS_ANSWER_L1] = "L1",
	[MS_ANSWER_BUFFER] = "On its way",
	[MS_ANSWER_L2] = "L2",
	[MS_ANSWER_L3] = "L3",
	[MS_ANSWER_PEER] = "Another processor's cache",
	[MS_ANSWER_LOCAL] = "Local memory",
	[MS_ANSWER_REMOTE] = "Remote memory",
	[MS_ANSWER_REMOTE_PEER] = "A remote cache",
	[MS_ANSWER_OTHER] = "Others",
};

/* Omits levels that answered no sample. */
static void put_answers(const struct ms_views_text_page *page, const uint64_t answers[MS_ANSWERS],
			const struct ms_measured_share shares[MS_ANSWERS], const char *what)
{
	const char *names[MS_ANSWERS];
	struct ms_measured_share within[MS_ANSWERS];
	uint64_t parts[MS_ANSWERS];
	size_t n = 0;

	for (int i = 0; i < MS_ANSWERS; i++)
		if (answers[i] > 0) {
			names[n] = answer_names[i];
			within[n] = shares[i];
			parts[n++] = answers[i];
		}
	if (n == 0 || (n == 1 && answers[MS_ANSWER_UNKNOWN] > 0))
		return;
	ms_views_text_line(page, "%s, by what answered:", what);
	ms_views_text_parts_with_intervals(page, names, parts, within, n);
}

static void put_latency(const struct ms_views_text_page *page, const struct ms_summary_counts *c,
			const struct ms_measured_detail *d)
{
	char latency[MS_NUM_TEXT], events[MS_NUM_TEXT];

	ms_views_text_line(
		page, "Latency: %s cycles of %s events   Average: %.1f   Median: %.0f",
		ms_format_count(ms_summary_rw_sum(c->stall), latency),
		ms_format_count(ms_summary_rw_sum(c->references), events),
		ms_summary_share(ms_summary_rw_sum(c->stall), ms_summary_rw_sum(c->references)),
		ms_measured_median_latency(d));
	put_answers(page, d->answers, d->answer_shares, "Events");
	put_answers(page, d->answer_latency, d->answer_latency_shares, "Latency");
}

/* For data: it has stall time, but no compute time. */
static void put_stall(const struct ms_views_text_page *page, const struct ms_summary_counts *c)
{
	char stall[MS_NUM_TEXT];

	ms_views_text_line(page, "Memory stall: %s",
			   ms_format_nanoseconds(ms_summary_rw_sum(c->stall), stall));
}

static void put_times(const struct ms_views_text_page *page, const struct ms_summary_counts *c,
		      const struct ms_measured_share *within)
{
	uint64_t compute = c->instructions, stall = ms_summary_rw_sum(c->stall);
	char all[MS_NUM_TEXT], part[MS_NUM_TEXT], other[MS_NUM_TEXT];
	struct ms_arena arena = MS_ARENA_INIT;
	uint64_t parts[] = { compute, stall };
	uint32_t tenths[2];

	ms_summary_share_list(parts, 2, MS_WHOLE, tenths);
	ms_views_text_line(page, "Processor time that was sampled: %s",
			   ms_format_nanoseconds(compute + stall, all));
	if (compute + stall > 0)
		ms_views_text_line(page, "  Compute: %s (%s)   Memory stall: %s (%s)",
				   ms_format_nanoseconds(compute, part),
				   ms_views_text_percent(&arena, tenths[0]),
				   ms_format_nanoseconds(stall, other),
				   ms_views_share_within(&arena,
							 ms_views_text_percent(&arena, tenths[1]),
							 *within));
	ms_arena_free(&arena);
}

/* The share of a part in the run, with its interval. */
static void put_share(const struct ms_views_text_page *page, const struct ms_summary *whole,
		      const struct ms_summary_counts *c)
{
	struct ms_measured_share i = ms_measured_stall_share(whole, c);

	if (!isfinite(i.share))
		return;
	if (ms_measured_is_complete(whole->run))
		ms_views_text_line(page, "Percentage of total %s: %.1f%%",
				   ms_measured_quantity(whole->run), 100 * i.share);
	else
		ms_views_text_line(
			page, "Percentage of total %s: %.1f%%   95%% interval: %.1f%% to %.1f%%",
			ms_measured_quantity(whole->run), 100 * i.share, 100 * i.low, 100 * i.high);
}

static void put_losses(const struct ms_views_text_page *page, const struct ms_run *run)
{
	struct ms_text text = MS_TEXT_INIT;
	char number[MS_NUM_TEXT];

	for (size_t i = 0; i < run->hardware_losses.n; i++)
		ms_text_addf(&text, "%s%s (%s)", i > 0 ? ", " : "",
			     ms_format_count(run->hardware_losses.at[i].samples, number),
			     run->hardware_losses.at[i].reason);
	if (text.n > 0)
		ms_views_text_wrap(page, "Samples lost: ", text.at);
	ms_text_free(&text);
}

static void put_page_faults(const struct ms_views_text_page *page, const struct ms_run *run)
{
	uint64_t time = ms_measured_page_fault_time(run);
	char text[MS_NUM_TEXT];

	if (time > 0)
		ms_views_text_line(page,
				   "Page faults: %s of the stall time, estimated by their number.",
				   ms_format_nanoseconds(time, text));
}

/* Names of data are less sure than their intervals say if most of them rest on few blocks. */
static void put_inferred(const struct ms_views_text_page *page, const struct ms_run *run)
{
	double share = ms_measured_inferred_share(run);
	struct ms_text text = MS_TEXT_INIT;

	if (share <= MS_MEASURED_MUCH_INFERRED)
		return;
	ms_text_addf(&text,
		     "%.0f%% of the samples are in heap blocks that were not recorded; their data "
		     "is that of recorded blocks which the same code uses. --overhead records more "
		     "blocks.",
		     100 * share);
	ms_views_text_wrap(page, "Inferred: ", text.at);
	ms_text_free(&text);
}

void ms_views_text_hardware_counts(const struct ms_views_text_page *page,
				   const struct ms_summary *whole,
				   const struct ms_summary_counts *c, const bool *code,
				   const bool *data)
{
	const struct ms_run *run = whole->run;
	struct ms_measured_detail detail;
	char number[MS_NUM_TEXT];
	bool all = code == NULL && data == NULL;

	ms_measured_detail_make(&detail, run, code, data);
	if (run->hardware.at[0].unit == MS_RUN_CYCLES)
		put_latency(page, c, &detail);
	else if (run->hardware.at[0].unit == MS_RUN_NANOSECONDS && data != NULL)
		put_stall(page, c);
	else if (run->hardware.at[0].unit == MS_RUN_NANOSECONDS)
		put_times(page, c, &detail.stall_share);
	else
		ms_views_text_line(page, "Page faults: %s",
				   ms_format_count(ms_summary_rw_sum(c->references), number));
	if (!all)
		put_share(page, whole, c);
	if (detail.sureness[MS_SURE_EXACT] != detail.samples)
		put_sureness(page, &detail);
	if (all) {
		put_page_faults(page, run);
		put_inferred(page, run);
		put_losses(page, run);
	}
}

/* Half the width of the widest interval. */
static double widest(const struct ms_summary *s, const struct ms_summary_entries *entries)
{
	double most = 0;

	for (size_t i = 0; i < entries->at.n; i++) {
		struct ms_measured_share of = ms_measured_stall_share(s, &entries->at.at[i].counts);

		if (isfinite(of.share) && of.high - of.low > most)
			most = of.high - of.low;
	}
	return most / 2;
}

void ms_views_text_widest_interval(const struct ms_views_text_page *page,
				   const struct ms_summary *s)
{
	bool measured = ms_run_is_measured(s->run) && !ms_measured_is_complete(s->run);

	/* With windows, each share has its interval below it. */
	if (!measured && (!ms_run_has_measured_time(s->run) || s->run->samplings.n > 0))
		return;
	ms_views_text_line(
		page, "95%% intervals: +-%.1f points or less; --by data, code or bin has each.",
		100 * fmax(widest(s, &s->bins), fmax(widest(s, &s->code), widest(s, &s->data))));
}

void ms_views_text_histogram(const struct ms_views_text_page *page, const struct ms_run *run,
			     const bool *code, const bool *data)
{
	enum { BAR = 40 };
	static const char bar[BAR + 1] = "########################################";
	struct ms_measured_detail d;
	uint64_t most = 0, all = 0;
	int first = MS_RUN_BUCKETS, last = -1;

	ms_measured_detail_make(&d, run, code, data);
	for (int i = 0; i < MS_RUN_BUCKETS; i++) {
		if (d.buckets[i] == 0)
			continue;
		first = i < first ? i : first;
		last = i;
		all += d.buckets[i];
		most = d.buckets[i] > most ? d.buckets[i] : most;
	}
	if (last < 0)
		return;
	ms_views_text_line(page, "Samples by latency, in cycles:");
	for (int i = first; i <= last; i++) {
		char from[MS_NUM_TEXT], to[MS_NUM_TEXT];
		int width = (int)(ms_summary_share(d.buckets[i], most) * BAR + 0.5);

		ms_views_text_line(
			page, "  %6s to %6s  %5.1f%%  %.*s",
			ms_format_count(i > 0 ? UINT64_C(1) << i : 0, from),
			ms_format_count(i < 63 ? (UINT64_C(2) << i) - 1 : UINT64_MAX, to),
			100 * ms_summary_share(d.buckets[i], all), width, bar);
	}
}

void ms_views_text_phase_columns(struct ms_table *table, const struct ms_run *run)
{
	static const char *const names[][4] = {
		[MS_RUN_NO_UNIT] = { "Samples", "Faults" },
		[MS_RUN_CYCLES] = { "Samples", "Latency" },
		[MS_RUN_NANOSECONDS] = { "Samples", "Memory stall", "Compute" },
	};

	for (const char *const *name = names[run->hardware.at[0].unit]; *name != NULL; name++)
		ms_table_column(table, (struct ms_table_column){ *name, "", true, 0, MS_CUT_END });
}

void ms_views_text_phase(struct ms_table *table, const struct ms_run *run, size_t phase)
{
	uint64_t latency = ms_measured_phase(run, phase, MS_PHASE_LATENCY);

	if (run->hardware.at[0].unit != MS_RUN_NANOSECONDS) {
		ms_table_count(table, latency);
		return;
	}
	ms_table_nanoseconds(table, latency);
	ms_table_nanoseconds(table, ms_measured_phase(run, phase, MS_PHASE_COMPUTE));
}
