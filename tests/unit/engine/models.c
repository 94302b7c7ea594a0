/*
 * Machines that are not plain, by hand: replacement, writing through and around, inclusive and
 * exclusive levels, prefetchers.
 *
 * In a trace a small letter is a load of the line of that name (a is line 0, b line 1, ...), which
 * is also its data; a capital letter a store to it; '+' makes the next load a modify. A machine is
 * a list of levels with "; " between: "WAYSxSETS", then words of a machine file, "prefetch=N".
 * Every case is run with 1, 2 and 5 shards.
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

/* By level, "; " between. */
struct model_case {
	int line;
	const char *machine;
	const char *trace;
	const char *misses;   /* "misses first/replaced", and " covered N" where there are any */
	const char *replaced; /* "ab2": two replacement misses of a, pushed out by b */
	const char *evicted;  /* "ab2": a pushed out two lines of b; NULL: not looked at */
};

static const struct model_case replacement_cases[] = {
	/* Two ways have one bit: that is LRU. */
	{ AT, "2x1 tree-plru", "abcabc", "6 3/3", "ac1 ba1 cb1", NULL },
	{ AT, "1x1 tree-plru", "abab", "4 2/2", "ab1 ba1", NULL },
	/* a leaves first, as with LRU; then the tree looks at the other half: c leaves, not b. */
	{ AT, "4x1 tree-plru", "abcdefb", "6 6/0", "", "ea1 fc1" },
	{ AT, "4x1 tree-plru", "abcdefc", "7 6/1", "cf1", NULL },
	{ AT, "4x1", "abcdefb", "7 6/1", "bf1", NULL },
	{ AT, "4x1 tree-plru", "abcdaeb", "5 5/0", "", "ec1" },
	{ AT, "4x1 tree-plru", "abcdaec", "6 5/1", "ce1", NULL },
	{ AT, "8x1 tree-plru", "abcdefghije", "11 10/1", "ej1", "ec1 ia1 je1" },
	{ AT, "4x2 tree-plru", "acegikc", "6 6/0", "", "ia1 ke1" },
	/*
	 * SplitMix64 with seed 0 begins e220a8397b1dcdaf 6e789e6aa1b965f4 06c45d188009454f
	 * f88bb8a8724c81ec 1b39896a51a8749b: of four ways 3, 0, 3, 0, 3 leave.
	 */
	{ AT, "4x1 random", "abcdefghbcd", "9 8/1", "de1", "dg1 ed1 fa1 ge1 hf1" },
	{ AT, "4x1 random", "abcdabcd", "4 4/0", "", "" },
	/* The hit of a does not keep it: a, not b, leaves when c comes. */
	{ AT, "2x1 fifo", "abaca", "4 3/1", "ac1", "ab1 ca1" },
	{ AT, "2x1", "abaca", "3 3/0", "", "cb1" },
	{ AT, "2x1 fifo", "abacb", "3 3/0", "", "ca1" },
	{ AT, "2x1", "abacb", "4 3/1", "bc1", "ba1 cb1" },
	{ AT, "2x1 fifo", "abAca", "4 3/1", "ac1", "ab1 ca1" },
	{ AT, "1x1 fifo", "abab", "4 2/2", "ab1 ba1", NULL },
	/* Belady's anomaly: FIFO misses more often with four ways than with three. */
	{ AT, "3x1 fifo", "abcdabeabcde", "9 5/4", "ad1 ba1 cb1 de1", "ab1 bc1 ca1 da1 db1 ed1" },
	{ AT, "4x1 fifo", "abcdabeabcde", "10 5/5", "ae1 ba1 cb1 dc1 ed1", "ab1 bc1 cd1 de1 ea2" },
	{ AT, "4x1", "abcdabeabcde", "8 5/3", "ce1 dc1 ed1", NULL },
	/* The second level has a hit of a, too. */
	{ AT, "1x1; 2x1 fifo", "abaca", "5 3/2; 4 3/1", "ab1 ac1; ac1", NULL },
	/* c fills the way that a left, after b: when a returns, b leaves. */
	{ AT, "1x1; 2x1 exclusive fifo", "abcadb", "6 4/2; 5 4/1", "ab1 bc1; bd1", NULL },
};

