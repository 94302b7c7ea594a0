/*
 * engine/caches/line_records.h - a record for each line that was ever touched: what the next miss
 * needs to know.
 *
 * A record is one word a level: 0 when the line was never in a cache of that level; while it is
 * there, the data that brought it (its owner); afterwards the data that pushed it out, or the loss
 * by which another processor has taken it away.
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

/* With several processors: gone because another one wrote there; coherence.h knows more of it. So
 * there are fewer than 2^30 data. */
MS_INLINE uint32_t ms_caches_make_invalidated(uint32_t loss)
{
	return UINT32_C(1) << 31 | loss << 1;
}

MS_INLINE bool ms_caches_is_invalidated(uint32_t word)
{
	return (word & (UINT32_C(1) << 31 | 1)) == UINT32_C(1) << 31;
}

MS_INLINE uint32_t ms_caches_get_invalidation(uint32_t word)
{
	return (word & ~(UINT32_C(1) << 31)) >> 1;
}

/* A table of leaves that was asked for lately, found without a walk. */
struct ms_caches_recent_table {
	uint64_t number_plus_1; /* of the table; 0: none */
	uint32_t **leaves;
};

enum { MS_CACHES_LEAF_BITS = 4, MS_CACHES_TABLE_BITS = 12, MS_CACHES_RECENT_TABLES = 256 };

struct ms_caches_line_records {
	struct ms_arena arena;
	unsigned levels;
	uint32_t ****top; /* by line number: 20, 12 and 12 bits, then 16 lines a leaf */
	/* Lines beyond: no program of today has any, but a trace may say what it likes. */
	struct ms_map high_numbers;
	MS_VEC(uint32_t ***) high_tables;
	struct ms_caches_recent_table recent_tables[MS_CACHES_RECENT_TABLES];
};

void ms_caches_open_records(struct ms_caches_line_records *lines, unsigned levels);
void ms_caches_close_records(struct ms_caches_line_records *lines);
/* The leaves of the table with this number (a line's, without the bits below); made when new. */
uint32_t **ms_caches_get_record_table(struct ms_caches_line_records *lines, uint64_t number);
uint32_t *ms_caches_add_record_leaf(struct ms_caches_line_records *lines);

/* The record of a line; made when it is new. */
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
	return *leaf + (line & ((1u << MS_CACHES_LEAF_BITS) - 1)) * lines->levels;
}
/* How many lines have been in a cache, and what their records and the tables take. */
uint64_t ms_caches_count_records(const struct ms_caches_line_records *lines, uint64_t *bytes);

#endif
