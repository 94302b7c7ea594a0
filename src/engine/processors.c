#include "engine/processors.h"

#include "engine/coherence.h"
#include "engine/engine_priv.h"
#include "engine/settling.h"

/* --- opening and closing --- */

struct processors *ms_processors_open(const struct ms_shard *shard,
				      const struct ms_machine *machine)
{
	struct processors *p = ms_alloc(sizeof(*p));
	const struct nest_kind *agents = &shard->general->kind[0];

	p->count = machine->processors;
	p->sharers = agents->processors;
	p->at = ms_alloc(p->count * sizeof(*p->at));
	p->weight = MS_WEIGHT;
	p->known_since = 1;
	p->recent = ms_alloc(agents->count * sizeof(*p->recent));
	p->hearers = ms_alloc(agents->count * sizeof(*p->hearers));
	p->sets = ms_machine_sets(&machine->levels.at[0]);
	p->owes = ms_alloc(agents->count * sizeof(*p->owes));
	p->unbound = ms_alloc(MS_ROOM_UNBOUND * sizeof(*p->unbound));
	p->kept_before = 1;
	p->notes = ms_alloc(shard->engine->slots * sizeof(*p->notes));
	/* That tells nothing of single accesses, as windows need. */
	if (shard->engine->windows == NULL)
		p->stretch = ms_stretch_open(shard->general);
	ms_threads_open(&p->sifted, shard->levels);
	ms_threads_open(&p->threads, shard->levels);
	return p;
}

static void close_processor(struct processor *processor)
{
	if (processor == NULL)
		return;
	ms_cells_close(&processor->cells);
	ms_vec_free(&processor->exits);
	ms_vec_free(&processor->slots);
	ms_vec_free(&processor->loops);
	ms_vec_free(&processor->window_cells.at);
	ms_arena_free(&processor->arena);
	ms_free(processor);
}

void ms_processors_close(struct processors *p, unsigned slots)
{
	if (p == NULL)
		return;
	for (uint32_t i = 0; i < p->count; i++)
		close_processor(p->at[i]);
	for (unsigned i = 0; i < slots; i++) {
		ms_vec_free(&p->notes[i].crossings);
		ms_vec_free(&p->notes[i].memory);
	}
	ms_free(p->met.at);
	ms_vec_free(&p->met.marks);
	ms_vec_free(&p->blocks);
	ms_vec_free(&p->first_exits);
	ms_vec_free(&p->exits);
	for (size_t i = 0; i < p->ran.n; i++)
		ms_free(p->recent[p->ran.at[i]]);
	ms_vec_free(&p->ran);
	ms_stretch_close(p->stretch);
	ms_threads_close(&p->sifted);
	ms_threads_close(&p->threads);
	ms_sharing_close(&p->sharing);
	ms_arena_free(&p->changes.arena);
	ms_free(p->recent);
	ms_free(p->hearers);
	ms_free(p->owes);
	ms_free(p->unbound);
	ms_free(p->notes);
	ms_free(p->at);
	ms_free(p);
}

static uint64_t bytes_of_processor(const struct processor *p)
{
	if (p == NULL)
		return 0;
	return sizeof(*p) + ms_cells_bytes(&p->cells) + p->exits.cap * sizeof(*p->exits.at) +
	       p->slots.cap * sizeof(*p->slots.at) + p->loops.cap * sizeof(*p->loops.at) +
	       p->arena.taken;
}

uint64_t ms_processors_bytes(const struct processors *p, unsigned slots)
{
	uint64_t bytes = 0;

	if (p == NULL)
		return 0;
	for (uint32_t i = 0; i < p->count; i++)
		bytes += bytes_of_processor(p->at[i]);
	for (unsigned i = 0; i < slots; i++)
		bytes += p->notes[i].crossings.cap * sizeof(struct crossing) +
			 p->notes[i].memory.cap * sizeof(struct memory_note);
	return bytes + sizeof(*p) + p->ran.n * p->sets * sizeof(**p->recent) +
	       MS_ROOM_UNBOUND * sizeof(*p->unbound) + p->blocks.cap * sizeof(*p->blocks.at) +
	       p->first_exits.cap * sizeof(*p->first_exits.at) +
	       p->exits.cap * sizeof(*p->exits.at) + ms_threads_bytes(&p->sifted) +
	       ms_threads_bytes(&p->threads) + ms_sharing_bytes(&p->sharing) +
	       p->changes.arena.taken;
}

/* --- what each of them has of its own --- */

/* Nothing is known of an agent's first level. */
void ms_recent_forget(struct recent *recent, uint64_t sets)
{
	for (uint64_t i = 0; i < sets; i++)
		recent[i] = (struct recent){ .line = { MS_LINE_NONE, MS_LINE_NONE } };
}

static void open_recent(struct ms_shard *shard, uint32_t agent)
{
	struct processors *p = shard->processors;
	uint64_t sets = p->sets;

	if (p->recent[agent] != NULL)
		return;
	p->recent[agent] = ms_alloc(sets * sizeof(**p->recent));
	ms_recent_forget(p->recent[agent], sets);
	*ms_vec_add(&p->ran) = agent;
}

