/* views/page.c - what the text reports have in common. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/estimate.h"
#include "analysis/hardware.h"
#include "analysis/intervals.h"
#include "analysis/share.h"
#include "base/num.h"
#include "views/views_priv.h"

struct ms_page ms_page_of(const struct ms_view_options *options, FILE *out)
{
	return (struct ms_page){ out, options->width ? options->width : 100, options->colour };
}

static void put_line(const struct ms_page *page, enum ms_style style, const char *fmt, va_list ap)
{
	struct ms_text shown = MS_TEXT_INIT;
	char *line;

	if (vasprintf(&line, fmt, ap) < 0)
		ms_out_of_memory(strlen(fmt));
	ms_utf8_fit(&shown, line, page->width, MS_CUT_END);
	fprintf(page->out, "%s%s%s\n", ms_style_on(style, page->colour), ms_text_get(&shown),
		ms_style_off(style, page->colour));
	ms_text_free(&shown);
	free(line);
}

void ms_page_title(const struct ms_page *page, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_line(page, MS_STYLE_BOLD, fmt, ap);
	va_end(ap);
}

void ms_page_line(const struct ms_page *page, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_line(page, MS_STYLE_PLAIN, fmt, ap);
	va_end(ap);
}

void ms_page_wrap(const struct ms_page *page, const char *label, const char *text)
{
	size_t indent = ms_utf8_width(label);
	struct ms_text line = MS_TEXT_INIT;

	ms_text_add(&line, label);
	while (*text != '\0') {
		size_t n = strcspn(text, " ");
		size_t at = line.n;

		ms_text_addf(&line, "%s%.*s", at > indent ? " " : "", (int)n, text);
		if (at > indent && ms_utf8_width(line.at) > page->width) {
			ms_page_line(page, "%.*s", (int)at, line.at);
			ms_text_clear(&line);
			ms_text_addf(&line, "%*s%.*s", (int)indent, "", (int)n, text);
		}
		text += n + strspn(text + n, " ");
	}
	ms_page_line(page, "%s", line.at);
	ms_text_free(&line);
}

void ms_page_fold(const struct ms_page *page, const char *fmt, ...)
{
	char *line;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&line, fmt, ap) < 0)
		ms_out_of_memory(strlen(fmt));
	va_end(ap);
	if (ms_utf8_width(line) <= page->width) {
		ms_page_line(page, "%s", line);
	} else {
		char indent[8] = "";
		size_t n = strspn(line, " ");

		memset(indent, ' ', n < sizeof(indent) ? n : sizeof(indent) - 1);
		ms_page_wrap(page, indent, line + n);
	}
	free(line);
}

const char *ms_page_percent(struct ms_arena *arena, uint32_t tenths)
{
	return ms_arena_printf(arena, "%" PRIu32 ".%" PRIu32 "%%", tenths / 10, tenths % 10);
}

/* Items side by side, on as many lines as they need. */
static void put_items(const struct ms_page *page, const char *const *items, size_t n)
{
	enum { INDENT = 2, GAP = 3 };
	struct ms_text line = MS_TEXT_INIT;

	for (size_t i = 0; i < n; i++) {
		if (line.n > 0 &&
		    ms_utf8_width(line.at) + GAP + ms_utf8_width(items[i]) > page->width) {
			ms_page_line(page, "%s", line.at);
			ms_text_clear(&line);
		}
		ms_text_addf(&line, "%*s%s", line.n > 0 ? GAP : INDENT, "", items[i]);
	}
	ms_page_line(page, "%s", ms_text_get(&line));
	ms_text_free(&line);
}

void ms_page_parts(const struct ms_page *page, const char *const *names, const uint64_t *parts,
		   size_t n)
{
	ms_page_parts_within(page, names, parts, NULL, n);
}

static const char *share_within(struct ms_arena *arena, uint32_t tenths,
				const struct ms_interval *within)
{
	const char *share = ms_page_percent(arena, tenths);

	if (within == NULL)
		return share;
	return ms_arena_printf(arena, "%s +-%.1f", share, 50 * (within->high - within->low));
}

