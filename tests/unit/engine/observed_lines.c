/*
 * The use of selected lines compared with the reference simulator (refsim_lines.c): random programs
 * with many loops of constant strides, on one processor and on several. All counts must be equal,
 * with 1, 2 and 5 shards, and if batches are simulated only when all batch indices are taken.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/engine.h"
#include "engine/refsim.c"
#include "engine/refsim_compare_lines.c"
#include "wire/wire.h"

enum {
	UNMAPPED = 0,
	FREED = 1,
	FIRST_DATA = 2,
	REGIONS = 3,
	REGION = 1 << 14, /* bytes */
	BLOCKS = 6,
	REFS = 24,
	EXITS = 2,
	BATCHES = 10,
	ENGINES = 5,
	SLOTS = 3,
	SEEDS = 12,
};
#define BASE UINT64_C(0x100000)

static const unsigned shard_counts[ENGINES] = { 1, 2, 5, 1, 3 };
static const unsigned delay[ENGINES] = { 0, 0, 0, SLOTS - 1, 0 };
/* This one divides replacement misses exactly, if all lines are observed. */
enum { EXACT_ENGINE = 4 };

static uint64_t random_state;

static uint32_t any(uint32_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)((random_state >> 16) % below);
}

/* Cells that were compared, of all seeds: in the first level, and in the others. */
static struct {
	uint64_t conflicts[2], capacity[2], saved[2];
} compared_divisions;
/* Data with misses although replacement is optimal. */
static uint64_t compared_optimal[2];

/* A block of equal iterations, as front-ends unroll loops. */
struct code {
	struct ms_engine_block block;
	struct ms_engine_block_ref ref[REFS];
	uint16_t exit_refs[EXITS];
	uint32_t first_exit;
	uint32_t period;
	uint64_t next[REFS];
	int64_t stride[REFS];
};

struct program {
	struct ms_machine machine;
	uint64_t span; /* bytes that are accessed */
	struct code code[BLOCKS];
	struct refsim *refsim;
	struct ms_engine *engine[ENGINES];
	unsigned slot[ENGINES], filtering[ENGINES], waiting[ENGINES];
	MS_VEC(uint64_t) words;
};

static void make_levels(struct ms_machine *machine)
{
	static const char *const names[] = { "L1", "L2", "L3" };
	uint32_t n = 1 + any(3), line = any(4) == 0 ? 32 : 64;
	bool is_lru = any(4) != 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t ways = 2u << any(3);

		*ms_vec_add(&machine->levels) = (struct ms_machine_level){
			.name = names[i],
			.ways = ways,
			.line = line,
			.size = (uint64_t)ways * line * (2u << (any(2) + i * (1 + any(3)))),
			.latency = i * 10,
			.replacement = is_lru ? MS_REPLACEMENT_LRU : any(MS_REPLACEMENTS),
			.write = is_lru ? 0 : any(2),
			.write_miss = is_lru ? 0 : any(2),
		};
		line *= any(6) == 0 ? 2 : 1;
	}
	machine->memory_latency = 100;
}

static void make_block(struct program *p, uint32_t number, uint32_t first_exit)
{
	static const int64_t strides[] = { 0, 8, 8, 8, -8, 16, 4, 64, -64, 24, 72, 1024, -200 };
	struct code *c = &p->code[number];
	uint32_t iterations;

	c->period = 1 + any(4);
	iterations = 1 + any(REFS / c->period);
	c->first_exit = first_exit;
	c->block = (struct ms_engine_block){ .refs = c->period * iterations,
					     .exits = EXITS,
					     .ref = c->ref,
					     .exit_refs = c->exit_refs };
	c->exit_refs[0] = (uint16_t)c->block.refs;
	c->exit_refs[1] = (uint16_t)(c->period * (1 + any(iterations)));
	for (uint32_t i = 0; i < c->block.refs; i++) {
		uint32_t k = i % c->period;

		c->ref[i] =
			i < c->period
				? (struct ms_engine_block_ref){ .site = number * REFS + k,
								.size = (uint16_t)(1u << any(5)),
								.kind = (uint16_t)any(3) }
				: c->ref[k];
	}
	for (uint32_t k = 0; k < c->period; k++)
		c->stride[k] =
			any(5) == 0 && k > 0 ? c->stride[k - 1] : strides[any(MS_COUNT(strides))];
	refsim_places(p->refsim, (number + 1) * REFS);
}

