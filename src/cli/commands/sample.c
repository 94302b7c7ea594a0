/* cli/commands/sample.c - memspy sample: which data a program waits for, on the real machine. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/measured/measured.h"
#include "base/num.h"
#include "cli/child_runs.h"
#include "cli/commands/commands.h"
#include "cli/executed_program.h"
#include "cli/live_view.h"
#include "cli/load_run.h"
#include "cli/merge_ranks.h"
#include "cli/options/checkpoint.h"
#include "cli/options/focus.h"
#include "cli/options/job.h"
#include "cli/options/machine.h"
#include "cli/options/report.h"
#include "cli/parallel_save.h"
#include "cli/program_end.h"
#include "cli/progress.h"
#include "cli/prune.h"
#include "cli/remarks.h"
#include "cli/wrapper_commands.h"
#include "collect/collect.h"
#include "perf/perf.h"
#include "run/enum_words.h"

struct sample_command {
	struct ms_options_report report;
	struct ms_options_focus focus;
	struct ms_options_job job;
	const char *event;
	const char *pmu_event;
	uint64_t period;
	uint64_t rate;
	double overhead; /* per cent */
	uint64_t min_latency;
	uint64_t buffer;
	uint64_t attach; /* a process; 0: a program is started */
	double duration; /* seconds; 0: until it ends */
	bool start_stopped;
	const char *tag;
	const char *note;
	struct ms_opt_list variables;
	uint64_t db_limit;
	double checkpoint; /* seconds from one to the next; 0: none */
	bool quiet;
	const struct ms_run *run; /* the program's own: executed programs have its origin */
};

