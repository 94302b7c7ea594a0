/*
 * The time of out-of-order processors compared with the reference simulator (refsim_timing.c):
 * random programs on random machines. All counts of the timing model must be equal, with 1, 2 and 5
 * shards, and if batches are simulated only when all batch indices are taken.
 * MEMSPY_REFSIM_SEEDS=N tries more.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/engine.h"
#include "engine/refsim.c"
#include "wire/wire.h"

enum {
	UNMAPPED = 0,
	FREED = 1,
	FIRST_DATA = 2,
	REGIONS = 4,
	REGION = 1 << 15, /* bytes */
	BLOCKS = 8,
	REFS = 6,
	INSTRUCTIONS = 14,
	EXITS = 3,
	BATCHES = 12,
	ENGINES = 4,
	SLOTS = 3,
};
#define BASE UINT64_C(0x100000)

/* A sanitizer makes each round ten times slower. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SEEDS = 6 };
#else
enum { SEEDS = 24 };
#endif

static const unsigned shard_counts[ENGINES] = { 1, 2, 5, 2 };
/* So many batches wait to be simulated. */
static const unsigned delay[ENGINES] = { 0, 0, 0, SLOTS - 1 };

static uint64_t random_state;

static uint32_t any(uint32_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)((random_state >> 16) % below);
}

/* Counts above 0, of all seeds: models that count nothing agree too easily. */
static struct {
	uint64_t exposed, prefetched, walks, exposed_walks, waited_bytes, blocks;
	uint64_t dependences[MS_ENGINE_DEPENDENCES];
} compared;

/* A block, and the addresses that its references will have. */
struct code {
	struct ms_engine_block block;
	struct ms_engine_block_ref ref[REFS];
	uint64_t operands[INSTRUCTIONS];
	uint16_t exit_refs[EXITS], exit_instructions[EXITS];
	uint32_t first_exit;
	uint64_t next[REFS];
	int64_t stride[REFS]; /* 0: at random */
};

struct program {
	struct ms_machine machine;
	struct code code[BLOCKS];
	struct refsim *refsim;
	struct refsim_timing *timing;
	struct ms_engine *engine[ENGINES];
	unsigned slot[ENGINES], filtering[ENGINES], waiting[ENGINES];
	MS_VEC(uint64_t) words;
};

/* --- machines --- */

static void make_levels(struct ms_machine *machine)
{
	static const char *const names[] = { "L1", "L2", "L3" };
	uint32_t n = 1 + any(3), line = 16u << any(3);
	bool is_lru = any(2) == 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t ways = 1u << any(3);

		*ms_vec_add(&machine->levels) = (struct ms_machine_level){
			.name = names[i],
			.ways = ways,
			.line = line,
			.size = (uint64_t)ways * line * (4u << (any(3) + 2 * i)),
			.latency = i == 0 ? 0 : any(60),
			.replacement = is_lru ? MS_REPLACEMENT_LRU : any(MS_REPLACEMENTS),
			.write = is_lru ? 0 : any(2),
			.write_miss = is_lru ? 0 : any(2),
		};
		line *= any(4) == 0 ? 2 : 1;
	}
	machine->memory_latency = 50 + any(300);
}

/* Often 0, which stands for the assumed figure or for none. */
static uint32_t figure(uint32_t most)
{
	return any(8) == 0 ? 0 : 1 + any(most);
}

static void make_core(struct ms_machine *machine)
{
	machine->core = (struct ms_machine_core){
		.out_of_order = MS_CORE_OUT_OF_ORDER,
		.ipc_milli = any(8) == 0 ? 0 : 500 + any(7000),
		.load_latency = figure(8),
		.float_add_latency = figure(6),
		.float_multiply_latency = figure(6),
		.window = figure(any(2) == 0 ? 24 : 600),
		.store_buffer = figure(any(2) == 0 ? 6 : 80),
		.outstanding = figure(any(2) == 0 ? 4 : 40),
		.prefetch_distance = any(4) == 0 ? 0 : figure(80),
		.prefetch_stride = 64u << any(8),
		.prefetch_streams = figure(any(2) == 0 ? 3 : 32),
		.prefetch_crosses_pages = any(2),
		.tlb_entries = any(24),
		.tlb_second_entries = any(80),
		.tlb_second_latency = any(12),
		.walk_latency = any(4) == 0 ? 0 : 1 + any(80),
		.walks = figure(3),
		.page = 1024u << any(3),
		.huge_page = any(3) == 0 ? 16384 : 0,
		.huge_pages = any(3),
		.bandwidth_milli = any(3) == 0 ? 0 : 300 + any(6000),
		.write_bandwidth_milli = any(3) == 0 ? 0 : 300 + any(6000),
	};
}

