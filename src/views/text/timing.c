/*
 * views/text/timing.c - why misses cost what they cost with an out-of-order core: what was exposed,
 * what was hidden and how, page walks, bandwidth, and what addresses depend on.
 */
#include "base/num.h"
#include "views/text/page.h"
#include "views/text/parts.h"

const char *ms_views_text_milliseconds(struct ms_arena *arena, const struct ms_run *run,
				       uint64_t cycles)
{
	bool measured = ms_run_has_measured_time(run);
	/* Measured time is in cycles of the clock, or of one GHz if that is not known. */
	double clock = run->clock_mhz > 0 ? run->clock_mhz : measured ? 1000 : 0;

	return (ms_run_is_timed(run) || measured) && clock > 0
		       ? ms_arena_printf(arena, ", %.4g ms", (double)cycles / (1000.0 * clock))
		       : "";
}

const char *ms_views_text_time_unit(const struct ms_run *run)
{
	return ms_run_has_measured_time(run) && run->clock_mhz == 0 ? "ns" : "cycles";
}

static void put_latency(const struct ms_views_text_page *page, const struct ms_run *run,
			const struct ms_summary_counts *c)
{
	static const char *const names[] = { "Exposed", "Prefetched", "Overlapped" };
	uint64_t parts[MS_COUNT(names)] = { 0 };
	char count[MS_NUM_TEXT];

	for (size_t i = 0; i < run->levels.n; i++) {
		parts[0] += c->levels[i].cycles.estimated;
		parts[1] += c->levels[i].cycles.prefetched;
		parts[2] += c->levels[i].cycles.overlapped;
	}
	ms_views_text_line(page, "Latency of all misses%s: %s cycles",
			   ms_run_has_measured_time(run) ? " (simulated)" : "",
			   ms_format_count(ms_summary_latency(c, run->levels.n), count));
	ms_views_text_parts(page, names, parts, MS_COUNT(names));
}

static void put_dependences(const struct ms_views_text_page *page, const struct ms_run *run,
			    const struct ms_summary_counts *c)
{
	static const struct {
		const char *name;
		enum ms_run_dependence class;
	} classes[] = {
		{ "Pointer chain", MS_RUN_DEPENDENCE_CHAINED },
		{ "Gather", MS_RUN_DEPENDENCE_LED },
		{ "Affine", MS_RUN_DEPENDENCE_AFFINE },
		{ "Not known", MS_RUN_DEPENDENCE_UNKNOWN },
	};
	const char *names[MS_COUNT(classes)];
	uint64_t parts[MS_COUNT(classes)], all = 0;

	for (size_t i = 0; i < MS_COUNT(classes); i++) {
		names[i] = classes[i].name;
		parts[i] = c->timing.dependences[classes[i].class];
		all += parts[i];
	}
	if (all == 0)
		return;
	ms_views_text_line(page,
			   "%s misses by dependence of their address:", run->levels.at[0].name);
	ms_views_text_parts(page, names, parts, MS_COUNT(names));
}

void ms_views_text_timing(const struct ms_views_text_page *page, const struct ms_summary *whole,
			  const struct ms_summary_counts *c)
{
	const struct ms_run *run = whole->run;

	if (run->levels.n == 0)
		return;
	if (ms_run_is_timed(run) || ms_run_has_measured_time(run))
		ms_views_text_stall_parts(page, whole, c);
	if (ms_run_is_timed(run))
		put_latency(page, run, c);
	if (!run->by_latency)
		put_dependences(page, run, c);
}