#define AT(field) offsetof(struct sample_command, field)
static const struct ms_opt sample_rows[] = {
	{ .kind = MS_OPT_WORD,
	  .letter = 'e',
	  .name = "event",
	  .value = "SOURCE",
	  .offset = AT(event),
	  .choices = "auto|pebs|ibs|spe|timer|page-faults",
	  .brief = "what takes the samples: auto, pebs, ibs, spe, timer, page-faults",
	  .full = "pebs, ibs and spe are the monitors of Intel's, AMD's and Arm's processors: they "
		  "record the address, the latency and the level that answered. timer needs none: "
		  "it stops each "
		  "thread now and then, and attributes the time to the load or store that it "
		  "waits for, or to computing. page-faults records which data is touched first, "
		  "where. "
		  "auto takes the best that works here (memspy doctor lists them)." },
	{ .kind = MS_OPT_NUMBER,
	  .name = "period",
	  .value = "N",
	  .offset = AT(period),
	  .min = 1,
	  .max = 1e12,
	  .brief = "one sample of N events; of a timer, every N nanoseconds",
	  .full = "Without it the period adapts, so that --rate or --overhead is kept." },
	{ .kind = MS_OPT_NUMBER,
	  .name = "rate",
	  .value = "N",
	  .offset = AT(rate),
	  .min = 1,
	  .max = 100000,
	  .brief = "about N samples a second of each thread's processor time" },
	{ .kind = MS_OPT_REAL,
	  .name = "overhead",
	  .value = "PERCENT",
	  .offset = AT(overhead),
	  .min = 0.01,
	  .max = 50,
	  .brief = "time that sampling may take (default: 1)",
	  .full = "A program that runs for less than a second, or makes more than about a million "
		  "calls of malloc and free a second, may take more; the report says how much." },
	{ .kind = MS_OPT_NUMBER,
	  .name = "min-latency",
	  .value = "CYCLES",
	  .offset = AT(min_latency),
	  .min = 1,
	  .max = 65535,
	  .brief = "pebs, spe: sample only loads that wait so long (pebs: default 32)" },
	{ .kind = MS_OPT_TEXT,
	  .name = "pmu-event",
	  .value = "NAME",
	  .offset = AT(pmu_event),
	  .brief = "pebs: another event, by its name in libpfm4's tables" },
	{ .kind = MS_OPT_SIZE,
	  .name = "buffer",
	  .value = "SIZE",
	  .offset = AT(buffer),
	  .min = 4096,
	  .max = 1 << 30,
	  .brief = "the kernel's buffer for samples of one processor (default: 256K)",
	  .full = "A power of two. Samples for which there is no room are lost, and counted." },
	{ .kind = MS_OPT_NUMBER,
	  .letter = 'p',
	  .name = "attach",
	  .value = "PID",
	  .offset = AT(attach),
	  .min = 1,
	  .max = 4194304,
	  .brief = "sample all threads of a process that runs already",
	  .full = "The kernel takes the samples; the program is not touched, and nothing is left "
		  "in "
		  "it. Its variables have their names; its heap is one data structure, as "
		  "allocations were not recorded. It ends with the process, after --duration, or "
		  "with "
		  "Ctrl-C." },
	{ .kind = MS_OPT_NUMBER,
	  .name = "all-threads-of",
	  .value = "PID",
	  .offset = AT(attach),
	  .min = 1,
	  .max = 4194304,
	  .brief = "the same as --attach" },
	{ .kind = MS_OPT_REAL,
	  .name = "duration",
	  .value = "SECONDS",
	  .offset = AT(duration),
	  .min = 0.01,
	  .max = 1e9,
	  .brief = "with --attach: look for so long" },
	MS_OPTIONS_JOB_ROWS(struct sample_command, job, "off", ""),
	MS_OPTIONS_FOCUS_ROWS(struct sample_command, focus),
	{ .kind = MS_OPT_FLAG,
	  .name = "start-stopped",
	  .offset = AT(start_stopped),
	  .brief = "count only from the program's first MEMSPY_START() on (memspy.h)" },
	{ .kind = MS_OPT_TEXT,
	  .name = "tag",
	  .value = "NAME",
	  .offset = AT(tag),
	  .brief = "a name for the run: @NAME finds it" },
	{ .kind = MS_OPT_TEXT,
	  .name = "note",
	  .value = "TEXT",
	  .offset = AT(note),
	  .brief = "a sentence about the run, for memspy runs" },
	{ .kind = MS_OPT_LIST,
	  .name = "keep-env",
	  .value = "NAME",
	  .offset = AT(variables),
	  .brief = "keep this variable of the environment with the run (may be repeated)",
	  .full = "As memspy run has it." },
	{ .kind = MS_OPT_SIZE,
	  .name = "db-limit",
	  .value = "SIZE",
	  .offset = AT(db_limit),
	  .min = 65536,
	  .max = (double)(UINT64_C(1) << 50),
	  .brief = "delete the oldest runs when the run database is larger (default: never)",
	  .full = "As memspy runs prune --limit does: runs with a tag or a note stay." },
	MS_OPTIONS_CHECKPOINT_ROW(struct sample_command, checkpoint),
	{ .kind = MS_OPT_FLAG,
	  .letter = 'q',
	  .name = "quiet",
	  .offset = AT(quiet),
	  .brief = "no report but by --json, --csv, -o; the run is kept" },
	MS_OPTIONS_DB_ROW(struct sample_command, report),
	MS_OPTIONS_RULES_ROW(struct sample_command, report),
	MS_OPTIONS_REPORT_ROWS(struct sample_command, report),
	MS_OPTIONS_OUTPUT_ROW(struct sample_command, report),
	{ .name = NULL },
};
#undef AT
static const struct ms_opt *const sample_tables[] = { sample_rows, NULL };

/* --- the source --- */

static bool works(enum ms_run_source source)
{
	struct ms_perf_request request = { .source = source, .overhead = 0.01 };
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_perf_world world;
	struct ms_perf_state state;

	ms_perf_this_world(&world);
	ms_perf_probe(&world, &request, &state, &arena);
	ms_arena_free(&arena);
	return state.works;
}

/* The best that works; the timer does everywhere, and page faults are another question. */
static enum ms_run_source best_source(void)
{
	for (int i = 0; i < MS_PERF_SOURCES; i++)
		if (ms_perf_sources[i] != MS_RUN_FAULTS && works(ms_perf_sources[i]))
			return ms_perf_sources[i];
	return MS_RUN_TIMER;
}

