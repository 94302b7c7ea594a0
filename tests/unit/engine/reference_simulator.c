/*
 * The engine compared with the reference simulator (tests/engine): random programs on random
 * machines of 1 to 64 processors. Every counter must be equal: with 1, 2, 3 and 7 shards; if
 * batches are simulated only when all slots are taken; with a performance monitor in the machine;
 * if only misses are attributed to data; and if processors contend for a few lines in short time
 * slices. MEMSPY_REFSIM_SEEDS=N tries more.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/engine.h"
#include "engine/refsim.c"
#include "engine/refsim_compare_lines.c"
#include "engine/simulated_pmu/pmu.h"
#include "wire/wire.h"

enum {
	UNMAPPED = 0,
	FREED = 1,
	FIRST_DATA = 2,
	MONITOR = FIRST_DATA + 5, /* data of a monitor's handler */
	HITS,                     /* of all references, where only misses count */
	BLOCKS = 6,
	SITES = 20,
	OBJECTS = 12,
	STEPS = 1500,
	ENGINES = 6,
	SLOTS = 4,
	THREADS = 8,
};

/* A sanitizer makes each round ten times slower. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SEEDS = 12 };
#else
enum { SEEDS = 60 };
#endif

static uint64_t random_state;
/* Rows that were compared, of all seeds: a simulator that counts nothing agrees too easily. */
static uint64_t compared[SLOW_WHATS];
static uint64_t occupied, arrived;
static uint64_t replaced, certain; /* replacement misses, and those with a certain cause */

static uint32_t any(uint32_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)((random_state >> 16) % below);
}

struct program {
	struct ms_machine machine;
	struct ms_engine_block block[BLOCKS];
	struct ms_engine_block_ref site[SITES];
	struct ms_engine_block_ref refs[BLOCKS][8];
	uint16_t exits[BLOCKS][3];
	uint32_t first_exit[BLOCKS];
	uint16_t instructions[BLOCKS][3];
	struct ms_engine *engine[ENGINES];
	struct refsim *refsim;
	uint64_t object[OBJECTS];                   /* size; 0: not there */
	MS_VEC(uint64_t) words;                     /* executions not yet fed */
	uint64_t switches;                          /* between threads, among them */
	uint64_t steps;                             /* of the batch */
	unsigned slot[ENGINES], filtering[ENGINES]; /* of the batch that is being filtered: */
	unsigned waiting[ENGINES];                  /* batches before it that are not simulated */
	bool fed;
	uint32_t thread, processor;
	uint64_t instructions_of[THREADS];
	double weighted_exits; /* executions, each by what was busy then */
	uint32_t busy;
	bool monitored;
	bool misses_only;
	bool fights;
	bool observes_all; /* batches: else only some, so that the first level has estimates */
	uint64_t batches;
	uint64_t causes_sum; /* of the engines that count approximately */
	struct ms_pmu_config pmu;
};

static const unsigned shard_counts[ENGINES] = { 1, 2, 3, 7, 1, 3 };
static const bool is_exact[ENGINES] = { [5] = true };
/* So many batches wait to be simulated. */
static const unsigned delay[ENGINES] = { [4] = SLOTS - 1 };

/* Any behaviour that the rules of a machine allow. */
static void make_behaviour(struct ms_machine_level *level, const struct ms_machine_level *before)
{
	level->replacement = any(MS_REPLACEMENTS);
	if ((level->ways & (level->ways - 1)) != 0 &&
	    level->replacement == MS_REPLACEMENT_TREE_PLRU)
		level->replacement = MS_REPLACEMENT_LRU;
	level->write = any(2);
	level->write_miss = any(2);
	if (before != NULL)
		level->contents = any(before->line == level->line ? 3 : 2);
	if (any(3) == 0)
		level->prefetch = 1 + any(5);
}

/* Processors that share a level share all below it. */
static void share_levels(struct ms_machine *machine)
{
	uint32_t sharers = any(3) == 0 ? 2 : 1;

	for (size_t i = 0; i < machine->levels.n; i++) {
		machine->levels.at[i].processors = sharers;
		if (sharers != 0 && any(2) == 0)
			sharers = any(2) == 0 ? 0 : sharers * (1 + any(3));
	}
}

static void make_nodes(struct ms_machine *machine)
{
	uint32_t processors = machine->processors;

	machine->nodes = any(2) == 0 ? 1 : 1 + any(processors < 4 ? processors : 4);
	machine->node_processors = (processors + machine->nodes - 1) / machine->nodes;
	machine->nodes = (processors + machine->node_processors - 1) / machine->node_processors;
	machine->placement = any(3);
	machine->placement_node = any(machine->nodes);
}

