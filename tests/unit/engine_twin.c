/*
 * The engine against its slow twin: random programs over random machines, every counter equal, with
 * 1, 2 and 7 shards. MEMSPY_TWIN_SEEDS=N tries more.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/engine.h"
#include "engine/slow.c"
#include "stream/wire.h"

enum {
	UNMAPPED = 0,
	FREED = 1,
	FIRST_DATA = 2,
	BLOCKS = 6,
	SITES = 20,
	OBJECTS = 12,
	STEPS = 1500
};

/* A sanitizer makes each round ten times slower. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SEEDS = 12 };
#else
enum { SEEDS = 60 };
#endif

static uint64_t random_state;

static uint32_t any(uint32_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)((random_state >> 16) % below);
}

struct program {
	struct ms_machine machine;
	struct ms_block block[BLOCKS];
	struct ms_block_ref site[SITES];
	struct ms_block_ref refs[BLOCKS][8];
	uint16_t exits[BLOCKS][3];
	uint32_t first_exit[BLOCKS];
	struct ms_engine *engine[3];
	struct slow *slow;
	uint64_t object[OBJECTS]; /* size; 0: not there */
	MS_VEC(uint64_t) words;   /* executions not yet fed */
};

static const unsigned shard_counts[3] = { 1, 2, 7 };

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

static void make_blocks(struct program *p)
{
	uint32_t next_exit = 0;

	for (uint32_t i = 0; i < SITES; i++)
		p->site[i] = (struct ms_block_ref){ i, (uint16_t)(1u << any(7)), (uint16_t)any(3) };
	for (int b = 0; b < BLOCKS; b++) {
		uint32_t refs = any(9), exits = 1 + any(3);

		p->first_exit[b] = next_exit;
		next_exit += exits;

		for (uint32_t i = 0; i < refs; i++)
			p->refs[b][i] = p->site[any(SITES)];
		for (uint32_t i = 0; i < exits; i++)
			p->exits[b][i] = (uint16_t)any(refs + 1);
		p->block[b] = (struct ms_block){ refs, exits, p->refs[b], p->exits[b], NULL };
		for (int e = 0; e < 3; e++)
			for (unsigned s = 0; s < shard_counts[e]; s++)
				ms_shard_add_block(ms_engine_shard(p->engine[e], s), &p->block[b]);
	}
}

/* The shards' work one after the other; the engine cannot tell that from threads. */
static void feed_shards(struct ms_engine *engine, unsigned shards, const uint64_t *words, size_t n)
{
	unsigned slot = any(4), sifter = any(ms_engine_sifters(engine));

	assert_int_equal(ms_shard_sift(ms_engine_shard(engine, sifter), words, n, slot), n);
	if (shards > 1)
		ms_shard_drain(ms_engine_shard(engine, sifter), slot);
	for (unsigned s = 0; s < shards; s++)
		ms_shard_settle(ms_engine_shard(engine, s), slot);
	ms_engine_finish(engine, slot);
}

static void feed(struct program *p)
{
	for (int e = 0; e < 3; e++)
		feed_shards(p->engine[e], shard_counts[e], p->words.at, p->words.n);
	p->words.n = 0;
}

static uint64_t random_address(void)
{
	static const uint64_t bases[] = { 0x10000, 0x10000, 0x10000, 0x40000, 0x7fff0000, 1 };

	return bases[any(MS_COUNT(bases))] + any(1200);
}

static void execute(struct program *p)
{
	uint32_t b = any(BLOCKS), exit = any(p->block[b].exits);

	*ms_vec_add(&p->words) =
		ms_wire_head(MS_WIRE_EXEC, 1u + p->exits[b][exit], p->first_exit[b] + exit);
	for (uint32_t i = 0; i < p->exits[b][exit]; i++) {
		uint64_t address = any(20) == 0 ? 0 : random_address();

		*ms_vec_add(&p->words) = address;
		if (address != 0)
			slow_reference(p->slow, p->refs[b][i].site, address, p->refs[b][i].size,
				       (enum slow_kind)p->refs[b][i].kind);
	}
}

