/*
 * engine/caches/configurable_caches.c - accesses in levels with any policies of replacement,
 * writing and inclusion.
 *
 * A load looks the line up level by level until one has it. Then the line is filled into the levels
 * before that one, the farthest first. A store is a load up to the first level that allocates on a
 * store; it bypasses the levels before. After a level that writes through, the store continues to
 * the next level. The program does not wait for such a store: it changes the contents of levels,
 * and no miss is counted.
 *
 * A line is in at most one of a level and the exclusive levels after it. It leaves those when it is
 * filled into that level, and only lines that this level evicts return to them. Its record there
 * says "present" also while the line is nearer to the processor, in the same group. An exclusive
 * cache that serves several groups can hold a line that another of these groups has, too. A line
 * that moves from it to a group is counted as evicted by that reference, and a line that returns to
 * it can already be present.
 */
#include "engine/caches/cache_access.h"

#include <assert.h>

#include "engine/coherence/coherence.h"
#include "engine/engine_priv.h"
#include "engine/variant_priv.h"
#include "wire/wire.h"

/* --- one level --- */

static bool find_and_use(const struct ms_caches_access *a, unsigned k,
			 struct ms_caches_position *position)
{
	const struct ms_caches_array *array = a->path[k];

	*position = ms_caches_find_line(array, a->line >> array->l1_shift);
	if (position->way == MS_CACHES_NO_WAY)
		return false;
	ms_caches_touch_way(array, *position);
	return true;
}

static void note_miss(struct ms_caches_access *a, unsigned k)
{
	struct ms_caches_array *array = a->path[k];
	uint64_t line = a->line >> array->l1_shift;

	if (!a->stalls)
		return;
	a->old_records[k] = *ms_caches_get_record_word(array, line);
	assert((a->old_records[k] & 1) == 0); /* evicted, invalidated, or never present */
	a->covered[k] = array->prefetches && ms_caches_observe_miss(&array->streams, line);
	a->missed = k + 1;
	if (MS_UNLIKELY(ms_caches_is_invalidated(a->old_records[k])))
		ms_coherence_classify_miss(a, k);
}

/* --- events without a consumer --- */

void ms_caches_ignore_load(struct ms_caches_access *a, unsigned k)
{
	(void)a;
	(void)k;
}

void ms_caches_ignore_eviction(const struct ms_caches_access *a, unsigned k, uint64_t address,
			       uint32_t owner)
{
	(void)a;
	(void)k;
	(void)address;
	(void)owner;
}

void ms_caches_ignore_replacement(const struct ms_caches_access *a,
				  const struct ms_caches_array *array, uint64_t line,
				  const uint32_t *word)
{
	(void)a;
	(void)array;
	(void)line;
	(void)word;
}

void ms_caches_ignore_inclusive_eviction(const struct ms_caches_access *a, unsigned k,
					 uint64_t line, uint64_t lines)
{
	(void)a;
	(void)k;
	(void)line;
	(void)lines;
}

const struct ms_caches_events ms_caches_no_events = {
	.on_load = ms_caches_ignore_load,
	.on_eviction = ms_caches_ignore_eviction,
	.on_replacement = ms_caches_ignore_replacement,
	.on_inclusive_eviction = ms_caches_ignore_inclusive_eviction,
};

/* --- evictions and fills --- */

uint32_t ms_caches_evict_line(const struct ms_caches_access *a, unsigned k, uint32_t *word)
{
	uint32_t owner = ms_caches_get_record_data(*word);

	ms_count_add_pair(&a->shard->counts.miss_counters,
			  ms_engine_get_miss_counters(a->shard, a->cell), k, MS_COUNT_PAIR_EVICTS,
			  owner);
	ms_count_add_lines(&a->shard->counts.line_changes, k, owner, -1);
	*word = ms_caches_make_evicted(a->cell->data);
	return owner;
}

/* The same, and reports the event; line: at the cache's line size. */
static uint32_t evict(const struct ms_caches_access *a, unsigned k,
		      const struct ms_caches_array *array, uint64_t line, uint32_t *word)
{
	uint32_t owner = ms_caches_evict_line(a, k, word);

	a->events->on_eviction(a, k, line << (array->l1_shift + a->shard->first_shift), owner);
	return owner;
}

/*
 * Cache i of a group loses a line: the records of exclusive levels after it say "present", because
 * the line would have returned to them.
 */
static unsigned remove_from_exclusive(const struct ms_caches_access *a,
				      const struct ms_caches_group *group, unsigned i,
				      unsigned level, uint32_t *word, uint32_t invalidation)
{
	unsigned n = 0;

	for (unsigned j = i + 1; j < group->n && group->first + j < level; j++) {
		uint32_t *other = word + (j - i);

		if (!group->arrays[j].exclusive)
			break;
		if ((*other & 1) == 0)
			continue;
		*other = invalidation != 0 ? ms_caches_make_invalidated(invalidation)
					   : ms_caches_make_evicted(a->cell->data);
		n++;
	}
	return n;
}

