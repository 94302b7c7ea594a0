/*
 * cli/options/job.h - a command that a launcher of parallel jobs has started as one of several
 * ranks: the names of its databases, and which ranks are profiled.
 */
#ifndef MS_CLI_OPTIONS_JOB_H
#define MS_CLI_OPTIONS_JOB_H

#include "base/arena.h"
#include "base/err.h"
#include "base/opt.h"
#include "cli/options/report.h"
#include "launch/job.h"
#include "run/run.h"

#define MS_OPTIONS_JOB_FOLDER "memspy.d"
#define MS_OPTIONS_RANK_NAME  "%j/%r.db"

struct ms_options_job {
	const char *ranks; /* NULL: all; likewise: */
	const char *others;
	struct ms_launch_job job;       /* its launcher is NULL: this process is no rank */
	const char *folder;             /* of the databases of all ranks; NULL: no rank */
	const char *merged_db;          /* in which the merged run is kept */
	struct ms_options_report asked; /* of the report that the job shows once ... */
	bool quiet;                     /* ... or does not */
	bool makes_folders;             /* for the database, whose name is made of a pattern */
	struct ms_arena arena;
};

#define MS_OPTIONS_JOB_ROWS(type, field, choices_text, more)                                      \
	{                                                                                         \
		.kind = MS_OPT_TEXT,                                                              \
		.name = "ranks",                                                                  \
		.value = "LIST",                                                                  \
		.offset = offsetof(type, field.ranks),                                            \
		.brief = "of a parallel job profile these ranks (0,16:32/4), as the options say", \
		.full = "Numbers and ranges: 16:32/4 is 16, 20, 24, 28 and 32. --other-ranks "    \
			"says what the others do.",                                               \
	},                                                                                        \
	{                                                                                         \
		.kind = MS_OPT_TEXT, .name = "other-ranks", .value = choices_text,                \
		.offset = offsetof(type, field.others),                                           \
		.brief = "with --ranks: what the other ranks do (default: off)",                  \
		.full = "off: they execute the program without memspy. " more,                    \
	}

/*
 * Chooses the databases: of a rank, report->db becomes its own, and *quiet true, since the job has
 * one report. A name in report->db without % is that of the database of the merged run. A rank that
 * is not profiled executes the program (words, NULL at the end) in place of memspy. *ratio becomes
 * that of windows, where --other-ranks has one; NULL: the command simulates no windows. True: the
 * command has failed; *status is memspy's exit status.
 */
bool ms_options_enter_job(struct ms_options_job *job, struct ms_options_report *report, bool *quiet,
			  const char *const *words, const char **ratio, int *status);
/* Before the program starts, but after all that may fail before: no folder stays empty. */
int ms_options_make_folders(const struct ms_options_job *job,
			    const struct ms_options_report *report, struct ms_err *err);
void ms_options_leave_job(struct ms_options_job *job);

bool ms_options_is_first_rank(const struct ms_options_job *job);
/* Records in a run which rank it is; job NULL: it is none. */
void ms_options_record_rank(const struct ms_options_job *job, struct ms_run *run);

#endif
