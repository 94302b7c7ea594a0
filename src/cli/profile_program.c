/* cli/profile_program.c - one program that memspy run profiles, from its start to its report. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/child_runs.h"
#include "cli/commands/commands.h"
#include "cli/executed_program.h"
#include "cli/live_view.h"
#include "cli/merge_ranks.h"
#include "cli/parallel_save.h"
#include "cli/profile_program.h"
#include "cli/program_end.h"
#include "cli/progress.h"
#include "cli/prune.h"
#include "cli/remarks.h"
#include "cli/stack_table.h"

static int keep_child(struct ms_run *run, void *arg)
{
	const struct ms_cli_run_command *command = arg;

	if (command->tag != NULL)
		run->tag = ms_arena_strdup(&run->arena, command->tag);
	if (command->note != NULL && !command->follow_forks)
		run->note = ms_arena_strdup(&run->arena, command->note);
	ms_options_record_rank(&command->job, run);
	return ms_cli_save_child_run(run, command->run, &command->focus, &command->report);
}

enum ms_launch_frontend ms_cli_get_frontend(const struct ms_cli_run_command *command)
{
	const char *name = command->frontend;

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
static void (*choice_printer(const struct ms_cli_run_command *command))(const char *, const char *,
									bool)
{
	if (command->frontend == NULL)
		return command->quiet ? NULL : print_unusual_choice;
	return strcmp(command->frontend, "auto") == 0 ? print_choice : NULL;
}

static int collect(const struct ms_cli_run_command *command, char *const argv[],
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
							: ms_cli_get_frontend(command),
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
		.line_rate = ms_options_find_line_rate(&command->observed),
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

/* Tries again to open a database that could not be opened when the program started; *kept is to be
 * closed. meant: the run of another program, which is kept in place of this one; NULL: none. */
static int keep(const struct ms_cli_run_command *command, bool usable,
		struct ms_cli_early_save *early, struct ms_cli_late_close *kept, struct ms_run *run,
		const struct ms_run_child *meant, struct ms_text *messages, struct ms_err *err)
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
	kept->store = store;
	if (!usable && code == MS_OK)
		fprintf(stderr, "memspy: %s: can be written by now; the run is kept\n",
			command->report.db);
	return usable ? code : MS_OK;
}

static int check_trace(const struct ms_cli_run_command *command, const char *program,
		       struct ms_err *err)
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

static int choose_processors(struct ms_cli_run_command *command, const struct ms_machine *machine,
			     struct ms_err *err)
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
	return ms_options_read_seed(command->seed,
				    command->choice.has_several ? command->choice.several.processors
								: machine->processors,
				    command->choice.why_one, &command->seed, err);
}

/* Messages about the run, and its report. saved: whether it could be saved. */
static int report(const struct ms_cli_run_command *command, struct ms_cli_late_close *kept,
		  struct ms_run *run, int saved, struct ms_err *err)
{
	ms_cli_report_end(run);
	ms_options_warn_pmus(run);
	ms_options_warn_unwatched(&command->observed, run);
	ms_options_warn_sampling(&command->sample, run);
	ms_cli_print_child_runs(run, !command->merge, command->quiet);
	ms_cli_print_child_traces(run, command->trace, command->quiet);
	/* If the run was not saved, shows it even with --quiet; but not of every rank of a job. */
	bool quiet = command->quiet && (saved == MS_OK || command->job.job.launcher != NULL);

	return ms_cli_print_run(&command->report, quiet, kept, run, err);
}

/* The program has only started the one that was meant, whose run is kept already. */
static int report_meant(const struct ms_cli_run_command *command, const struct ms_run_child *meant,
			const struct ms_run *run, struct ms_err *err)
{
	struct ms_cli_late_close closed = { .store = NULL };
	struct ms_run loaded;

	MS_TRY(ms_cli_load_meant(command->report.db, meant, run, &loaded, err));
	ms_cli_print_child_runs(run, !command->merge, command->quiet);
	if (meant->is_program)
		ms_cli_print_unfollowed_children(run, &loaded);
	int code = report(command, &closed, &loaded, MS_OK, err);
	ms_run_free(&loaded);
	return code;
}

/* One report over all processes, whose runs are stored. */
static int report_merged(const struct ms_cli_run_command *command, struct ms_run *run,
			 struct ms_err *err)
{
	struct ms_cli_late_close closed = { .store = NULL };
	struct ms_run merged;

	MS_TRY(ms_cli_merge_children(command->report.db, run, &merged, err));
	ms_cli_report_end(run);
	ms_cli_print_child_runs(run, false, command->quiet);
	int code = ms_cli_print_run(&command->report, command->quiet, &closed, &merged, err);

	ms_run_free(&merged);
	return code;
}

static int finish(const struct ms_cli_run_command *command, bool usable,
		  struct ms_cli_early_save *early, struct ms_run *run, int *status,
		  struct ms_err *err)
{
	const struct ms_run_child *found = ms_cli_find_meant(run);
	struct ms_run_child meant = { .id = 0 };
	struct ms_text messages = MS_TEXT_INIT;
	struct ms_cli_late_close kept = { .store = NULL };
	struct ms_err save_err;

	if (found != NULL)
		meant = *found; /* those that are not kept are removed from their list */
	int saved = keep(command, usable, early, &kept, run, found, &messages, &save_err);

	if (command->quiet)
		ms_text_clear(&messages);
	ms_cli_print_remarks(&messages);
	bool merges = command->merge && saved == MS_OK && run->id != 0 && run->children.n > 0;
	if (merges || found != NULL || saved != MS_OK)
		ms_cli_late_close_end(&kept);
	int code = merges                            ? report_merged(command, run, err)
		   : found != NULL && saved == MS_OK ? report_meant(command, &meant, run, err)
						     : report(command, &kept, run, saved, err);
	ms_cli_late_close_end(&kept);
	if (saved != MS_OK)
		ms_cli_warn(&save_err);
	ms_cli_end_rank(&command->job, run, command->tag, command->note);
	if (saved != MS_OK || run->trace_failure != NULL || run->child_traces_failed > 0)
		*status = MS_CLI_EXIT_OWN;
	else if (code == MS_OK)
		*status = ms_cli_end_as(run);
	return code;
}

int ms_cli_profile_program(struct ms_cli_run_command *command, char *const argv[],
			   const struct ms_machine *machine, int *status, struct ms_err *err)
{
	struct ms_run run;
	struct ms_store *store;
	struct ms_options_splits splits = { .program = argv[0] };
	struct ms_cli_early_save early = { .db = command->report.db };

	MS_TRY(choose_processors(command, machine, err));
	MS_TRY(ms_cli_check_tag(command->tag, err));
	MS_TRY(check_trace(command, argv[0], err));
	MS_TRY(ms_launch_check_program(argv[0], err));
	MS_TRY(ms_options_make_folders(&command->job, &command->report, err));
	MS_TRY(ms_cli_check_store(&command->report, command->quiet, &store, err));
	bool usable = store != NULL;
	bool split =
		ms_options_splits_read(&splits, &command->report, &command->observed.watch, store);
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
