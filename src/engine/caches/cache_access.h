/*
 * engine/caches/cache_access.h - an access of one line in configurable caches, by one or several
 * processors.
 */
#ifndef MS_ENGINE_CACHES_CACHE_ACCESS_H
#define MS_ENGINE_CACHES_CACHE_ACCESS_H

#include "engine/caches/cache_array_update.h"
#include "engine/caches/cache_events.h"
#include "engine/caches/configurable_caches.h"

struct ms_caches_access {
	struct ms_engine_shard *shard;
	struct ms_caches_array **path; /* by level */
	unsigned levels;
	struct ms_count_cell *cell;
	uint64_t line; /* at the first level's line size */
	bool stalls;   /* the program waits for it; else no miss is counted */
	unsigned missed;
	/* By level that missed while the program waited: see struct ms_caches_configurable. */
	uint32_t *old_records;
	bool *covered;
	const struct ms_caches_events *events;

	/* With several processors; unused with one. */
	struct ms_coherence *coherence;
	uint32_t agent;  /* number of the first-level cache */
	uint64_t unit;   /* see coherence.h, also for the byte range in it */
	uint32_t *entry; /* of the directory */
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
