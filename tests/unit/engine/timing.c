/*
 * The timing model of out-of-order processors on loops with known answers: which part of a miss
 * the processor waits for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "engine/engine_priv.h"
#include "engine/timing/core.h"
#include "engine/timing/replay.h"
#include "engine/timing/timing_state.h"
#include "wire/wire.h"

enum {
	LATENCY = 200,
	WINDOW = 128,
	OUTSTANDING = 8,
	ITERATIONS = 400,
	LINE = 64,
	SITE = 5,
	DATA = 7,
	BASE = 1 << 20,
};

/* A loop of one block: a reference, some instructions that do nothing, a branch. */
struct loop {
	struct ms_timing_config config;
	struct ms_timing_sums sums;
	struct ms_timing_core core;
	struct ms_timing_replay replay;
	struct ms_timing_batch batch;
	struct ms_timing_share share;
	struct ms_engine_block block;
	struct ms_engine_block_ref ref;
	uint64_t operands[64];
	uint16_t exit_refs[1], exit_instructions[1];
	uint64_t latency[2];
};

static void open_loop(struct loop *loop, uint64_t operands, uint32_t kind, uint16_t instructions)
{
	*loop = (struct loop){
		.config = { .levels = 1,
			    .line_shift = 6,
			    .window = WINDOW,
			    .dispatch = MS_TIMING_TICKS / 4,
			    .outstanding = OUTSTANDING,
			    .store_buffer = 16,
			    .streams = 16,
			    .page_shift = 12,
			    .small_page_shift = 12,
			    .walks = 1 },
		.ref = { .site = SITE, .size = 8, .kind = (uint16_t)kind },
		.operands = { operands },
		.exit_refs = { 1 },
		.exit_instructions = { instructions },
		.latency = { 0, LATENCY * MS_TIMING_TICKS },
	};
	loop->config.latency = loop->latency;
	loop->block = (struct ms_engine_block){ .refs = 1,
						.exits = 1,
						.ref = &loop->ref,
						.exit_refs = loop->exit_refs,
						.exit_instructions = loop->exit_instructions,
						.instructions = instructions,
						.operands = loop->operands };
	loop->batch.shares = &loop->share;
}

static uint64_t address_of(uint64_t i, uint64_t stride)
{
	return BASE + i * stride;
}

/* All iterations miss. */
static void run_loop(struct loop *loop, uint64_t stride)
{
	ms_timing_open_sums(&loop->sums, loop->config.levels);
	ms_timing_open_core(&loop->core, &loop->config, &loop->sums);
	for (uint64_t i = 0; i < ITERATIONS; i++)
		*ms_vec_add(&loop->share.misses) =
			(struct ms_timing_miss){ .line = address_of(i, stride) / LINE,
						 .site = SITE,
						 .data = DATA,
						 .missed = 1 };
	ms_timing_fill_replay(&loop->replay, &loop->batch, 1);
	ms_timing_restart_core(&loop->core);
	for (uint64_t i = 0; i < ITERATIONS; i++) {
		uint64_t address = address_of(i, stride);

		ms_timing_execute_block(&loop->core, &loop->replay, &loop->block, 0, 0, &address);
	}
	ms_timing_drain_core(&loop->core);
	assert_int_equal(loop->sums.rows.at[0].misses, ITERATIONS);
}

static void close_loop(struct loop *loop)
{
	ms_timing_close_core(&loop->core);
	ms_timing_close_sums(&loop->sums);
	ms_timing_close_replay(&loop->replay);
	ms_vec_free(&loop->share.misses);
}

/* Cycles that a miss was waited for, in the mean. */
static double exposed_cycles(const struct loop *loop)
{
	return (double)loop->sums.rows.at[0].exposed / MS_TIMING_TICKS / ITERATIONS;
}

static void assert_about(double value, double expected, double tolerance)
{
	if (value < expected - tolerance || value > expected + tolerance)
		fail_msg("%g is not %g +- %g", value, expected, tolerance);
}

/* x0 = [x0] and x0 = [x1]. */
static uint64_t chained_load(void)
{
	return ms_wire_add_written(ms_wire_add_read(0, 1, 1), 1, 0);
}

static uint64_t independent_load(void)
{
	return ms_wire_add_written(ms_wire_add_read(0, 2, 1), 1, 0);
}

