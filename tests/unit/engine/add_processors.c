/*
 * engine/add_processors.h: a program runs on processor 0, then on all. An engine that gets its
 * processors in between counts the same as one that has had them from the start. Before that, the
 * program only loads: a single processor does not record which lines it has written.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/add_processors.h"
#include "engine/engine.h"
#include "wire/wire.h"

enum {
	LINE = 64,
	BASE = 0x100000,
	DATA = 8,       /* data structures ... */
	DATA_LINES = 5, /* ... of so many lines */
	PROCESSORS = 4,
	UNMAPPED = 100,
	FREED = 101,
	ALONE = 600, /* references before and after */
	TOGETHER = 3000,
};

struct shape {
	uint32_t protocol; /* enum ms_machine_coherence_protocol */
	uint32_t nodes;
	size_t levels;
	struct {
		uint32_t ways, sets, line, processors;
	} level[3];
};

static const struct shape shapes[] = {
	{ MS_PROTOCOL_MESI, 1, 1, { { 2, 4, 64, 1 } } },
	{ MS_PROTOCOL_MSI, 1, 1, { { 2, 4, 64, 1 } } },
	{ MS_PROTOCOL_MOESI, 1, 2, { { 2, 2, 64, 1 }, { 4, 4, 64, 0 } } },
	{ MS_PROTOCOL_MESI, 1, 3, { { 1, 4, 64, 1 }, { 2, 4, 64, 1 }, { 2, 8, 64, 0 } } },
	{ MS_PROTOCOL_MESI, 1, 3, { { 2, 4, 64, 1 }, { 2, 4, 128, 1 }, { 4, 4, 128, 0 } } },
	{ MS_PROTOCOL_MESI, 1, 3, { { 2, 2, 64, 1 }, { 2, 4, 64, 2 }, { 4, 4, 64, 0 } } },
	{ MS_PROTOCOL_MESI, 2, 2, { { 2, 2, 64, 1 }, { 2, 4, 64, 0 } } },
	{ MS_PROTOCOL_MESI, 1, 2, { { 2, 2, 64, 2 }, { 20, 1, 64, 0 } } },
};

static void make_machine(struct ms_machine *machine, const struct shape *shape, uint32_t processors)
{
	static const char *const names[] = { "L1", "L2", "L3" };
	struct ms_err err;

	*machine = (struct ms_machine){
		.name = "case", .processors = processors, .nodes = 1, .protocol = shape->protocol
	};
	if (shape->nodes > 1 && processors > 1)
		machine->nodes = machine->node_processors = 2;
	for (size_t i = 0; i < shape->levels; i++)
		*ms_vec_add(&machine->levels) = (struct ms_machine_level){
			.name = names[i],
			.ways = shape->level[i].ways,
			.line = shape->level[i].line,
			.size = (uint64_t)shape->level[i].ways * shape->level[i].sets *
				shape->level[i].line,
			.processors = shape->level[i].processors,
		};
	assert_int_equal(ms_machine_check(machine, NULL, &err), MS_OK);
}

/* A load, a store and a modify, of two instructions each. */
static const struct ms_engine_block_ref refs[3] = { { 0, 8, MS_WIRE_READ, 0 },
						    { 1, 8, MS_WIRE_WRITE, 0 },
						    { 2, 8, MS_WIRE_MODIFY, 0 } };
static const uint16_t exit_refs[1] = { 1 }, exit_instructions[1] = { 2 };
static const struct ms_engine_block blocks[3] = {
	{ .refs = 1,
	  .exits = 1,
	  .ref = &refs[0],
	  .exit_refs = exit_refs,
	  .exit_instructions = exit_instructions,
	  .instructions = 2 },
	{ .refs = 1,
	  .exits = 1,
	  .ref = &refs[1],
	  .exit_refs = exit_refs,
	  .exit_instructions = exit_instructions,
	  .instructions = 2 },
	{ .refs = 1,
	  .exits = 1,
	  .ref = &refs[2],
	  .exit_refs = exit_refs,
	  .exit_instructions = exit_instructions,
	  .instructions = 2 },
};

static struct ms_engine *open_engine(const struct ms_machine *machine, unsigned shards)
{
	const struct ms_engine_fallback_data special = { UNMAPPED, FREED, 0 };
	struct ms_engine *engine = ms_engine_open(machine, shards, 1, &special);

	ms_engine_select_lines(engine, 2);
	for (unsigned s = 0; s < shards; s++) {
		struct ms_engine_shard *shard = ms_engine_get_shard(engine, s);

		for (size_t i = 0; i < MS_COUNT(blocks); i++)
			ms_engine_add_block(shard, &blocks[i]);
		for (uint32_t data = 0; data < DATA; data++)
			ms_engine_map_region(shard, BASE + data * DATA_LINES * LINE,
					     BASE + (data + 1) * DATA_LINES * LINE, data, true);
	}
	return engine;
}

static uint32_t draw(uint64_t *seed, uint32_t below)
{
	*seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(*seed >> 33) % below;
}

static void finish_batch(struct ms_engine *engine, unsigned shards)
{
	ms_engine_distribute_batch(ms_engine_get_shard(engine, 0), 0);
	ms_engine_reset_filter(ms_engine_get_shard(engine, 0));
	for (unsigned s = 0; s < shards; s++)
		ms_engine_simulate_batch(ms_engine_get_shard(engine, s), 0);
	ms_engine_finish_batch(engine, 0);
}

