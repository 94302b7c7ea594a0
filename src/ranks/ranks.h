/*
 * ranks/ranks.h - merges the databases of the ranks of a job into one run. See
 * docs/design/ranks.md.
 */
#ifndef MS_RANKS_RANKS_H
#define MS_RANKS_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "run/run.h"
#include "store/store.h"

/* --- files.c, jobs.c: the databases in the folder of a job --- */

struct ms_ranks_file {
	const char *path;   /* relative to the folder */
	uint32_t rank;      /* by its name; MS_NONE: the name does not say */
	const char *uid;    /* of the run that is meant; NULL: the database cannot be read */
	const char *damage; /* why */
};

/* Databases of an earlier job with the same number only. */
struct ms_ranks_earlier {
	size_t files;
	uint32_t ranks; /* of the newest of these jobs; 0: not known */
	const char *started;
};

struct ms_ranks_files {
	const char *folder;
	const char *job;                 /* whose ranks are meant */
	MS_VEC(struct ms_ranks_file) at; /* by rank, then by name */
	MS_VEC(const char *) others;     /* other jobs that the folder has */
	struct ms_ranks_earlier earlier;
	struct ms_arena arena;
};

/* job: NULL: the one that was started last. MS_ENOENT if there is none. */
int ms_ranks_find_files(struct ms_ranks_files *files, const char *folder, const char *job,
			struct ms_err *err);
/* Those of some of the ranks that a run is merged from. */
typedef bool ms_ranks_is_wanted(const struct ms_run_rank *rank, const void *arg);
void ms_ranks_list_merged(struct ms_ranks_files *files, const struct ms_run *run,
			  ms_ranks_is_wanted *is_wanted, const void *arg);
void ms_ranks_files_free(struct ms_ranks_files *files);

/* --- rendezvous.c: which rank is the last one --- */

/* When a rank begins: it has not finished, whatever an earlier job of this name has left. */
void ms_ranks_begin(const char *folder, uint32_t rank);
/* The rank is not profiled, and counts as finished. */
void ms_ranks_record_off(const char *folder, uint32_t rank, uint32_t ranks);
bool ms_ranks_is_off(const char *folder, uint32_t rank);
/* A rank has finished: true for one of the ranks, when all have. */
bool ms_ranks_finish(const char *folder, uint32_t rank, uint32_t ranks);
/* Removes what these have written, but for the ranks that are off. */
void ms_ranks_end(const char *folder, uint32_t ranks);

/* --- leaf.c --- */

/* Adds to the run of a rank what it contributes to a merged run: rank_rows, rank_bins, rank_data.
 */
int ms_ranks_make_leaf(struct ms_run *run, const char *file, struct ms_err *err);

/* --- processes.c --- */

/* Merges runs of one database, of the processes of a command; they are numbered in this order. */
int ms_ranks_merge_processes(struct ms_store *store, const int64_t *ids, size_t n,
			     struct ms_run *merged, struct ms_err *err);

/* --- clusters.c --- */

/* Groups the merged ranks by where they spend their time; their features are removed. */
void ms_ranks_cluster(struct ms_run *run);
enum { MS_RANKS_FEATURES = 64 };

/* --- merge.c --- */

struct ms_ranks_options {
	unsigned jobs; /* processes that merge at a time */
	/* This process merges the share of one of several, which have the same folder: */
	uint32_t share;
	uint32_t shares;   /* 0 or 1: all */
	const char *parts; /* folder of intermediate databases; NULL: a temporary one */
	bool checkpoints;  /* ranks of which there is only a checkpoint are added, too */
	bool is_part;      /* ranks without a file are not missing */
};

/* The first part, of one of several processes: intermediate databases of its share. */
int ms_ranks_merge_share(const struct ms_ranks_files *files, const struct ms_ranks_options *options,
			 struct ms_err *err);
/* All: or with `parts` what the shares have left to do. */
int ms_ranks_merge(const struct ms_ranks_files *files, const struct ms_ranks_options *options,
		   struct ms_run *merged, struct ms_err *err);
/* Loads the run of a rank from its database. */
int ms_ranks_load(const struct ms_ranks_files *files, const char *file, const char *uid,
		  struct ms_run *run, struct ms_err *err);

#endif
