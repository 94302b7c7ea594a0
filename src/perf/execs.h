/*
 * perf/execs.h - when a process became the program that is sampled, and when another one.
 *
 * Each processor has a ring of its own, and they are read one after the other: where the process
 * moved, its later exec may be met before the first.
 */
#ifndef MS_PERF_EXECS_H
#define MS_PERF_EXECS_H

#include <stdbool.h>
#include <stdint.h>

struct ms_execs {
	bool begun;     /* it is the program since ... */
	uint64_t first; /* ... this time */
	uint64_t other; /* and another one since this time; 0: it is not */
};

static inline void ms_execs_meet(struct ms_execs *execs, uint64_t time)
{
	uint64_t later = time;

	if (!execs->begun || time < execs->first) {
		later = execs->begun ? execs->first : 0;
		execs->first = time;
		execs->begun = true;
	}
	if (later != 0 && (execs->other == 0 || later < execs->other))
		execs->other = later;
}

static inline bool ms_execs_is_other(const struct ms_execs *execs, uint64_t time)
{
	return execs->other != 0 && time >= execs->other;
}

#endif
