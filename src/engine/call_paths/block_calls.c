/*
 * engine/call_paths/block_calls.c - which exits of a block change the call stack, and whether one
 * of its instructions is executed in several contexts.
 *
 * A block can contain whole calls: front-ends follow direct calls, and their returns. The context
 * of a miss inside such a block follows from its site, as long as all references of the site are in
 * the same context.
 */
#include <string.h>

#include "base/map.h"
#include "engine/call_paths/call_paths.h"
#include "engine/engine.h"

/* Transfers executed before an instruction. */
uint32_t ms_call_paths_count_before(const struct ms_engine_block_calls *calls, uint32_t instruction)
{
	uint32_t n = 0;

	while (n < calls->n && calls->transfer[n].instruction < instruction)
		n++;
	return n;
}

/* The context relative to the block's entry after some transfers, as a hash. */
struct relative_context {
	uint64_t hash;
	uint32_t depth;  /* calls that have not returned */
	uint32_t popped; /* returns from frames below the entry, and stack switches */
};

static void find_contexts(const struct ms_engine_transfer *transfers, uint32_t n,
			  struct relative_context *after)
{
	uint64_t *stack = ms_alloc((n + 1) * sizeof(*stack));
	struct relative_context now = { 1, 0, 0 };

	after[0] = now;
	for (uint32_t i = 0; i < n; i++) {
		if (transfers[i].kind == MS_ENGINE_TRANSFER_CALL) {
			stack[now.depth++] = now.hash;
			now.hash = ms_hash(now.hash, transfers[i].pc);
		} else if (now.depth > 0 && transfers[i].kind == MS_ENGINE_TRANSFER_RETURN) {
			now.hash = stack[--now.depth];
		} else {
			now.popped++;
			now.hash = ms_hash(now.hash, now.popped);
		}
		after[i + 1] = now;
	}
	ms_free(stack);
}

/* Whether a site has references at different points, and whether in different contexts. */
struct repeated_sites {
	bool any;
	bool in_other_contexts;
};

static struct repeated_sites find_repeated_sites(const struct ms_engine_block *block,
						 const struct ms_engine_block_calls *calls,
						 const struct relative_context *after)
{
	struct repeated_sites repeated = { false, false };

	for (uint32_t i = 0; i < block->refs; i++) {
		uint32_t at = ms_call_paths_count_before(calls, block->ref[i].instruction);

		for (uint32_t k = 0; k < i; k++) {
			if (block->ref[k].site != block->ref[i].site)
				continue;
			uint32_t before =
				ms_call_paths_count_before(calls, block->ref[k].instruction);
			repeated.any |= before != at;
			repeated.in_other_contexts |= after[before].hash != after[at].hash;
			break; /* the first one: it was compared with those between */
		}
	}
	return repeated;
}

static enum ms_engine_exit_calls classify(const struct relative_context *context,
					  uint32_t transfers, struct repeated_sites repeated)
{
	bool is_balanced = context->depth == 0 && context->popped == 0;

	if (transfers == 0)
		return MS_ENGINE_EXIT_NO_CALLS;
	if (repeated.in_other_contexts || (repeated.any && !is_balanced))
		return MS_ENGINE_EXIT_PARTS;
	return is_balanced ? MS_ENGINE_EXIT_BALANCED : MS_ENGINE_EXIT_CALLS;
}

void ms_engine_describe_calls(struct ms_engine_block *block, struct ms_arena *arena,
			      const struct ms_engine_transfer *transfers, uint32_t n)
{
	if (n == 0 || block->exits == 0 || block->exit_instructions == NULL)
		return;
	struct ms_engine_block_calls *calls = ms_arena_take(arena, sizeof(*calls));
	struct ms_engine_transfer *copy = ms_arena_take(arena, n * sizeof(*copy));
	uint8_t *exit_calls = ms_arena_take(arena, block->exits);
	struct relative_context *after = ms_alloc((n + 1) * sizeof(*after));

	memcpy(copy, transfers, n * sizeof(*copy));
	*calls = (struct ms_engine_block_calls){ n, copy, exit_calls };
	find_contexts(copy, n, after);
	struct repeated_sites repeated = find_repeated_sites(block, calls, after);
	for (uint32_t i = 0; i < block->exits; i++) {
		uint32_t made = ms_call_paths_count_before(calls, block->exit_instructions[i]);

		exit_calls[i] = (uint8_t)classify(&after[made], made, repeated);
	}
	ms_free(after);
	block->calls = calls;
}
