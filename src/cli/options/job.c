#include "cli/options/job.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "launch/options.h"
#include "ranks/ranks.h"

extern char **environ;

/* memspy.d beside the database of the merged run. */
static const char *rank_pattern(struct ms_options_job *job, const char *merged)
{
	const char *slash = strrchr(merged, '/');
	struct ms_text folder = MS_TEXT_INIT;

	/* A percent sign of the folder's own name stands for itself. */
	for (const char *p = merged; slash != NULL && p <= slash; p++)
		ms_text_addf(&folder, *p == '%' ? "%%%%" : "%c", *p);
	const char *pattern = ms_arena_printf(&job->arena, "%s%s/%s", ms_text_get(&folder),
					      MS_OPTIONS_JOB_FOLDER, MS_OPTIONS_RANK_NAME);
	ms_text_free(&folder);
	return pattern;
}

static int expand(struct ms_options_job *job, const char *pattern, size_t n, const char **name,
		  struct ms_err *err)
{
	const char *part = ms_arena_strndup(&job->arena, pattern, n);
	struct ms_text text = MS_TEXT_INIT;
	int code = ms_launch_expand_name(&text, part, &job->job, err);

	*name = ms_arena_strdup(&job->arena, ms_text_get(&text));
	ms_text_free(&text);
	return code;
}

static bool has_rank(const char *pattern)
{
	for (const char *p = pattern; (p = strchr(p, '%')) != NULL; p += 2)
		if (p[1] == 'r' || p[1] == 'p')
			return true;
	return false;
}

/* Whether databases can be made there, before the program runs. */
static int check_folder(const char *db, struct ms_err *err)
{
	const char *slash = strrchr(db, '/');
	struct ms_text folder = MS_TEXT_INIT;

	/* With "/." a file in its place is no folder. */
	ms_text_addf(&folder, "%.*s/.", slash != NULL ? (int)(slash - db) : 1,
		     slash != NULL ? db : ".");
	int code = access(folder.at, W_OK | X_OK) != 0
			   ? ms_fail_errno(err,
					   "%.*s: could not make a folder for the databases of "
					   "ranks here (--db FOLDER/%%j/%%r.db names another)",
					   (int)folder.n - 2, folder.at)
			   : MS_OK;

	ms_text_free(&folder);
	return code;
}

static int choose_databases(struct ms_options_job *job, struct ms_options_report *report,
			    struct ms_err *err)
{
	const char *asked = report->db;
	bool is_pattern = ms_launch_is_pattern(asked);
	const char *pattern = is_pattern ? asked : rank_pattern(job, asked);

	if (!has_rank(pattern))
		return ms_fail(err, MS_EUSAGE,
			       "--db %s: the %u ranks of job %s would write one file; add %%r",
			       asked, job->job.ranks, job->job.id);
	job->merged_db = is_pattern ? MS_OPTIONS_DEFAULT_DB : asked;
	size_t common = ms_launch_common_folder(pattern);
	MS_TRY(expand(job, pattern, strlen(pattern), &report->db, err));
	return expand(job, common > 0 ? pattern : ".", common > 0 ? common : 1, &job->folder, err);
}

int ms_options_make_folders(const struct ms_options_job *job,
			    const struct ms_options_report *report, struct ms_err *err)
{
	if (job->makes_folders)
		ms_cli_make_folders(report->db);
	return job->job.launcher != NULL ? check_folder(report->db, err) : MS_OK;
}

static int choose_files(struct ms_options_job *job, struct ms_options_report *report, bool *quiet,
			struct ms_err *err)
{
	ms_launch_find_job(&job->job, environ, &job->arena);
	if (job->job.launcher == NULL) {
		if (job->ranks != NULL && !*quiet)
			fprintf(stderr, "memspy: --ranks has no effect: no launcher has started "
					"this process as one of several ranks\n");
		if (!ms_launch_is_pattern(report->db))
			return MS_OK;
		job->makes_folders = true;
		return expand(job, report->db, strlen(report->db), &report->db, err);
	}
	job->makes_folders = true;
	job->asked = *report;
	job->quiet = *quiet;
	MS_TRY(choose_databases(job, report, err));
	*quiet = true;
	report->json = report->csv = false;
	report->output = NULL;
	return MS_OK;
}