static void a_chain_of_misses_is_waited_for_completely(void **state)
{
	struct loop loop;

	(void)state;
	open_loop(&loop, chained_load(), MS_WIRE_READ, 4);
	run_loop(&loop, 5 * LINE);
	assert_about(exposed_cycles(&loop), LATENCY, LATENCY * 0.03);
	assert_int_equal(loop.sums.cells.at[0].dependences[MS_ENGINE_DEPENDENCE_CHAINED],
			 ITERATIONS - 1);
	close_loop(&loop);
}

static void independent_misses_share_a_latency_up_to_the_miss_registers(void **state)
{
	struct loop loop;

	(void)state;
	open_loop(&loop, independent_load(), MS_WIRE_READ, 4);
	run_loop(&loop, 5 * LINE);
	assert_about(exposed_cycles(&loop), (double)LATENCY / OUTSTANDING, 3);
	assert_int_equal(loop.sums.cells.at[0].dependences[MS_ENGINE_DEPENDENCE_AFFINE],
			 ITERATIONS);
	close_loop(&loop);
}

static void misses_further_apart_than_the_window_do_not_overlap(void **state)
{
	struct loop loop;

	(void)state;
	open_loop(&loop, independent_load(), MS_WIRE_READ, 64);
	loop.config.window = 64;
	run_loop(&loop, 5 * LINE);
	/* 64 instructions of the window hide 16 cycles. */
	assert_about(exposed_cycles(&loop), LATENCY - 16, 8);
	close_loop(&loop);
}

static void a_stream_is_prefetched(void **state)
{
	struct loop loop;

	(void)state;
	open_loop(&loop, independent_load(), MS_WIRE_READ, 64);
	loop.config.prefetch_distance = 16;
	loop.config.prefetch_stride = 4;
	run_loop(&loop, LINE);
	assert_about(exposed_cycles(&loop), 0, 4);
	assert_true(loop.sums.rows.at[0].prefetched >
		    (uint64_t)(ITERATIONS - 20) * LATENCY * MS_TIMING_TICKS);
	close_loop(&loop);
}

/* An iteration takes 16 cycles; four lines ahead the request is 64 cycles old. */
static void a_late_prefetch_hides_a_part_of_the_latency(void **state)
{
	struct loop loop;

	(void)state;
	open_loop(&loop, independent_load(), MS_WIRE_READ, 64);
	loop.config.window = 8;
	loop.config.prefetch_distance = 4;
	loop.config.prefetch_stride = 4;
	run_loop(&loop, LINE);
	/* In the steady state four lines take one latency. */
	assert_about(exposed_cycles(&loop), LATENCY / 4.0 - 16, 6);
	close_loop(&loop);
}

static void strides_beyond_the_prefetcher_are_not_covered(void **state)
{
	struct loop loop;

	(void)state;
	open_loop(&loop, independent_load(), MS_WIRE_READ, 4);
	loop.config.prefetch_distance = 16;
	loop.config.prefetch_stride = 4;
	run_loop(&loop, 4096 + LINE);
	assert_int_equal(loop.sums.rows.at[0].prefetched, 0);
	close_loop(&loop);
}

static void a_stream_is_limited_by_bandwidth(void **state)
{
	struct loop loop;

	(void)state;
	open_loop(&loop, independent_load(), MS_WIRE_READ, 4);
	loop.config.prefetch_distance = 32;
	loop.config.prefetch_stride = 4;
	loop.config.read_transfer = 20 * MS_TIMING_TICKS;
	run_loop(&loop, LINE);
	/* A line takes 20 cycles, of which the loop computes one. */
	assert_about((double)loop.core.waited / MS_TIMING_TICKS / ITERATIONS, 19, 1.5);
	assert_true(loop.sums.cells.at[0].waited > 15 * ITERATIONS * MS_TIMING_TICKS);
	close_loop(&loop);
}

static void stores_are_waited_for_only_when_the_buffer_is_full(void **state)
{
	struct loop few, many;

	(void)state;
	open_loop(&few, ms_wire_add_read(0, 2, 1), MS_WIRE_WRITE, 60);
	few.config.outstanding = 64;
	few.config.store_buffer = 64;
	run_loop(&few, 5 * LINE);
	assert_about(exposed_cycles(&few), 0.25, 0); /* the slot in which the line enters */
	open_loop(&many, ms_wire_add_read(0, 2, 1), MS_WIRE_WRITE, 4);
	many.config.outstanding = 64;
	run_loop(&many, 5 * LINE);
	assert_about((double)many.core.waited / MS_TIMING_TICKS / ITERATIONS, LATENCY / 16.0, 3);
	close_loop(&few);
	close_loop(&many);
}