void ms_page_parts_within(const struct ms_page *page, const char *const *names,
			  const uint64_t *parts, const struct ms_interval *within, size_t n)
{
	struct ms_arena arena = MS_ARENA_INIT;
	const char **items = ms_arena_take(&arena, n * sizeof(*items));
	uint32_t *tenths = ms_arena_take(&arena, n * sizeof(*tenths)), sum = 0;
	char count[MS_NUM_TEXT];

	ms_share_list(parts, n, MS_WHOLE, tenths);
	for (size_t i = 0; i < n; i++)
		sum += tenths[i];
	for (size_t i = 0; i < n; i++)
		items[i] = ms_arena_printf(
			&arena, sum > 0 ? "%s: %s (%s)" : "%s: %s", names[i],
			ms_format_count(parts[i], count),
			share_within(&arena, tenths[i], within != NULL ? &within[i] : NULL));
	put_items(page, items, n);
	ms_arena_free(&arena);
}

void ms_page_cycles(const struct ms_page *page, const char *what, uint64_t compute, uint64_t stall)
{
	static const char *const names[] = { "Compute", "Memory stall" };
	const uint64_t cycles[] = { compute, stall };
	char count[MS_NUM_TEXT];

	ms_page_line(page, "%s: %s cycles", what, ms_format_count(compute + stall, count));
	ms_page_parts(page, names, cycles, MS_COUNT(cycles));
}

void ms_page_normalised(const struct ms_page *page, const struct ms_run *run,
			const struct ms_counts *counts)
{
	uint64_t cycles = counts->instructions + ms_both(counts->stall);
	uint64_t normalised = ms_round_u64(counts->normalised);
	char count[MS_NUM_TEXT];

	if (run->processors > 1 && normalised > 0)
		ms_page_line(page, "Normalised processor time: %s cycles; %.1f processors busy",
			     ms_format_count(normalised, count),
			     (double)cycles / counts->normalised);
}

static bool is_used(const struct ms_entry *processor)
{
	return processor->counts.instructions > 0 || processor->counts.used;
}

size_t ms_view_used(const struct ms_summary *summary)
{
	size_t n = summary->processors.at.n;

	while (n > 1 && !is_used(&summary->processors.at.at[n - 1]))
		n--;
	return n;
}

void ms_page_unused(const struct ms_page *page, const struct ms_summary *summary)
{
	size_t n = 0;

	for (size_t i = 0; i < summary->processors.at.n; i++)
		n += !is_used(&summary->processors.at.at[i]);
	if (n > 0)
		ms_page_line(page, "%zu processor%s never used.", n, n == 1 ? " was" : "s were");
}

/* Only of runs with several processors. */
static void processor_lines(const struct ms_page *page, const struct ms_summary *summary)
{
	const struct ms_run *run = summary->run;
	struct ms_text text = MS_TEXT_INIT;

	if (run->processors == 1)
		return;
	ms_text_addf(&text, "%" PRIu32 " processors", run->processors);
	if (run->nodes > 1)
		ms_text_addf(&text, " in %" PRIu32 " nodes", run->nodes);
	ms_text_addf(&text, ", %s, another processor's cache %" PRIu64 " cycles",
		     ms_run_protocol_word(run->protocol), summary->cost.peer);
	if (run->nodes > 1)
		ms_text_addf(&text, ", remote memory %" PRIu64 " cycles (%s)", summary->cost.remote,
			     ms_run_placement_word(run->placement));
	ms_page_wrap(page, "          ", text.at);
	ms_text_free(&text);
}

static void machine_lines(const struct ms_page *page, const struct ms_summary *summary)
{
	const struct ms_run *run = summary->run;
	struct ms_text text = MS_TEXT_INIT;
	char size[MS_NUM_TEXT];

	ms_text_addf(&text, "%s (%s)", run->machine, run->machine_origin);
	ms_page_wrap(page, "Machine:  ", text.at);
	ms_text_clear(&text);
	for (size_t i = 0; i < run->levels.n; i++) {
		const struct ms_run_level *level = &run->levels.at[i];

		ms_text_addf(&text, "%s%s %s %" PRIu32 "-way %" PRIu32 " B", i ? ", " : "",
			     level->name, ms_format_size(level->size, size), level->ways,
			     level->line);
		ms_about_level(&text, level);
		if (run->processors > 1 && level->processors == 0)
			ms_text_add(&text, " for all processors");
		else if (run->processors > 1 && level->processors > 1)
			ms_text_addf(&text, " for %" PRIu32 " processors", level->processors);
		if (i > 0)
			ms_text_addf(&text, " %" PRIu64 " cycles", summary->cost.answer.at[i - 1]);
	}
	if (run->levels.n > 0)
		ms_text_addf(&text, ", memory %" PRIu64 " cycles",
			     summary->cost.answer.at[run->levels.n - 1]);
	ms_page_wrap(page, "          ", ms_text_get(&text));
	ms_text_free(&text);
	processor_lines(page, summary);
}

