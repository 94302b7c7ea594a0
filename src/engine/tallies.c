#include "engine/tallies.h"

#include "engine/lines.h"

enum { SMALLEST_TABLE = 4 };

void ms_tallies_open(struct tallies *tallies, unsigned levels, bool more)
{
	*tallies = (struct tallies){
		.levels = levels,
		.more = more,
		.no_pairs = ms_alloc(levels * PAIR_KINDS * sizeof(struct pair_table)),
	};
}

void ms_tallies_close(struct tallies *tallies)
{
	ms_map_free(&tallies->by_site_data);
	ms_vec_free(&tallies->list);
	ms_free(tallies->no_pairs);
	tallies->no_pairs = NULL;
	ms_arena_free(&tallies->arena);
	ms_arena_free(&tallies->pair_arena);
	ms_vec_free(&tallies->with_pairs);
}

size_t ms_tally_size(const struct tallies *tallies)
{
	size_t level = sizeof(struct tally_level) + (tallies->more ? sizeof(struct tally_more) : 0);

	return sizeof(struct tally) + tallies->levels * level;
}

struct tally *ms_tallies_add(struct tallies *tallies, uint32_t site, uint32_t data,
			     uint32_t processor)
{
	struct tally *tally = ms_arena_take_packed(&tallies->arena, ms_tally_size(tallies));

	tally->site = site;
	tally->data = data;
	tally->processor = processor;
	tally->pairs = tallies->no_pairs;
	tally->number = (uint32_t)tallies->list.n;
	*ms_vec_add(&tallies->list) = tally;
	return tally;
}

struct tally *ms_tallies_at(struct tallies *tallies, uint32_t site, uint32_t data,
			    uint32_t processor)
{
	uint32_t *number =
		ms_map_at(&tallies->by_site_data, site, (uint64_t)processor << 32 | data);

	if (*number == MS_MAP_NONE)
		*number = ms_tallies_add(tallies, site, data, processor)->number;
	return tallies->list.at[*number];
}

/* Where the pair stands, or may be entered. */
static struct pair *find_pair(const struct pair_table *table, uint32_t other)
{
	uint32_t i = other & table->mask;

	while (table->at[i].other_plus_1 != 0 && table->at[i].other_plus_1 != other + 1)
		i = (i + 1) & table->mask;
	return &table->at[i];
}

/* The old table stays in the arena: together such are no larger than the new one. */
static void grow(struct tallies *tallies, struct pair_table *table)
{
	uint32_t room = table->at == NULL ? SMALLEST_TABLE : (table->mask + 1) * 2;
	struct pair_table old = *table;

	table->at = ms_arena_take(&tallies->pair_arena, room * sizeof(*table->at));
	table->mask = room - 1;
	for (uint32_t i = 0; old.at != NULL && i <= old.mask; i++)
		if (old.at[i].other_plus_1 != 0)
			*find_pair(table, old.at[i].other_plus_1 - 1) = old.at[i];
}

void ms_tallies_add_pair(struct tallies *tallies, struct tally *tally, unsigned level,
			 enum pair_kind kind, uint32_t other, uint64_t count)
{
	if (tally->pairs == tallies->no_pairs) {
		tally->pairs = ms_arena_take(&tallies->pair_arena,
					     tallies->levels * PAIR_KINDS * sizeof(*tally->pairs));
		*ms_vec_add(&tallies->with_pairs) = tally;
	}
	struct pair_table *table = &tally->pairs[level * PAIR_KINDS + kind];

	if (table->at == NULL || table->n * 2 > table->mask)
		grow(tallies, table);
	struct pair *pair = find_pair(table, other);
	table->n += pair->other_plus_1 == 0;
	pair->other_plus_1 = other + 1;
	pair->count += count;
}

/* Their sum. */
static uint64_t take_table(const struct tally *tally, unsigned level, unsigned kind,
			   struct pair_list *list)
{
	const struct pair_table *table = &tally->pairs[level * PAIR_KINDS + kind];
	uint64_t sum = 0;

	ms_vec_reserve(&list->at, table->n);
	for (uint32_t i = 0; table->at != NULL && i <= table->mask; i++) {
		if (table->at[i].other_plus_1 == 0)
			continue;
		list->at.at[list->at.n++] = (struct pair_count){
			.key = { .site = tally->site,
				 .data = tally->data,
				 .other = table->at[i].other_plus_1 - 1,
				 .processor = (uint16_t)tally->processor,
				 .level = (uint8_t)level,
				 .kind = (uint8_t)(kind & 1),
				 .crosses = (uint8_t)(tally->crosses & 127) },
			.count = table->at[i].count,
		};
		sum += table->at[i].count;
	}
	return sum;
}

void ms_tallies_take_pairs(struct tallies *tallies, struct pair_list *list)
{
	for (size_t i = 0; i < tallies->with_pairs.n; i++) {
		struct tally *tally = tallies->with_pairs.at[i];

		for (unsigned l = 0; l < tallies->levels; l++) {
			take_table(tally, l, PAIR_REPLACED_BY, list);
			tally->level[l].evictions += take_table(tally, l, PAIR_EVICTS, list);
		}
		tally->pairs = tallies->no_pairs;
	}
	tallies->with_pairs.n = 0;
	ms_arena_free(&tallies->pair_arena);
}

void ms_tally_misses(struct tallies *tallies, struct tally *tally, unsigned level, uint32_t record,
		     uint64_t count)
{
	if (record == MS_LINE_NEVER) {
		tally->level[level].causes[MS_MISS_FIRST] += count;
		return;
	}
	if (MS_UNLIKELY(ms_line_is_lost(record))) {
		tally->level[level].causes[MS_MISS_INVALIDATED] += count;
		return;
	}
	tally->level[level].causes[MS_MISS_REPLACED] += count;
	ms_tally_pairs(tallies, tally, level, PAIR_REPLACED_BY, ms_line_data(record), count);
}
