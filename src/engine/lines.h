/*
 * engine/lines.h - a record for each line that was ever touched: what the next miss needs to know.
 *
 * A record is one word a level: 0 when the line was never in a cache of that level; while it is
 * there, the data that brought it (its owner); afterwards the data that pushed it out, or the loss
 * by which another processor has taken it away.
 */
#ifndef MS_ENGINE_LINES_H
#define MS_ENGINE_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/compiler.h"
#include "base/map.h"
#include "base/vec.h"

enum { MS_LINE_NEVER = 0 };

MS_INLINE uint32_t ms_line_here(uint32_t owner)
{
	return (owner + 1) << 1 | 1;
}

MS_INLINE uint32_t ms_line_gone(uint32_t evictor)
{
	return (evictor + 1) << 1;
}

MS_INLINE uint32_t ms_line_data(uint32_t word)
{
	return (word >> 1) - 1;
}

/* With several processors: gone because another one wrote there; coherence.h knows more of it. So
 * there are fewer than 2^30 data. */
MS_INLINE uint32_t ms_line_lost(uint32_t loss)
{
	return UINT32_C(1) << 31 | loss << 1;
}

MS_INLINE bool ms_line_is_lost(uint32_t word)
{
	return (word & (UINT32_C(1) << 31 | 1)) == UINT32_C(1) << 31;
}

MS_INLINE uint32_t ms_line_loss(uint32_t word)
{
	return (word & ~(UINT32_C(1) << 31)) >> 1;
}

/* A table of leaves that was asked for lately, found without a walk. */
struct lines_near {
	uint64_t number_plus_1; /* of the table; 0: none */
	uint32_t **leaves;
};

enum { MS_LINES_LEAF_BITS = 4, MS_LINES_TABLE_BITS = 12, MS_LINES_NEAR = 256 };

struct lines {
	struct ms_arena arena;
	unsigned levels;
	uint32_t ****top; /* by line number: 20, 12 and 12 bits, then 16 lines a leaf */
	/* Lines beyond: no program of today has any, but a trace may say what it likes. */
	struct ms_map far_numbers;
	MS_VEC(uint32_t ***) far;
	struct lines_near near[MS_LINES_NEAR];
};

void ms_lines_open(struct lines *lines, unsigned levels);
void ms_lines_close(struct lines *lines);
/* The leaves of the table with this number (a line's, without the bits below); made when new. */
uint32_t **ms_lines_table(struct lines *lines, uint64_t number);
uint32_t *ms_lines_leaf(struct lines *lines);

/* The record of a line; made when it is new. */
MS_INLINE uint32_t *ms_lines_at(struct lines *lines, uint64_t line)
{
	uint64_t number = line >> (MS_LINES_LEAF_BITS + MS_LINES_TABLE_BITS);
	struct lines_near *near = &lines->near[number % MS_LINES_NEAR];

	if (MS_UNLIKELY(near->number_plus_1 != number + 1))
		*near = (struct lines_near){ number + 1, ms_lines_table(lines, number) };

	uint32_t **leaf =
		&near->leaves[line >> MS_LINES_LEAF_BITS & ((1u << MS_LINES_TABLE_BITS) - 1)];
	if (MS_UNLIKELY(*leaf == NULL))
		*leaf = ms_lines_leaf(lines);
	return *leaf + (line & ((1u << MS_LINES_LEAF_BITS) - 1)) * lines->levels;
}
/* How many lines have been in a cache, and what their records and the tables take. */
uint64_t ms_lines_count(const struct lines *lines, uint64_t *bytes);

#endif
