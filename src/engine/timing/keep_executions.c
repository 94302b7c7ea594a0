/*
 * engine/timing/keep_executions.c - keeps the executions of observed batches for the replay.
 *
 * The filter's table of blocks may grow while another thread replays a batch. So an execution is
 * kept as a pointer to its block's description, which the caller of the engine owns, with the
 * number of the exit in the upper bits; then the block's number; then its addresses.
 */
#include <string.h>

#include "base/map.h"
#include "engine/coherence/processors.h"
#include "engine/engine_priv.h"
#include "engine/timing/timing_state.h"
#include "engine/variant_priv.h"

/*
 * All of the first batches are observed. After that, one in each group of GROUP, chosen by a hash:
 * no phase of the program that is longer than two groups is missed, and a period of the program is
 * not mistaken for its mean.
 */
enum { ALL_OBSERVED = 32, GROUP = 32 };

/* Only the beginning of an observed batch is replayed: many short parts see more of a program. */
enum { MOST_WORDS = 1024 };

bool ms_timing_is_chosen(uint64_t number)
{
	return number < ALL_OBSERVED || ms_hash(number / GROUP, 0) % GROUP == number % GROUP;
}

/* Whether one of the next batches is observed. */
static bool is_soon(uint64_t number)
{
	enum { SOON = 8 };

	for (uint64_t next = number + 1; next <= number + SOON; next++)
		if (ms_timing_is_chosen(next))
			return true;
	return false;
}

void ms_timing_begin_batch(struct ms_engine_shard *shard, uint64_t number)
{
	shard->timing.is_observed = shard->engine->timing != NULL && ms_timing_is_chosen(number);
	shard->timing.is_near = shard->engine->timing != NULL && is_soon(number);
	shard->timing.executions.n = 0;
}

/* The block that an execution leaves, and by which of its exits. */
struct left_block {
	const struct ms_engine_block *desc;
	uint32_t number, exit;
};

static struct left_block find_left_block(const struct ms_engine_shard *shard, uint32_t exit)
{
	if (shard->engine->variant->has_processors) {
		const struct ms_coherence_block_exit *e = &shard->processors->exits.at[exit];

		return (struct left_block){ shard->processors->blocks.at[e->block], e->block,
					    e->number };
	}
	uint32_t number = ms_filter_find_block(shard, exit);
	const struct ms_filter_block *block = &shard->filter.blocks.at[number];

	return (struct left_block){ block->desc, number, exit - block->first_exit };
}

static void keep_execution(struct ms_engine_shard *shard, const uint64_t *words)
{
	uint32_t refs = ms_wire_words_of(*words) - 1;
	struct left_block left = find_left_block(shard, ms_wire_arg_of(*words));

	ms_vec_reserve(&shard->timing.executions, refs + 2);
	uint64_t *out = shard->timing.executions.at + shard->timing.executions.n;
	out[0] = ms_timing_make_head(left.desc, left.exit);
	out[1] = left.number;
	memcpy(out + 2, words + 1, refs * sizeof(*words));
	shard->timing.executions.n += refs + 2;
}

void ms_timing_keep_executions(struct ms_engine_shard *shard, const uint64_t *words, size_t n)
{
	const uint64_t *end = words + n;

	if (!shard->timing.is_observed)
		return;
	for (; words < end && shard->timing.executions.n < MOST_WORDS;
	     words += ms_wire_words_of(*words)) {
		if (ms_wire_kind_of(*words) == MS_WIRE_EXEC)
			keep_execution(shard, words);
		else
			ms_timing_switch_thread(shard);
	}
}

void ms_timing_switch_thread(struct ms_engine_shard *shard)
{
	const struct ms_timing *timing = shard->engine->timing;

	if (timing != NULL && timing->addresses_only && shard->timing.is_observed &&
	    shard->timing.executions.n < MOST_WORDS)
		*ms_vec_add(&shard->timing.executions) = MS_TIMING_SWITCH;
}

/* The batch takes the words; the shard gets those of an earlier batch to write over. */
void ms_timing_hand_over(struct ms_engine_shard *shard, unsigned batch_index)
{
	struct ms_timing *timing = shard->engine->timing;

	if (timing == NULL)
		return;
	struct ms_timing_batch *batch = ms_timing_get_batch(timing, batch_index);

	batch->is_observed = shard->timing.is_observed;
	batch->is_near = shard->timing.is_near;
	if (batch->is_observed)
		ms_vec_hand_over(&shard->timing.executions, &batch->executions);
}
