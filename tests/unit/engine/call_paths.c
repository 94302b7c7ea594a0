/*
 * Misses by calling context: on random programs of blocks with calls and returns, the engine counts
 * what a program that walks the stream one reference after the other counts, for any number of
 * shards and any division into batches.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/mem.h"
#include "engine/engine.h"
#include "wire/wire.h"

enum {
	FUNCTIONS = 6,
	BLOCKS = 3 * FUNCTIONS, /* of a function: enters, calls, returns */
	THREADS = 3,
	REFS = 4,
	DEPTH = 12,
	STEPS = 6000,
	MOST_WORDS = STEPS * (REFS + 2),
	DATA = 1,
	WAYS = 2,
	SETS = 4,
	LINES = 24,
	BASE = 1 << 20,
	CALL_BYTES = 5,
	FUNCTION_BYTES = 1 << 20,
};

static uint64_t seed;

static uint32_t any(uint32_t n)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 33) % n;
}

/* Block 3f of function f has references only, 3f+1 ends with a call, 3f+2 with a return. */
struct program {
	struct ms_arena arena;
	struct ms_engine_block block[BLOCKS];
	struct ms_engine_block_ref refs[BLOCKS][REFS];
	uint16_t exit_refs[BLOCKS], exit_instructions[BLOCKS];
	uint64_t words[MOST_WORDS];
	size_t n;
};

static uint64_t entry_of(uint32_t block)
{
	return BASE + (uint64_t)(block / 3) * FUNCTION_BYTES + block % 3 * 0x100u;
}

static void make_block(struct program *p, uint32_t b)
{
	static const uint16_t kinds[] = { MS_ENGINE_TRANSFER_CALL, MS_ENGINE_TRANSFER_RETURN };
	uint32_t refs = 1 + any(REFS);

	for (uint32_t i = 0; i < refs; i++)
		p->refs[b][i] =
			(struct ms_engine_block_ref){ b * REFS + i, 1, MS_WIRE_READ, (uint16_t)i };
	p->exit_refs[b] = (uint16_t)refs;
	p->exit_instructions[b] = REFS + 1;
	p->block[b] = (struct ms_engine_block){ .refs = refs,
						.exits = 1,
						.ref = p->refs[b],
						.exit_refs = &p->exit_refs[b],
						.exit_instructions = &p->exit_instructions[b],
						.instructions = REFS + 1,
						.entry = entry_of(b) };
	if (b % 3 == 0)
		return;
	/* Calls return to the first block of the function, which begins after the call. */
	struct ms_engine_transfer t = { .pc = b % 3 == 1 ? entry_of(b - 1) - CALL_BYTES : 8,
					.call_site = b % 3 == 1 ? b / 3 : MS_ENGINE_NO_CALL_SITE,
					.instruction = REFS,
					.kind = kinds[b % 3 - 1] };
	ms_engine_describe_calls(&p->block[b], &p->arena, &t, 1);
}

static void execute(struct program *p, uint32_t block)
{
	uint32_t refs = p->exit_refs[block];

	p->words[p->n++] = ms_wire_head(MS_WIRE_EXEC, refs + 1, block);
	for (uint32_t i = 0; i < refs; i++)
		p->words[p->n++] = BASE + (uint64_t)any(LINES) * 64;
}

/* Each thread has a stack of functions; a switch is a record of its own. */
static void make_stream(struct program *p, bool threads)
{
	uint32_t stack[THREADS][DEPTH], depth[THREADS] = { 0 }, thread = 0;

	memset(stack, 0, sizeof(stack));
	for (int step = 0; step < STEPS && p->n + 2 * (REFS + 2) < MOST_WORDS; step++) {
		uint32_t function = stack[thread][depth[thread]], what = any(8);

		if (threads && what == 7) {
			thread = any(THREADS);
			p->words[p->n++] = ms_wire_head(MS_WIRE_SWITCH, 1, thread);
		} else if (what < 2 && depth[thread] + 1 < DEPTH) {
			execute(p, 3 * function + 1);
			stack[thread][++depth[thread]] = any(FUNCTIONS);
			execute(p, 3 * stack[thread][depth[thread]]);
		} else if (what < 4 && depth[thread] > 0) {
			execute(p, 3 * function + 2);
			execute(p, 3 * stack[thread][--depth[thread]]);
		} else {
			execute(p, 3 * function);
		}
	}
}

static void make_program(struct program *p, bool threads)
{
	memset(p, 0, sizeof(*p));
	for (uint32_t b = 0; b < BLOCKS; b++)
		make_block(p, b);
	make_stream(p, threads);
}

/* --- the walk: one LRU level, contexts as texts of call sites --- */

