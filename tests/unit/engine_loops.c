/*
 * Loops of one block, as the engine compares their turns, against the slow twin: references that
 * walk through objects, stay where they are, follow each other, fall on each other's sets, run over
 * the ends of lines and objects; by each way that this processor offers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/engine.h"
#include "engine/loop.h"
#include "engine/slow.c"
#include "stream/wire.h"

enum {
	UNMAPPED = 0,
	FREED = 1,
	FIRST_DATA = 2,
	OBJECTS = 6,
	OBJECT_BYTES = 1 << 14,
	BLOCKS = 5,
	MOST_REFS = 9, /* one more than can be compared */
	LOOPS = 150,
	SEEDS = 25,
};

static uint64_t dice;
/* Of all seeds: how far each way has come. */
static uint64_t turns_taken, loops_begun;
static const struct loop_way *way_under_test;

static uint32_t any(uint32_t below)
{
	dice ^= dice << 13;
	dice ^= dice >> 7;
	dice ^= dice << 17;
	return (uint32_t)((dice >> 16) % below);
}

static const uint64_t *run_counted(struct loop *loop, const uint64_t *at, const uint64_t *end)
{
	const uint64_t *stopped = way_under_test->run(loop, at, end);

	loops_begun++;
	turns_taken += (uint64_t)(stopped - at) / (loop->refs + 1);
	return stopped;
}

static const struct loop_way counted_way = { NULL, run_counted };

struct program {
	struct ms_machine machine;
	struct ms_machine_level level[2];
	struct ms_block block[BLOCKS];
	struct ms_block_ref refs[BLOCKS][MOST_REFS];
	uint16_t exits[BLOCKS], instructions[BLOCKS];
	struct ms_engine *engine;
	struct ms_shard *shard;
	struct slow *slow;
	MS_VEC(uint64_t) words;
};

static uint64_t object_start(uint32_t i)
{
	return 0x100000 + (uint64_t)i * 2 * OBJECT_BYTES + i * 72;
}

static void open_program(struct program *p)
{
	const struct ms_engine_data special = { UNMAPPED, FREED };

	memset(p, 0, sizeof(*p));
	p->level[0] = (struct ms_machine_level){
		.name = "L1", .ways = 1 + any(4), .line = 64, .size = 0, .processors = 1
	};
	p->level[0].size = (uint64_t)p->level[0].ways * 64 << (3 + any(5));
	p->level[1] = (struct ms_machine_level){
		.name = "L2", .ways = 4, .line = 64, .size = 64 << 8, .processors = 1
	};
	p->machine = (struct ms_machine){ .name = "loops", .processors = 1, .nodes = 1 };
	for (int i = 0; i < 2; i++)
		*ms_vec_add(&p->machine.levels) = p->level[i];
	p->engine = ms_engine_open(&p->machine, 1, 1, &special);
	p->shard = ms_engine_shard(p->engine, 0);
	p->shard->loop_way = &counted_way;
	p->slow = slow_open(&p->machine, UNMAPPED, FREED);
	for (uint32_t i = 0; i < OBJECTS; i++) {
		ms_shard_place(p->shard, object_start(i), OBJECT_BYTES, FIRST_DATA + i % 4);
		slow_place(p->slow, object_start(i), OBJECT_BYTES, FIRST_DATA + i % 4);
	}
}

static void make_blocks(struct program *p)
{
	for (uint32_t b = 0; b < BLOCKS; b++) {
		uint32_t refs = 1 + any(MOST_REFS);

		for (uint32_t i = 0; i < refs; i++)
			p->refs[b][i] =
				(struct ms_block_ref){ b * MOST_REFS + i, (uint16_t)(1u << any(4)),
						       (uint16_t)any(3) };
		slow_places(p->slow, (b + 1) * MOST_REFS);
		p->exits[b] = (uint16_t)refs;
		p->instructions[b] = 1;
		p->block[b] =
			(struct ms_block){ refs, 1, p->refs[b], &p->exits[b], &p->instructions[b] };
		ms_shard_add_block(p->shard, &p->block[b]);
	}
}

static void reference(struct program *p, uint32_t b, uint32_t i, uint64_t address)
{
	const struct ms_block_ref *ref = &p->refs[b][i];

	*ms_vec_add(&p->words) = address;
	slow_reference(p->slow, ref->site, address, ref->size, (enum slow_kind)ref->kind);
}

