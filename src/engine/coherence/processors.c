#include "engine/coherence/processors.h"

#include "engine/coherence/coherence.h"
#include "engine/coherence/processor_simulation.h"
#include "engine/engine_priv.h"
#include "engine/variant_priv.h"

/* --- opening and closing --- */

/* Windows need a simulation access by access (ms_coherence_simulate_windows()). */
static void choose_slice_impl(struct ms_coherence_processors *p,
			      const struct ms_caches_configurable *configurable)
{
	p->slice_impl = &ms_coherence_any_slices;
	if (p->in_windows || !ms_coherence_is_simple(configurable))
		return;
	p->slice_impl = &ms_coherence_simple_slices;
	p->slice_simulation = ms_coherence_open_slice_simulation(configurable);
}

static struct ms_coherence_processors *new_processors(const struct ms_engine_shard *shard,
						      const struct ms_machine *machine)
{
	struct ms_coherence_processors *p = ms_alloc(sizeof(*p));
	const struct ms_caches_group_kind *agents = &shard->configurable->kind[0];

	p->in_windows = shard->engine->variant->has_windows;
	p->count = machine->processors;
	p->sharers = agents->processors;
	p->at = ms_alloc(p->count * sizeof(*p->at));
	p->weight = MS_COUNT_WEIGHT_UNIT;
	p->registration_epoch = 1;
	p->recent = ms_alloc(agents->count * sizeof(*p->recent));
	p->listeners = ms_alloc(agents->count * sizeof(*p->listeners));
	p->sets = ms_machine_sets(&machine->levels.at[0]);
	p->order_pending = ms_alloc(agents->count * sizeof(*p->order_pending));
	p->unbound = ms_alloc(MS_FILTER_UNBOUND_CAPACITY * sizeof(*p->unbound));
	p->kept_before = 1;
	p->notes = ms_alloc(shard->engine->batch_count * sizeof(*p->notes));
	choose_slice_impl(p, shard->configurable);
	ms_count_open_threads(&p->thread_references, shard->levels);
	ms_count_open_threads(&p->threads, shard->levels);
	return p;
}

static void close_processor(struct ms_coherence_processor *processor)
{
	if (processor == NULL)
		return;
	ms_count_close_cells(&processor->cells);
	ms_vec_free(&processor->exits);
	ms_vec_free(&processor->ref_states);
	ms_vec_free(&processor->loops);
	ms_vec_free(&processor->window_cells.at);
	ms_arena_free(&processor->arena);
	ms_free(processor);
}

static void free_processors(struct ms_coherence_processors *p, unsigned batch_count)
{
	for (uint32_t i = 0; i < p->count; i++)
		close_processor(p->at[i]);
	for (unsigned i = 0; i < batch_count; i++) {
		ms_vec_free(&p->notes[i].split_misses);
		ms_vec_free(&p->notes[i].memory);
	}
	ms_free(p->batch.at);
	ms_vec_free(&p->batch.slices);
	ms_vec_free(&p->blocks);
	ms_vec_free(&p->first_exits);
	ms_vec_free(&p->exits);
	for (size_t i = 0; i < p->active_agents.n; i++)
		ms_free(p->recent[p->active_agents.at[i]]);
	ms_vec_free(&p->active_agents);
	ms_coherence_close_slice_simulation(p->slice_simulation);
	ms_count_close_threads(&p->thread_references);
	ms_count_close_threads(&p->threads);
	ms_coherence_close_sharing(&p->sharing);
	ms_arena_free(&p->changes.arena);
	ms_free(p->recent);
	ms_free(p->listeners);
	ms_free(p->order_pending);
	ms_free(p->unbound);
	ms_free(p->notes);
	ms_free(p->at);
	ms_free(p);
}

static uint64_t bytes_of_processor(const struct ms_coherence_processor *p)
{
	if (p == NULL)
		return 0;
	return sizeof(*p) + ms_count_measure_cells(&p->cells) +
	       p->exits.cap * sizeof(*p->exits.at) + p->ref_states.cap * sizeof(*p->ref_states.at) +
	       p->loops.cap * sizeof(*p->loops.at) + p->arena.taken;
}

