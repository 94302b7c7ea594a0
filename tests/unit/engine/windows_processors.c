/*
 * Windows of several processors' caches: whatever happened between them, what is known is true. A
 * random trace has windows and what lies between; one engine sees windows only, others all of it up
 * to where the last window begins and ends. What these two differ by is what really happened in it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/engine/small_machine.h"

enum {
	PROCESSORS = 4,
	LINES = 12,
	LONGEST = 240,
	TRACES = 700,
	LAST = 3, /* window */
};

static const struct shape machines[][3] = {
	{ { 1, 1, 1 } },
	{ { 2, 1, 1 } },
	{ { 2, 2, 1 }, { 4, 2, 0 } },
	{ { 1, 2, 1 }, { 2, 2, 1 }, { 4, 1, 0 } },
	{ { 2, 1, 2 }, { 4, 1, 0 } },
	{ { 1, 1, 1 }, { 2, 2, 2 }, { 3, 2, 0 } },
	{ { 17, 1, 1 } },
};

/* --- traces --- */

struct step {
	uint8_t processor, line, writes, window; /* window: plus 1; 0: between them */
};

static uint64_t dice;

static uint32_t draw(uint32_t n)
{
	dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(dice >> 33) % n;
}

/* Ends with the last window. */
static size_t make_trace(struct step *steps)
{
	size_t n = 0;

	for (uint8_t window = 0; window <= LAST; window++) {
		for (uint32_t between = draw(30); between > 0; between--)
			steps[n++] = (struct step){ (uint8_t)draw(PROCESSORS), (uint8_t)draw(LINES),
						    draw(3) == 0, 0 };
		for (uint32_t in = 1 + draw(30); in > 0; in--)
			steps[n++] = (struct step){ (uint8_t)draw(PROCESSORS), (uint8_t)draw(LINES),
						    draw(3) == 0, (uint8_t)(window + 1) };
	}
	return n;
}

/* --- engines --- */

/* In batches of some steps; each shard filters some. */
static void feed(struct fed *fed, const struct step *steps, size_t n, bool windows)
{
	enum { BATCH = 7 };

	for (size_t i = 0; i < n; i++) {
		unsigned filtering = (unsigned)(i / BATCH % fed->shards);
		struct ms_engine_shard *shard = ms_engine_get_shard(fed->engine, filtering);
		uint64_t words[2] = { ms_wire_head(MS_WIRE_EXEC, 2, steps[i].writes),
				      BASE + (uint64_t)steps[i].line * LINE };

		for (unsigned s = 0; s < fed->shards; s++) {
			struct ms_engine_shard *each = ms_engine_get_shard(fed->engine, s);

			if (windows && steps[i].window > 0)
				ms_engine_windows_begin(each, steps[i].window - 1u);
			ms_engine_set_processor(each, steps[i].processor, steps[i].processor);
		}
		if (!windows || steps[i].window > 0)
			assert_int_equal(ms_engine_filter_executions(shard, words, 2), 2);
		if (i % BATCH == BATCH - 1 || i == n - 1)
			end_batch(fed, filtering);
	}
}

struct truth {
	uint64_t misses[3], lost[3];
};

static struct truth simulate(const struct ms_machine *machine, const struct step *steps, size_t n)
{
	struct truth truth = { .misses = { 0 } };
	struct ms_engine_totals totals;
	struct fed fed;

	open_fed(&fed, machine, false, 1);
	if (n > 0)
		feed(&fed, steps, n, false);
	ms_engine_compute_totals(fed.engine, &totals);
	for (size_t i = 0; i < totals.misses.n; i++) {
		const struct ms_engine_total_miss *m = &totals.misses.at[i];

		for (unsigned c = 0; c < MS_ENGINE_MISS_CAUSES; c++)
			truth.misses[m->level] += m->causes[c];
		truth.lost[m->level] += m->causes[MS_ENGINE_MISS_INVALIDATED];
	}
	ms_engine_free_totals(&totals);
	ms_engine_close(fed.engine);
	return truth;
}

struct known {
	uint64_t references, known[3], unknown[3], misses[3], lost[3], surely_lost[3];
};