static void open_program(struct program *p, uint32_t rate)
{
	const struct ms_engine_fallback_data special = { UNMAPPED, FREED, 0 };
	bool watches = rate == MS_ENGINE_SELECT_WATCHED_LINES;
	uint32_t exits = 0;

	p->refsim = refsim_open(&p->machine, UNMAPPED, FREED);
	refsim_observe_lines(p->refsim, watches ? 1 : rate);
	if (watches)
		refsim_watch_lines(p->refsim, 0, 0, 0);
	refsim_divide(p->refsim);
	for (uint32_t i = 0; i < REGIONS; i++)
		refsim_map(p->refsim, BASE + i * REGION, BASE + (i + 1) * REGION, FIRST_DATA + i);
	for (uint32_t b = 0; b < BLOCKS; exits += p->code[b++].block.exits)
		make_block(p, b, exits);
	for (int e = 0; e < ENGINES; e++) {
		p->engine[e] = ms_engine_open(&p->machine, shard_counts[e], SLOTS, &special);
		ms_engine_select_lines(p->engine[e], rate);
		ms_engine_divide_replacements(p->engine[e], &p->machine,
					      watches ? MS_ENGINE_UNDIVIDED
					      : rate == 1 && e == EXACT_ENGINE
						      ? MS_ENGINE_DIVIDED_EXACTLY
						      : MS_ENGINE_DIVIDED_BY_ESTIMATES);
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

static void execute_once(struct program *p, uint32_t b, uint32_t exit)
{
	struct code *c = &p->code[b];

	*ms_vec_add(&p->words) =
		ms_wire_head(MS_WIRE_EXEC, 1u + c->exit_refs[exit], c->first_exit + exit);
	for (uint32_t i = 0; i < c->exit_refs[exit]; i++) {
		uint32_t k = i % c->period;
		uint64_t address = BASE + c->next[k] % p->span;

		c->next[k] += (uint64_t)c->stride[k];
		*ms_vec_add(&p->words) = address;
		refsim_reference(p->refsim, c->ref[i].site, address, c->ref[i].size,
				 (enum refsim_kind)c->ref[i].kind);
	}
}

/* Some references of a loop are at the address of the one before it. */
static void execute_loop(struct program *p)
{
	uint32_t b = any(BLOCKS), n = 1 + any(30);
	struct code *c = &p->code[b];

	for (uint32_t k = 0; k < c->period; k++)
		c->next[k] = k > 0 && any(3) == 0 ? c->next[k - 1]
						  : any((uint32_t)p->span / 8) * 8 + (any(8) == 0);
	for (; n > 1; n--)
		execute_once(p, b, 0);
	execute_once(p, b, 1);
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
	refsim_begin_lines(p->refsim, number);
	for (int e = 0; e < ENGINES; e++) {
		p->slot[e] = (p->slot[e] + 1) % SLOTS;
		p->filtering[e] = any(ms_engine_count_filtering_shards(p->engine[e]));
		ms_engine_begin_batch(ms_engine_get_shard(p->engine[e], p->filtering[e]), number);
	}
}

static void end_batch(struct program *p)
{
	for (int e = 0; e < ENGINES; e++) {
		struct ms_engine_shard *shard = ms_engine_get_shard(p->engine[e], p->filtering[e]);

		ms_engine_distribute_batch(shard, p->slot[e]);
		if (shard_counts[e] > 1)
			ms_engine_reset_filter(shard);
		p->waiting[e]++;
		simulate_waiting(p, e, delay[e]);
	}
}

/* With several processors, the loops that follow are of any of them; each has two threads. */
static void switch_processor(struct program *p)
{
	uint32_t processor = any(p->machine.processors), thread = processor * 2 + any(2);

	refsim_processor(p->refsim, processor, thread);
	for (int e = 0; e < ENGINES; e++)
		for (unsigned s = 0; s < shard_counts[e]; s++)
			ms_engine_set_processor(ms_engine_get_shard(p->engine[e], s), processor,
						thread);
}

static void filter_words(struct program *p)
{
	for (int e = 0; e < ENGINES; e++)
		assert_int_equal(ms_engine_filter_executions(
					 ms_engine_get_shard(p->engine[e], p->filtering[e]),
					 p->words.at, p->words.n),
				 p->words.n);
	p->words.n = 0;
}

/* A part of a region begins to be watched between two loops. */
static void watch_lines(struct program *p)
{
	uint32_t region = any(REGIONS), size = 1 + any(4096);
	uint64_t start = BASE + region * REGION + any(REGION - size);

	filter_words(p);
	refsim_watch_lines(p->refsim, start, size, FIRST_DATA + region);
	for (int e = 0; e < ENGINES; e++)
		for (unsigned s = 0; s < shard_counts[e]; s++)
			ms_engine_watch_lines(ms_engine_get_shard(p->engine[e], s), start, size,
					      FIRST_DATA + region);
}

static void run_batch(struct program *p, uint64_t number, bool watches)
{
	begin_batch(p, number);
	for (uint32_t n = 1 + any(6); n > 0; n--) {
		if (watches && any(8) == 0)
			watch_lines(p);
		if (p->machine.processors > 1) {
			filter_words(p);
			switch_processor(p);
		}
		execute_loop(p);
	}
	filter_words(p);
	end_batch(p);
}

/* Processors share caches of the first level, or not; the last one is mostly common to all. */
static void add_processors(struct ms_machine *machine, uint32_t processors)
{
	uint32_t sharers = any(4) == 0 ? 2 : 1;

	machine->processors = processors;
	machine->nodes = 1;
	machine->protocol = any(3);
	for (size_t i = 0; i < machine->levels.n; i++) {
		machine->levels.at[i].processors = sharers;
		if (sharers != 0 && any(2) == 0)
			sharers = any(3) == 0 ? sharers * 2 : 0;
	}
}

/* A cell and level without a row has no parts. */
static void compare_divisions(const struct program *p, const struct ms_engine_totals *totals)
{
	size_t at = 0;

	if (totals->division != MS_ENGINE_DIVIDED_BY_ESTIMATES) {
		assert_int_equal(totals->divisions.n, 0);
		return;
	}
	assert_int_equal(p->machine.processors, 1);
	for (uint32_t c = 0; c < totals->cells.n; c++)
		for (uint32_t level = 0; level < p->machine.levels.n; level++) {
			const struct ms_engine_total_cell *cell = &totals->cells.at[c];
			const struct ms_engine_total_division *d = &totals->divisions.at[at];
			struct ms_engine_division_parts none = { 0 }, parts = refsim_division_parts(
									      p->refsim, cell->site,
									      cell->data, level);
			bool has_row =
				at < totals->divisions.n && d->cell == c && d->level == level;

			at += has_row;
			assert_memory_equal(has_row ? &d->parts : &none, &parts, sizeof(parts));
			compared_divisions.conflicts[level > 0] +=
				sum_of_groups(parts.conflict) > 0;
			compared_divisions.capacity[level > 0] += sum_of_groups(parts.capacity) > 0;
			compared_divisions.saved[level > 0] += sum_of_groups(parts.saved) > 0;
		}
	assert_int_equal(at, totals->divisions.n);
}

/* If all lines are observed. The first level is observed as a whole only if that is asked for. */
static void compare_optimal(const struct program *p, const struct ms_engine_totals *totals)
{
	bool is_exact = totals->division == MS_ENGINE_DIVIDED_EXACTLY;

	for (uint32_t level = is_exact ? 0 : 1; level < p->machine.levels.n; level++)
		for (uint32_t data = UNMAPPED; data < FIRST_DATA + REGIONS; data++) {
			const struct ms_engine_optimal_parts *parts = NULL;
			uint64_t misses[MS_ENGINE_OPTIMAL] = { 0 };

			if (!is_exact &&
			    p->machine.levels.at[level].line != p->machine.levels.at[0].line)
				continue;
			for (size_t i = 0; i < totals->optimal.n; i++)
				if (totals->optimal.at[i].data == data &&
				    totals->optimal.at[i].level == level)
					parts = &totals->optimal.at[i].parts;
			for (unsigned k = 0; k < MS_ENGINE_OPTIMAL && parts != NULL; k++)
				misses[k] = sum_of_groups(parts->misses[k]);
			assert_int_equal(misses[MS_ENGINE_OPTIMAL_LIKELY],
					 refsim_optimal_misses(p->refsim, level, data, is_exact));
			assert_int_equal(misses[MS_ENGINE_OPTIMAL_FEWEST],
					 misses[MS_ENGINE_OPTIMAL_LIKELY]);
			assert_int_equal(misses[MS_ENGINE_OPTIMAL_MOST],
					 misses[MS_ENGINE_OPTIMAL_LIKELY]);
			compared_optimal[is_exact] += misses[MS_ENGINE_OPTIMAL_LIKELY] > 0;
		}
}

static void run_span(uint64_t seed, uint64_t first_batch, uint32_t rate, uint32_t processors,
		     uint64_t span)
{
	struct program program = { .span = span }, *p = &program;
	struct ms_err err;

	random_state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	p->machine.name = "random";
	p->machine.processors = 1;
	make_levels(&p->machine);
	assert_int_equal(ms_machine_check(&p->machine, NULL, &err), MS_OK);
	if (processors > 1)
		add_processors(&p->machine, processors);
	open_program(p, rate);
	for (uint64_t i = 0; i < BATCHES; i++)
		run_batch(p, first_batch + i, rate == MS_ENGINE_SELECT_WATCHED_LINES);
	for (int e = 0; e < ENGINES; e++) {
		struct ms_engine_totals totals;

		simulate_waiting(p, e, 0);
		ms_engine_compute_totals(p->engine[e], &totals);
		compare_lines(p->refsim, &totals);
		compare_divisions(p, &totals);
		if (rate == 1 && totals.division != MS_ENGINE_UNDIVIDED)
			compare_optimal(p, &totals);
		ms_engine_free_totals(&totals);
	}
	close_program(p);
}

static void run_seed(uint64_t seed, uint64_t first_batch, uint32_t rate, uint32_t processors)
{
	run_span(seed, first_batch, rate, processors, REGIONS * REGION);
}

static void some_lines(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		run_seed(seed, 0, 0, 1);
	assert_true(compared_lines.uses > 100);
	assert_true(compared_lines.written > 100);
	assert_true(compared_lines.curves > 100);
	assert_true(compared_lines.reuses > 50);
	assert_true(compared_lines.last_level > 50);
}

/* From batch 8 on, fewer lines are selected: the others are forgotten. */
static void fewer_lines(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		run_seed(seed, 8 - BATCHES / 2, 0, 1);
}

/* Batches before a span of observed ones, the span, and batches after it. */
static void observed_spans(void **state)
{
	static const uint64_t from[] = { 4, 96, 1056, 100000 };

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		uint64_t first = from[seed % MS_COUNT(from)];

		while (refsim_is_batch_observed(first) || !refsim_is_batch_observed(first + 2))
			first++;
		run_seed(seed, first, 0, 1);
	}
}

static void all_lines(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 6; seed++)
		run_seed(seed, 0, 1, 1);
	for (int other = 0; other < 2; other++) {
		assert_true(compared_divisions.conflicts[other] > 10);
		assert_true(compared_divisions.capacity[other] > 10);
		assert_true(compared_divisions.saved[other] > 10);
		assert_true(compared_optimal[other] > 5);
	}
}

