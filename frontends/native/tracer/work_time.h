/*
 * work_time.h - the time of a traced thread in C, which the program does not spend natively. Speed
 * probes (sampling/speed_probe.c), which reset it, subtract it from what they measure.
 */
#ifndef MS_NATIVE_TRACER_WORK_TIME_H
#define MS_NATIVE_TRACER_WORK_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "raw_syscall.h"

struct ms_runtime_thread;

struct ms_tracer_work_time {
	/* Of ms_runtime_read_counter(): spent in C; and when the last call of C began, 0: it has
	 * returned. */
	uint64_t ticks, since;
	uint64_t calls; /* of C by a branch or a system call */
	/* Code was translated or linked: the time does not represent the program. */
	bool disturbed;
	bool is_timed; /* a speed probe runs: reading the counter takes longer than most calls */
};

struct ms_tracer_work_time *ms_tracer_get_work_time(struct ms_runtime_thread *t);

static inline uint64_t ms_tracer_count_work_ticks(const struct ms_tracer_work_time *work)
{
	return work->ticks + (work->since != 0 ? ms_runtime_read_counter() - work->since : 0);
}

static inline void ms_tracer_begin_work(struct ms_tracer_work_time *work)
{
	if (!work->is_timed)
		return;
	work->since = ms_runtime_read_counter();
	work->calls++;
}

static inline void ms_tracer_end_work(struct ms_tracer_work_time *work)
{
	work->ticks = ms_tracer_count_work_ticks(work);
	work->since = 0;
}

/* The program would also spend the time from here to ms_tracer_exclude_program_time() natively. */
static inline uint64_t ms_tracer_begin_program_time(const struct ms_tracer_work_time *work)
{
	return work->is_timed ? ms_runtime_read_counter() : 0;
}

static inline void ms_tracer_exclude_program_time(struct ms_tracer_work_time *work, uint64_t since)
{
	if (since != 0)
		work->ticks -= ms_runtime_read_counter() - since;
}

#endif
