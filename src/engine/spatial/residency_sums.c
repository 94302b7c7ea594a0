/* engine/spatial/residency_sums.c - see residency_sums.h. */
#include "engine/spatial/residency_sums.h"

#include <math.h>

#include "engine/count/cell_counters.h"

void ms_spatial_close_sums(struct ms_spatial_sums *sums)
{
	ms_map_free(&sums->cell_index);
	ms_map_free(&sums->offsets_index);
	ms_map_free(&sums->data_index);
	ms_map_free(&sums->pair_index);
	ms_vec_free(&sums->cells);
	ms_vec_free(&sums->offsets);
	ms_vec_free(&sums->data);
	ms_vec_free(&sums->pairs);
}

uint32_t ms_spatial_get_cell(struct ms_spatial_sums *sums, const struct ms_count_cell *cell)
{
	uint32_t *number = ms_map_at(&sums->cell_index, cell->site,
				     (uint64_t)cell->processor << 32 | cell->data);

	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)sums->cells.n;
		*ms_vec_add(&sums->cells) = (struct ms_spatial_cell){ .site = cell->site,
								      .data = cell->data,
								      .processor = cell->processor,
								      .kind = cell->kind,
								      .offsets = MS_MAP_NONE };
	}
	return *number;
}

static struct ms_spatial_data *get_data(struct ms_spatial_sums *sums, uint32_t data)
{
	uint32_t *number = ms_map_at(&sums->data_index, data, 0);

	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)sums->data.n;
		*ms_vec_add(&sums->data) = (struct ms_spatial_data){
			.data = data, .range_shift = (uint32_t)__builtin_ctz(MS_ENGINE_LEAST_RANGE)
		};
	}
	return &sums->data.at[*number];
}

/*
 * The place of the n-th thing among `room` that are kept, each with the same probability; `room` if
 * it is not kept.
 */
static uint64_t choose_place(uint64_t n, uint64_t room, uint64_t seed)
{
	uint64_t place = n <= room ? n - 1 : ms_hash(n, seed) % n;

	return place < room ? place : room;
}

static void keep_residency(struct ms_spatial_sums *sums, const struct ms_spatial_line *line,
			   const struct ms_spatial_residency *residency, uint64_t weight)
{
	struct ms_spatial_data *data = get_data(sums, sums->cells.at[residency->fetcher].data);
	uint64_t place = choose_place(++data->residencies, MS_SPATIAL_KEPT_RESIDENCIES, data->data);

	data->weight += weight;
	if (place < MS_SPATIAL_KEPT_RESIDENCIES)
		data->kept[place] = (struct ms_spatial_kept_residency){
			line->offset, residency->used, residency->written, residency->fetcher
		};
}

void ms_spatial_add_residency(struct ms_spatial_sums *sums, const struct ms_spatial_line *line,
			      unsigned k, uint64_t weight)
{
	const struct ms_spatial_residency *residency = &line->in[k];
	unsigned group = ms_spatial_find_group(line->line);

	if (residency->fetcher == MS_MAP_NONE)
		return;
	struct ms_engine_line_use *use = &sums->cells.at[residency->fetcher].in[k];

	use->lines[group] += weight;
	use->used[group] += weight * (uint64_t)__builtin_popcountll(residency->used);
	if (k == MS_SPATIAL_FIRST && line->has_offset)
		keep_residency(sums, line, residency, weight);
	if (residency->writer == MS_MAP_NONE)
		return;
	use = &sums->cells.at[residency->writer].in[k];
	use->written_lines[group] += weight;
	use->written[group] += weight * (uint64_t)__builtin_popcountll(residency->written);
}

void ms_spatial_add_touched(struct ms_spatial_sums *sums, uint32_t cell,
			    const struct ms_spatial_line *line, uint64_t bytes, uint64_t weight)
{
	struct ms_spatial_data *data = get_data(sums, sums->cells.at[cell].data);
	unsigned group = ms_spatial_find_group(line->line);

	data->touched_lines[group] += line->touched == 0 ? weight : 0;
	data->touched_bytes[group] += weight * (uint64_t)__builtin_popcountll(bytes);
}

/* --- accesses by thread --- */

