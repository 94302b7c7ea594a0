/* views/json/run.c - what JSON says of a run itself. */
#include "views/json/report.h"

#include "analysis/confidence_intervals/miss_rate_estimators.h"
#include "analysis/describe/describe.h"
#include "analysis/measured/measured.h"
#include "base/json.h"
#include "run/enum_words.h"
#include "views/json/parts.h"

static void machine(struct ms_json *j, const struct ms_summary *s)
{
	const struct ms_run *run = s->run;
	size_t n = run->levels.n;

	ms_json_text(j, "machine", run->machine);
	ms_json_text(j, "machine_origin", run->machine_origin);
	if (ms_run_is_measured(run))
		return;
	ms_json_array(j, "machine_levels");
	for (size_t i = 0; i < n; i++) {
		const struct ms_run_level *level = &run->levels.at[i];

		ms_json_object(j, NULL);
		ms_json_text(j, "name", level->name);
		ms_json_u64(j, "size", level->size);
		ms_json_u64(j, "ways", level->ways);
		ms_json_u64(j, "line", level->line);
		ms_json_u64(j, "latency", i > 0 ? s->cost.answer.at[i - 1] : 0);
		ms_json_u64(j, "processors", level->processors);
		for (int k = 0; k < MS_TRAITS; k++)
			ms_json_text(j, ms_run_level_trait_name((enum ms_run_level_trait)k),
				     ms_run_level_trait_word((enum ms_run_level_trait)k,
							     level->traits[k]));
		ms_json_u64(j, "prefetch", level->prefetch);
		ms_json_end(j);
	}
	ms_json_end(j);
	ms_json_u64(j, "memory_latency", n > 0 ? s->cost.answer.at[n - 1] : run->memory_latency);
}

static const char *cost_of(const struct ms_run *run)
{
	if (run->by_latency)
		return "latency";
	return ms_run_has_measured_time(run) ? "measured" : "exposed";
}

/* Where the time of a run is from: the real machine, the timing model, or latencies alone. */
static void time_of(struct ms_json *j, const struct ms_run *run)
{
	bool measured = ms_run_is_measured(run) || ms_run_has_measured_time(run);

	ms_json_text(j, "time",
		     measured               ? "measured"
		     : ms_run_is_timed(run) ? "estimated"
					    : "latency");
}

/* Only of runs with an out-of-order core. */
static void core(struct ms_json *j, const struct ms_run *run)
{
	if (run->core != MS_RUN_OUT_OF_ORDER)
		return;
	ms_json_object(j, "core");
	ms_json_text(j, "type", ms_run_core_word(run->core));
	ms_json_text(j, "cost", cost_of(run));
	ms_json_real(j, "ipc", run->ipc_milli / 1000.0);
	if (run->clock_mhz > 0)
		ms_json_u64(j, "clock_mhz", run->clock_mhz);
	else
		ms_json_null(j, "clock_mhz");
	ms_json_u64(j, "walk_latency", run->walk_latency);
	if (run->bandwidth_milli > 0)
		ms_json_real(j, "bandwidth", run->bandwidth_milli / 1000.0);
	else
		ms_json_null(j, "bandwidth");
	ms_json_end(j);
}

/* Only of runs whose replacement misses are divided. */
static void division(struct ms_json *j, const struct ms_run *run)
{
	if (run->division == MS_RUN_UNDIVIDED)
		return;
	ms_json_text(j, "division", ms_run_division_word(run->division));
	ms_json_real(j, "observed_part", run->observed_part);
}

/* Only of runs with several. */
static void processors(struct ms_json *j, const struct ms_summary *s)
{
	const struct ms_run *run = s->run;

	if (run->processors == 1)
		return;
	ms_json_u64(j, "processors", run->processors);
	ms_json_text(j, "protocol", ms_run_protocol_word(run->protocol));
	ms_json_u64(j, "nodes", run->nodes);
	ms_json_u64(j, "peer_latency", s->cost.peer);
	ms_json_u64(j, "remote_latency", s->cost.remote);
	ms_json_text(j, "placement", ms_run_placement_word(run->placement));
	ms_json_u64(j, "seed", run->seed);
}

