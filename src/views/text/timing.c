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
	return ms_run_is_timed(run) && run->clock_mhz > 0
		       ? ms_arena_printf(arena, ", %.4g ms",
					 (double)cycles / (1000.0 * run->clock_mhz))
		       : "";
}

/* The parts of the stall time: by what answered, page walks, bandwidth. */
static void put_stall(const struct ms_views_text_page *page, const struct ms_run *run,
		      const struct ms_summary_counts *c, struct ms_arena *arena)
{
	size_t levels = run->levels.n, n = 0;
	const char **names = ms_arena_take(arena, (levels + 2) * sizeof(*names));
	uint64_t *parts = ms_arena_take(arena, (levels + 2) * sizeof(*parts));

	for (size_t i = 0; i < levels; i++) {
		names[n] = i + 1 < levels ? run->levels.at[i + 1].name : "Memory";
		parts[n++] = c->levels[i].cycles.exposed;
	}
	names[n] = "Page walks";
	parts[n++] = c->timing.walk_cycles;
	names[n] = "Bandwidth";
	parts[n++] = c->timing.bandwidth_cycles;
	ms_views_text_line(page, "Memory stall by what was waited for (estimated):");
	ms_views_text_parts(page, names, parts, n);
}

static void put_latency(const struct ms_views_text_page *page, const struct ms_run *run,
			const struct ms_summary_counts *c)
{
	static const char *const names[] = { "Exposed", "Prefetched", "Overlapped" };
	uint64_t parts[MS_COUNT(names)] = { 0 };
	char count[MS_NUM_TEXT];

	for (size_t i = 0; i < run->levels.n; i++) {
		parts[0] += c->levels[i].cycles.exposed;
		parts[1] += c->levels[i].cycles.prefetched;
		parts[2] += c->levels[i].cycles.overlapped;
	}
	ms_views_text_line(page, "Latency of all misses: %s cycles",
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

void ms_views_text_timing(const struct ms_views_text_page *page, const struct ms_run *run,
			  const struct ms_summary_counts *c)
{
	struct ms_arena arena = MS_ARENA_INIT;

	if (!ms_run_is_timed(run) || run->levels.n == 0)
		return;
	put_stall(page, run, c, &arena);
	put_latency(page, run, c);
	put_dependences(page, run, c);
	ms_arena_free(&arena);
}
