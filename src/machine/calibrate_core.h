/*
 * machine/calibrate_core.h - measures the figures of this machine's core (core.h) in rounds: each
 * round measures all of them, and the figures are the medians of the rounds.
 */
#ifndef MS_MACHINE_CALIBRATE_CORE_H
#define MS_MACHINE_CALIBRATE_CORE_H

#include <sched.h>
#include <stdbool.h>

#include "machine/machine.h"
#include "machine/quiet.h"

/* What a round measures. NAN: it could not be measured. */
enum ms_machine_quantity {
	MS_QUANTITY_CLOCK,          /* MHz */
	MS_QUANTITY_IPC,            /* instructions per cycle */
	MS_QUANTITY_FLOAT_ADD,      /* cycles of an addition of floating point */
	MS_QUANTITY_FLOAT_MULTIPLY, /* likewise, of a multiplication */
	MS_QUANTITY_MEMORY,         /* cycles of a load from memory: shows how stable rounds are */
	MS_QUANTITY_OUTSTANDING,    /* misses in flight */
	MS_QUANTITY_USABLE,         /* percent of the last level */
	MS_QUANTITY_LAST,           /* cycles of a load that the usable part of it answers */
	MS_QUANTITY_READ,           /* bytes per cycle */
	MS_QUANTITY_WRITE,          /* likewise */
	MS_QUANTITY_COPY,           /* likewise: bytes that are read, and as many written */
	MS_QUANTITY_TOTAL,          /* likewise: read by all processors */
	MS_QUANTITY_DISTANCE,       /* lines */
	MS_QUANTITY_STRIDE,         /* bytes */
	MS_QUANTITY_STREAMS,        /* streams */
	MS_QUANTITY_CROSS,          /* 1: prefetching does not stop at the end of a page */
	MS_QUANTITY_TLB,            /* entries */
	MS_QUANTITY_SECOND,         /* entries */
	MS_QUANTITY_SECOND_LATENCY, /* cycles */
	MS_QUANTITY_WALK,           /* cycles */
	MS_QUANTITY_WALKS,          /* at a time */
	MS_QUANTITY_PEER,           /* cycles of a load that another processor's cache answers */
	MS_QUANTITIES
};

struct ms_machine_round {
	double value[MS_QUANTITIES];
	struct ms_machine_quiet quiet;
};

struct ms_machine_calibrate_options;

enum { MS_CORE_ROUNDS = 3, MS_CORE_ATTEMPTS = 6 };
/* The largest stride in bytes, and the most streams, that rounds try. */
enum { MS_STRIDE_TRIED = 1 << 20, MS_STREAMS_TRIED = 128 };

struct ms_machine_rounds {
	struct ms_machine_round at[MS_CORE_ATTEMPTS];
	unsigned n;     /* rounds that were measured */
	unsigned quiet; /* how many of them were undisturbed */
};

/*
 * Measures rounds until MS_CORE_ROUNDS of them are undisturbed; gives up after so many if none is,
 * else after MS_CORE_ATTEMPTS. bytes: of memory to measure in, `most` of all processors together.
 */
void ms_machine_calibrate_rounds(const struct ms_machine *machine,
				 const struct ms_machine_calibrate_options *options, uint64_t bytes,
				 uint64_t most, const cpu_set_t *processors,
				 struct ms_machine_rounds *rounds);
/*
 * What makes the rounds unusable, in `why` (size bytes): too few that are undisturbed, or medians
 * that differ too much. false: nothing.
 */
bool ms_machine_calibrate_unsteady(const struct ms_machine_rounds *rounds, char *why, size_t size);
/*
 * Sets the figures of the core, `outstanding` and `usable` of levels, and peer-latency from the
 * undisturbed rounds, or from all if there are none. hit: cycles of a hit in the first level.
 */
void ms_machine_calibrate_core(struct ms_machine *machine, const struct ms_machine_rounds *rounds,
			       double hit);

#endif