/* --- programs --- */

/* Few registers, so that most values are used again. */
static uint64_t random_operands(bool is_reference)
{
	uint64_t operands = ms_wire_set_operation(0, any(MS_WIRE_OPERATIONS));
	uint32_t addresses = is_reference ? any(3) : 0;

	for (uint32_t i = 0; i < addresses; i++)
		operands = ms_wire_add_read(operands, 1 + any(10), 1);
	for (uint32_t i = any(3); i > 0; i--)
		operands = ms_wire_add_read(operands, 1 + any(10), 0);
	if (any(5) != 0)
		operands = ms_wire_add_written(operands, 1 + any(10), any(12) == 0);
	if (is_reference && any(4) == 0)
		operands = ms_wire_add_written(operands, 1 + any(10), 1);
	return operands;
}

static void make_references_of(struct code *c, uint32_t block)
{
	static const int64_t strides[] = { 0, 0, 8, 16, 64, -32, 192, -128, 1040, 4096 };

	for (uint32_t i = 0, at = 0; i < c->block.refs; i++) {
		at += at + 1 < c->block.instructions ? any(3) : 0;
		at = at < c->block.instructions ? at : c->block.instructions - 1;
		c->ref[i] = (struct ms_engine_block_ref){ .site = block * REFS + i,
							  .size = (uint16_t)(1u << any(7)),
							  .kind = (uint16_t)any(3),
							  .instruction = (uint16_t)at };
		c->stride[i] = strides[any(MS_COUNT(strides))];
		c->next[i] = any(REGIONS * REGION);
	}
}

static bool has_reference(const struct code *c, uint32_t instruction)
{
	for (uint32_t i = 0; i < c->block.refs; i++)
		if (c->ref[i].instruction == instruction)
			return true;
	return false;
}

/* An exit after some instruction, with the references that are made before it. */
static void make_exit(struct code *c, uint32_t exit)
{
	uint32_t instructions = 1 + any(c->block.instructions);
	uint16_t refs = 0;

	if (exit == 0)
		instructions = c->block.instructions;
	while (refs < c->block.refs && c->ref[refs].instruction < instructions)
		refs++;
	c->exit_refs[exit] = refs;
	c->exit_instructions[exit] = (uint16_t)instructions;
}

/* Block 0 has no registers, block 1 not even instructions. */
static void make_block(struct program *p, uint32_t number, uint32_t first_exit)
{
	struct code *c = &p->code[number];

	c->first_exit = first_exit;
	c->block = (struct ms_engine_block){
		.refs = any(REFS + 1),
		.exits = 1 + any(EXITS),
		.ref = c->ref,
		.exit_refs = c->exit_refs,
		.exit_instructions = number == 1 ? NULL : c->exit_instructions,
		.instructions = 1 + any(INSTRUCTIONS),
		.operands = number <= 1 ? NULL : c->operands,
	};
	make_references_of(c, number);
	for (uint32_t i = 0; i < c->block.instructions; i++)
		c->operands[i] = random_operands(has_reference(c, i));
	for (uint32_t i = 0; i < c->block.exits; i++)
		make_exit(c, i);
	refsim_places(p->refsim, (number + 1) * REFS);
}

static void open_program(struct program *p)
{
	const struct ms_engine_fallback_data special = { UNMAPPED, FREED, 0 };
	uint32_t exits = 0;

	p->refsim = refsim_open(&p->machine, UNMAPPED, FREED);
	p->timing = refsim_time(p->refsim);
	for (uint32_t i = 0; i < REGIONS; i++)
		refsim_map(p->refsim, BASE + i * REGION, BASE + (i + 1) * REGION, FIRST_DATA + i);
	for (uint32_t b = 0; b < BLOCKS; exits += p->code[b++].block.exits)
		make_block(p, b, exits);
	for (int e = 0; e < ENGINES; e++) {
		p->engine[e] = ms_engine_open(&p->machine, shard_counts[e], SLOTS, &special);
		for (unsigned s = 0; s < shard_counts[e]; s++) {
			struct ms_engine_shard *shard = ms_engine_get_shard(p->engine[e], s);

			for (uint32_t i = 0; i < REGIONS; i++)
				ms_engine_map_region(shard, BASE + i * REGION,
						     BASE + (i + 1) * REGION, FIRST_DATA + i, true);
			for (uint32_t b = 0; b < BLOCKS; b++)
				ms_engine_add_block(shard, &p->code[b].block);
		}
	}
}