static uint64_t bytes_of_processors(const struct ms_coherence_processors *p, unsigned batch_count)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < p->count; i++)
		bytes += bytes_of_processor(p->at[i]);
	for (unsigned i = 0; i < batch_count; i++)
		bytes += p->notes[i].split_misses.cap * sizeof(struct ms_coherence_split_miss) +
			 p->notes[i].memory.cap * sizeof(struct ms_coherence_memory_access);
	return bytes + sizeof(*p) + p->active_agents.n * p->sets * sizeof(**p->recent) +
	       MS_FILTER_UNBOUND_CAPACITY * sizeof(*p->unbound) +
	       p->blocks.cap * sizeof(*p->blocks.at) +
	       p->first_exits.cap * sizeof(*p->first_exits.at) +
	       p->exits.cap * sizeof(*p->exits.at) +
	       ms_count_measure_threads(&p->thread_references) +
	       ms_count_measure_threads(&p->threads) + ms_coherence_measure_sharing(&p->sharing) +
	       p->changes.arena.taken;
}

void ms_coherence_open_shard(struct ms_engine_shard *shard, const struct ms_engine_setup *setup)
{
	ms_caches_open_configurable_shard(shard, setup);
	ms_coherence_open(shard->configurable);
	shard->processors = new_processors(shard, setup->machine);
}

void ms_coherence_close_shard(struct ms_engine_shard *shard)
{
	free_processors(shard->processors, shard->engine->batch_count);
	ms_coherence_close(shard->configurable->coherence);
	ms_caches_close_configurable_shard(shard);
}

uint64_t ms_coherence_measure_shard(const struct ms_engine_shard *shard)
{
	return ms_caches_measure_configurable_shard(shard) +
	       ms_coherence_measure(shard->configurable->coherence) +
	       bytes_of_processors(shard->processors, shard->engine->batch_count);
}

void ms_coherence_open_engine(struct ms_engine *engine, const struct ms_engine_setup *setup)
{
	struct ms_coherence_engine_state *c = &engine->coherence;

	c->batches = ms_alloc(engine->batch_count * sizeof(*c->batches));
	ms_count_open_threads(&c->threads, (unsigned)setup->machine->levels.n);
	ms_address_map_open_numa(&c->placement, setup->machine);
}

void ms_coherence_close_engine(struct ms_engine *engine)
{
	struct ms_coherence_engine_state *c = &engine->coherence;

	for (unsigned i = 0; i < engine->batch_count; i++) {
		ms_free(c->batches[i].at);
		ms_vec_free(&c->batches[i].slices);
	}
	ms_free(c->batches);
	ms_count_close_threads(&c->threads);
	ms_address_map_close_numa(&c->placement);
}

uint64_t ms_coherence_measure_engine(const struct ms_engine *engine)
{
	const struct ms_coherence_engine_state *c = &engine->coherence;
	uint64_t bytes =
		ms_count_measure_threads(&c->threads) + ms_address_map_measure_numa(&c->placement);

	for (unsigned i = 0; i < engine->batch_count; i++)
		bytes += c->batches[i].room * sizeof(*c->batches[i].at) +
			 c->batches[i].slices.cap * sizeof(*c->batches[i].slices.at);
	return bytes;
}

/* --- state of each processor --- */

void ms_coherence_reset_recent_lines(struct ms_coherence_recent_lines *recent, uint64_t sets)
{
	for (uint64_t i = 0; i < sets; i++)
		recent[i] = (struct ms_coherence_recent_lines){ .line = { MS_CACHES_NO_LINE,
									  MS_CACHES_NO_LINE } };
}

static void open_recent(struct ms_engine_shard *shard, uint32_t agent)
{
	struct ms_coherence_processors *p = shard->processors;
	uint64_t sets = p->sets;

	if (p->recent[agent] != NULL)
		return;
	p->recent[agent] = ms_alloc(sets * sizeof(**p->recent));
	ms_coherence_reset_recent_lines(p->recent[agent], sets);
	*ms_vec_add(&p->active_agents) = agent;
}

