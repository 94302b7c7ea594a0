#include "engine/cells.h"

void ms_cells_open(struct cells *cells, unsigned shards, uint32_t processor)
{
	*cells = (struct cells){ .shards = shards, .processor = processor };
}

void ms_cells_close(struct cells *cells)
{
	ms_map_free(&cells->by_site_data);
	ms_vec_free(&cells->list);
	ms_arena_free(&cells->arena);
}

static struct cell *add_cell(struct cells *cells, uint32_t site, uint32_t kind, uint32_t data)
{
	struct cell *cell = ms_arena_take(&cells->arena,
					  sizeof(*cell) + cells->shards * sizeof(cell->tally[0]));

	cell->site = site;
	cell->data = data;
	cell->kind = (uint16_t)kind;
	cell->processor = cells->processor;
	if (cells->parts > 0)
		cell->in_part = ms_arena_take(&cells->arena, cells->parts * sizeof(*cell->in_part));
	*ms_vec_add(&cells->list) = cell;
	return cell;
}

struct cell *ms_cells_at(struct cells *cells, uint32_t site, uint32_t kind, uint32_t data)
{
	uint32_t *number = ms_map_at(&cells->by_site_data, site, data);

	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)cells->list.n;
		return add_cell(cells, site, kind, data);
	}
	return cells->list.at[*number];
}

struct cell *ms_cells_crossing(struct cells *cells, struct cell *of, enum ms_crossing crosses)
{
	if (crosses == MS_CROSSES_NONE)
		return of;
	if (of->crossing == NULL)
		of->crossing = ms_arena_take(&cells->arena, MS_CROSSINGS * sizeof(struct cell *));

	struct cell **cell = &of->crossing[crosses];
	if (*cell == NULL) {
		*cell = add_cell(cells, of->site, of->kind, of->data);
		(*cell)->reach = of->reach;
		(*cell)->crosses = (uint16_t)crosses;
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