static enum ms_run_source source_of(const char *word)
{
	for (uint32_t i = 0; word != NULL && i < MS_RUN_SOURCES; i++)
		if (strcmp(word, ms_run_source_word(i)) == 0)
			return (enum ms_run_source)i;
	return best_source();
}

static int read_options(const struct sample_command *command, struct ms_hardware_options *o,
			struct ms_err *err)
{
	if (command->period != 0 && command->rate != 0)
		return ms_fail(err, MS_EUSAGE, "--period and --rate exclude each other");
	if ((command->buffer & (command->buffer - 1)) != 0)
		return ms_fail(err, MS_EUSAGE,
			       "--buffer: found %" PRIu64 ", expected a power of two",
			       command->buffer);
	*o = (struct ms_hardware_options){
		.source = source_of(command->event),
		.event = command->pmu_event,
		.period = command->period,
		.rate = command->rate,
		.overhead = command->overhead / 100,
		.min_latency = command->min_latency,
		.buffer = command->buffer,
	};
	if (o->event != NULL && o->source != MS_RUN_PEBS)
		return ms_fail(err, MS_EUSAGE,
			       "--pmu-event is for --event pebs; the source here is %s",
			       ms_run_source_word(o->source));
	return MS_OK;
}

/* --- the run --- */

/* Explains why there are no or few samples. */
static void warn_few_samples(const struct ms_run *run)
{
	enum { ENOUGH = 100 };                 /* to say what it cost */
	enum { SOME_TIME = 20 * 1000 * 1000 }; /* nanoseconds after which samples are expected */
	const struct ms_run_hardware *h = &run->hardware.at[0];
	uint64_t lost = ms_measured_lost_samples(run);
	char time[MS_NUM_TEXT];

	if (h->samples == 0)
		fprintf(stderr,
			"memspy: there are no samples: the program used %s of processor time; "
			"%s%s\n",
			ms_format_nanoseconds(h->cpu_ns, time),
			h->cpu_ns < SOME_TIME
				? "one that sleeps, or is soon done, has none"
				: "programs that it starts are not sampled, nor is what --period "
				  "or --rate pass over",
			/* For example runtimes without the C library (Go). */
			h->cpu_ns >= SOME_TIME && h->source == MS_RUN_TIMER
				? "; one that handles all signals by raw system calls can be "
				  "sampled with --attach"
				: "");
	else if (lost * 10 > h->samples)
		fprintf(stderr,
			"memspy: %" PRIu64 " of %" PRIu64
			" samples are lost; the report says why\n",
			lost, h->samples);
	if (h->adaptive && h->overhead > 2 * h->wish && h->samples >= ENOUGH)
		fprintf(stderr,
			"memspy: sampling took %.*f%% of the program's time, more than the %.2g%% "
			"of "
			"--overhead: the program is short, or allocates very often\n",
			h->overhead < 0.1 ? 1 : 0, 100 * h->overhead, 100 * h->wish);
}

static void set_words(const struct sample_command *command, struct ms_run *run)
{
	if (command->tag != NULL)
		run->tag = ms_arena_strdup(&run->arena, command->tag);
	if (command->note != NULL)
		run->note = ms_arena_strdup(&run->arena, command->note);
	ms_options_record_rank(&command->job, run);
}

/* The run of an executed program, in a process of its own. */
static int keep_child(struct ms_run *run, void *arg)
{
	const struct sample_command *command = arg;

	set_words(command, run);
	return ms_cli_save_child_run(run, command->run, &command->focus, &command->report);
}

/* meant: the run of another program, which is kept in place of this one; NULL: none. */
static int keep(const struct sample_command *command, bool usable, struct ms_cli_late_close *kept,
		struct ms_run *run, const struct ms_run_child *meant, struct ms_text *messages,
		struct ms_err *err)
{
	bool is_kept = ms_cli_is_program_kept(run, meant);
	struct ms_store *store = kept->store;
	int code = store != NULL ? MS_OK
				 : ms_store_open(&store, command->report.db, MS_STORE_WRITE, err);

