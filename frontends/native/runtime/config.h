/* config.h - the configuration that memspy passes to the runtime in the environment. */
#ifndef MS_NATIVE_RUNTIME_CONFIG_H
#define MS_NATIVE_RUNTIME_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MS_RUNTIME_MAX_SET_GROUPS = 16384 };

struct ms_runtime_config {
	int stream_fd, log_fd;
	/* A descriptor of /proc/self/maps that memspy sent, while a stream begins; -1: none. */
	int maps_fd;
	bool no_tracing;          /* no code is traced */
	bool attached;            /* memspy attached to a running program */
	bool no_allocs;           /* and allocations are not recorded */
	uint64_t sample_interval; /* mean nanoseconds between samples of a thread; 0: no samples */
	uint64_t native_sample_interval; /* likewise between windows, at least; 0: no samples there
					  */
	uint64_t max_overhead_ppm; /* millionths of the time that samples may take; 0: no limit */
	uint64_t max_alloc_overhead_ppm; /* likewise for recording blocks; 0: all blocks are
					    recorded */
	uint64_t seed;                   /* of the random numbers for samples and windows */
	bool lane_per_thread;            /* a lane for each thread from the start ... */
	bool lanes_with_threads;         /* ... from the second thread on */
	bool atomics_twice;              /* an atomic instruction counts as a load and a modify */
	bool start_stopped;              /* count from the program's first MEMSPY_START() */
	uint32_t cache_halvings;         /* the code cache is halved this many times */
	uint32_t max_altstacks;          /* for tests: number of alternate stacks; 0: no limit */
	bool with_times;                 /* events that change memory get a time stamp ... */
	bool wants_times; /* ... from the start of the program: what existed before has no time */
	bool follow_children; /* children request a stream at collector[] */
	/* Only executed programs do; the variables that lead them there, "NAME=VALUE", are added
	 * to their environment. */
	bool follow_execs;
	const char *exec_options, *exec_preload;
	char collector[108];
	/* Each period of so many references has one window of so many; if the window is as long as
	 * the period, the whole program is one window. 0: no windows. */
	uint64_t period, window;
	uint64_t head_refs; /* references at the start that form the first window; 0: none */
	/* References at the start that are all counted, so that windows open exactly where they
	 * were drawn; and how often the length of the first windows is halved. */
	uint64_t counted_refs;
	/* After so many, counting ends where allocations tell enough (between_windows.c); 0: never.
	 */
	uint64_t counted_least;
	uint32_t halved_windows;
	bool plan_may_change; /* memspy revises the window plan at run time */
	/* Set sampling: one bit for each of `groups` (a power of two) groups of lines, set if its
	 * lines are simulated; 0: all are. */
	uint32_t group_shift, set_groups;
	uint8_t sampled_groups[MS_RUNTIME_MAX_SET_GROUPS / 8];
};
extern struct ms_runtime_config ms_runtime_config;

/* Reads the configuration and restores what the program and its children must find; false: there
 * is none, as memspy did not start the program. */
bool ms_runtime_read_environment(char **env);

/* Whether executed programs request a stream. */
static inline bool ms_runtime_follows_execs(void)
{
	return ms_runtime_config.follow_children || ms_runtime_config.follow_execs;
}

/* Whether threads of several simulated processors run one at a time: tracer/time_slices.c. */
static inline bool ms_runtime_takes_turns(void)
{
	return ms_runtime_config.lane_per_thread && ms_runtime_config.period == 0;
}

/* Whether the whole program is one window. */
static inline bool ms_runtime_is_one_window(void)
{
	return ms_runtime_config.window >= ms_runtime_config.period;
}

#endif
