/*
 * engine/caches/configurable_caches.h - caches with any policy: replacement other than LRU,
 * write-through or write-around, inclusive and exclusive levels, prefetchers, several processors.
 * docs/formats/machine.md has the rules.
 *
 * A machine of one processor with LRU write-back levels does not use this; `configurable` of a
 * shard is NULL then.
 *
 * Adjacent levels whose caches serve the same processors share one table of records
 * (line_records.h): such caches are a group. With one processor all levels are one group. Otherwise
 * there are groups of the private levels of a processor, of levels that some processors share, and
 * of levels that all share.
 */
#ifndef MS_ENGINE_CACHES_CONFIGURABLE_CACHES_H
#define MS_ENGINE_CACHES_CONFIGURABLE_CACHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/caches/cache_array.h"
#include "engine/caches/cache_events.h"
#include "engine/caches/line_records.h"
#include "machine/machine.h"

struct ms_engine_shard;
struct ms_count_cell;
struct ms_coherence;

struct ms_caches_group {
	struct ms_caches_line_records *lines;      /* the records: a word for each of its caches */
	struct ms_caches_line_records own_records; /* used unless it shares another table */
	unsigned kind;
	unsigned number; /* index among the groups of its kind */
	unsigned first;  /* level of its first cache */
	unsigned n;
	struct ms_caches_array arrays[];
};

/* All groups of the same levels. */
struct ms_caches_group_kind {
	unsigned first;
	unsigned levels;
	uint32_t processors; /* number of processors that a group serves */
	uint32_t count;
	struct ms_caches_group **at; /* NULL: none of its processors has accessed memory */
};

struct ms_caches_configurable {
	struct ms_machine machine; /* its levels are a copy */
	unsigned levels;
	unsigned group_kinds;
	struct ms_caches_group_kind *kind;
	struct ms_caches_array **
		*path; /* by group of the first kind: the caches from the processor to memory */
	bool repeats_are_hits; /* for the first level: see l1_filter.c ... */
	bool pairs_are_hits;   /* ... and processor_filter.c */
	uint32_t *old_records; /* scratch of one access, by level: the record of a missed line
				  before the miss */
	bool *covered; /* ... whether the prefetcher would have loaded the line before ... */
	/*
	 * ... and for an invalidated line, whether none of the bytes that the access touches was
	 * written.
	 */
	bool *falsely;
	const struct ms_caches_events *events; /* the consumer of its events */
	struct ms_coherence *coherence;        /* of variants with several processors */
};

bool ms_caches_needs_configurable(const struct ms_machine *machine);
/*
 * Whether all levels are LRU and write back. A machine with several processors needs configurable
 * caches nevertheless.
 */
bool ms_caches_is_lru_write_back(const struct ms_machine *machine);
/* A prefetcher must observe every miss, in order. */
bool ms_caches_needs_one_shard(const struct ms_machine *machine);
struct ms_caches_configurable *ms_caches_open_configurable(const struct ms_machine *machine,
							   struct ms_caches_line_records *lines);
void ms_caches_close_configurable(struct ms_caches_configurable *configurable);
struct ms_caches_array **ms_caches_open_path(struct ms_caches_configurable *configurable,
					     uint32_t agent);

/* The caches, by level, that the first-level cache with this number uses. */
MS_INLINE struct ms_caches_array **ms_caches_get_path(struct ms_caches_configurable *configurable,
						      uint32_t agent)
{
	if (MS_UNLIKELY(configurable->path[agent] == NULL))
		return ms_caches_open_path(configurable, agent);
	return configurable->path[agent];
}

uint64_t ms_caches_measure_configurable(const struct ms_caches_configurable *configurable);
/* Bytes of records that groups own; ms_caches_measure_configurable() does not include them. */
uint64_t ms_caches_measure_records(const struct ms_caches_configurable *configurable);

/*
 * For one processor: accesses a line in all levels. Returns how many levels, from the first, missed
 * it while the program waited. Their results are in old_records and covered.
 */
unsigned ms_caches_access_line(struct ms_engine_shard *shard, struct ms_count_cell *cell,
			       uint64_t line);

#endif