	ms_options_apply_focus(&command->focus, &command->report, store, run);
	if (code == MS_OK && is_kept)
		code = ms_store_save(store, run, err);
	if (code == MS_OK)
		code = ms_cli_drop_others(store, run, meant, NULL, messages, err);
	if (code == MS_OK && is_kept)
		code = ms_cli_link_child_runs(store, run, err);
	if (code == MS_OK && command->db_limit > 0)
		code = ms_cli_limit_store(store, command->db_limit, err);
	kept->store = store;
	return usable ? code : MS_OK;
}

static int report(const struct sample_command *command, struct ms_cli_late_close *kept,
		  struct ms_run *run, int saved, struct ms_err *err)
{
	if (command->attach == 0)
		ms_cli_report_end(run);
	warn_few_samples(run);
	/* If the run was not saved, shows it even with --quiet. */
	return ms_cli_print_run(&command->report, command->quiet && saved == MS_OK, kept, run, err);
}

/* The program has only started the one that was meant, whose run is kept already. */
static int report_meant(const struct sample_command *command, const struct ms_run_child *meant,
			const struct ms_run *run, struct ms_err *err)
{
	struct ms_cli_late_close closed = { .store = NULL };
	struct ms_run loaded;

	MS_TRY(ms_cli_load_meant(command->report.db, meant, run, &loaded, err));
	if (meant->is_program)
		ms_cli_print_unfollowed_children(run, &loaded);
	int code = report(command, &closed, &loaded, MS_OK, err);
	ms_run_free(&loaded);
	return code;
}

/* Keeps and shows the run; *status is memspy's own then. early: the database, if it is open. */
static int finish(const struct sample_command *command, bool usable, struct ms_store *early,
		  struct ms_run *run, int *status, struct ms_err *err)
{
	struct ms_cli_late_close kept = { .store = early };
	const struct ms_run_child *found = ms_cli_find_meant(run);
	struct ms_run_child meant = { .id = 0 };
	struct ms_text messages = MS_TEXT_INIT;
	struct ms_err save_err;

	if (found != NULL)
		meant = *found; /* those that are not kept are removed from their list */
	set_words(command, run);
	int saved = keep(command, usable, &kept, run, found, &messages, &save_err);
	if (command->quiet)
		ms_text_clear(&messages);
	ms_cli_print_remarks(&messages);
	ms_cli_print_child_runs(run, false, command->quiet);
	if (found != NULL || saved != MS_OK)
		ms_cli_late_close_end(&kept);
	int code = found != NULL && saved == MS_OK ? report_meant(command, &meant, run, err)
						   : report(command, &kept, run, saved, err);
	ms_cli_late_close_end(&kept);
	if (saved != MS_OK)
		ms_cli_warn(&save_err);
	*status = saved != MS_OK ? MS_CLI_EXIT_OWN : MS_CLI_EXIT_OK;
	return code;
}

/*
 * Figures of the run while it continues: progress for memspy serve only, because the terminal
 * belongs to the program; snapshots; checkpoints.
 */
struct sample_live {
	struct ms_cli_progress_line line;
	struct ms_cli_live_view view;
	struct ms_collect_snapshot snapshot;
	struct ms_options_checkpoint saved;
	struct ms_collect_checkpoint_options checkpoint;
};

/* *live contains pointers to itself; close with ms_serve_live_close(&live->line.live). */
static void open_live(struct sample_live *live, const struct sample_command *command,
		      char *const argv[], const struct ms_hardware_options *hardware, bool usable)
{
	*live = (struct sample_live){
		.line = { .silent = true },
		.view = { &command->focus, &command->report, &live->line.live },
		.saved = { &command->focus, &command->report, command->tag, command->note,
			   &command->job },
	};
	live->snapshot = ms_cli_live_view_snapshot(&live->view);
	live->checkpoint = ms_options_checkpoint_collect(&live->saved, command->checkpoint, usable);
	ms_serve_live_open(&live->line.live, command->report.db, argv,
			   ms_run_source_word(hardware->source), true);
}