static const struct model_case write_cases[] = {
	/* A store that goes on makes a the most recent line of the second level: b leaves there. */
	{ AT, "2x1 through; 2x1", "abAcb", "4 3/1; 4 3/1", "bc1; bc1", NULL },
	{ AT, "2x1; 2x1", "abAcb", "4 3/1; 3 3/0", "bc1; ", NULL },
	{ AT, "2x1 through; 2x1", "ab+acb", "4 3/1; 4 3/1", "bc1; bc1", NULL },
	/* It brings the line in again. The processor does not wait: not a miss, but b is evicted.
	 */
	{ AT, "2x1 through; 1x1", "abA", "2 2/0; 2 2/0", "; ", "; ab1 ba1" },
	{ AT, "2x1 through; 1x1 around", "abA", "2 2/0; 2 2/0", "; ", "; ba1" },
	/* Through two levels. */
	{ AT, "2x1 through; 2x1 through; 1x1", "abA", "2 2/0; 2 2/0; 2 2/0", "; ; ",
	  "; ; ab1 ba1" },
	{ AT, "2x1 through; 2x1; 1x1", "abA", "2 2/0; 2 2/0; 2 2/0", "; ; ", "; ; ba1" },
	/* A store brings the line in, unless it goes around. */
	{ AT, "1x1", "AAA", "1 1/0", "", NULL },
	{ AT, "1x1 around", "AAA", "3 3/0", "", "" },
	{ AT, "1x1 around", "aBa", "2 2/0", "", "" },
	{ AT, "1x1 around", "aAAa", "1 1/0", "", "" },
	{ AT, "1x1 around", "abAb", "3 2/1", "ab1", "ba1" },
	{ AT, "1x1 around", "+a+a", "1 1/0", "", "" },
	{ AT, "1x1 around; 2x1", "Aa", "2 2/0; 1 1/0", "; ", NULL },
	{ AT, "1x1 around; 2x1 around", "Aa", "2 2/0; 2 2/0", "; ", NULL },
	/* What the first level brings in is a load for the second. */
	{ AT, "1x1; 2x1 around", "Aba", "3 2/1; 2 2/0", "ab1; ", NULL },
};

static const struct model_case contents_cases[] = {
	/* The second level does not see a's hit in the first: a leaves it, and so both. */
	{ AT, "2x1; 2x1 inclusive", "abaca", "4 3/1; 4 3/1", "ac1; ac1", "ab1 ca1; ab1 ca1" },
	{ AT, "2x1; 2x1", "abaca", "3 3/0; 3 3/0", "; ", "cb1; ca1" },
	{ AT, "2x1; 4x1; 2x1 inclusive", "abaca", "4 3/1; 4 3/1; 4 3/1", "ac1; ac1; ac1", NULL },
	/* The line that left is not the hot loop's most recent one any more. */
	{ AT, "1x2; 1x1 inclusive", "abaab", "4 2/2; 4 2/2", "ab1 ba1; ab1 ba1", NULL },
	/* Two levels hold what both have room for. */
	{ AT, "1x1; 1x1 exclusive", "abab", "4 2/2; 2 2/0", "ab1 ba1; ", "ab1 ba2; " },
	{ AT, "1x1; 1x1 exclusive", "abcabc", "6 3/3; 6 3/3", "ab1 bc1 ca1; ac1 ba1 cb1", NULL },
	{ AT, "2x1; 2x1 exclusive", "abcdabcd", "8 4/4; 4 4/0", "ac1 bd1 ca1 db1; ", NULL },
	{ AT, "2x1; 2x1", "abcdabcd", "8 4/4; 8 4/4", "ac1 bd1 ca1 db1; ac1 bd1 ca1 db1", NULL },
	{ AT, "1x1; 1x1 exclusive; 1x1 exclusive", "abcabc", "6 3/3; 6 3/3; 3 3/0",
	  "ab1 bc1 ca1; ac1 ba1 cb1; ", NULL },
	/* A victim cache of the second level. */
	{ AT, "1x1; 1x1; 1x1 exclusive", "abab", "4 2/2; 4 2/2; 2 2/0", "ab1 ba1; ab1 ba1; ",
	  NULL },
	/* The exclusive level would have got a back: it left with the third level's line. */
	{ AT, "2x1; 1x1 exclusive; 2x1 inclusive", "abaca", "4 3/1; 4 4/0; 4 3/1", "ac1; ; ac1",
	  NULL },
	/* A store that goes around the first level leaves the line where it is ... */
	{ AT, "1x1 around; 1x1 exclusive", "abAA", "4 2/2; 2 2/0", "ab2; ", "ba1; " },
	/* ... and is still a store below an exclusive level, which takes none of them. */
	{ AT, "1x1 around; 1x1 exclusive; 1x1 around", "Aa", "2 2/0; 2 2/0; 2 2/0", "; ; ", NULL },
	{ AT, "1x1 around; 1x1 exclusive; 1x1", "Aa", "2 2/0; 2 2/0; 1 1/0", "; ; ", NULL },
};

