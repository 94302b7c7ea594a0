#include "engine/caches/line_records.h"

#include "base/mem.h"
#include "engine/caches/visit_records.h"

enum { MIDDLE_BITS = 12, TOP_BITS = 20 };

void ms_caches_open_records(struct ms_caches_line_records *lines, unsigned words)
{
	*lines = (struct ms_caches_line_records){ .words = words };
	lines->top = ms_pages_alloc(sizeof(*lines->top) << TOP_BITS);
}

void ms_caches_close_records(struct ms_caches_line_records *lines)
{
	ms_pages_free(lines->top, sizeof(*lines->top) << TOP_BITS);
	lines->top = NULL;
	ms_map_free(&lines->high_numbers);
	ms_vec_free(&lines->high_tables);
	ms_arena_free(&lines->arena);
}

/* Valid until the next call. */
static uint32_t ****high_table_at(struct ms_caches_line_records *lines, uint64_t high)
{
	uint32_t *number = ms_map_at(&lines->high_numbers, high, 0);

	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)lines->high_tables.n;
		*ms_vec_add(&lines->high_tables) = NULL;
	}
	return &lines->high_tables.at[*number];
}

uint32_t **ms_caches_get_record_table(struct ms_caches_line_records *lines, uint64_t number)
{
	uint64_t high = number >> MIDDLE_BITS;
	uint32_t ****top = high < 1u << TOP_BITS ? &lines->top[high] : high_table_at(lines, high);

	if (*top == NULL)
		*top = ms_arena_take(&lines->arena, sizeof(**top) << MIDDLE_BITS);
	uint32_t ***middle = &(*top)[number & ((1u << MIDDLE_BITS) - 1)];
	if (*middle == NULL)
		*middle = ms_arena_take(&lines->arena, sizeof(**middle) << MS_CACHES_TABLE_BITS);
	return *middle;
}

uint32_t *ms_caches_add_record_leaf(struct ms_caches_line_records *lines)
{
	return ms_arena_take(&lines->arena, (sizeof(uint32_t) * lines->words)
						    << MS_CACHES_LEAF_BITS);
}

static bool was_present(const struct ms_caches_line_records *lines, const uint32_t *words)
{
	uint32_t ever = MS_CACHES_NEVER_PRESENT;

	for (unsigned level = 0; level < lines->words; level++)
		ever |= words[level];
	return ever != MS_CACHES_NEVER_PRESENT;
}

static uint64_t count_leaf(const struct ms_caches_line_records *lines, const uint32_t *leaf)
{
	uint64_t n = 0;

	for (unsigned line = 0; line < 1u << MS_CACHES_LEAF_BITS; line++)
		n += was_present(lines, leaf + line * lines->words);
	return n;
}

static uint64_t count_middle(const struct ms_caches_line_records *lines, uint32_t ***middle)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < 1u << MIDDLE_BITS; i++)
		for (unsigned k = 0; middle[i] != NULL && k < 1u << MS_CACHES_TABLE_BITS; k++)
			if (middle[i][k] != NULL)
				n += count_leaf(lines, middle[i][k]);
	return n;
}

/* The host allocates only those pages of the top table that were written. */
uint64_t ms_caches_count_records(const struct ms_caches_line_records *lines, uint64_t *bytes)
{
	const unsigned page = 4096 / sizeof(*lines->top);
	unsigned last_page = UINT32_MAX;
	uint64_t n = 0;

	*bytes = lines->arena.taken + ms_map_bytes(&lines->high_numbers) +
		 lines->high_tables.cap * sizeof(*lines->high_tables.at);
	for (size_t i = 0; i < lines->high_tables.n; i++)
		n += count_middle(lines, lines->high_tables.at[i]);
	for (unsigned i = 0; lines->top != NULL && i < 1u << TOP_BITS; i++) {
		if (lines->top[i] == NULL)
			continue;
		n += count_middle(lines, lines->top[i]);
		*bytes += i / page != last_page ? 4096 : 0;
		last_page = i / page;
	}
	return n;
}

struct visitor {
	const struct ms_caches_line_records *lines;
	void (*visit)(uint64_t line, const uint32_t *words, void *arg);
	void *arg;
};

static void visit_leaves(const struct visitor *v, uint32_t **leaves, uint64_t number)
{
	for (unsigned k = 0; k < 1u << MS_CACHES_TABLE_BITS; k++)
		for (unsigned i = 0; leaves[k] != NULL && i < 1u << MS_CACHES_LEAF_BITS; i++) {
			const uint32_t *words = leaves[k] + i * v->lines->words;

			if (was_present(v->lines, words))
				v->visit((number << MS_CACHES_TABLE_BITS | k)
							 << MS_CACHES_LEAF_BITS |
						 i,
					 words, v->arg);
		}
}

void ms_caches_visit_records(const struct ms_caches_line_records *lines,
			     void (*visit)(uint64_t line, const uint32_t *words, void *arg),
			     void *arg)
{
	const struct visitor visitor = { lines, visit, arg };

	for (uint64_t high = 0; high < 1u << TOP_BITS; high++)
		for (unsigned i = 0; lines->top[high] != NULL && i < 1u << MIDDLE_BITS; i++)
			if (lines->top[high][i] != NULL)
				visit_leaves(&visitor, lines->top[high][i],
					     high << MIDDLE_BITS | i);
}
