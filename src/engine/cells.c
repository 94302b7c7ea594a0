#include "engine/cells.h"

#include <assert.h>

#include "base/map.h"

void ms_cells_open(struct cells *cells, unsigned shards, uint32_t processor, bool windows)
{
	*cells = (struct cells){ .shards = shards, .processor = processor, .windows = windows };
}

void ms_cells_close(struct cells *cells)
{
	ms_free(cells->table);
	cells->table = NULL;
	cells->table_size = cells->table_used = 0;
	ms_vec_free(&cells->list);
	ms_arena_free(&cells->arena);
}

static void add_windows(struct cells *cells, struct cell *cell)
{
	struct cell_windows *w = ms_cell_windows(cell, cells->shards);

	if (cells->parts > 0)
		w->in_part = ms_arena_take(&cells->arena, cells->parts * sizeof(*w->in_part));
	*ms_vec_add(&cells->list) = cell;
}

static struct cell *add_cell(struct cells *cells, uint32_t site, uint32_t kind, uint32_t data)
{
	size_t size = sizeof(struct cell) + cells->shards * sizeof(struct tally *) +
		      (cells->windows ? sizeof(struct cell_windows) : 0);
	struct cell *cell = ms_arena_take_packed(&cells->arena, size);

	cell->site = site;
	cell->data = data;
	cell->kind = (uint8_t)kind;
	cell->processor = (uint16_t)cells->processor;
	if (cells->windows)
		add_windows(cells, cell);
	return cell;
}

enum { TAG_SHIFT = 48, SMALLEST_TABLE = 64 };

static const uint64_t POINTER = (UINT64_C(1) << TAG_SHIFT) - 1;

static struct cell *cell_of(uint64_t entry)
{
	return (struct cell *)(uintptr_t)(entry & POINTER);
}

/* Where the cell stands, or may be entered. */
static uint64_t *find(const struct cells *cells, uint64_t hash, uint32_t site, uint32_t data)
{
	size_t i = hash & (cells->table_size - 1);

	for (; cells->table[i] != 0; i = (i + 1) & (cells->table_size - 1)) {
		if (cells->table[i] >> TAG_SHIFT != hash >> TAG_SHIFT)
			continue;
		const struct cell *cell = cell_of(cells->table[i]);

		if (cell->site == site && cell->data == data)
			break;
	}
	return &cells->table[i];
}

static void grow(struct cells *cells)
{
	uint64_t *old = cells->table;
	size_t old_size = cells->table_size;

	cells->table_size = old_size > 0 ? old_size * 2 : SMALLEST_TABLE;
	cells->table = ms_alloc(cells->table_size * sizeof(*cells->table));
	for (size_t i = 0; i < old_size; i++) {
		if (old[i] == 0)
			continue;
		const struct cell *cell = cell_of(old[i]);

		*find(cells, ms_hash(cell->site, cell->data), cell->site, cell->data) = old[i];
	}
	ms_free(old);
}

struct cell *ms_cells_at(struct cells *cells, uint32_t site, uint32_t kind, uint32_t data)
{
	if (cells->table_used * 3 >= cells->table_size * 2)
		grow(cells);
	uint64_t hash = ms_hash(site, data);
	uint64_t *entry = find(cells, hash, site, data);

	if (*entry == 0) {
		uintptr_t cell = (uintptr_t)add_cell(cells, site, kind, data);

		assert(cell <= POINTER);
		*entry = cell | hash >> TAG_SHIFT << TAG_SHIFT;
		cells->table_used++;
	}
	return cell_of(*entry);
}

struct cell *ms_cells_next(const struct cells *cells, size_t *at)
{
	if (cells->windows)
		return *at < cells->list.n ? cells->list.at[(*at)++] : NULL;
	while (*at < cells->table_size) {
		uint64_t entry = cells->table[(*at)++];

		if (entry != 0)
			return cell_of(entry);
	}
	return NULL;
}

size_t ms_cells_bytes(const struct cells *cells)
{
	return cells->arena.taken + cells->table_size * sizeof(*cells->table) +
	       cells->list.cap * sizeof(*cells->list.at);
}

struct cell *ms_cells_crossing(struct cells *cells, struct cell *of, enum ms_crossing crosses)
{
	if (crosses == MS_CROSSES_NONE)
		return of;
	struct cell_windows *w = ms_cell_windows(of, cells->shards);

	if (w->crossing == NULL)
		w->crossing = ms_arena_take(&cells->arena, MS_CROSSINGS * sizeof(struct cell *));

	struct cell **cell = &w->crossing[crosses];
	if (*cell == NULL) {
		*cell = add_cell(cells, of->site, of->kind, of->data);
		(*cell)->reach = of->reach;
		(*cell)->crosses = (uint8_t)crosses;
	}
	return *cell;
}

/* Each knows the one before it: so some of those that the site has met of late are found without a
 * search. */
struct cell *ms_cells_after(struct cells *cells, struct cell *from, uint32_t data)
{
	enum { MOST_BEFORE = 4 };
	struct cell *cell = from->before;

	for (unsigned i = 1; i < MOST_BEFORE && cell != NULL && cell->data != data; i++)
		cell = cell->before;
	if (cell == NULL || cell->data != data)
		cell = ms_cells_at(cells, from->site, from->kind, data);
	cell->before = from;
	return cell;
}
