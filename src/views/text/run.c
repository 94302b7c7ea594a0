/* views/text/run.c - what heads a text report: the program, its run, sampling, the machine. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/confidence_intervals/miss_rate_estimators.h"
#include "analysis/describe/checkpoint.h"
#include "analysis/describe/describe.h"
#include "analysis/measured/measured.h"
#include "analysis/user_rules/rules.h"
#include "base/compiler.h"
#include "base/num.h"
#include "run/enum_words.h"
#include "views/entries.h"
#include "views/text/page.h"
#include "views/text/parts.h"

void ms_views_text_unused_processors(const struct ms_views_text_page *page,
				     const struct ms_summary *summary)
{
	size_t n = 0;

	for (size_t i = 0; i < summary->processors.at.n; i++)
		n += !ms_views_is_used_processor(&summary->processors.at.at[i]);
	if (n > 0)
		ms_views_text_line(page, "%zu processor%s never used.", n,
				   n == 1 ? " was" : "s were");
}

/* Only of runs with several processors. */
static void processor_lines(const struct ms_views_text_page *page, const struct ms_summary *summary)
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
	ms_views_text_wrap(page, "          ", text.at);
	ms_text_free(&text);
}

static const char *cost_text(const struct ms_run *run)
{
	if (run->by_latency)
		return "; each miss costs its latency, each instruction a cycle (--cost latency)";
	return ms_run_has_measured_time(run)
		       ? "; time is measured, and split by what the simulated core waits for"
		       : "; time is estimated: misses cost what the core cannot hide";
}

/* Only of machines with an out-of-order core. */
static void core_line(const struct ms_views_text_page *page, const struct ms_run *run)
{
	const char *limit = ms_describe_timing_limit(run);
	struct ms_text text = MS_TEXT_INIT;

	if (run->core != MS_RUN_OUT_OF_ORDER) {
		if (limit != NULL)
			ms_text_addf(&text,
				     "out-of-order core, not modelled since %s: each miss costs "
				     "its latency, each instruction a cycle",
				     limit);
		if (limit != NULL)
			ms_views_text_wrap(page, "          ", text.at);
		ms_text_free(&text);
		return;
	}
	ms_text_addf(&text, "%s core", ms_run_core_word(run->core));
	if (run->clock_mhz > 0)
		ms_text_addf(&text, ", %" PRIu32 " MHz", run->clock_mhz);
	ms_text_add(&text, cost_text(run));
	if (limit != NULL)
		ms_text_addf(&text,
			     "; %s: dependences are not known, all misses count as independent",
			     limit);
	ms_views_text_wrap(page, "          ", text.at);
	ms_text_free(&text);
}

