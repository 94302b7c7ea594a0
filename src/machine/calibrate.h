/*
 * machine/calibrate.h - the latencies of the machine that memspy runs on, measured.
 *
 * Measures: the time of a load that waits for the one before it, for each level that sysfs shows
 *           and for memory, by a random walk through as much memory as this level holds and the one
 *           before does not; in cycles of the same moment, as a chain of additions shows them.
 * Does not: levels that are not told apart by their size; near and far parts of a shared cache or
 * of memory; how much of a shared cache other processors, or other guests of the same hardware,
 * leave to this one.
 */
#ifndef MS_MACHINE_CALIBRATE_H
#define MS_MACHINE_CALIBRATE_H

#include "machine/chase.h"
#include "machine/machine.h"

enum { MS_CALIBRATE_ROUNDS = 9 };

struct ms_spread {
	double least;
	double median;
	double most;
};

/* What was measured for a level, or for memory behind the last. */
struct ms_measured {
	uint64_t bytes;          /* of the walk; 0: not measured */
	struct ms_spread ns;     /* a step */
	struct ms_spread cycles; /* likewise */
};

struct ms_calibrate_options {
	const char *sysfs_root; /* "/sys" except in tests */
	double round_seconds;   /* how long one of the rounds takes */
	uint64_t most_bytes;    /* of memory that may be used; 0: a quarter of what is free */
	/* After each level, and after memory; may be NULL. */
	void (*progress)(const char *level, const struct ms_measured *measured, void *arg);
	void *progress_arg;
};

/* The host's machine with measured latencies; on failure *machine needs no free. */
int ms_machine_calibrate(struct ms_machine *machine, const struct ms_calibrate_options *options,
			 struct ms_err *err);

/* Bytes that may be used without harm to others. */
uint64_t ms_calibrate_room(void);

/* --- its parts, for tests --- */

/* Sorts the samples. n must not be 0. */
struct ms_spread ms_spread_of(double *samples, size_t n);
/*
 * How much memory to walk through so that level `index` answers, or memory where there is no such
 * level; 0: it cannot be told from the level before.
 */
uint64_t ms_calibrate_bytes(const struct ms_machine *machine, size_t index, uint64_t most_bytes);
/*
 * Puts what was measured (an element for each level, one for memory) into the machine: as cycles
 * beyond a hit in the first level, whole, at least 1 and never less than the level before; what is
 * assumed of other processors' caches is never less than the last level either.
 */
void ms_calibrate_settle(struct ms_machine *machine, const struct ms_measured *measured,
			 const char *pages);

#endif
