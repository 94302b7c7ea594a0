/* cli/commands/replay.c - memspy replay: simulate a trace again, on one machine or several in one
 * pass.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands/commands.h"
#include "cli/load_run.h"
#include "cli/options/checkpoint.h"
#include "cli/options/detail_limits.h"
#include "cli/options/focus.h"
#include "cli/options/machine.h"
#include "cli/options/observed_lines.h"
#include "cli/options/pmu.h"
#include "cli/options/processors.h"
#include "cli/options/report.h"
#include "cli/options/sampling.h"
#include "cli/progress.h"
#include "collect/collect.h"
#include "stream/import/formats.h"

struct replay_command {
	struct ms_opt_list machines;
	struct ms_options_machine levels;
	struct ms_options_processors processors;
	struct ms_options_pmu pmus;
	struct ms_options_sampling sample;
	bool sample_phases;
	struct ms_options_report report;
	struct ms_options_focus focus;
	const char *format;
	const char *tag;
	uint64_t workers;
	double checkpoint; /* seconds from one to the next; 0: none */
	struct ms_collect_bin_limits limits;
	bool misses_only;
	struct ms_options_observed_lines observed;
	bool quiet;
};

#define CHOICE(name, description)   "|" #name
#define NAME(name, description)     ", " #name
#define SENTENCE(name, description) #name ": " description ". "