/* Where their lengths changed, what they were. */
static uint64_t window_of(const struct ms_run *run)
{
	const struct ms_run_sampling *s = run->samplings.at;

	return run->samplings.n > 1 && s->windows > 0 ? s->references / s->windows : s->window;
}

/* What --error asked for, and how far it came. */
static void wanted_line(const struct ms_page *page, const struct ms_run *run, struct ms_text *text)
{
	const struct ms_run_sampling *s = run->samplings.at;
	struct ms_estimates estimates;

	if (!(s->wanted > 0) || s->ratio >= 1)
		return;
	ms_estimates_make(&estimates, run, NULL, NULL);
	double error = estimates.levels.n > 0 ? estimates.levels.at[0].error : NAN;
	ms_text_addf(text, "%s miss rate to %.3g points, ", run->levels.at[0].name,
		     100 * s->wanted);
	if (isnan(error))
		ms_text_add(text, "and there are too few windows to tell");
	else
		ms_text_addf(text, "%s %.3g",
			     error <= s->wanted ? "reached:" : "not reached, it is known to",
			     100 * error);
	ms_page_wrap(page, "Wanted:   ", text->at);
	ms_estimates_free(&estimates);
}

/* Nobody has counted references between windows, and all counts depend on how many there were. */
static void add_range(const struct ms_run *run, struct ms_text *text)
{
	const struct ms_run_sampling *s = run->samplings.at;
	char low[MS_NUM_TEXT], high[MS_NUM_TEXT];

	if (s->total_low < s->total_high)
		ms_text_addf(text, " (%s to %s: all counts and times may be off as far)",
			     ms_format_count(ms_round_u64(s->total_low), low),
			     ms_format_count(ms_round_u64(s->total_high), high));
}

static void sampling_line(const struct ms_page *page, const struct ms_run *run)
{
	const struct ms_run_sampling *s = run->samplings.at;
	struct ms_text text = MS_TEXT_INIT;
	char count[MS_NUM_TEXT];

	if (run->samplings.n == 0)
		return;
	ms_text_addf(&text, "%.3g%% of %s%s references",
		     s->total > 0 ? 100 * (double)s->references / s->total : 0,
		     s->exact ? "" : "about ", ms_format_count(ms_round_u64(s->total), count));
	add_range(run, &text);
	if (s->window > 0 && s->ratio < 1)
		ms_text_addf(&text, ", in %" PRIu64 " window%s of %s on average", s->windows,
			     s->windows == 1 ? "" : "s", ms_format_count(window_of(run), count));
	if (s->sets > 1)
		ms_text_addf(&text, ", one of %" PRIu64 " sets", s->sets);
	ms_text_add(&text, s->ratio < 1 || s->sets > 1
				   ? "; figures are estimates for the whole program"
				   : ": it is so short that all of it was simulated");
	ms_page_wrap(page, "Sampled:  ", text.at);
	ms_text_clear(&text);
	wanted_line(page, run, &text);
	ms_text_free(&text);
}