static void make_processors(struct ms_machine *machine, uint32_t processors)
{
	machine->processors = processors;
	machine->protocol = any(3);
	share_levels(machine);
	make_nodes(machine);
}

static void make_machine(struct ms_machine *machine)
{
	static const char *const names[] = { "L1", "L2", "L3", "L4" };
	static const uint32_t sets[] = { 1, 2, 3, 4, 7, 8, 12, 16, 32 };
	uint32_t line = 8u << any(4);
	uint32_t n = 1 + any(4);
	bool plain = any(3) == 0, prefetches = any(2) == 0;

	memset(machine, 0, sizeof(*machine));
	machine->name = "random";
	for (uint32_t i = 0; i < n; i++) {
		uint32_t ways = any(9) == 0 ? 1 + any(20) : 1 + any(6);

		*ms_vec_add(&machine->levels) = (struct ms_machine_level){
			.name = names[i],
			.ways = ways,
			.line = line,
			.size = (uint64_t)sets[any(MS_COUNT(sets))] * ways * line,
		};
		struct ms_machine_level *level = &machine->levels.at[i];
		if (!plain)
			make_behaviour(level, i > 0 ? level - 1 : NULL);
		if (!prefetches)
			level->prefetch = 0; /* else there would seldom be shards */
		if (any(3) == 0)
			line *= 2;
	}
}

/* Private levels of each processor, and one below them that has room for all. */
static void make_simple_machine(struct ms_machine *machine, uint32_t processors)
{
	static const char *const names[] = { "L1", "L2", "L3", "L4" };
	uint32_t line = 32u << any(2), own = 1 + any(2);

	memset(machine, 0, sizeof(*machine));
	machine->name = "simple";
	for (uint32_t i = 0; i <= own; i++) {
		uint32_t ways = i == own ? 16 : 2u << any(3), sets = i == own ? 16 : 1u << any(4);

		*ms_vec_add(&machine->levels) = (struct ms_machine_level){
			.name = names[i],
			.ways = ways,
			.line = line,
			.size = (uint64_t)sets * ways * line,
			.replacement = any(2) == 0 ? any(MS_REPLACEMENTS) : MS_REPLACEMENT_LRU,
			.processors = i == own ? 0 : 1,
		};
	}
	machine->processors = processors;
	machine->protocol = any(3);
	make_nodes(machine);
}

static void make_blocks(struct program *p)
{
	uint32_t next_exit = 0;

	for (uint32_t i = 0; i < SITES; i++)
		p->site[i] =
			(struct ms_engine_block_ref){ i, (uint16_t)(1u << any(p->fights ? 4 : 7)),
						      (uint16_t)any(3), 0 };
	for (int b = 0; b < BLOCKS; b++) {
		uint32_t refs = any(p->fights ? 4 : 9), exits = 1 + any(3);

		p->first_exit[b] = next_exit;
		next_exit += exits;

		for (uint32_t i = 0; i < refs; i++) {
			p->refs[b][i] = p->site[any(SITES)];
			refsim_places(p->refsim, p->refs[b][i].site + 1);
		}
		for (uint32_t i = 0; i < exits; i++)
			p->exits[b][i] = (uint16_t)any(refs + 1);
		for (uint32_t i = 0; i < exits; i++)
			p->instructions[b][i] = (uint16_t)any(20);
		p->block[b] = (struct ms_engine_block){ refs, exits,       p->refs[b],
							NULL, p->exits[b], p->instructions[b],
							0,    NULL,        0,
							0,    NULL };
		for (int e = 0; e < ENGINES; e++)
			for (unsigned s = 0; s < shard_counts[e]; s++)
				ms_engine_add_block(ms_engine_get_shard(p->engine[e], s),
						    &p->block[b]);
	}
}

/* A thread on a processor, as the stream calls it. */
static uint64_t switch_to(uint32_t processor, uint32_t thread)
{
	return ms_wire_head(MS_WIRE_SWITCH, 1, processor * THREADS + thread);
}

/* What a collector does with a thread switch that no L1 filter has handled by itself. */
static void apply_switch(struct ms_engine_shard *shard, uint64_t record)
{
	uint32_t name = ms_wire_arg_of(record);

	assert_int_equal(ms_wire_kind_of(record), MS_WIRE_SWITCH);
	ms_engine_set_processor(shard, name / THREADS, name % THREADS);
	ms_engine_register_thread(shard, name);
}

