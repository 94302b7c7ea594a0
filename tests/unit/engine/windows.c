/*
 * Caches that are seen in windows: what is known of a reference, by hand and by a definition that
 * keeps no state; generations; and that the caches are else those of an engine that sees all.
 *
 * In a trace a letter is a read of the line of that name (a is line 0, b line 1, ...), which is
 * also its data; a capital is a read of the last bytes of that line and the first ones of the next.
 * | is where a window ends and another one begins, and / is where a batch ends within a window.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/engine/small_machine.h"

enum { MOST_LEVELS = 2 };

#define AT .line = __LINE__

static uint64_t address_of(char letter)
{
	enum { BYTES_OF_THE_FIRST = 4 };

	if (letter >= 'a')
		return BASE + (uint64_t)(letter - 'a') * LINE;
	return BASE + (uint64_t)(letter - 'A' + 1) * LINE - BYTES_OF_THE_FIRST;
}

static void feed_window(struct fed *fed, uint32_t window, const char *trace, size_t n)
{
	unsigned filtering = fed->batches++ % ms_engine_count_filtering_shards(fed->engine);
	struct ms_engine_shard *shard = ms_engine_get_shard(fed->engine, filtering);

	for (unsigned i = 0; i < fed->shards; i++)
		ms_engine_windows_begin(ms_engine_get_shard(fed->engine, i), window);
	for (size_t i = 0; i < n; i++) {
		uint64_t words[2] = { ms_wire_head(MS_WIRE_EXEC, 2, 0), address_of(trace[i]) };

		assert_int_equal(ms_engine_filter_executions(shard, words, 2), 2);
	}
	end_batch(fed, filtering);
}

static void feed(struct fed *fed, const char *trace)
{
	uint32_t window = 0;

	while (*trace != '\0') {
		size_t n = strcspn(trace, "|/");

		feed_window(fed, window, trace, n);
		window += trace[n] != '/';
		trace += n + (trace[n] != '\0');
	}
}

struct sums {
	uint64_t known, unknown_hits, unknown_misses, unseen;
};

static void sum_up(const struct ms_engine_windows_totals *sampled, struct sums sums[MOST_LEVELS])
{
	memset(sums, 0, MOST_LEVELS * sizeof(*sums));
	for (size_t i = 0; i < sampled->counts.n; i++) {
		const struct ms_engine_windows_total_count *c = &sampled->counts.at[i];

		sums[c->level].known += c->known;
		sums[c->level].unknown_hits += c->unknown_hits;
		sums[c->level].unknown_misses += c->unknown_misses;
		sums[c->level].unseen += c->unseen_known + c->unseen_unknown;
	}
}

/* --- by hand --- */

struct window_case {
	int line;
	struct shape shapes[MOST_LEVELS];
	const char *trace;
	uint32_t windows;
	struct sums sums[MOST_LEVELS];
	uint64_t generations, dead, whole; /* of the first level */
};

