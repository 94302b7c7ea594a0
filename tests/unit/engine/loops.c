/*
 * Loops, as the engine compares their iterations, against the reference simulator: references that
 * walk through objects, stay where they are, follow each other, fall on each other's sets, run over
 * the ends of lines and objects, do not happen now and then; in blocks of one turn and of several,
 * left by several exits, by each way that this processor offers; and with several processors that
 * take turns in the midst of loops, and write what others have.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/engine.h"
#include "engine/filter/stride_run.h"
#include "engine/refsim.c"
#include "engine/refsim_keys.c"
#include "wire/wire.h"

enum {
	UNMAPPED = 0,
	FREED = 1,
	FIRST_DATA = 2,
	HITS = FIRST_DATA + 4,
	OBJECTS = 6,
	OBJECT_BYTES = 1 << 14,
	BLOCKS = 7,
	EXITS = 2,      /* of each */
	MOST_TURN = 9,  /* references: one more than can be compared ... */
	MOST_REFS = 70, /* ... and more of an execution than can be */
	LOOPS = 60,
	SEEDS = 40,
	/* Of several processors: the reference simulator keeps all that was written. */
	LOOPS_OF_SEVERAL = 14,
};

static uint64_t dice;
/* Of all seeds: how far each way has come. */
static uint64_t times_compared, references_compared, references_left_out;
static uint64_t times_followed, references_followed;
static uint64_t shared_truly, shared_falsely;
static const struct ms_filter_loop_impl *way_under_test;
static bool misses_only;
static bool uses_stride_runs; /* otherwise all iterations are compared */
static bool several;          /* processors */

static uint32_t any(uint32_t below)
{
	dice ^= dice << 13;
	dice ^= dice >> 7;
	dice ^= dice << 17;
	return (uint32_t)((dice >> 16) % below);
}

static struct ms_filter_iterations compare_counted(const struct ms_filter_loop *loop,
						   const uint64_t *at, const uint64_t *end,
						   bool joined)
{
	struct ms_filter_iterations turns = way_under_test->compare(loop, at, end, joined);

	times_compared++;
	references_compared += turns.n * loop->refs;
	if (turns.mismatch == 0)
		references_left_out +=
			turns.n * loop->refs - (uint64_t)__builtin_popcountll(turns.kept);
	return turns;
}

static uint64_t follow_counted(const struct ms_filter_loop *loop, const uint64_t *at,
			       const uint64_t *end)
{
	uint64_t n = uses_stride_runs ? way_under_test->find_run(loop, at, end) : 0;

	times_followed++;
	references_followed += n > 1 ? n * loop->refs : 0;
	return n;
}

static bool differ_under_test(const uint64_t *now, const uint64_t *before, const uint64_t *by,
			      uint32_t n)
{
	return way_under_test->differ(now, before, by, n);
}

static const struct ms_filter_loop_impl counted_way = { NULL, compare_counted, follow_counted,
							differ_under_test, 256 };

struct program {
	struct ms_machine machine;
	struct ms_machine_level level[2];
	struct ms_engine_block block[BLOCKS];
	struct ms_engine_block_ref refs[BLOCKS][MOST_REFS];
	uint16_t exits[BLOCKS][EXITS], instructions[EXITS];
	uint32_t turn[BLOCKS]; /* references of one */
	uint32_t running;      /* processor */
	struct ms_engine *engine;
	struct ms_engine_shard *shard;
	struct refsim *refsim;
	MS_VEC(uint64_t) words;
};

static uint64_t object_start(uint32_t i)
{
	return 0x100000 + (uint64_t)i * 2 * OBJECT_BYTES + i * 72;
}