/* The entry of the cell and the thread; NULL: there is none, and too many others. */
static struct ms_spatial_offsets *get_offsets(struct ms_spatial_sums *sums, uint32_t cell,
					      uint32_t thread)
{
	struct ms_spatial_cell *c = &sums->cells.at[cell];

	if (c->offsets != MS_MAP_NONE && sums->offsets.at[c->offsets].thread == thread)
		return &sums->offsets.at[c->offsets];
	uint32_t number = ms_map_get(&sums->offsets_index, cell, thread);

	if (number == MS_MAP_NONE) {
		if (c->offsets != MS_MAP_NONE && sums->offsets.n >= MS_SPATIAL_MAX_OFFSETS)
			return NULL;
		number = (uint32_t)sums->offsets.n;
		*ms_map_at(&sums->offsets_index, cell, thread) = number;
		*ms_vec_add(&sums->offsets) =
			(struct ms_spatial_offsets){ .cell = cell, .thread = thread };
	}
	c->offsets = number;
	return &sums->offsets.at[number];
}

static void double_ranges(struct ms_spatial_data *data)
{
	for (unsigned i = 0; i < MS_ENGINE_RANGES; i++) {
		struct ms_engine_address_range range = data->ranges[i];

		data->ranges[i] = (struct ms_engine_address_range){ 0 };
		data->ranges[i / 2].accesses += range.accesses;
		data->ranges[i / 2].first_misses += range.first_misses;
		data->ranges[i / 2].last_misses += range.last_misses;
	}
	data->range_shift++;
}

/* An offset before the object is one of a malformed trace. */
static void add_to_range(struct ms_spatial_data *data,
			 const struct ms_spatial_thread_access *access)
{
	uint64_t offset = access->address - access->object;

	if (access->address < access->object)
		return;
	while (offset >> data->range_shift >= MS_ENGINE_RANGES)
		double_ranges(data);
	struct ms_engine_address_range *range = &data->ranges[offset >> data->range_shift];

	range->accesses += access->weight;
	range->first_misses += access->missed[MS_SPATIAL_FIRST] ? access->weight : 0;
	range->last_misses += access->missed[MS_SPATIAL_LAST] ? access->weight : 0;
}

void ms_spatial_add_access(struct ms_spatial_sums *sums,
			   const struct ms_spatial_thread_access *access)
{
	struct ms_spatial_offsets *o = get_offsets(sums, access->cell, access->thread);
	const struct ms_spatial_cell *c = &sums->cells.at[access->cell];

	if (o == NULL)
		return;
	o->weight += access->weight;
	if (access->object == MS_SPATIAL_NO_OBJECT)
		return;
	add_to_range(get_data(sums, c->data), access);
	uint64_t place = choose_place(++o->n, MS_ENGINE_OFFSETS, (uint64_t)c->site << 32 | c->data);

	if (access->size > o->size)
		o->size = access->size;
	if (place < MS_ENGINE_OFFSETS)
		o->offset[place] = access->address - access->object;
}

/* --- reuse --- */

/* The smallest cache of the curve that the access would hit; the last one: none. */
static unsigned find_size(const struct ms_spatial_reuse_access *access)
{
	unsigned size = 0;

	if (access->distance == UINT64_MAX)
		return MS_ENGINE_CURVE_SIZES;
	while (size < MS_ENGINE_CURVE_SIZES &&
	       access->distance + access->line_bytes > (uint64_t)MS_ENGINE_CURVE_BYTES << size)
		size++;
	return size;
}

static void add_pair(struct ms_spatial_sums *sums, const struct ms_spatial_reuse_access *access)
{
	if (sums->pairs.n >= MS_SPATIAL_MAX_PAIRS &&
	    ms_map_get(&sums->pair_index, access->from_cell, access->to_cell) == MS_MAP_NONE)
		return;
	uint32_t *number = ms_map_at(&sums->pair_index, access->from_cell, access->to_cell);

	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)sums->pairs.n;
		*ms_vec_add(&sums->pairs) = (struct ms_spatial_reuse_pair){
			.data = sums->cells.at[access->to_cell].data,
			.from_cell = access->from_cell,
			.to_cell = access->to_cell
		};
	}
	struct ms_spatial_reuse_pair *pair = &sums->pairs.at[*number];
	double log2_bytes = access->between > 0 ? log2((double)access->between) : 0;

	pair->count += access->weight;
	pair->log2_bytes += access->weight * (uint64_t)(MS_ENGINE_LOG2_PARTS * log2_bytes + 0.5);
}

void ms_spatial_add_reuse(struct ms_spatial_sums *sums,
			  const struct ms_spatial_reuse_access *access)
{
	struct ms_spatial_data *data = get_data(sums, sums->cells.at[access->to_cell].data);

	data->accesses[ms_spatial_find_group(access->line)][find_size(access)] += access->weight;
	data->shortest[access->shortest] += access->weight;
	data->longest[access->longest] += access->weight;
	if (access->missed && access->from_cell != MS_MAP_NONE)
		add_pair(sums, access);
}