static const struct window_case cases[] = {
	{ AT, { { 1, 1 } }, "aab|baab", 2, { { 3, 1, 1, 2 } }, 1, 1, 1 },
	{ AT, { { 2, 1 } }, "abac|cbd", 2, { { 2, 1, 3, 4 } }, 0, 0, 0 },
	/* The stale lines count for the levels below, too. */
	{ AT, { { 1, 1 }, { 2, 1 } }, "ab|ab", 2, { { 2, 0, 2, 2 }, { 0, 2, 2, 2 } }, 0, 0, 0 },
	{ AT, { { 1, 1 }, { 2, 1 } }, "a|a", 2, { { 0, 1, 1, 1 }, { 0, 1, 1, 1 } }, 0, 0, 0 },
	/* Two sets: a and c, b and d. */
	{ AT, { { 1, 2 } }, "abcd|cbca", 2, { { 3, 1, 3, 4 } }, 0, 0, 0 },
	/* Time is that of lines that are not their sets' most recent ones. b lives from 2 to 3, and
	 * is dead from its last use on as such a line; c from 3 to 4. */
	{ AT, { { 1, 1 } }, "abbbca", 1, { { 3, 0, 1, 3 } }, 2, 2, 2 },
	/* d lives from 4 to 6, c from 3 to 7, and was used at 5. */
	{ AT, { { 2, 1 } }, "abcddcab", 1, { { 4, 0, 2, 4 } }, 2, 4, 6 },
	/* Windows in which nothing happens are none. */
	{ AT, { { 1, 1 } }, "|aab|||baab|", 2, { { 3, 1, 1, 2 } }, 1, 1, 1 },
	{ AT, { { 1, 1 } }, "", 0, { { 0, 0, 0, 0 } }, 0, 0, 0 },
	/* A window is one, also where its references come in several batches. */
	{ AT, { { 1, 1 } }, "a/ab|b/aab", 2, { { 3, 1, 1, 2 } }, 1, 1, 1 },
	/*
	 * References to two lines, each in a set of its own: A reads a and b. Both unknown; one of
	 * them an unknown hit, but the other one misses; both unknown hits.
	 */
	{ AT, { { 1, 2 } }, "A", 1, { { 0, 0, 1, 1 } }, 0, 0, 0 },
	{ AT, { { 1, 2 } }, "a|A", 2, { { 0, 0, 2, 2 } }, 0, 0, 0 },
	{ AT, { { 1, 2 } }, "ab|A", 2, { { 0, 1, 2, 2 } }, 0, 0, 0 },
	/* a misses for certain, as c was read in this window; that b may hit does not matter. */
	{ AT, { { 1, 2 } }, "cA", 1, { { 1, 0, 1, 2 } }, 0, 0, 0 },
	{ AT, { { 1, 2 } }, "b|cA", 2, { { 1, 0, 2, 3 } }, 0, 0, 0 },
};

static void check_case(const struct window_case *t)
{
	struct ms_machine machine;
	struct ms_engine_windows_totals sampled;
	struct ms_engine_totals totals;
	struct sums sums[MOST_LEVELS];
	struct fed fed;
	uint64_t generations = 0, dead = 0, whole = 0;

	make_machine(&machine, t->shapes, MOST_LEVELS, 1);
	open_fed(&fed, &machine, true, 1);
	feed(&fed, t->trace);
	ms_engine_compute_totals(fed.engine, &totals);
	ms_engine_windows_compute_totals(fed.engine, &sampled);
	sum_up(&sampled, sums);
	for (size_t i = 0; i < sampled.lives.n && sampled.lives.at[i].level == 0; i++) {
		generations += sampled.lives.at[i].generations;
		dead += sampled.lives.at[i].dead;
		whole += sampled.lives.at[i].whole;
	}
	if (memcmp(sums, t->sums, sizeof(sums)) != 0)
		fail_msg("line %d: known %d, unknown hits %d, misses %d, unseen %d; below: %d %d "
			 "%d %d",
			 t->line, (int)sums[0].known, (int)sums[0].unknown_hits,
			 (int)sums[0].unknown_misses, (int)sums[0].unseen, (int)sums[1].known,
			 (int)sums[1].unknown_hits, (int)sums[1].unknown_misses,
			 (int)sums[1].unseen);
	if (generations != t->generations || dead != t->dead || whole != t->whole)
		fail_msg("line %d: %d generations, dead for %d of %d", t->line, (int)generations,
			 (int)dead, (int)whole);
	assert_int_equal(sampled.windows, t->windows);
	ms_engine_windows_free_totals(&sampled);
	ms_engine_free_totals(&totals);
	ms_engine_close(fed.engine);
	ms_machine_free(&machine);
}

static void by_hand(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_case(&cases[i]);
}

/* --- by definition --- */

enum { KNOWN_HIT, KNOWN_MISS, UNKNOWN };