static void open_program(struct program *p)
{
	const struct ms_engine_fallback_data special = { UNMAPPED, FREED, 0 };

	memset(p, 0, sizeof(*p));
	p->level[0] = (struct ms_machine_level){
		.name = "L1", .ways = 1 + any(9), .line = 64, .size = 0, .processors = 1
	};
	p->level[0].size = (uint64_t)p->level[0].ways * 64 << (3 + any(5));
	p->level[1] = (struct ms_machine_level){ .name = "L2",
						 .ways = 4,
						 .line = 64,
						 .size = 64 << 8,
						 .processors = several ? any(2) : 1 };
	p->machine = (struct ms_machine){ .name = "loops",
					  .processors = several ? 2 + any(3) : 1,
					  .nodes = 1,
					  .protocol = MS_PROTOCOL_MESI };
	for (int i = 0; i < 2; i++)
		*ms_vec_add(&p->machine.levels) = p->level[i];
	p->engine = ms_engine_open(&p->machine, 1, 1, &special);
	p->shard = ms_engine_get_shard(p->engine, 0);
	p->shard->filter.loop_impl = &counted_way;
	p->refsim = refsim_open(&p->machine, UNMAPPED, FREED);
	if (misses_only) {
		ms_engine_skip_hits(p->engine, HITS);
		refsim_skip_hits(p->refsim, HITS);
	}
	for (uint32_t i = 0; i < OBJECTS; i++) {
		ms_engine_add_object(p->shard, object_start(i), OBJECT_BYTES, FIRST_DATA + i % 4);
		refsim_place(p->refsim, object_start(i), OBJECT_BYTES, FIRST_DATA + i % 4);
	}
}

/* Some are one turn, others several; then one exit may be in the midst of a turn. */
static void make_block(struct program *p, uint32_t b)
{
	uint32_t turn = 1 + any(b % 2 == 0 ? MOST_TURN : 4), turns = b % 2 == 0 ? 1 : 1 + any(17);
	uint32_t refs = turn * turns;

	p->turn[b] = turn;
	for (uint32_t i = 0; i < turn; i++)
		p->refs[b][i] =
			(struct ms_engine_block_ref){ b * MOST_TURN + i, (uint16_t)(1u << any(4)),
						      (uint16_t)any(3), 0 };
	for (uint32_t i = turn; i < refs; i++)
		p->refs[b][i] = p->refs[b][i - turn];
	p->exits[b][0] = (uint16_t)refs;
	p->exits[b][1] = (uint16_t)(any(2) == 0 ? 1 + any(refs) : turn * (1 + any(turns)));
	p->block[b] = (struct ms_engine_block){
		refs, EXITS, p->refs[b], NULL, p->exits[b], p->instructions, 0, NULL, 0, 0, NULL
	};
	ms_engine_add_block(p->shard, &p->block[b]);
}

static void make_blocks(struct program *p)
{
	refsim_places(p->refsim, BLOCKS * MOST_TURN);
	for (uint32_t b = 0; b < BLOCKS; b++)
		make_block(p, b);
}

static void reference(struct program *p, uint32_t b, uint32_t i, uint64_t address)
{
	const struct ms_engine_block_ref *ref = &p->refs[b][i];

	if (any(1000) == 0)
		address = 0; /* it does not happen */
	*ms_vec_add(&p->words) = address;
	if (address != 0)
		refsim_reference(p->refsim, ref->site, address, ref->size,
				 (enum refsim_kind)ref->kind);
}

/* Where the references of a turn begin, and how far they go in each. */
struct walk {
	uint64_t at[MOST_TURN];
	uint64_t stride[MOST_TURN];
};

static void filter_words(struct program *p)
{
	assert_int_equal(ms_engine_filter_executions(p->shard, p->words.at, p->words.n),
			 p->words.n);
	p->words.n = 0;
}

/* Another processor goes on, where the one before it was or elsewhere. */
static void take_turns(struct program *p)
{
	filter_words(p);
	p->running = any(p->machine.processors);
	ms_engine_set_processor(p->shard, p->running, p->running);
	refsim_processor(p->refsim, p->running, p->running);
}

