/* config.h - the configuration that memspy passes to the runtime in the environment. */
#ifndef MS_NATIVE_RUNTIME_CONFIG_H
#define MS_NATIVE_RUNTIME_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MS_MOST_GROUPS = 16384 };

struct ms_config {
	int stream_fd, log_fd;
	/* A descriptor of /proc/self/maps that memspy sent, while a stream begins; -1: none. */
	int maps_fd;
	bool idle;           /* no code is traced */
	bool attached;       /* memspy attached to a running program */
	bool quiet;          /* and allocations are not recorded */
	uint64_t sample;     /* mean nanoseconds between samples of a thread; 0: no samples */
	uint64_t wish;       /* millionths of the time that samples may take; 0: no limit */
	uint64_t tell;       /* likewise for recording blocks; 0: all blocks are recorded */
	uint64_t seed;       /* of the random numbers for samples and windows */
	bool split;          /* a lane for each thread from the start */
	bool start_stopped;  /* count from the program's first MEMSPY_START() */
	uint32_t less_cache; /* the code cache is halved this many times */
	uint32_t altstacks;  /* for tests: number of alternate stacks; 0: no limit */
	bool times;          /* events that change memory get a time stamp */
	bool follow;         /* children request a stream at collector[] */
	char collector[108];
	/* Each period of so many references has one window of so many; if the window is as long as
	 * the period, the whole program is one window. 0: no windows. */
	uint64_t period, window;
	uint64_t head; /* references at the start that form the first window; 0: none */
	/* References at the start that are all counted, so that windows open exactly where they
	 * were drawn; and how often the length of the first windows is halved. */
	uint64_t counted;
	/* After so many, counting ends where allocations tell enough (gap.c); 0: never. */
	uint64_t counted_least;
	uint32_t halved;
	bool paced; /* memspy revises the window plan at run time */
	/* Set sampling: one bit for each of `groups` (a power of two) groups of lines, set if its
	 * lines are simulated; 0: all are. */
	uint32_t group_shift, groups;
	uint8_t group_seen[MS_MOST_GROUPS / 8];
};
extern struct ms_config ms_config;

#endif
