/* cli/merge_ranks.h - keeps the merged run of a job: memspy merge, and the last rank of a job. */
#ifndef MS_CLI_MERGE_RANKS_H
#define MS_CLI_MERGE_RANKS_H

#include "cli/options/job.h"
#include "ranks/ranks.h"
#include "run/run.h"

struct ms_cli_merge {
	const char *folder;
	const char *job; /* NULL: that of the first database */
	const char *db;  /* in which the merged run is kept */
	const char *tag; /* NULL: that of the ranks; likewise: */
	const char *note;
	unsigned jobs;    /* 0: as many as processors */
	bool quiet;       /* says nothing about other jobs in the folder */
	bool checkpoints; /* of ranks of which there is nothing else, too */
	/* One of several processes that merge: */
	uint32_t share;
	uint32_t shares; /* 0: it is the only one */
	const char *parts;
};

/*
 * Merges, and stores the merged run and the runs that represent its clusters, unless they are
 * stored already. *run is the merged one. *is_last: false if other processes have not finished
 * their shares: then there is no run.
 */
int ms_cli_merge_ranks(const struct ms_cli_merge *merge, struct ms_run *run, bool *is_last,
		       struct ms_err *err);
/* Which ranks were merged, and which were not and why. */
void ms_cli_print_merged(const struct ms_cli_merge *merge, const struct ms_run *run);

/* Begins and ends a rank; the one that ends last merges all, and shows the job's report. A rank
 * that fails says how to merge what the launcher leaves of the others. */
void ms_cli_begin_rank(const struct ms_options_job *job);
void ms_cli_end_rank(const struct ms_options_job *job, const struct ms_run *run, const char *tag,
		     const char *note);

#endif