/* From the window's references up to this one, and nothing else. */
static int define(const struct shape *shape, const char *window, size_t at)
{
	uint32_t set = (uint32_t)(window[at] - 'a') % shape->sets, others = 0;
	bool counted[26] = { false };

	for (size_t i = at; i-- > 0;) {
		uint32_t line = (uint32_t)(window[i] - 'a');

		if (window[i] == window[at])
			return others < shape->ways ? KNOWN_HIT : KNOWN_MISS;
		if (line % shape->sets != set || counted[line])
			continue;
		counted[line] = true;
		others++;
	}
	return others < shape->ways ? UNKNOWN : KNOWN_MISS;
}

static void check_random(const struct shape *shapes, unsigned shards, uint64_t seed)
{
	char trace[600];
	struct ms_machine machine;
	struct ms_engine_windows_totals sampled;
	struct ms_engine_totals totals, plain_totals;
	struct sums sums[MOST_LEVELS];
	struct fed fed, plain;
	uint64_t known = 0, unknown = 0, misses[2] = { 0, 0 }, references = 0;
	size_t from = 0;

	for (size_t i = 0; i + 1 < sizeof(trace); i++) {
		seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
		trace[i] = (seed >> 33) % 40 == 0 ? '|' : (char)('a' + (seed >> 40) % 13);
	}
	trace[0] = 'a';
	trace[sizeof(trace) - 1] = '\0';
	for (size_t i = 0; trace[i] != '\0'; i++) {
		if (trace[i] == '|') {
			from = i + 1;
			continue;
		}
		int what = define(&shapes[0], trace + from, i - from);
		known += what == KNOWN_MISS;
		unknown += what == UNKNOWN;
		references++;
	}
	make_machine(&machine, shapes, MOST_LEVELS, 1);
	open_fed(&fed, &machine, true, shards);
	open_fed(&plain, &machine, false, 1);
	feed(&fed, trace);
	feed(&plain, trace);
	ms_engine_compute_totals(fed.engine, &totals);
	ms_engine_compute_totals(plain.engine, &plain_totals);
	ms_engine_windows_compute_totals(fed.engine, &sampled);
	sum_up(&sampled, sums);
	assert_int_equal(sums[0].known, known);
	assert_int_equal(sums[0].unknown_hits + sums[0].unknown_misses, unknown);
	/* Otherwise the caches are those of an engine without windows. */
	assert_int_equal(totals.misses.n, plain_totals.misses.n);
	for (size_t i = 0; i < totals.misses.n; i++) {
		assert_memory_equal(totals.misses.at[i].causes, plain_totals.misses.at[i].causes,
				    sizeof(totals.misses.at[i].causes));
		for (unsigned c = 0; c < MS_ENGINE_MISS_CAUSES; c++)
			misses[totals.misses.at[i].level] += totals.misses.at[i].causes[c];
	}
	assert_int_equal(totals.evictions.n, plain_totals.evictions.n);
	for (unsigned l = 0; l < machine.levels.n; l++)
		assert_int_equal(sums[l].known + sums[l].unknown_misses, misses[l]);
	for (size_t i = 0; i < sampled.references.n; i++)
		references -= sampled.references.at[i].references;
	assert_int_equal(references, 0);
	ms_engine_windows_free_totals(&sampled);
	ms_engine_free_totals(&totals);
	ms_engine_free_totals(&plain_totals);
	ms_engine_close(fed.engine);
	ms_engine_close(plain.engine);
	ms_machine_free(&machine);
}

static void by_definition(void **state)
{
	static const struct shape shapes[][MOST_LEVELS] = {
		{ { 1, 1, 0 } },
		{ { 2, 1, 0 } },
		{ { 1, 4, 0 } },
		{ { 3, 2, 0 } },
		{ { 2, 2, 0 }, { 4, 2, 0 } },
		{ { 1, 2, 0 }, { 2, 4, 0 } },
	};

	(void)state;
	for (uint64_t seed = 0; seed < 40; seed++)
		for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
			check_random(shapes[i], 1 + (unsigned)seed % 3, seed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_hand),
		cmocka_unit_test(by_definition),
	};

	return cmocka_run_group_tests_name("engine windows", tests, NULL, NULL);
}
