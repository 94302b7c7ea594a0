#include "engine/caches/cache_array_update.h"

#include "base/mem.h"
#include "engine/windows/window_state.h"

/* The seed of a policy is different for each set of the machine. */
static void start_states(struct ms_caches_array *array, unsigned number, uint64_t instance)
{
	for (uint64_t set = 0; array->policy->start != NULL && set < array->set_count; set++)
		array->policy->start(array->states + set * array->state_words,
				     instance << 48 ^ (set << 8 | number));
}

static void open_policy(struct ms_caches_array *array, const struct ms_machine_level *m,
			unsigned number, uint64_t instance)
{
	array->policy = &ms_caches_policies[m->replacement];
	if (m->replacement == MS_REPLACEMENT_LRU && m->ways <= MS_CACHES_MAX_ORDERED_WAYS) {
		array->ordered_ways = m->ways;
		return;
	}
	array->state_words = array->policy->words(m->ways);
	array->states = ms_pages_alloc_dense(array->set_count * array->state_words *
					     sizeof(*array->states));
	start_states(array, number, instance);
}

void ms_caches_open_array(struct ms_caches_array *array, const struct ms_machine *machine,
			  unsigned number, uint64_t instance)
{
	const struct ms_machine_level *m = &machine->levels.at[number];
	uint64_t sets = ms_machine_sets(m);
	uint32_t hash_words = (m->ways + 7) / 8;

	*array = (struct ms_caches_array){
		.stride = sizeof(struct ms_caches_array_set) +
			  (hash_words + m->ways) * sizeof(uint64_t),
		.set_count = sets,
		.mask = (sets & (sets - 1)) == 0 ? sets - 1 : 0,
		.ways = m->ways,
		.hash_words = hash_words,
		.last_hash_mask = UINT64_MAX >> (hash_words * 8 - m->ways) * 8,
		.l1_shift = (uint32_t)__builtin_ctz(m->line) -
			    (uint32_t)__builtin_ctz(machine->levels.at[0].line),
		.write_through = m->write == MS_WRITE_THROUGH,
		.write_around = m->write_miss == MS_WRITE_MISS_AROUND,
		.inclusive = m->contents == MS_CONTENTS_INCLUSIVE,
		.exclusive = m->contents == MS_CONTENTS_EXCLUSIVE,
		.prefetches = m->prefetch > 0,
	};
	array->sets = ms_pages_alloc_dense(sets * array->stride);
	open_policy(array, m, number, instance);
	if (array->prefetches)
		ms_caches_open_streams(&array->streams, m);
}

void ms_caches_close_array(struct ms_caches_array *array)
{
	ms_engine_windows_close_array(array);
	ms_pages_free(array->sets, array->set_count * array->stride);
	ms_pages_free(array->states,
		      array->set_count * array->state_words * sizeof(*array->states));
	if (array->prefetches)
		ms_caches_close_streams(&array->streams);
}

/* An upper bound: sets that were never used take no memory. */
size_t ms_caches_measure_array(const struct ms_caches_array *array)
{
	return array->set_count * (array->stride + array->state_words * sizeof(*array->states)) +
	       array->streams.most * sizeof(*array->streams.at);
}

void ms_caches_touch_by_policy(const struct ms_caches_array *array,
			       struct ms_caches_position position)
{
	array->policy->use(array->states + position.set * array->state_words, array->ways,
			   position.way);
}

void ms_caches_fill_by_policy(const struct ms_caches_array *array,
			      struct ms_caches_position position)
{
	array->policy->fill(array->states + position.set * array->state_words, array->ways,
			    position.way);
}

uint32_t ms_caches_choose_way_by_policy(const struct ms_caches_array *array, uint64_t set)
{
	uint32_t way = ms_caches_find_way(array, ms_caches_get_set(array, set), MS_CACHES_NO_LINE);

	if (way != MS_CACHES_NO_WAY)
		return way;
	return array->policy->victim(array->states + set * array->state_words, array->ways);
}
