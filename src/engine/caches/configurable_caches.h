/*
 * engine/caches/configurable_caches.h - machines that are not plain: other replacement than LRU,
 * writing through or around, inclusive and exclusive levels, prefetchers, several processors.
 * docs/formats/machine.md has the rules.
 *
 * A plain machine of one processor never comes here; a shard's `general` is NULL then.
 *
 * Neighbouring levels whose caches serve the same processors have one table of records
 * (line_records.h) for all of them: such caches are a nest. With one processor all levels are one
 * nest; else those that are one processor's, then those of some processors, then what all share.
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
struct ms_filter_pending_list;
struct ms_pmu_monitor;

struct ms_caches_group {
	struct ms_caches_line_records *lines;      /* the records: a word for each of its banks */
	struct ms_caches_line_records own_records; /* where those are its own */
	unsigned kind;
	unsigned number; /* of its kind */
	unsigned first;  /* the level of its first bank */
	unsigned n;
	struct ms_caches_array arrays[];
};

/* All nests of the same levels. */
struct ms_caches_group_kind {
	unsigned first;
	unsigned levels;
	uint32_t processors; /* that one serves */
	uint32_t count;
	struct ms_caches_group **at; /* NULL: none of its processors has done anything */
};

struct ms_caches_configurable {
	struct ms_machine machine; /* its levels are an own copy */
	unsigned levels;
	unsigned group_kinds;
	struct ms_caches_group_kind *kind;
	struct ms_caches_array **
		*path;         /* by nest of the first kind: the banks on the way to memory */
	bool repeats_are_hits; /* of the first level: see l1_filter.c ... */
	bool pairs_are_hits;   /* ... and processor_filter.c */
	uint32_t *
		old_records; /* scratch of one access, by level: what a missed line's record said */
	bool *covered;       /* ... whether the prefetcher would have been there before ... */
	bool *falsely; /* ... and of a line that was invalidated, whether nothing was written that
			  the access touches */
	struct ms_coherence *coherence; /* NULL: one processor */
	struct ms_pmu_monitor *monitor; /* NULL: nobody watches */
};

bool ms_caches_needs_configurable(const struct ms_machine *machine);
/* All levels are: whoever has several processors needs it nevertheless. */
bool ms_caches_is_lru_write_back(const struct ms_machine *machine);
/* A prefetcher must see every miss, in order. */
bool ms_caches_needs_one_shard(const struct ms_machine *machine);
struct ms_caches_configurable *ms_caches_open_configurable(const struct ms_machine *machine,
							   struct ms_caches_line_records *lines);
void ms_caches_close_configurable(struct ms_caches_configurable *configurable);
struct ms_caches_array **ms_caches_open_path(struct ms_caches_configurable *configurable,
					     uint32_t agent);

/* The banks, by level, that the first level's cache of this number leads to. */
MS_INLINE struct ms_caches_array **ms_caches_get_path(struct ms_caches_configurable *configurable,
						      uint32_t agent)
{
	if (MS_UNLIKELY(configurable->path[agent] == NULL))
		return ms_caches_open_path(configurable, agent);
	return configurable->path[agent];
}

uint64_t ms_caches_measure_configurable(const struct ms_caches_configurable *configurable);
/* Not among these: the records that nests have of their own. */
uint64_t ms_caches_measure_records(const struct ms_caches_configurable *configurable);

/* One processor: a line, through the levels; returns how many, from the first, missed it while the
 * program waited. What it met there: old, covered. */
unsigned ms_caches_access_line(struct ms_engine_shard *shard, struct ms_count_bin *cell,
			       uint64_t line);
/* What ms_engine_simulate_batch() is for plain machines. */
void ms_caches_simulate_configurable(struct ms_engine_shard *shard, unsigned batch_index,
				     const struct ms_filter_pending_list *share);

/* --- an access of one line --- */

struct ms_caches_access {
	struct ms_engine_shard *shard;
	struct ms_caches_array **path; /* by level */
	unsigned levels;
	struct ms_count_bin *cell;
	uint64_t line; /* of the first level */
	bool stalls;   /* the program does; else no miss is counted */
	unsigned missed;
	uint32_t *old_records; /* by level that was missed while somebody waited: see struct
				  ms_caches_configurable */
	bool *covered;

	struct ms_coherence
		*coherence; /* NULL: there is one processor, and nothing below matters */
	uint32_t agent;     /* number of the first level's cache */
	uint64_t unit;      /* see coherence.h; likewise the bytes of it */
	uint32_t *entry;    /* of the directory */
	uint32_t from;
	uint32_t to;
	uint32_t part;    /* where the line begins in the unit ... */
	uint64_t written; /* ... and bytes of it that are written: a bit each; 0: from..to are */
	uint64_t object;
	bool peer;        /* another agent's cache had the line, modified */
	bool invalidated; /* it missed a level that had lost the line; that loss (invalidations.h):
			   */
	bool truly;       /* the access touches what was written since */
	uint32_t writer;
	uint32_t writer_offset;
	uint64_t writer_object;
};

/* What the record of one of its lines says of a bank. */
MS_INLINE uint32_t *ms_caches_get_record_word(const struct ms_caches_array *array,
					      uint64_t bank_line)
{
	return ms_caches_get_record(array->group->lines, bank_line << array->l1_shift) +
	       array->word;
}

/* A line leaves the level because of this access; whose it was. */
uint32_t ms_caches_evict_line(const struct ms_caches_access *a, unsigned k, uint32_t *word);
void ms_caches_load_line(struct ms_caches_access *a);
void ms_caches_store_line(struct ms_caches_access *a);
/*
 * Lines of the first level, from `line` on, leave those banks of the nest that are nearer than the
 * level. loss: to be entered into their records, see coherence.h; 0: it is the access's data that
 * pushes them out, which is counted. Returns how many words of records now say so.
 */
unsigned ms_caches_remove_lines(const struct ms_caches_access *a, struct ms_caches_group *group,
				unsigned level, uint64_t line, uint64_t lines,
				uint32_t invalidation);

#endif