static uint64_t taken_up; /* thread switches that L1 filters have handled */

static void filter_words(struct program *p, int e)
{
	struct ms_engine_shard *filtering = ms_engine_get_shard(p->engine[e], p->filtering[e]);
	uint32_t last = ms_wire_arg_of(switch_to(p->processor, p->thread)), name = last;
	uint64_t switches = 0, times;

	for (size_t at = 0; at < p->words.n; at++, switches++) {
		at += ms_engine_filter_executions(filtering, p->words.at + at, p->words.n - at);
		times = ms_engine_take_thread_switches(filtering, &name);
		switches += times;
		taken_up += times;
		if (at == p->words.n)
			break;
		apply_switch(filtering, p->words.at[at]);
		name = ms_wire_arg_of(p->words.at[at]);
	}
	assert_int_equal(switches, p->switches);
	assert_int_equal(name, last);
	for (unsigned s = 0; s < shard_counts[e] && p->switches > 0; s++)
		if (s != p->filtering[e])
			apply_switch(ms_engine_get_shard(p->engine[e], s),
				     switch_to(p->processor, p->thread));
}

/* Filters what was executed, in one shard. */
static void feed(struct program *p)
{
	for (int e = 0; e < ENGINES; e++) {
		if (!p->fed) {
			p->slot[e] = delay[e] > 0 ? (p->slot[e] + 1) % SLOTS : any(SLOTS);
			p->filtering[e] = any(ms_engine_count_filtering_shards(p->engine[e]));
			ms_engine_begin_batch(ms_engine_get_shard(p->engine[e], p->filtering[e]),
					      p->observes_all ? 0 : p->batches);
		}
		filter_words(p, e);
	}
	p->steps += p->words.n - p->switches;
	p->words.n = 0;
	p->switches = 0;
	p->fed = true;
}

/* Simulates the batches that wait, except the last ones. */
static void simulate_waiting(struct program *p, int e, unsigned leave)
{
	for (; p->waiting[e] > leave; p->waiting[e]--) {
		unsigned slot = (p->slot[e] + SLOTS + 1 - p->waiting[e]) % SLOTS;

		for (unsigned s = 0; s < shard_counts[e]; s++)
			ms_engine_simulate_batch(ms_engine_get_shard(p->engine[e], s), slot);
		ms_engine_finish_batch(p->engine[e], slot);
	}
}

/* The shards' work one after the other; for the engine it is the same as in threads. */
static void end_batch(struct program *p)
{
	feed(p);
	for (int e = 0; e < ENGINES; e++) {
		ms_engine_distribute_batch(ms_engine_get_shard(p->engine[e], p->filtering[e]),
					   p->slot[e]);
		if (shard_counts[e] > 1)
			ms_engine_reset_filter(ms_engine_get_shard(p->engine[e], p->filtering[e]));
		p->waiting[e]++;
		simulate_waiting(p, e, delay[e]);
	}
	refsim_pass(p->refsim, p->steps);
	p->steps = 0;
	p->fed = false;
	p->batches++;
	if (p->refsim->lines != NULL)
		refsim_begin_lines(p->refsim, p->observes_all ? 0 : p->batches);
}

static uint64_t random_address(const struct program *p)
{
	static const uint64_t bases[] = {
		0x10000, 0x10000, 0x10000, 0x40000, 0x7fff0000, 0x12e00, 1
	};

	if (p->fights && any(8) != 0)
		return 0x10000 + any(100);
	return bases[any(MS_COUNT(bases))] + any(1200);
}

static void execute(struct program *p)
{
	uint32_t b = any(BLOCKS), exit = any(p->block[b].exits);

	p->instructions_of[p->thread] += p->instructions[b][exit];
	p->weighted_exits += 1.0 / p->busy;
	refsim_executed(p->refsim, p->instructions[b][exit]);
	*ms_vec_add(&p->words) =
		ms_wire_head(MS_WIRE_EXEC, 1u + p->exits[b][exit], p->first_exit[b] + exit);
	for (uint32_t i = 0; i < p->exits[b][exit]; i++) {
		uint64_t address = any(20) == 0 ? 0 : random_address(p);

		*ms_vec_add(&p->words) = address;
		if (address != 0)
			refsim_reference(p->refsim, p->refs[b][i].site, address, p->refs[b][i].size,
					 (enum refsim_kind)p->refs[b][i].kind);
	}
}

#define TELL_ALL(call)                                                                        \
	for (int e = 0; e < ENGINES; e++)                                                     \
		for (unsigned s = 0; s < shard_counts[e]; s++) {                              \
			struct ms_engine_shard *shard = ms_engine_get_shard(p->engine[e], s); \
			call;                                                                 \
		}

