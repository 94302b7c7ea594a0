/* run/run_list.h - summaries of runs: what a list of runs shows, and how it is filtered. */
#ifndef MS_RUN_RUN_LIST_H
#define MS_RUN_RUN_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "run/checkpoint.h"

/* The row of a run in a list. */
struct ms_run_list_entry {
	int64_t id;
	const char *uid;
	const char *tag;           /* NULL when none */
	MS_VEC(const char *) tags; /* further ones */
	const char *note;          /* NULL when none; likewise: */
	const char *build_id;
	const char *git_commit;
	bool git_dirty;
	const char *host;
	uint64_t bytes; /* in the database; 0: not known, an older memspy made it */
	const char *started;
	const char *program;
	MS_VEC(const char *) argv;
	const char *frontend;
	const char *machine;
	uint32_t end; /* enum ms_run_end */
	int exit_status;
	double wall_seconds;
	uint64_t instructions;
	uint64_t references;
	const char *level;     /* name of the first level; NULL when there is none */
	uint64_t level_misses; /* of the first level */
	const char *source;    /* of samples on the real machine; NULL: none. A joined run has a
				  level as well. */
	uint64_t samples;      /* likewise */
	bool sampled;          /* simulated in windows, or some sets: its figures are estimates */
	int64_t parent;        /* 0: none */
	uint32_t relation;     /* enum ms_run_relation */
	struct ms_run_checkpoint checkpoint; /* its system is NULL: none */
};

struct ms_run_list {
	struct ms_arena arena; /* owns all strings */
	MS_VEC(struct ms_run_list_entry) at;
};

void ms_run_list_free(struct ms_run_list *heads);

/* Which runs are selected; NULL: any. */
struct ms_run_filter {
	const char *program; /* a pattern for its name, or for its path if it has a slash */
	const char *tag;     /* likewise patterns: */
	const char *machine;
	const char *host;
	const char *frontend;
	const char *build_id; /* a prefix of it; likewise: */
	const char *commit;
	const char *note;  /* a substring of it, in any case */
	const char *since; /* "2026-11-15", "2026-11-15T10:31", or how long ago: "90m", "12h", "7d",
			      "2w" */
	const char *until;
};

/* Keeps only the runs that match the filter; MS_EUSAGE for an invalid date. */
int ms_run_list_filter(struct ms_run_list *heads, const struct ms_run_filter *filter,
		       struct ms_err *err);

#endif
