/* Which data has how much of a level: order, the others, what is empty, slices. */
#include "sample_run.h"

#include "analysis/occupants.h"

static struct ms_run run;
static struct ms_evictions e;
static struct ms_occupants o;

static int set_up(void **state)
{
	(void)state;
	sample_run(&run);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	ms_occupants_free(&o);
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
	ms_occupants_make(&o, &e, level, most, least);
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
	assert_int_equal(ms_occupancy_of(&run, 0, SAMPLE_X)->peak, 300);
	assert_int_equal(ms_occupancy_of(&run, 1, SAMPLE_Y)->lines, 9000);
	assert_null(ms_occupancy_of(&run, 1, SAMPLE_X));
	assert_null(ms_occupancy_of(&run, 0, SAMPLE_COUNTER));
}

static void test_lines(void **state)
{
	(void)state;
	make(NULL, 0, 9, 0);
	assert_int_equal(ms_run_lines(&run, 1), 16384);
	run.processors = 4;
	run.levels.at[0].processors = 1;
	run.levels.at[1].processors = 2;
	assert_int_equal(ms_run_lines(&run, 0), 4 * 512);
	assert_int_equal(ms_run_lines(&run, 1), 2 * 16384);
	run.processors = 1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_level, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_limits, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_asked_for, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_one_data, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_lines, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
