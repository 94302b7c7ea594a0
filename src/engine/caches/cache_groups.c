/*
 * engine/caches/cache_groups.c - the caches of a configurable machine. They are created on first
 * use.
 */
#include <string.h>

#include "base/mem.h"
#include "engine/caches/configurable_caches.h"
#include "engine/coherence/coherence.h"

static bool is_plain(const struct ms_machine_level *level)
{
	for (size_t i = 0; i < MS_MACHINE_CHOICES; i++)
		if (ms_machine_chosen(level, i) != 0)
			return false;
	return level->prefetch == 0;
}

bool ms_caches_is_lru_write_back(const struct ms_machine *machine)
{
	for (size_t i = 0; i < machine->levels.n; i++)
		if (!is_plain(&machine->levels.at[i]))
			return false;
	return true;
}

bool ms_caches_needs_configurable(const struct ms_machine *machine)
{
	return machine->processors > 1 || !ms_caches_is_lru_write_back(machine);
}

bool ms_caches_needs_one_shard(const struct ms_machine *machine)
{
	for (size_t i = 0; i < machine->levels.n; i++)
		if (machine->levels.at[i].prefetch > 0)
			return true;
	return false;
}

/*
 * A repeated access to the most recent line of the first level is a hit that changes no state,
 * unless stores continue to the next level or bypass this one, or an inclusive level can remove the
 * line.
 */
static bool repeats_are_hits(const struct ms_machine *machine)
{
	const struct ms_machine_level *first = &machine->levels.at[0];

	for (size_t i = 1; i < machine->levels.n; i++)
		if (machine->levels.at[i].contents == MS_CONTENTS_INCLUSIVE)
			return false;
	return first->write == MS_WRITE_BACK && first->write_miss == MS_WRITE_MISS_ALLOCATE;
}

/* An access to the second most recent line is a hit as well; it only swaps these two lines. */
static bool pairs_are_hits(const struct ms_machine *machine)
{
	const struct ms_machine_level *first = &machine->levels.at[0];

	return repeats_are_hits(machine) && first->replacement == MS_REPLACEMENT_LRU &&
	       first->ways > 1;
}

/*
 * How many processors a cache of the level serves. Processors that share a cache share all levels
 * after it, so the number is rounded up to a multiple of the previous level's.
 */
static uint32_t sharers_of(const struct ms_machine *machine, size_t level, uint32_t before)
{
	uint32_t all = machine->processors > 1 ? machine->processors : 1;
	uint32_t wanted = machine->levels.at[level].processors;

	if (wanted == 0 || wanted > all)
		wanted = all;
	wanted = (wanted + before - 1) / before * before;
	return wanted < all ? wanted : (all + before - 1) / before * before;
}

static void divide_levels(struct ms_caches_configurable *configurable)
{
	const struct ms_machine *machine = &configurable->machine;
	uint32_t all = machine->processors > 1 ? machine->processors : 1, before = 1;

	for (unsigned k = 0; k < configurable->levels; k++) {
		uint32_t sharers = sharers_of(machine, k, before);

		if (k == 0 || sharers != before)
			configurable->kind[configurable->group_kinds++] =
				(struct ms_caches_group_kind){
					.first = k,
					.processors = sharers,
					.count = (all + sharers - 1) / sharers,
				};
		configurable->kind[configurable->group_kinds - 1].levels++;
		before = sharers;
	}
	for (unsigned i = 0; i < configurable->group_kinds; i++)
		configurable->kind[i].at =
			ms_alloc(configurable->kind[i].count * sizeof(*configurable->kind[i].at));
}

static struct ms_caches_group *make_group(const struct ms_caches_configurable *configurable,
					  unsigned kind, unsigned number)
{
	const struct ms_caches_group_kind *k = &configurable->kind[kind];
	struct ms_caches_group *group =
		ms_alloc(sizeof(*group) + k->levels * sizeof(group->arrays[0]));

	group->kind = kind;
	group->number = number;
	group->first = k->first;
	group->n = k->levels;
	for (unsigned i = 0; i < k->levels; i++) {
		ms_caches_open_array(&group->arrays[i], &configurable->machine, k->first + i,
				     number);
		group->arrays[i].group = group;
		group->arrays[i].word = i;
	}
	return group;
}

/*
 * Records of levels that all processors share can be in the directory, next to a line's directory
 * entry.
 */
static void assign_records(const struct ms_caches_configurable *configurable,
			   struct ms_caches_group *group)
{
	struct ms_coherence *c = configurable->coherence;

	if (group->kind == c->colocated_kind) {
		group->lines = &c->directory;
		for (unsigned i = 0; i < group->n; i++)
			group->arrays[i].word += c->colocated_word;
		return;
	}
	ms_caches_open_records(&group->own_records, group->n);
	group->lines = &group->own_records;
}

