/* Samples of monitors compared with what happened: shares, ranks, intervals, errors and choice. */
#include "unit/sample_pmu.h"

#include <math.h>

#include "analysis/monitor/monitor.h"

static struct ms_run run;
static struct ms_monitor_report monitors;

static const struct ms_monitor_wanted everything = { NULL, 0, 0, NULL };

static void make(const struct ms_monitor_wanted *wanted)
{
	struct ms_err err;

	if (ms_monitor_report_make(&monitors, &run, wanted, &err) != MS_OK)
		fail_msg("%s", err.text);
}

static int set_up(void **state)
{
	(void)state;
	sample_pmu_run(&run);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	ms_monitor_report_free(&monitors);
	ms_run_free(&run);
	return 0;
}

static void assert_near(double found, double expected)
{
	if (fabs(found - expected) > 1e-6)
		fail_msg("found %.8f, expected %.8f", found, expected);
}

/* The row of a list; line MS_NONE: the first that fits the rest. */
static const struct ms_monitor_row *row_of(size_t pmu, enum ms_monitor_list_kind kind,
					   uint32_t data, uint32_t victim, uint32_t line)
{
	const struct ms_monitor_list *list = &monitors.at.at[pmu].lists[kind];

	for (size_t i = 0; i < list->rows.n; i++) {
		const struct ms_monitor_row *row = &list->rows.at[i];

		if (row->data == data && row->victim == victim &&
		    (line == MS_NONE || row->line == line))
			return row;
	}
	fail_msg("there is no such row");
	return NULL;
}

/* Of each list, and of each victim in it, the shares add up to the whole. */
static void assert_adds_up(const struct ms_monitor_list *list)
{
	double actual = 0, sampled = 0;

	for (size_t i = 0; i < list->rows.n; i++) {
		const struct ms_monitor_row *row = &list->rows.at[i];

		actual += row->actual_share;
		sampled += row->sampled_share;
		if (i + 1 < list->rows.n && row[1].victim == row->victim)
			continue;
		assert_near(actual, 1);
		assert_near(sampled, row->has_samples ? 1 : 0);
		actual = sampled = 0;
	}
}

static void test_shares_add_up(void **state)
{
	(void)state;
	make(&everything);
	assert_int_equal(monitors.at.n, 4);
	for (size_t i = 0; i < monitors.at.n; i++)
		for (int k = 0; k < MS_MONITOR_LISTS && run.pmus.at[i].interrupts > 0; k++)
			assert_adds_up(&monitors.at.at[i].lists[k]);
	assert_int_equal(monitors.at.at[PMU_ON_MISSES].lists[MS_MONITOR_DATA].actual, 4000000);
	assert_int_equal(monitors.at.at[PMU_ON_MISSES].lists[MS_MONITOR_EVICTIONS].actual, 3990000);
	assert_int_equal(monitors.at.at[PMU_ON_LATENCY].lists[MS_MONITOR_DATA].actual, 90409000);
	assert_int_equal(monitors.at.at[PMU_ON_LATENCY].lists[MS_MONITOR_EVICTIONS].rows.n, 0);
	assert_int_equal(monitors.at.at[PMU_ON_EVICTIONS].lists[MS_MONITOR_DATA].actual, 3990000);
}

static void test_shares_and_ranks(void **state)
{
	static const struct {
		size_t pmu;
		enum ms_monitor_list_kind kind;
		uint32_t data, victim, line;
		double actual, sampled;
		uint32_t actual_rank, sampled_rank;
		bool judged;
	} cases[] = {
		{ 0, MS_MONITOR_DATA, PMU_U, MS_NONE, MS_NONE, 0.625, 0.6, 1, 1, true },
		{ 0, MS_MONITOR_DATA, PMU_V, MS_NONE, MS_NONE, 0.1, 0.1125, 3, 3, true },
		{ 0, MS_MONITOR_DATA, PMU_STACK, MS_NONE, MS_NONE, 0.0025, 0, 4, 0, false },
		/* The same place for equals, and none for the next. */
		{ 0, MS_MONITOR_LINES, PMU_U, MS_NONE, PMU_PSINV_162, 0.1, 0.1, 4, 5, true },
		{ 0, MS_MONITOR_LINES, PMU_V, MS_NONE, PMU_RESID_204, 0.1, 0.1125, 4, 4, true },
		{ 0, MS_MONITOR_LINES, PMU_STACK, MS_NONE, PMU_MAIN_300, 0.0025, 0, 6, 0, false },
		/* Of 2,480,000 evictions of U, and 100 samples of one. */
		{ 0, MS_MONITOR_EVICTIONS, PMU_U, PMU_U, MS_NONE, 0.625, 0.59, 1, 1, true },
		{ 0, MS_MONITOR_EVICTIONS, PMU_R, PMU_U, MS_NONE, 53.0 / 248, 0.24, 2, 2, true },
		/* V has less than a tenth of the evictions. */
		{ 0, MS_MONITOR_EVICTIONS, PMU_U, PMU_V, MS_NONE, 1, 1, 1, 1, false },
		{ 0, MS_MONITOR_EVICTION_LINES, PMU_U, PMU_U, PMU_PSINV_162, 25.0 / 248, 0.09, 4, 4,
		  true },
		/* Samples weigh as much as what they stand for. */
		{ 2, MS_MONITOR_DATA, PMU_R, MS_NONE, MS_NONE, 29.8 / 90.409, 36.4 / 92, 2, 2,
		  true },
		{ 3, MS_MONITOR_DATA, PMU_R, MS_NONE, MS_NONE, 109.0 / 399, 5.0 / 9, 2, 1, true },
	};

	(void)state;
	make(&everything);
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		const struct ms_monitor_row *row = row_of(
			cases[i].pmu, cases[i].kind, cases[i].data, cases[i].victim, cases[i].line);

		assert_near(row->actual_share, cases[i].actual);
		assert_near(row->sampled_share, cases[i].sampled);
		assert_int_equal(row->actual_rank, cases[i].actual_rank);
		assert_int_equal(row->sampled_rank, cases[i].sampled_rank);
		assert_int_equal(row->judged, cases[i].judged);
	}
}

