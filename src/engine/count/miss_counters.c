#include "engine/count/miss_counters.h"

#include "engine/caches/line_records.h"

enum { SMALLEST_TABLE = 4 };

void ms_count_open_misses(struct ms_count_miss_table *miss_counters, unsigned levels, bool more)
{
	*miss_counters = (struct ms_count_miss_table){
		.levels = levels,
		.has_processors = more,
		.slice = { .number = 1 },
		.no_pairs =
			ms_alloc(levels * MS_COUNT_PAIR_KINDS * sizeof(struct ms_count_pair_table)),
	};
}

void ms_count_close_misses(struct ms_count_miss_table *miss_counters)
{
	ms_map_free(&miss_counters->by_site_data);
	ms_vec_free(&miss_counters->list);
	ms_free(miss_counters->no_pairs);
	miss_counters->no_pairs = NULL;
	ms_arena_free(&miss_counters->arena);
	ms_arena_free(&miss_counters->pair_arena);
	ms_vec_free(&miss_counters->with_pairs);
	ms_vec_free(&miss_counters->slice.starts);
}

size_t ms_count_get_misses_size(const struct ms_count_miss_table *miss_counters)
{
	size_t level =
		sizeof(struct ms_count_level_misses) +
		(miss_counters->has_processors ? sizeof(struct ms_count_processor_misses) : 0);

	return sizeof(struct ms_count_misses) + miss_counters->levels * level;
}

struct ms_count_misses *ms_count_new_misses(struct ms_count_miss_table *miss_counters,
					    uint32_t site, uint32_t data, uint32_t processor)
{
	struct ms_count_misses *counters = ms_arena_take_packed(
		&miss_counters->arena, ms_count_get_misses_size(miss_counters));

	counters->site = site;
	counters->data = data;
	counters->processor = processor;
	counters->pairs = miss_counters->no_pairs;
	counters->number = (uint32_t)miss_counters->list.n;
	*ms_vec_add(&miss_counters->list) = counters;
	return counters;
}

struct ms_count_misses *ms_count_get_misses(struct ms_count_miss_table *miss_counters,
					    uint32_t site, uint32_t data, uint32_t processor)
{
	uint32_t *number =
		ms_map_at(&miss_counters->by_site_data, site, (uint64_t)processor << 32 | data);

	if (*number == MS_MAP_NONE)
		*number = ms_count_new_misses(miss_counters, site, data, processor)->number;
	return miss_counters->list.at[*number];
}

/* The entry of the pair, or the empty entry for it. */
static struct ms_count_pair *find_pair(const struct ms_count_pair_table *table, uint32_t other)
{
	uint32_t i = other & table->mask;

	while (table->at[i].other_plus_1 != 0 && table->at[i].other_plus_1 != other + 1)
		i = (i + 1) & table->mask;
	return &table->at[i];
}

/* The old table stays in the arena: all old ones together are smaller than the new one. */
static void grow(struct ms_count_miss_table *miss_counters, struct ms_count_pair_table *table)
{
	uint32_t room = table->at == NULL ? SMALLEST_TABLE : (table->mask + 1) * 2;
	struct ms_count_pair_table old = *table;

	table->at = ms_arena_take(&miss_counters->pair_arena, room * sizeof(*table->at));
	table->mask = room - 1;
	for (uint32_t i = 0; old.at != NULL && i <= old.mask; i++)
		if (old.at[i].other_plus_1 != 0)
			*find_pair(table, old.at[i].other_plus_1 - 1) = old.at[i];
}

void ms_count_enter_pairs(struct ms_count_miss_table *miss_counters,
			  struct ms_count_misses *counters, unsigned level,
			  enum ms_count_pair_kind kind, uint32_t other, uint64_t count)
{
	if (counters->pairs == miss_counters->no_pairs) {
		counters->pairs = ms_arena_take(&miss_counters->pair_arena,
						miss_counters->levels * MS_COUNT_PAIR_KINDS *
							sizeof(*counters->pairs));
		*ms_vec_add(&miss_counters->with_pairs) = counters;
	}
	struct ms_count_pair_table *table = &counters->pairs[level * MS_COUNT_PAIR_KINDS + kind];

	if (table->at == NULL || table->n * 2 > table->mask)
		grow(miss_counters, table);
	struct ms_count_pair *pair = find_pair(table, other);
	table->n += pair->other_plus_1 == 0;
	pair->other_plus_1 = other + 1;
	pair->count += count;
}

/* Moves the pairs of a table to the list; returns their sum. */
static uint64_t take_table(const struct ms_count_misses *counters, unsigned level, unsigned kind,
			   struct ms_count_pair_list *list)
{
	const struct ms_count_pair_table *table =
		&counters->pairs[level * MS_COUNT_PAIR_KINDS + kind];
	uint64_t sum = 0;

	ms_vec_reserve(&list->at, table->n);
	for (uint32_t i = 0; table->at != NULL && i <= table->mask; i++) {
		if (table->at[i].other_plus_1 == 0)
			continue;
		list->at.at[list->at.n++] = (struct ms_count_pair_sum){
			.key = { .site = counters->site,
				 .data = counters->data,
				 .other = table->at[i].other_plus_1 - 1,
				 .processor = (uint16_t)counters->processor,
				 .level = (uint8_t)level,
				 .kind = (uint8_t)(kind & 1),
				 .crosses = (uint8_t)(counters->crosses & 127) },
			.count = table->at[i].count,
		};
		sum += table->at[i].count;
	}
	return sum;
}

void ms_count_take_pairs(struct ms_count_miss_table *miss_counters, struct ms_count_pair_list *list)
{
	for (size_t i = 0; i < miss_counters->with_pairs.n; i++) {
		struct ms_count_misses *counters = miss_counters->with_pairs.at[i];

		for (unsigned l = 0; l < miss_counters->levels; l++) {
			take_table(counters, l, MS_COUNT_PAIR_REPLACED_BY, list);
			counters->level[l].evictions +=
				take_table(counters, l, MS_COUNT_PAIR_EVICTS, list);
		}
		counters->pairs = miss_counters->no_pairs;
	}
	miss_counters->with_pairs.n = 0;
	ms_arena_free(&miss_counters->pair_arena);
}

void ms_count_add_misses(struct ms_count_miss_table *miss_counters,
			 struct ms_count_misses *counters, unsigned level, uint32_t record,
			 uint64_t count)
{
	ms_count_follow_slice(miss_counters, counters);
	if (record == MS_CACHES_NEVER_PRESENT) {
		counters->level[level].causes[MS_ENGINE_MISS_FIRST] += count;
		return;
	}
	if (MS_UNLIKELY(ms_caches_is_invalidated(record))) {
		counters->level[level].causes[MS_ENGINE_MISS_INVALIDATED] += count;
		return;
	}
	counters->level[level].causes[MS_ENGINE_MISS_REPLACED] += count;
	ms_count_add_pairs(miss_counters, counters, level, MS_COUNT_PAIR_REPLACED_BY,
			   ms_caches_get_record_data(record), count);
}