static void new_pages_need_walks(void **state)
{
	struct loop loop;

	(void)state;
	open_loop(&loop, chained_load(), MS_WIRE_READ, 4);
	loop.config.tlb_entries = 16;
	loop.config.second_entries = 64;
	loop.config.walk_latency = 50 * MS_TIMING_TICKS;
	run_loop(&loop, 4096 + LINE);
	assert_int_equal(loop.sums.cells.at[0].walks, ITERATIONS);
	assert_about((double)loop.sums.cells.at[0].exposed_walks / MS_TIMING_TICKS / ITERATIONS, 50,
		     3);
	assert_about(exposed_cycles(&loop), LATENCY, LATENCY * 0.03);
	close_loop(&loop);
}

/* What the program used between two windows is not known. */
static void pages_of_a_new_window_are_not_taken_for_walks(void **state)
{
	struct ms_timing_config config = { .walk_latency = 1, .second_entries = 64 };
	struct ms_timing_tlb tlb;
	unsigned walks = 0;

	(void)state;
	ms_timing_open_tlb(&tlb, &config);
	assert_int_equal(ms_timing_translate(&tlb, 0), MS_TIMING_TLB_WALK);
	ms_timing_begin_tlb_window(&tlb);
	for (uint64_t page = 100; page < 120; page++)
		assert_int_not_equal(ms_timing_translate(&tlb, page), MS_TIMING_TLB_WALK);
	for (uint64_t page = 0; page < 1000; page++)
		walks += ms_timing_translate(&tlb, 1000 + page) == MS_TIMING_TLB_WALK;
	assert_in_range(walks, 800, 950);
	ms_timing_close_tlb(&tlb);
}

/* A branch on the loaded value, with an outcome that no history predicts. */
static void mispredicted_branches_on_misses_prevent_overlap(void **state)
{
	struct loop loop;
	uint64_t random = 1;

	(void)state;
	open_loop(&loop, independent_load(), MS_WIRE_READ, 2);
	loop.operands[1] =
		ms_wire_set_operation(ms_wire_add_read(0, 1, 0), MS_WIRE_OP_CONDITIONAL_BRANCH);
	uint16_t refs[2] = { 1, 1 }, instructions[2] = { 2, 2 };
	loop.block.exits = 2;
	loop.block.exit_refs = refs;
	loop.block.exit_instructions = instructions;
	ms_timing_open_sums(&loop.sums, 1);
	ms_timing_open_core(&loop.core, &loop.config, &loop.sums);
	for (uint64_t i = 0; i < ITERATIONS; i++)
		*ms_vec_add(&loop.share.misses) =
			(struct ms_timing_miss){ .line = address_of(i, 5 * LINE) / LINE,
						 .site = SITE,
						 .data = DATA,
						 .missed = 1 };
	ms_timing_fill_replay(&loop.replay, &loop.batch, 1);
	ms_timing_restart_core(&loop.core);
	for (uint64_t i = 0; i < ITERATIONS; i++) {
		uint64_t address = address_of(i, 5 * LINE);

		random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
		ms_timing_execute_block(&loop.core, &loop.replay, &loop.block, 0,
					(uint32_t)(random >> 62 & 1), &address);
	}
	ms_timing_drain_core(&loop.core);
	/* Either predictor may be right by chance: about a quarter is mispredicted. */
	assert_true(exposed_cycles(&loop) > LATENCY / 8.0);
	assert_true(exposed_cycles(&loop) < LATENCY * 0.75);
	close_loop(&loop);
}

