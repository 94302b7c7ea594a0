#include "engine/count/cell_counters.h"

#include <assert.h>

#include "base/map.h"

void ms_count_open_cells(struct ms_count_cells *cells, unsigned shards, uint32_t processor,
			 bool windows)
{
	*cells = (struct ms_count_cells){ .shards = shards,
					  .processor = processor,
					  .windows = windows };
}

void ms_count_close_cells(struct ms_count_cells *cells)
{
	ms_free(cells->table);
	cells->table = NULL;
	cells->table_size = cells->table_used = 0;
	ms_vec_free(&cells->list);
	ms_arena_free(&cells->arena);
}

static void add_windows(struct ms_count_cells *cells, struct ms_count_cell *cell)
{
	struct ms_count_cell_windows *w = ms_count_cell_windows(cell, cells->shards);

	if (cells->parts > 0)
		w->part_references =
			ms_arena_take(&cells->arena, cells->parts * sizeof(*w->part_references));
	*ms_vec_add(&cells->list) = cell;
}

static struct ms_count_cell *add_cell(struct ms_count_cells *cells, uint32_t site, uint32_t kind,
				      uint32_t data)
{
	size_t size = sizeof(struct ms_count_cell) +
		      cells->shards * sizeof(struct ms_count_misses *) +
		      (cells->windows ? sizeof(struct ms_count_cell_windows) : 0);
	struct ms_count_cell *cell = ms_arena_take_packed(&cells->arena, size);

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

static struct ms_count_cell *cell_of(uint64_t entry)
{
	return (struct ms_count_cell *)(uintptr_t)(entry & POINTER);
}

/* The entry of the cell, or the empty entry for it. */
static uint64_t *find(const struct ms_count_cells *cells, uint64_t hash, uint32_t site,
		      uint32_t data)
{
	size_t i = hash & (cells->table_size - 1);

	for (; cells->table[i] != 0; i = (i + 1) & (cells->table_size - 1)) {
		if (cells->table[i] >> TAG_SHIFT != hash >> TAG_SHIFT)
			continue;
		const struct ms_count_cell *cell = cell_of(cells->table[i]);

		if (cell->site == site && cell->data == data)
			break;
	}
	return &cells->table[i];
}

static void grow(struct ms_count_cells *cells)
{
	uint64_t *old = cells->table;
	size_t old_size = cells->table_size;

	cells->table_size = old_size > 0 ? old_size * 2 : SMALLEST_TABLE;
	cells->table = ms_alloc(cells->table_size * sizeof(*cells->table));
	for (size_t i = 0; i < old_size; i++) {
		if (old[i] == 0)
			continue;
		const struct ms_count_cell *cell = cell_of(old[i]);

		*find(cells, ms_hash(cell->site, cell->data), cell->site, cell->data) = old[i];
	}
	ms_free(old);
}

struct ms_count_cell *ms_count_get_cell(struct ms_count_cells *cells, uint32_t site, uint32_t kind,
					uint32_t data)
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

struct ms_count_cell *ms_count_next_cell(const struct ms_count_cells *cells, size_t *at)
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

size_t ms_count_measure_cells(const struct ms_count_cells *cells)
{
	return cells->arena.taken + cells->table_size * sizeof(*cells->table) +
	       cells->list.cap * sizeof(*cells->list.at);
}

struct ms_count_cell *ms_count_get_crossing_cell(struct ms_count_cells *cells,
						 struct ms_count_cell *of,
						 enum ms_engine_crossing crosses)
{
	if (crosses == MS_ENGINE_CROSSES_NONE)
		return of;
	struct ms_count_cell_windows *w = ms_count_cell_windows(of, cells->shards);

	if (w->crossing == NULL)
		w->crossing = ms_arena_take(&cells->arena,
					    MS_ENGINE_CROSSINGS * sizeof(struct ms_count_cell *));

	struct ms_count_cell **cell = &w->crossing[crosses];
	if (*cell == NULL) {
		*cell = add_cell(cells, of->site, of->kind, of->data);
		(*cell)->reach = of->reach;
		(*cell)->crosses = (uint8_t)crosses;
	}
	return *cell;
}

/*
 * Each cell has a link to the previous cell of its site, so the most recent ones are found without
 * a search in the table.
 */
struct ms_count_cell *ms_count_get_next_cell(struct ms_count_cells *cells,
					     struct ms_count_cell *from, uint32_t data)
{
	enum { MOST_BEFORE = 4 };
	struct ms_count_cell *cell = from->previous;

	for (unsigned i = 1; i < MOST_BEFORE && cell != NULL && cell->data != data; i++)
		cell = cell->previous;
	if (cell == NULL || cell->data != data)
		cell = ms_count_get_cell(cells, from->site, from->kind, data);
	cell->previous = from;
	return cell;
}