struct counted {
	uint32_t site;
	uint32_t n;
	uint32_t path[DEPTH];
	uint64_t misses;
};

struct walk {
	uint64_t set[SETS][WAYS];
	uint32_t path[THREADS][2 * DEPTH], depth[THREADS];
	MS_VEC(struct counted) counts;
};

static bool misses(struct walk *w, uint64_t line)
{
	uint64_t *set = w->set[line % SETS];
	int way = 0;

	while (way < WAYS - 1 && set[way] != line)
		way++;
	bool missed = set[way] != line;
	memmove(set + 1, set, (size_t)way * sizeof(*set));
	set[0] = line;
	return missed;
}

/* Recursion folds to the outermost call of the site. */
static uint32_t fold(const uint32_t *path, uint32_t n, uint32_t *folded)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = 0;

		while (at < count && folded[at] != path[i])
			at++;
		folded[at] = path[i];
		count = at + 1;
	}
	return count;
}

static void count(struct walk *w, uint32_t site, const uint32_t *path, uint32_t n, uint64_t misses)
{
	struct counted c = { .site = site };

	c.n = fold(path, n, c.path);
	for (size_t i = 0; i < w->counts.n; i++)
		if (w->counts.at[i].site == site && w->counts.at[i].n == c.n &&
		    memcmp(w->counts.at[i].path, c.path, c.n * sizeof(*c.path)) == 0) {
			w->counts.at[i].misses += misses;
			return;
		}
	c.misses = misses;
	*ms_vec_add(&w->counts) = c;
}

static void walk_stream(struct walk *w, const struct program *p)
{
	uint32_t thread = 0;

	memset(w, 0xff, sizeof(w->set));
	for (size_t at = 0; at < p->n; at += ms_wire_words_of(p->words[at])) {
		uint32_t arg = ms_wire_arg_of(p->words[at]);

		if (ms_wire_kind_of(p->words[at]) == MS_WIRE_SWITCH) {
			thread = arg;
			continue;
		}
		for (uint32_t i = 0; i < p->exit_refs[arg]; i++)
			if (misses(w, p->words[at + 1 + i] / 64))
				count(w, arg * REFS + i, w->path[thread], w->depth[thread], 1);
		if (arg % 3 == 1)
			w->path[thread][w->depth[thread]++] = arg / 3;
		else if (arg % 3 == 2)
			w->depth[thread]--;
	}
}

/* --- the engine --- */

static struct ms_engine *open_engine(unsigned shards)
{
	const struct ms_engine_fallback_data special = { 100, 101, 0 };
	struct ms_machine machine = { .name = "small" };

	*ms_vec_add(&machine.levels) = (struct ms_machine_level){
		.name = (char *)"L1", .size = SETS * WAYS * 64, .ways = WAYS, .line = 64
	};
	struct ms_engine *engine = ms_engine_open(&machine, shards, 1, &special);
	ms_engine_follow_calls(engine, 0);
	ms_vec_free(&machine.levels);
	return engine;
}

static void begin_batch(struct ms_engine *engine, unsigned shard, uint64_t number)
{
	ms_engine_begin_batch(ms_engine_get_shard(engine, shard), number);
}

static void end_batch(struct ms_engine *engine, unsigned filtering, unsigned shards)
{
	ms_engine_distribute_batch(ms_engine_get_shard(engine, filtering), 0);
	ms_engine_reset_filter(ms_engine_get_shard(engine, filtering));
	for (unsigned i = 0; i < shards; i++)
		ms_engine_simulate_batch(ms_engine_get_shard(engine, i), 0);
	ms_engine_finish_batch(engine, 0);
}

/* Batches of random length; the shards filter them in turn. */
static void feed(struct ms_engine *engine, unsigned shards, const struct program *p)
{
	uint64_t number = 0;
	size_t at = 0, batch_end = 0;

	for (unsigned i = 0; i < shards; i++)
		for (uint32_t b = 0; b < BLOCKS; b++)
			ms_engine_add_block(ms_engine_get_shard(engine, i), &p->block[b]);
	while (at < p->n) {
		unsigned filtering = (unsigned)(number % shards);
		struct ms_engine_shard *shard = ms_engine_get_shard(engine, filtering);

		begin_batch(engine, filtering, number++);
		batch_end += 50 + any(2000);
		while (at < p->n && at < batch_end) {
			if (ms_wire_kind_of(p->words[at]) == MS_WIRE_SWITCH) {
				for (unsigned i = 0; i < shards; i++)
					ms_engine_follow_thread(ms_engine_get_shard(engine, i),
								ms_wire_arg_of(p->words[at]));
				at++;
				continue;
			}
			size_t end = at;
			while (end < p->n && end < batch_end &&
			       ms_wire_kind_of(p->words[end]) == MS_WIRE_EXEC)
				end += ms_wire_words_of(p->words[end]);
			assert_int_equal(
				ms_engine_filter_executions(shard, p->words + at, end - at),
				end - at);
			at = end;
		}
		end_batch(engine, filtering, shards);
	}
}

