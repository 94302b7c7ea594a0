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
#include "engine/caches/line_records.h"
#include "machine/machine.h"

struct ms_engine_shard;
struct ms_count_bin;
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
	struct ms_coherence *coherence; /* NULL: one processor */
	/*
	 * Called when a level evicts a line, whose address and owner are given. NULL: evictions are
	 * only counted.
	 */
	void (*on_eviction)(void *listener, unsigned level, uint64_t line, uint32_t owner);
	void *listener;
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
unsigned ms_caches_access_line(struct ms_engine_shard *shard, struct ms_count_bin *cell,
			       uint64_t line);

/* --- an access of one line --- */

struct ms_caches_access {
	struct ms_engine_shard *shard;
	struct ms_caches_array **path; /* by level */
	unsigned levels;
	struct ms_count_bin *cell;
	uint64_t line; /* at the first level's line size */
	bool stalls;   /* the program waits for it; else no miss is counted */
	unsigned missed;
	/* By level that missed while the program waited: see struct ms_caches_configurable. */
	uint32_t *old_records;
	bool *covered;

	struct ms_coherence *coherence; /* NULL: one processor, and the fields below are unused */
	uint32_t agent;                 /* number of the first-level cache */
	uint64_t unit;                  /* see coherence.h, also for the byte range in it */
	uint32_t *entry;                /* of the directory */
	uint32_t from;
	uint32_t to;
	uint32_t part; /* offset of the line in the unit ... */
	/* ... and its bytes that are written, a bit each; 0: the bytes from..to. */
	uint64_t written;
	uint64_t object;
	bool peer; /* a cache of another agent had the line, modified */
	/* It missed because of an invalidation (invalidations.h), which the rest describes. */
	bool invalidated;
	bool truly; /* the access touches bytes written since */
	uint32_t writer;
	uint32_t writer_offset;
	uint64_t writer_object;
};

/* The word of a line's record that belongs to a cache. */
MS_INLINE uint32_t *ms_caches_get_record_word(const struct ms_caches_array *array,
					      uint64_t bank_line)
{
	return ms_caches_get_record(array->group->lines, bank_line << array->l1_shift) +
	       array->word;
}

/* The access evicts a line from the level; returns the line's owner. */
uint32_t ms_caches_evict_line(const struct ms_caches_access *a, unsigned k, uint32_t *word);
void ms_caches_load_line(struct ms_caches_access *a);
void ms_caches_store_line(struct ms_caches_access *a);
/*
 * Removes lines of the first level's size, from `line` on, from those caches of the group that are
 * nearer to the processor than the level. invalidation: recorded for them, see coherence.h; 0: the
 * access's data evicts them, which is counted. Returns how many record words were changed.
 */
unsigned ms_caches_remove_lines(const struct ms_caches_access *a, struct ms_caches_group *group,
				unsigned level, uint64_t line, uint64_t lines,
				uint32_t invalidation);

#endif
