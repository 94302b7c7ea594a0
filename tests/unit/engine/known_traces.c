/*
 * The engine on short traces whose misses, causes and evictors can be counted by hand.
 *
 * In a trace a small letter is a read of the line of that name (a is line 0, b line 1, ...), which
 * is also its data; a capital letter a read across the end of that line into the next. A machine is
 * a list of levels "WAYSxSETS". Every case is run with 1, 2 and 5 shards.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "engine/engine.h"
#include "wire/wire.h"

enum { LINE = 64, BASE = 0x100000, UNMAPPED = 100, FREED = 101 };

#define AT .line = __LINE__

struct engine_case {
	int line;
	const char *machine;
	const char *trace;
	const char *want;     /* "misses first/replaced", by level, "; " between */
	const char *evictors; /* "ab2": two replacement misses of a, pushed out by b; first level,
				 sorted */
};

static const struct engine_case lru_cases[] = {
	{ AT, "1x1", "aaaa", "1 1/0", "" },
	{ AT, "1x1", "abab", "4 2/2", "ab1 ba1" },
	{ AT, "2x1", "abab", "2 2/0", "" },
	{ AT, "2x1", "abcabc", "6 3/3", "ac1 ba1 cb1" },
	{ AT, "2x1", "abacab", "4 3/1", "bc1" },
	{ AT, "3x1", "abcabc", "3 3/0", "" },
	{ AT, "3x1", "abcdabcd", "8 4/4", "ad1 ba1 cb1 dc1" },
	{ AT, "4x1", "abcdabcd", "4 4/0", "" },
	{ AT, "4x1", "abcdea", "6 5/1", "ae1" },
	{ AT, "4x1", "abcdaeab", "6 5/1", "be1" },
	{ AT, "4x1", "abcdcbaecba", "5 5/0", "" },
	{ AT, "5x1", "abcdeabcdef", "6 6/0", "" },
	{ AT, "6x1", "abcdefgabcdefg", "14 7/7", "ag1 ba1 cb1 dc1 ed1 fe1 gf1" },
	{ AT, "7x1", "abcdefgabcdefg", "7 7/0", "" },
	{ AT, "8x1", "abcdefghabcdefgh", "8 8/0", "" },
	{ AT, "8x1", "abcdefghia", "10 9/1", "ai1" },
	{ AT, "12x1", "abcdefghijklabcdefghijkl", "12 12/0", "" },
	{ AT, "15x1", "abcdefghijklmnopa", "17 16/1", "ap1" },
	{ AT, "16x1", "abcdefghijklmnopa", "16 16/0", "" },
	{ AT, "16x1", "abcdefghijklmnoppqa", "18 17/1", "aq1" },
	/* Touched again in time: the next oldest goes. */
	{ AT, "16x1", "abcdefghijklmnopaqab", "18 17/1", "bq1" },
};

static const struct engine_case set_cases[] = {
	/* Direct-mapped, two sets: a and c collide, b stands apart. */
	{ AT, "1x2", "abcabc", "5 3/2", "ac1 ca1" },
	{ AT, "1x2", "acacacb", "7 3/4", "ac2 ca2" },
	{ AT, "1x4", "abcdabcd", "4 4/0", "" },
	{ AT, "1x4", "aeaebb", "5 3/2", "ae1 ea1" },
	/* The evictor is who pushed it out, not who came after. */
	{ AT, "1x2", "acea", "4 3/1", "ac1" },
	{ AT, "1x2", "aceca", "5 3/2", "ac1 ce1" },
	/* Sets need not be a power of two. */
	{ AT, "1x3", "adbead", "6 4/2", "ad1 da1" },
	{ AT, "1x3", "abcabc", "3 3/0", "" },
	{ AT, "2x3", "adgadg", "6 3/3", "ag1 da1 gd1" },
	{ AT, "1x5", "afkafkb", "7 4/3", "af1 fk1 ka1" },
	{ AT, "2x2", "acegaceg", "8 4/4", "ae1 cg1 ea1 gc1" },
	{ AT, "2x2", "acacbdbd", "4 4/0", "" },
};

static const struct engine_case level_cases[] = {
	/* What the first level loses the second still has. */
	{ AT, "1x1 4x1", "abab", "4 2/2; 2 2/0", "ab1 ba1" },
	{ AT, "1x1 2x1", "abcabc", "6 3/3; 6 3/3", "ab1 bc1 ca1" },
	{ AT, "2x1 3x1", "abcabc", "6 3/3; 3 3/0", "ac1 ba1 cb1" },
	/* The second level sees only what the first misses: its order of use is its own. */
	{ AT, "1x1 2x1", "aaabaaac", "4 3/1; 3 3/0", "ab1" },
	{ AT, "2x1 2x1", "abacab", "4 3/1; 3 3/0", "bc1" },
	{ AT, "1x2 1x4 4x4", "aeaebb", "5 3/2; 5 3/2; 3 3/0", "ae1 ea1" },
};