void ms_page_run(const struct ms_page *page, const struct ms_summary *summary)
{
	const struct ms_run *run = summary->run;
	struct ms_text text = MS_TEXT_INIT;

	ms_about_command(&text, run->program, run->argv.at, run->argv.n);
	ms_page_title(page, "Program:  %s", text.at);
	ms_text_clear(&text);
	if (run->id > 0)
		ms_text_addf(&text, "@%" PRId64 ", ", run->id);
	if (run->tag != NULL)
		ms_text_addf(&text, "@%s, ", run->tag);
	ms_text_addf(&text, "%s, %s, %.1f s, ", run->started, run->frontend, run->wall_seconds);
	ms_about_end(&text, run->end, run->exit_status);
	ms_page_wrap(page, "Run:      ", text.at);
	if (run->parent != 0)
		ms_page_line(page, "From:     @%" PRId64 ", by %s", run->parent,
			     ms_run_relation_word(run->relation));
	if (run->stops > 0)
		ms_page_line(page,
			     "Counted:  in part; the program stopped counting %" PRIu64 " time%s",
			     run->stops, run->stops == 1 ? "" : "s");
	ms_text_free(&text);
	if (ms_hardware_run(run)) {
		ms_page_hardware(page, run);
		return;
	}
	sampling_line(page, run);
	if (run->misses_only)
		ms_page_wrap(page, "Missing:  ", MS_VIEW_MISSES_ONLY);
	machine_lines(page, summary);
}

static const char *const read_write[] = { [MS_READS] = "Reads", [MS_WRITES] = "Writes" };
static const char *const causes[] = { [MS_CAUSE_FIRST] = "First reference",
				      [MS_CAUSE_REPLACED] = "Replacement",
				      [MS_CAUSE_INVALIDATED] = "Invalidation" };

const char *ms_page_rate(struct ms_arena *arena, uint64_t part, uint64_t whole)
{
	return whole > 0 ? ms_page_percent(arena, ms_share_tenths(part, whole)) : "-";
}

/* "True sharing: 18K (90.0%)   False sharing: 2K (10.0%)" of a level's invalidation misses. */
static void put_sharing(const struct ms_page *page, const struct ms_level_counts *level)
{
	static const char *const names[] = { "Invalidation by true sharing", "By false sharing" };
	uint64_t all = level->causes[MS_CAUSE_INVALIDATED];
	const uint64_t parts[] = { all > level->falsely ? all - level->falsely : 0,
				   level->falsely };

	if (all > 0)
		ms_page_parts(page, names, parts, MS_COUNT(parts));
}

/* Who answered what the first level had missed: all of it, and nothing twice. */
static void put_answers(const struct ms_page *page, const struct ms_run *run,
			const struct ms_counts *counts)
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
		parts[n++] = ms_counts_answered(counts, levels, i);
		peer += counts->levels[i - 1].peer;
		remote += counts->levels[i - 1].remote;
	}
	names[n] = "Remote memory";
	parts[n] = remote;
	n += run->nodes > 1;
	names[n] = "Another processor's cache";
	parts[n++] = peer;
	ms_page_line(page, "%s misses, by what answered:", run->levels.at[0].name);
	ms_page_parts(page, names, parts, n);
	ms_arena_free(&arena);
}

/* What coherence costs beside misses. */
static void put_traffic(const struct ms_page *page, const struct ms_run *run,
			const struct ms_counts *counts)
{
	char upgrades[MS_NUM_TEXT], backs[MS_NUM_TEXT];
	uint64_t write_backs = 0;

	for (size_t i = 0; i < run->levels.n; i++)
		write_backs += counts->levels[i].write_backs;
	ms_page_line(page, "Upgrades: %s   Write-backs: %s",
		     ms_format_count(counts->upgrades, upgrades),
		     ms_format_count(write_backs, backs));
}

/* Of a sampled run: between what the miss rate lies in 95 of 100 cases. */
static void put_interval(const struct ms_page *page, const struct ms_estimates *estimates,
			 size_t level, bool several)
{
	if (level >= estimates->levels.n)
		return;
	const struct ms_level_estimate *e = &estimates->levels.at[level];
	if (isfinite(e->low) && isfinite(e->high))
		ms_page_line(page, "  Estimated; 95%% interval of the miss rate: %.2f%% to %.2f%%",
			     100 * e->low, 100 * e->high);
	if (isfinite(e->lost_low) && isfinite(e->lost_high) && several)
		ms_page_line(page, "  Likewise of invalidation misses: %.2f%% to %.2f%%",
			     100 * e->lost_low, 100 * e->lost_high);
	if (!isfinite(e->low) || !isfinite(e->high))
		ms_page_line(page, "  Estimated from too few windows for an interval");
}

