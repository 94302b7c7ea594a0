/*
 * engine/coherence/coherence.c - the directory: which agents hold a line, and how reads and writes
 * change its state.
 *
 * A way of an agent's first level is writable while its line is modified and no other cache has
 * lost it. A store to it changes nothing then, and needs no directory access.
 */
#include "engine/coherence/coherence.h"

#include "base/mem.h"
#include "engine/coherence/directory_entry.h"
#include "engine/engine_priv.h"

/* --- opening and closing --- */

static void release_evicted_line(const struct ms_caches_access *a,
				 const struct ms_caches_array *array, uint64_t line,
				 const uint32_t *word);

static const struct ms_caches_events events = {
	.on_load = ms_coherence_read_unit,
	.on_eviction = ms_caches_ignore_eviction,
	.on_replacement = release_evicted_line,
	.on_inclusive_eviction = ms_coherence_back_invalidate,
};

static void find_unit(struct ms_coherence *c)
{
	const struct ms_machine *machine = &c->configurable->machine;

	c->unit_bytes = machine->levels.at[0].line;
	for (unsigned i = 0; i < c->configurable->group_kinds; i++) {
		const struct ms_caches_group_kind *kind = &c->configurable->kind[i];

		if (i == 0 || kind->count > 1)
			c->unit_bytes = machine->levels.at[kind->first + kind->levels - 1].line;
	}
	c->unit_shift = (uint32_t)__builtin_ctz(c->unit_bytes) -
			(uint32_t)__builtin_ctz(machine->levels.at[0].line);
}

void ms_coherence_open(struct ms_caches_configurable *configurable)
{
	struct ms_coherence *c = ms_alloc(sizeof(*c));

	c->configurable = configurable;
	c->protocol = configurable->machine.protocol;
	c->agents = configurable->kind[0].count;
	c->private_levels = configurable->kind[0].levels;
	for (unsigned k = 0; k < c->private_levels; k++)
		c->writes_back |= configurable->machine.levels.at[k].write == MS_WRITE_BACK;
	for (unsigned i = 1; i < configurable->group_kinds; i++)
		c->clusters |= configurable->kind[i].count > 1;
	find_unit(c);
	c->holder_words = (c->agents + 31) / 32;
	c->colocated_kind = UINT32_MAX;
	c->colocated_word = MS_COHERENCE_ENTRY_HOLDERS + c->holder_words;
	const struct ms_caches_group_kind *last =
		&configurable->kind[configurable->group_kinds - 1];
	bool is_colocated = configurable->group_kinds > 1 && last->count == 1 && c->unit_shift == 0;
	if (is_colocated)
		c->colocated_kind = configurable->group_kinds - 1;
	ms_caches_open_records(&c->directory,
			       c->colocated_word + (is_colocated ? last->levels : 0));
	ms_coherence_open_invalidations(&c->invalidations, c->unit_bytes);
	configurable->coherence = c;
	configurable->events = &events;
}

void ms_coherence_close(struct ms_coherence *c)
{
	ms_caches_close_records(&c->directory);
	ms_coherence_close_invalidations(&c->invalidations);
	ms_free(c);
}

uint64_t ms_coherence_count_units(const struct ms_coherence *c, uint64_t *bytes)
{
	return ms_caches_count_records(&c->directory, bytes);
}

uint64_t ms_coherence_measure(const struct ms_coherence *c)
{
	return sizeof(*c) + c->invalidations.room * c->invalidations.stride;
}

/* --- entries --- */

static uint32_t *entry_of(struct ms_coherence *c, uint64_t unit)
{
	return ms_caches_get_record(&c->directory, unit);
}

/* Returns the first agent from this one on that holds the unit; the number of agents if there is
 * none. */
static uint32_t next_holder(const struct ms_coherence *c, const uint32_t *entry, uint32_t from)
{
	for (uint32_t i = from / 32; i < c->holder_words; i++) {
		uint32_t bits = entry[MS_COHERENCE_ENTRY_HOLDERS + i];

		if (i == from / 32)
			bits &= UINT32_MAX << from % 32;
		if (bits != 0)
			return i * 32 + (uint32_t)__builtin_ctz(bits);
	}
	return c->agents;
}

uint32_t *ms_coherence_get_entry(struct ms_coherence *c, uint64_t unit)
{
	return entry_of(c, unit);
}