/* Where references begin, and how far they go in a turn: most by a little, some by a set. */
static void run_loop(struct program *p)
{
	static const uint64_t strides[] = { 0, 0, 8, 8, 8, 4, 16, 24, 64, 4096, (uint64_t)-8 };
	uint32_t b = any(BLOCKS), turns = 2 + any(50);
	uint64_t at[MOST_REFS], stride[MOST_REFS];

	for (uint32_t i = 0; i < p->exits[b]; i++) {
		bool follows = i > 0 && any(2) == 0;

		at[i] = follows ? at[i - 1] + any(3) * 8
				: object_start(any(OBJECTS)) + any(OBJECT_BYTES / 8) * 8;
		stride[i] = follows ? stride[i - 1] : strides[any(MS_COUNT(strides))];
	}
	for (uint32_t turn = 0; turn < turns; turn++) {
		*ms_vec_add(&p->words) = ms_wire_head(MS_WIRE_EXEC, 1u + p->exits[b], b);
		for (uint32_t i = 0; i < p->exits[b]; i++) {
			reference(p, b, i, at[i]);
			at[i] += any(200) == 0 ? 136 : stride[i];
		}
	}
}

/* Few lines are kept when most loops stay where they are: only then are turns compared. */
static void rest(struct program *p)
{
	uint64_t at = object_start(any(OBJECTS)) + 64;

	for (uint32_t turn = 0; turn < 100; turn++) {
		*ms_vec_add(&p->words) = ms_wire_head(MS_WIRE_EXEC, 1u + p->exits[0], 0);
		for (uint32_t i = 0; i < p->exits[0]; i++)
			reference(p, 0, i, at & ~UINT64_C(63));
	}
}

static void end_batch(struct program *p)
{
	assert_int_equal(ms_shard_sift(p->shard, p->words.at, p->words.n), p->words.n);
	ms_shard_share(p->shard, 0);
	ms_shard_settle(p->shard, 0);
	ms_engine_finish(p->engine, 0);
	p->words.n = 0;
}

static void compare_row(const struct program *p, enum slow_what what, struct slow_key key,
			uint64_t count, uint64_t *rows)
{
	if ((double)count != slow_count(p->slow, what, key))
		fail_msg("count %d of site %u, data %u, level %u, other %u: %d, expected %d", what,
			 key.site, key.data, key.level, key.other, (int)count,
			 (int)slow_count(p->slow, what, key));
	*rows += count > 0;
}

static void compare(const struct program *p)
{
	uint64_t references = 0, firsts = 0, replacements = 0, evictions = 0;
	struct ms_totals t;

	ms_engine_totals(p->engine, &t);
#define KEY(of, k, who)                                  \
	((struct slow_key){ .site = t.cells.at[of].site, \
			    .data = t.cells.at[of].data, \
			    .level = (k),                \
			    .other = (who) })
	for (uint32_t i = 0; i < t.cells.n; i++)
		compare_row(p, SLOW_REFERENCES, KEY(i, 0, 0), t.cells.at[i].references,
			    &references);
	for (size_t i = 0; i < t.misses.n; i++) {
		const struct ms_total_miss *m = &t.misses.at[i];

		compare_row(p, SLOW_FIRST, KEY(m->cell, m->level, 0), m->causes[0], &firsts);
		compare_row(p, SLOW_FIRST + 1, KEY(m->cell, m->level, 0), m->causes[1],
			    &replacements);
	}
	for (size_t i = 0; i < t.evictions.n; i++) {
		const struct ms_total_pair *e = &t.evictions.at[i];

		compare_row(p, SLOW_EVICTIONS, KEY(e->cell, e->level, e->other), e->count,
			    &evictions);
	}
#undef KEY
	assert_int_equal(references, slow_counted(p->slow, SLOW_REFERENCES));
	assert_int_equal(firsts, slow_counted(p->slow, SLOW_FIRST));
	assert_int_equal(replacements, slow_counted(p->slow, SLOW_FIRST + 1));
	assert_int_equal(evictions, slow_counted(p->slow, SLOW_EVICTIONS));
	ms_totals_free(&t);
}

static void run_seed(uint64_t seed)
{
	struct program program, *p = &program;

	dice = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	open_program(p);
	make_blocks(p);
	for (int i = 0; i < LOOPS; i++) {
		rest(p);
		rest(p);
		run_loop(p);
		if (any(4) == 0)
			end_batch(p);
	}
	end_batch(p);
	compare(p);
	ms_engine_close(p->engine);
	slow_close(p->slow);
	ms_vec_free(&p->words);
	ms_vec_free(&p->machine.levels);
}

static void loops(void **state)
{
	const struct loop_way *way = ms_loop_ways;

	(void)state;
	for (;; way++) {
		if (way->works == NULL || way->works()) {
			way_under_test = way;
			turns_taken = loops_begun = 0;
			for (uint64_t seed = 1; seed <= SEEDS; seed++)
				run_seed(seed);
			if (way->run != ms_loop_take_none)
				assert_true(turns_taken > 20 * loops_begun && loops_begun > 1000);
		}
		if (way->works == NULL)
			break;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(loops) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
