/* collect/snapshot.h - snapshots of a run whose program has not ended. */
#ifndef MS_COLLECT_SNAPSHOT_H
#define MS_COLLECT_SNAPSHOT_H

#include <stdint.h>
#include <sys/types.h>

#include "collect/collect.h"

struct ms_collect_state;

struct ms_collect_snapshots {
	const struct ms_collect_snapshot *options; /* NULL: no snapshots are taken */
	pid_t pid;                                 /* of the forked copy that runs now; 0: none */
	double next;                               /* the earliest time of the next snapshot */
	double used;                               /* processor time of all copies */
	uint64_t before; /* processor time that the program had used when sampling began, in ns */
};

/* Takes a snapshot of the counts so far if one is wanted. */
void ms_collect_snapshot_if_wanted(struct ms_collect_state *collector, pid_t program,
				   double started);
/* In a forked copy: reads what the kernel counts for a sampled program. */
void ms_collect_snapshot_count(struct ms_collect_state *collector, pid_t program);
/* Ends the snapshots; returns the processor time that they took. */
double ms_collect_snapshot_finish(struct ms_collect_state *collector);

/* forked_copy.c: prepares a copy of the collector: it ends with the collector and prints nothing.
 */
void ms_collect_copy_begin(pid_t collector);
/* Processor time that a copy used. */
struct rusage;
double ms_collect_copy_seconds(const struct rusage *used);

#endif
