#include "engine/lines.h"

#include "base/mem.h"

enum { LEAF_BITS = 4, LOW_BITS = 12, MIDDLE_BITS = 12, TOP_BITS = 20 };

void ms_lines_open(struct lines *lines, unsigned levels)
{
	*lines = (struct lines){ .levels = levels };
	lines->top = ms_pages_alloc(sizeof(*lines->top) << TOP_BITS);
}

void ms_lines_close(struct lines *lines)
{
	ms_pages_free(lines->top, sizeof(*lines->top) << TOP_BITS);
	ms_arena_free(&lines->arena);
}

static void *take(struct lines *lines, size_t size)
{
	return ms_arena_take(&lines->arena, size);
}

uint32_t *ms_lines_at(struct lines *lines, uint64_t line)
{
	uint64_t leaf_number = line >> LEAF_BITS;
	uint32_t ****top =
		&lines->top[(leaf_number >> (LOW_BITS + MIDDLE_BITS)) & ((1u << TOP_BITS) - 1)];

	if (*top == NULL)
		*top = take(lines, sizeof(**top) << MIDDLE_BITS);
	uint32_t ***middle = &(*top)[(leaf_number >> LOW_BITS) & ((1u << MIDDLE_BITS) - 1)];
	if (*middle == NULL)
		*middle = take(lines, sizeof(**middle) << LOW_BITS);
	uint32_t **leaf = &(*middle)[leaf_number & ((1u << LOW_BITS) - 1)];
	if (*leaf == NULL)
		*leaf = take(lines, (sizeof(**leaf) * lines->levels) << LEAF_BITS);
	return *leaf + (line & ((1u << LEAF_BITS) - 1)) * lines->levels;
}
