/* cli/commands/run.c - memspy run: profile a program, keep the run, show the report. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "cli/child_runs.h"
#include "cli/commands/commands.h"
#include "cli/executed_program.h"
#include "cli/live_view.h"
#include "cli/merge_ranks.h"
#include "cli/options/attach.h"
#include "cli/options/checkpoint.h"
#include "cli/options/detail_limits.h"
#include "cli/options/focus.h"
#include "cli/options/job.h"
#include "cli/options/machine.h"
#include "cli/options/pmu.h"
#include "cli/options/processors.h"
#include "cli/options/report.h"
#include "cli/options/sampling.h"
#include "cli/parallel_save.h"
#include "cli/program_end.h"
#include "cli/progress.h"
#include "cli/prune.h"
#include "cli/remarks.h"
#include "cli/stack_table.h"
#include "cli/wrapper_commands.h"
#include "collect/collect.h"

struct run_command {
	struct ms_options_machine machine;
	struct ms_options_processors processors;
	bool auto_processors;
	struct ms_options_auto_processors choice;
	struct ms_launch_cpus cpus;
	struct ms_options_pmu pmu;
	struct ms_options_pmus pmus;
	struct ms_options_sampling sample;
	struct ms_stream_sampling sampling;
	bool samples;
	uint64_t seed;
	struct ms_options_report report;
	struct ms_options_focus focus;
	struct ms_options_job job;
	const char *frontend;
	uint64_t attach;
	double duration; /* seconds; 0: until it ends */
	const char *tag;
	const char *note;
	struct ms_opt_list variables;
	uint64_t db_limit;
	double checkpoint;        /* seconds from one to the next; 0: none */
	const struct ms_run *run; /* the program's own: children have its origin */
	const char *trace;
	uint64_t trace_limit;
	uint64_t workers;
	uint64_t threads;
	struct ms_opt_list own[MS_LAUNCH_PRIVATE_KINDS];
	MS_VEC(const char *) own_calls; /* in the form that the front-end reads */
	struct ms_arena arena;
	bool start_stopped;
	const char *timer;
	struct ms_collect_bin_limits limits;
	bool misses_only;
	const char *observed_lines;
	bool follow_forks;
	bool merge;
	bool quiet;
};

