/* Intervals of some misses of an entry, and of evictions, computed by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/confidence_intervals/design_effect.h"
#include "unit/interval_asserts.h"

/* A quarter of the misses is half as far off as all are, and a quarter more than that. */
static void clustered_misses_widen_interval(void **state)
{
	const struct ms_intervals_bounds all = { 6000, 18000 };

	(void)state;
	BETWEEN(ms_intervals_effect_part(2500, 10000, all, 10), 0, 2500 + 1.25 * 8000 / 2);
	BETWEEN(ms_intervals_effect_part(8100, 10000, all, 10), 8100 - 1.25 * 4000 * 0.9,
		8100 + 1.25 * 8000 * 0.9);
	/* All that there may be is the whole's high end. */
	BETWEEN(ms_intervals_effect_part(10000, 10000, all, 10), 5000, 18000);
}

/* Windows that do not differ: what remains is that of events that are drawn one by one. */
static void equal_windows_leave_sampling_error(void **state)
{
	const struct ms_intervals_bounds all = { 10000, 10000 };
	double off = 1.96 * sqrt(900 * 9.0);

	(void)state;
	BETWEEN(ms_intervals_effect_part(900, 10000, all, 10), 900 - off, 900 + off);
	BETWEEN(ms_intervals_effect_part(900, 10000, all, 1), 900, 900); /* all were seen */
}

static void too_few(void **state)
{
	const struct ms_intervals_bounds all = { 6000, 18000 }, unknown = { NAN, NAN };

	(void)state;
	assert_true(isnan(ms_intervals_effect_part(99, 10000, all, 10).low));
	assert_false(isnan(ms_intervals_effect_part(100, 10000, all, 10).low));
	assert_true(isnan(ms_intervals_effect_part(5000, 10000, unknown, 10).high));
	assert_true(isnan(ms_intervals_effect_part(5000, 0, all, 10).high));
}

/* Stale victims may have been any of the evictor's, or none. */
static void stale_victims_widen_evictions(void **state)
{
	const struct ms_intervals_bounds b = { 50, 150 };
	struct ms_run run;

	(void)state;
	BETWEEN(ms_intervals_effect_blur(b, 100, 130, 20), 30, 170);
	BETWEEN(ms_intervals_effect_blur(b, 100, 130, 60), 0, 180);
	memset(&run, 0, sizeof(run));
	assert_true(ms_intervals_effect_stale(&run, 0) == 0);
	*ms_vec_add(&run.samplings) =
		(struct ms_run_sampling){ .ratio = 0.1, .windows = 7, .scale = 9 };
	*ms_vec_add(&run.sampled_levels) = (struct ms_run_sampled_level){ .frames = 64 };
	assert_true(ms_intervals_effect_stale(&run, 0) == 9.0 * 7 * 64);
	assert_true(ms_intervals_effect_stale(&run, 1) == 0);
	run.samplings.at[0].ratio = 1; /* sets are seen all of the time */
	assert_true(ms_intervals_effect_stale(&run, 0) == 0);
	ms_vec_free(&run.samplings);
	ms_vec_free(&run.sampled_levels);
}

/* An evictor may also have caused any of the evictions that no window contains. */
static void evictions_have_intervals(void **state)
{
	static const struct ms_summary_evictor all[] = { { 0, 0, 6400 },
							 { 0, 1, 300 },
							 { 1, 1, 50 } };
	struct ms_summary_level_counts counts[] = { { .misses = { 10000, 0 } },
						    { .misses = { 50, 0 } } };
	struct ms_intervals_level levels[2] = { { .extreme = { 9000, 12000 } } };
	const struct ms_intervals_entry intervals = { .levels = levels };
	const struct ms_summary_counts of = { .levels = counts };
	struct ms_run run;

	(void)state;
	memset(&run, 0, sizeof(run));
	levels[0].causes[MS_CAUSE_REPLACED] = (struct ms_intervals_bounds){ 0, 9000 };
	*ms_vec_add(&run.samplings) = (struct ms_run_sampling){ .ratio = 0.1, .scale = 10 };
	*ms_vec_add(&run.data) = (struct ms_run_data){ .name = "Y" };
	*ms_vec_add(&run.data) = (struct ms_run_data){ .name = "<not seen>" };
	assert_int_equal(ms_intervals_unknown_evictions(&run, all, 3, 0), 300);
	assert_int_equal(ms_intervals_unknown_evictions(&run, all, 3, 1), 50);
	BETWEEN(ms_intervals_effect_evictor(&run, &intervals, &of, &all[0], 300),
		6400 - 1.25 * 1000 * 0.8, 6400 + 1.25 * 2000 * 0.8 + 300);
	levels[0].causes[MS_CAUSE_REPLACED].high = 7000;
	BETWEEN(ms_intervals_effect_evictor(&run, &intervals, &of, &all[0], 300), 5400, 7000);
	assert_true(isnan(ms_intervals_effect_evictor(&run, &intervals, &of, &all[1], 300).low));
	assert_true(isnan(ms_intervals_effect_evictor(&run, NULL, &of, &all[0], 300).low));
	ms_vec_free(&run.samplings);
	ms_vec_free(&run.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(clustered_misses_widen_interval),
					    cmocka_unit_test(equal_windows_leave_sampling_error),
					    cmocka_unit_test(too_few),
					    cmocka_unit_test(stale_victims_widen_evictions),
					    cmocka_unit_test(evictions_have_intervals) };

	return cmocka_run_group_tests_name("analysis effect", tests, NULL, NULL);
}
