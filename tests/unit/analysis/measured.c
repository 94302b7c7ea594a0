/* Analysis: runs sampled on the real machine: sums, shares, and the intervals around them. */
#include "unit/sample_hardware.h"

#include <math.h>

#include "analysis/measured/measured.h"
#include "analysis/metric/metric.h"

static void make(struct ms_summary *s, const struct ms_run *run)
{
	struct ms_err err;

	if (ms_summary_make(s, run, NULL, NULL, &err) != MS_OK)
		fail_msg("%s", err.text);
}

static void near_to(double found, double wanted, double by)
{
	if (!(fabs(found - wanted) <= by))
		fail_msg("found %.6f, expected %.6f", found, wanted);
}

/* Wilson's, as tables of it have them. */
static void test_interval_of_a_share(void **state)
{
	static const struct {
		double share, n, low, high;
	} cases[] = {
		{ 0.5, 100, 0.4038, 0.5962 },
		{ 0.1, 10, 0.0179, 0.4042 },
		{ 0.0, 20, 0.0, 0.1611 },
		{ 1.0, 20, 0.8389, 1.0 },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_measured_share got =
			ms_measured_wilson_interval(cases[i].share, cases[i].n);

		near_to(got.low, cases[i].low, 0.0001);
		near_to(got.high, cases[i].high, 0.0001);
	}
	assert_true(isnan(ms_measured_wilson_interval(0.5, 0).low));
}

static void test_sums(void **state)
{
	struct ms_run run;
	struct ms_summary s;

	(void)state;
	sample_hardware_run(&run);
	make(&s, &run);
	assert_int_equal(ms_summary_rw_sum(s.total.counts.stall), 417028000);
	assert_int_equal(ms_summary_rw_sum(s.total.counts.references), 2300000);
	assert_int_equal(s.total.counts.samples.n, 1150);
	assert_string_equal(s.data.at.at[0].name, "mem_init");
	assert_int_equal(ms_summary_rw_sum(s.data.at.at[0].counts.stall),
			 2000 * (400 * 60 + 600 * 300));
	assert_int_equal(ms_measured_lost_samples(&run), 25);
	ms_summary_free(&s);
	ms_run_free(&run);
}

/* Samples of one weight: the interval is that of a share of so many. */
static void test_interval_of_equal_samples(void **state)
{
	struct ms_run run;
	struct ms_summary s;

	(void)state;
	sample_timer_run(&run);
	make(&s, &run);
	struct ms_measured_share got = ms_measured_stall_share(&s, &s.data.at.at[0].counts);
	struct ms_measured_share wanted = ms_measured_wilson_interval(0.96, 625);
	near_to(got.share, 0.96, 1e-9);
	near_to(got.low, wanted.low, 1e-6);
	near_to(got.high, wanted.high, 1e-6);
	assert_int_equal(s.total.counts.instructions, 370000000);
	ms_summary_free(&s);
	ms_run_free(&run);
}

/*
 * A few heavy samples are weaker evidence than as many light ones: four of readpackfile hold 1.3 %
 * of the latency, and count for four samples out of about 300, not for 1.3 % of 1150.
 */
static void test_heavy_samples_widen_the_interval(void **state)
{
	struct ms_run run;
	struct ms_summary s;

	(void)state;
	sample_hardware_run(&run);
	make(&s, &run);
	struct ms_measured_share got = ms_measured_stall_share(&s, &s.data.at.at[1].counts);
	assert_string_equal(s.data.at.at[1].name, "readpackfile");
	near_to(got.share, 0.013428, 1e-5);
	assert_true(got.low < 0.006 && got.high > 0.03);
	ms_summary_free(&s);
	ms_run_free(&run);
}