static const struct ms_opt run_rows[] = {
	MS_OPTIONS_MACHINE_ROWS(struct run_command, machine),
	MS_OPTIONS_PROCESSOR_ROWS(struct run_command, processors, "auto",
				  MS_OPTIONS_AUTO_PROCESSORS),
	MS_OPTIONS_PMU_ROWS(struct run_command, pmu),
	MS_OPTIONS_SAMPLE_ROWS(struct run_command, sample),
	{ .kind = MS_OPT_WORD,
	  .name = "timer",
	  .value = "WHEN",
	  .offset = offsetof(struct run_command, timer),
	  .choices = "auto|on|off",
	  .brief = "with --sample: timer samples between windows: auto, on, off",
	  .full = "Where a program runs natively between windows, a timer samples it as memspy "
		  "sample does, for at most about 1 % of its time: the run has the measured time "
		  "of code and data, and the windows say what causes it. auto, the default: "
		  "wherever it runs natively, which it does if RATIO of --sample is below 1/20, "
		  "and with --sample auto; denser windows have its references counted between "
		  "them instead. on: it runs natively between those, too, and its references are "
		  "estimated. off: no samples. There are none under Valgrind, with --attach, and "
		  "with --sample-sets alone." },
	MS_OPTIONS_JOB_ROWS(struct run_command, job, "off|sample:RATIO",
			    "sample:1/100: as --sample 1/100 does"),
	MS_OPTIONS_FOCUS_ROWS(struct run_command, focus),
	MS_OPTIONS_MISSES_ONLY_ROW(struct run_command, misses_only),
	MS_OPTIONS_OBSERVED_LINES_ROW(struct run_command, observed_lines),
	MS_OPTIONS_LIMIT_ROWS(struct run_command, limits),
	{ .kind = MS_OPT_NUMBER,
	  .name = "seed",
	  .value = "N",
	  .offset = offsetof(struct run_command, seed),
	  .min = 0,
	  .max = 4294967295.0,
	  .brief = "vary the time slices of threads on several processors (default: 0)",
	  .full = "Threads run in time slices of some thousand instructions, whose lengths a seed "
		  "varies. "
		  "The same seed gives the same time slices, and the same figures." },
	{ .kind = MS_OPT_WORD,
	  .name = "frontend",
	  .value = "NAME",
	  .offset = offsetof(struct run_command, frontend),
	  .choices = "auto|native|valgrind",
	  .brief = "how to follow the program: auto, native, valgrind",
	  .full = "native: in the program's own process, which is preloaded with a tracer; for "
		  "dynamically linked programs. valgrind: under Valgrind, slower, for any program. "
		  "auto, the default: native where it can, Valgrind where it must; Valgrind too "
		  "where --processors asks for several, as only there the time slices of "
		  "threads repeat, but not with --sample. If it chooses Valgrind, it reports why; "
		  "with --frontend auto it reports any choice." },
	{ .kind = MS_OPT_NUMBER,
	  .name = "attach",
	  .value = "PID",
	  .offset = offsetof(struct run_command, attach),
	  .min = 1,
	  .max = 4194304,
	  .brief = "follow a process that runs already, once, and leave it running",
	  .full = "memspy's native front-end is loaded into it (ptrace must be permitted: memspy "
		  "doctor), follows all threads that it has, and leaves it after --duration, at "
		  "Ctrl-C, or when it ends. A process can be attached to once in its life. What it "
		  "had allocated before is <heap, allocated before attach>, and threads that it "
		  "makes meanwhile are not "
		  "followed. With --sample it is slower than natively between windows, too (about "
		  "half as fast), as its references are counted there." },
	{ .kind = MS_OPT_REAL,
	  .name = "duration",
	  .value = "SECONDS",
	  .offset = offsetof(struct run_command, duration),
	  .min = 0.01,
	  .max = 1e9,
	  .brief = "with --attach: for so long (default: until it ends, or Ctrl-C)" },
	{ .kind = MS_OPT_NUMBER,
	  .name = "workers",
	  .value = "N",
	  .offset = offsetof(struct run_command, workers),
	  .min = 1,
	  .max = 64,
	  .brief = "threads that simulate (default: as this machine has room)",
	  .full = "The result is the same for any number." },
	{ .kind = MS_OPT_NUMBER,
	  .name = "threads",
	  .value = "N",
	  .offset = offsetof(struct run_command, threads),
	  .min = 1,
	  .max = 100000,
	  .brief = "threads that the program may have at a time (default: 2000)",
	  .full = "Valgrind makes room for them when it starts, 7 KB each; a program that has more "
		  "cannot go on." },
	{ .kind = MS_OPT_LIST,
	  .name = "malloc",
	  .value = "NAME",
	  .offset = offsetof(struct run_command, own[MS_LAUNCH_PRIVATE_MALLOC]),
	  .brief = "NAME allocates: its blocks are distinguished by call path; repeatable",
	  .full = "A private allocator's function, which returns a block. NAME:2 says that the "
		  "second "
		  "argument is the size (default: the first), NAME:1*2 that the first and the "
		  "second "
		  "are multiplied, NAME=48 that all blocks have 48 bytes. Its blocks may lie in "
		  "memory of "
		  "any kind: an arena, a mapping, a static array. C++ functions have the names "
		  "that nm "
		  "shows, and the object is their first argument. The C library's functions and "
		  "those of "
		  "jemalloc, tcmalloc and mimalloc are known without being named." },
	{ .kind = MS_OPT_LIST,
	  .name = "free",
	  .value = "NAME",
	  .offset = offsetof(struct run_command, own[MS_LAUNCH_PRIVATE_FREE]),
	  .brief = "NAME gives a block of --malloc back (NAME:2: its second argument)",
	  .full = "Without one, blocks live until others take their place or what they lie in is "
		  "freed." },
	{ .kind = MS_OPT_LIST,
	  .name = "realloc",
	  .value = "NAME",
	  .offset = offsetof(struct run_command, own[MS_LAUNCH_PRIVATE_REALLOC]),
	  .brief = "NAME changes a block's size (NAME:2,3: block and size as arguments)" },
	{ .kind = MS_OPT_FLAG,
	  .name = "start-stopped",
	  .offset = offsetof(struct run_command, start_stopped),
	  .brief = "count only from the program's first MEMSPY_START() on (memspy.h)" },
	{ .kind = MS_OPT_FLAG,
	  .name = "follow-forks",
	  .offset = offsetof(struct run_command, follow_forks),
	  .brief = "profile the program's children too: a run each",
	  .full = "Every process that the program forks, and every program that it or they "
		  "execute, is a run of its own, linked to the one it came from. memspy ends when "
		  "the last of them has; Ctrl-C ends the waiting. Its exit status is that of "
		  "the program itself, and so is the report. Children beyond the 64th at a time "
		  "run on unobserved, and are counted. Their traces (--trace FILE) are "
		  "FILE.2, FILE.3 ... in the order in which they come. Without this option "
		  "children run as always, and are not profiled; but if the program only starts "
		  "another one (env, nice, taskset, time, a script), natively that one is "
		  "profiled in its place." },
	{ .kind = MS_OPT_FLAG,
	  .name = "merge",
	  .offset = offsetof(struct run_command, merge),
	  .brief = "with --follow-forks: one report over all processes, by program",
	  .full = "The runs of all processes are also added up to one, which is shown: data of "
		  "different programs stays apart, functions of a library are one. memspy ranks "
		  "shows the processes and programs." },
	{ .kind = MS_OPT_TEXT,
	  .name = "trace",
	  .value = "FILE",
	  .offset = offsetof(struct run_command, trace),
	  .brief = "also keep every reference in FILE, for memspy replay (of followed "
		   "children in FILE.2 ...)" },
	{ .kind = MS_OPT_SIZE,
	  .name = "trace-limit",
	  .value = "SIZE",
	  .offset = offsetof(struct run_command, trace_limit),
	  .min = 65536,
	  .max = (double)(UINT64_C(1) << 50),
	  .brief = "keep no more than SIZE of it (such as 2G): the beginning" },
	{ .kind = MS_OPT_TEXT,
	  .name = "tag",
	  .value = "NAME",
	  .offset = offsetof(struct run_command, tag),
	  .brief = "a name for the run: @NAME finds it" },
	{ .kind = MS_OPT_TEXT,
	  .name = "note",
	  .value = "TEXT",
	  .offset = offsetof(struct run_command, note),
	  .brief = "a sentence about the run, for memspy runs" },
	{ .kind = MS_OPT_LIST,
	  .name = "keep-env",
	  .value = "NAME",
	  .offset = offsetof(struct run_command, variables),
	  .brief = "keep this variable of the environment with the run (may be repeated)",
	  .full = "NAME may be a pattern. Variables that are known to change what programs do to "
		  "memory are kept in any case: OMP_*, GOMP_*, KMP_*, MALLOC_*, LD_* and the "
		  "like." },
	{ .kind = MS_OPT_SIZE,
	  .name = "db-limit",
	  .value = "SIZE",
	  .offset = offsetof(struct run_command, db_limit),
	  .min = 65536,
	  .max = (double)(UINT64_C(1) << 50),
	  .brief = "delete the oldest runs when the run database is larger (default: never)",
	  .full = "As memspy runs prune --limit does: runs with a tag or a note stay." },
	MS_OPTIONS_CHECKPOINT_ROW(struct run_command, checkpoint),
	{ .kind = MS_OPT_FLAG,
	  .letter = 'q',
	  .name = "quiet",
	  .offset = offsetof(struct run_command, quiet),
	  .brief = "no progress, no report but by --json, --csv, -o; the run is kept" },
	MS_OPTIONS_DB_ROW(struct run_command, report),
	MS_OPTIONS_RULES_ROW(struct run_command, report),
	MS_OPTIONS_REPORT_ROWS(struct run_command, report),
	MS_OPTIONS_OUTPUT_ROW(struct run_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const run_tables[] = { run_rows, NULL };

static int read_own_calls(struct run_command *command, struct ms_err *err)
{
	for (unsigned kind = 0; kind < MS_COUNT(command->own); kind++)
		for (size_t i = 0; i < command->own[kind].words.n; i++)
			MS_TRY(ms_launch_private_alloc_option(
				(enum ms_launch_private_alloc_kind)kind,
				command->own[kind].words.at[i], &command->arena,
				ms_vec_add(&command->own_calls), err));
	if (command->own_calls.n > MS_LAUNCH_PRIVATE_MOST)
		return ms_fail(err, MS_EUSAGE,
			       "%zu functions with --malloc, --free and --realloc, expected at "
			       "most %d",
			       command->own_calls.n, MS_LAUNCH_PRIVATE_MOST);
	*ms_vec_add(&command->own_calls) = NULL;
	*ms_vec_add(&command->variables.words) = NULL;
	return MS_OK;
}

static void free_own_calls(struct run_command *command)
{
	ms_vec_free(&command->variables.words);
	for (unsigned kind = 0; kind < MS_COUNT(command->own); kind++)
		ms_vec_free(&command->own[kind].words);
	ms_vec_free(&command->own_calls);
	ms_arena_free(&command->arena);
}

static int keep_child(struct ms_run *run, void *arg)
{
	const struct run_command *command = arg;

	if (command->tag != NULL)
		run->tag = ms_arena_strdup(&run->arena, command->tag);
	if (command->note != NULL && !command->follow_forks)
		run->note = ms_arena_strdup(&run->arena, command->note);
	ms_options_record_rank(&command->job, run);
	return ms_cli_save_child_run(run, command->run, &command->focus, &command->report);
}

static enum ms_launch_frontend frontend_of(const char *name)
{
	if (name == NULL || strcmp(name, "auto") == 0)
		return MS_LAUNCH_FRONTEND_AUTO;
	return strcmp(name, "native") == 0 ? MS_LAUNCH_FRONTEND_NATIVE
					   : MS_LAUNCH_FRONTEND_VALGRIND;
}

static enum ms_launch_timer timer_of(const char *when)
{
	if (when == NULL || strcmp(when, "auto") == 0)
		return MS_LAUNCH_TIMER_AUTO;
	return strcmp(when, "on") == 0 ? MS_LAUNCH_TIMER_ON : MS_LAUNCH_TIMER_OFF;
}

static void print_choice(const char *name, const char *why, bool usual)
{
	(void)usual;
	fprintf(stderr, "memspy: the %s front-end follows the program: %s\n", name, why);
}

static void print_unusual_choice(const char *name, const char *why, bool usual)
{
	if (!usual)
		print_choice(name, why, usual);
}

/* --frontend auto reports its choice always; without the option only an unusual choice is. */
static void (*choice_printer(const struct run_command *command))(const char *, const char *, bool)
{
	if (command->frontend == NULL)
		return command->quiet ? NULL : print_unusual_choice;
	return strcmp(command->frontend, "auto") == 0 ? print_choice : NULL;
}

static int collect(const struct run_command *command, char *const argv[],
		   const struct ms_machine *machine, struct ms_options_splits *splits,
		   struct ms_cli_early_save *early, struct ms_run *run, struct ms_err *err)
{
	struct ms_cli_progress_line line = ms_cli_progress_begin(
		command->quiet && !ms_options_is_first_rank(&command->job), command->samples);
	struct ms_cli_live_view look = { &command->focus, &command->report, &line.live };
	const struct ms_collect_snapshot snapshot = ms_cli_live_view_snapshot(&look);
	struct ms_options_checkpoint checkpoint = { &command->focus, &command->report, command->tag,
						    command->note, &command->job };
	struct ms_cli_stack_table table;

	ms_cli_open_stack_table(&table, argv[0], (pid_t)command->attach);
	struct ms_collect_options options = {
		.launch.argv = argv,
		.snapshot = &snapshot,
		.checkpoint = ms_options_checkpoint_collect(&checkpoint, command->checkpoint,
							    early != NULL),
		.launch.frontend = command->attach != 0 ? MS_LAUNCH_FRONTEND_NATIVE
							: frontend_of(command->frontend),
		.launch.attach = (pid_t)command->attach,
		.launch.duration = command->duration,
		.launch.chosen = choice_printer(command),
		.launch.own_calls = command->own_calls.at,
		.launch.stack_table = table.name,
		.keep_variables = command->variables.words.at,
		.launch.start_stopped = command->start_stopped,
		.launch.follow = command->follow_forks,
		.keep_child = command->follow_forks || early != NULL ? keep_child : NULL,
		.keep_child_arg = (void *)command,
		.waiting = command->quiet ? NULL : ms_cli_print_waiting_for_children,
		.launch.machine = machine,
		.launch.several = command->choice.has_several ? &command->choice.several : NULL,
		.launch.why_one = command->choice.why_one,
		.launch.cpus = command->cpus,
		.pmus = command->pmus.at.at,
		.pmu_count = command->pmus.each,
		.launch.sampling = command->samples ? &command->sampling : NULL,
		.launch.timer = timer_of(command->timer),
		.misses_only = command->misses_only,
		.line_rate = ms_options_find_line_rate(command->observed_lines),
		.limits = command->limits,
		.launch.seed = command->seed,
		.launch.frontend_dir = ms_cli_frontends_dir(),
		.workers = (unsigned)command->workers,
		.launch.threads = (unsigned)command->threads,
		.trace = command->trace,
		.trace_limit = command->trace_limit,
		.progress = ms_cli_progress_show,
		.progress_arg = &line,
		.split = splits != NULL ? ms_options_split : NULL,
		.split_arg = splits,
		.ended = early != NULL ? ms_cli_early_save_open : NULL,
		.counted = early != NULL ? ms_cli_early_save_begin : NULL,
		.counted_arg = early,
	};

	ms_serve_live_open(&line.live, command->report.db, argv, machine->name, false);
	int code = ms_collect_program(&options, run, err);
	ms_serve_live_close(&line.live);
	ms_cli_progress_clear(&line);
	ms_cli_close_stack_table(&table);
	return code;
}

/* Tries again to open a database that could not be opened when the program started. meant: the run
 * of another program, which is kept in place of this one; NULL: none. */
static int keep(const struct run_command *command, bool usable, struct ms_cli_early_save *early,
		struct ms_run *run, const struct ms_run_child *meant, struct ms_text *messages,
		struct ms_err *err)
{
	bool is_kept = ms_cli_is_program_kept(run, meant);
	struct ms_store *store = ms_cli_early_save_end(early);
	int code = store != NULL ? MS_OK
				 : ms_store_open(&store, command->report.db, MS_STORE_WRITE, err);

	/* Counts of what is left out are not kept. */
	bool changed = ms_options_apply_focus(&command->focus, &command->report, store, run);
	if ((changed || !is_kept) && store != NULL)
		ms_store_discard(store);
	if (code == MS_OK && is_kept)
		code = ms_store_save(store, run, err);
	if (code == MS_OK)
		code = ms_cli_drop_others(store, run, meant, command->trace, messages, err);
	if (code == MS_OK && is_kept)
		code = ms_cli_link_child_runs(store, run, err);
	if (code == MS_OK && command->db_limit > 0)
		code = ms_cli_limit_store(store, command->db_limit, err);
	ms_store_close(store);
	if (!usable && code == MS_OK)
		fprintf(stderr, "memspy: %s: can be written by now; the run is kept\n",
			command->report.db);
	return usable ? code : MS_OK;
}

static int check_trace(const struct run_command *command, const char *program, struct ms_err *err)
{
	const char *trace = command->trace;

	if (command->trace_limit != 0 && trace == NULL)
		return ms_fail(err, MS_EUSAGE, "--trace-limit limits a trace; add --trace FILE");
	MS_TRY(ms_options_check_overwrite("--trace", trace, command->report.db, "the run database",
					  err));
	MS_TRY(ms_options_check_overwrite("--trace", trace, command->report.output, "the report",
					  err));
	/* Without a slash it is looked for elsewhere. */
	return ms_options_check_overwrite("--trace", trace,
					  strchr(program, '/') != NULL ? program : NULL,
					  "the program", err);
}

static void choose_processors(struct run_command *command, const struct ms_machine *machine)
{
	const struct ms_options_one_processor features = {
		.is_sampled = command->samples,
		.misses_only = command->misses_only,
		.has_monitor = command->pmus.each > 0,
		.is_attached = command->attach != 0,
	};

	if (command->auto_processors)
		ms_options_choose_processors(&command->processors, machine, &features,
					     &command->choice);
}

/* Which program, and what only holds for one that memspy starts, or that runs already. */
static int check_attached(struct run_command *command, struct ms_words *words, struct ms_err *err)
{
	if (command->attach == 0 && command->duration > 0)
		return ms_fail(err, MS_EUSAGE,
			       "--duration %g is for a program that runs already; add --attach PID",
			       command->duration);
	if (command->attach == 0)
		return MS_OK;
	if (frontend_of(command->frontend) == MS_LAUNCH_FRONTEND_VALGRIND)
		return ms_fail(err, MS_EUSAGE,
			       "--frontend valgrind: Valgrind cannot attach to a running program; "
			       "omit it, or start the program with memspy run");
	if (command->start_stopped)
		return ms_fail(err, MS_EUSAGE,
			       "--start-stopped: has no effect with --attach, which counts "
			       "from when it attaches; omit it");
	return ms_options_attached_program((pid_t)command->attach, &command->arena, words, err);
}

/* Messages about the run, and its report. saved: whether it could be saved. */
static int report(const struct run_command *command, struct ms_run *run, int saved,
		  struct ms_err *err)
{
	ms_cli_report_end(run);
	ms_options_warn_pmus(run);
	ms_options_warn_sampling(&command->sample, run);
	ms_cli_print_child_runs(run, command->quiet);
	ms_cli_print_child_traces(run, command->trace, command->quiet);
	/* If the run was not saved, shows it even with --quiet. */
	return ms_cli_print_run(&command->report, command->quiet && saved == MS_OK, run, err);
}

/* The program has only started the one that was meant, whose run is kept already. */
static int report_meant(const struct run_command *command, const struct ms_run_child *meant,
			const struct ms_run *run, struct ms_err *err)
{
	struct ms_run loaded;

	MS_TRY(ms_cli_load_meant(command->report.db, meant, run, &loaded, err));
	ms_cli_print_child_runs(run, command->quiet);
	int code = report(command, &loaded, MS_OK, err);
	ms_run_free(&loaded);
	return code;
}

/* One report over all processes, whose runs are stored. */
static int report_merged(const struct run_command *command, struct ms_run *run, struct ms_err *err)
{
	struct ms_run merged;

	MS_TRY(ms_cli_merge_children(command->report.db, run, &merged, err));
	ms_cli_report_end(run);
	ms_cli_print_child_runs(run, command->quiet);
	int code = ms_cli_print_run(&command->report, command->quiet, &merged, err);

	ms_run_free(&merged);
	return code;
}

static int finish(const struct run_command *command, bool usable, struct ms_cli_early_save *early,
		  struct ms_run *run, int *status, struct ms_err *err)
{
	const struct ms_run_child *found = ms_cli_find_meant(run);
	struct ms_run_child meant = { .id = 0 };
	struct ms_text messages = MS_TEXT_INIT;
	struct ms_err save_err;

	if (found != NULL)
		meant = *found; /* those that are not kept are removed from their list */
	int saved = keep(command, usable, early, run, found, &messages, &save_err);

	if (command->quiet)
		ms_text_clear(&messages);
	ms_cli_print_remarks(&messages);
	bool merges = command->merge && saved == MS_OK && run->id != 0 && run->children.n > 0;
	int code = merges                            ? report_merged(command, run, err)
		   : found != NULL && saved == MS_OK ? report_meant(command, &meant, run, err)
						     : report(command, run, saved, err);
	if (saved != MS_OK)
		ms_cli_warn(&save_err);
	ms_cli_end_rank(&command->job, command->tag, command->note);
	if (saved != MS_OK || run->trace_failure != NULL || run->child_traces_failed > 0)
		*status = MS_CLI_EXIT_OWN;
	else if (code == MS_OK)
		*status = ms_cli_end_as(run);
	return code;
}

static int profile(struct run_command *command, char *const argv[],
		   const struct ms_machine *machine, int *status, struct ms_err *err)
{
	struct ms_run run;
	struct ms_store *store;
	struct ms_options_splits splits;
	struct ms_cli_early_save early = { .db = command->report.db };

	choose_processors(command, machine);
	MS_TRY(ms_cli_check_tag(command->tag, err));
	MS_TRY(check_trace(command, argv[0], err));
	MS_TRY(ms_launch_check_program(argv[0], err));
	MS_TRY(ms_cli_check_store(&command->report, command->quiet, &store, err));
	bool usable = store != NULL;
	bool split = ms_options_splits_read(&splits, &command->report, store, argv[0]);
	ms_store_close(store);
	if (!command->quiet)
		ms_options_warn_processors(machine);
	ms_options_warn_call_paths(&command->limits, machine,
				   command->samples ? &command->sampling : NULL);
	command->run = &run;
	ms_cli_begin_rank(&command->job);
	int code = collect(command, argv, machine, split ? &splits : NULL, usable ? &early : NULL,
			   &run, err);
	ms_options_splits_free(&splits);
	if (code != MS_OK) {
		ms_store_close(ms_cli_early_save_end(&early));
		return code;
	}
	if (command->tag != NULL)
		run.tag = ms_arena_strdup(&run.arena, command->tag);
	if (command->note != NULL)
		run.note = ms_arena_strdup(&run.arena, command->note);
	ms_options_record_rank(&command->job, &run);
	code = finish(command, usable, &early, &run, status, err);
	ms_run_free(&run);
	return code;
}

static int run_run(int argc, char *const argv[])
{
	struct run_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS,
				       .pmu = MS_OPTIONS_PMU_DEFAULTS,
				       .observed_lines = "auto",
				       .sample.seed = MS_OPTIONS_NO_SEED,
				       .seed = MS_OPTIONS_NO_SEED,
				       .checkpoint = MS_OPTIONS_CHECKPOINT_SECONDS };
	struct ms_words words = { 0 };
	struct ms_machine machine;
	const struct ms_machine *const machines = &machine;
	struct ms_err err = { MS_OK, "" };
	int status = MS_CLI_EXIT_OK;

	if (ms_cli_options(&ms_commands_run, argc, argv, &command, &words, &status))
		return status;
	command.auto_processors = ms_options_take_auto_processors(&command.processors);
	/* In this order: -p ./program lacks the number, not the program. */
	if (ms_options_check_processors(&command.processors, &err) != MS_OK ||
	    check_attached(&command, &words, &err) != MS_OK)
		return ms_cli_fail(&err);
	if (words.at.n == 0) {
		ms_fail(&err, MS_EUSAGE,
			"which program? Usage: memspy run [options] PROGRAM [ARGS]");
		return ms_cli_fail(&err);
	}
	*ms_vec_add(&words.at) = NULL;
	if (command.attach == 0 &&
	    ms_options_enter_job(&command.job, &command.report, &command.quiet, words.at.at,
				 &command.sample.ratio, &status))
		return status;
	/* With --follow-forks, programs that are executed are followed. */
	if (!command.follow_forks && command.attach == 0 &&
	    ms_cli_is_wrapper_entered(frontend_of(command.frontend), words.at.at) &&
	    ms_cli_enter_wrapper(argc, argv, words.at.at, &err) != MS_OK)
		return ms_cli_fail(&err);
	/* A closed pipe of standard output or of the trace does not end the run. */
	ms_cli_outlive(SIGPIPE);
	if (read_own_calls(&command, &err) != MS_OK ||
	    ms_options_read_machine(&command.machine, &machine, &err) != MS_OK) {
		status = ms_cli_fail(&err);
	} else {
		command.processors.local_ranks = command.job.job.local_ranks;
		if (ms_options_read_processors(&command.processors, &machine, &err) != MS_OK ||
		    ms_options_read_cpus(&command.processors, machine.processors, &command.cpus,
					 &err) != MS_OK ||
		    ms_options_read_pmus(&command.pmu, &machines, 1, &command.pmus, &err) !=
			    MS_OK ||
		    ms_options_read_sampling(&command.sample, &machines, 1, command.pmus.each > 0,
					     &command.sampling, &command.samples, &err) != MS_OK ||
		    ms_options_check_misses_only(command.misses_only, command.samples,
						 command.pmus.each > 0, &err) != MS_OK ||
		    ms_options_read_seed(command.seed, machine.processors, &command.seed, &err) !=
			    MS_OK ||
		    profile(&command, (char *const *)words.at.at, &machine, &status, &err) != MS_OK)
			status = ms_cli_fail(&err);
		ms_machine_free(&machine);
		ms_launch_cpus_free(&command.cpus);
	}
	ms_options_pmus_free(&command.pmu, &command.pmus);
	ms_options_focus_free(&command.focus);
	ms_options_leave_job(&command.job);
	free_own_calls(&command);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_run = {
	.name = "run",
	.usage = "run [options] [--] PROGRAM [ARGS]",
	.brief = "profile a program and keep the run",
	.full = "Runs PROGRAM, unmodified, simulates the memory system for each of its references "
		"while it "
		"runs, keeps the result in the run database and shows the report on standard "
		"error; as JSON or CSV on standard output, after what the program has written, or "
		"in the file that -o names. The "
		"program's own input, output and exit status pass through untouched; if a signal "
		"kills it, "
		"what it did until then is kept, and memspy ends by the same signal.\n\n"
		"As a rank of a parallel job (mpirun -n 8 memspy run PROGRAM, srun memspy run "
		"PROGRAM; Open MPI, MPICH, Intel MPI, Slurm, PMIx) it keeps the run in a database "
		"of the rank, memspy.d/JOB/RANK.db beside that of --db; the rank that ends last "
		"merges all (memspy merge) into --db, and shows the report. A "
		"name in --db with %r (rank), %h (host), %j (job) or %p (process) is that of the "
		"ranks' databases.\n\n"
		"Exit status: the program's; 127 when it was not found, 126 when it cannot be run, "
		"125 when "
		"memspy itself failed.",
	.limits = "A natively followed program has signals 61 and 62 as if they were its own, as "
		  "long as it uses the C library's functions. Between windows of --sample, raw "
		  "system calls that bypass the C library (as in Go's runtime) are not "
		  "intercepted: one that sets what signal 61 does ends the sampling, or, if it "
		  "sets the "
		  "default, the program; one that restricts its system calls (seccomp) may end it "
		  "when the next window opens. --frontend valgrind has none of these. How many "
		  "references there are between windows is estimated, from processor time and "
		  "from the blocks that the program allocates; the report has the range.",
	.examples =
		"memspy run ./matmul\ton this machine's own caches\n"
		"memspy run --machine memspy-1992-matmul ./matmul\ton the machine of the 1992 "
		"paper\n"
		"memspy run --processors 4 ./solver\tits threads on four processors of this "
		"machine\n"
		"memspy run --l1 32K,8,64 --ll 8M,16,64 -- gzip -k file\ton two levels of your "
		"own\n"
		"memspy run --sample auto ./solver\tmuch faster: estimates, with intervals\n"
		"memspy run --sample 1/10 --window 8M ./solver\ta tenth of it, in windows for "
		"large caches\n"
		"memspy run -q --tag before ./solver\tjust keep it; later: memspy report @before\n",
	.options = { run_tables, true },
	.run = run_run,
};
