#include "engine/cells.h"

#include <string.h>

#include "engine/lines.h"

/* A longer list would be slower than the map. */
enum { LONGEST_LIST = 32 };

void ms_cells_open(struct cells *cells, unsigned levels)
{
	*cells = (struct cells){ .levels = levels };
}

void ms_cells_close(struct cells *cells)
{
	ms_map_free(&cells->by_site_data);
	ms_map_free(&cells->by_far_pair);
	ms_vec_free(&cells->list);
	ms_vec_free(&cells->far_pairs);
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

static void add_far_pair(struct cells *cells, const struct cell *cell, unsigned level,
			 enum pair_kind kind, uint32_t other, uint64_t count)
{
	uint32_t *number = ms_map_at(&cells->by_far_pair, (uint64_t)cell->number << 32 | other,
				     level * PAIR_KINDS + kind);

	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)cells->far_pairs.n;
		*ms_vec_add(&cells->far_pairs) = (struct far_pair){
			{ 0, other }, cell->number, (uint16_t)level, (uint16_t)kind
		};
	}
	cells->far_pairs.at[*number].pair.count += count;
}

static void make_room(struct cells *cells, struct pair_list *list)
{
	uint32_t room = list->room != 0 ? list->room * 2 : 2;
	struct pair *at = ms_arena_take(&cells->arena, room * sizeof(*at));

	if (list->n > 0)
		memcpy(at, list->at, list->n * sizeof(*at));
	list->at = at;
	list->room = room;
}

void ms_cells_add_pair(struct cells *cells, struct cell *cell, unsigned level, enum pair_kind kind,
		       uint32_t other, uint64_t count)
{
	struct pair_list *list = &cell->level[level].pairs[kind];

	for (uint32_t i = 0; i < list->n; i++) {
		if (list->at[i].other != other)
			continue;
		struct pair pair = { list->at[i].count + count, other };
		/* One place forward each time: what comes often comes to stand in front. */
		list->at[i] = list->at[i > 0 ? i - 1 : 0];
		list->at[i > 0 ? i - 1 : 0] = pair;
		return;
	}
	if (list->n == LONGEST_LIST) {
		add_far_pair(cells, cell, level, kind, other, count);
		return;
	}
	if (list->n == list->room)
		make_room(cells, list);
	list->at[list->n++] = (struct pair){ count, other };
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
