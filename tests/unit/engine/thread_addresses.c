/*
 * Several processors: strides of each thread, and classes of dependence, although times are not
 * simulated. Two threads take turns; a distance between addresses of both is no stride, and a
 * register of one holds nothing of the other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/add_processors.h"
#include "engine/engine.h"
#include "wire/operands.h"
#include "wire/wire.h"

enum {
	LINE = 64,
	BASE = 0x1000000,
	UNMAPPED = 100,
	FREED = 101,
	TURNS = 8,  /* of each thread ... */
	TURN = 4,   /* ... with so many executions each */
	LOADED = 1, /* registers */
	INDEX = 2,
};

#define LOAD(into, address)                                           \
	((uint64_t)(into) | (uint64_t)(address) << MS_WIRE_READS_AT | \
	 UINT64_C(1) << MS_WIRE_ADDRESS_AT)

/* Site 0 reads at an index; site 1, in the same block, at what site 0 has read. */
static const struct ms_engine_block_ref refs[2] = { { 0, 8, MS_WIRE_READ, 0 },
						    { 1, 8, MS_WIRE_READ, 1 } };
static const uint16_t exit_refs[1] = { 2 }, exit_instructions[1] = { 2 };
static const uint64_t operands[2] = { LOAD(LOADED, INDEX), LOAD(LOADED, LOADED) };
static const struct ms_engine_block block = {
	.refs = 2,
	.exits = 1,
	.ref = refs,
	.exit_refs = exit_refs,
	.exit_instructions = exit_instructions,
	.instructions = 2,
	.operands = operands,
};

static void make_machine(struct ms_machine *machine, uint32_t processors)
{
	*machine = (struct ms_machine){ .name = "case",
					.processors = processors,
					.nodes = 1,
					.memory_latency = 100,
					.core = { .out_of_order = MS_CORE_OUT_OF_ORDER,
						  .ipc_milli = 2000 } };
	*ms_vec_add(&machine->levels) = (struct ms_machine_level){
		.name = "L1", .ways = 2, .line = LINE, .size = 8 * LINE, .processors = 1
	};
}

static struct ms_engine *open_engine(const struct ms_machine *machine, unsigned shards)
{
	const struct ms_engine_fallback_data special = { UNMAPPED, FREED, 0 };
	struct ms_engine *engine = ms_engine_open(machine, shards, 1, &special);

	for (unsigned s = 0; s < shards; s++)
		ms_engine_add_block(ms_engine_get_shard(engine, s), &block);
	return engine;
}

static void execute(struct ms_engine *engine, unsigned shards, uint32_t thread, uint32_t i)
{
	/* Site 0 has a stride of 128 or 4096; site 1 of no or 8 bytes, in lines of its own. */
	uint64_t words[3] = { ms_wire_head(MS_WIRE_EXEC, 3, 0),
			      BASE + thread * 0x100000 + i * (thread == 0 ? 128 : 4096),
			      2 * BASE + thread * 0x100000 + i * 8 * thread };

	for (unsigned s = 0; i % TURN == 0 && s < shards; s++)
		ms_engine_set_processor(ms_engine_get_shard(engine, s), thread, thread);
	assert_int_equal(ms_engine_filter_executions(ms_engine_get_shard(engine, 0), words, 3), 3);
}

static void run_batch(struct ms_engine *engine, unsigned shards)
{
	struct ms_engine_shard *filter = ms_engine_get_shard(engine, 0);

	ms_engine_begin_batch(filter, 0);
	for (uint32_t turn = 0; turn < TURNS; turn++)
		for (uint32_t thread = 0; thread < 2; thread++)
			for (uint32_t i = 0; i < TURN; i++)
				execute(engine, shards, thread, turn * TURN + i);
	ms_engine_distribute_batch(filter, 0);
	ms_engine_reset_filter(filter);
	for (unsigned s = 0; s < shards; s++)
		ms_engine_simulate_batch(ms_engine_get_shard(engine, s), 0);
	ms_engine_finish_batch(engine, 0);
}

/* Between two turns of a thread, the stride is not known. */
static void check_strides(const struct ms_engine_totals *totals)
{
	static const struct ms_engine_total_stride expected[] = {
		{ 0, 128, TURNS * (TURN - 1) },
		{ 0, 4096, TURNS * (TURN - 1) },
		{ 1, 0, TURNS * (TURN - 1) },
		{ 1, 8, TURNS * (TURN - 1) },
	};

	assert_int_equal(totals->strides.n, MS_COUNT(expected));
	for (size_t i = 0; i < MS_COUNT(expected); i++) {
		assert_int_equal(totals->strides.at[i].site, expected[i].site);
		assert_int_equal(totals->strides.at[i].stride, expected[i].stride);
		assert_int_equal(totals->strides.at[i].count, expected[i].count);
	}
}

static uint64_t count_first_level(const struct ms_engine_totals *totals, uint32_t cell)
{
	uint64_t n = 0;

	for (size_t i = 0; i < totals->misses.n; i++)
		for (unsigned c = 0; totals->misses.at[i].cell == cell && c < MS_ENGINE_MISS_CAUSES;
		     c++)
			n += totals->misses.at[i].causes[c];
	return n;
}

/* The class of all misses of a cell is that of its site; no times follow. */
static void check_classes(const struct ms_engine_totals *totals)
{
	uint64_t all = 0;

	for (uint32_t i = 0; i < totals->cells.n; i++) {
		const struct ms_engine_total_cell *cell = &totals->cells.at[i];
		enum ms_engine_dependence expected =
			cell->site == 0 ? MS_ENGINE_DEPENDENCE_AFFINE : MS_ENGINE_DEPENDENCE_LED;
		uint64_t misses = count_first_level(totals, i);

		all += misses;
		for (unsigned d = 0; d < MS_ENGINE_DEPENDENCES; d++)
			assert_int_equal(cell->dependences[d], d == expected ? misses : 0);
		assert_int_equal(cell->walks + cell->waited_bytes, 0);
	}
	assert_true(all >= 2 * TURNS * TURN);
	for (size_t i = 0; i < totals->misses.n; i++)
		assert_int_equal(totals->misses.at[i].exposed + totals->misses.at[i].prefetched, 0);
	assert_int_equal(totals->compute.n, 0);
}

static void check(unsigned shards, bool later)
{
	struct ms_machine one, several;
	struct ms_engine_totals totals;

	make_machine(&one, 1);
	make_machine(&several, 2);
	struct ms_engine *engine = open_engine(later ? &one : &several, shards);

	if (later)
		ms_engine_add_processors(engine, &several, 0);
	run_batch(engine, shards);
	ms_engine_compute_totals(engine, &totals);
	check_strides(&totals);
	check_classes(&totals);
	ms_engine_free_totals(&totals);
	ms_engine_close(engine);
	ms_vec_free(&one.levels);
	ms_vec_free(&several.levels);
}

static void each_thread_has_its_own_strides_and_classes(void **state)
{
	(void)state;
	for (unsigned shards = 1; shards <= 2; shards++)
		check(shards, false);
}

static void also_if_processors_are_added_later(void **state)
{
	(void)state;
	for (unsigned shards = 1; shards <= 2; shards++)
		check(shards, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_thread_has_its_own_strides_and_classes),
		cmocka_unit_test(also_if_processors_are_added_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