static int collect(const struct sample_command *command, struct ms_collect_options *options,
		   bool usable, struct ms_run *run, struct ms_err *err)
{
	struct sample_live live;

	open_live(&live, command, options->launch.argv, options->launch.hardware, usable);
	options->progress = ms_cli_progress_show;
	options->progress_arg = &live.line;
	options->snapshot = &live.snapshot;
	options->checkpoint = live.checkpoint;
	int code = ms_collect_program(options, run, err);
	ms_serve_live_close(&live.line.live);
	return code;
}

static int start(struct sample_command *command, char *const argv[],
		 const struct ms_machine *machine, int *status, struct ms_err *err)
{
	struct ms_hardware_options hardware;
	struct ms_collect_options options = { .launch.argv = argv,
					      .launch.hardware = &hardware,
					      .launch.machine = machine,
					      .launch.start_stopped = command->start_stopped,
					      .keep_variables = command->variables.words.at,
					      .keep_child_arg = command,
					      .launch.frontend_dir = ms_cli_frontends_dir() };
	struct ms_cli_early_save early = { .db = command->report.db };
	struct ms_store *store;
	struct ms_run run;

	MS_TRY(read_options(command, &hardware, err));
	MS_TRY(ms_launch_check_program(argv[0], err));
	MS_TRY(ms_options_make_folders(&command->job, &command->report, err));
	MS_TRY(ms_cli_check_store(&command->report, command->quiet, &store, err));
	bool usable = store != NULL;
	ms_store_close(store);
	options.keep_child = usable ? keep_child : NULL;
	options.ended = usable ? ms_cli_early_save_open : NULL;
	options.counted_arg = &early;
	command->run = &run;
	ms_cli_begin_rank(&command->job);
	int code = collect(command, &options, usable, &run, err);
	store = ms_cli_early_save_end(&early);
	if (code != MS_OK) {
		ms_store_close(store);
		return code;
	}
	code = finish(command, usable, store, &run, status, err);
	ms_cli_end_rank(&command->job, &run, command->tag, command->note);
	if (code == MS_OK && *status == MS_CLI_EXIT_OK)
		*status = ms_cli_end_as(&run);
	ms_run_free(&run);
	return code;
}

/* The same for a running process. */
static int watch(const struct sample_command *command, struct ms_collect_sample_options *options,
		 bool usable, struct ms_run *run, struct ms_err *err)
{
	struct sample_live live;
	struct ms_arena arena = MS_ARENA_INIT;

	open_live(&live, command, ms_collect_process_command(options->pid, &arena),
		  options->hardware, usable);
	options->progress = ms_cli_progress_show;
	options->progress_arg = &live.line;
	options->snapshot = &live.snapshot;
	options->checkpoint = live.checkpoint;
	int code = ms_collect_sample_process(options, run, err);
	ms_serve_live_close(&live.line.live);
	ms_arena_free(&arena);
	return code;
}

static int attach(const struct sample_command *command, const struct ms_machine *machine,
		  int *status, struct ms_err *err)
{
	struct ms_hardware_options hardware;
	struct ms_collect_sample_options options = { .pid = (pid_t)command->attach,
						     .seconds = command->duration,
						     .hardware = &hardware,
						     .machine = machine };
	struct ms_store *store;
	struct ms_run run;

	MS_TRY(read_options(command, &hardware, err));
	MS_TRY(ms_cli_check_store(&command->report, command->quiet, &store, err));
	bool usable = store != NULL;
	ms_store_close(store);
	MS_TRY(watch(command, &options, usable, &run, err));
	int code = finish(command, usable, NULL, &run, status, err);
	ms_run_free(&run);
	return code;
}