static uint32_t list_path(const struct ms_engine_totals *t, uint32_t context, uint32_t *path)
{
	if (context < MS_ENGINE_SPECIAL_CONTEXTS)
		return 0;
	uint32_t n = list_path(t, t->contexts.at[context].parent, path);
	path[n] = t->contexts.at[context].call_site;
	return n + 1;
}

static void assert_counts(const struct walk *w, struct ms_engine *engine)
{
	struct ms_engine_totals totals;
	uint64_t all = 0, cells = 0;

	ms_engine_compute_totals(engine, &totals);
	assert_int_equal(totals.path_misses.n, w->counts.n);
	for (size_t i = 0; i < totals.path_misses.n; i++) {
		const struct ms_engine_total_path_miss *m = &totals.path_misses.at[i];
		uint32_t path[DEPTH] = { 0 };
		uint32_t n = list_path(&totals, m->context, path);
		bool found = false;

		for (size_t k = 0; k < w->counts.n; k++)
			if (w->counts.at[k].site == m->site && w->counts.at[k].n == n &&
			    memcmp(w->counts.at[k].path, path, n * sizeof(*path)) == 0) {
				found = true;
				assert_int_equal(m->misses, w->counts.at[k].misses);
			}
		assert_true(found);
		all += m->misses;
	}
	for (size_t i = 0; i < totals.misses.n; i++)
		cells += totals.misses.at[i].causes[0] + totals.misses.at[i].causes[1];
	assert_int_equal(all, cells);
	ms_engine_free_totals(&totals);
}

static void compare(uint64_t number, bool threads)
{
	struct program *p = ms_alloc(sizeof(*p));
	struct walk w;

	seed = number;
	make_program(p, threads);
	memset(&w, 0, sizeof(w));
	walk_stream(&w, p);
	for (unsigned shards = 1; shards <= 4; shards++) {
		struct ms_engine *engine = open_engine(shards);

		feed(engine, shards, p);
		assert_counts(&w, engine);
		ms_engine_close(engine);
	}
	ms_vec_free(&w.counts);
	ms_arena_free(&p->arena);
	ms_free(p);
}

static void contexts_of_one_thread(void **state)
{
	(void)state;
	for (uint64_t i = 1; i <= 20; i++)
		compare(i, false);
}

static void contexts_of_several_threads(void **state)
{
	(void)state;
	for (uint64_t i = 101; i <= 120; i++)
		compare(i, true);
}

/* --- blocks that contain whole calls --- */

enum { SITE_CALLER, SITE_CALLEE, CALLER_CALL = 7, OTHER_CALL = 8 };

/*
 * One block: a reference of the caller, a call, a reference of the callee, its return, a reference
 * of the caller; and, with again, a second call from elsewhere.
 */
static void make_inner_calls(struct program *p, bool again)
{
	static const uint16_t instruction[] = { 0, 2, 4, 6, 8 };
	static const uint32_t site[] = { SITE_CALLER, SITE_CALLEE, SITE_CALLER, SITE_CALLEE,
					 SITE_CALLER };
	struct ms_engine_transfer t[] = {
		{ .pc = 0x1004,
		  .next_pc = 0x2000,
		  .call_site = CALLER_CALL,
		  .instruction = 1,
		  .kind = MS_ENGINE_TRANSFER_CALL },
		{ .pc = 0x2008,
		  .next_pc = 0x1008,
		  .call_site = MS_ENGINE_NO_CALL_SITE,
		  .instruction = 3,
		  .kind = MS_ENGINE_TRANSFER_RETURN },
		{ .pc = 0x100c,
		  .next_pc = 0x2000,
		  .call_site = OTHER_CALL,
		  .instruction = 5,
		  .kind = MS_ENGINE_TRANSFER_CALL },
		{ .pc = 0x2008,
		  .next_pc = 0x1010,
		  .call_site = MS_ENGINE_NO_CALL_SITE,
		  .instruction = 7,
		  .kind = MS_ENGINE_TRANSFER_RETURN },
	};
	uint32_t refs = again ? 5 : 3;

	memset(p, 0, sizeof(*p));
	static struct ms_engine_block_ref ref[5];
	for (uint32_t i = 0; i < refs; i++)
		ref[i] = (struct ms_engine_block_ref){ site[i], 1, MS_WIRE_READ, instruction[i] };
	p->exit_refs[0] = (uint16_t)refs;
	p->exit_instructions[0] = again ? 9 : 5;
	p->block[0] = (struct ms_engine_block){ .refs = refs,
						.exits = 1,
						.ref = ref,
						.exit_refs = &p->exit_refs[0],
						.exit_instructions = &p->exit_instructions[0],
						.instructions = p->exit_instructions[0],
						.entry = 0x1000 };
	ms_engine_describe_calls(&p->block[0], &p->arena, t, again ? 4 : 2);
}

