/*
 * What the engine says about its own memory: each line that was touched is counted once, wherever
 * it lies and whichever shard owns it, and takes at most 48 bytes where lines lie close together.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "engine/engine.h"
#include "wire/wire.h"

enum { LINE = 64, LINES = 100000, MOST_BYTES_A_LINE = 48 };

static const struct ms_engine_fallback_data special = { 100, 101, 0 };

static void walk_lines(struct ms_engine *engine, uint64_t start, uint64_t stride)
{
	for (uint64_t line = 0; line < LINES; line++) {
		uint64_t words[2] = { ms_wire_head(MS_WIRE_EXEC, 2, 0), start + line * stride };

		assert_int_equal(
			ms_engine_filter_executions(ms_engine_get_shard(engine, 0), words, 2), 2);
	}
}

/* A block of one reference. All lines by the last of the processors, then by those before. */
static void walk(struct ms_engine *engine, unsigned shards, uint32_t processors, uint64_t start,
		 uint64_t stride)
{
	static const struct ms_engine_block_ref ref = { 0, 8, MS_WIRE_READ, 0 };
	static const uint16_t exit_refs = 1;
	static const struct ms_engine_block block = { 1, 1,    &ref, NULL, &exit_refs, NULL,
						      1, NULL, 0,    0,    NULL };

	for (unsigned i = 0; i < shards; i++)
		ms_engine_add_block(ms_engine_get_shard(engine, i), &block);
	for (uint32_t p = processors; p-- > 0;) {
		ms_engine_set_processor(ms_engine_get_shard(engine, 0), p, p);
		walk_lines(engine, start, stride);
	}
	ms_engine_distribute_batch(ms_engine_get_shard(engine, 0), 0);
	for (unsigned i = 0; i < shards; i++)
		ms_engine_simulate_batch(ms_engine_get_shard(engine, i), 0);
	ms_engine_finish_batch(engine, 0);
}

/* used: of the processors that the machine has. */
static struct ms_engine_footprint footprint_on(const struct ms_machine_core *core, unsigned shards,
					       uint32_t processors, uint32_t used, uint64_t start,
					       uint64_t stride)
{
	struct ms_machine machine;
	struct ms_err err;
	struct ms_engine_footprint footprint;

	ms_machine_start(&machine);
	assert_int_equal(ms_machine_set_level(&machine, "l1", "32K,8,64", &err), MS_OK);
	assert_int_equal(ms_machine_set_level(&machine, "ll", "256K,16,64", &err), MS_OK);
	assert_int_equal(ms_machine_set_processors(&machine, processors, &err), MS_OK);
	machine.core = *core;
	struct ms_engine *engine = ms_engine_open(&machine, shards, 1, &special);
	walk(engine, shards, used, start, stride);
	ms_engine_measure_footprint(engine, &footprint);
	ms_engine_close(engine);
	ms_machine_free(&machine);
	return footprint;
}

static struct ms_engine_footprint footprint_with(unsigned shards, uint32_t processors,
						 uint32_t used, uint64_t start, uint64_t stride)
{
	static const struct ms_machine_core in_order;

	return footprint_on(&in_order, shards, processors, used, start, stride);
}

static struct ms_engine_footprint footprint_of(unsigned shards, uint64_t start, uint64_t stride)
{
	return footprint_with(shards, 1, 1, start, stride);
}

static void each_line_is_counted_once(void **state)
{
	(void)state;
	for (unsigned shards = 1; shards <= 3; shards++) {
		struct ms_engine_footprint close = footprint_of(shards, 0x10000000, LINE);
		struct ms_engine_footprint same = footprint_of(shards, 0x10000000, 0);
		struct ms_engine_footprint far =
			footprint_of(shards, UINT64_C(0x7f0000000000), LINE);

		assert_int_equal(close.lines, LINES);
		assert_int_equal(same.lines, 1);
		assert_int_equal(far.lines, LINES);
	}
}

static void a_line_takes_few_bytes(void **state)
{
	struct ms_engine_footprint f = footprint_of(1, 0x10000000, LINE);

	(void)state;
	assert_true(f.line_bytes >= LINES * 2 * sizeof(uint32_t));
	assert_true(f.line_bytes <= (uint64_t)LINES * MOST_BYTES_A_LINE);
	assert_true(f.bytes > f.line_bytes);
}

/* What several processors take grows with what each of them touched. */
static void processors_take_what_they_use(void **state)
{
	struct ms_engine_footprint one = footprint_with(1, 64, 1, 0x10000000, LINE);
	struct ms_engine_footprint two = footprint_with(1, 64, 2, 0x10000000, LINE);
	struct ms_engine_footprint few = footprint_with(3, 4, 2, 0x10000000, LINE);

	(void)state;
	assert_int_equal(one.lines, LINES);
	assert_int_equal(two.lines, LINES);
	assert_int_equal(few.lines, LINES);
	assert_true(one.line_bytes <= (uint64_t)LINES * MOST_BYTES_A_LINE);
	assert_true(two.line_bytes > one.line_bytes);
	assert_true(two.line_bytes - one.line_bytes < (uint64_t)LINES * 2 * sizeof(uint32_t));
}

/* The second TLB level alone takes more than this. */
static void the_timing_model_is_counted(void **state)
{
	enum { ENTRIES = 4096 };
	static const struct ms_machine_core core = { .out_of_order = MS_CORE_OUT_OF_ORDER,
						     .tlb_second_entries = ENTRIES,
						     .walk_latency = 30 };
	struct ms_engine_footprint in_order = footprint_of(2, 0x10000000, LINE);
	struct ms_engine_footprint timed = footprint_on(&core, 2, 1, 1, 0x10000000, LINE);

	(void)state;
	assert_int_equal(timed.lines, in_order.lines);
	assert_true(timed.bytes > in_order.bytes + ENTRIES * 2 * sizeof(uint64_t));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_line_is_counted_once),
		cmocka_unit_test(a_line_takes_few_bytes),
		cmocka_unit_test(processors_take_what_they_use),
		cmocka_unit_test(the_timing_model_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