static void close_program(struct program *p)
{
	for (int e = 0; e < ENGINES; e++)
		ms_engine_close(p->engine[e]);
	refsim_close(p->refsim);
	ms_vec_free(&p->words);
	ms_vec_free(&p->machine.levels);
}

/* --- execution --- */

static uint64_t next_address(struct code *c, uint32_t i)
{
	if (any(30) == 0)
		return 0; /* conditional, and not executed */
	if (c->stride[i] == 0)
		c->next[i] = any(4) == 0 ? any(REGIONS * REGION) : c->next[i] + any(256);
	c->next[i] = (c->next[i] + (uint64_t)c->stride[i]) % (REGIONS * REGION);
	return BASE + c->next[i];
}

static void execute_once(struct program *p, uint32_t b, uint32_t exit)
{
	struct code *c = &p->code[b];
	uint64_t addresses[REFS];

	*ms_vec_add(&p->words) =
		ms_wire_head(MS_WIRE_EXEC, 1u + c->exit_refs[exit], c->first_exit + exit);
	for (uint32_t i = 0; i < c->exit_refs[exit]; i++) {
		addresses[i] = next_address(c, i);
		*ms_vec_add(&p->words) = addresses[i];
		if (addresses[i] != 0)
			refsim_reference(p->refsim, c->ref[i].site, addresses[i], c->ref[i].size,
					 (enum refsim_kind)c->ref[i].kind);
	}
	refsim_keep_execution(p->timing, &c->block, b, exit, addresses);
}

/* A loop of one block or two, which is left now and then. */
static void execute_loop(struct program *p)
{
	uint32_t b = any(BLOCKS), other = any(2) == 0 ? b : any(BLOCKS);

	for (uint32_t n = 1 + any(40); n > 0; n--) {
		execute_once(p, b, any(6) == 0 ? any(p->code[b].block.exits) : 0);
		if (other != b)
			execute_once(p, other, any(p->code[other].block.exits));
	}
}

/* --- batches --- */

static void filter_words(struct program *p, int e)
{
	struct ms_engine_shard *shard = ms_engine_get_shard(p->engine[e], p->filtering[e]);

	assert_int_equal(ms_engine_filter_executions(shard, p->words.at, p->words.n), p->words.n);
}

static void simulate_waiting(struct program *p, int e, unsigned leave)
{
	for (; p->waiting[e] > leave; p->waiting[e]--) {
		unsigned slot = (p->slot[e] + SLOTS + 1 - p->waiting[e]) % SLOTS;

		for (unsigned s = 0; s < shard_counts[e]; s++)
			ms_engine_simulate_batch(ms_engine_get_shard(p->engine[e], s), slot);
		ms_engine_finish_batch(p->engine[e], slot);
	}
}

static void begin_batch(struct program *p, uint64_t number)
{
	refsim_begin_batch(p->timing, number);
	for (int e = 0; e < ENGINES; e++) {
		p->slot[e] = (p->slot[e] + 1) % SLOTS;
		p->filtering[e] = any(ms_engine_count_filtering_shards(p->engine[e]));
		ms_engine_begin_batch(ms_engine_get_shard(p->engine[e], p->filtering[e]), number);
	}
}

static void end_batch(struct program *p)
{
	refsim_end_batch(p->timing);
	for (int e = 0; e < ENGINES; e++) {
		struct ms_engine_shard *shard = ms_engine_get_shard(p->engine[e], p->filtering[e]);

		ms_engine_distribute_batch(shard, p->slot[e]);
		if (shard_counts[e] > 1)
			ms_engine_reset_filter(shard);
		p->waiting[e]++;
		simulate_waiting(p, e, delay[e]);
	}
}

static void run_batch(struct program *p, uint64_t number)
{
	begin_batch(p, number);
	for (uint32_t n = any(12); n > 0; n--) {
		execute_loop(p);
		for (int e = 0; e < ENGINES; e++)
			filter_words(p, e);
		p->words.n = 0;
	}
	end_batch(p);
}

/* --- comparison --- */

static void compare_cell(const struct program *p, const struct ms_engine_total_cell *cell)
{
	struct refsim_timed_cell timed = refsim_timed_cell(p->refsim, cell->site, cell->data);

	assert_int_equal(cell->walks, timed.walks);
	assert_int_equal(cell->exposed_walks, timed.exposed_walks);
	assert_int_equal(cell->waited_bytes, timed.waited_bytes);
	compared.walks += timed.walks > 0;
	compared.exposed_walks += timed.exposed_walks > 0;
	compared.waited_bytes += timed.waited_bytes > 0;
	for (unsigned i = 0; i < MS_ENGINE_DEPENDENCES; i++) {
		assert_int_equal(cell->dependences[i], timed.dependences[i]);
		compared.dependences[i] += timed.dependences[i] > 0;
	}
}

