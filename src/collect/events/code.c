/* collect/events/code.c - events of basic blocks and of modules. */
#include <string.h>

#include "base/mpi_libraries.h"
#include "collect/events/events.h"
#include "collect/polling.h"
#include "schedule/hand_offs.h"
#include "wire/operands.h"

/* The meaning of the block's references for the order of threads (schedule/hand_offs.h), after
 * their number. */
static const uint16_t *describe_refs(struct ms_collect_state *c,
				     const struct ms_bins_bound_block *block,
				     const uint64_t *operands)
{
	const uint32_t most_bytes = UINT16_MAX >> MS_SCHEDULE_BYTES_AT;
	uint16_t *refs = ms_arena_take(&c->binding.arena, (block->refs + 1) * sizeof(*refs));

	refs[0] = (uint16_t)block->refs;
	for (uint32_t i = 0; i < block->refs; i++) {
		const struct ms_bins_bound_ref *ref = &block->ref[i];
		bool atomic = operands != NULL &&
			      ms_wire_operation_of(operands[ref->instruction]) == MS_WIRE_OP_ATOMIC;

		refs[i + 1] = (uint16_t)((ref->size < most_bytes ? ref->size : most_bytes)
						 << MS_SCHEDULE_BYTES_AT |
					 (atomic ? MS_SCHEDULE_ATOMIC : 0) |
					 (ref->kind != MS_WIRE_READ ? MS_SCHEDULE_WRITES : 0));
	}
	return refs;
}

/* The merger, which orders the threads of several processors, needs to know their stores. */
static void describe_exits(struct ms_collect_state *c, const struct ms_bins_bound_block *block,
			   const struct ms_collect_event *e)
{
	const struct ms_wire_block *head = (const struct ms_wire_block *)e->words;
	uint64_t writes = 0;

	if (c->setup.machines[0]->processors <= 1 && c->setup.several == NULL)
		return;
	for (uint32_t i = 0; i < block->refs && i < 63; i++)
		writes |= (uint64_t)(block->ref[i].kind != MS_WIRE_READ) << i;
	const uint16_t *refs = describe_refs(
		c, block,
		head->operands != 0
			? &e->words[ms_wire_count_block_words(head) - head->instructions]
			: NULL);
	for (uint32_t i = 0; i < block->exits; i++) {
		ms_stream_ring_set_exit_writes(&c->ring, c->binding.exits + i, writes);
		ms_stream_ring_set_exit_refs(&c->ring, c->binding.exits + i, refs);
	}
}

/* The data of the block's references to the stack; NULL: no variable of it is known. */
static const uint32_t *bind_stack_references(struct ms_collect_state *c,
					     const struct ms_bins_bound_block *block)
{
	uint32_t data[MS_WIRE_RESERVE_WORDS];
	bool any = false;

	for (uint32_t i = 0; i < block->refs; i++) {
		struct ms_bins_bound_pc pc = ms_bound_block_pc(block, block->ref[i].instruction);

		data[i] = ms_bins_stack_data(c->binding.binder, pc, block->ref[i].kind);
		any |= data[i] != MS_BOUND_STACK;
	}
	if (!any)
		return NULL;
	uint32_t *kept = ms_arena_take(&c->binding.arena, block->refs * sizeof(*kept));
	memcpy(kept, data, block->refs * sizeof(*kept));
	return kept;
}

static int bind_block(struct ms_collect_state *c, const struct ms_collect_event *e,
		      struct ms_collect_bound_event *b, struct ms_err *err)
{
	const struct ms_bins_bound_block *bound = NULL;

	MS_TRY(ms_bins_block(c->binding.binder, e->arg, e->words, e->n, &bound, err));

