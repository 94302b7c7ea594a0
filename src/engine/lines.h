/*
 * engine/lines.h - a record for each line that was ever touched: what the next miss needs to know.
 *
 * A record is one word a level: 0 when the line was never in a cache of that level; while it is
 * there, the data that brought it (its owner); afterwards the data that pushed it out.
 */
#ifndef MS_ENGINE_LINES_H
#define MS_ENGINE_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/compiler.h"

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

struct lines {
	struct ms_arena arena;
	unsigned levels;
	uint32_t ****top; /* by line number: 20, 12 and 12 bits, then 16 lines a leaf */
};

void ms_lines_open(struct lines *lines, unsigned levels);
void ms_lines_close(struct lines *lines);
/* The record of a line; made when it is new. */
uint32_t *ms_lines_at(struct lines *lines, uint64_t line);
/* How many lines have been in a cache, and what their records and the tables take. */
uint64_t ms_lines_count(const struct lines *lines, uint64_t *bytes);

#endif