static void machine_lines(const struct ms_views_text_page *page, const struct ms_summary *summary)
{
	const struct ms_run *run = summary->run;
	struct ms_text text = MS_TEXT_INIT;
	char size[MS_NUM_TEXT];

	ms_text_addf(&text, "%s (%s)", run->machine, run->machine_origin);
	ms_views_text_wrap(page, "Machine:  ", text.at);
	ms_text_clear(&text);
	for (size_t i = 0; i < run->levels.n; i++) {
		const struct ms_run_level *level = &run->levels.at[i];

		ms_text_addf(&text, "%s%s %s %" PRIu32 "-way %" PRIu32 " B", i ? ", " : "",
			     level->name, ms_format_size(level->size, size), level->ways,
			     level->line);
		ms_describe_level(&text, level);
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
	ms_views_text_wrap(page, "          ", ms_text_get(&text));
	ms_text_free(&text);
	processor_lines(page, summary);
	core_line(page, run);
}

/* What --error asked for, and how far it came. */
static void wanted_line(const struct ms_views_text_page *page, const struct ms_run *run,
			struct ms_text *text)
{
	const struct ms_run_sampling *s = run->samplings.at;
	struct ms_intervals_estimates estimates;

	if (!(s->wanted > 0) || s->ratio >= 1)
		return;
	ms_intervals_estimates_make(&estimates, run, NULL, NULL);
	double error = estimates.levels.n > 0 ? estimates.levels.at[0].error : NAN;
	ms_text_addf(text, "%s miss rate to %.3g points, ", run->levels.at[0].name,
		     100 * s->wanted);
	if (isnan(error))
		ms_text_add(text, "and there are too few windows to tell");
	else
		ms_text_addf(text, "%s %.3g",
			     error <= s->wanted ? "reached:" : "not reached, it is known to",
			     100 * error);
	ms_views_text_wrap(page, "Wanted:   ", text->at);
	ms_intervals_estimates_free(&estimates);
}

/* References between windows were not counted, and all counts depend on how many there were. */
static void add_range(const struct ms_run *run, struct ms_text *text)
{
	const struct ms_run_sampling *s = run->samplings.at;
	char low[MS_NUM_TEXT], high[MS_NUM_TEXT];

	if (s->total_low < s->total_high)
		ms_text_addf(text, " (%s to %s: all counts and times may be off as far)",
			     ms_format_count(ms_round_u64(s->total_low), low),
			     ms_format_count(ms_round_u64(s->total_high), high));
}

/* "4.3% of about 62.2M references, in 13 windows of 500.0K on average" */
static void add_seen(const struct ms_run *run, struct ms_text *text)
{
	const struct ms_run_sampling *s = run->samplings.at;
	char count[MS_NUM_TEXT];

	ms_text_addf(text, "%.3g%% of %s%s references",
		     s->total > 0 ? 100 * (double)s->references / s->total : 0,
		     s->exact ? "" : "about ", ms_format_count(ms_round_u64(s->total), count));
	add_range(run, text);
	if (s->window > 0 && s->ratio < 1)
		ms_text_addf(text, ", in %" PRIu64 " window%s of %s on average", s->windows,
			     s->windows == 1 ? "" : "s",
			     ms_format_count(ms_intervals_mean_window(s), count));
	if (s->sets > 1)
		ms_text_addf(text, ", one of %" PRIu64 " sets", s->sets);
	if (s->ratio < 1 || s->sets > 1)
		ms_text_add(text, "; figures are estimates for the whole program");
	else
		ms_text_addf(text, ": %s so short that all of it was simulated",
			     ms_run_is_part(run) ? "the part that was followed is" : "it is");
}

static void sampling_line(const struct ms_views_text_page *page, const struct ms_run *run)
{
	const struct ms_run_sampling *s = run->samplings.at;
	struct ms_text text = MS_TEXT_INIT;
	char count[MS_NUM_TEXT];

	if (run->samplings.n == 0)
		return;
	if (ms_run_has_no_window(run)) {
		if (s->total >= 1)
			ms_text_addf(&text, "none of %s%s references", s->exact ? "" : "about ",
				     ms_format_count(ms_round_u64(s->total), count));
		ms_text_addf(&text, "%s: %s", s->total >= 1 ? "" : "nothing",
			     ms_describe_no_window(run));
	} else {
		add_seen(run, &text);
	}
	ms_views_text_wrap(page, "Sampled:  ", text.at);
	ms_text_clear(&text);
	wanted_line(page, run, &text);
	ms_text_free(&text);
}

bool ms_views_text_no_windows(const struct ms_views_text_page *page, const struct ms_run *run)
{
	bool unseen = ms_run_has_no_window(run);

	if (unseen)
		ms_views_text_wrap(
			page, "",
			"No window opened, so nothing is known of what the program did, and "
			"there are no figures. Run it without --sample.");
	return unseen;
}

bool ms_views_text_is_of_single_runs(const struct ms_views_text_page *page,
				     const struct ms_run *run, const char *what)
{
	if (!ms_run_is_sum(run))
		return false;
	struct ms_text text = MS_TEXT_INIT;

	ms_text_addf(&text,
		     run->job != NULL ? "%s: only runs of single ranks have this, not sums over "
					"ranks. --rank N shows it for a rank."
				      : "%s: only runs of single processes have this, not sums "
					"over processes. memspy runs lists them.",
		     what);
	ms_views_text_wrap(page, "", text.at);
	ms_text_free(&text);
	return true;
}

/* What is missing from all figures, if anything is. */
static void untraced_lines(const struct ms_views_text_page *page, const struct ms_summary *summary)
{
	static const char *const labels[] = {
		[MS_WHO_PROGRAM] = "Counted:  ", [MS_WHO_CHILD] = "Children: "
	};

	struct ms_text text = MS_TEXT_INIT;

	for (uint32_t who = 0; who < MS_COUNT(labels); who++) {
		ms_text_clear(&text);
		ms_describe_untraced(&text, summary->run, (enum ms_run_who)who);
		if (text.n > 0)
			ms_views_text_wrap(page, labels[who], text.at);
	}
	ms_text_clear(&text);
	ms_describe_loader(&text, summary->run,
			   ms_summary_rw_sum(summary->total.counts.references));
	if (text.n > 0)
		ms_views_text_wrap(page, "Loader:   ", text.at);
	ms_text_clear(&text);
	ms_describe_waiting(&text, summary->run);
	if (text.n > 0)
		ms_views_text_wrap(page, "Waiting:  ", text.at);
	ms_text_clear(&text);
	ms_rules_describe_mpi(&text, summary);
	if (text.n > 0)
		ms_views_text_wrap(page, "MPI:      ", text.at);
	ms_text_free(&text);
}

/* What was merged of a large run: its totals are exact. */
static void merged_line(const struct ms_views_text_page *page, const struct ms_run *run)
{
	struct ms_text text = MS_TEXT_INIT;

	ms_describe_merged(&text, run);
	if (text.n > 0)
		ms_views_text_wrap(page, "Merged:   ", text.at);
	ms_text_free(&text);
}

/* Which heap data is shown together. */
static void grouped_line(const struct ms_views_text_page *page, const struct ms_summary *summary)
{
	struct ms_text text = MS_TEXT_INIT;

	ms_describe_grouping(&text, summary->run, ms_summary_grouped_share(summary));
	if (text.n > 0)
		ms_views_text_wrap(page, "Grouped:  ", text.at);
	ms_text_free(&text);
}

/* Of a merged run: what is added up. */
static void ranks_line(const struct ms_views_text_page *page, const struct ms_run *run)
{
	struct ms_text text = MS_TEXT_INIT;
	size_t merged = 0;

	for (size_t i = 0; i < run->rank_rows.n; i++)
		merged += run->rank_rows.at[i].state == MS_RANK_MERGED;
	if (run->job != NULL)
		ms_text_addf(&text, "%zu of %zu of job %s", merged, run->rank_rows.n, run->job);
	else
		ms_text_addf(&text, "%zu of %zu processes", merged, run->rank_rows.n);
	ms_text_add(&text, "; figures are their sums; memspy ranks shows how they differ");
	if (run->rank_rows.n == 1 && !ms_run_is_sum(run)) {
		ms_text_clear(&text);
		ms_text_addf(&text, "%" PRIu32 " of job %s", run->rank_rows.at[0].rank, run->job);
		ms_views_text_wrap(page, "Rank:     ", text.at);
	} else if (run->rank_rows.n > 0) {
		ms_views_text_wrap(page, run->job != NULL ? "Ranks:    " : "Merged:   ", text.at);
	}
	ms_text_free(&text);
}

void ms_views_text_run(const struct ms_views_text_page *page, const struct ms_summary *summary)
{
	const struct ms_run *run = summary->run;
	struct ms_text text = MS_TEXT_INIT;

	ms_describe_command(&text, run->program, run->argv.at, run->argv.n);
	ms_views_text_title(page, "Program:  %s", text.at);
	ms_text_clear(&text);
	if (run->id > 0)
		ms_text_addf(&text, "@%" PRId64 ", ", run->id);
	if (run->tag != NULL)
		ms_text_addf(&text, "@%s, ", run->tag);
	ms_text_addf(&text, "%s, %s, %.1f s, ", run->started, run->frontend, run->wall_seconds);
	ms_describe_run_end(&text, run);
	ms_views_text_wrap(page, "Run:      ", text.at);
	if (run->parent != 0)
		ms_views_text_line(page, "From:     @%" PRId64 ", by %s", run->parent,
				   ms_run_relation_word(run->relation));
	ranks_line(page, run);
	if (run->stops > 0)
		ms_views_text_line(
			page,
			"Counted:  in part; left out (MEMSPY_STOP(), --start-stopped): %" PRIu64
			" stretch%s",
			run->stops, run->stops == 1 ? "" : "es");
	untraced_lines(page, summary);
	grouped_line(page, summary);
	ms_text_free(&text);
	if (ms_run_is_measured(run)) {
		ms_views_text_hardware(page, run);
		return;
	}
	sampling_line(page, run);
	ms_views_text_joined(page, run);
	if (run->misses_only)
		ms_views_text_wrap(page, "Missing:  ", MS_VIEWS_MISSES_ONLY);
	merged_line(page, run);
	machine_lines(page, summary);
}