/* Of the last window, which is the only one in its part. */
static struct known sample(const struct ms_machine *machine, const struct step *steps, size_t n,
			   unsigned shards)
{
	struct known known = { .references = 0 };
	struct ms_engine_windows_totals sampled;
	struct ms_engine_totals totals;
	struct fed fed;

	open_fed(&fed, machine, true, shards);
	feed(&fed, steps, n, true);
	ms_engine_compute_totals(fed.engine, &totals);
	ms_engine_windows_compute_totals(fed.engine, &sampled);
	assert_int_equal(sampled.windows, LAST + 1);
	for (size_t i = 0; i < sampled.references.n; i++)
		known.references += sampled.references.at[i].part == LAST
					    ? sampled.references.at[i].references
					    : 0;
	for (size_t i = 0; i < sampled.counts.n; i++) {
		const struct ms_engine_windows_total_count *c = &sampled.counts.at[i];

		if (c->part != LAST)
			continue;
		known.known[c->level] += c->known;
		known.unknown[c->level] += c->unknown_hits + c->unknown_misses;
		known.misses[c->level] += c->known + c->unknown_misses;
		known.lost[c->level] += c->lost;
		known.surely_lost[c->level] += c->surely_lost;
	}
	ms_engine_windows_free_totals(&sampled);
	ms_engine_free_totals(&totals);
	ms_engine_close(fed.engine);
	return known;
}

/* --- tests --- */

static uint64_t sure, sure_lost; /* so many were known: a test of nothing would pass, too */

static void check(const struct ms_machine *machine, const struct step *steps, size_t n)
{
	size_t before = n;

	while (before > 0 && steps[before - 1].window == LAST + 1)
		before--;
	struct truth begin = simulate(machine, steps, before), end = simulate(machine, steps, n);
	struct known one = sample(machine, steps, n, 1), three = sample(machine, steps, n, 3);

	assert_memory_equal(&one, &three, sizeof(one));
	assert_int_equal(one.references, n - before);
	for (size_t l = 0; l < machine->levels.n; l++) {
		uint64_t misses = end.misses[l] - begin.misses[l];
		uint64_t lost = end.lost[l] - begin.lost[l];

		/* The level below is looked up for unknown references that are assumed to miss. */
		if (l == 0) {
			assert_in_range(misses, one.known[l], one.known[l] + one.unknown[l]);
			assert_true(one.surely_lost[l] <= lost);
		}
		assert_true(one.surely_lost[l] <= one.lost[l] && one.lost[l] <= one.known[l]);
		sure += one.known[l];
		sure_lost += one.surely_lost[l];
	}
}

static void test_what_is_known_is_true(void **state)
{
	struct step steps[LONGEST];

	(void)state;
	dice = 1;
	sure = sure_lost = 0;
	for (unsigned i = 0; i < TRACES; i++) {
		struct ms_machine machine;
		size_t n = make_trace(steps);

		make_machine(&machine, machines[i % (sizeof(machines) / sizeof(machines[0]))], 3,
			     PROCESSORS);
		check(&machine, steps, n);
		ms_vec_free(&machine.levels);
	}
	assert_true(sure > TRACES);
	assert_true(sure_lost > TRACES / 4);
}

static struct known sample_text(const struct shape *shapes, const char *text)
{
	struct step steps[LONGEST];
	struct ms_machine machine;
	size_t n = 0;

	/* "0a 1A": processor 0 loads line a, processor 1 stores to it; the last window. */
	for (uint8_t window = 1; window <= LAST; window++)
		steps[n++] = (struct step){ 3, LINES - 1, 0, window };
	for (; *text != '\0'; text += 2 + (text[2] == ' '))
		steps[n++] =
			(struct step){ (uint8_t)(text[0] - '0'), (uint8_t)((text[1] | 32) - 'a'),
				       text[1] < 'a', LAST + 1 };
	make_machine(&machine, shapes, 3, PROCESSORS);
	struct known known = sample(&machine, steps, n, 1);
	ms_vec_free(&machine.levels);
	return known;
}

/* First uses in a window are unknown; after that, what others write is known to miss. */
static void test_invalidated_lines_miss(void **state)
{
	const struct shape shapes[3] = { { 4, 1, 1 } };
	struct known k = sample_text(shapes, "0A 1A 0A 1A 0A");

	(void)state;
	/* Processor 1's first use: 0 has written there, so it had nothing any more. */
	assert_int_equal(k.unknown[0], 1);
	assert_int_equal(k.known[0], 4);
	assert_int_equal(k.surely_lost[0], 3);
	k = sample_text(shapes, "0a 1a 0a 1a");
	assert_int_equal(k.unknown[0], 2);
	assert_int_equal(k.known[0], 0);
}

/* A line that comes and goes fills no set: what else it holds is still not known. */
static void test_empty_ways(void **state)
{
	const struct shape shapes[3] = { { 2, 1, 1 } };
	struct known k = sample_text(shapes, "0a 1A 0a 1A 0a 0b");

	(void)state;
	/* 0a, 1A and 0b are unknown; two times line a of processor 0 was invalidated. */
	assert_int_equal(k.unknown[0], 3);
	assert_int_equal(k.surely_lost[0], 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_known_is_true),
		cmocka_unit_test(test_invalidated_lines_miss),
		cmocka_unit_test(test_empty_ways),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