static void what_a_store_has_written_is_forwarded(void **state)
{
	struct ms_engine_block_ref refs[2] = {
		{ .site = 1, .size = 8, .kind = MS_WIRE_WRITE },
		{ .site = 2, .size = 8, .kind = MS_WIRE_READ, .instruction = 1 }
	};
	struct loop loop;
	uint64_t addresses[2] = { BASE, BASE };

	(void)state;
	/* [x1] = x0; x0 = [x1]: each iteration depends on the one before, through memory. */
	open_loop(&loop, ms_wire_add_read(ms_wire_add_read(0, 2, 1), 1, 0), MS_WIRE_WRITE, 2);
	loop.operands[1] = independent_load();
	loop.block.refs = 2;
	loop.block.ref = refs;
	loop.exit_refs[0] = 2;
	ms_timing_open_sums(&loop.sums, 1);
	ms_timing_open_core(&loop.core, &loop.config, &loop.sums);
	ms_timing_fill_replay(&loop.replay, &loop.batch, 1);
	ms_timing_restart_core(&loop.core);
	for (uint64_t i = 0; i < ITERATIONS; i++)
		ms_timing_execute_block(&loop.core, &loop.replay, &loop.block, 0, 0, addresses);
	ms_timing_drain_core(&loop.core);
	assert_about((double)(loop.core.now - MS_TIMING_START) / MS_TIMING_TICKS / ITERATIONS,
		     MS_TIMING_FORWARD_CYCLES, 1);
	assert_int_equal(loop.core.waited, 0);
	close_loop(&loop);
}

/* In windows, lines come from memory that come from a cache in the program: extrapolated misses may
 * be of another level than all that were observed. */
static void misses_of_an_unobserved_level_are_as_exposed_as_the_others_of_the_cell(void **state)
{
	static uint64_t latency[] = { 0, 100, 1000 };
	static struct ms_timing timing = { .config = { .levels = 2, .latency = latency } };
	static struct ms_engine engine = { .timing = &timing };
	struct ms_engine_totals totals = { .steps = 0 };

	(void)state;
	ms_timing_open_sums(&timing.sums, 2);
	uint32_t own = ms_timing_get_cell(&timing.sums, SITE, DATA);
	uint32_t other = ms_timing_get_cell(&timing.sums, SITE + 1, DATA);
	timing.sums.rows.at[own * 2 + 1] =
		(struct ms_timing_level){ .misses = 8, .exposed = 2000, .prefetched = 4000 };
	timing.sums.rows.at[other * 2] = (struct ms_timing_level){ .misses = 1, .exposed = 100 };
	for (uint32_t i = 0; i < 3; i++) {
		*ms_vec_add(&totals.cells) =
			(struct ms_engine_total_cell){ .site = SITE + i, .data = DATA };
		*ms_vec_add(&totals.misses) = (struct ms_engine_total_miss){
			.cell = i, .causes = { [MS_ENGINE_MISS_REPLACED] = 40 }
		};
	}
	ms_timing_add_totals(&engine, NULL, &totals);
	assert_int_equal(totals.misses.at[0].exposed, 10 * MS_ENGINE_MISS_UNIT);
	assert_int_equal(totals.misses.at[0].prefetched, 20 * MS_ENGINE_MISS_UNIT);
	assert_int_equal(totals.misses.at[1].exposed, 40 * MS_ENGINE_MISS_UNIT);
	/* Nothing of this cell was observed: as the level's, in the mean over all cells. */
	assert_int_equal(totals.misses.at[2].exposed, 40 * MS_ENGINE_MISS_UNIT);
	ms_timing_close_sums(&timing.sums);
	ms_engine_free_totals(&totals);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_chain_of_misses_is_waited_for_completely),
		cmocka_unit_test(independent_misses_share_a_latency_up_to_the_miss_registers),
		cmocka_unit_test(misses_further_apart_than_the_window_do_not_overlap),
		cmocka_unit_test(a_stream_is_prefetched),
		cmocka_unit_test(a_late_prefetch_hides_a_part_of_the_latency),
		cmocka_unit_test(strides_beyond_the_prefetcher_are_not_covered),
		cmocka_unit_test(a_stream_is_limited_by_bandwidth),
		cmocka_unit_test(stores_are_waited_for_only_when_the_buffer_is_full),
		cmocka_unit_test(new_pages_need_walks),
		cmocka_unit_test(pages_of_a_new_window_are_not_taken_for_walks),
		cmocka_unit_test(mispredicted_branches_on_misses_prevent_overlap),
		cmocka_unit_test(what_a_store_has_written_is_forwarded),
		cmocka_unit_test(
			misses_of_an_unobserved_level_are_as_exposed_as_the_others_of_the_cell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