unsigned ms_caches_remove_lines(const struct ms_caches_access *a, struct ms_caches_group *group,
				unsigned level, uint64_t line, uint64_t lines,
				uint32_t invalidation)
{
	unsigned n = 0;

	for (unsigned i = group->n; i-- > 0;) {
		const struct ms_caches_array *array = &group->arrays[i];

		if (group->first + i >= level)
			continue;
		for (uint64_t at = line >> array->l1_shift;
		     at <= (line + lines - 1) >> array->l1_shift; at++) {
			struct ms_caches_position position = ms_caches_find_line(array, at);

			if (position.way == MS_CACHES_NO_WAY)
				continue;
			uint32_t *word = ms_caches_get_record_word(array, at);
			if (invalidation == 0) {
				evict(a, group->first + i, array, at, word);
			} else {
				ms_count_add_lines(&a->shard->counts.line_changes, group->first + i,
						   ms_caches_get_record_data(*word), -1);
				*word = ms_caches_make_invalidated(invalidation);
			}
			ms_caches_empty_way(array, position);
			n += 1 + remove_from_exclusive(a, group, i, level, word, invalidation);
		}
	}
	return n;
}

/* An inclusive cache has lost a line: all nearer caches that it serves lose it, too. */
static void evict_inner_copies(const struct ms_caches_access *a, unsigned k, uint64_t line)
{
	const struct ms_caches_array *array = a->path[k];
	uint64_t first = line << array->l1_shift, lines = UINT64_C(1) << array->l1_shift;

	ms_caches_remove_lines(a, array->group, k, first, lines, 0);
	a->events->on_inclusive_eviction(a, k, first, lines);
}

static struct ms_caches_position make_room(const struct ms_caches_access *a, unsigned k,
					   uint64_t line);

static void fill(const struct ms_caches_access *a, unsigned k, uint64_t line, uint32_t *word,
		 uint32_t owner)
{
	struct ms_caches_position position = make_room(a, k, line);

	if (MS_UNLIKELY(ms_caches_is_invalidated(*word)))
		ms_coherence_end_invalidation(a, line << a->path[k]->l1_shift, *word);
	*word = ms_caches_make_present(owner);
	ms_caches_fill_way(a->path[k], position, line);
	ms_count_add_lines(&a->shard->counts.line_changes, k, owner, 1);
}

/* A line that the level evicts is filled into the exclusive level after it. */
static void return_to_exclusive(const struct ms_caches_access *a, unsigned k, uint64_t line,
				uint32_t *word, uint32_t owner)
{
	const struct ms_caches_array *from = a->path[k], *to = a->path[k + 1];
	struct ms_caches_position position = ms_caches_find_line(to, line);

	word = to->group == from->group ? word + 1 : ms_caches_get_record_word(to, line);
	if (position.way == MS_CACHES_NO_WAY) {
		fill(a, k + 1, line, word, owner);
		return;
	}
	ms_count_replace_line(&a->shard->counts.line_changes, k + 1, owner,
			      ms_caches_get_record_data(*word));
	*word = ms_caches_make_present(owner);
	ms_caches_touch_way(to, position);
}

static void evict_position(const struct ms_caches_access *a, unsigned k,
			   struct ms_caches_position position)
{
	const struct ms_caches_array *array = a->path[k];
	uint64_t line = ms_caches_get_line(array, position);
	uint32_t *word = ms_caches_get_record_word(array, line);
	uint32_t owner = evict(a, k, array, line, word);

	ms_caches_empty_way(array, position);
	if (array->inclusive)
		evict_inner_copies(a, k, line);
	if (k + 1 < a->levels && a->path[k + 1]->exclusive)
		return_to_exclusive(a, k, line, word, owner);
	a->events->on_replacement(a, array, line, word);
}

/* Returns an empty way of the line's set. */
static struct ms_caches_position make_room(const struct ms_caches_access *a, unsigned k,
					   uint64_t line)
{
	const struct ms_caches_array *array = a->path[k];
	struct ms_caches_position position =
		ms_caches_choose_way(array, ms_caches_index_set(array, line));

	if (ms_caches_get_line(array, position) != MS_CACHES_NO_LINE)
		evict_position(a, k, position);
	return position;
}

/* --- loads and stores --- */

/* The line moves from an exclusive level to a nearer one. */
static void take_from_exclusive_level(const struct ms_caches_access *a, unsigned k,
				      struct ms_caches_position position)
{
	const struct ms_caches_array *array = a->path[k];
	uint32_t *word = ms_caches_get_record_word(array, ms_caches_get_line(array, position));
	unsigned to = k - 1;

	ms_count_add_lines(&a->shard->counts.line_changes, k, ms_caches_get_record_data(*word), -1);
	while (a->path[to]->exclusive)
		to--;
	if (array->group != a->path[to]->group)
		*word = ms_caches_make_evicted(a->cell->data);
	ms_caches_empty_way(array, position);
}

/*
 * Fills the line into `from`, which is not exclusive, and into the levels up to the one that has
 * it.
 */