static const struct model_case prefetch_cases[] = {
	{ AT, "1x1 prefetch=1", "abcdefgh", "8 8/0 covered 6", "", NULL },
	{ AT, "1x1 prefetch=1", "hgfedcba", "8 8/0 covered 6", "", NULL },
	{ AT, "1x1 prefetch=1", "ABCDEFGH", "8 8/0 covered 6", "", NULL },
	{ AT, "1x1 prefetch=1", "acegik", "6 6/0", "", NULL },
	/* Four lines ahead, not five; not before. */
	{ AT, "1x1 prefetch=1", "abf", "3 3/0 covered 1", "", NULL },
	{ AT, "1x1 prefetch=1", "abg", "3 3/0", "", NULL },
	{ AT, "1x1 prefetch=1", "bca", "3 3/0", "", NULL },
	{ AT, "1x1 prefetch=1", "abdfh", "5 5/0 covered 3", "", NULL },
	/* A hit is no miss; the same line again changes nothing. */
	{ AT, "1x1 prefetch=1", "aabbcc", "3 3/0 covered 1", "", NULL },
	{ AT, "1x1 prefetch=2", "abzbc", "5 4/1 covered 1", "bz1", NULL },
	/* Two streams want two places; of two the oldest gives way. */
	{ AT, "1x1 prefetch=1", "anbocpdq", "8 8/0", "", NULL },
	{ AT, "1x1 prefetch=2", "anbocpdq", "8 8/0 covered 4", "", NULL },
	{ AT, "1x1 prefetch=2", "abxrc", "5 5/0", "", NULL },
	{ AT, "1x1 prefetch=3", "abxrc", "5 5/0 covered 1", "", NULL },
	/* Each level's prefetcher sees that level's misses. */
	{ AT, "1x1; 8x1 prefetch=1", "abcdabcd", "8 4/4; 4 4/0 covered 2", "ab1 bc1 cd1 da1; ",
	  NULL },
	{ AT, "1x4 prefetch=1; 8x1", "abcdabcd", "4 4/0 covered 2; 4 4/0", "; ", NULL },
};

/* --- from a case to an engine --- */

static void set_word(struct ms_machine_level *level, const char *word)
{
	unsigned streams;

	if (sscanf(word, "prefetch=%u", &streams) == 1) {
		level->prefetch = streams;
		return;
	}
	for (size_t i = 0; i < MS_MACHINE_CHOICES; i++)
		for (uint32_t w = 0; ms_machine_choices[i].words[w] != NULL; w++)
			if (strcmp(ms_machine_choices[i].words[w], word) == 0) {
				*(uint32_t *)((char *)level + ms_machine_choices[i].offset) = w;
				return;
			}
	fail_msg("no word of a machine: %s", word);
}