static int profile(struct sample_command *command, char *const argv[],
		   const struct ms_machine *machine, int *status, struct ms_err *err)
{
	MS_TRY(ms_cli_check_tag(command->tag, err));
	if (command->attach != 0 && argv[0] != NULL)
		return ms_fail(err, MS_EUSAGE,
			       "unexpected argument '%s': --attach profiles a running process",
			       argv[0]);
	if (command->attach != 0 && command->start_stopped)
		return ms_fail(err, MS_EUSAGE,
			       "--start-stopped is for programs that memspy starts: requests of a "
			       "running process are not seen");
	if (command->attach != 0 && command->variables.words.n > 1)
		return ms_fail(err, MS_EUSAGE,
			       "--keep-env is for programs that memspy starts: the variables of a "
			       "process that runs are its own");
	if (command->attach == 0 && command->duration > 0)
		return ms_fail(err, MS_EUSAGE, "--duration is for --attach");
	return command->attach != 0 ? attach(command, machine, status, err)
				    : start(command, argv, machine, status, err);
}

static int run_sample(int argc, char *const argv[])
{
	struct sample_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS,
					  .overhead = 1,
					  .checkpoint = MS_OPTIONS_CHECKPOINT_SECONDS };
	const struct ms_options_machine usual = { 0 };
	struct ms_words words = { 0 };
	struct ms_machine machine;
	struct ms_err err = { MS_OK, "" };
	int status = MS_CLI_EXIT_OK;

	if (ms_cli_options(&ms_commands_sample, argc, argv, &command, &words, &status))
		return status;
	if (words.at.n == 0 && command.attach == 0) {
		ms_fail(&err, MS_EUSAGE,
			"which program? Usage: memspy sample [options] PROGRAM [ARGS]");
		ms_options_focus_free(&command.focus);
		ms_vec_free(&command.variables.words);
		return ms_cli_fail(&err);
	}
	*ms_vec_add(&words.at) = NULL;
	if (command.attach == 0 && ms_options_enter_job(&command.job, &command.report,
							&command.quiet, words.at.at, NULL, &status))
		return status;
	if (ms_cli_enter_wrapper(argc, argv, words.at.at, &err) != MS_OK)
		return ms_cli_fail(&err);
	ms_cli_outlive(SIGPIPE);
	*ms_vec_add(&command.variables.words) = NULL;
	if (ms_options_read_machine(&usual, &machine, &err) != MS_OK) {
		status = ms_cli_fail(&err);
	} else {
		if (profile(&command, (char *const *)words.at.at, &machine, &status, &err) != MS_OK)
			status = ms_cli_fail(&err);
		ms_machine_free(&machine);
	}
	ms_options_leave_job(&command.job);
	ms_options_focus_free(&command.focus);
	ms_vec_free(&command.variables.words);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_sample = {
	.name = "sample",
	.usage = "sample [options] [--] PROGRAM [ARGS], or sample [options] --attach PID",
	.brief = "run a program at full speed and sample what it waits for",
	.full = "The program runs on the real processor, its caches and its memory, at the speed "
		"that it has; memspy only samples it. The report says which data, "
		"used "
		"in which code, it waits for, each share with its 95% interval; what the source "
		"of "
		"the samples does not record is absent. The run is kept like a simulated one: "
		"memspy "
		"report, show, lines and runs work on it, and memspy compare-sources puts both "
		"side "
		"by side.\n\n"
		"The program's input, output and exit status are its own. It must be dynamically "
		"linked: memspy's runtime, which records what is allocated, is preloaded into "
		"it.\n\n"
		"With the timer, programs that it executes, itself or by a child, are sampled, too "
		"(a shell script, make): the run of the one that costs the most is shown. Forked "
		"children that execute nothing are not.",
	.examples =
		"memspy sample ./program\tby the best source that works here\n"
		"memspy sample --event timer --rate 500 ./program\twithout a monitor\n"
		"memspy sample --event page-faults ./program\twhich code touches which data first\n"
		"memspy sample --attach 4711 --duration 10\ta server, for ten seconds\n"
		"memspy doctor\twhich sources work on this machine\n",
	.options = { sample_tables, true },
	.run = run_sample,
};