static void execute(struct program *p, uint32_t b, uint32_t exit, struct walk *walk)
{
	if (several && any(7) == 0)
		take_turns(p);
	*ms_vec_add(&p->words) =
		ms_wire_head(MS_WIRE_EXEC, 1u + p->exits[b][exit], b * EXITS + exit);
	for (uint32_t i = 0; i < p->exits[b][exit]; i++) {
		uint32_t k = i % p->turn[b];

		reference(p, b, i, walk->at[k]);
		walk->at[k] += any(1000) == 0 ? 136 : walk->stride[k];
	}
}

/* An address after another one, or before it: near it, or some sets away. */
static uint64_t beside(uint64_t at)
{
	return any(2) == 0 ? at + any(3) * 8 : at + (uint64_t)any(24) * 40 + any(3) * 4096 - 480;
}

/* Several processors are often at the same place. */
static uint64_t begin(void)
{
	if (several && any(2) == 0)
		return object_start(any(2)) + any(64) * 8;
	return object_start(any(OBJECTS)) + any(OBJECT_BYTES / 8) * 8;
}

/* Most go by a little, some by a set. */
static void run_loop(struct program *p)
{
	static const uint64_t strides[] = { 0, 0, 8, 8, 8, 4, 16, 24, 64, 4096, (uint64_t)-8 };
	uint32_t b = any(BLOCKS), n = 2 + any(50);
	struct walk walk;

	for (uint32_t i = 0; i < p->turn[b]; i++) {
		bool follows = i > 0 && any(2) == 0;

		walk.at[i] = follows ? beside(walk.at[i - 1]) : begin();
		walk.stride[i] = follows ? walk.stride[i - 1] : strides[any(MS_COUNT(strides))];
	}
	while (n-- > 0)
		execute(p, b, any(10) == 0, &walk);
}

/* Whole blocks are compared while few lines are kept: when most loops stay where they are. */
static void rest(struct program *p)
{
	uint64_t at = object_start(any(OBJECTS)) + 64;
	struct walk walk = { .stride = { 0 } };

	for (uint32_t i = 0; i < MOST_TURN; i++)
		walk.at[i] = at & ~UINT64_C(63);
	for (uint32_t n = 0; n < 50; n++)
		execute(p, 0, 0, &walk);
}

static void end_batch(struct program *p)
{
	filter_words(p);
	ms_engine_distribute_batch(p->shard, 0);
	ms_engine_simulate_batch(p->shard, 0);
	ms_engine_finish_batch(p->engine, 0);
}

/* How many rows of each kind have been found. */
struct rows {
	uint64_t n[SLOW_WHATS];
};

static void compare_row(const struct program *p, struct rows *rows, enum refsim_what what,
			struct refsim_key key, uint64_t count)
{
	if ((double)count != refsim_count(p->refsim, what, key))
		fail_msg("count %d of site %u, data %u, processor %u, level %u, other %u: %d, "
			 "expected %d",
			 what, key.site, key.data, key.processor, key.level, key.other, (int)count,
			 (int)refsim_count(p->refsim, what, key));
	rows->n[what] += count > 0;
}

static void compare_misses(const struct program *p, const struct ms_engine_totals *t,
			   struct rows *rows)
{
	for (size_t i = 0; i < t->misses.n; i++) {
		const struct ms_engine_total_miss *m = &t->misses.at[i];
		struct refsim_key key = cell_key(t, m->cell, m->level, 0);

		for (unsigned cause = 0; cause < MS_ENGINE_MISS_CAUSES; cause++)
			compare_row(p, rows, SLOW_FIRST + cause, key, m->causes[cause]);
		compare_row(p, rows, SLOW_FALSELY, key, m->falsely);
		compare_row(p, rows, SLOW_PEER, key, m->peer);
		compare_row(p, rows, SLOW_WRITE_BACKS, key, m->write_backs);
	}
	for (size_t i = 0; i < t->evictions.n; i++) {
		const struct ms_engine_total_pair *e = &t->evictions.at[i];

		compare_row(p, rows, SLOW_EVICTIONS, cell_key(t, e->cell, e->level, e->other),
			    e->count);
	}
}

