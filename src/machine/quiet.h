/*
 * machine/quiet.h - whether a measurement was disturbed: by other tasks on these processors, or by
 * other guests of the same hardware (stolen time).
 */
#ifndef MS_MACHINE_QUIET_H
#define MS_MACHINE_QUIET_H

#include <stdbool.h>
#include <stdint.h>

/* From /proc/stat: ticks of all processors since boot; tasks that could run at this moment. */
struct ms_machine_quiet_state {
	uint64_t stolen;
	uint64_t total;
	uint32_t running;   /* this one included */
	uint64_t preempted; /* involuntary context switches of this thread */
	double seconds;     /* of the monotonic clock */
};

/* proc_root is "/proc" except in tests. What cannot be read is 0. */
struct ms_machine_quiet_state ms_machine_quiet_read(const char *proc_root);

struct ms_machine_quiet {
	double stolen;    /* percent of processor time */
	double others;    /* mean number of other tasks that could run */
	double preempted; /* a second */
	bool quiet;
};

/* The judgement about n states in order of time, n at least 2. */
struct ms_machine_quiet ms_machine_quiet_judge(const struct ms_machine_quiet_state *states,
					       unsigned n);

#endif