static void make_machine(struct ms_machine *machine, const char *levels)
{
	static const char *const names[] = { "L1", "L2", "L3", "L4" };
	char text[128], *next = text, *part;
	struct ms_err err;

	memset(machine, 0, sizeof(*machine));
	machine->name = "case";
	snprintf(text, sizeof(text), "%s", levels);
	while ((part = strsep(&next, ";")) != NULL) {
		struct ms_machine_level *level = ms_vec_add(&machine->levels);
		unsigned ways, sets;
		char *word;

		part += *part == ' ';
		assert_int_equal(sscanf(part, "%ux%u", &ways, &sets), 2);
		*level = (struct ms_machine_level){ .name = names[machine->levels.n - 1],
						    .ways = ways,
						    .line = LINE,
						    .size = (uint64_t)ways * sets * LINE };
		strsep(&part, " ");
		while ((word = strsep(&part, " ")) != NULL)
			set_word(level, word);
	}
	assert_int_equal(ms_machine_check(machine, NULL, &err), MS_OK);
}

/* A block of one reference for each kind. */
static void add_blocks(struct ms_engine_shard *shard)
{
	static const struct ms_engine_block_ref refs[3] = { { 0, 8, MS_WIRE_READ, 0 },
							    { 1, 8, MS_WIRE_WRITE, 0 },
							    { 2, 8, MS_WIRE_MODIFY, 0 } };
	static const uint16_t exit_refs[1] = { 1 };
	static const struct ms_engine_block blocks[3] = {
		{ 1, 1, &refs[0], NULL, exit_refs, NULL, 1, NULL, 0, 0, NULL },
		{ 1, 1, &refs[1], NULL, exit_refs, NULL, 1, NULL, 0, 0, NULL },
		{ 1, 1, &refs[2], NULL, exit_refs, NULL, 1, NULL, 0, 0, NULL }
	};

	for (size_t i = 0; i < 3; i++)
		ms_engine_add_block(shard, &blocks[i]);
	for (uint32_t data = 0; data < 26; data++)
		ms_engine_map_region(shard, BASE + data * LINE, BASE + (data + 1) * LINE, data,
				     true);
}

static void run_trace(struct ms_engine *engine, unsigned shards, const char *trace)
{
	uint64_t words[400];
	size_t n = 0;

	for (const char *at = trace; *at != '\0'; at++) {
		bool modify = *at == '+';
		bool store = *at >= 'A' && *at <= 'Z';

		at += modify;
		words[n++] = ms_wire_head(MS_WIRE_EXEC, 2, modify ? 2 : store);
		words[n++] = BASE + (uint64_t)(*at - (store ? 'A' : 'a')) * LINE;
	}
	for (unsigned s = 0; s < shards; s++) {
		struct ms_engine_shard *shard = ms_engine_get_shard(engine, s);

		add_blocks(shard);
	}
	assert_int_equal(ms_engine_filter_executions(ms_engine_get_shard(engine, 0), words, n), n);
	ms_engine_distribute_batch(ms_engine_get_shard(engine, 0), 0);
	ms_engine_reset_filter(ms_engine_get_shard(engine, 0));
	for (unsigned s = 0; s < shards; s++)
		ms_engine_simulate_batch(ms_engine_get_shard(engine, s), 0);
	ms_engine_finish_batch(engine, 0);
}

/* --- from an engine to the texts of a case --- */

static void tell_misses(const struct ms_engine_totals *t, size_t levels, struct ms_text *text)
{
	for (size_t level = 0; level < levels; level++) {
		unsigned long long causes[MS_ENGINE_MISS_CAUSES] = { 0 }, covered = 0;

		for (size_t i = 0; i < t->misses.n; i++) {
			const struct ms_engine_total_miss *m = &t->misses.at[i];

			for (int c = 0; c < MS_ENGINE_MISS_CAUSES && m->level == level; c++)
				causes[c] += m->causes[c];
			covered += m->level == level ? m->covered : 0;
		}
		ms_text_addf(text, "%s%llu %llu/%llu", level > 0 ? "; " : "", causes[0] + causes[1],
			     causes[0], causes[1]);
		if (covered > 0)
			ms_text_addf(text, " covered %llu", covered);
	}
}