static void compare_sharing(const struct program *p, const struct ms_engine_totals *t,
			    struct rows *rows)
{
	for (size_t i = 0; i < t->sharing.n; i++) {
		const struct ms_engine_total_sharing *s = &t->sharing.at[i];
		struct refsim_key key = sharing_key(t, s);

		compare_row(p, rows, SLOW_SHARED_TRULY, key, s->truly);
		compare_row(p, rows, SLOW_SHARED_FALSELY, key, s->falsely);
		shared_truly += s->truly;
		shared_falsely += s->falsely;
	}
}

static void compare(const struct program *p)
{
	static const enum refsim_what all[] = {
		SLOW_REFERENCES,   SLOW_UPGRADES,     SLOW_FIRST,          SLOW_REPLACEMENT,
		SLOW_INVALIDATION, SLOW_FALSELY,      SLOW_PEER,           SLOW_WRITE_BACKS,
		SLOW_EVICTIONS,    SLOW_SHARED_TRULY, SLOW_SHARED_FALSELY,
	};
	struct rows rows = { { 0 } };
	struct ms_engine_totals t;

	ms_engine_compute_totals(p->engine, &t);
	for (uint32_t i = 0; i < t.cells.n; i++) {
		compare_row(p, &rows, SLOW_REFERENCES, cell_key(&t, i, 0, 0),
			    t.cells.at[i].references);
		compare_row(p, &rows, SLOW_UPGRADES, cell_key(&t, i, 0, 0), t.cells.at[i].upgrades);
	}
	compare_misses(p, &t, &rows);
	compare_sharing(p, &t, &rows);
	for (size_t i = 0; i < MS_COUNT(all); i++)
		assert_int_equal(rows.n[all[i]], refsim_counted(p->refsim, all[i]));
	ms_engine_free_totals(&t);
}

static void run_seed(uint64_t seed)
{
	struct program program, *p = &program;

	dice = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	uses_stride_runs = several || seed % 2 == 0;
	open_program(p);
	make_blocks(p);
	for (int i = 0; i < (several ? LOOPS_OF_SEVERAL : LOOPS); i++) {
		if (!several) {
			rest(p);
			rest(p);
		}
		run_loop(p);
		if (any(4) == 0)
			end_batch(p);
	}
	end_batch(p);
	compare(p);
	ms_engine_close(p->engine);
	refsim_close(p->refsim);
	ms_vec_free(&p->words);
	ms_vec_free(&p->machine.levels);
}

static void all_ways(void)
{
	const struct ms_filter_loop_impl *way = ms_filter_loop_impls;

	for (;; way++) {
		if (way->is_supported == NULL || way->is_supported()) {
			way_under_test = way;
			times_compared = references_compared = references_left_out = 0;
			times_followed = references_followed = 0;
			shared_truly = shared_falsely = 0;
			for (uint64_t seed = 1; seed <= SEEDS; seed++)
				run_seed(seed);
			if (misses_only)
				break; /* nothing is compared: one way is as good as another */
			assert_true(references_followed > 10 * times_followed);
			assert_true(several || times_compared > 4000);
			assert_true(several || references_compared > 20 * times_compared);
			assert_true(several || references_left_out > references_compared / 4);
			assert_true(!several || (shared_truly > 100 && shared_falsely > 100));
		}
		if (way->is_supported == NULL)
			break;
	}
}

static void loops(void **state)
{
	(void)state;
	misses_only = false;
	several = false;
	all_ways();
}

static void loops_of_several_processors(void **state)
{
	(void)state;
	misses_only = false;
	several = true;
	all_ways();
}

static void loops_of_misses_only(void **state)
{
	(void)state;
	misses_only = true;
	several = false;
	all_ways();
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(loops),
					    cmocka_unit_test(loops_of_several_processors),
					    cmocka_unit_test(loops_of_misses_only) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
