/*
 * machine/calibrate.h - measures the machine that memspy runs on: latencies here, the figures of
 * the core in calibrate_core.h.
 *
 * Measures: the time of a load that depends on the previous load, for each level that sysfs shows
 *           and for memory, by a random walk through more memory than the previous level holds and
 *           no more than this level holds; in cycles of the current frequency, which a chain of
 *           additions shows.
 * Does not: distinguish levels that do not differ in size, or near and far parts of a shared cache
 *           or of memory.
 */
#ifndef MS_MACHINE_CALIBRATE_H
#define MS_MACHINE_CALIBRATE_H

#include <stdbool.h>

#include "machine/calibrate_core.h"
#include "machine/chase.h"
#include "machine/machine.h"

enum { MS_CALIBRATE_ROUNDS = 9 };

struct ms_machine_spread {
	double least;
	double median;
	double most;
};

/* What was measured for a level, or for memory after the last level. */
struct ms_machine_measurement {
	uint64_t bytes;                  /* of the walk; 0: not measured */
	struct ms_machine_spread ns;     /* per step */
	struct ms_machine_spread cycles; /* likewise */
};

struct ms_machine_calibrate_options {
	const char *sysfs_root; /* "/sys" except in tests */
	double round_seconds;   /* duration of one round */
	uint64_t most_bytes;    /* of memory to use at most; 0: a quarter of what is free */
	const char *preset_dir; /* has the figures that are not measured; NULL: they are assumed */
	bool force;             /* also if the machine is not quiet */
	/* Called after each level and after memory; may be NULL. */
	void (*progress)(const char *level, const struct ms_machine_measurement *measured,
			 void *arg);
	/* Called after each round of measurements of the core; may be NULL. */
	void (*round)(const struct ms_machine_round *round, unsigned number, void *arg);
	void *progress_arg;
};

/*
 * The host's machine with measured figures; on failure *machine needs no free. Fails if the machine
 * is not quiet, unless options->force.
 */
int ms_machine_calibrate(struct ms_machine *machine,
			 const struct ms_machine_calibrate_options *options, struct ms_err *err);

/* Bytes that may be used without harm to other processes. */
uint64_t ms_machine_calibrate_room(void);

/* --- its parts, for tests --- */

/* Sorts the samples. n must not be 0. */
struct ms_machine_spread ms_machine_spread_of(double *samples, size_t n);
/*
 * The size of a walk that level `index` answers, or memory if there is no such level; 0: the level
 * cannot be distinguished from the previous one.
 */
uint64_t ms_machine_calibrate_bytes(const struct ms_machine *machine, size_t index,
				    uint64_t most_bytes);
/*
 * Stores the measurements (one element for each level, one for memory) in the machine: as cycles
 * beyond a hit in the first level, integer, at least 1 and never less than the previous level. The
 * assumed latency of other processors' caches is never less than that of the last level either.
 */
void ms_machine_calibrate_choose(struct ms_machine *machine,
				 const struct ms_machine_measurement *measured, const char *pages);

#endif