void ms_page_rates(const struct ms_page *page, const struct ms_run *run)
{
	struct ms_estimates estimates;
	struct ms_text text = MS_TEXT_INIT;

	if (run->samplings.n == 0)
		return;
	ms_estimates_make(&estimates, run, NULL, NULL);
	for (size_t i = 0; i < estimates.levels.n; i++) {
		const struct ms_level_estimate *e = &estimates.levels.at[i];

		ms_text_addf(&text, "%s%s ", i > 0 ? ", " : "", run->levels.at[i].name);
		if (isfinite(e->low) && isfinite(e->high))
			ms_text_addf(&text, "%.2f%% to %.2f%%", 100 * e->low, 100 * e->high);
		else
			ms_text_add(&text, "from too few windows to tell");
	}
	ms_text_add(&text, " (95% intervals of the miss rates)");
	ms_page_wrap(page, "Known to: ", text.at);
	ms_text_free(&text);
	ms_estimates_free(&estimates);
}

static void put_level(const struct ms_page *page, const struct ms_run *run,
		      const struct ms_counts *counts, size_t i,
		      const struct ms_estimates *estimates,
		      const struct ms_entry_intervals *intervals)
{
	const struct ms_level_counts *level = &counts->levels[i];
	uint64_t misses = ms_both(level->misses);
	bool known = ms_knows_references(run, counts);
	struct ms_arena arena = MS_ARENA_INIT;
	char count[MS_NUM_TEXT];

	ms_page_fold(page, "%s misses: %s%s%s", run->levels.at[i].name,
		     ms_format_count(misses, count), known ? "   Miss rate: " : "",
		     known ? ms_page_rate(&arena, misses, ms_both(counts->references)) : "");
	put_interval(page, estimates, i, run->processors > 1);
	ms_page_parts(page, read_write, level->misses, MS_RW);
	ms_page_parts(page, causes, level->causes, MS_CAUSES);
	ms_page_causes_within(page, level, intervals, i);
	if (run->processors > 1)
		put_sharing(page, level);
	if (run->levels.at[i].prefetch > 0)
		ms_page_line(page, "  Covered by the prefetcher: %s (%s)",
			     ms_format_count(level->covered, count),
			     ms_page_rate(&arena, level->covered, misses));
	ms_arena_free(&arena);
}

void ms_page_counts(const struct ms_page *page, const struct ms_summary *whole, const bool *code,
		    const bool *data, const struct ms_counts *counts)
{
	const struct ms_run *run = whole->run;
	struct ms_estimates estimates = { MS_VEC_INIT };
	struct ms_intervals intervals;
	char count[MS_NUM_TEXT];

	if (run->samplings.n > 0)
		ms_estimates_make(&estimates, run, code, data);
	ms_intervals_by(&intervals, whole, MS_ENTRY_TOTAL, &(struct ms_selection){ code, data });
	if (ms_knows_references(run, counts)) {
		ms_page_line(page, "References: %s",
			     ms_format_count(ms_both(counts->references), count));
		ms_page_parts(page, read_write, counts->references, MS_RW);
	}
	for (size_t i = 0; i < run->levels.n; i++)
		put_level(page, run, counts, i, &estimates, ms_intervals_at(&intervals, 0));
	if (run->processors > 1 && run->levels.n > 0) {
		put_answers(page, run, counts);
		put_traffic(page, run, counts);
	}
	ms_intervals_free(&intervals);
	ms_estimates_free(&estimates);
}

/* Shares of the reasons, of what could be attributed last; of references where nothing stalls. */
static void reason_shares(const struct ms_summary *s, bool stalls, uint32_t *tenths,
			  struct ms_arena *arena)
{
	size_t n = s->reasons.at.n;
	uint64_t *parts = ms_arena_take(arena, (n + 1) * sizeof(*parts));

	parts[n] = ms_both(stalls ? s->total.counts.stall : s->total.counts.references);
	for (size_t i = 0; i < n; i++) {
		const struct ms_counts *c = &s->reasons.at.at[i].counts;

		parts[i] = ms_both(stalls ? c->stall : c->references);
		parts[n] -= parts[i];
	}
	ms_share_list(parts, n + 1, MS_WHOLE, tenths);
}

