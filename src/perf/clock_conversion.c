/*
 * perf/clock_conversion.c - converts the processor's counter, with which the program's runtime
 * stamps events, to the clock with which perf stamps samples. Both advance at constant rates. Two
 * readings far apart give the line between them, and all converted times are before the last
 * reading.
 */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "perf/perf_priv.h"

enum { TRIES = 5 };

/* Reads both at one moment: of a few attempts, takes the one with the least time in between. */
static void look(uint64_t *counter, uint64_t *time)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		struct timespec t;
		uint64_t before = ms_perf_counter();
		clock_gettime(CLOCK_MONOTONIC_RAW, &t);
		uint64_t between = ms_perf_counter() - before;

		if (between >= least)
			continue;
		least = between;
		*counter = before + between / 2;
		*time = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
	}
}

uint64_t ms_perf_clock_offset(const char *path)
{
	FILE *file = fopen(path, "re");
	char line[100];
	int64_t seconds, nanoseconds, offset = 0;

	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		if (sscanf(line, "monotonic %" SCNd64 " %" SCNd64, &seconds, &nanoseconds) == 2)
			offset = seconds * 1000000000 + nanoseconds;
	if (file != NULL)
		fclose(file);
	return (uint64_t)offset;
}

void ms_perf_clock_start(struct ms_perf_clock *clock)
{
	clock->offset = ms_perf_clock_offset("/proc/self/timens_offsets");
	look(&clock->first_counter, &clock->first_time);
	clock->last_counter = clock->first_counter;
	clock->last_time = clock->first_time;
}

void ms_perf_clock_read(struct ms_perf_clock *clock)
{
	look(&clock->last_counter, &clock->last_time);
}

uint64_t ms_perf_clock_time(const struct ms_perf_clock *clock, uint64_t counter)
{
	double ticks = (double)(int64_t)(clock->last_counter - clock->first_counter);
	double ns = (double)(int64_t)(clock->last_time - clock->first_time);

	if (!(ticks > 0))
		return clock->first_time - clock->offset;
	/* From the nearer end: a double cannot represent all bits of a long distance. */
	double from_last = (double)(int64_t)(counter - clock->last_counter);
	return clock->last_time + (uint64_t)(int64_t)(from_last * (ns / ticks)) - clock->offset;
}