static void load(struct ms_caches_access *a, unsigned from)
{
	struct ms_caches_position position = { 0, MS_CACHES_NO_WAY };
	unsigned k = from;

	while (k < a->levels && !find_and_use(a, k, &position))
		note_miss(a, k++);
	a->events->on_load(a, k);
	if (k > from && k < a->levels && a->path[k]->exclusive)
		take_from_exclusive_level(a, k, position);
	while (k-- > from) {
		const struct ms_caches_array *array = a->path[k];
		uint64_t line = a->line >> array->l1_shift;

		if (!array->exclusive)
			fill(a, k, line, ms_caches_get_record_word(array, line), a->cell->data);
	}
}

void ms_caches_load_line(struct ms_caches_access *a)
{
	load(a, 0);
}

void ms_caches_store_line(struct ms_caches_access *a)
{
	struct ms_caches_position position;

	for (unsigned k = 0; k < a->levels; k++) {
		const struct ms_caches_array *array = a->path[k];

		if (!find_and_use(a, k, &position)) {
			if (array->write_around || array->exclusive) {
				note_miss(a, k);
				continue;
			}
			load(a, k);
		}
		if (!array->write_through)
			break;
		a->stalls = false;
	}
}

/* --- one processor --- */

/*
 * Most accesses hit the first level. Then only its order of use changes, unless the store continues
 * to the next level.
 */
static bool is_simple_hit(struct ms_caches_array **path, const struct ms_count_cell *cell,
			  uint64_t line)
{
	const struct ms_caches_array *first = path[0];
	struct ms_caches_position position = ms_caches_find_line(first, line);

	if (position.way == MS_CACHES_NO_WAY ||
	    (cell->kind != MS_WIRE_READ && first->write_through))
		return false;
	ms_caches_touch_way(first, position);
	return true;
}

unsigned ms_caches_access_line(struct ms_engine_shard *shard, struct ms_count_cell *cell,
			       uint64_t line)
{
	struct ms_caches_array **path = ms_caches_get_path(shard->configurable, 0);

	if (is_simple_hit(path, cell, line))
		return 0;
	struct ms_caches_access a = {
		.shard = shard,
		.path = path,
		.levels = shard->levels,
		.cell = cell,
		.line = line,
		.stalls = true,
		.old_records = shard->configurable->old_records,
		.covered = shard->configurable->covered,
		.events = shard->configurable->events,
	};

	if (cell->kind != MS_WIRE_WRITE)
		ms_caches_load_line(&a);
	if (cell->kind != MS_WIRE_READ)
		ms_caches_store_line(&a);
	if (a.missed > 0)
		__atomic_store_n(&shard->caches.misses, shard->caches.misses + 1, __ATOMIC_RELAXED);
	return a.missed;
}

/* A reference misses a level once; its first line that misses is counted. */
static void simulate_span(struct ms_engine_shard *shard, unsigned batch_index,
			  const struct ms_filter_pending *first,
			  const struct ms_filter_phase_span *span, size_t to)
{
	const struct ms_caches_configurable *configurable = shard->configurable;
	struct ms_caches_miss f = { .phase = span->phase };
	unsigned missed = 0;

	for (size_t i = span->from; i < to; i++) {
		f.line = first[i].line & ~(MS_FILTER_SAME_REFERENCE | MS_FILTER_SPLIT_REFERENCE);
		f.cell = first[i].cell;
		f.split = (first[i].line & MS_FILTER_SPLIT_REFERENCE) != 0;
		if ((first[i].line & MS_FILTER_SAME_REFERENCE) == 0) {
			f.reference = (uint32_t)i;
			missed = 0;
		}
		unsigned now = ms_caches_access_line(shard, f.cell, f.line);
		ms_timing_record_miss(shard, batch_index, &f, now);
		ms_call_paths_record_miss(shard, batch_index, &f, now);
		ms_spatial_record_miss(shard, batch_index, i, now);
		for (; missed < now; missed++) {
			ms_engine_count_miss(shard, batch_index, &f, missed,
					     configurable->old_records[missed]);
			if (configurable->covered[missed])
				ms_engine_get_miss_counters(shard, f.cell)->level[missed].covered++;
		}
	}
}

void ms_caches_open_configurable_shard(struct ms_engine_shard *shard,
				       const struct ms_engine_setup *setup)
{
	shard->configurable = ms_caches_open_configurable(setup->machine, &shard->caches.lines);
	shard->configurable->events = &ms_caches_no_events;
	shard->filter.keeps_all = !shard->configurable->repeats_are_hits;
}

void ms_caches_close_configurable_shard(struct ms_engine_shard *shard)
{
	ms_caches_close_configurable(shard->configurable);
}

uint64_t ms_caches_measure_configurable_shard(const struct ms_engine_shard *shard)
{
	return ms_caches_measure_configurable(shard->configurable);
}

void ms_caches_simulate_configurable(struct ms_engine_shard *shard, unsigned batch_index)
{
	const struct ms_filter_pending_list *share = ms_engine_get_share(shard, batch_index);

	for (size_t i = 0; i < share->spans.n; i++) {
		const struct ms_filter_phase_span *s = &share->spans.at[i];
		size_t to = ms_filter_find_span_end(share, i);

		simulate_span(shard, batch_index, share->at, s, to);
	}
}
