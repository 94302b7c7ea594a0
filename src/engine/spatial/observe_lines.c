/*
 * engine/spatial/observe_lines.c - processes the accesses to selected lines in stream order: which
 * bytes of a residency they use, and when their line was used before.
 */
#include "engine/engine_priv.h"
#include "engine/spatial/residency_sums.h"
#include "engine/spatial/spatial_state.h"
#include "engine/variant_priv.h"
#include "wire/wire.h"

/* --- lines --- */

/* Fewer lines are selected from now on: the others are forgotten, with their open residencies. */
static void thin_lines(struct ms_spatial *spatial, uint64_t threshold)
{
	double part = spatial->threshold > 0 ? (double)threshold / (double)spatial->threshold : 1;
	size_t kept = 0;

	ms_map_free(&spatial->index);
	for (size_t i = 0; i < spatial->lines.n; i++)
		if (ms_spatial_is_selected(threshold, spatial->lines.at[i].line)) {
			*ms_map_at(&spatial->index, spatial->lines.at[i].line,
				   spatial->lines.at[i].cache) = (uint32_t)kept;
			spatial->lines.at[kept++] = spatial->lines.at[i];
		}
	spatial->lines.n = kept;
	spatial->threshold = threshold;
	ms_spatial_set_limits(spatial);
	ms_spatial_renumber_lines(spatial, part);
}

/* The index of the line's entry for a cache. */
static uint32_t get_line(struct ms_spatial *spatial, uint64_t line, uint32_t cache)
{
	uint32_t *number = ms_map_at(&spatial->index, line, cache);

	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)spatial->lines.n;
		*ms_vec_add(&spatial->lines) = (struct ms_spatial_line){
			.line = line,
			.cache = cache,
			.in = { { .fetcher = MS_MAP_NONE, .writer = MS_MAP_NONE },
				{ .fetcher = MS_MAP_NONE, .writer = MS_MAP_NONE } },
		};
	}
	return *number;
}

/* --- accesses --- */

/* Which bytes of its line the access touches. */
static uint64_t make_mask(const struct ms_spatial *spatial, const struct ms_spatial_touch *touch)
{
	uint64_t bytes = touch->size >= 64 ? UINT64_MAX : (UINT64_C(1) << touch->size) - 1;

	return bytes << (touch->address & ((UINT64_C(1) << spatial->line_shift) - 1));
}

/* An access that misses a level begins a residency there. */
static void begin_residency(struct ms_spatial *spatial, struct ms_spatial_line *line, unsigned k,
			    const struct ms_spatial_touch *touch, uint32_t cell)
{
	ms_spatial_add_residency(&spatial->sums, line, k, ms_spatial_get_weight(spatial));
	line->in[k] = (struct ms_spatial_residency){ .fetcher = cell, .writer = MS_MAP_NONE };
	if (k != MS_SPATIAL_FIRST)
		return;
	line->has_offset = touch->object != MS_SPATIAL_NO_OBJECT;
	line->offset = (int64_t)((line->line << spatial->line_shift) - touch->object);
}

static void use_bytes(struct ms_spatial *spatial, struct ms_spatial_line *line, unsigned k,
		      const struct ms_spatial_touch *touch, uint32_t cell)
{
	struct ms_spatial_residency *residency = &line->in[k];
	uint64_t mask = make_mask(spatial, touch);

	if (touch->missed > (k == MS_SPATIAL_FIRST ? 0 : spatial->levels - 1))
		begin_residency(spatial, line, k, touch, cell);
	residency->used |= mask;
	if (touch->cell->kind == MS_WIRE_READ)
		return;
	residency->written |= mask;
	if (residency->writer == MS_MAP_NONE)
		residency->writer = cell;
}

static void touch_bytes(struct ms_spatial *spatial, struct ms_spatial_line *line,
			const struct ms_spatial_touch *touch, uint32_t cell)
{
	uint64_t added = make_mask(spatial, touch) & ~line->touched;

	if (added != 0)
		ms_spatial_add_touched(&spatial->sums, cell, line, added,
				       ms_spatial_get_weight(spatial));
	line->touched |= added;
}

