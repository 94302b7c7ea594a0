/*
 * engine/windows/window_units.h - windows of the caches of several processors: what each cache, and
 * each unit of coherence, was used for in a window.
 */
#ifndef MS_ENGINE_WINDOWS_WINDOW_UNITS_H
#define MS_ENGINE_WINDOWS_WINDOW_UNITS_H

#include <stdbool.h>
#include <stdint.h>

struct ms_caches_array;
struct ms_count_cell;
struct ms_count_misses;
struct ms_engine_shard;

/* With several processors: the state of one of their caches. */
struct ms_engine_windows_array {
	uint32_t *used; /* by set, then way: the window of the line's last use */
	struct ms_engine_windows_set_use {
		uint32_t window; /* window of the last use */
		uint32_t ways; /* largest number of ways that held lines of that window at the same
				  time */
	} * claims;            /* by set */
};

/* The uses of a unit by up to 64 agents in a window. */
struct ms_engine_windows_unit {
	uint64_t number; /* of the unit and the group of 64 agents */
	uint64_t users;
	uint32_t window;
	bool written; /* by any agent; kept in the entry of the first 64 agents */
};

struct ms_engine_windows_units {
	struct ms_engine_windows_unit
		*at;   /* a hash table; an entry of an earlier window counts as empty */
	uint64_t mask; /* its size - 1 */
	uint64_t n;
	uint32_t window;
};

/* What is known about an access at a level. */
enum ms_engine_windows_certainty {
	MS_ENGINE_WINDOWS_KNOWN_HIT,
	MS_ENGINE_WINDOWS_UNKNOWN_HIT,
	MS_ENGINE_WINDOWS_UNKNOWN_MISS,
	MS_ENGINE_WINDOWS_KNOWN_MISS,
};

/* An access to one line, by one of several processors. */
struct ms_engine_windows_access {
	struct ms_engine_shard *shard;
	struct ms_caches_array **path;
	struct ms_count_cell *cell;
	uint64_t line; /* in units of the first level's lines */
	uint32_t agent;
	bool writes;
};

/* window_processors.c: call these before a line is used, when it misses a level, and after it was
 * used; missed: the number of levels that its reference missed. */
void ms_engine_windows_classify_line(const struct ms_engine_windows_access *a);
void ms_engine_windows_count_miss(struct ms_engine_shard *shard,
				  const struct ms_count_misses *counters, unsigned level,
				  uint32_t record);
void ms_engine_windows_use_line(const struct ms_engine_windows_access *a, unsigned missed);
void ms_engine_windows_close_array(struct ms_caches_array *array);

#endif
