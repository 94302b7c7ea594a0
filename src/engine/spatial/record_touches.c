/*
 * engine/spatial/record_touches.c - records the accesses to selected lines while a batch is
 * filtered, and the levels that they missed while it is simulated.
 */
#include <string.h>

#include "engine/engine_priv.h"
#include "engine/spatial/spatial_state.h"

/* --- which lines --- */

/* The batches before the first number observe one line in so many, and so on. */
static const struct {
	uint64_t before;
	uint32_t rate;
} rates[] = {
	{ 8, 8 },
	{ 64, 64 },
	{ 512, 512 },
	{ UINT64_MAX, 2048 },
};

static uint64_t choose_threshold(const struct ms_spatial *spatial, uint64_t number)
{
	unsigned i = 0;

	if (spatial->rate != 0)
		return ms_spatial_make_threshold(spatial->rate);
	while (number >= rates[i].before)
		i++;
	return ms_spatial_make_threshold(rates[i].rate);
}

/*
 * Entries for the lines of one batch; a power of two. A small table stays in the caches of the
 * host.
 */
static uint32_t choose_entries(uint64_t threshold)
{
	if (ms_spatial_make_threshold(8) < threshold)
		return 1 << 15;
	return ms_spatial_make_threshold(64) < threshold ? 1 << 12 : 1 << 10;
}

enum { MAX_ENTRIES = 1 << 15 };

/* The L1 filter may remember lines that had reached the limit. They are observed again now. */
static void forget_recent_lines(struct ms_engine_shard *shard)
{
	for (size_t i = 0; i < shard->spatial.at_limit.n; i++) {
		uint64_t line = shard->spatial.at_limit.at[i];
		uint64_t *recent =
			&shard->filter.recent[ms_caches_index_lru_set(&shard->caches.first, line)];

		if (*recent == line)
			*recent = ms_filter_make_absent_line(&shard->caches.first, line);
	}
}

void ms_spatial_begin_batch(struct ms_engine_shard *shard, uint64_t number)
{
	const struct ms_spatial *spatial = shard->engine->spatial;
	struct ms_spatial_filter *filter = &shard->spatial;

	if (spatial == NULL || shard->filter.misses_only)
		return;
	ms_spatial_set_threshold(filter, choose_threshold(spatial, number));
	filter->touches.n = 0;
	filter->lines = 0;
	filter->entries = choose_entries(filter->threshold);
	filter->batch++;
	if (!shard->engine->variant->has_processors)
		forget_recent_lines(shard);
	filter->at_limit.n = 0;
	if (filter->counts == NULL)
		filter->counts = ms_alloc(MAX_ENTRIES * sizeof(*filter->counts));
}

/* The entry of the line, or the free one where it belongs. */
static struct ms_spatial_line_count *find_count(const struct ms_spatial_filter *filter,
						uint64_t line)
{
	size_t i = ms_hash(line, 0) & (filter->entries - 1);

	while (filter->counts[i].batch == filter->batch && filter->counts[i].line != line)
		i = (i + 1) & (filter->entries - 1);
	return &filter->counts[i];
}

/* A batch with so many selected lines observes no others. */
static bool has_room(const struct ms_spatial_filter *filter)
{
	return filter->lines < filter->entries / 2;
}

static bool is_wanted(const struct ms_spatial_filter *filter, uint64_t line)
{
	return !filter->watched.is_used || ms_spatial_is_watched(&filter->watched, line);
}

bool ms_spatial_is_observed(const struct ms_spatial_filter *filter, uint64_t line)
{
	if (!is_wanted(filter, line))
		return false;
	const struct ms_spatial_line_count *count = find_count(filter, line);

	return count->batch == filter->batch ? count->touches < MS_SPATIAL_MAX_TOUCHES
					     : has_room(filter);
}

/* Counts an access; false: it is not to be observed. */
static bool count_touch(struct ms_spatial_filter *filter, uint64_t line)
{
	if (!is_wanted(filter, line))
		return false;
	struct ms_spatial_line_count *count = find_count(filter, line);

	if (count->batch != filter->batch) {
		if (!has_room(filter)) {
			*ms_vec_add(&filter->at_limit) = line;
			return false;
		}
		*count = (struct ms_spatial_line_count){ line, filter->batch, 0 };
		filter->lines++;
	}
	if (count->touches >= MS_SPATIAL_MAX_TOUCHES)
		return false;
	if (++count->touches == MS_SPATIAL_MAX_TOUCHES)
		*ms_vec_add(&filter->at_limit) = line;
	return true;
}

/* --- accesses --- */

static uint64_t find_object(struct ms_engine_shard *shard,
			    const struct ms_filter_ref_state *ref_state, uint64_t address)
{
	struct ms_address_map_range *range = ref_state->range;

	if (address - range->start >= range->size)
		ms_address_map_find_data(&shard->address_map, address, &range);
	return range->size > 0 ? range->start : MS_SPATIAL_NO_OBJECT;
}

bool ms_spatial_record_touch(struct ms_engine_shard *shard,
			     const struct ms_filter_ref_state *ref_state, uint64_t address,
			     uint32_t size, uint32_t pending)
{
	if (!count_touch(&shard->spatial, address >> shard->first_shift))
		return false;
	*ms_vec_add(&shard->spatial.touches) = (struct ms_spatial_touch){
		.address = address,
		.object = find_object(shard, ref_state, address),
		.pending = pending,
		.size = (uint16_t)size,
	};
	return true;
}

