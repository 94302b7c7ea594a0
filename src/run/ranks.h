/*
 * run/ranks.h - a merged run: the sums over the ranks of a job, and how ranks differ; part of
 * run/run.h. The other arrays of a merged run are sums over the ranks whose state is
 * MS_RANK_MERGED. Times are cycles, or nanoseconds of runs sampled on the real machine.
 */
#ifndef MS_RUN_RANKS_H
#define MS_RUN_RANKS_H

#include <stdint.h>

enum ms_run_rank_state {
	MS_RANK_MERGED,
	MS_RANK_APART,      /* its figures cannot be added to those of the others */
	MS_RANK_OFF,        /* it was not to be profiled */
	MS_RANK_INCOMPLETE, /* memspy has ended before the program: there is a checkpoint */
	MS_RANK_MISSING,    /* there is no database */
	MS_RANK_DAMAGED,    /* or none that can be read */
	MS_RANK_STATES,
};

struct ms_run_rank {
	uint32_t rank;
	uint32_t state;      /* enum ms_run_rank_state */
	const char *uid;     /* of its run; NULL: none */
	const char *host;    /* NULL: not known; likewise: */
	const char *program; /* as typed */
	const char *file;    /* its database, in the folder of the job */
	const char *reason;  /* why it is apart, or damaged */
	uint32_t end;        /* enum ms_run_end */
	int exit_status;
	double wall_seconds;
	uint64_t instructions;
	uint64_t references;
	/* Its work: without what its functions of MPI take that poll for other ranks. */
	uint64_t compute;
	uint64_t stall;
	uint64_t waiting;     /* in these */
	uint32_t cluster;     /* MS_NONE: it is in none */
	const char *features; /* of parts of a merge: ranks/clusters.h; NULL in a merged run */
};

/* Stall of code on data over all merged ranks. A rank that has none counts as 0, but is no minimum:
 * `ranks` says how many have some. Of code or data that was combined later, each row stays: whether
 * the same ranks have the most of several is not known. */
struct ms_run_rank_bin {
	uint32_t code;
	uint32_t data;
	uint32_t least_rank; /* the first one of those with the least */
	uint32_t most_rank;
	uint64_t ranks;
	uint64_t sum;
	double squares;
	uint64_t least; /* of those that have some */
	uint64_t most;
};

/* The data with the most stall of a rank. */
enum { MS_RUN_RANK_DATA_MOST = 8 };
struct ms_run_rank_data {
	uint32_t rank;
	uint32_t data;
	uint64_t stall;
};

/* Ranks that spend their time alike. */
enum { MS_RUN_CLUSTERS_MOST = 8 };
struct ms_run_rank_cluster {
	uint32_t representative; /* the rank in the middle, whose run is kept */
	uint64_t ranks;
	uint64_t time;   /* sum over them of compute and stall */
	const char *uid; /* of the representative's run; NULL: it is not kept */
};

#endif
