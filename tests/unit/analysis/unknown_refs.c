/* The standard error of the misses of unknown references. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/confidence_intervals/unknown_refs.h"

static const struct ms_intervals_unknown_total whole = { .all = 1000, .uniform_evicted = 0.5 };

static void nothing_unknown_has_no_error(void **state)
{
	const struct ms_intervals_unknown_refs none = { 0 };

	(void)state;
	assert_true(ms_intervals_unknown_refs_error(&none, &whole) == 0);
}

/* A share of which nothing is known would have a deviation of sqrt(p (1 - p)). */
static void is_a_part_of_what_ignorance_would_be(void **state)
{
	const struct ms_intervals_unknown_refs half = { .seen_before = 1000,
							.seen_before_misses = 500 };
	const struct ms_intervals_unknown_refs few = { .seen_before = 1000,
						       .seen_before_misses = 10 };
	double of_half = ms_intervals_unknown_refs_error(&half, &whole);
	double of_few = ms_intervals_unknown_refs_error(&few, &whole);

	(void)state;
	assert_true(of_half > 50 && of_half < 500 * 0.5);
	assert_true(of_few > 5 && of_few < of_half / 2);
}

static void grows_with_the_distance_from_uniform_reuse(void **state)
{
	const struct ms_intervals_unknown_refs near = { .between_only = 1000,
							.between_only_misses = 450 };
	const struct ms_intervals_unknown_refs far = { .between_only = 1000,
						       .between_only_misses = 50 };
	const struct ms_intervals_unknown_total same = { .all = 1000, .uniform_evicted = 0.05 };

	(void)state;
	assert_true(ms_intervals_unknown_refs_error(&far, &whole) >
		    ms_intervals_unknown_refs_error(&near, &whole));
	assert_true(ms_intervals_unknown_refs_error(&far, &same) <
		    ms_intervals_unknown_refs_error(&far, &whole) / 2);
}

/* A part of them is known less well, for each of them; and no error is larger than all of them. */
static void parts_are_known_less_well(void **state)
{
	const struct ms_intervals_unknown_refs all = { .seen_before = 1000,
						       .seen_before_misses = 500 };
	const struct ms_intervals_unknown_refs part = { .seen_before = 100,
							.seen_before_misses = 50 };
	const struct ms_intervals_unknown_refs one = { .seen_before = 1, .seen_before_misses = 1 };
	double of_all = ms_intervals_unknown_refs_error(&all, &whole);
	double of_part = ms_intervals_unknown_refs_error(&part, &whole);

	(void)state;
	assert_true(of_part < of_all && of_part > of_all / 10);
	assert_true(ms_intervals_unknown_refs_error(&one, &whole) <= 1);
}

/* Where all lines that were used between windows miss, it does not matter which were first. */
static void first_uses_matter_where_others_hit(void **state)
{
	const struct ms_intervals_unknown_total fits = { .all = 200, .uniform_evicted = 0 };
	const struct ms_intervals_unknown_total small = { .all = 200, .uniform_evicted = 1 };
	const struct ms_intervals_unknown_refs hits = { .first = 100, .between_only = 100 };
	const struct ms_intervals_unknown_refs misses = { .first = 100,
							  .between_only = 100,
							  .between_only_misses = 100 };

	(void)state;
	assert_true(ms_intervals_unknown_refs_error(&hits, &fits) > 10);
	assert_true(ms_intervals_unknown_refs_error(&misses, &small) < 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_unknown_has_no_error),
		cmocka_unit_test(is_a_part_of_what_ignorance_would_be),
		cmocka_unit_test(grows_with_the_distance_from_uniform_reuse),
		cmocka_unit_test(parts_are_known_less_well),
		cmocka_unit_test(first_uses_matter_where_others_hit),
	};

	return cmocka_run_group_tests_name("analysis unknown references", tests, NULL, NULL);
}