/*
 * Few selected lines since say little about the distance. What hits the first level is taken to hit
 * any larger cache.
 */
static void set_distance(struct ms_spatial *spatial, int64_t lines,
			 struct ms_spatial_reuse_access *access)
{
	access->distance = UINT64_MAX;
	access->shortest = access->longest = MS_ENGINE_CURVE_SIZES;
	if (lines == MS_SPATIAL_NEVER_USED)
		return;
	uint64_t weight = ms_spatial_get_weight(spatial), seen = (uint64_t)lines;

	access->distance = seen * weight << spatial->line_shift;
	access->between = (seen + (seen + 1) * (weight - 1)) << spatial->line_shift;
	access->shortest = access->longest = 0;
	while (access->shortest < MS_ENGINE_CURVE_SIZES &&
	       lines >= (int64_t)spatial->sizes[access->shortest].misses)
		access->shortest++;
	while (access->longest < MS_ENGINE_CURVE_SIZES &&
	       lines >= (int64_t)spatial->sizes[access->longest].hits)
		access->longest++;
	if (!access->missed && access->longest > spatial->first_size)
		access->longest = spatial->first_size > access->shortest ? spatial->first_size
									 : access->shortest;
}

/* A line that another processor has used since is shared, not used again. */
static void observe_reuse(struct ms_engine *engine, struct ms_spatial_line *line,
			  const struct ms_spatial_touch *touch, uint32_t cell)
{
	struct ms_spatial *spatial = engine->spatial;
	bool is_own = line->last_times[0] != 0 && line->last_agent == touch->agent;
	struct ms_spatial_reuse_access access = {
		.line = line->line,
		.line_bytes = UINT64_C(1) << spatial->line_shift,
		.from_cell = is_own ? line->last_cell : MS_MAP_NONE,
		.to_cell = cell,
		.weight = ms_spatial_get_weight(spatial),
		.missed = touch->missed > 0,
	};

	set_distance(spatial, ms_spatial_use_line(spatial, line, 0).since, &access);
	ms_spatial_add_reuse(&spatial->sums, &access);
	ms_spatial_divide_misses(engine, line, touch);
	line->last_cell = cell;
	line->last_agent = touch->agent;
}

static void observe(struct ms_engine *engine, const struct ms_spatial_touch *touch)
{
	struct ms_spatial *spatial = engine->spatial;
	uint32_t cell = ms_spatial_get_cell(&spatial->sums, touch->cell);
	uint64_t number = touch->address >> spatial->line_shift;
	uint32_t line = get_line(spatial, number, 0), first = line, last = line;

	if (touch->agent != 0) {
		first = get_line(spatial, number, touch->agent);
		last = get_line(spatial, number, touch->agent / spatial->sharers);
	}
	ms_spatial_add_access(
		&spatial->sums,
		&(struct ms_spatial_thread_access){
			.cell = cell,
			.thread = touch->thread,
			.size = touch->size,
			.weight = ms_spatial_get_weight(spatial),
			.address = touch->address,
			.object = touch->object,
			.missed = { touch->missed > 0, touch->missed == spatial->levels },
		});
	touch_bytes(spatial, &spatial->lines.at[line], touch, cell);
	if (!spatial->watches) /* distances need lines of all data */
		observe_reuse(engine, &spatial->lines.at[line], touch, cell);
	use_bytes(spatial, &spatial->lines.at[first], MS_SPATIAL_FIRST, touch, cell);
	if (!spatial->first_only)
		use_bytes(spatial, &spatial->lines.at[last], MS_SPATIAL_LAST, touch, cell);
}

void ms_spatial_finish_batch(struct ms_engine *engine, unsigned batch_index)
{
	struct ms_spatial *spatial = engine->spatial;

	if (spatial == NULL)
		return;
	struct ms_spatial_batch *batch = &spatial->batch[batch_index];

	if (batch->touches.n > 0 && batch->threshold != spatial->threshold)
		thin_lines(spatial, batch->threshold);
	for (size_t i = 0; i < batch->touches.n; i++)
		observe(engine, &batch->touches.at[i]);
	ms_spatial_observe_strides(engine, batch_index);
	batch->touches.n = 0;
}