static void tell_pairs(const struct ms_engine_totals *t, const struct ms_engine_total_pair *pairs,
		       size_t n, size_t levels, struct ms_text *text)
{
	for (size_t level = 0; level < levels; level++) {
		unsigned long long by[26][26] = { { 0 } };
		const char *blank = "";

		for (size_t i = 0; i < n; i++)
			if (pairs[i].level == level)
				by[t->cells.at[pairs[i].cell].data][pairs[i].other] +=
					pairs[i].count;
		ms_text_add(text, level > 0 ? "; " : "");
		for (int i = 0; i < 26 * 26; i++)
			if (by[i / 26][i % 26] != 0) {
				ms_text_addf(text, "%s%c%c%llu", blank, 'a' + i / 26, 'a' + i % 26,
					     by[i / 26][i % 26]);
				blank = " ";
			}
	}
}

static bool check(const struct model_case *c, unsigned shards)
{
	const struct ms_engine_fallback_data special = { UNMAPPED, FREED, 0 };
	struct ms_text misses = MS_TEXT_INIT, replaced = MS_TEXT_INIT, evicted = MS_TEXT_INIT;
	struct ms_machine machine;
	struct ms_engine_totals t;

	make_machine(&machine, c->machine);
	struct ms_engine *engine = ms_engine_open(&machine, shards, 1, &special);
	run_trace(engine, shards, c->trace);
	ms_engine_compute_totals(engine, &t);
	tell_misses(&t, machine.levels.n, &misses);
	tell_pairs(&t, t.replaced.at, t.replaced.n, machine.levels.n, &replaced);
	tell_pairs(&t, t.evictions.at, t.evictions.n, machine.levels.n, &evicted);

	bool good = strcmp(ms_text_get(&misses), c->misses) == 0 &&
		    strcmp(ms_text_get(&replaced), c->replaced) == 0 &&
		    (c->evicted == NULL || strcmp(ms_text_get(&evicted), c->evicted) == 0);
	if (!good)
		print_error("%s:%d: %s on %s, %u shards: \"%s\", \"%s\", \"%s\"; expected \"%s\", "
			    "\"%s\", \"%s\"\n",
			    __FILE__, c->line, c->trace, c->machine, shards, ms_text_get(&misses),
			    ms_text_get(&replaced), ms_text_get(&evicted), c->misses, c->replaced,
			    c->evicted ? c->evicted : "anything");
	ms_engine_free_totals(&t);
	ms_engine_close(engine);
	ms_vec_free(&machine.levels);
	ms_text_free(&misses);
	ms_text_free(&replaced);
	ms_text_free(&evicted);
	return good;
}

static void check_all(const struct model_case *cases, size_t n)
{
	static const unsigned shards[] = { 1, 2, 5 };
	bool good = true;

	for (size_t i = 0; i < n; i++)
		for (size_t s = 0; s < MS_COUNT(shards); s++)
			good = check(&cases[i], shards[s]) && good;
	assert_true(good);
}

static void replacement(void **state)
{
	(void)state;
	check_all(replacement_cases, MS_COUNT(replacement_cases));
}

static void writing(void **state)
{
	(void)state;
	check_all(write_cases, MS_COUNT(write_cases));
}

static void contents(void **state)
{
	(void)state;
	check_all(contents_cases, MS_COUNT(contents_cases));
}

static void prefetching(void **state)
{
	(void)state;
	check_all(prefetch_cases, MS_COUNT(prefetch_cases));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(replacement),
		cmocka_unit_test(writing),
		cmocka_unit_test(contents),
		cmocka_unit_test(prefetching),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