static struct ms_caches_group *group_of(struct ms_caches_configurable *configurable, unsigned kind,
					uint32_t agent)
{
	struct ms_caches_group_kind *k = &configurable->kind[kind];
	uint32_t number = agent / (k->processors / configurable->kind[0].processors);

	if (k->at[number] == NULL) {
		k->at[number] = make_group(configurable, kind, number);
		assign_records(configurable, k->at[number]);
	}
	return k->at[number];
}

struct ms_caches_array **ms_caches_open_path(struct ms_caches_configurable *configurable,
					     uint32_t agent)
{
	configurable->path[agent] = ms_alloc(configurable->levels * sizeof(**configurable->path));
	for (unsigned i = 0; i < configurable->group_kinds; i++) {
		struct ms_caches_group *group = group_of(configurable, i, agent);

		for (unsigned k = 0; k < group->n; k++)
			configurable->path[agent][group->first + k] = &group->arrays[k];
	}
	return configurable->path[agent];
}

static void copy_machine(struct ms_machine *to, const struct ms_machine *from)
{
	*to = *from;
	to->levels.at = ms_alloc(from->levels.n * sizeof(*to->levels.at));
	to->levels.cap = from->levels.n;
	memcpy(to->levels.at, from->levels.at, from->levels.n * sizeof(*to->levels.at));
}

/* With one processor all levels are one group, with the shard's records. */
struct ms_caches_configurable *ms_caches_open_configurable(const struct ms_machine *machine,
							   struct ms_caches_line_records *lines)
{
	unsigned n = (unsigned)machine->levels.n;
	struct ms_caches_configurable *configurable = ms_alloc(sizeof(*configurable));

	copy_machine(&configurable->machine, machine);
	configurable->levels = n;
	configurable->kind = ms_alloc(n * sizeof(*configurable->kind));
	configurable->covered = ms_alloc(n * sizeof(*configurable->covered));
	configurable->falsely = ms_alloc(n * sizeof(*configurable->falsely));
	configurable->old_records = ms_alloc(n * sizeof(*configurable->old_records));
	configurable->repeats_are_hits = repeats_are_hits(machine);
	configurable->pairs_are_hits = pairs_are_hits(machine);
	divide_levels(configurable);
	configurable->path = ms_alloc(configurable->kind[0].count * sizeof(*configurable->path));
	if (machine->processors <= 1) {
		configurable->kind[0].at[0] = make_group(configurable, 0, 0);
		configurable->kind[0].at[0]->lines = lines;
	}
	return configurable;
}

static void close_group(struct ms_caches_group *group)
{
	if (group == NULL)
		return;
	for (unsigned i = 0; i < group->n; i++)
		ms_caches_close_array(&group->arrays[i]);
	if (group->lines == &group->own_records)
		ms_caches_close_records(&group->own_records);
	ms_free(group);
}

void ms_caches_close_configurable(struct ms_caches_configurable *configurable)
{
	for (uint32_t i = 0; i < configurable->kind[0].count; i++)
		ms_free(configurable->path[i]);
	for (unsigned i = 0; i < configurable->group_kinds; i++) {
		for (uint32_t k = 0; k < configurable->kind[i].count; k++)
			close_group(configurable->kind[i].at[k]);
		ms_free(configurable->kind[i].at);
	}
	ms_vec_free(&configurable->machine.levels);
	ms_free(configurable->path);
	ms_free(configurable->kind);
	ms_free(configurable->covered);
	ms_free(configurable->falsely);
	ms_free(configurable->old_records);
	ms_free(configurable);
}

static uint64_t bytes_of_group(const struct ms_caches_group *group)
{
	uint64_t bytes = 0;

	for (unsigned i = 0; group != NULL && i < group->n; i++)
		bytes += sizeof(group->arrays[i]) + ms_caches_measure_array(&group->arrays[i]);
	return bytes;
}

uint64_t ms_caches_measure_records(const struct ms_caches_configurable *configurable)
{
	uint64_t bytes = 0, more;

	for (unsigned i = 0; i < configurable->group_kinds; i++)
		for (uint32_t k = 0; k < configurable->kind[i].count; k++) {
			const struct ms_caches_group *group = configurable->kind[i].at[k];

			if (group == NULL || group->lines != &group->own_records)
				continue;
			ms_caches_count_records(&group->own_records, &more);
			bytes += more;
		}
	return bytes;
}

uint64_t ms_caches_measure_configurable(const struct ms_caches_configurable *configurable)
{
	uint64_t bytes = 0;

	for (unsigned i = 0; i < configurable->group_kinds; i++)
		for (uint32_t k = 0; k < configurable->kind[i].count; k++)
			bytes += bytes_of_group(configurable->kind[i].at[k]);
	return bytes;
}
