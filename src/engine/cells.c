#include "engine/cells.h"

#include "engine/lines.h"

void ms_cells_open(struct cells *cells, unsigned levels)
{
	*cells = (struct cells){ .levels = levels };
}

void ms_cells_close(struct cells *cells)
{
	ms_map_free(&cells->by_site_data);
	ms_map_free(&cells->by_pair);
	ms_vec_free(&cells->list);
	ms_vec_free(&cells->pairs);
	ms_arena_free(&cells->arena);
}

struct cell *ms_cells_at(struct cells *cells, uint32_t site, uint32_t data)
{
	uint32_t *number = ms_map_at(&cells->by_site_data, site, data);

	if (*number == MS_MAP_NONE) {
		struct cell *cell = ms_arena_take(
			&cells->arena, sizeof(*cell) + cells->levels * sizeof(cell->level[0]));

		cell->site = site;
		cell->data = data;
		cell->number = (uint32_t)cells->list.n;
		*number = cell->number;
		*ms_vec_add(&cells->list) = cell;
	}
	return cells->list.at[*number];
}

struct cell *ms_cells_after(struct cells *cells, struct cell *from, uint32_t data)
{
	struct cell *cell = from->before;

	if (cell == NULL || cell->data != data)
		cell = ms_cells_at(cells, from->site, data);
	cell->before = from;
	return cell;
}

uint32_t ms_cells_find_pair(struct cells *cells, struct cell *cell, unsigned level,
			    enum pair_kind kind, uint32_t other)
{
	uint32_t *number = ms_map_at(&cells->by_pair, (uint64_t)cell->number << 32 | other,
				     level * PAIR_KINDS + kind);

	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)cells->pairs.n;
		*ms_vec_add(&cells->pairs) =
			(struct pair){ 0, cell->number, other, (uint16_t)level, (uint16_t)kind };
	}
	return *number;
}

void ms_cells_count_miss(struct cells *cells, struct cell *cell, unsigned level, uint32_t record)
{
	if (record == MS_LINE_NEVER) {
		cell->level[level].causes[MS_MISS_FIRST]++;
		return;
	}
	cell->level[level].causes[MS_MISS_REPLACED]++;
	ms_cells_count_pair(cells, cell, level, PAIR_REPLACED_BY, ms_line_data(record));
}
