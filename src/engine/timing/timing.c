/* engine/timing/timing.c - replays observed batches: see timing.h. */
#include "engine/timing/timing.h"

#include "engine/engine_priv.h"
#include "engine/timing/timing_state.h"
#include "engine/variant_priv.h"

/* With sampled sets, most misses are not simulated: it is not known which ones overlap. */
static bool applies(const struct ms_engine_setup *setup)
{
	return setup->machine->core.out_of_order != MS_CORE_IN_ORDER &&
	       (setup->sets == NULL || setup->sets->every <= 1);
}

struct ms_timing *ms_timing_open(const struct ms_engine *engine,
				 const struct ms_engine_setup *setup)
{
	if (!engine->variant->has_timing || !applies(setup))
		return NULL;
	struct ms_timing *timing = ms_pages_alloc_full(sizeof(*timing));

	timing->addresses_only = setup->machine->processors > 1;
	timing->shards = engine->shards;
	timing->batch_count = engine->batch_count;
	timing->batch = ms_alloc(timing->batch_count * sizeof(*timing->batch));
	for (unsigned i = 0; i < timing->batch_count; i++)
		timing->batch[i].shares =
			ms_pages_alloc(timing->shards * sizeof(*timing->batch[i].shares));
	ms_timing_open_config(&timing->config, setup->machine);
	ms_timing_open_sums(&timing->sums, timing->config.levels);
	ms_timing_open_core(&timing->core, &timing->config, &timing->sums);
	return timing;
}

static void close_batch(struct ms_timing *timing, struct ms_timing_batch *batch)
{
	for (unsigned i = 0; i < timing->shards; i++) {
		ms_vec_free(&batch->shares[i].misses);
		ms_vec_free(&batch->shares[i].pages);
	}
	ms_pages_free(batch->shares, timing->shards * sizeof(*batch->shares));
	ms_vec_free(&batch->executions);
}

void ms_timing_close(struct ms_timing *timing)
{
	if (timing == NULL)
		return;
	for (unsigned i = 0; i < timing->batch_count; i++)
		close_batch(timing, &timing->batch[i]);
	ms_free(timing->batch);
	ms_timing_close_core(&timing->core);
	ms_timing_close_replay(&timing->replay);
	ms_timing_close_sums(&timing->sums);
	ms_timing_close_config(&timing->config);
	ms_vec_free(&timing->compute);
	ms_pages_free(timing, sizeof(*timing));
}

void ms_timing_add_processors(struct ms_timing *timing)
{
	if (timing != NULL)
		timing->addresses_only = true;
}

uint32_t ms_timing_get_page_shift(const struct ms_timing *timing)
{
	return timing->config.page_shift - timing->config.line_shift;
}

struct ms_timing_batch *ms_timing_get_batch(const struct ms_timing *timing, unsigned batch_index)
{
	return &timing->batch[batch_index];
}

/* --- replay --- */

static void count_compute(struct ms_timing *timing, uint32_t block, uint64_t instructions,
			  uint64_t ticks)
{
	if (block >= timing->compute.n) {
		ms_vec_reserve(&timing->compute, block + 1 - timing->compute.n);
		timing->compute.n = block + 1;
	}
	timing->compute.at[block].instructions += instructions;
	timing->compute.at[block].ticks += ticks;
}

/* Replays one execution; returns the start of the next one. */
static const uint64_t *replay_execution(struct ms_timing *timing, const uint64_t *at)
{
	const struct ms_engine_block *block = ms_timing_head_block(at[0]);
	uint32_t exit = ms_timing_head_exit(at[0]), number = (uint32_t)at[1];
	struct ms_timing_core *core = &timing->core;
	uint64_t instructions = core->instructions, began = core->now - core->waited;

	ms_timing_execute_block(core, &timing->replay, block, number, exit, at + 2);
	count_compute(timing, number, core->instructions - instructions,
		      core->now - core->waited - began);
	return at + 2 + block->exit_refs[exit];
}

/* Registers of the thread before it are not its own. */
static void begin_thread(struct ms_timing *timing)
{
	ms_timing_drain_core(&timing->core);
	ms_timing_restart_core(&timing->core);
}

static void replay_batch(struct ms_timing *timing, struct ms_timing_batch *batch)
{
	const uint64_t *at = batch->executions.at, *end = at + batch->executions.n;

	ms_timing_fill_replay(&timing->replay, batch, timing->shards);
	ms_timing_restart_core(&timing->core);
	while (at < end) {
		if (*at == MS_TIMING_SWITCH) {
			begin_thread(timing);
			at++;
		} else {
			at = replay_execution(timing, at);
		}
	}
	ms_timing_drain_core(&timing->core);
	ms_timing_end_tlb_batch(&timing->core.path.tlb);
}

/*
 * A batch with many misses displaces all that was in the TLB before. So only the last ones before
 * an observed batch matter.
 */
static bool changes_tlb(const struct ms_timing *timing, const struct ms_timing_batch *batch)
{
	enum { MANY = 512 };
	uint64_t lines = 0;

	for (unsigned i = 0; i < timing->shards; i++)
		lines += batch->shares[i].lines;
	return batch->is_near || lines < MANY;
}

/* The TLB sees all batches; of those that are not replayed, the recorded pages. */
static void touch_pages(struct ms_timing *timing, const struct ms_timing_batch *batch)
{
	for (unsigned i = 0; i < timing->shards; i++)
		for (size_t k = 0; k < batch->shares[i].pages.n; k++)
			ms_timing_touch_page(&timing->core.path.tlb, batch->shares[i].pages.at[k]);
	ms_timing_end_tlb_batch(&timing->core.path.tlb);
}

static void follow_windows(struct ms_timing *timing, const struct ms_engine *engine)
{
	if (engine->windows == NULL || engine->windows->window == timing->window)
		return;
	timing->window = engine->windows->window;
	ms_timing_begin_tlb_window(&timing->core.path.tlb);
}

void ms_timing_finish_batch(struct ms_engine *engine, unsigned batch_index)
{
	struct ms_timing *timing = engine->timing;

	if (timing == NULL)
		return;
	struct ms_timing_batch *batch = &timing->batch[batch_index];

	follow_windows(timing, engine);
	if (batch->is_observed)
		replay_batch(timing, batch);
	else if (!timing->addresses_only && changes_tlb(timing, batch))
		touch_pages(timing, batch);
	for (unsigned i = 0; i < timing->shards; i++) {
		batch->shares[i].misses.n = 0;
		batch->shares[i].pages.n = 0;
		batch->shares[i].lines = 0;
	}
}
