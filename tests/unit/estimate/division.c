/* How uncertain the estimated division of replacement misses is. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "estimate/division.h"

/* Each group has examined 640 misses, of which each tenth is of one kind. */
static struct ms_engine_division_parts make_parts(const uint64_t conflicts[MS_ENGINE_LINE_GROUPS])
{
	struct ms_engine_division_parts parts = { .observed = 5120 };

	for (unsigned g = 0; g < MS_ENGINE_LINE_GROUPS; g++) {
		parts.examined[g] = 1000;
		parts.conflict[g] = 100 * conflicts[g];
		parts.capacity[g] = 1000 - parts.conflict[g];
	}
	return parts;
}

static void the_spread_of_groups_counts(void **state)
{
	struct ms_engine_division_parts even =
		make_parts((const uint64_t[]){ 5, 5, 5, 5, 5, 5, 5, 5 });
	struct ms_engine_division_parts uneven =
		make_parts((const uint64_t[]){ 0, 10, 0, 10, 0, 10, 0, 10 });

	(void)state;
	assert_true(sqrt(ms_estimate_divide(&uneven, 8000).conflict) > 800);
	assert_true(sqrt(ms_estimate_divide(&even, 8000).conflict) < 500);
	assert_true(ms_estimate_divide(&even, 8000).conflict ==
		    ms_estimate_divide(&even, 8000).capacity);
}

/* Where all observations are alike, the next one may still differ. */
static void alike_observations_are_not_certain(void **state)
{
	struct ms_engine_division_parts all =
		make_parts((const uint64_t[]){ 10, 10, 10, 10, 10, 10, 10, 10 });
	double many = sqrt(ms_estimate_divide(&all, 8000).conflict);

	(void)state;
	assert_true(many > 20 && many < 200);
	for (unsigned g = 2; g < MS_ENGINE_LINE_GROUPS; g++)
		all.examined[g] = all.conflict[g] = 0;
	assert_true(sqrt(ms_estimate_divide(&all, 8000).conflict) > 1000); /* of two groups */
}

static void what_was_examined_is_certain(void **state)
{
	struct ms_engine_division_parts parts =
		make_parts((const uint64_t[]){ 0, 10, 0, 10, 0, 10, 0, 10 });

	(void)state;
	assert_true(ms_estimate_divide(&parts, 5120).conflict == 0);
	assert_true(ms_estimate_divide(&parts, 5120).saved == 0);
	assert_true(ms_estimate_divide(&parts, 5121).conflict > 0);
}

/* Hits of which it is not known widen the interval, and so may one that was not observed. */
static void saved_hits_have_a_variance(void **state)
{
	struct ms_engine_division_parts parts =
		make_parts((const uint64_t[]){ 5, 5, 5, 5, 5, 5, 5, 5 });

	(void)state;
	assert_true(fabs(sqrt(ms_estimate_divide(&parts, 1000000).saved) - 1.5625) < 0.1);
	parts.maybe_saved[3] = 4000;
	assert_true(sqrt(ms_estimate_divide(&parts, 1000000).saved) > 3000);
}

static void nothing_observed_divides_nothing(void **state)
{
	const struct ms_engine_division_parts none = { 0 };
	struct ms_estimate_division variance = ms_estimate_divide(&none, 1000);

	(void)state;
	assert_true(variance.conflict == 0 && variance.capacity == 0 && variance.saved == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_spread_of_groups_counts),
		cmocka_unit_test(alike_observations_are_not_certain),
		cmocka_unit_test(what_was_examined_is_certain),
		cmocka_unit_test(saved_hits_have_a_variance),
		cmocka_unit_test(nothing_observed_divides_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
