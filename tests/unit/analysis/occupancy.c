/* Which data has how much of a level: order, the others, what is empty, slices. */
#include "unit/sample_run.h"

#include <math.h>

#include "analysis/evictions/occupancy.h"

static struct ms_run run;
static struct ms_evictions e;
static struct ms_evictions_occupants o;

static int set_up(void **state)
{
	(void)state;
	sample_run(&run);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	ms_evictions_occupants_free(&o);
	ms_evictions_free(&e);
	ms_run_free(&run);
	return 0;
}

static void make(const char *of, uint32_t level, size_t most, double least)
{
	const struct ms_evictions_wanted wanted = { .of = &of, .n_of = of != NULL };
	struct ms_err err;

	if (ms_evictions_make(&e, &run, &wanted, NULL, &err) != MS_OK)
		fail_msg("%s", err.text);
	ms_evictions_occupants_make(&o, &e, level, most, least);
}

static bool near(double a, double b)
{
	return a - b < 1e-6 && b - a < 1e-6;
}

static void test_level(void **state)
{
	(void)state;
	make(NULL, 0, 9, 0);
	assert_true(o.known);
	assert_int_equal(o.lines, 512);
	assert_int_equal(o.slices, 4);
	assert_int_equal(o.at.n, 3);
	assert_int_equal(o.at.at[0].data, SAMPLE_Y);
	assert_int_equal(o.at.at[0].peak, 500);
	assert_true(near(o.at.at[0].slices[3], 432));
	assert_int_equal(o.at.at[1].data, SAMPLE_X);
	/* The stack never had much: it has no time line. */
	assert_int_equal(o.at.at[2].data, MS_NONE);
	assert_int_equal(o.others, 1);
	assert_int_equal(o.at.at[2].lines, 4);
	assert_true(near(o.at.at[2].slices[0], 16));
	assert_true(near(o.empty, 512 - 263.2 - 134.4 - 8.1));
	assert_true(near(o.empty_slices[1], 512 - 256 - 128 - 8));
}

static void test_limits(void **state)
{
	(void)state;
	make(NULL, 0, 9, 0.5);
	assert_int_equal(o.at.n, 2);
	assert_int_equal(o.others, 2);
	assert_true(near(o.at.at[1].mean, 134.4 + 8.1));
	assert_true(near(o.at.at[1].slices[0], 256 + 16));
}

static void test_asked_for(void **state)
{
	(void)state;
	make("<stack>", 0, 9, 0.5);
	assert_int_equal(o.at.n, 2);
	assert_int_equal(o.at.at[0].data, SAMPLE_STACK);
	assert_false(o.at.at[0].timed);
	assert_int_equal(o.others, 2);
	assert_true(near(o.empty_slices[1], 512 - 256 - 128 - 8));
}

static void test_one_data(void **state)
{
	(void)state;
	make(NULL, 1, 0, 0);
	assert_int_equal(ms_evictions_occupancy_of(&run, 0, SAMPLE_X)->peak, 300);
	assert_int_equal(ms_evictions_occupancy_of(&run, 1, SAMPLE_Y)->lines, 9000);
	assert_null(ms_evictions_occupancy_of(&run, 1, SAMPLE_X));
	assert_null(ms_evictions_occupancy_of(&run, 0, SAMPLE_COUNTER));
}

static void test_lines(void **state)
{
	(void)state;
	make(NULL, 0, 9, 0);
	assert_int_equal(ms_run_cache_lines(&run, 1), 16384);
	run.processors = 4;
	run.levels.at[0].processors = 1;
	run.levels.at[1].processors = 2;
	assert_int_equal(ms_run_cache_lines(&run, 0), 4 * 512);
	assert_int_equal(ms_run_cache_lines(&run, 1), 2 * 16384);
	run.processors = 1;
}

/* Windows do not differ, so misses of a slice are as far off as if each had been drawn alone. */
static void test_sampled(void **state)
{
	uint64_t references = 0;

	(void)state;
	for (size_t i = 0; i < run.cells.n; i++) {
		references += run.cells.at[i].references;
		run.cells.at[i].references = 0;
	}
	run.cells.at[0].references = references; /* in all windows */
	double scale = (double)references / 4000, off = 1.96 * sqrt(1 - 1 / scale);
	SAMPLE_ADD(&run.samplings,
		   (struct ms_run_sampling){ .ratio = 1 / scale, .scale = scale, .parts = 4 });
	for (uint32_t p = 0; p < 4; p++) {
		SAMPLE_ADD(&run.sampled_references,
			   (struct ms_run_sampled_reference){ 0, p, 1000 });
		SAMPLE_ADD(&run.sampled_misses,
			   (struct ms_run_sampled_miss){ .cell = 0, .part = p, .known = 75 });
	}
	for (size_t i = 0; i < run.misses.n; i++)
		memset(run.misses.at[i].causes, 0, sizeof(run.misses.at[i].causes));
	run.misses.at[0].causes[MS_CAUSE_REPLACED] = (uint64_t)(300 * scale);
	/* 300 lines of Y, in three slices. */
	for (size_t i = 0; i < run.stays.n; i++)
		run.stays.at[i].came =
			run.stays.at[i].level == 0 && run.stays.at[i].data == run.cells.at[0].data
				? 100
				: 0;
	make(NULL, 0, 9, 0);
	uint32_t at = o.at.at[0].data == run.cells.at[0].data ? 0 : 1;
	size_t seen = 0;
	for (uint32_t k = 0; k < 4; k++) {
		if (o.came[k] == 0)
			continue;
		/* Slices have 11, 11, 11 and 7 of 40 million steps. */
		double all = (double)(o.came[0] + o.came[1] + o.came[2] + o.came[3]);
		double usual = all * (k < 3 ? 11 : 7) / 40;
		double away = off * sqrt(usual > 100 ? usual : 100);

		seen++;
		assert_true(near(o.came_within[k].low, 100 - away));
		assert_true(near(o.came_within[k].high, 100 + away));
		assert_true(near(o.at.at[at].came_within[k].low, 100 - away));
	}
	assert_true(seen > 1);
	assert_true(isnan(o.at.at[o.at.n - 1].came_within[0].low)); /* the others */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_level, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_limits, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_asked_for, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_one_data, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_lines, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_sampled, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