/* --- caches of an agent --- */

static uint64_t first_line(const struct ms_coherence *c, uint64_t unit)
{
	return unit << c->unit_shift;
}

static uint64_t unit_lines(const struct ms_coherence *c)
{
	return UINT64_C(1) << c->unit_shift;
}

static bool is_present(const uint32_t *record, unsigned words)
{
	uint32_t any = 0;

	for (unsigned i = 0; i < words; i++)
		any |= record[i];
	return any & 1;
}

/* Returns whether any cache of the group has a line of the unit. */
static bool group_holds(const struct ms_coherence *c, struct ms_caches_group *group, uint64_t unit)
{
	uint64_t first = first_line(c, unit);

	for (uint64_t line = first; line < first + unit_lines(c); line++)
		if (is_present(ms_caches_get_record(group->lines, line), group->n))
			return true;
	return false;
}

static void count_write_back(const struct ms_caches_access *a)
{
	const struct ms_coherence *c = a->coherence;
	struct ms_count_misses *counters = ms_engine_get_miss_counters(a->shard, a->cell);

	if (c->writes_back)
		ms_count_get_processor_misses(&a->shard->counts.miss_counters, counters,
					      c->private_levels - 1)
			->write_backs++;
}

/* Call it when no cache of the agent has a line of the unit any more. */
static void release_unit(const struct ms_caches_access *a, uint32_t *entry, uint32_t agent)
{
	if (ms_coherence_release_unit(entry, a->coherence->holder_words, agent))
		count_write_back(a);
}

/* The agent's next store to the unit must access the directory. */
static void clear_writable(const struct ms_caches_access *a, uint32_t agent)
{
	const struct ms_coherence *c = a->coherence;
	const struct ms_caches_array *array = &c->configurable->kind[0].at[agent]->arrays[0];
	uint64_t first = first_line(c, a->unit);

	for (uint64_t line = first; line < first + unit_lines(c); line++) {
		struct ms_caches_array_set *at =
			ms_caches_get_set(array, ms_caches_index_set(array, line));

		if (at->writable == 0)
			continue; /* usual while agents compete for the line */
		uint32_t way = ms_caches_find_way(array, at, line);
		if (way < 64)
			at->writable &= ~(UINT64_C(1) << way);
	}
}

/* --- reads --- */

/* An agent that does not hold the unit reads what another agent has modified. */
static void share_modified(struct ms_caches_access *a, uint32_t *entry)
{
	const struct ms_coherence *c = a->coherence;
	uint32_t owner = ms_coherence_get_owner(entry);

	a->peer = c->writes_back;
	clear_writable(a, owner);
	if (c->protocol == MS_PROTOCOL_MOESI && c->writes_back) {
		ms_coherence_set_state(entry, MS_COHERENCE_UNIT_OWNED, owner);
		return;
	}
	count_write_back(a);
	ms_coherence_set_state(entry, MS_COHERENCE_UNIT_SHARED, 0);
}

void ms_coherence_read_unit(struct ms_caches_access *a, unsigned k)
{
	struct ms_coherence *c = a->coherence;

	if (k < c->private_levels)
		return;
	uint32_t *entry = a->entry;
	if (ms_coherence_is_holder(entry, a->agent))
		return;
	switch (ms_coherence_get_state(entry)) {
	case MS_COHERENCE_UNIT_MODIFIED:
		share_modified(a, entry);
		break;
	case MS_COHERENCE_UNIT_OWNED:
		a->peer = true;
		break;
	case MS_COHERENCE_UNIT_NONE:
		ms_coherence_set_state(entry,
				       c->protocol == MS_PROTOCOL_MSI ? MS_COHERENCE_UNIT_SHARED
								      : MS_COHERENCE_UNIT_EXCLUSIVE,
				       a->agent);
		break;
	default:
		ms_coherence_set_state(entry, MS_COHERENCE_UNIT_SHARED, 0);
		break;
	}
	ms_coherence_add_holder(entry, a->agent);
}

/* --- writes --- */

/* Invalidates the unit in caches between the private and the common levels, except for those on
 * the writer's path. */