void ms_options_leave_job(struct ms_options_job *job)
{
	ms_arena_free(&job->arena);
}

/* What --other-ranks says: *ratio is NULL if they are off. */
static int read_others(const struct ms_options_job *job, const char **ratio, struct ms_err *err)
{
	static const char sample[] = "sample:";

	*ratio = NULL;
	if (job->others == NULL || strcmp(job->others, "off") == 0)
		return MS_OK;
	if (strncmp(job->others, sample, strlen(sample)) != 0)
		return ms_fail(err, MS_EUSAGE, "--other-ranks: found '%s', expected off or %sRATIO",
			       job->others, sample);
	*ratio = job->others + strlen(sample);
	return MS_OK;
}

/* *off: the rank is not profiled. */
static int choose_mode(const struct ms_options_job *job, bool *off, const char **ratio,
		       struct ms_err *err)
{
	const char *others;
	bool listed = true;

	*off = false;
	MS_TRY(read_others(job, &others, err));
	if (job->ranks == NULL && job->others != NULL)
		return ms_fail(err, MS_EUSAGE, "--other-ranks %s: other than which? Add --ranks",
			       job->others);
	if (ratio == NULL && others != NULL)
		return ms_fail(err, MS_EUSAGE,
			       "--other-ranks %s: memspy sample simulates no windows; omit it",
			       job->others);
	if (job->ranks != NULL)
		MS_TRY(ms_launch_is_listed_rank(job->ranks, job->job.rank, &listed, err));
	if (listed || job->job.launcher == NULL)
		return MS_OK;
	*off = others == NULL;
	if (others != NULL)
		*ratio = others;
	return MS_OK;
}

static int execute_alone(char *const argv[])
{
	execvp(argv[0], argv);
	int status = errno == ENOENT ? MS_CLI_EXIT_NOENT : MS_CLI_EXIT_NOEXEC;

	fprintf(stderr, "memspy: %s: could not execute it: %s\n", argv[0], strerror(errno));
	return status;
}

/* This rank is not profiled. */
static int leave_out(const struct ms_options_job *job, const struct ms_options_report *report,
		     const char *const *words, int *status, struct ms_err *err)
{
	MS_TRY(ms_launch_check_program(words[0], err));
	MS_TRY(ms_options_make_folders(job, report, err));
	ms_ranks_record_off(job->folder, job->job.rank, job->job.ranks);
	*status = execute_alone((char *const *)words);
	return MS_OK;
}

bool ms_options_enter_job(struct ms_options_job *job, struct ms_options_report *report, bool *quiet,
			  const char *const *words, const char **ratio, int *status)
{
	struct ms_err err;
	bool off = false;
	int code = choose_files(job, report, quiet, &err);

	if (code == MS_OK)
		code = choose_mode(job, &off, ratio, &err);
	if (code == MS_OK && !off)
		return false;
	if (code == MS_OK)
		code = leave_out(job, report, words, status, &err);
	if (code != MS_OK)
		*status = ms_cli_fail(&err);
	ms_options_leave_job(job);
	return true;
}

bool ms_options_is_first_rank(const struct ms_options_job *job)
{
	return job->job.launcher != NULL && job->job.rank == 0 && !job->quiet;
}

void ms_options_record_rank(const struct ms_options_job *job, struct ms_run *run)
{
	if (job == NULL || job->job.launcher == NULL)
		return;
	run->job = ms_arena_strdup(&run->arena, job->job.id);
	run->rank = job->job.rank;
	run->ranks = job->job.ranks;
	run->local_rank = job->job.local_rank;
	run->local_ranks = job->job.local_ranks;
}