bool ms_spatial_record_processor_touch(struct ms_engine_shard *shard, uint64_t address,
				       uint32_t size, uint32_t pending)
{
	const struct ms_coherence_processors *p = shard->processors;

	if (!count_touch(&shard->spatial, address >> shard->first_shift))
		return false;
	*ms_vec_add(&shard->spatial.touches) = (struct ms_spatial_touch){
		.address = address,
		.pending = pending,
		.size = (uint16_t)size,
		.thread = p->thread,
		.agent = p->running->agent,
	};
	return true;
}

/* --- batches --- */

/* The index of each pending access changes to that in the share of the shard that owns its line. */
static void find_owners(struct ms_engine_shard *shard)
{
	const struct ms_filter_pending_list *all = &shard->filter.pending;
	uint32_t owned[UINT8_MAX] = { 0 };
	size_t at = 0;

	for (size_t i = 0; i < shard->spatial.touches.n; i++) {
		struct ms_spatial_touch *touch = &shard->spatial.touches.at[i];

		for (; at < touch->pending; at++) {
			uint64_t line = all->at[at].line & ~MS_FILTER_SAME_REFERENCE;

			owned[ms_engine_find_owner(shard->engine, line << shard->first_shift)]++;
		}
		touch->owner = (uint8_t)ms_engine_find_owner(shard->engine, touch->address);
		touch->pending = owned[touch->owner];
	}
}

/* The batch takes the accesses; the shard gets those of an earlier batch to write over. */
void ms_spatial_hand_over(struct ms_engine_shard *shard, unsigned batch_index)
{
	struct ms_spatial *spatial = shard->engine->spatial;

	if (spatial == NULL)
		return;
	struct ms_spatial_batch *batch = &spatial->batch[batch_index];

	if (shard->engine->shards > 1 && shard->engine->group_mask != 0 &&
	    !shard->engine->variant->has_processors)
		find_owners(shard);
	batch->threshold = shard->spatial.threshold;
	ms_vec_hand_over(&shard->spatial.touches, &batch->touches);
}

void ms_spatial_bind_touches(struct ms_engine_shard *shard, unsigned batch_index)
{
	const struct ms_coherence_batch *pending = &shard->engine->coherence.batches[batch_index];

	if (shard->engine->spatial == NULL)
		return;
	struct ms_spatial_batch *batch = &shard->engine->spatial->batch[batch_index];

	for (size_t i = 0; i < batch->touches.n; i++) {
		struct ms_spatial_touch *touch = &batch->touches.at[i];

		touch->cell = pending->at[touch->pending].cell;
		touch->object = pending->at[touch->pending].object;
		touch->owner = (uint8_t)ms_engine_find_owner(shard->engine, touch->address);
	}
}

uint64_t ms_spatial_get_threshold(const struct ms_engine *engine, unsigned batch_index)
{
	const struct ms_spatial *spatial = engine->spatial;

	return spatial != NULL && spatial->batch[batch_index].touches.n > 0
		       ? spatial->batch[batch_index].threshold
		       : 0;
}

/* --- simulation --- */

void ms_spatial_begin_simulation(struct ms_engine_shard *shard, unsigned batch_index)
{
	if (shard->engine->spatial == NULL)
		return;
	struct ms_spatial_batch *batch = &shard->engine->spatial->batch[batch_index];
	const struct ms_filter_pending_list *share = ms_engine_get_share(shard, batch_index);

	batch->next[shard->number] = 0;
	if (shard->engine->variant->has_processors)
		return;
	for (size_t i = 0; i < batch->touches.n; i++)
		if (batch->touches.at[i].owner == shard->number)
			batch->touches.at[i].cell = share->at[batch->touches.at[i].pending].cell;
}

/* The number that the misses of a pending access have: of the first line of its reference. */
static uint32_t find_reference(const struct ms_filter_pending_list *share, uint32_t pending)
{
	while (pending > 0 && (share->at[pending].line & MS_FILTER_SAME_REFERENCE) != 0)
		pending--;
	return pending;
}

/* Whether the line is among the misses of its reference; they are in the order of references. */
static bool is_missed(const struct ms_caches_miss *lines, size_t n, uint32_t reference,
		      uint64_t line)
{
	size_t from = 0, to = n;

	while (from < to) {
		size_t middle = (from + to) / 2;

		if (lines[middle].reference < reference)
			from = middle + 1;
		else
			to = middle;
	}
	for (; from < n && lines[from].reference == reference; from++)
		if (lines[from].line == line)
			return true;
	return false;
}

void ms_spatial_record_misses(struct ms_engine_shard *shard, unsigned batch_index, unsigned level,
			      const struct ms_caches_miss *lines, size_t n)
{
	if (shard->engine->spatial == NULL)
		return;
	const struct ms_spatial_batch *batch = &shard->engine->spatial->batch[batch_index];
	const struct ms_filter_pending_list *share = ms_engine_get_share(shard, batch_index);

	for (size_t i = 0; i < batch->touches.n; i++) {
		struct ms_spatial_touch *touch = &batch->touches.at[i];

		if (touch->owner == shard->number && touch->missed == level &&
		    is_missed(lines, n, find_reference(share, touch->pending),
			      touch->address >> shard->first_shift))
			touch->missed++;
	}
}

void ms_spatial_record_miss(struct ms_engine_shard *shard, unsigned batch_index, size_t pending,
			    unsigned missed)
{
	if (shard->engine->spatial == NULL || missed == 0)
		return;
	const struct ms_spatial_batch *batch = &shard->engine->spatial->batch[batch_index];
	size_t *next = &batch->next[shard->number];

	while (*next < batch->touches.n && (batch->touches.at[*next].owner != shard->number ||
					    batch->touches.at[*next].pending < pending))
		++*next;
	if (*next < batch->touches.n && batch->touches.at[*next].pending == pending)
		batch->touches.at[*next].missed = (uint8_t)missed;
}
