/*
 * perf/execs.h - when a process executed the program that is sampled, and when it executed another.
 *
 * Each processor has its own ring, and the rings are read one after the other. If the process has
 * migrated, its later exec may be read before the first.
 */
#ifndef MS_PERF_EXECS_H
#define MS_PERF_EXECS_H

#include <stdbool.h>
#include <stdint.h>

struct ms_perf_execs {
	bool begun;     /* it has executed the program ... */
	uint64_t first; /* ... at this time */
	uint64_t other; /* and another one at this time; 0: it has not */
};

static inline void ms_perf_execs_record(struct ms_perf_execs *execs, uint64_t time)
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

static inline bool ms_perf_execs_is_other(const struct ms_perf_execs *execs, uint64_t time)
{
	return execs->other != 0 && time >= execs->other;
}

#endif