void ms_views_json_run(struct ms_json *j, const struct ms_run *run)
{
	ms_json_object(j, "run");
	if (run->id > 0)
		ms_json_i64(j, "id", run->id);
	else
		ms_json_null(j, "id");
	ms_json_text(j, "tag", run->tag);
	ms_json_text(j, "started", run->started);
	ms_json_text(j, "program", run->program);
	ms_views_json_texts(j, "argv", run->argv.at, run->argv.n);
}

void ms_views_json_begin(struct ms_json *j, FILE *out)
{
	ms_json_init(j, out);
	ms_json_object(j, NULL);
	ms_json_u64(j, "schema_version", MS_VIEWS_SCHEMA);
}

void ms_views_json_begin_run(struct ms_json *j, const struct ms_run *run, FILE *out)
{
	ms_views_json_begin(j, out);
	ms_views_json_run(j, run);
	ms_json_text(j, "machine", run->machine);
}

static void invalidations(struct ms_json *j, const struct ms_intervals_level_estimate *e)
{
	ms_json_object(j, "invalidations");
	ms_json_real(j, "rate", e->lost);
	ms_json_real(j, "low", e->lost_low);
	ms_json_real(j, "high", e->lost_high);
	ms_json_end(j);
}

/* Only of sampled runs. */
static void sampling(struct ms_json *j, const struct ms_run *run)
{
	const struct ms_run_sampling *s = run->samplings.at;
	struct ms_intervals_estimates estimates;

	if (run->samplings.n == 0)
		return;
	ms_intervals_estimates_make(&estimates, run, NULL, NULL);
	ms_json_object(j, "sampling");
	ms_json_real(j, "ratio", s->ratio);
	ms_json_u64(j, "window", s->window);
	ms_json_u64(j, "sets", s->sets);
	ms_json_u64(j, "windows", s->windows);
	ms_json_u64(j, "references", s->references);
	ms_json_real(j, "total", s->total);
	ms_json_real(j, "total_low", s->total_low);
	ms_json_real(j, "total_high", s->total_high);
	if (s->wanted > 0) {
		ms_json_real(j, "wanted", s->wanted);
		ms_json_real(j, "reached", estimates.levels.at[0].error);
	}
	ms_json_array(j, "miss_rates");
	for (size_t i = 0; i < estimates.levels.n; i++) {
		const struct ms_intervals_level_estimate *e = &estimates.levels.at[i];

		ms_json_object(j, NULL);
		ms_json_text(j, "name", run->levels.at[i].name);
		ms_json_real(j, "rate", e->rate[MS_ESTIMATE_RUN]);
		ms_json_real(j, "low", e->low);
		ms_json_real(j, "high", e->high);
		if (run->processors > 1)
			invalidations(j, e);
		ms_json_end(j);
	}
	ms_json_end(j);
	ms_json_end(j);
	ms_intervals_estimates_free(&estimates);
}

static void origin(struct ms_json *j, const struct ms_run *run)
{
	ms_views_json_tags(j, run->tag, run->tags.at, run->tags.n);
	ms_json_text(j, "note", run->note);
	ms_json_text(j, "build_id", run->build_id);
	ms_json_text(j, "git_commit", run->git_commit);
	ms_views_json_dirty(j, run->git_commit, run->git_dirty != 0);
	ms_json_text(j, "host", run->host);
	ms_json_array(j, "environment");
	for (size_t i = 0; i < run->environment.n; i++) {
		ms_json_object(j, NULL);
		ms_json_text(j, "name", run->environment.at[i].name);
		ms_json_text(j, "value", run->environment.at[i].value);
		ms_json_end(j);
	}
	ms_json_end(j);
}