void ms_coherence_reset_filters(struct ms_engine_shard *shard)
{
	struct ms_coherence_processors *p = shard->processors;

	for (size_t i = 0; i < p->active_agents.n; i++)
		ms_coherence_reset_recent_lines(p->recent[p->active_agents.at[i]], p->sets);
}

struct ms_coherence_processor *ms_coherence_get_processor(struct ms_engine_shard *shard,
							  uint32_t number)
{
	struct ms_coherence_processors *p = shard->processors;

	if (p->at[number] == NULL) {
		struct ms_coherence_processor *new = ms_alloc(sizeof(*new));

		new->number = number;
		new->agent = number / p->sharers;
		ms_count_open_cells(&new->cells, shard->engine->shards, number, p->in_windows);
		p->at[number] = new;
		open_recent(shard, new->agent);
	}
	return p->at[number];
}

void ms_coherence_add_block(struct ms_engine_shard *shard, const struct ms_engine_block *block)
{
	struct ms_coherence_processors *p = shard->processors;
	uint32_t number = (uint32_t)p->blocks.n;

	*ms_vec_add(&p->blocks) = block;
	*ms_vec_add(&p->first_exits) = (uint32_t)p->exits.n;
	for (uint32_t i = 0; i < block->exits; i++)
		*ms_vec_add(&p->exits) = (struct ms_coherence_block_exit){ number, i };
	for (uint32_t i = 0; i < block->refs; i++) {
		uint32_t lines = (block->ref[i].size >> shard->first_shift) + 2;

		if (lines > shard->filter.most_lines)
			shard->filter.most_lines = lines;
	}
}

static uint8_t room_of(const struct ms_engine_shard *shard, uint32_t reach)
{
	uint32_t line = UINT32_C(1) << shard->first_shift;

	return line <= 64 && reach < line ? (uint8_t)(line - reach) : 0;
}

struct ms_coherence_ref_state *ms_coherence_get_ref_states(struct ms_engine_shard *shard,
							   struct ms_coherence_processor *processor,
							   uint32_t block)
{
	const struct ms_engine_block *b = shard->processors->blocks.at[block];

	if (processor->ref_states.n <= block) {
		ms_vec_reserve(&processor->ref_states, block + 1 - processor->ref_states.n);
		processor->ref_states.n = block + 1;
	}
	if (processor->ref_states.at[block] != NULL)
		return processor->ref_states.at[block];
	/* One more, because a block without references must not get NULL. */
	struct ms_coherence_ref_state *ref_states =
		ms_arena_take(&processor->arena, (b->refs + 1) * sizeof(*ref_states));
	for (uint32_t i = 0; i < b->refs; i++) {
		uint16_t reach = b->ref[i].size > 0 ? (uint16_t)(b->ref[i].size - 1) : 0;

		ref_states[i] = (struct ms_coherence_ref_state){
			.range = &shard->address_map.empty_range,
			.block = block,
			.reach = reach,
			.kind = (uint8_t)b->ref[i].kind,
			.room = room_of(shard, reach),
			.site = b->ref[i].site,
		};
	}
	processor->ref_states.at[block] = ref_states;
	return ref_states;
}

/* --- events --- */

void ms_coherence_set_busy_processors(struct ms_engine_shard *shard, uint32_t processors)
{
	shard->processors->weight = MS_COUNT_WEIGHT_UNIT / (processors > 0 ? processors : 1);
}

static void change(struct ms_engine_shard *shard, const struct ms_address_map_numa_change *change)
{
	if (shard->engine->coherence.placement.nodes > 1)
		ms_address_map_add_numa_change(&shard->processors->changes, change);
}

void ms_coherence_set_placement(struct ms_engine_shard *shard, uint64_t start, uint64_t end,
				enum ms_machine_page_placement placement, uint64_t nodes)
{
	change(shard, &(struct ms_address_map_numa_change){
			      .start = start, .end = end, .nodes = nodes, .placement = placement });
}

void ms_coherence_unmap_pages(struct ms_engine_shard *shard, uint64_t start, uint64_t end)
{
	if (start < end)
		change(shard, &(struct ms_address_map_numa_change){
				      .start = start, .end = end, .unplaces = true });
}