static const struct engine_case straddle_cases[] = {
	/* Two lines, one reference, one miss; then both are there. */
	{ AT, "4x1", "A", "1 1/0", "" },
	{ AT, "4x1", "AAab", "1 1/0", "" },
	{ AT, "4x1", "aA", "2 2/0", "" },
	{ AT, "4x1", "bA", "2 2/0", "" },
	{ AT, "4x1", "abA", "2 2/0", "" },
	/* One line for two: it pushes itself out. */
	{ AT, "1x1", "A", "1 1/0", "" },
	/* The cause is that of the first line that misses: a was pushed out by c. */
	{ AT, "1x2", "acA", "3 2/1", "ac1" },
	{ AT, "1x2", "bdA", "3 3/0", "" },
	{ AT, "1x4 4x4", "AA", "1 1/0; 1 1/0", "" },
	{ AT, "2x8", "ABCDEFGH", "8 8/0", "" },
	{ AT, "2x3", "ABCA", "3 3/0", "" },
};

/* --- from a case to an engine --- */

static void make_machine(struct ms_machine *machine, const char *levels)
{
	memset(machine, 0, sizeof(*machine));
	machine->name = "case";
	for (const char *at = levels; *at != '\0';) {
		unsigned ways, sets;
		int n;

		assert_int_equal(sscanf(at, "%ux%u%n", &ways, &sets, &n), 2);
		*ms_vec_add(&machine->levels) =
			(struct ms_machine_level){ .name = "L",
						   .ways = ways,
						   .line = LINE,
						   .size = (uint64_t)ways * sets * LINE };
		at += n + (at[n] == ' ');
	}
}

static void run_trace(struct ms_engine *engine, unsigned shards, const char *trace)
{
	static const struct ms_engine_block_ref refs[2] = { { 0, 8, MS_WIRE_READ, 0 },
							    { 1, 8, MS_WIRE_READ, 0 } };
	static const uint16_t exit_refs[1] = { 1 };
	static const struct ms_engine_block whole = { 1, 1,    &refs[0], NULL, exit_refs, NULL,
						      1, NULL, 0,        0,    NULL };
	static const struct ms_engine_block across = { 1, 1,    &refs[1], NULL, exit_refs, NULL,
						       1, NULL, 0,        0,    NULL };
	uint64_t words[400];
	size_t n = 0;

	for (const char *at = trace; *at != '\0'; at++) {
		bool straddles = *at >= 'A' && *at <= 'Z';
		uint64_t line = (uint64_t)(*at - (straddles ? 'A' : 'a'));

		words[n++] = ms_wire_head(MS_WIRE_EXEC, 2, straddles);
		words[n++] = BASE + line * LINE + (straddles ? LINE - 4 : 0);
	}
	for (unsigned s = 0; s < shards; s++) {
		struct ms_engine_shard *shard = ms_engine_get_shard(engine, s);

		ms_engine_add_block(shard, &whole);
		ms_engine_add_block(shard, &across);
		for (uint32_t data = 0; data < 26; data++)
			ms_engine_map_region(shard, BASE + data * LINE, BASE + (data + 1) * LINE,
					     data, true);
	}
	assert_int_equal(ms_engine_filter_executions(ms_engine_get_shard(engine, 0), words, n), n);
	ms_engine_distribute_batch(ms_engine_get_shard(engine, 0), 0);
	for (unsigned s = 0; s < shards; s++)
		ms_engine_simulate_batch(ms_engine_get_shard(engine, s), 0);
	ms_engine_finish_batch(engine, 0);
}

/* --- from an engine to the texts of a case --- */

static void tell_misses(const struct ms_engine_totals *t, size_t levels, struct ms_text *text)
{
	for (size_t level = 0; level < levels; level++) {
		unsigned long long causes[MS_ENGINE_MISS_CAUSES] = { 0 };

		for (size_t i = 0; i < t->misses.n; i++)
			for (int c = 0; c < MS_ENGINE_MISS_CAUSES; c++)
				if (t->misses.at[i].level == level)
					causes[c] += t->misses.at[i].causes[c];
		ms_text_addf(text, "%s%llu %llu/%llu", level > 0 ? "; " : "", causes[0] + causes[1],
			     causes[0], causes[1]);
	}
}

static void tell_evictors(const struct ms_engine_totals *t, struct ms_text *text)
{
	unsigned long long by[26][26] = { { 0 } };

	for (size_t i = 0; i < t->replaced.n; i++) {
		const struct ms_engine_total_pair *p = &t->replaced.at[i];

		if (p->level == 0)
			by[t->cells.at[p->cell].data][p->other] += p->count;
	}
	for (int data = 0; data < 26; data++)
		for (int other = 0; other < 26; other++)
			if (by[data][other] != 0)
				ms_text_addf(text, "%s%c%c%llu", text->n > 0 ? " " : "", 'a' + data,
					     'a' + other, by[data][other]);
}

