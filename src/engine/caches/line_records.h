/*
 * engine/caches/line_records.h - a record for each line that was ever accessed. It determines the
 * cause of the line's next miss.
 *
 * A record is one word per level: 0 when the line was never in a cache of that level; while the
 * line is present, the data that brought it in (its owner); afterwards the data that evicted it, or
 * the invalidation by another processor.
 */
#ifndef MS_ENGINE_CACHES_LINE_RECORDS_H
#define MS_ENGINE_CACHES_LINE_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/compiler.h"
#include "base/map.h"
#include "base/vec.h"

enum { MS_CACHES_NEVER_PRESENT = 0 };

MS_INLINE uint32_t ms_caches_make_present(uint32_t owner)
{
	return (owner + 1) << 1 | 1;
}

MS_INLINE uint32_t ms_caches_make_evicted(uint32_t evictor)
{
	return (evictor + 1) << 1;
}

MS_INLINE uint32_t ms_caches_get_record_data(uint32_t word)
{
	return (word >> 1) - 1;
}

/*
 * With several processors: a store of another processor invalidated the line; coherence.h has the
 * details. The encoding limits the number of data structures to below 2^30.
 */
MS_INLINE uint32_t ms_caches_make_invalidated(uint32_t invalidation)
{
	return UINT32_C(1) << 31 | invalidation << 1;
}

MS_INLINE bool ms_caches_is_invalidated(uint32_t word)
{
	return (word & (UINT32_C(1) << 31 | 1)) == UINT32_C(1) << 31;
}

MS_INLINE uint32_t ms_caches_get_invalidation(uint32_t word)
{
	return (word & ~(UINT32_C(1) << 31)) >> 1;
}

/* A recently used table of leaves, found without a walk. */
struct ms_caches_recent_table {
	uint64_t number_plus_1; /* number of the table, plus 1; 0: none */
	uint32_t **leaves;
};

enum { MS_CACHES_LEAF_BITS = 4, MS_CACHES_TABLE_BITS = 12, MS_CACHES_RECENT_TABLES = 256 };

struct ms_caches_line_records {
	struct ms_arena arena;
	unsigned words;   /* of a record: one per level, and what causes/causes.h keeps */
	uint32_t ****top; /* by line number: 20, 12 and 12 bits, then 16 lines per leaf */
	/*
	 * Lines beyond these bits: programs have none today, but a trace can contain any address.
	 */
	struct ms_map high_numbers;
	MS_VEC(uint32_t ***) high_tables;
	struct ms_caches_recent_table recent_tables[MS_CACHES_RECENT_TABLES];
};

void ms_caches_open_records(struct ms_caches_line_records *lines, unsigned words);
void ms_caches_close_records(struct ms_caches_line_records *lines);
/*
 * The leaves of the table with this number (the upper bits of a line number); allocated on first
 * use.
 */
uint32_t **ms_caches_get_record_table(struct ms_caches_line_records *lines, uint64_t number);
uint32_t *ms_caches_add_record_leaf(struct ms_caches_line_records *lines);

/* The record of a line; allocated on first use. */
MS_INLINE uint32_t *ms_caches_get_record(struct ms_caches_line_records *lines, uint64_t line)
{
	uint64_t number = line >> (MS_CACHES_LEAF_BITS + MS_CACHES_TABLE_BITS);
	struct ms_caches_recent_table *recent =
		&lines->recent_tables[number % MS_CACHES_RECENT_TABLES];

	if (MS_UNLIKELY(recent->number_plus_1 != number + 1))
		*recent = (struct ms_caches_recent_table){ number + 1, ms_caches_get_record_table(
									       lines, number) };

	uint32_t **leaf =
		&recent->leaves[line >> MS_CACHES_LEAF_BITS & ((1u << MS_CACHES_TABLE_BITS) - 1)];
	if (MS_UNLIKELY(*leaf == NULL))
		*leaf = ms_caches_add_record_leaf(lines);
	return *leaf + (line & ((1u << MS_CACHES_LEAF_BITS) - 1)) * lines->words;
}
/* How many lines have been in a cache, and the memory of their records and tables. */
uint64_t ms_caches_count_records(const struct ms_caches_line_records *lines, uint64_t *bytes);

#endif