#define TELL_ALL(call)                                                             \
	for (int e = 0; e < 3; e++)                                                \
		for (unsigned s = 0; s < shard_counts[e]; s++) {                   \
			struct ms_shard *shard = ms_engine_shard(p->engine[e], s); \
			call;                                                      \
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
		TELL_ALL(ms_shard_map(shard, from, to, data, exact));
		if (from < to)
			slow_map(p->slow, from, to, data);
	} else if (any(40) == 0) {
		from &= ~UINT64_C(7);
		to &= ~UINT64_C(7);
		TELL_ALL(ms_shard_unmap(shard, from, to));
		slow_unmap(p->slow, from, to);
		/* What lay half inside is not freed later: a real allocator does not do that. */
		memset(p->object, 0, sizeof(p->object));
	} else if (p->object[i] != 0) {
		TELL_ALL(struct ms_place was; assert_true(ms_shard_free(shard, start, &was)));
		slow_free(p->slow, start, p->object[i]);
		p->object[i] = 0;
	} else {
		p->object[i] = 1 + any(96);
		TELL_ALL(ms_shard_place(shard, start, p->object[i], data));
		slow_place(p->slow, start, p->object[i], data);
	}
}

static void compare_pairs(const struct ms_totals *t, const struct ms_total_pair *pairs, size_t n,
			  const struct slow *slow, bool replaced)
{
	for (size_t i = 0; i < n; i++) {
		const struct ms_total_cell *c = &t->cells.at[pairs[i].cell];

		assert_int_equal(pairs[i].count,
				 (replaced ? slow_replaced : slow_evictions)(
					 slow, c->site, c->data, pairs[i].level, pairs[i].other));
	}
	assert_int_equal(n, slow_counted(slow, replaced ? "replaced" : "eviction"));
}

static void compare(struct ms_engine *engine, const struct slow *slow)
{
	struct ms_totals t;
	uint64_t first = 0, replacement = 0, covered = 0;

	ms_engine_totals(engine, &t);
	for (size_t i = 0; i < t.cells.n; i++)
		assert_int_equal(t.cells.at[i].references,
				 slow_references(slow, t.cells.at[i].site, t.cells.at[i].data));
	assert_int_equal(t.cells.n, slow_counted(slow, "reference"));
	for (size_t i = 0; i < t.misses.n; i++) {
		const struct ms_total_miss *m = &t.misses.at[i];
		const struct ms_total_cell *c = &t.cells.at[m->cell];

		for (int cause = 0; cause < 2; cause++)
			assert_int_equal(m->causes[cause],
					 slow_misses(slow, c->site, c->data, m->level, cause));
		assert_int_equal(m->covered, slow_covered(slow, c->site, c->data, m->level));
		first += m->causes[MS_MISS_FIRST] > 0;
		covered += m->covered > 0;
		replacement += m->causes[MS_MISS_REPLACED] > 0;
	}
	assert_int_equal(first, slow_counted(slow, "first"));
	assert_int_equal(replacement, slow_counted(slow, "replacement"));
	assert_int_equal(covered, slow_counted(slow, "covered"));
	compare_pairs(&t, t.replaced.at, t.replaced.n, slow, true);
	compare_pairs(&t, t.evictions.at, t.evictions.n, slow, false);
	ms_totals_free(&t);
}

static void run_seed(uint64_t seed)
{
	const struct ms_engine_data special = { UNMAPPED, FREED };
	struct program program, *p = &program;
	struct ms_err err;

	memset(p, 0, sizeof(*p));
	random_state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	make_machine(&p->machine);
	assert_int_equal(ms_machine_check(&p->machine, NULL, &err), MS_OK);
	for (int e = 0; e < 3; e++)
		p->engine[e] = ms_engine_open(&p->machine, shard_counts[e], 4, &special);
	p->slow = slow_open(&p->machine, UNMAPPED, FREED);
	make_blocks(p);
	for (int i = 0; i < STEPS; i++) {
		if (any(10) == 0)
			happen(p);
		else
			execute(p);
	}
	feed(p);
	for (int e = 0; e < 3; e++) {
		compare(p->engine[e], p->slow);
		ms_engine_close(p->engine[e]);
	}
	slow_close(p->slow);
	ms_vec_free(&p->words);
	ms_vec_free(&p->machine.levels);
}

static void twins_agree(void **state)
{
	const char *wanted = getenv("MEMSPY_TWIN_SEEDS");
	unsigned long seeds = wanted != NULL ? strtoul(wanted, NULL, 10) : SEEDS;

	(void)state;
	for (unsigned long seed = 1; seed <= seeds; seed++) {
		/* Shown by cmocka when an assertion below it fails. */
		if (getenv("MEMSPY_TWIN_VERBOSE") != NULL)
			fprintf(stderr, "seed %lu\n", seed);
		run_seed(seed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(twins_agree) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