/* 95 of 100 intervals hold the true share. */
static void test_coverage(void **state)
{
	const double share = 0.2;
	enum { TRIES = 2000, SAMPLES = 400 };
	unsigned seed = 7, held = 0;

	(void)state;
	for (int t = 0; t < TRIES; t++) {
		struct ms_run run;
		struct ms_summary s;
		struct hardware_row rows[2] = {
			{ HW_SMVP_760, HW_MEM_INIT, MS_ANSWER_L3, MS_SURE_EXACT, 0, 100 },
			{ HW_SMVP_764, HW_EXC, MS_ANSWER_L3, MS_SURE_EXACT, 0, 100 },
		};

		for (int i = 0; i < SAMPLES; i++)
			rows[rand_r(&seed) < share * RAND_MAX ? 0 : 1].samples++;
		hardware_head(&run, NULL);
		SAMPLE_ADD(&run.hardware, (struct ms_run_hardware){ .source = MS_RUN_PEBS,
								    .event = "e",
								    .unit = MS_RUN_CYCLES,
								    .period = 2,
								    .covered = 1 });
		hardware_places(&run);
		hardware_add(&run, rows, 2, 2);
		make(&s, &run);
		struct ms_measured_share got = ms_measured_stall_share(&s, &s.data.at.at[1].counts);
		held += got.low <= share && share <= got.high;
		ms_summary_free(&s);
		ms_run_free(&run);
	}
	assert_in_range(held, TRIES * 94 / 100, TRIES * 97 / 100);
}

static void test_all_faults_are_exact(void **state)
{
	struct ms_run run;
	struct ms_summary s;

	(void)state;
	sample_faults_run(&run);
	make(&s, &run);
	struct ms_measured_share got = ms_measured_stall_share(&s, &s.data.at.at[0].counts);
	assert_true(got.low == got.share && got.high == got.share);
	near_to(got.share, 4096 / 4355.0, 1e-9);
	ms_summary_free(&s);
	ms_run_free(&run);
}

static void test_details(void **state)
{
	bool code[3] = { true, false, false }, data[5] = { true, false, false, false, false };
	struct ms_measured_detail d;
	struct ms_run run;

	(void)state;
	sample_hardware_run(&run);
	ms_measured_detail_make(&d, &run, code, data);
	assert_int_equal(d.samples, 1000);
	assert_int_equal(d.answers[MS_ANSWER_L3], 800000);
	assert_int_equal(d.answer_latency[MS_ANSWER_LOCAL], 360000000);
	assert_int_equal(d.buckets[5], 400);
	assert_int_equal(d.buckets[8], 600);
	near_to(ms_measured_median_latency(&d), 256 + 256 * 100 / 600.0, 0.01);
	/* 400 of 1000 samples of one weight: Wilson's. */
	near_to(d.answer_shares[MS_ANSWER_L3].share, 0.4, 1e-9);
	near_to(d.answer_shares[MS_ANSWER_L3].low, 0.3701, 0.0001);
	near_to(d.answer_shares[MS_ANSWER_L3].high, 0.4307, 0.0001);
	near_to(d.answer_latency_shares[MS_ANSWER_LOCAL].share, 360.0 / 408, 1e-9);
	ms_run_free(&run);
}

/* A figure that the source does not record has no column. */
static void test_absent_columns(void **state)
{
	static const struct {
		void (*make)(struct ms_run *run);
		const char *has, *lacks;
	} cases[] = {
		{ sample_hardware_run, "latency_per_event", "stall_ns" },
		{ sample_hardware_run, "event_share", "compute_ns" },
		{ sample_timer_run, "compute_ns", "latency" },
		{ sample_timer_run, "stall_share", "events" },
		{ sample_faults_run, "fault_share", "stall_share" },
		{ sample_faults_run, "samples", "references" },
		{ sample_run, "references", "samples" },
		{ sample_run, "stall_cycles", "share_low" },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_run run;

		cases[i].make(&run);
		for (const struct ms_metric *m = ms_metric_table; m->key != NULL; m++) {
			if (strcmp(m->key, cases[i].has) == 0)
				assert_true(ms_metric_applies(m, &run, MS_ENTRY_CODE, 0));
			if (strcmp(m->key, cases[i].lacks) == 0)
				assert_false(ms_metric_applies(m, &run, MS_ENTRY_CODE, 0));
		}
		ms_run_free(&run);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_interval_of_a_share),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_interval_of_equal_samples),
		cmocka_unit_test(test_heavy_samples_widen_the_interval),
		cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_all_faults_are_exact),
		cmocka_unit_test(test_details),
		cmocka_unit_test(test_absent_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
