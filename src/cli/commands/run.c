/* cli/commands/run.c - memspy run: profile a program, keep the run, show the report. */
#include <signal.h>
#include <string.h>

#include "base/num.h"
#include "cli/commands/commands.h"
#include "cli/profile_program.h"
#include "cli/program_end.h"
#include "cli/wrapper_commands.h"

static const struct ms_opt run_rows[] = {
	MS_OPTIONS_MACHINE_ROWS(struct ms_cli_run_command, machine),
	MS_OPTIONS_PROCESSOR_ROWS(struct ms_cli_run_command, processors, "auto",
				  MS_OPTIONS_AUTO_PROCESSORS),
	MS_OPTIONS_PMU_ROWS(struct ms_cli_run_command, pmu),
	MS_OPTIONS_SAMPLE_ROWS(struct ms_cli_run_command, sample),
	{ .kind = MS_OPT_WORD,
	  .name = "timer",
	  .value = "WHEN",
	  .offset = offsetof(struct ms_cli_run_command, timer),
	  .choices = "auto|on|off",
	  .brief = "with --sample: timer samples between windows: auto, on, off",
	  .full = "Where a program runs natively between windows, a timer samples it as memspy "
		  "sample does, for at most about 1% of its time: the run has the measured time "
		  "of code and data, and the windows say what causes it. auto, the default: "
		  "wherever it runs natively, which it does if RATIO of --sample is below 1/20, "
		  "and with --sample auto; denser windows have its references counted between "
		  "them instead. on: it runs natively between those, too, and its references are "
		  "estimated. off: no samples. There are none under Valgrind, with --attach, and "
		  "with --sample-sets alone." },
	MS_OPTIONS_JOB_ROWS(struct ms_cli_run_command, job, "off|sample:RATIO",
			    "sample:1/100: as --sample 1/100 does"),
	MS_OPTIONS_FOCUS_ROWS(struct ms_cli_run_command, focus),
	MS_OPTIONS_MISSES_ONLY_ROW(struct ms_cli_run_command, misses_only),
	MS_OPTIONS_OBSERVED_LINES_ROWS(struct ms_cli_run_command, observed),
	MS_OPTIONS_LIMIT_ROWS(struct ms_cli_run_command, limits),
	{ .kind = MS_OPT_NUMBER,
	  .name = "seed",
	  .value = "N",
	  .offset = offsetof(struct ms_cli_run_command, seed),
	  .min = 0,
	  .max = 4294967295.0,
	  .brief = "vary the time slices of threads on several processors (default: 0)",
	  .full = "Threads run in time slices of some thousand instructions, whose lengths a seed "
		  "varies. "
		  "The same seed gives the same time slices, and the same figures, with "
		  "--processors N. With --processors auto the order in which the threads ran "
		  "natively matters, too: two runs with one seed differ." },
	{ .kind = MS_OPT_WORD,
	  .name = "frontend",
	  .value = "NAME",
	  .offset = offsetof(struct ms_cli_run_command, frontend),
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
	  .offset = offsetof(struct ms_cli_run_command, attach),
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
	  .offset = offsetof(struct ms_cli_run_command, duration),
	  .min = 0.01,
	  .max = 1e9,
	  .brief = "with --attach: for so long (default: until it ends, or Ctrl-C)" },
	{ .kind = MS_OPT_NUMBER,
	  .name = "workers",
	  .value = "N",
	  .offset = offsetof(struct ms_cli_run_command, workers),
	  .min = 1,
	  .max = 64,
	  .brief = "threads that simulate (default: as this machine has room)",
	  .full = "The result is the same for any number." },
	{ .kind = MS_OPT_NUMBER,
	  .name = "threads",
	  .value = "N",
	  .offset = offsetof(struct ms_cli_run_command, threads),
	  .min = 1,
	  .max = 100000,
	  .brief = "threads that the program may have at a time (default: 2000)",
	  .full = "Valgrind makes room for them when it starts, 7 KB each; a program that has more "
		  "cannot go on." },
	{ .kind = MS_OPT_LIST,
	  .name = "malloc",
	  .value = "NAME",
	  .offset = offsetof(struct ms_cli_run_command, own[MS_LAUNCH_PRIVATE_MALLOC]),
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
	  .offset = offsetof(struct ms_cli_run_command, own[MS_LAUNCH_PRIVATE_FREE]),
	  .brief = "NAME gives a block of --malloc back (NAME:2: its second argument)",
	  .full = "Without one, blocks live until others take their place or what they lie in is "
		  "freed." },
	{ .kind = MS_OPT_LIST,
	  .name = "realloc",
	  .value = "NAME",
	  .offset = offsetof(struct ms_cli_run_command, own[MS_LAUNCH_PRIVATE_REALLOC]),
	  .brief = "NAME changes a block's size (NAME:2,3: block and size as arguments)" },
	{ .kind = MS_OPT_FLAG,
	  .name = "start-stopped",
	  .offset = offsetof(struct ms_cli_run_command, start_stopped),
	  .brief = "count only from the program's first MEMSPY_START() on (memspy.h)" },
	{ .kind = MS_OPT_FLAG,
	  .name = "follow-forks",
	  .offset = offsetof(struct ms_cli_run_command, follow_forks),
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
	  .offset = offsetof(struct ms_cli_run_command, merge),
	  .brief = "with --follow-forks: one report over all processes, by program",
	  .full = "The runs of all processes are also added up to one, which is shown: data of "
		  "different programs stays apart, functions of a library are one. memspy ranks "
		  "shows the processes and programs." },
	{ .kind = MS_OPT_TEXT,
	  .name = "trace",
	  .value = "FILE",
	  .offset = offsetof(struct ms_cli_run_command, trace),
	  .brief = "also keep every reference in FILE, for memspy replay (of followed "
		   "children in FILE.2 ...)" },
	{ .kind = MS_OPT_SIZE,
	  .name = "trace-limit",
	  .value = "SIZE",
	  .offset = offsetof(struct ms_cli_run_command, trace_limit),
	  .min = 65536,
	  .max = (double)(UINT64_C(1) << 50),
	  .brief = "keep no more than SIZE of it (such as 2G): the beginning" },
	{ .kind = MS_OPT_TEXT,
	  .name = "tag",
	  .value = "NAME",
	  .offset = offsetof(struct ms_cli_run_command, tag),
	  .brief = "a name for the run: @NAME finds it" },
	{ .kind = MS_OPT_TEXT,
	  .name = "note",
	  .value = "TEXT",
	  .offset = offsetof(struct ms_cli_run_command, note),
	  .brief = "a sentence about the run, for memspy runs" },
	{ .kind = MS_OPT_LIST,
	  .name = "keep-env",
	  .value = "NAME",
	  .offset = offsetof(struct ms_cli_run_command, variables),
	  .brief = "keep this variable of the environment with the run (may be repeated)",
	  .full = "NAME may be a pattern. Variables that are known to change what programs do to "
		  "memory are kept in any case: OMP_*, GOMP_*, KMP_*, MALLOC_*, LD_* and the "
		  "like." },
	{ .kind = MS_OPT_SIZE,
	  .name = "db-limit",
	  .value = "SIZE",
	  .offset = offsetof(struct ms_cli_run_command, db_limit),
	  .min = 65536,
	  .max = (double)(UINT64_C(1) << 50),
	  .brief = "delete the oldest runs when the run database is larger (default: never)",
	  .full = "As memspy runs prune --limit does: runs with a tag or a note stay." },
	MS_OPTIONS_CHECKPOINT_ROW(struct ms_cli_run_command, checkpoint),
	{ .kind = MS_OPT_FLAG,
	  .letter = 'q',
	  .name = "quiet",
	  .offset = offsetof(struct ms_cli_run_command, quiet),
	  .brief = "no progress, no report but by --json, --csv, -o; the run is kept" },
	MS_OPTIONS_DB_ROW(struct ms_cli_run_command, report),
	MS_OPTIONS_RULES_ROW(struct ms_cli_run_command, report),
	MS_OPTIONS_REPORT_ROWS(struct ms_cli_run_command, report),
	MS_OPTIONS_OUTPUT_ROW(struct ms_cli_run_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const run_tables[] = { run_rows, NULL };

static int read_own_calls(struct ms_cli_run_command *command, struct ms_err *err)
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

static void free_own_calls(struct ms_cli_run_command *command)
{
	ms_vec_free(&command->variables.words);
	for (unsigned kind = 0; kind < MS_COUNT(command->own); kind++)
		ms_vec_free(&command->own[kind].words);
	ms_vec_free(&command->own_calls);
	ms_arena_free(&command->arena);
}

/* Which program, and what only holds for one that memspy starts, or that runs already. */
static int check_attached(struct ms_cli_run_command *command, struct ms_words *words,
			  struct ms_err *err)
{
	if (command->attach == 0 && command->duration > 0)
		return ms_fail(err, MS_EUSAGE,
			       "--duration %g is for a program that runs already; add --attach PID",
			       command->duration);
	if (command->attach == 0)
		return MS_OK;
	if (ms_cli_get_frontend(command) == MS_LAUNCH_FRONTEND_VALGRIND)
		return ms_fail(err, MS_EUSAGE,
			       "--frontend valgrind: Valgrind cannot attach to a running program; "
			       "omit it, or start the program with memspy run");
	if (command->start_stopped)
		return ms_fail(err, MS_EUSAGE,
			       "--start-stopped: has no effect with --attach, which counts "
			       "from when it attaches; omit it");
	return ms_options_attached_program((pid_t)command->attach, &command->arena, words, err);
}

/* What depends on the machine. */
static int read_settings(struct ms_cli_run_command *command, struct ms_machine *machine,
			 struct ms_err *err)
{
	const struct ms_machine *const machines = machine;
	bool has_monitor;

	command->processors.local_ranks = command->job.job.local_ranks;
	MS_TRY(ms_options_read_processors(&command->processors, machine, err));
	MS_TRY(ms_options_read_cpus(&command->processors, machine->processors, &command->cpus,
				    err));
	MS_TRY(ms_options_read_pmus(&command->pmu, &machines, 1, &command->pmus, err));
	has_monitor = command->pmus.each > 0;
	MS_TRY(ms_options_read_sampling(&command->sample, &machines, 1, has_monitor,
					&command->sampling, &command->samples, err));
	MS_TRY(ms_options_check_misses_only(command->misses_only, command->samples, has_monitor,
					    err));
	return ms_options_check_watch(&command->observed,
				      &(struct ms_options_unwatchable){
					      .is_sampled = command->samples,
					      .misses_only = command->misses_only,
					      .has_monitor = has_monitor,
					      .is_exact = command->limits.exact_causes,
				      },
				      err);
}

static int run_run(int argc, char *const argv[])
{
	struct ms_cli_run_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS,
					      .pmu = MS_OPTIONS_PMU_DEFAULTS,
					      .sample.seed = MS_OPTIONS_NO_SEED,
					      .seed = MS_OPTIONS_NO_SEED,
					      .checkpoint = MS_OPTIONS_CHECKPOINT_SECONDS };
	struct ms_words words = { 0 };
	struct ms_machine machine;
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
	    ms_cli_is_wrapper_entered(ms_cli_get_frontend(&command), words.at.at) &&
	    ms_cli_enter_wrapper(argc, argv, words.at.at, &err) != MS_OK)
		return ms_cli_fail(&err);
	/* A closed pipe of standard output or of the trace does not end the run. */
	ms_cli_outlive(SIGPIPE);
	if (read_own_calls(&command, &err) != MS_OK ||
	    ms_options_read_machine(&command.machine, &machine, &err) != MS_OK) {
		status = ms_cli_fail(&err);
	} else {
		if (read_settings(&command, &machine, &err) != MS_OK ||
		    ms_cli_profile_program(&command, (char *const *)words.at.at, &machine, &status,
					   &err) != MS_OK)
			status = ms_cli_fail(&err);
		ms_machine_free(&machine);
		ms_launch_cpus_free(&command.cpus);
	}
	ms_options_pmus_free(&command.pmu, &command.pmus);
	ms_options_focus_free(&command.focus);
	ms_options_free_watch(&command.observed);
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