/* Threads of a small program: each stays on its processor, or moves now and then. */
static void switch_threads(struct program *p)
{
	uint32_t processors = p->machine.processors;
	uint32_t thread = any(THREADS);
	uint32_t processor = any(10) == 0 ? any(processors) : thread * 7 % processors;

	p->thread = thread;
	p->processor = processor;
	*ms_vec_add(&p->words) = switch_to(processor, thread);
	p->switches++;
	refsim_processor(p->refsim, processor, thread);
	if (any(3) != 0)
		return;
	feed(p);
	if (any(4) == 0)
		TELL_ALL(ms_engine_forget_threads(shard));
	p->busy = 1 + any(processors < 16 ? processors : 16);
	TELL_ALL(ms_engine_set_busy_processors(shard, p->busy));
	refsim_busy(p->refsim, p->busy);
}

static void set_policy(struct program *p)
{
	uint64_t start = 0x10000 + any(4) * 4096, end = start + any(3) * 4096;
	enum ms_machine_page_placement placement = (enum ms_machine_page_placement)any(3);
	uint64_t nodes = any(16);

	feed(p);
	TELL_ALL(ms_engine_set_placement(shard, start, end, placement, nodes));
	refsim_policy(p->refsim, start, end, placement, nodes);
}

static void happen(struct program *p)
{
	uint32_t i = any(OBJECTS), data = FIRST_DATA + any(5);
	uint64_t start = 0x10000 + i * 96;
	uint64_t from = 0x10000 + any(1200), to = from + any(400);

	feed(p);
	if (any(8) == 0) {
		bool exact = any(2) == 0; /* and then not where heap objects are */

		from += exact ? 0x30000 : 0;
		to += exact ? 0x30000 : 0;
		TELL_ALL(ms_engine_map_region(shard, from, to, data, exact));
		if (from < to)
			refsim_map(p->refsim, from, to, data);
	} else if (any(40) == 0) {
		from &= ~UINT64_C(7);
		to &= ~UINT64_C(7);
		TELL_ALL(ms_engine_unmap_range(shard, from, to));
		refsim_unmap(p->refsim, from, to);
		/* What lay half inside is not freed later: a real allocator does not do that. */
		memset(p->object, 0, sizeof(p->object));
	} else if (p->object[i] != 0) {
		TELL_ALL(struct ms_engine_range was;
			 assert_true(ms_engine_free_object(shard, start, &was)));
		refsim_free(p->refsim, start, p->object[i]);
		p->object[i] = 0;
	} else {
		p->object[i] = 1 + any(96);
		TELL_ALL(ms_engine_add_object(shard, start, p->object[i], data));
		refsim_place(p->refsim, start, p->object[i], data);
	}
}

#include "engine/refsim_compare.c"

/* Any monitor: each event, short periods and long ones, and periods that follow a wish. */
static void make_monitor(struct program *p)
{
	struct ms_machine *machine = &p->machine;

	for (size_t i = 1; i < machine->levels.n; i++)
		machine->levels.at[i].latency = any(20);
	machine->memory_latency = any(300);
	p->pmu = (struct ms_pmu_config){
		.event = (enum ms_pmu_event)any(3),
		.level = any((uint32_t)machine->levels.n),
		.period = any(3) == 0 ? 0 : 1 + any(any(2) == 0 ? 5 : 200),
		.wish = 0.5 + any(10),
		.seed = any(1000),
		.cost = any(2000),
		.data = MONITOR,
	};
}

/* Some lines, or half of them, so that those that are not selected share their sets. */
static void observe_some_lines(struct program *p)
{
	uint32_t rate = any(2) * 2;

	if (any(3) != 0)
		return; /* saves time */
	refsim_observe_lines(p->refsim, rate);
	for (int e = 0; e < ENGINES; e++)
		ms_engine_select_lines(p->engine[e], rate);
}