/* Wilson's interval, worked out apart: (p + z2/2n -+ z sqrt(p(1-p)/n + z2/4n2)) / (1 + z2/n). */
static void test_intervals(void **state)
{
	(void)state;
	make(&everything);
	/* 96 of 160 */
	const struct ms_monitor_row *row = row_of(0, MS_MONITOR_DATA, PMU_U, MS_NONE, MS_NONE);
	assert_near(row->low, 0.52260484);
	assert_near(row->high, 0.67270592);
	/* none of 160: from nothing on */
	row = row_of(0, MS_MONITOR_DATA, PMU_STACK, MS_NONE, MS_NONE);
	assert_near(row->low, 0);
	assert_near(row->high, 0.02344620);
	/* 59 of the 100 that are about U */
	row = row_of(0, MS_MONITOR_EVICTIONS, PMU_U, PMU_U, MS_NONE);
	assert_near(row->low, 0.49201430);
	assert_near(row->high, 0.68132687);
	/* all of 12 */
	row = row_of(0, MS_MONITOR_EVICTIONS, PMU_U, PMU_V, MS_NONE);
	assert_near(row->low, 0.75750599);
	assert_near(row->high, 1);
	/* nothing was said about V */
	row = row_of(3, MS_MONITOR_EVICTIONS, PMU_U, PMU_V, MS_NONE);
	assert_false(row->has_samples);
	assert_near(row->high, 1);
	/* a half, of 160 and of 64.5 */
	assert_near(monitors.at.at[0].precision, 0.07656075);
	assert_near(monitors.at.at[2].precision, 0.11854302);
}

static void test_accuracy(void **state)
{
	(void)state;
	make(&everything);
	const struct ms_monitor_accuracy *a = &monitors.at.at[0].lists[MS_MONITOR_DATA].accuracy;
	assert_int_equal(a->judged, 3);
	assert_near(a->error, 0.025);
	assert_int_equal(a->inside, 3);
	assert_int_equal(a->misplaced, 0);
	a = &monitors.at.at[0].lists[MS_MONITOR_EVICTIONS].accuracy;
	assert_int_equal(a->judged, 6); /* all of U and R but what has less than a hundredth */
	assert_int_equal(a->inside, 6);
	assert_near(a->error, 0.035);
	/* 11.4 % was sampled as 18.3, and 14.4 as 13.0. */
	a = &monitors.at.at[2].lists[MS_MONITOR_LINES].accuracy;
	assert_int_equal(a->misplaced, 1);
	a = &monitors.at.at[3].lists[MS_MONITOR_EVICTION_LINES].accuracy;
	assert_int_equal(a->judged, 9);
	assert_int_equal(a->inside, 8);
	assert_near(a->error, 38.0 / 61);
	assert_near(monitors.at.at[0].overhead, 1545000.0 / 110409000);
}

/* Latency at a level is the wait for the levels below it: 100 cycles for each miss of L2. */
static void test_latency_at_a_level(void **state)
{
	(void)state;
	run.pmus.at[PMU_ON_LATENCY].level = 1;
	make(&everything);
	assert_int_equal(monitors.at.at[PMU_ON_LATENCY].lists[MS_MONITOR_DATA].actual, 56010000);
	const struct ms_monitor_row *row = row_of(2, MS_MONITOR_DATA, PMU_V, MS_NONE, MS_NONE);
	assert_int_equal(row->actual, 10000000);
}

/* What is not selected stays, for the rest; sums and ranks do not change. */
static void test_choice(void **state)
{
	static const char *const names[] = { "V" };
	const struct ms_monitor_wanted wanted = { names, 1, 1, NULL };
	size_t n = 0;

	(void)state;
	make(&wanted);
	assert_int_equal(monitors.at.n, 1);
	const struct ms_monitor_list *list = &monitors.at.at[0].lists[MS_MONITOR_EVICTIONS];
	for (size_t i = 0; i < list->rows.n; i++)
		n += list->rows.at[i].wanted;
	assert_int_equal(list->rows.n, 8);
	assert_int_equal(n, 3);
	assert_int_equal(row_of(0, MS_MONITOR_DATA, PMU_V, MS_NONE, MS_NONE)->actual_rank, 3);
}

static void test_no_such_monitor(void **state)
{
	const struct ms_monitor_wanted wanted = { NULL, 0, 5, NULL };
	struct ms_err err;

	(void)state;
	assert_int_equal(ms_monitor_report_make(&monitors, &run, &wanted, &err), MS_EUSAGE);
	assert_string_equal(err.text, "--monitor: found 5, and the run has 4 monitors");
	make(&everything);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_shares_add_up, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_shares_and_ranks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_intervals, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_accuracy, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_latency_at_a_level, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_choice, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_such_monitor, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
