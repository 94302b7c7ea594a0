/* Time by thread, function and processor, of a run whose figures are known. */
#include "unit/sample_parallel.h"

#include "analysis/threads/threads.h"

static struct ms_run run;
static struct ms_threads t;

static int set_up(void **state)
{
	(void)state;
	sample_parallel_run(&run);
	return ms_threads_make(&t, &run, MS_NONE, NULL);
}

static int tear_down(void **state)
{
	(void)state;
	ms_threads_free(&t);
	ms_run_free(&run);
	return 0;
}

/* Compute, stall and wait are all of a thread's time. */
static void test_threads(void **state)
{
	struct ms_threads_time sum = { .elapsed = 0 };

	(void)state;
	assert_int_equal(t.threads.at.n, 5);
	assert_int_equal(t.elapsed, 11100000);
	for (size_t i = 0; i < t.threads.at.n; i++) {
		const struct ms_threads_time *time = &t.threads.at.at[i];

		assert_int_equal(time->elapsed, time->compute + time->stall + time->wait);
		ms_threads_time_add(&sum, time);
	}
	assert_int_equal(sum.compute, run.instructions);
	assert_int_equal(sum.stall, ms_summary_rw_sum(t.whole.total.counts.stall));
	assert_int_equal(sum.waits[MS_WAIT_SPIN], 200000);
	assert_int_equal(sum.waits[MS_WAIT_JOIN], 9650000);
	assert_float_equal(sum.normalised, t.whole.total.counts.normalised, 1e-6);
	assert_string_equal(t.threads.at.at[2].name, "thread 2");
	assert_int_equal(t.threads.at.at[1].stall, 2700000);
}

static void test_functions(void **state)
{
	struct ms_threads_time sum = { .elapsed = 0 };

	(void)state;
	for (size_t i = 0; i < t.code.at.n; i++)
		ms_threads_time_add(&sum, &t.code.at.at[i]);
	assert_int_equal(sum.compute, run.instructions);
	assert_int_equal(sum.wait, 9650000 + 4 * 950000);
	assert_float_equal(sum.normalised, ms_threads_normalised_sum(&t.code), 1e-6);
	/* main takes a fifteenth of all processors' time, and a sixth of what passes. */
	const struct ms_threads_time *main_time = &t.code.at.at[2];
	assert_string_equal(main_time->name, "main");
	assert_int_equal(main_time->compute + main_time->stall, 1450000);
	assert_float_equal(main_time->normalised, 1450000, 1e-6);
	assert_string_equal(t.code.at.at[4].name, "<unknown>");
	assert_int_equal(t.code.at.at[4].waits[MS_WAIT_FUTEX], 3600000);
}

static void test_processors(void **state)
{
	(void)state;
	assert_int_equal(t.processors.at.n, 4);
	assert_int_equal(t.processors.at.at[0].threads, 2);
	for (size_t i = 0; i < 4; i++) {
		const struct ms_threads_time *time = &t.processors.at.at[i];

		assert_int_equal(time->elapsed, 11100000);
		assert_int_equal(time->wait, 11100000 - time->compute - time->stall);
	}
}

static void test_sort(void **state)
{
	static const struct {
		const char *key;
		uint32_t first;
	} cases[] = { { "wait_cycles", 0 }, { "stall_cycles", 3 }, { "ELAPSED_CYCLES", 0 },
		      { "ended", 0 },       { "name", 0 },         { "thread", 4 } };
	struct ms_err err;

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		assert_int_equal(ms_threads_sort(&t, &t.threads, cases[i].key, &err), MS_OK);
		assert_int_equal(t.threads.at.at[0].of, cases[i].first);
	}
	assert_int_equal(ms_threads_sort(&t, &t.threads, "busy_share", &err), MS_EUSAGE);
	assert_int_equal(ms_threads_sort(&t, &t.processors, "busy_share", &err), MS_OK);
	assert_int_equal(t.processors.at.at[0].of, 0);
}

/* What each processor did, added up, is what all did. */
static void test_by_processor(void **state)
{
	struct ms_threads_time sum = { .elapsed = 0 };
	struct ms_err err;
	size_t threads = 0;

	(void)state;
	for (uint32_t p = 0; p < 4; p++) {
		struct ms_threads one;

		assert_int_equal(ms_threads_make(&one, &run, p, &err), MS_OK);
		threads += one.threads.at.n;
		for (size_t i = 0; i < one.code.at.n; i++)
			ms_threads_time_add(&sum, &one.code.at.at[i]);
		ms_threads_free(&one);
	}
	assert_int_equal(threads, 5);
	assert_int_equal(sum.compute, run.instructions);
	assert_int_equal(sum.stall, ms_summary_rw_sum(t.whole.total.counts.stall));
	assert_int_equal(sum.references, ms_summary_rw_sum(t.whole.total.counts.references));
	assert_int_equal(sum.wait, 9650000 + 4 * 950000);
	assert_float_equal(sum.normalised, ms_threads_normalised_sum(&t.code), 1e-6);
	struct ms_threads none;
	assert_int_equal(ms_threads_make(&none, &run, 4, &err), MS_EUSAGE);
	assert_string_equal(err.text,
			    "--processor: found 4, expected 0 to 3: the run has 4 processors");
}

/* A run of one processor, whose threads (if any) take turns. */
static void test_one_processor(void **state)
{
	struct ms_run one;
	struct ms_threads alone;

	(void)state;
	sample_run(&one);
	assert_int_equal(ms_threads_make(&alone, &one, MS_NONE, NULL), MS_OK);
	assert_int_equal(alone.threads.at.n, 0);
	assert_int_equal(alone.elapsed, 60000000 + 114206200);
	assert_float_equal(ms_threads_normalised_sum(&alone.code), 60000000 + 114206200, 1e-3);
	ms_threads_free(&alone);
	SAMPLE_ADD(&one.threads, (struct ms_run_thread){ .instructions = 5, .elapsed = 5 });
	assert_int_equal(ms_threads_make(&alone, &one, MS_NONE, NULL), MS_OK);
	assert_float_equal(alone.threads.at.at[0].normalised, 5, 1e-9);
	assert_int_equal(alone.threads.at.at[0].elapsed, 5);
	ms_threads_free(&alone);
	ms_run_free(&one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_threads, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_functions, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_processors, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_sort, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_by_processor, set_up, tear_down),
		cmocka_unit_test(test_one_processor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