static void open_engines(struct program *p)
{
	const struct ms_engine_fallback_data special = { UNMAPPED, FREED, 0 };

	for (int e = 0; e < ENGINES; e++)
		p->engine[e] = p->monitored ? ms_pmu_open_engine(&p->machine, shard_counts[e],
								 SLOTS, &special, &p->pmu)
					    : ms_engine_open(&p->machine, shard_counts[e], SLOTS,
							     &special);
	for (int e = 0; e < ENGINES; e++)
		ms_engine_divide_replacements(p->engine[e], &p->machine,
					      is_exact[e] ? MS_ENGINE_DIVIDED_EXACTLY
							  : MS_ENGINE_DIVIDED_BY_BOUNDS);
	p->refsim = refsim_open(&p->machine, UNMAPPED, FREED);
	if (!p->monitored && !p->misses_only)
		observe_some_lines(p);
	if (p->monitored)
		refsim_watch(p->refsim, &p->pmu);
	if (!p->misses_only)
		return;
	refsim_skip_hits(p->refsim, HITS);
	for (int e = 0; e < ENGINES; e++)
		ms_engine_skip_hits(p->engine[e], HITS);
}

enum mode { PLAIN, MONITORED, MISSES_ONLY, FIGHTS };

static void run_seed(uint64_t seed, uint32_t processors, enum mode mode)
{
	struct program program, *p = &program;
	struct ms_err err;

	memset(p, 0, sizeof(*p));
	p->busy = 1;
	random_state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	p->fights = mode == FIGHTS;
	p->observes_all = seed % 2 == 0;
	if (p->fights) {
		make_simple_machine(&p->machine, processors);
	} else {
		make_machine(&p->machine);
		assert_int_equal(ms_machine_check(&p->machine, NULL, &err), MS_OK);
		make_processors(&p->machine, processors);
	}
	p->monitored = mode == MONITORED;
	p->misses_only = mode == MISSES_ONLY;
	if (p->monitored)
		make_monitor(p);
	open_engines(p);
	make_blocks(p);
	for (int i = 0; i < STEPS; i++) {
		if (any(p->fights ? 40 : 10) == 0)
			happen(p);
		else if (processors > 1 && any(p->fights ? 3 : 12) == 0)
			switch_threads(p);
		else if (processors > 1 && any(150) == 0)
			set_policy(p);
		else
			execute(p);
		if (any(20) == 0)
			end_batch(p);
	}
	end_batch(p);
	for (int e = 0; e < ENGINES; e++) {
		simulate_waiting(p, e, 0);
		compare(p->engine[e], p, e);
		ms_engine_close(p->engine[e]);
	}
	refsim_close(p->refsim);
	ms_vec_free(&p->words);
	ms_vec_free(&p->machine.levels);
}

static void run_seeds(unsigned long seeds, uint32_t processors, enum mode mode)
{
	const char *wanted = getenv("MEMSPY_REFSIM_SEEDS");

	if (wanted != NULL)
		seeds = strtoul(wanted, NULL, 10);
	for (unsigned long seed = 1; seed <= seeds; seed++) {
		/* Shown by cmocka when an assertion below it fails. */
		if (getenv("MEMSPY_REFSIM_VERBOSE") != NULL)
			fprintf(stderr, "seed %lu, %u processors, mode %d\n", seed, processors,
				(int)mode);
		run_seed(seed, processors, mode);
	}
}

static void one_processor(void **state)
{
	(void)state;
	run_seeds(SEEDS, 1, PLAIN);
	assert_true(replaced > 1000 && certain > replaced / 2);
}

static void monitored(void **state)
{
	(void)state;
	run_seeds(SEEDS, 1, MONITORED);
}

static void misses_only(void **state)
{
	(void)state;
	run_seeds(SEEDS, 1, MISSES_ONLY);
	run_seeds(SEEDS / 4, 4, MISSES_ONLY);
}

static void few_processors(void **state)
{
	(void)state;
	run_seeds(SEEDS / 2, 2, PLAIN);
	run_seeds(SEEDS / 4, 3, PLAIN);
	run_seeds(SEEDS / 2, 4, PLAIN);
	assert_true(compared_lines.threads > 300);
	for (size_t what = 0; what < MS_COUNT(compared); what++)
		if (compared[what] == 0)
			fail_msg("nothing was ever counted of %zu", what);
	assert_true(occupied > 1000);
	assert_true(arrived > 1000);
}

static void many_processors(void **state)
{
	(void)state;
	run_seeds(SEEDS / 4, 16, PLAIN);
	run_seeds(SEEDS / 12, 64, PLAIN);
}

static void contended_lines(void **state)
{
	(void)state;
	run_seeds(SEEDS / 2, 2, FIGHTS);
	run_seeds(SEEDS / 2, 4, FIGHTS);
	run_seeds(SEEDS / 4, 16, FIGHTS);
	assert_true(taken_up > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_processor),   cmocka_unit_test(monitored),
		cmocka_unit_test(misses_only),     cmocka_unit_test(few_processors),
		cmocka_unit_test(many_processors), cmocka_unit_test(contended_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