static const struct ms_opt replay_rows[] = {
	{ .kind = MS_OPT_LIST,
	  .letter = 'm',
	  .name = "machine",
	  .value = "MACHINE",
	  .offset = offsetof(struct replay_command, machines),
	  .brief = "simulate this machine; repeated: several in one pass, a run each",
	  .full = "host (the default), a preset, or a file; 'memspy machine list' shows the "
		  "presets." },
	MS_OPTIONS_LEVEL_ROWS(struct replay_command, levels),
	MS_OPTIONS_PROCESSOR_ROWS(struct replay_command, processors, "1", ""),
	MS_OPTIONS_PMU_ROWS(struct replay_command, pmus),
	MS_OPTIONS_FOCUS_ROWS(struct replay_command, focus),
	MS_OPTIONS_MISSES_ONLY_ROW(struct replay_command, misses_only),
	MS_OPTIONS_OBSERVED_LINES_ROWS(struct replay_command, observed),
	MS_OPTIONS_LIMIT_ROWS(struct replay_command, limits),
	MS_OPTIONS_SAMPLE_ROWS(struct replay_command, sample),
	{ .kind = MS_OPT_FLAG,
	  .name = "sample-phases",
	  .offset = offsetof(struct replay_command, sample_phases),
	  .brief = "simulate all, with the windows of --sample as a phase",
	  .full = "Nothing is left out; the phases 'window' and 'between', in the place of the "
		  "program's own, show what is true in the windows that --sample would have "
		  "seen." },
	{ .kind = MS_OPT_WORD,
	  .letter = 'f',
	  .name = "format",
	  .value = "FORMAT",
	  .offset = offsetof(struct replay_command, format),
	  .choices = "auto|memspy" MS_IMPORT_FORMATS(CHOICE),
	  .brief = "what FILE is: memspy" MS_IMPORT_FORMATS(NAME) " (default: auto, by its start)",
	  .full = "memspy: kept by 'memspy run --trace'. " MS_IMPORT_FORMATS(
		  SENTENCE) "All but the first may be compressed (gzip, xz, zstd) or come from "
			    "standard "
			    "input, and name code and data by their addresses." },
	{ .kind = MS_OPT_NUMBER,
	  .name = "workers",
	  .value = "N",
	  .offset = offsetof(struct replay_command, workers),
	  .min = 1,
	  .max = 64,
	  .brief = "threads that simulate (default: as this machine has room)",
	  .full = "The result is the same for any number." },
	{ .kind = MS_OPT_TEXT,
	  .name = "tag",
	  .value = "NAME",
	  .offset = offsetof(struct replay_command, tag),
	  .brief = "a name for the runs: @NAME finds the last" },
	MS_OPTIONS_CHECKPOINT_ROW(struct replay_command, checkpoint),
	{ .kind = MS_OPT_FLAG,
	  .letter = 'q',
	  .name = "quiet",
	  .offset = offsetof(struct replay_command, quiet),
	  .brief = "no progress, no report; the runs are kept" },
	MS_OPTIONS_DB_ROW(struct replay_command, report),
	MS_OPTIONS_RULES_ROW(struct replay_command, report),
	MS_OPTIONS_REPORT_ROWS(struct replay_command, report),
	MS_OPTIONS_OUTPUT_ROW(struct replay_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const replay_tables[] = { replay_rows, NULL };

struct machines {
	MS_VEC(struct ms_machine) at;
	const struct ms_machine **list;
};

/* Each --machine with the same --l1 ...; without any, what `memspy run` would simulate. */
static int build_machines(const struct replay_command *command, struct machines *machines,
			  struct ms_err *err)
{
	size_t n = command->machines.words.n > 0 ? command->machines.words.n : 1;

	machines->list = ms_alloc(n * sizeof(*machines->list));
	ms_vec_reserve(&machines->at, n);
	for (size_t i = 0; i < n; i++) {
		struct ms_options_machine options = command->levels;
		struct ms_machine machine;

		if (command->machines.words.n > 0)
			options.machine = command->machines.words.at[i];
		MS_TRY(ms_options_read_machine(&options, &machine, err));
		*ms_vec_add(&machines->at) = machine;
		MS_TRY(ms_options_read_processors(&command->processors, &machines->at.at[i], err));
	}
	for (size_t i = 0; i < n; i++)
		machines->list[i] = &machines->at.at[i];
	return MS_OK;
}

static void free_machines(struct machines *machines)
{
	for (size_t i = 0; i < machines->at.n; i++)
		ms_machine_free(&machines->at.at[i]);
	ms_vec_free(&machines->at);
	ms_free(machines->list);
}

static int keep_runs(const struct replay_command *command, struct ms_run *runs, size_t n,
		     struct ms_err *err)
{
	struct ms_store *store = NULL;
	int code = ms_store_open(&store, command->report.db, MS_STORE_WRITE, err);

	for (size_t i = 0; i < n && code == MS_OK; i++) {
		if (command->tag != NULL)
			runs[i].tag = ms_arena_strdup(&runs[i].arena, command->tag);
		code = ms_store_save(store, &runs[i], err);
	}
	ms_store_close(store);
	return code;
}

/* A trace has no standard output of its own to keep clean: the report goes there. */
static int print_runs(const struct replay_command *command, struct ms_run *runs, size_t n,
		      struct ms_err *err)
{
	FILE *out = NULL;

	if (command->quiet && command->report.output == NULL)
		return MS_OK;
	MS_TRY(ms_options_open_output(&command->report, &out, err));
	int code = MS_OK;
	for (size_t i = 0; i < n && code == MS_OK; i++) {
		if (i > 0 && !command->report.json && !command->report.csv)
			fputc('\n', out);
		ms_cli_apply_rules(&command->report, &runs[i]);
		code = ms_options_print_report(&runs[i], &command->report, out, err);
	}
	return ms_options_close_output(&command->report, out, code, err);
}

/* One map for all machines: none of its processors may be missing in any of them. */
static int read_cpus(const struct replay_command *command, const struct machines *machines,
		     struct ms_launch_cpus *cpus, struct ms_err *err)
{
	uint32_t fewest = UINT32_MAX;

	for (size_t i = 0; i < machines->at.n; i++)
		if (machines->at.at[i].processors < fewest)
			fewest = machines->at.at[i].processors;
	return ms_options_read_cpus(&command->processors, fewest, cpus, err);
}

static int replay(const struct replay_command *command, const char *trace,
		  const struct machines *machines, const struct ms_launch_cpus *cpus,
		  const struct ms_options_pmus *pmus, const struct ms_stream_sampling *sampling,
		  struct ms_err *err)
{
	struct ms_cli_progress_line line = { .sampled = sampling != NULL };
	size_t n = machines->at.n;
	struct ms_run *runs = ms_alloc(n * sizeof(*runs));
	struct ms_options_checkpoint checkpoint = { &command->focus, &command->report, command->tag,
						    NULL, NULL };
	struct ms_collect_replay_options options = {
		.trace = trace,
		.checkpoint = ms_options_checkpoint_collect(&checkpoint, command->checkpoint, true),
		.format = strcmp(command->format, "auto") != 0 ? command->format : NULL,
		.machines = machines->list,
		.machine_count = n,
		.pmus = pmus->at.at,
		.pmu_count = pmus->each,
		.cpus = *cpus,
		.sampling = sampling,
		.marks = command->sample_phases,
		.misses_only = command->misses_only,
		.line_rate = ms_options_find_line_rate(&command->observed),
		.limits = command->limits,
		.workers = (unsigned)command->workers,
		.progress_arg = &line,
	};

	for (size_t i = 0; i < n && !command->quiet; i++)
		ms_options_warn_processors(machines->list[i]);
	for (size_t i = 0; i < n; i++)
		ms_options_warn_call_paths(&command->limits, machines->list[i], sampling);
	if (!command->quiet && isatty(STDERR_FILENO))
		options.progress = ms_cli_progress_show;
	struct ms_options_splits splits = { .program = NULL };
	if (ms_options_splits_read(&splits, &command->report, &command->observed.watch, NULL)) {
		options.split = ms_options_split;
		options.split_arg = &splits;
	}
	int code = ms_collect_replay(&options, runs, err);
	ms_options_splits_free(&splits);
	ms_cli_progress_clear(&line);
	if (code == MS_OK) {
		struct ms_err save_err;

		if (runs[0].failure != NULL)
			fprintf(stderr, "memspy: %s: %s; what is there was simulated\n", trace,
				runs[0].failure);
		for (size_t i = 0; i < n; i++) {
			ms_options_warn_pmus(&runs[i]);
			ms_options_warn_unwatched(&command->observed, &runs[i]);
			ms_options_apply_focus(&command->focus, &command->report, NULL, &runs[i]);
		}
		ms_options_warn_sampling(&command->sample, &runs[0]);
		int saved = keep_runs(command, runs, n, &save_err);

		code = print_runs(command, runs, n, err);
		if (saved != MS_OK && code == MS_OK) {
			*err = save_err;
			code = saved;
		}
	}
	for (size_t i = 0; i < n; i++)
		ms_run_free(&runs[i]);
	ms_free(runs);
	return code;
}

static int run_replay(int argc, char *const argv[])
{
	struct replay_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS,
					  .pmus = MS_OPTIONS_PMU_DEFAULTS,
					  .sample.seed = MS_OPTIONS_NO_SEED,
					  .format = "auto",
					  .checkpoint = MS_OPTIONS_CHECKPOINT_SECONDS };
	struct machines machines = { 0 };
	struct ms_launch_cpus cpus = { 0 };
	struct ms_options_pmus pmus = { 0 };
	struct ms_stream_sampling sampling;
	bool samples = false;
	struct ms_words words = { 0 };
	struct ms_err err = { MS_OK, "" };
	int status = MS_CLI_EXIT_OK;

	if (ms_cli_options(&ms_commands_replay, argc, argv, &command, &words, &status)) {
		ms_vec_free(&command.machines.words);
		ms_options_pmus_free(&command.pmus, &pmus);
		ms_options_focus_free(&command.focus);
		ms_options_free_watch(&command.observed);
		return status;
	}
	int code = MS_OK;
	if (words.at.n != 1)
		code = ms_fail(&err, MS_EUSAGE, "%s Usage: memspy replay [options] FILE",
			       words.at.n == 0 ? "which trace?" : "one trace at a time.");
	if (code == MS_OK)
		code = ms_cli_check_tag(command.tag, &err);
	if (code == MS_OK)
		code = ms_options_check_output(&command.report, &err);
	if (code == MS_OK)
		code = ms_options_check_overwrite("-o", command.report.output, words.at.at[0],
						  "the trace", &err);
	if (code == MS_OK)
		code = build_machines(&command, &machines, &err);
	if (code == MS_OK)
		code = read_cpus(&command, &machines, &cpus, &err);
	if (code == MS_OK)
		code = ms_options_read_pmus(&command.pmus, machines.list, machines.at.n, &pmus,
					    &err);
	if (code == MS_OK)
		code = ms_options_read_sampling(&command.sample, machines.list, machines.at.n,
						pmus.each > 0, &sampling, &samples, &err);
	if (code == MS_OK && command.sample_phases &&
	    (command.sample.ratio == NULL || command.sample.sets != NULL || sampling.head != 0))
		code = ms_fail(&err, MS_EUSAGE,
			       "--sample-phases needs windows; expected --sample 1/10 and no "
			       "--sample-sets");
	if (code == MS_OK)
		code = ms_options_check_misses_only(command.misses_only, samples, pmus.each > 0,
						    &err);
	if (code == MS_OK)
		code = ms_options_check_watch(&command.observed,
					      &(struct ms_options_unwatchable){
						      .is_sampled = samples,
						      .misses_only = command.misses_only,
						      .has_monitor = pmus.each > 0,
						      .is_exact = command.limits.exact_causes,
					      },
					      &err);
	if (code == MS_OK)
		code = replay(&command, words.at.at[0], &machines, &cpus, &pmus,
			      samples ? &sampling : NULL, &err);
	if (code != MS_OK)
		status = ms_cli_fail(&err);
	free_machines(&machines);
	ms_launch_cpus_free(&cpus);
	ms_options_pmus_free(&command.pmus, &pmus);
	ms_options_focus_free(&command.focus);
	ms_options_free_watch(&command.observed);
	ms_vec_free(&command.machines.words);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_replay = {
	.name = "replay",
	.usage = "replay [options] FILE",
	.brief = "simulate a trace of memspy or another tool, on any machine",
	.full = "Reads a trace that 'memspy run --trace FILE' has kept and simulates it as if the "
		"program ran: "
		"the counts are those of the live run. With --machine given several times, all "
		"machines are "
		"simulated in one pass, and each is a run of its own in the database.\n\n"
		"Names come from the program and its libraries as they are now; they should be "
		"those that "
		"were traced.\n\n"
		"A trace of a sampled program has its windows or sets only. It is simulated as it "
		"is, and its figures are estimates as those of the live run; --sample, --error and "
		"--sample-sets are for traces of whole programs.\n\n"
		"Traces of other tools are read, too (--format); '-' is standard input.",
	.examples =
		"memspy run --trace matmul.trace ./matmul\tkeep a trace\n"
		"memspy replay --machine cachegrind matmul.trace\tthe same program on other "
		"caches\n"
		"memspy replay -m host -m dash -m amd-zen3 matmul.trace\tthree machines in one "
		"pass\n"
		"valgrind --tool=lackey --trace-mem=yes --sim-hints=fallback-llsc --log-fd=9 "
		"./program 9>&1 >/dev/null | memspy replay -f lackey -\ta trace of "
		"another tool, through a pipe (lackey needs the hint where atomics are pairs of "
		"instructions)\n",
	.options = { replay_tables, false },
	.run = run_replay,
};