/* References of one batch, by the first processors; thread p runs on processor p. */
static void run_batch(struct ms_engine *engine, unsigned shards, uint64_t *seed, uint32_t n,
		      uint32_t processors)
{
	ms_engine_begin_batch(ms_engine_get_shard(engine, 0), 0);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t processor = draw(seed, processors);
		uint32_t block = processors > 1 ? draw(seed, MS_COUNT(blocks)) : 0;
		uint64_t words[2] = { ms_wire_head(MS_WIRE_EXEC, 2, block),
				      BASE + draw(seed, DATA * DATA_LINES * LINE / 8) * 8 };

		for (unsigned s = 0; s < shards; s++)
			ms_engine_set_processor(ms_engine_get_shard(engine, s), processor,
						processor);
		assert_int_equal(
			ms_engine_filter_executions(ms_engine_get_shard(engine, 0), words, 2), 2);
	}
	finish_batch(engine, shards);
}

#define ASSERT_SAME(a, b, array, fields)                                            \
	do {                                                                        \
		assert_int_equal((a)->array.n, (b)->array.n);                       \
		for (size_t i_ = 0; i_ < (a)->array.n; i_++) {                      \
			const __typeof__((a)->array.at[0]) *x = &(a)->array.at[i_]; \
			const __typeof__((a)->array.at[0]) *y = &(b)->array.at[i_]; \
			fields                                                      \
		}                                                                   \
	} while (0)
#define SAME(field) assert_int_equal(x->field, y->field);

static void compare_totals(const struct ms_engine_totals *a, const struct ms_engine_totals *b)
{
	ASSERT_SAME(a, b, cells,
		    SAME(site) SAME(data) SAME(processor) SAME(references) SAME(upgrades));
	ASSERT_SAME(a, b, misses,
		    SAME(cell) SAME(level) SAME(causes[MS_ENGINE_MISS_FIRST])
			    SAME(causes[MS_ENGINE_MISS_REPLACED])
				    SAME(causes[MS_ENGINE_MISS_INVALIDATED]) SAME(falsely)
					    SAME(peer) SAME(remote) SAME(write_backs)
						    assert_true(x->weighted == y->weighted););
	ASSERT_SAME(a, b, replaced, SAME(cell) SAME(level) SAME(other) SAME(count));
	ASSERT_SAME(a, b, evictions, SAME(cell) SAME(level) SAME(other) SAME(count));
	ASSERT_SAME(a, b, sharing, SAME(cell) SAME(writer) SAME(line) SAME(truly) SAME(falsely));
	ASSERT_SAME(a, b, threads,
		    SAME(thread) SAME(processor) SAME(instructions) SAME(references));
	ASSERT_SAME(a, b, thread_misses,
		    SAME(thread) SAME(level) SAME(misses) SAME(peer) SAME(remote));
	ASSERT_SAME(a, b, line_uses,
		    SAME(cell) SAME(level) assert_memory_equal(&x->use, &y->use, sizeof(x->use)););
	ASSERT_SAME(a, b, offsets, SAME(cell) SAME(thread) SAME(weight) SAME(size) SAME(n));
	ASSERT_SAME(a, b, curves,
		    SAME(data) assert_memory_equal(x->accesses, y->accesses, sizeof(x->accesses)););
	ASSERT_SAME(a, b, reuses, SAME(data) SAME(from_site) SAME(to_site) SAME(count));
}

static void compare_exits(const struct ms_engine *a, const struct ms_engine *b)
{
	for (uint32_t processor = 0; processor < PROCESSORS; processor++)
		for (uint32_t block = 0; block < MS_COUNT(blocks); block++) {
			double x, y;

			assert_int_equal(ms_engine_count_exits(a, processor, block, 0, &x),
					 ms_engine_count_exits(b, processor, block, 0, &y));
			assert_true(x == y);
		}
}

static void check(const struct shape *shape, unsigned shards, uint64_t seed)
{
	struct ms_machine one, several;
	struct ms_engine_totals a, b;

	make_machine(&one, shape, 1);
	make_machine(&several, shape, PROCESSORS);
	struct ms_engine *from_start = open_engine(&several, shards);
	struct ms_engine *later = open_engine(&one, shards);
	uint64_t x = seed, y = seed;

	run_batch(from_start, shards, &x, ALONE, 1);
	run_batch(later, shards, &y, ALONE, 1);
	assert_int_equal(ms_engine_add_processors(later, &several, 0), 2 * ALONE);
	run_batch(from_start, shards, &x, TOGETHER, PROCESSORS);
	run_batch(later, shards, &y, TOGETHER, PROCESSORS);
	ms_engine_compute_totals(from_start, &a);
	ms_engine_compute_totals(later, &b);
	assert_true(a.sharing.n > 0 && a.line_uses.n > 0 && a.offsets.n > 0);
	compare_totals(&a, &b);
	compare_exits(from_start, later);
	ms_engine_free_totals(&a);
	ms_engine_free_totals(&b);
	ms_engine_close(from_start);
	ms_engine_close(later);
	ms_vec_free(&one.levels);
	ms_vec_free(&several.levels);
}

static void counts_as_from_the_start(void **state)
{
	static const unsigned shards[] = { 1, 2, 5 };

	(void)state;
	for (size_t i = 0; i < MS_COUNT(shapes); i++)
		for (size_t s = 0; s < MS_COUNT(shards); s++)
			for (uint64_t seed = 1; seed <= 4; seed++)
				check(&shapes[i], shards[s], seed);
}

/* Other caches than LRU ones have a state that several processors could not take over. */
static void other_policies(void **state)
{
	struct ms_machine machine;

	(void)state;
	make_machine(&machine, &shapes[3], 1);
	assert_true(ms_engine_can_add_processors(&machine));
	machine.levels.at[1].replacement = MS_REPLACEMENT_TREE_PLRU;
	assert_false(ms_engine_can_add_processors(&machine));
	ms_vec_free(&machine.levels);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_as_from_the_start),
		cmocka_unit_test(other_policies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