/* --- opening --- */

static void set_sharers(struct ms_spatial *spatial, const struct ms_machine *machine)
{
	uint32_t first = machine->levels.at[0].processors,
		 last = machine->levels.at[machine->levels.n - 1].processors;
	bool by_all = last == 0 || last >= machine->processors;

	spatial->sharers = by_all ? UINT32_MAX : last / first;
}

void ms_spatial_add_processors(struct ms_spatial *spatial, const struct ms_machine *machine,
			       uint32_t thread)
{
	if (spatial == NULL)
		return;
	set_sharers(spatial, machine);
	ms_map_free(&spatial->sums.offsets_index);
	for (size_t i = 0; i < spatial->sums.offsets.n; i++) {
		struct ms_spatial_offsets *o = &spatial->sums.offsets.at[i];

		o->thread = thread;
		*ms_map_at(&spatial->sums.offsets_index, o->cell, thread) = (uint32_t)i;
	}
}

struct ms_spatial *ms_spatial_open(const struct ms_engine *engine,
				   const struct ms_engine_setup *setup)
{
	const struct ms_machine *machine = setup->machine;
	const struct ms_machine_level *first = &machine->levels.at[0],
				      *last = &machine->levels.at[machine->levels.n - 1];

	if (!engine->variant->observes_lines || first->line > 1u << MS_SPATIAL_MAX_LINE_SHIFT)
		return NULL;
	struct ms_spatial *spatial = ms_alloc(sizeof(*spatial));

	spatial->shards = engine->shards;
	spatial->batch_count = engine->batch_count;
	spatial->levels = (unsigned)machine->levels.n;
	spatial->line_shift = (uint32_t)__builtin_ctz(first->line);
	spatial->first_only = last->line != first->line;
	while (spatial->first_size < MS_ENGINE_CURVE_SIZES - 1 &&
	       (uint64_t)MS_ENGINE_CURVE_BYTES << spatial->first_size < first->size)
		spatial->first_size++;
	set_sharers(spatial, machine);
	spatial->batch = ms_alloc(spatial->batch_count * sizeof(*spatial->batch));
	for (unsigned i = 0; i < spatial->batch_count; i++)
		spatial->batch[i].next = ms_alloc(spatial->shards * sizeof(size_t));
	return spatial;
}

void ms_spatial_close(struct ms_spatial *spatial)
{
	if (spatial == NULL)
		return;
	for (unsigned i = 0; i < spatial->batch_count; i++) {
		ms_free(spatial->batch[i].next);
		ms_vec_free(&spatial->batch[i].touches);
	}
	ms_free(spatial->batch);
	ms_map_free(&spatial->index);
	ms_vec_free(&spatial->lines);
	ms_spatial_close_orders(spatial);
	ms_spatial_close_sums(&spatial->sums);
	ms_spatial_close_strides(&spatial->strides);
	ms_free(spatial);
}

void ms_spatial_set_rate(struct ms_engine *engine, uint32_t rate)
{
	struct ms_spatial *spatial = engine->spatial;

	spatial->watches = rate == MS_ENGINE_SELECT_WATCHED_LINES;
	spatial->rate = spatial->watches ? 1 : rate;
	for (unsigned i = 0; i < engine->shards; i++)
		engine->shard[i].spatial.watched.is_used = spatial->watches;
}

uint64_t ms_spatial_measure(const struct ms_spatial *spatial)
{
	if (spatial == NULL)
		return 0;
	return ms_map_bytes(&spatial->index) + spatial->lines.cap * sizeof(*spatial->lines.at) +
	       ms_spatial_measure_orders(spatial) +
	       spatial->sums.cells.cap * sizeof(*spatial->sums.cells.at) +
	       spatial->sums.offsets.cap * sizeof(*spatial->sums.offsets.at) +
	       spatial->sums.data.cap * sizeof(*spatial->sums.data.at) +
	       spatial->sums.pairs.cap * sizeof(*spatial->sums.pairs.at);
}