void ms_processors_forget(struct ms_shard *shard)
{
	struct processors *p = shard->processors;

	for (size_t i = 0; i < p->ran.n; i++)
		ms_recent_forget(p->recent[p->ran.at[i]], p->sets);
}

struct processor *ms_processors_at(struct ms_shard *shard, uint32_t number)
{
	struct processors *p = shard->processors;

	if (p->at[number] == NULL) {
		struct processor *new = ms_alloc(sizeof(*new));

		new->number = number;
		new->agent = number / p->sharers;
		ms_cells_open(&new->cells, shard->engine->shards, number,
			      shard->engine->windows != NULL);
		p->at[number] = new;
		open_recent(shard, new->agent);
	}
	return p->at[number];
}

void ms_processors_add_block(struct ms_shard *shard, const struct ms_block *block)
{
	struct processors *p = shard->processors;
	uint32_t number = (uint32_t)p->blocks.n;

	*ms_vec_add(&p->blocks) = block;
	*ms_vec_add(&p->first_exits) = (uint32_t)p->exits.n;
	for (uint32_t i = 0; i < block->exits; i++)
		*ms_vec_add(&p->exits) = (struct known_exit){ number, i };
	for (uint32_t i = 0; i < block->refs; i++) {
		uint32_t lines = (block->ref[i].size >> shard->first_shift) + 2;

		if (lines > shard->most_lines)
			shard->most_lines = lines;
	}
}

static uint8_t room_of(const struct ms_shard *shard, uint32_t reach)
{
	uint32_t line = UINT32_C(1) << shard->first_shift;

	return line <= 64 && reach < line ? (uint8_t)(line - reach) : 0;
}

struct own_slot *ms_processor_slots(struct ms_shard *shard, struct processor *processor,
				    uint32_t block)
{
	const struct ms_block *b = shard->processors->blocks.at[block];

	if (processor->slots.n <= block) {
		ms_vec_reserve(&processor->slots, block + 1 - processor->slots.n);
		processor->slots.n = block + 1;
	}
	if (processor->slots.at[block] != NULL)
		return processor->slots.at[block];
	/* One more, so that a block without references has some too. */
	struct own_slot *slots = ms_arena_take(&processor->arena, (b->refs + 1) * sizeof(*slots));
	for (uint32_t i = 0; i < b->refs; i++) {
		uint16_t reach = b->ref[i].size > 0 ? (uint16_t)(b->ref[i].size - 1) : 0;

		slots[i] = (struct own_slot){
			.place = &shard->places.nowhere,
			.block = block,
			.reach = reach,
			.kind = (uint8_t)b->ref[i].kind,
			.room = room_of(shard, reach),
			.site = b->ref[i].site,
		};
	}
	processor->slots.at[block] = slots;
	return slots;
}

void ms_own_slot_flush(const struct processors *p, const struct processor *processor,
		       struct own_slot *slot)
{
	const struct ms_block *block = p->blocks.at[slot->block];
	const struct own_exit *exit = &processor->exits.at[p->first_exits.at[slot->block]];
	uint64_t number = (uint64_t)(slot - processor->slots.at[slot->block]), made = 0;

	for (uint32_t i = 0; i < block->exits; i++)
		made += block->exit_refs[i] > number ? exit[i].count : 0;
	if (slot->cell != NULL)
		slot->cell->references += made - slot->since;
	slot->since = made;
}

void ms_processors_flush(struct processors *p)
{
	for (uint32_t i = 0; i < p->count; i++)
		for (size_t b = 0; p->at[i] != NULL && b < p->at[i]->slots.n; b++)
			for (uint32_t k = 0;
			     p->at[i]->slots.at[b] != NULL && k < p->blocks.at[b]->refs; k++)
				ms_own_slot_flush(p, p->at[i], &p->at[i]->slots.at[b][k]);
}

uint64_t ms_processors_exit_count(const struct processors *p, uint32_t processor, uint32_t block,
				  uint32_t exit, uint64_t *weighted)
{
	*weighted = 0;
	if (processor >= p->count || p->at[processor] == NULL)
		return 0;
	if (block >= p->first_exits.n) /* the stream broke before it came */
		return 0;
	uint32_t number = p->first_exits.at[block] + exit;
	if (number >= p->at[processor]->exits.n)
		return 0;
	*weighted = p->at[processor]->exits.at[number].weighted;
	return p->at[processor]->exits.at[number].count;
}

/* --- what shards are told --- */

void ms_shard_busy(struct ms_shard *shard, uint32_t processors)
{
	if (shard->processors != NULL)
		shard->processors->weight = MS_WEIGHT / (processors > 0 ? processors : 1);
}

static void change(struct ms_shard *shard, const struct change *change)
{
	if (shard->processors != NULL && shard->engine->placement.nodes > 1)
		ms_changes_add(&shard->processors->changes, change);
}

void ms_shard_policy(struct ms_shard *shard, uint64_t start, uint64_t end,
		     enum ms_placement placement, uint64_t nodes)
{
	change(shard, &(struct change){
			      .start = start, .end = end, .nodes = nodes, .placement = placement });
}

void ms_processors_unmap(struct ms_shard *shard, uint64_t start, uint64_t end)
{
	if (start < end)
		change(shard, &(struct change){ .start = start, .end = end, .forgets = true });
}