static unsigned invalidate_in_clusters(const struct ms_caches_access *a, uint32_t invalidation)
{
	const struct ms_coherence *c = a->coherence;
	unsigned n = 0;

	for (unsigned i = 1; i < c->configurable->group_kinds; i++) {
		const struct ms_caches_group_kind *kind = &c->configurable->kind[i];
		const struct ms_caches_group *mine = a->path[kind->first]->group;

		for (uint32_t k = 0; k < kind->count && kind->count > 1; k++)
			if (kind->at[k] != NULL && kind->at[k] != mine)
				n += ms_caches_remove_lines(a, kind->at[k], UINT32_MAX,
							    first_line(c, a->unit), unit_lines(c),
							    invalidation);
	}
	return n;
}

static void invalidate_others(const struct ms_caches_access *a, uint32_t *entry)
{
	struct ms_coherence *c = a->coherence;
	uint32_t number = ms_coherence_add_invalidation(&c->invalidations);
	unsigned n = invalidate_in_clusters(a, number);

	for (uint32_t agent = next_holder(c, entry, 0); agent < c->agents;
	     agent = next_holder(c, entry, agent + 1)) {
		if (agent == a->agent)
			continue;
		n += ms_caches_remove_lines(a, c->configurable->kind[0].at[agent], UINT32_MAX,
					    first_line(c, a->unit), unit_lines(c), number);
		ms_coherence_remove_holder(entry, agent);
	}
	if (n == 0) {
		ms_coherence_drop_invalidation(&c->invalidations, number);
		return;
	}
	struct ms_coherence_invalidation *invalidation =
		ms_coherence_get_invalidation(&c->invalidations, number);
	invalidation->refs = n;
	invalidation->writer = ms_engine_get_miss_counters(a->shard, a->cell)->number;
	invalidation->offset = a->from;
	invalidation->object = a->object;
	invalidation->next = entry[MS_COHERENCE_ENTRY_INVALIDATIONS];
	entry[MS_COHERENCE_ENTRY_INVALIDATIONS] = number;
}

void ms_coherence_acquire_unit(struct ms_caches_access *a)
{
	struct ms_coherence *c = a->coherence;
	uint32_t *entry = a->entry;
	uint32_t state = ms_coherence_get_state(entry);
	bool held = ms_coherence_is_holder(entry, a->agent);

	if (state == MS_COHERENCE_UNIT_MODIFIED && held)
		return;
	if (held && state != MS_COHERENCE_UNIT_EXCLUSIVE)
		ms_engine_get_miss_counters(a->shard, a->cell)->upgrades++;
	if (!held && (state == MS_COHERENCE_UNIT_MODIFIED || state == MS_COHERENCE_UNIT_OWNED))
		a->peer = c->writes_back;
	if (c->clusters || ms_coherence_has_other_holders(entry, c->holder_words, a->agent))
		invalidate_others(a, entry);
	ms_coherence_set_state(entry, MS_COHERENCE_UNIT_MODIFIED, a->agent);
	ms_coherence_add_holder(entry, a->agent);
}

void ms_coherence_record_write(const struct ms_caches_access *a)
{
	struct ms_coherence *c = a->coherence;
	const uint32_t *entry = a->entry;

	for (uint32_t i = entry[MS_COHERENCE_ENTRY_INVALIDATIONS]; i != 0;
	     i = ms_coherence_get_invalidation(&c->invalidations, i)->next) {
		if (a->written != 0)
			ms_coherence_mark_written_bits(
				ms_coherence_get_invalidation(&c->invalidations, i), a->part,
				a->written);
		else
			ms_coherence_mark_written(
				ms_coherence_get_invalidation(&c->invalidations, i), a->from,
				a->to);
	}
}

void ms_coherence_mark_writable(const struct ms_caches_access *a)
{
	const uint32_t *entry = a->entry;
	const struct ms_caches_array *first = a->path[0];

	if (entry[MS_COHERENCE_ENTRY_INVALIDATIONS] != 0 || first->write_through ||
	    ms_coherence_get_state(entry) != MS_COHERENCE_UNIT_MODIFIED ||
	    ms_coherence_get_owner(entry) != a->agent)
		return;
	struct ms_caches_position position = ms_caches_find_line(first, a->line);
	if (position.way < 64)
		ms_caches_get_set(first, position.set)->writable |= UINT64_C(1) << position.way;
}

