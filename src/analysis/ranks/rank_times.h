/*
 * analysis/ranks/rank_times.h - how the ranks of a merged run differ. A job ends with its slowest
 * rank, so what counts is by how much the most exceeds the mean.
 */
#ifndef MS_ANALYSIS_RANKS_RANK_TIMES_H
#define MS_ANALYSIS_RANKS_RANK_TIMES_H

#include "base/vec.h"
#include "run/run.h"

/* Times over ranks; ranks without any count as 0. */
struct ms_rank_times_spread {
	uint64_t sum;
	double mean;
	double deviation; /* standard deviation */
	uint64_t least;
	uint64_t most;
	uint32_t least_rank;
	uint32_t most_rank;
	double excess; /* the most less the mean */
};

/* Code on data, or one data or code altogether. */
struct ms_rank_times_entry {
	uint32_t code; /* MS_NONE: any */
	uint32_t data;
	struct ms_rank_times_spread stall;
};

/* All processes of one program, by its name without folder. */
struct ms_rank_times_program {
	const char *name;
	uint64_t processes;
	uint64_t compute;
	uint64_t stall;
};

struct ms_rank_times {
	const struct ms_run *run;
	uint64_t merged; /* ranks */
	uint64_t nodes;
	struct ms_rank_times_spread time;              /* compute and stall */
	MS_VEC(uint32_t) order;                        /* of merged rows: the slowest first */
	MS_VEC(struct ms_rank_times_program) programs; /* the one with the most time first */
	MS_VEC(struct ms_rank_times_entry) bins;       /* the largest excess first */
};

void ms_rank_times_make(struct ms_rank_times *times, const struct ms_run *run);
void ms_rank_times_free(struct ms_rank_times *times);
/* Time of a rank. */
uint64_t ms_rank_times_of(const struct ms_run_rank *rank);

#endif
