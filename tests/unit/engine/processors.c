/*
 * Several processors, by hand: who loses a line to whom, true and false sharing, upgrades, answers
 * of other caches, write-backs, memory of nodes.
 *
 * A trace is a list of tokens: the processor, then a letter and a digit: a small letter is a load
 * of 8 bytes of the line of that name (a is line 0, ...), which is also its data, a capital letter
 * a store, '+' before a letter a modify; the digit says which 8 bytes of the line. So "0a0 1A1" is
 * a load of line a by processor 0, and a store to the next 8 bytes by processor 1. A machine is a
 * protocol and a list of levels with "; " between: "WAYSxSETS/PROCESSORS", then words of a machine
 * file. Lines have 64 bytes, 2 nodes have two processors each. Every case is run with 1, 2 and 5
 * shards. What has '-' between is handed over at once.
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

enum { LINE = 64, BASE = 0x100000, UNMAPPED = 100, FREED = 101, PROCESSORS = 4, MOST_AT_ONCE = 16 };

#define AT .line = __LINE__

struct processors_case {
	int line;
	const char *machine;
	const char *trace;
	/* By level, "; " between: "first/replaced/invalidated", then what there is of "false N",
	 * "peer N", "remote N", "back N"; last "upgrades N" of all. */
	const char *counts;
	/* "a1 1<0 a0 false 2": processor 1 missed twice on the second 8 bytes of a, as processor 0
	 * had written the first 8. By line. NULL: not looked at. */
	const char *sharing;
	bool one_object; /* all lines are the same data */
};

static const struct processors_case sharing_cases[] = {
	/* Two counters in one line: each takes it away from the other, and neither reads the
	 * other's. */
	{ AT, "mesi 4x1/1", "0+a0 1+a1 0+a0 1+a1 0+a0", "2/0/3 false 3 peer 4",
	  "a0 0<1 a1 false 2, a1 1<0 a0 false 1" },
	/* Padded: nothing. */
	{ AT, "mesi 4x1/1", "0+a0 1+b1 0+a0 1+b1 0+a0", "2/0/0", "" },
	/* One counter: what was written is what is read. */
	{ AT, "mesi 4x1/1", "0+a0 1+a0 0+a0 1+a0", "2/0/2 peer 3",
	  "a0 0<1 a0 true 1, a0 1<0 a0 true 1" },
	/* A flag and data beside it: the reader spins on the flag only. */
	{ AT, "mesi 4x1/1", "1a0 0A1 1a0 0A0 1a0", "2/0/2 false 1 peer 2 back 2 upgrades 1",
	  "a0 1<0 a0 true 1, a0 1<0 a1 false 1" },
	/* It is true as soon as anything that is touched was written since the line was lost, be it
	 * by a later store of the same turn, or by a third processor. */
	{ AT, "mesi 4x1/1", "1a1 0A0 0A1 1a1", "2/0/1 peer 1 back 1", "a1 1<0 a0 true 1" },
	{ AT, "mesi 4x1/1", "1a1 0A0 2A1 1a1", "3/0/1 peer 2 back 1", "a1 1<0 a0 true 1" },
	{ AT, "mesi 4x1/1", "1a1 0A0 2A2 1a1", "3/0/1 false 1 peer 2 back 1", "a1 1<0 a0 false 1" },
	/* What was written before it was lost does not count. */
	{ AT, "mesi 4x1/1", "0A1 1a1 0A0 1a1", "2/0/1 false 1 peer 2 back 2 upgrades 1",
	  "a1 1<0 a0 false 1" },
	/* Reading alone takes nothing away. */
	{ AT, "mesi 4x1/1", "0a0 1a0 2a0 3a0 0a0 1a0", "4/0/0", "" },
	/* Two processors with one cache share nothing. */
	{ AT, "mesi 4x1/2", "0A0 1A1 0A0 1A1", "1/0/0", "" },
	{ AT, "mesi 4x1/2", "0A0 2A1 1A0 3A1", "2/0/2 false 2 peer 3",
	  "a0 1<2 a1 false 1, a1 3<1 a0 false 1" },
	/* Replaced first: then it was no longer there to be taken away. */
	{ AT, "mesi 1x1/1", "0a0 0b0 1A0 0a0", "3/1/0 peer 1 back 1", "" },
};