void ms_coherence_finish_write(const struct ms_caches_access *a)
{
	struct ms_coherence *c = a->coherence;
	uint32_t *entry = a->entry;

	ms_coherence_record_write(a);
	if (!group_holds(c, a->path[0]->group, a->unit)) {
		ms_coherence_remove_holder(entry, a->agent);
		ms_coherence_set_state(entry, MS_COHERENCE_UNIT_NONE, 0);
	}
	ms_coherence_mark_writable(a);
}

/* --- invalidated lines --- */

void ms_coherence_classify_miss(struct ms_caches_access *a, unsigned k)
{
	const struct ms_coherence *c = a->coherence;
	const struct ms_coherence_invalidation *invalidation = ms_coherence_get_invalidation(
		&c->invalidations, ms_caches_get_invalidation(a->old_records[k]));

	c->configurable->falsely[k] = !ms_coherence_is_written(invalidation, a->from, a->to);
	if (a->invalidated)
		return;
	a->invalidated = true;
	a->truly = !c->configurable->falsely[k];
	a->writer = invalidation->writer;
	a->writer_offset = invalidation->offset;
	a->writer_object = invalidation->object;
}

void ms_coherence_end_invalidation(const struct ms_caches_access *a, uint64_t line, uint32_t word)
{
	struct ms_coherence *c = a->coherence;
	uint32_t *entry = entry_of(c, line >> c->unit_shift);

	ms_coherence_restore_copy(&c->invalidations, &entry[MS_COHERENCE_ENTRY_INVALIDATIONS],
				  ms_caches_get_invalidation(word));
}

/* --- evicted lines --- */

/* Skips the unit of the access itself: its state is updated at the end of the access. */
void ms_coherence_evict_line(const struct ms_caches_access *a, const struct ms_caches_array *array,
			     uint64_t line, const uint32_t *word, uint32_t *entry)
{
	struct ms_coherence *c = a->coherence;
	uint64_t unit = line << array->l1_shift >> c->unit_shift;

	if (unit == a->unit)
		return;
	if (c->unit_shift == 0 ? is_present(word - array->word, array->group->n)
			       : group_holds(c, array->group, unit))
		return;
	release_unit(a, entry != NULL ? entry : entry_of(c, unit), a->agent);
}

/* Only private levels of an agent have a state in the directory. */
static void release_evicted_line(const struct ms_caches_access *a,
				 const struct ms_caches_array *array, uint64_t line,
				 const uint32_t *word)
{
	if (array->group->kind == 0)
		ms_coherence_evict_line(a, array, line, word, NULL);
}

static bool is_under(const struct ms_caches_configurable *configurable,
		     const struct ms_caches_group *outer, uint32_t kind, uint32_t number)
{
	return number / (configurable->kind[outer->kind].processors /
			 configurable->kind[kind].processors) ==
	       outer->number;
}

static void back_invalidate_agents(const struct ms_caches_access *a, unsigned k, uint64_t line,
				   uint64_t lines)
{
	struct ms_coherence *c = a->coherence;
	uint64_t unit = line >> c->unit_shift;
	uint32_t *entry = entry_of(c, unit);

	for (uint32_t agent = next_holder(c, entry, 0); agent < c->agents;
	     agent = next_holder(c, entry, agent + 1)) {
		struct ms_caches_group *group = c->configurable->kind[0].at[agent];

		if (!is_under(c->configurable, a->path[k]->group, 0, agent))
			continue;
		ms_caches_remove_lines(a, group, k, line, lines, 0);
		if ((unit != a->unit || agent != a->agent) && !group_holds(c, group, unit))
			release_unit(a, entry, agent);
	}
}

void ms_coherence_back_invalidate(const struct ms_caches_access *a, unsigned k, uint64_t line,
				  uint64_t lines)
{
	const struct ms_coherence *c = a->coherence;
	const struct ms_caches_group *outer = a->path[k]->group;
	uint64_t step = lines < unit_lines(c) ? lines : unit_lines(c);

	for (uint64_t at = line; at < line + lines && outer->kind > 0; at += step)
		back_invalidate_agents(a, k, at, step);
	for (unsigned i = 1; i < outer->kind; i++) {
		const struct ms_caches_group_kind *kind = &c->configurable->kind[i];

		for (uint32_t n = 0; n < kind->count; n++)
			if (kind->at[n] != NULL && is_under(c->configurable, outer, i, n))
				ms_caches_remove_lines(a, kind->at[n], k, line, lines, 0);
	}
}