	struct ms_engine_block *block = ms_arena_take(&c->binding.arena, sizeof(*block));
	struct ms_engine_block_ref *refs =
		ms_arena_take(&c->binding.arena, bound->refs * sizeof(*refs));
	for (uint32_t i = 0; i < bound->refs; i++)
		refs[i] = (struct ms_engine_block_ref){ bound->ref[i].site, bound->ref[i].size,
							bound->ref[i].kind,
							bound->ref[i].instruction };
	*block = (struct ms_engine_block){ .refs = bound->refs,
					   .exits = bound->exits,
					   .ref = refs,
					   .on_stack = bind_stack_references(c, bound),
					   .exit_refs = bound->exit_refs,
					   .exit_instructions = bound->exit_instructions,
					   .instructions = bound->instructions,
					   .operands = bound->operands };
	if (c->setup.limits.call_paths)
		ms_collect_bind_calls(c, e, block);
	describe_exits(c, bound, e);
	c->binding.exits += bound->exits;
	b->block = block;
	if (ms_bins_is_mpi_module(c->binding.binder, bound->first.module))
		b->mpi = &bound->first;
	return MS_OK;
}

static void apply_block(struct ms_collect_worker *w, const struct ms_collect_event *e,
			const struct ms_collect_bound_event *b)
{
	(void)e;
	EACH_SHARD(w, shard)
		ms_engine_add_block(shard, b->block);
	ms_collect_polling_add_block(w->collector->pool.polling[w->number], b);
}

static const struct ms_engine_range *keep_ranges(struct ms_collect_state *c,
						 const struct ms_engine_range *at, size_t n)
{
	struct ms_engine_range *kept = ms_arena_take(&c->binding.arena, n * sizeof(*kept));

	if (n > 0)
		memcpy(kept, at, n * sizeof(*kept));
	return kept;
}

void ms_collect_bind_ranges(struct ms_collect_state *c, const struct ms_bins_bound_ranges *ranges,
			    struct ms_collect_bound_event *b)
{
	struct ms_name_ranges all = { MS_VEC_INIT, MS_VEC_INIT };

	for (size_t i = 0; i < ranges->n; i++)
		ms_name_split_static(&c->splits, c->binding.binder, &ranges->at[i], &all);
	b->places = keep_ranges(c, all.at.at, all.at.n);
	b->place_count = all.at.n;
	b->watched = keep_ranges(c, all.watched.at, all.watched.n);
	b->watched_count = all.watched.n;
	ms_vec_free(&all.at);
	ms_vec_free(&all.watched);
}

void ms_collect_watch_ranges(struct ms_collect_worker *w, const struct ms_collect_bound_event *b)
{
	EACH_SHARD(w, shard)
		for (size_t i = 0; i < b->watched_count; i++)
			ms_engine_watch_lines(shard, b->watched[i].start,
					      b->watched[i].end - b->watched[i].start,
					      b->watched[i].data);
}

static int bind_module(struct ms_collect_state *c, const struct ms_collect_event *e,
		       struct ms_collect_bound_event *b, struct ms_err *err)
{
	struct ms_bins_bound_ranges ranges;

	MS_TRY(ms_bins_module(c->binding.binder, e->arg, e->words, e->n, &ranges, err));
	if (ms_bins_blocks(c->binding.binder) == 0)
		c->program.modules_at_start = e->arg + 1;
	ms_collect_bind_ranges(c, &ranges, b);
	return MS_OK;
}

static void apply_module(struct ms_collect_worker *w, const struct ms_collect_event *e,
			 const struct ms_collect_bound_event *b)
{
	EACH_SHARD(w, shard)
		ms_engine_add_module(shard, e->arg, b->places, b->place_count);
	ms_collect_watch_ranges(w, b);
}

static int bind_module_gone(struct ms_collect_state *c, const struct ms_collect_event *e,
			    struct ms_collect_bound_event *b, struct ms_err *err)
{
	(void)b;
	(void)err;
	ms_bins_module_gone(c->binding.binder, e->arg);
	return MS_OK;
}

static void apply_module_gone(struct ms_collect_worker *w, const struct ms_collect_event *e,
			      const struct ms_collect_bound_event *b)
{
	(void)b;
	EACH_SHARD(w, shard)
		ms_engine_remove_module(shard, e->arg);
}

const struct ms_collect_handler ms_collect_event_block = { "block", 1, bind_block, apply_block };
const struct ms_collect_handler ms_collect_event_module = { "module",
							    sizeof(struct ms_wire_module) / 8,
							    bind_module, apply_module };
const struct ms_collect_handler ms_collect_event_module_gone = { "module gone", 0, bind_module_gone,
								 apply_module_gone };
