/* Groups of sets that have most replacement misses. */
#include "analysis/cache_sets/cache_sets.h"

#include "unit/sample_core.h"

static void sums_of_data(void **state)
{
	bool data[] = { [SAMPLE_Y] = true, [SAMPLE_COUNTER] = false };
	struct ms_run run = { .arena = MS_ARENA_INIT };

	(void)state;
	sample_core_run(&run);
	struct ms_cache_sets sets = ms_cache_sets_of(&run, 0, data);
	assert_int_equal(sets.groups, MS_RUN_SET_GROUPS);
	assert_int_equal(sets.misses[63], 7000000);
	assert_int_equal(sets.replaced[0], 950000);
	sets = ms_cache_sets_of(&run, 1, data);
	assert_int_equal(sets.groups, 0);
	sets = ms_cache_sets_of(&run, 1, NULL);
	assert_int_equal(sets.misses[5], 1300);
	ms_run_free(&run);
}

static void few_sets_have_most(void **state)
{
	struct ms_cache_sets sets = { .groups = 64, .replaced = { [3] = 50, [40] = 45, [5] = 5 } };
	struct ms_cache_sets_peak peak = ms_cache_sets_find_peak(&sets);

	(void)state;
	assert_int_equal(peak.n, 2);
	assert_int_equal(peak.groups[0], 3);
	assert_int_equal(peak.groups[1], 40);
	assert_float_equal(peak.share, 0.95, 1e-9);
}

static void spread_misses_have_no_peak(void **state)
{
	struct ms_cache_sets sets = { .groups = 64 };

	(void)state;
	assert_int_equal(ms_cache_sets_find_peak(&sets).n, 0);
	for (int i = 0; i < 64; i++)
		sets.replaced[i] = 100;
	assert_int_equal(ms_cache_sets_find_peak(&sets).n, 0);
	sets.groups = 1;
	assert_int_equal(ms_cache_sets_find_peak(&sets).n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_of_data),
		cmocka_unit_test(few_sets_have_most),
		cmocka_unit_test(spread_misses_have_no_peak),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
