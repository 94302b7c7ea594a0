/* cli/commands/merge.c - memspy merge: one run of the ranks of a job. */
#include "cli/commands/commands.h"
#include "cli/merge_ranks.h"

extern char **environ;

struct merge_command {
	struct ms_cli_merge merge;
	uint64_t jobs;
};

#define AT(field) offsetof(struct merge_command, field)
static const struct ms_opt merge_rows[] = {
	{ .kind = MS_OPT_TEXT,
	  .letter = 'o',
	  .name = "db",
	  .value = "FILE",
	  .offset = AT(merge.db),
	  .brief = "the run database that gets the merged run (default: memspy.db)" },
	{ .kind = MS_OPT_TEXT,
	  .name = "job",
	  .value = "ID",
	  .offset = AT(merge.job),
	  .brief = "of several jobs in the folder merge this one (default: the last one)" },
	{ .kind = MS_OPT_NUMBER,
	  .name = "jobs",
	  .value = "N",
	  .offset = AT(jobs),
	  .min = 1,
	  .max = 256,
	  .brief = "processes that merge (default: as many as processors)",
	  .full = "The result is the same for any number. Each holds the sums of what it has "
		  "merged, and one run." },
	{ .kind = MS_OPT_FLAG,
	  .name = "checkpoints",
	  .offset = AT(merge.checkpoints),
	  .brief = "add ranks of which there is only a checkpoint, with what that has",
	  .full = "Of a job that was killed. Ranks may have been saved at different times." },
	{ .kind = MS_OPT_TEXT,
	  .name = "tag",
	  .value = "NAME",
	  .offset = AT(merge.tag),
	  .brief = "a name for the merged run (default: that of the ranks' runs)" },
	{ .kind = MS_OPT_TEXT,
	  .name = "note",
	  .value = "TEXT",
	  .offset = AT(merge.note),
	  .brief = "a sentence about the merged run" },
	{ .kind = MS_OPT_FLAG,
	  .letter = 'q',
	  .name = "quiet",
	  .offset = AT(merge.quiet),
	  .brief = "no message about what was merged" },
	{ .name = NULL },
};
#undef AT
static const struct ms_opt *const merge_tables[] = { merge_rows, NULL };

/* srun memspy merge: each process merges a share, the last one what they have made. */
static void take_share(struct merge_command *command, struct ms_arena *arena)
{
	struct ms_launch_job job;

	ms_launch_find_job(&job, environ, arena);
	if (job.launcher == NULL || job.ranks == 0)
		return;
	command->merge.share = job.rank;
	command->merge.shares = job.ranks;
	command->merge.parts =
		ms_arena_printf(arena, "%s/.merge-%s", command->merge.folder, job.id);
	ms_ranks_begin(command->merge.parts, job.rank);
}

static int merge(struct merge_command *command, const struct ms_words *words,
		 struct ms_arena *arena, struct ms_err *err)
{
	struct ms_run run;
	bool is_last;

	if (words->at.n != 1)
		return ms_fail(err, MS_EUSAGE, "%zu folders, expected memspy merge FOLDER",
			       words->at.n);
	MS_TRY(ms_cli_check_tag(command->merge.tag, err));
	command->merge.folder = words->at.at[0];
	command->merge.jobs = (unsigned)command->jobs;
	take_share(command, arena);
	MS_TRY(ms_cli_merge_ranks(&command->merge, &run, &is_last, err));
	if (!is_last)
		return MS_OK;
	if (!command->merge.quiet)
		ms_cli_print_merged(&command->merge, &run);
	ms_run_free(&run);
	return MS_OK;
}

static int run_merge(int argc, char *const argv[])
{
	struct merge_command command = { .merge.db = MS_OPTIONS_DEFAULT_DB };
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	if (!ms_cli_options(&ms_commands_merge, argc, argv, &command, &words, &status) &&
	    merge(&command, &words, &arena, &err) != MS_OK)
		status = ms_cli_fail(&err);
	ms_vec_free(&words.at);
	ms_arena_free(&arena);
	return status;
}

const struct ms_cli_command ms_commands_merge = {
	.name = "merge",
	.usage = "merge [options] FOLDER",
	.brief = "merge the runs of a parallel job's ranks into one",
	.full = "FOLDER is that of a job, memspy.d/JOB, with a database for each rank. The merged "
		"run has the sums over all ranks, and of code and data the least and the most "
		"with their ranks and the deviation (memspy ranks). Ranks that spend their time "
		"alike form up to eight clusters; of each, the run of the rank in the middle is "
		"kept as a whole, too. A rank without a complete database is named and left out; "
		"--checkpoints adds what was saved of it. "
		"The last rank of a job that ends does this by itself; it is needed where a rank "
		"did not end.\n\n"
		"Started by a launcher (srun memspy merge FOLDER), each process merges a share.",
	.limits = "Timelines, threads, contents of caches and shared lines are in the ranks' own "
		  "runs "
		  "only; reports show them with --rank N.",
	.examples = "memspy merge memspy.d/1163591681\tafter a job that was killed\n"
		    "srun -n 8 memspy merge memspy.d/77.0\tin eight processes\n",
	.options = { merge_tables, false },
	.run = run_merge,
};