static const struct processors_case protocol_cases[] = {
	/* A line that no other cache has is written without a bus request, except with MSI. */
	{ AT, "mesi 4x1/1", "0a0 0A0", "1/0/0", "" },
	{ AT, "msi 4x1/1", "0a0 0A0", "1/0/0 upgrades 1", "" },
	{ AT, "moesi 4x1/1", "0a0 0A0", "1/0/0", "" },
	{ AT, "mesi 4x1/1", "0a0 1a0 0A0", "2/0/0 upgrades 1", "" },
	/* A modified line that another one reads is written back, except with MOESI; there its
	 * owner answers requests, and writes it back when it is evicted. */
	{ AT, "mesi 1x1/1", "0A0 1a0 2a0 0b0", "4/0/0 peer 1 back 1", "" },
	{ AT, "moesi 1x1/1", "0A0 1a0 2a0 0b0", "4/0/0 peer 2 back 1", "" },
	{ AT, "moesi 1x1/1", "0A0 1a0 1b0", "3/0/0 peer 1", "" },
	/* Clean lines are not written back, modified ones once. */
	{ AT, "mesi 1x1/1", "0a0 0b0 0c0", "3/0/0", "" },
	{ AT, "mesi 1x1/1", "0A0 0b0 0c0", "3/0/0 back 1", "" },
	/* Who takes a modified line to write it gets it from the other cache; nothing is written.
	 */
	{ AT, "mesi 1x1/1", "0A0 1A0", "2/0/0 peer 1", "" },
	/* Still in the second level, it has not left the processor's caches. */
	{ AT, "mesi 1x1/1; 4x1/1", "0A0 0b0 1a0", "3/0/0; 3/0/0 peer 1 back 1", "" },
	{ AT, "mesi 1x1/1; 4x1/0", "0A0 0b0 1a0", "3/0/0 back 1; 2/0/0", "" },
	/* Others' caches answer where the next level would have: it missed the first level only. */
	{ AT, "mesi 4x1/1; 8x1/0", "0A0 1a0", "2/0/0 peer 1 back 1; 1/0/0", "" },
	/* A cache that writes through has nothing that others would have to wait for. */
	{ AT, "mesi 4x1/1 through; 8x1/0", "0A0 1a0", "2/0/0; 1/0/0", "" },
	/* What leaves an inclusive level leaves all caches before it. */
	{ AT, "mesi 4x1/1; 1x1/0 inclusive", "0a0 1b0 0a0", "2/1/0; 2/1/0", "" },
	/* A level between loses what others write; what all share does not. */
	{ AT, "mesi 1x1/1; 4x1/2; 8x1/0", "0a0 0b0 2A0 0a0", "3/1/0 back 1; 3/0/1 peer 1; 2/0/0",
	  "a0 0<2 a0 true 1" },
};

static const struct processors_case memory_cases[] = {
	/* The page is on the node of who touched it first: processors 0 and 1 are on node 0. */
	{ AT, "mesi nodes 1x1/1", "0a0 0b0 1c0 2d0 3e0", "5/0/0 remote 2", "" },
	{ AT, "mesi nodes 1x1/1", "2a0 0b0 3c0", "3/0/0 remote 1", "" },
	/* Another cache that answers is no memory. */
	{ AT, "mesi nodes 1x1/1", "0A0 2a0", "2/0/0 peer 1 back 1", "" },
	{ AT, "mesi nodes 1x1/1; 4x1/0", "0a0 2a0 2b0", "3/0/0; 2/0/0 remote 1", "" },
};

/* The L1 filter records the order of uses lazily; it needs to know whose lines they are. */
static const struct processors_case order_cases[] = {
	{ AT, "mesi 2x2/1", "0a0 0c0 0a0 0e0 0a0 0c0", "3/1/0", NULL, true },
	{ AT, "mesi 2x2/1", "0a0 0c0 0a0 0c0 0e0 0c0 0a0", "3/1/0", NULL, true },
	{ AT, "mesi 2x2/1", "0a0-0c0-0a0-0c0-0a0-0c0-0a0 0e0 0c0", "3/1/0", NULL, true },
	/* Others did something in between: something else; or invalidated one of the two; or more
	 * than the list of changes can hold. */
	{ AT, "mesi 2x2/1", "0a0 0c0 0a0 1g0 0e0 0c0", "4/1/0", NULL, true },
	{ AT, "mesi 2x2/1", "0a0 0c0 0a0 1C0 0e0 0a0", "4/0/0", NULL, true },
	{ AT, "mesi 2x2/1", "0a0 0c0 0a0 1A0 0e0 0c0", "4/0/0", NULL, true },
	{ AT, "mesi 2x2/1", "0a0 0c0 0a0 1g0-1i0-1k0-1m0-1o0-1q0-1s0-1u0-1w0 0y0 0a0", "12/0/0",
	  NULL, true },
	/* Stores to the one before the last: added to the first store, unless others have read. */
	{ AT, "mesi 2x2/1", "1a1 0A0 0C0 0A1 1a1", "3/0/1 peer 1 back 1", NULL, true },
	{ AT, "mesi 2x2/1", "1a1 0A0 0C0 0A2 1a1", "3/0/1 false 1 peer 1 back 1", NULL, true },
	{ AT, "mesi 2x2/1", "0A0 0C0 1a1 0A1 1a1", "3/0/1 peer 2 back 2 upgrades 1", NULL, true },
	{ AT, "mesi 2x2/1", "0a0 0c0 0A0 0e0 0c0", "3/1/0 back 1", NULL, true },
	/* A single way: there is no other line. */
	{ AT, "mesi 1x2/1", "0a0 0c0 0a0 0c0", "2/2/0", NULL, true },
};