static void compare_miss(const struct program *p, const struct ms_engine_total_cell *cell,
			 const struct ms_engine_total_miss *miss)
{
	struct refsim_timed_level timed =
		refsim_timed_level(p->refsim, cell->site, cell->data, miss->level);
	uint64_t misses =
		miss->causes[MS_ENGINE_MISS_FIRST] + miss->causes[MS_ENGINE_MISS_REPLACED];

	assert_int_equal(misses, misses_of(p->refsim, cell->site, cell->data, miss->level));
	assert_int_equal(miss->exposed, timed.exposed);
	assert_int_equal(miss->prefetched, timed.prefetched);
	compared.exposed += timed.exposed > 0;
	compared.prefetched += timed.prefetched > 0;
}

static void compare_blocks(const struct program *p, const struct ms_engine_totals *totals)
{
	uint32_t blocks = 0;

	for (size_t i = 0; i < totals->compute.n; i++) {
		const struct ms_engine_total_compute *compute = &totals->compute.at[i];
		struct refsim_timed_block timed = refsim_timed_block(p->refsim, compute->block);

		assert_int_equal(compute->instructions, timed.instructions);
		assert_int_equal(compute->cycles, timed.cycles);
	}
	for (uint32_t b = 0; b < BLOCKS; b++)
		blocks += refsim_timed_block(p->refsim, b).instructions > 0;
	assert_int_equal(totals->compute.n, blocks);
	compared.blocks += blocks;
}

static void compare(struct program *p, int e)
{
	struct ms_engine_totals totals;

	ms_engine_compute_totals(p->engine[e], &totals);
	compare_blocks(p, &totals);
	for (size_t i = 0; i < totals.cells.n; i++)
		compare_cell(p, &totals.cells.at[i]);
	for (size_t i = 0; i < totals.misses.n; i++)
		compare_miss(p, &totals.cells.at[totals.misses.at[i].cell], &totals.misses.at[i]);
	ms_engine_free_totals(&totals);
}

static void run_seed(uint64_t seed, uint64_t first_batch)
{
	struct program program = { .words = { 0 } }, *p = &program;
	struct ms_err err;

	random_state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	p->machine.name = "random";
	p->machine.processors = 1;
	make_levels(&p->machine);
	make_core(&p->machine);
	assert_int_equal(ms_machine_check(&p->machine, NULL, &err), MS_OK);
	open_program(p);
	for (uint64_t i = 0; i < BATCHES; i++)
		run_batch(p, first_batch + i);
	for (int e = 0; e < ENGINES; e++) {
		simulate_waiting(p, e, 0);
		compare(p, e);
	}
	close_program(p);
}

static void run_seeds(unsigned long seeds, uint64_t first_batch)
{
	const char *wanted = getenv("MEMSPY_REFSIM_SEEDS");

	if (wanted != NULL)
		seeds = strtoul(wanted, NULL, 10);
	for (unsigned long seed = 1; seed <= seeds; seed++) {
		if (getenv("MEMSPY_REFSIM_VERBOSE") != NULL)
			fprintf(stderr, "seed %lu, first batch %llu\n", seed,
				(unsigned long long)first_batch);
		run_seed(seed, first_batch);
	}
}

static void observed_batches(void **state)
{
	(void)state;
	run_seeds(SEEDS, 0);
	assert_true(compared.exposed > 100);
	assert_true(compared.prefetched > 100);
	assert_true(compared.walks > 100);
	assert_true(compared.exposed_walks > 100);
	assert_true(compared.waited_bytes > 100);
	assert_true(compared.blocks > 100);
	for (unsigned i = 0; i < MS_ENGINE_DEPENDENCES; i++)
		assert_true(compared.dependences[i] > 100);
}

/* Whether two of these batches are observed, and some between them are not. */
static bool is_interrupted(uint64_t first)
{
	bool is_observed = is_chosen(first);

	for (uint64_t i = 3; i + 1 < BATCHES && is_observed; i++)
		if (is_chosen(first + i))
			return true;
	return false;
}

/* From batch 32 on most batches only reach the TLB, and their misses are extrapolated. */
static void batches_that_are_not_observed(void **state)
{
	uint64_t first = 32;

	(void)state;
	while (!is_interrupted(first))
		first++;
	run_seeds(SEEDS / 2, first);
	run_seeds(SEEDS / 4, 26);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(observed_batches),
		cmocka_unit_test(batches_that_are_not_observed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