/* Absent if nothing was merged. */
static void merged(struct ms_json *j, const struct ms_run *run)
{
	uint64_t paths = 0;

	for (size_t i = 0; i < run->data.n; i++)
		paths += run->data.at[i].paths;
	if (paths == 0 && run->merged_sites == 0 && run->merged_pairs == 0)
		return;
	ms_json_object(j, "merged");
	ms_json_u64(j, "paths", paths);
	ms_json_u64(j, "instructions", run->merged_sites);
	ms_json_u64(j, "pairs", run->merged_pairs);
	ms_json_u64(j, "pair_error", run->pair_error);
	ms_json_end(j);
}

/* Of a rank, which one; of a merged run, how many are added up. */
static void rank(struct ms_json *j, const struct ms_run *run)
{
	size_t merged = 0;

	for (size_t i = 0; i < run->rank_rows.n; i++)
		merged += run->rank_rows.at[i].state == MS_RANK_MERGED;
	if (run->job != NULL)
		ms_json_text(j, "job", run->job);
	if (run->job != NULL && run->rank_rows.n == 0)
		ms_json_u64(j, "rank", run->rank);
	if (run->job != NULL)
		ms_json_u64(j, "ranks", run->ranks);
	if (run->rank_rows.n > 0)
		ms_json_u64(j, "merged_runs", merged);
}

/* Absent if no heap data is shown in groups. */
static void grouped(struct ms_json *j, const struct ms_summary *s)
{
	static const char *const words[] = { [MS_GROUPING_SMALL] = "auto",
					     [MS_GROUPING_TYPE] = "type",
					     [MS_GROUPING_FUNCTION] = "function" };
	uint64_t data = 0, groups = 0;

	if (s->run->grouping == MS_GROUPING_NONE)
		return;
	for (size_t i = 0; i < s->run->data.n; i++) {
		data += s->run->data.at[i].grouped;
		groups += s->run->data.at[i].grouped > 0;
	}
	ms_json_object(j, "grouped");
	ms_json_text(j, "by", words[s->run->grouping]);
	ms_json_u64(j, "data", data);
	ms_json_u64(j, "groups", groups);
	ms_json_real(j, "stall_share", ms_summary_grouped_share(s));
	ms_json_end(j);
}

static void untraced(struct ms_json *j, const struct ms_run *run)
{
	ms_json_array(j, "untraced");
	for (size_t i = 0; i < run->untraced.n; i++) {
		const struct ms_run_untraced *u = &run->untraced.at[i];

		ms_json_object(j, NULL);
		ms_json_text(j, "reason", u->reason);
		ms_json_text(j, "who", ms_run_who_word(u->who));
		ms_json_u64(j, "times", u->times);
		ms_json_real(j, "seconds", u->seconds);
		ms_json_end(j);
	}
	ms_json_end(j);
	if (run->untraced.n > 0)
		ms_json_real(j, "processor_seconds", run->processor_seconds);
}

void ms_views_json_run_object(struct ms_json *j, const struct ms_summary *s)
{
	const struct ms_run *run = s->run;

	ms_views_json_run(j, run);
	origin(j, run);
	ms_json_text(j, "frontend", run->frontend);
	ms_json_text(j, "memspy", run->memspy);
	machine(j, s);
	time_of(j, s->run);
	core(j, s->run);
	division(j, s->run);
	if (ms_describe_timing_limit(run) != NULL)
		ms_json_text(j, "timing_limit", ms_describe_timing_limit(run));
	processors(j, s);
	ms_json_text(j, "end", ms_run_end_word(run->end));
	ms_json_i64(j, "exit_status", run->exit_status);
	ms_json_real(j, "wall_seconds", run->wall_seconds);
	ms_json_u64(j, "workers", run->workers);
	ms_json_u64(j, "stops", run->stops);
	untraced(j, run);
	ms_json_bool(j, "misses_only", run->misses_only != 0);
	merged(j, run);
	grouped(j, s);
	ms_views_json_relation(j, run->parent, run->relation);
	rank(j, run);
	sampling(j, run);
	ms_views_json_hardware(j, run);
	ms_views_json_joined(j, run);
	if (run->checkpoints.n > 0)
		ms_views_json_checkpoint(j, run->checkpoints.at);
	ms_json_end(j);
}