/* All references miss: each has a line of its own. outer: the calls before; NULL: none. */
static void run_inner_calls(bool again, uint64_t executions, const struct ms_engine_stack *outer,
			    struct ms_engine_totals *totals)
{
	struct program *p = ms_alloc(sizeof(*p));
	struct ms_engine *engine = open_engine(1);
	uint64_t line = 1;

	make_inner_calls(p, again);
	assert_int_equal(p->block[0].calls->exit_calls[0],
			 again ? MS_ENGINE_EXIT_PARTS : MS_ENGINE_EXIT_BALANCED);
	for (uint64_t i = 0; i < executions; i++) {
		p->words[p->n++] = ms_wire_head(MS_WIRE_EXEC, p->exit_refs[0] + 1u, 0);
		for (uint32_t k = 0; k < p->exit_refs[0]; k++)
			p->words[p->n++] = 64 * line++;
	}
	ms_engine_add_block(ms_engine_get_shard(engine, 0), &p->block[0]);
	begin_batch(engine, 0, 0);
	if (outer != NULL)
		ms_engine_set_calls(ms_engine_get_shard(engine, 0), 0, outer);
	assert_int_equal(
		ms_engine_filter_executions(ms_engine_get_shard(engine, 0), p->words, p->n), p->n);
	end_batch(engine, 0, 1);
	ms_engine_compute_totals(engine, totals);
	ms_engine_close(engine);
	ms_arena_free(&p->arena);
	ms_free(p);
}

static uint64_t misses_at(const struct ms_engine_totals *t, uint32_t site, uint32_t call_site)
{
	uint64_t n = 0;

	for (size_t i = 0; i < t->path_misses.n; i++)
		if (t->path_misses.at[i].site == site &&
		    t->contexts.at[t->path_misses.at[i].context].call_site == call_site)
			n += t->path_misses.at[i].misses;
	return n;
}

static void a_call_inside_a_block_has_a_context(void **state)
{
	struct ms_engine_totals t;

	(void)state;
	run_inner_calls(false, 500, NULL, &t);
	assert_int_equal(misses_at(&t, SITE_CALLER, MS_ENGINE_NO_CALL_SITE), 1000);
	assert_int_equal(misses_at(&t, SITE_CALLEE, CALLER_CALL), 500);
	assert_int_equal(t.path_misses.n, 2);
	ms_engine_free_totals(&t);
}

static void a_function_called_twice_in_a_block_has_two_contexts(void **state)
{
	struct ms_engine_totals t;

	(void)state;
	run_inner_calls(true, 500, NULL, &t);
	assert_int_equal(misses_at(&t, SITE_CALLER, MS_ENGINE_NO_CALL_SITE), 1500);
	assert_int_equal(misses_at(&t, SITE_CALLEE, CALLER_CALL), 500);
	assert_int_equal(misses_at(&t, SITE_CALLEE, OTHER_CALL), 500);
	ms_engine_free_totals(&t);
}

static void contexts_begin_with_calls_that_were_unwound(void **state)
{
	enum { OUTER = 71, INNER = 72 };
	const struct ms_engine_call calls[] = { { 0x9000, 0, OUTER }, { 0x8000, 0, INNER } };
	const struct ms_engine_stack outer = { 2, calls };
	struct ms_engine_totals t;

	(void)state;
	run_inner_calls(false, 500, &outer, &t);
	assert_int_equal(misses_at(&t, SITE_CALLER, INNER), 1000);
	assert_int_equal(misses_at(&t, SITE_CALLEE, CALLER_CALL), 500);
	for (size_t i = 0; i < t.contexts.n; i++) {
		uint32_t parent = t.contexts.at[t.contexts.at[i].parent].call_site;

		if (t.contexts.at[i].call_site == INNER)
			assert_int_equal(parent, OUTER);
		if (t.contexts.at[i].call_site == CALLER_CALL)
			assert_int_equal(parent, INNER);
	}
	ms_engine_free_totals(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contexts_of_one_thread),
		cmocka_unit_test(contexts_of_several_threads),
		cmocka_unit_test(a_call_inside_a_block_has_a_context),
		cmocka_unit_test(a_function_called_twice_in_a_block_has_two_contexts),
		cmocka_unit_test(contexts_begin_with_calls_that_were_unwound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