static bool check(const struct engine_case *c, unsigned shards)
{
	const struct ms_engine_fallback_data special = { UNMAPPED, FREED, 0 };
	struct ms_text misses = MS_TEXT_INIT, evictors = MS_TEXT_INIT;
	struct ms_machine machine;
	struct ms_engine_totals t;
	uint64_t references = 0;

	make_machine(&machine, c->machine);
	struct ms_engine *engine = ms_engine_open(&machine, shards, 1, &special);
	run_trace(engine, shards, c->trace);
	ms_engine_compute_totals(engine, &t);
	tell_misses(&t, machine.levels.n, &misses);
	tell_evictors(&t, &evictors);
	for (size_t i = 0; i < t.cells.n; i++)
		references += t.cells.at[i].references;

	bool good = strcmp(ms_text_get(&misses), c->want) == 0 &&
		    strcmp(ms_text_get(&evictors), c->evictors) == 0 &&
		    references == strlen(c->trace);
	if (!good)
		print_error("%s:%d: %s on %s, %u shards: \"%s\", \"%s\", %llu references; expected "
			    "\"%s\", \"%s\"\n",
			    __FILE__, c->line, c->trace, c->machine, shards, ms_text_get(&misses),
			    ms_text_get(&evictors), (unsigned long long)references, c->want,
			    c->evictors);
	ms_engine_free_totals(&t);
	ms_engine_close(engine);
	ms_vec_free(&machine.levels);
	ms_text_free(&misses);
	ms_text_free(&evictors);
	return good;
}

#define CHECK_ALL(cases)                                       \
	do {                                                   \
		bool good = true;                              \
		for (size_t i = 0; i < MS_COUNT(cases); i++) { \
			good = check(&cases[i], 1) && good;    \
			good = check(&cases[i], 2) && good;    \
			good = check(&cases[i], 5) && good;    \
		}                                              \
		assert_true(good);                             \
	} while (0)

static void least_recently_used(void **state)
{
	(void)state;
	CHECK_ALL(lru_cases);
}

static void sets(void **state)
{
	(void)state;
	CHECK_ALL(set_cases);
}

static void levels(void **state)
{
	(void)state;
	CHECK_ALL(level_cases);
}

static void references_across_lines(void **state)
{
	(void)state;
	CHECK_ALL(straddle_cases);
}

/* Words that are not executions, or damaged ones: where filtering stops. */
static void invalid_records(void **state)
{
	const struct {
		int line;
		uint64_t words[4];
		size_t n, taken;
	} cases[] = {
		{ __LINE__, { ms_wire_head(MS_WIRE_EXEC, 2, 0), BASE }, 2, 2 },
		{ __LINE__, { ms_wire_head(MS_WIRE_EXEC, 2, 0) }, 1, 0 },       /* cut short */
		{ __LINE__, { ms_wire_head(MS_WIRE_EXEC, 2, 1), BASE }, 2, 0 }, /* no such exit */
		{ __LINE__, { ms_wire_head(MS_WIRE_EXEC, 2, UINT32_MAX), BASE }, 2, 0 },
		{ __LINE__, { ms_wire_head(MS_WIRE_FREE, 2, 0), BASE }, 2, 0 }, /* an event */
		{ __LINE__,
		  { ms_wire_head(MS_WIRE_EXEC, 2, 0), BASE, ms_wire_head(MS_WIRE_SWITCH, 1, 0) },
		  3,
		  2 },
		{ __LINE__, { UINT64_MAX, UINT64_MAX }, 2, 0 },
		{ __LINE__, { 0 }, 0, 0 },
	};
	static const struct ms_engine_block_ref ref = { 0, 8, MS_WIRE_READ, 0 };
	static const uint16_t exit_refs[1] = { 1 };
	static const struct ms_engine_block block = { 1, 1,    &ref, NULL, exit_refs, NULL,
						      1, NULL, 0,    0,    NULL };
	const struct ms_engine_fallback_data special = { UNMAPPED, FREED, 0 };
	struct ms_machine machine;

	(void)state;
	make_machine(&machine, "1x1");
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_engine *engine = ms_engine_open(&machine, 1, 1, &special);
		struct ms_engine_shard *shard = ms_engine_get_shard(engine, 0);

		ms_engine_add_block(shard, &block);
		size_t taken = ms_engine_filter_executions(shard, cases[i].words, cases[i].n);
		if (taken != cases[i].taken)
			fail_msg("%s:%d: %zu words taken, expected %zu", __FILE__, cases[i].line,
				 taken, cases[i].taken);
		ms_engine_close(engine);
	}
	ms_vec_free(&machine.levels);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(least_recently_used),
		cmocka_unit_test(sets),
		cmocka_unit_test(levels),
		cmocka_unit_test(references_across_lines),
		cmocka_unit_test(invalid_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