/* --- from a case to an engine --- */

static void set_word(struct ms_machine_level *level, const char *word)
{
	for (size_t i = 0; i < MS_MACHINE_CHOICES; i++)
		for (uint32_t w = 0; ms_machine_choices[i].words[w] != NULL; w++)
			if (strcmp(ms_machine_choices[i].words[w], word) == 0) {
				*(uint32_t *)((char *)level + ms_machine_choices[i].offset) = w;
				return;
			}
	fail_msg("no word of a machine: %s", word);
}

static void add_level(struct ms_machine *machine, char *part)
{
	static const char *const names[] = { "L1", "L2", "L3" };
	struct ms_machine_level *level = ms_vec_add(&machine->levels);
	unsigned ways, sets, processors;
	char *word;

	part += *part == ' ';
	assert_int_equal(sscanf(part, "%ux%u/%u", &ways, &sets, &processors), 3);
	*level = (struct ms_machine_level){ .name = names[machine->levels.n - 1],
					    .ways = ways,
					    .line = LINE,
					    .size = (uint64_t)ways * sets * LINE,
					    .processors = processors };
	strsep(&part, " ");
	while ((word = strsep(&part, " ")) != NULL)
		set_word(level, word);
}

static void make_machine(struct ms_machine *machine, const char *text)
{
	char copy[128], *next = copy, *part;
	struct ms_err err;

	memset(machine, 0, sizeof(*machine));
	machine->name = "case";
	machine->processors = PROCESSORS;
	machine->nodes = 1;
	snprintf(copy, sizeof(copy), "%s", text);
	part = strsep(&next, " ");
	while (ms_machine_protocols[machine->protocol] != NULL &&
	       strcmp(ms_machine_protocols[machine->protocol], part) != 0)
		machine->protocol++;
	assert_non_null(ms_machine_protocols[machine->protocol]);
	if (strncmp(next, "nodes ", 6) == 0) {
		machine->nodes = machine->node_processors = 2;
		next += 6;
	}
	while ((part = strsep(&next, ";")) != NULL)
		add_level(machine, part);
	assert_int_equal(ms_machine_check(machine, NULL, &err), MS_OK);
}

/* A block of one reference for each kind. */
static void open_shard(struct ms_engine_shard *shard, bool one_object)
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
	if (one_object)
		ms_engine_map_region(shard, BASE, BASE + 26 * LINE, 0, true);
	for (uint32_t data = 0; data < 26 && !one_object; data++)
		ms_engine_map_region(shard, BASE + data * LINE, BASE + (data + 1) * LINE, data,
				     true);
}

/* One reference, as words of the stream; returns the text after it. */
static const char *read_token(const char *at, uint64_t words[2])
{
	bool modify = at[1] == '+';

	at += modify;
	bool store = at[1] >= 'A' && at[1] <= 'Z';
	uint64_t line = (uint64_t)(at[1] - (store ? 'A' : 'a'));

	words[0] = ms_wire_head(MS_WIRE_EXEC, 2, modify ? 2 : store);
	words[1] = BASE + line * LINE + (uint64_t)(at[2] - '0') * 8;
	assert_true(at[3] == ' ' || at[3] == '-' || at[3] == '\0');
	return at + 3;
}

static void run_trace(struct ms_engine *engine, unsigned shards, const struct processors_case *c)
{
	uint64_t words[2 * MOST_AT_ONCE];

	for (unsigned s = 0; s < shards; s++)
		open_shard(ms_engine_get_shard(engine, s), c->one_object);
	for (const char *at = c->trace; *at != '\0'; at += *at == ' ') {
		uint32_t processor = (uint32_t)(*at - '0');
		size_t n = 0;

		for (bool more = true; more; at += more) {
			assert_true(n < MS_COUNT(words) && processor == (uint32_t)(*at - '0'));
			at = read_token(at, words + n);
			n += 2;
			more = *at == '-';
		}
		for (unsigned s = 0; s < shards; s++)
			ms_engine_set_processor(ms_engine_get_shard(engine, s), processor,
						processor);
		assert_int_equal(
			ms_engine_filter_executions(ms_engine_get_shard(engine, 0), words, n), n);
	}
	ms_engine_distribute_batch(ms_engine_get_shard(engine, 0), 0);
	ms_engine_reset_filter(ms_engine_get_shard(engine, 0));
	for (unsigned s = 0; s < shards; s++)
		ms_engine_simulate_batch(ms_engine_get_shard(engine, s), 0);
	ms_engine_finish_batch(engine, 0);
}