static void several_processors(void **state)
{
	(void)state;
	memset(&compared_lines, 0, sizeof(compared_lines));
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		run_seed(seed, seed % 2 == 0 ? 0 : 8 - BATCHES / 2, 0, 2 + seed % 3);
	for (uint64_t seed = 1; seed <= 2; seed++)
		run_seed(seed, 0, 1, 3);
	assert_true(compared_lines.uses > 100);
	assert_true(compared_lines.written > 100);
	assert_true(compared_lines.threads > 100);
	assert_true(compared_lines.reuses > 50);
	assert_true(compared_lines.last_level > 50);
}

/* Lines reach the limit of a batch, and are observed again in the next one. */
static void few_lines(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 8 * SEEDS; seed++)
		run_span(seed, 0, 2, 1 + seed % 4, 1024);
}

/* Also while the filters remember lines that begin to be watched. */
static void watched_lines(void **state)
{
	(void)state;
	memset(&compared_lines, 0, sizeof(compared_lines));
	for (uint64_t seed = 1; seed <= 4 * SEEDS; seed++)
		run_span(seed, 0, MS_ENGINE_SELECT_WATCHED_LINES, 1,
			 seed % 2 == 0 ? 2048 : REGIONS * REGION);
	assert_true(compared_lines.uses > 100);
	assert_true(compared_lines.written > 100);
	assert_true(compared_lines.last_level > 50);
	assert_int_equal(compared_lines.curves + compared_lines.reuses, 0);
}

static void watched_lines_of_several_processors(void **state)
{
	(void)state;
	memset(&compared_lines, 0, sizeof(compared_lines));
	for (uint64_t seed = 1; seed <= 4 * SEEDS; seed++)
		run_span(seed, 0, MS_ENGINE_SELECT_WATCHED_LINES, 2 + seed % 3,
			 seed % 2 == 0 ? 2048 : REGIONS * REGION);
	assert_true(compared_lines.uses > 100);
	assert_true(compared_lines.threads > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(some_lines),
		cmocka_unit_test(fewer_lines),
		cmocka_unit_test(observed_spans),
		cmocka_unit_test(all_lines),
		cmocka_unit_test(several_processors),
		cmocka_unit_test(few_lines),
		cmocka_unit_test(watched_lines),
		cmocka_unit_test(watched_lines_of_several_processors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