void ms_page_reasons(const struct ms_page *page, const struct ms_summary *s)
{
	bool stalls = ms_both(s->total.counts.stall) > 0;
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
			     ms_page_percent(&arena, tenths[i]), s->reasons.at.at[i].name);
	}
	if (text.n == 0)
		ms_page_fold(page, "Unattributed: none; every %s has its data.",
			     ms_hardware_run(s->run) ? "sample"
			     : s->run->misses_only   ? "miss"
						     : "reference");
	else
		ms_page_wrap(page, "Unattributed: ",
			     ms_arena_printf(&arena, "%s of %s%s", ms_page_percent(&arena, sum),
					     ms_hardware_run(s->run) ? ms_hardware_what(s->run)
					     : stalls                ? "stall time"
								     : "references",
					     text.at));
	ms_text_free(&text);
	ms_arena_free(&arena);
}

void ms_page_next(const struct ms_page *page, const struct ms_view_options *options,
		  const char *fmt, ...)
{
	struct ms_text text = MS_TEXT_INIT, shown = MS_TEXT_INIT;
	char *command;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&command, fmt, ap) < 0)
		ms_out_of_memory(strlen(fmt));
	va_end(ap);
	ms_text_add(&text, command);
	free(command);
	if (options->db != NULL) {
		ms_text_add(&text, " --db ");
		ms_about_word(&text, options->db);
	}
	/* Never cut: it is there to be copied. */
	ms_utf8_fit(&shown, text.at, SIZE_MAX, MS_CUT_END);
	fprintf(page->out, "\n%sNext: %s%s\n", ms_style_on(MS_STYLE_DIM, page->colour), shown.at,
		ms_style_off(MS_STYLE_DIM, page->colour));
	ms_text_free(&text);
	ms_text_free(&shown);
}

/* "--machine buck-2004 --l1 8K,2,32 ": as the origin tells it; a file may be gone, and has none. */
static void add_machine(struct ms_text *out, const struct ms_run *run)
{
	static const char preset[] = "preset ", alone[] = "options --", with[] = "; with --";
	const char *origin = run->machine_origin, *changes = strstr(origin, with);

	if (strncmp(origin, alone, strlen(alone)) == 0)
		ms_text_addf(out, "%s ", strchr(origin, '-'));
	if (strncmp(origin, preset, strlen(preset)) != 0)
		return;
	ms_text_add(out, "--machine ");
	ms_about_word(out, run->machine);
	ms_text_addf(out, " %s%s", changes != NULL ? strchr(changes, '-') : "",
		     changes != NULL ? " " : "");
}

void ms_page_again(const struct ms_page *page, const struct ms_view_options *options,
		   const struct ms_run *run, const char *option)
{
	struct ms_view_options no_db = *options; /* not behind the program's own arguments */
	bool imported = strcmp(run->frontend, "valgrind") != 0;
	struct ms_text command = MS_TEXT_INIT;

	no_db.db = NULL;
	add_machine(&command, run);
	if (options->db != NULL) {
		ms_text_add(&command, "--db ");
		ms_about_word(&command, options->db);
		ms_text_add(&command, " ");
	}
	ms_text_add(&command, "-- ");
	ms_about_command(&command, run->program, run->argv.at, run->argv.n);
	ms_page_next(page, &no_db, "memspy %s %s %s", imported ? "replay" : "run", option,
		     command.at);
	ms_text_free(&command);
}

const char *ms_page_code_name(struct ms_arena *arena, const char *name)
{
	enum { LONG = 24 };
	size_t n = strlen(name), depth = 0;

	if (n <= LONG || name[n - 1] != ')')
		return name;
	for (size_t i = n; i-- > 1;) {
		depth += (name[i] == ')');
		depth -= (name[i] == '(');
		if (depth == 0)
			return name[i - 1] == ' ' ? name : ms_arena_strndup(arena, name, i);
	}
	return name;
}

const char *ms_page_source(struct ms_arena *arena, const struct ms_run *run, uint32_t number)
{
	const struct ms_run_line *line = &run->lines.at[number];
	const char *code = ms_page_code_name(arena, run->codes.at[line->code].name);
	const char *slash = line->file != NULL ? strrchr(line->file, '/') : NULL;

	if (line->file == NULL)
		return code;
	return ms_arena_printf(arena, "%s:%" PRIu32 " %s", slash ? slash + 1 : line->file,
			       line->line, code);
}