/* --- from an engine to the texts of a case --- */

static void add_count(struct ms_text *text, const char *what, uint64_t n)
{
	if (n > 0)
		ms_text_addf(text, " %s %llu", what, (unsigned long long)n);
}

static void tell_counts(const struct ms_engine_totals *t, size_t levels, struct ms_text *text)
{
	uint64_t upgrades = 0;

	for (size_t level = 0; level < levels; level++) {
		struct ms_engine_total_miss sum = { 0 };

		for (size_t i = 0; i < t->misses.n; i++) {
			const struct ms_engine_total_miss *m = &t->misses.at[i];

			if (m->level != level)
				continue;
			for (int c = 0; c < MS_ENGINE_MISS_CAUSES; c++)
				sum.causes[c] += m->causes[c];
			sum.falsely += m->falsely;
			sum.peer += m->peer;
			sum.remote += m->remote;
			sum.write_backs += m->write_backs;
		}
		ms_text_addf(text, "%s%llu/%llu/%llu", level > 0 ? "; " : "",
			     (unsigned long long)sum.causes[MS_ENGINE_MISS_FIRST],
			     (unsigned long long)sum.causes[MS_ENGINE_MISS_REPLACED],
			     (unsigned long long)sum.causes[MS_ENGINE_MISS_INVALIDATED]);
		add_count(text, "false", sum.falsely);
		add_count(text, "peer", sum.peer);
		add_count(text, "remote", sum.remote);
		add_count(text, "back", sum.write_backs);
	}
	for (size_t i = 0; i < t->cells.n; i++)
		upgrades += t->cells.at[i].upgrades;
	add_count(text, "upgrades", upgrades);
}

static void tell_sharing(const struct ms_engine_totals *t, struct ms_text *text)
{
	for (size_t i = 0; i < t->sharing.n; i++) {
		const struct ms_engine_total_sharing *s = &t->sharing.at[i];
		char line = (char)('a' + (s->line - BASE) / LINE);

		/* Each line is an object of its own here. */
		assert_int_equal(s->object, s->line);
		assert_int_equal(s->writer_object, s->line);
		ms_text_addf(text, "%s%c%u %u<%u %c%u", i > 0 ? ", " : "", line, s->offset / 8,
			     t->cells.at[s->cell].processor, t->cells.at[s->writer].processor, line,
			     s->writer_offset / 8);
		add_count(text, "true", s->truly);
		add_count(text, "false", s->falsely);
	}
}

static bool check(const struct processors_case *c, unsigned shards)
{
	const struct ms_engine_fallback_data special = { UNMAPPED, FREED, 0 };
	struct ms_text counts = MS_TEXT_INIT, sharing = MS_TEXT_INIT;
	struct ms_machine machine;
	struct ms_engine_totals t;

	make_machine(&machine, c->machine);
	struct ms_engine *engine = ms_engine_open(&machine, shards, 1, &special);
	run_trace(engine, shards, c);
	ms_engine_compute_totals(engine, &t);
	tell_counts(&t, machine.levels.n, &counts);
	if (c->sharing != NULL)
		tell_sharing(&t, &sharing);

	bool good = strcmp(ms_text_get(&counts), c->counts) == 0 &&
		    (c->sharing == NULL || strcmp(ms_text_get(&sharing), c->sharing) == 0);
	if (!good)
		print_error("%s:%d: %s on %s, %u shards: \"%s\", \"%s\"; expected \"%s\", \"%s\"\n",
			    __FILE__, c->line, c->trace, c->machine, shards, ms_text_get(&counts),
			    ms_text_get(&sharing), c->counts, c->sharing ? c->sharing : "anything");
	ms_engine_free_totals(&t);
	ms_engine_close(engine);
	ms_vec_free(&machine.levels);
	ms_text_free(&counts);
	ms_text_free(&sharing);
	return good;
}

static void check_all(const struct processors_case *cases, size_t n)
{
	static const unsigned shards[] = { 1, 2, 5 };
	bool good = true;

	for (size_t i = 0; i < n; i++)
		for (size_t s = 0; s < MS_COUNT(shards); s++)
			good = check(&cases[i], shards[s]) && good;
	assert_true(good);
}

static void sharing(void **state)
{
	(void)state;
	check_all(sharing_cases, MS_COUNT(sharing_cases));
}

static void protocols(void **state)
{
	(void)state;
	check_all(protocol_cases, MS_COUNT(protocol_cases));
}

static void memory(void **state)
{
	(void)state;
	check_all(memory_cases, MS_COUNT(memory_cases));
}

static void orders(void **state)
{
	(void)state;
	check_all(order_cases, MS_COUNT(order_cases));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sharing),
		cmocka_unit_test(protocols),
		cmocka_unit_test(memory),
		cmocka_unit_test(orders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
