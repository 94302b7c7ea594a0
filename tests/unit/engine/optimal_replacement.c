/*
 * Optimal replacement has as many hits as a cache that knows the future and evicts the line that is
 * used again last.
 */
#include "engine/causes/optimal_replacement.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base/num.h"

enum { ACCESSES = 20000, MOST_LINES = 300 };

static uint64_t next(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return *seed >> 33;
}

/* Some lines often, others seldom, and sweeps over all in between. */
static void make_accesses(uint64_t *line, uint64_t seed, uint64_t lines)
{
	for (size_t i = 0; i < ACCESSES; i++) {
		uint64_t kind = i / 500 % 3;

		if (kind == 0)
			line[i] = next(&seed) % lines;
		else if (kind == 1)
			line[i] = i % lines;
		else
			line[i] = next(&seed) % (next(&seed) % lines + 1);
	}
}

/* When the line is used again. */
static size_t find_next_use(const uint64_t *line, size_t at)
{
	size_t i = at + 1;

	while (i < ACCESSES && line[i] != line[at])
		i++;
	return i;
}

/* Belady: each line with its next use; the one with the latest is evicted. */
static size_t count_optimal_hits(const uint64_t *line, size_t size)
{
	uint64_t held[MOST_LINES];
	size_t again[MOST_LINES], n = 0, hits = 0;

	for (size_t i = 0; i < ACCESSES; i++) {
		size_t k = 0;

		while (k < n && held[k] != line[i])
			k++;
		hits += k < n;
		if (k == n && n < size)
			n++;
		else if (k == n)
			for (size_t other = k = 0; other < n; other++)
				k = again[other] > again[k] ? other : k;
		held[k] = line[i];
		again[k] = find_next_use(line, i);
	}
	return hits;
}

static size_t count_hits(const uint64_t *line, uint32_t size)
{
	struct ms_causes_optimal_cache cache;
	size_t hits = 0;

	ms_causes_open_optimal_cache(&cache, size);
	for (size_t i = 0; i < ACCESSES; i++)
		hits += ms_causes_access_optimal(&cache, line[i], false) == MS_CAUSES_OPTIMAL_HITS;
	ms_causes_close_optimal_cache(&cache);
	return hits;
}

static void hits_are_those_of_a_cache_that_knows_the_future(void **state)
{
	static const uint32_t sizes[] = { 1, 2, 7, 64, 200, 299 };
	static uint64_t line[ACCESSES];

	(void)state;
	for (uint64_t seed = 1; seed < 4; seed++)
		for (size_t i = 0; i < MS_COUNT(sizes); i++) {
			make_accesses(line, seed, MOST_LINES - 10 * seed);
			assert_int_equal(count_hits(line, sizes[i]),
					 count_optimal_hits(line, sizes[i]));
		}
}

/* The same lines in the same order, without times that no line has any more. */
static void several_sizes_are_as_one_each(void **state)
{
	static const uint32_t sizes[MS_CAUSES_OPTIMAL_SIZES] = { 90, 60, 0 };
	struct ms_causes_optimal optimal = { .size = 0 };
	uint32_t last[MOST_LINES] = { 0 }, latest = 0;
	size_t hits[MS_CAUSES_OPTIMAL_SIZES] = { 0 };
	static uint64_t line[ACCESSES];

	(void)state;
	make_accesses(line, 5, MOST_LINES);
	ms_causes_set_optimal_sizes(&optimal, sizes);
	ms_causes_renumber_optimal(&optimal, NULL, 0, 1, 1 << 15);
	for (size_t i = 0; i < ACCESSES; i++) {
		unsigned hit = ms_causes_use_optimal(&optimal, last[line[i]], latest);

		for (unsigned k = 0; k < MS_CAUSES_OPTIMAL_SIZES; k++)
			hits[k] += hit >> k & 1;
		if (last[line[i]] != latest || latest == 0)
			last[line[i]] = ++latest;
	}
	ms_causes_close_optimal(&optimal);
	for (unsigned k = 0; k + 1 < MS_CAUSES_OPTIMAL_SIZES; k++)
		assert_int_equal(hits[k], count_optimal_hits(line, sizes[k]));
	assert_int_equal(hits[MS_CAUSES_OPTIMAL_SIZES - 1], 0);
}

/* Of a cache whose contents are not known, no more lines than it has can be hit before they are
 * used. */
static void unknown_contents_are_as_many_lines_as_there_is_room_for(void **state)
{
	struct ms_causes_optimal_cache cache;
	size_t ambiguous = 0;

	(void)state;
	ms_causes_open_optimal_cache(&cache, 8);
	ms_causes_reset_optimal_cache(&cache);
	for (uint64_t line = 0; line < 20; line++)
		ambiguous += ms_causes_access_optimal(&cache, line, line < 5) ==
			     MS_CAUSES_OPTIMAL_AMBIGUOUS;
	ms_causes_close_optimal_cache(&cache);
	assert_int_equal(ambiguous, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hits_are_those_of_a_cache_that_knows_the_future),
		cmocka_unit_test(several_sizes_are_as_one_each),
		cmocka_unit_test(unknown_contents_are_as_many_lines_as_there_is_room_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
