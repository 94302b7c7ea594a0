/* Costs and sums of a run of several processors, whose figures are known. */
#include "unit/sample_parallel.h"

#include "analysis/metric/metric.h"
#include "analysis/summary/detail.h"

static struct ms_run run;
static struct ms_summary s;

static int set_up(void **state)
{
	(void)state;
	sample_parallel_run(&run);
	return ms_summary_make(&s, &run, NULL, NULL, NULL);
}

static int tear_down(void **state)
{
	(void)state;
	ms_summary_free(&s);
	ms_run_free(&run);
	return 0;
}

/* One row or two of misses, and what they cost where L2 is 10, memory 100, peer 60, remote 180. */
static void test_cost(void **state)
{
	static const struct {
		struct ms_run_miss rows[2];
		size_t n;
		uint64_t cycles;
		double weighted;
	} cases[] = {
		{ { { .level = 0, .causes = { 0, 0, 10 }, .weighted = 5 } }, 1, 100, 50 },
		{ { { .level = 0, .causes = { 0, 0, 10 }, .peer = 4, .weighted = 10 } },
		  1,
		  60 + 240,
		  300 },
		/* Six went further: two were answered by peers, one by remote memory. */
		{ { { .level = 0, .causes = { 10 }, .peer = 1, .weighted = 10 },
		    { .level = 1, .causes = { 6 }, .peer = 2, .remote = 1, .weighted = 6 } },
		  2,
		  30 + 60 + 300 + 120 + 180,
		  690 },
		/* What went further weighs less than what did not. */
		{ { { .level = 0, .causes = { 10 }, .weighted = 7 },
		    { .level = 1, .causes = { 6 }, .weighted = 3 } },
		  2,
		  40 + 600,
		  40 + 300 },
		/* More answers than misses: a damaged database, and no wrap around. */
		{ { { .level = 0, .causes = { 1 }, .peer = 2, .weighted = 9 } }, 1, 120, 120 },
		{ { { .level = 0 } }, 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_summary_stall stall =
			ms_summary_cost_stall(&s.cost, cases[i].rows, cases[i].n);

		assert_int_equal(stall.cycles, cases[i].cycles);
		assert_float_equal(stall.weighted, cases[i].weighted, 1e-9);
	}
}

static void test_one_processor_weighs_nothing(void **state)
{
	const struct ms_run_miss row = { .level = 0, .causes = { 10 }, .weighted = 0 };
	struct ms_run one;
	struct ms_summary sum;

	(void)state;
	sample_run(&one);
	assert_int_equal(ms_summary_make(&sum, &one, NULL, NULL, NULL), MS_OK);
	assert_float_equal(ms_summary_cost_stall(&sum.cost, &row, 1).weighted, 100, 1e-9);
	assert_int_equal(sum.processors.at.n, 1);
	assert_int_equal(sum.processors.at.at[0].counts.instructions, 60000000);
	assert_int_equal(ms_summary_rw_sum(sum.processors.at.at[0].counts.stall), 114206200);
	ms_summary_free(&sum);
	ms_run_free(&one);
}

static void test_latencies(void **state)
{
	struct ms_summary other;
	struct ms_err err;

	(void)state;
	assert_int_equal(ms_summary_rw_sum(s.total.counts.stall), 10800000);
	assert_int_equal(ms_summary_make(&other, &run, NULL, "PEER=0,remote=280", &err), MS_OK);
	/* 96000 misses that peers answered, 12500 that remote memory did */
	assert_int_equal(ms_summary_rw_sum(other.total.counts.stall),
			 10800000 - 96000 * 60 + 12500 * 100);
	ms_summary_free(&other);
	run.nodes = 1;
	assert_int_equal(ms_summary_make(&other, &run, NULL, "remote=1", &err), MS_EUSAGE);
	assert_non_null(strstr(err.text, "(L2, memory, peer)"));
}

static void test_processors_add_up(void **state)
{
	struct ms_summary_level_counts levels[2] = { { .covered = 0 }, { .covered = 0 } };
	struct ms_summary_counts sum = { .levels = levels };
	const struct ms_summary_counts *total = &s.total.counts;

	(void)state;
	for (size_t i = 0; i < s.processors.at.n; i++) {
		assert_int_equal(s.processors.at.at[i].processor, i);
		ms_summary_add_counts(&sum, &s.processors.at.at[i].counts, 2);
	}
	assert_int_equal(sum.instructions, total->instructions);
	assert_int_equal(ms_summary_rw_sum(sum.references), ms_summary_rw_sum(total->references));
	assert_int_equal(ms_summary_rw_sum(sum.stall), ms_summary_rw_sum(total->stall));
	assert_int_equal(sum.upgrades, 12000);
	assert_float_equal(sum.normalised, total->normalised, 1e-6);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(levels[i].falsely, total->levels[i].falsely);
		assert_int_equal(levels[i].peer, total->levels[i].peer);
		assert_int_equal(levels[i].remote, total->levels[i].remote);
	}
	/* Everything that L1 missed was answered once. */
	assert_int_equal(ms_summary_answered(total, 2, 1) + ms_summary_answered(total, 2, 2) +
				 levels[0].peer + levels[1].peer + levels[1].remote,
			 ms_summary_rw_sum(total->levels[0].misses));
}

/* main was alone, and counts whole; what four did together counts for a quarter. */
static void test_normalised(void **state)
{
	(void)state;
	for (size_t i = 0; i < s.code.at.n; i++) {
		const struct ms_summary_entry *e = &s.code.at.at[i];

		if (e->code == PARALLEL_MAIN)
			assert_float_equal(e->counts.normalised, 200000 + 1250000, 1e-6);
		else
			assert_float_equal(e->counts.normalised,
					   (double)(e->counts.instructions +
						    ms_summary_rw_sum(e->counts.stall)) /
						   4,
					   1e-6);
	}
}

static void test_invalidators(void **state)
{
	const char *names[] = { "Queue.q" };
	struct ms_summary_detail_wanted wanted = { .data = names, .n_data = 1 };
	struct ms_summary_detail d;

	(void)state;
	assert_int_equal(ms_summary_detail_make(&d, &run, &wanted, NULL, NULL), MS_OK);
	assert_int_equal(d.invalidated_by.n, 4);
	for (uint32_t i = 0; i < 4; i++) {
		assert_int_equal(d.invalidated_by.at[i].processor, i);
		assert_int_equal(d.invalidated_by.at[i].code, PARALLEL_TAKE);
		assert_int_equal(d.invalidated_by.at[i].data, PARALLEL_QUEUE);
		assert_int_equal(d.invalidated_by.at[i].truly, 4500);
		assert_int_equal(d.invalidated_by.at[i].falsely, 500);
	}
	ms_summary_detail_free(&d);
}

static void test_metrics(void **state)
{
	struct ms_err err;

	(void)state;
	assert_int_equal(ms_metric_sort(&s, &s.data, "false_sharing", &err), MS_OK);
	assert_string_equal(s.data.at.at[0].name, "counters");
	assert_int_equal(ms_metric_sort(&s, &s.data, "true_sharing", &err), MS_OK);
	assert_string_equal(s.data.at.at[0].name, "Queue.q");
	assert_int_equal(ms_metric_sort(&s, &s.data, "remote", &err), MS_OK); /* only L2 has it */
	assert_string_equal(s.data.at.at[0].name, "double.x");
	assert_int_equal(ms_metric_sort(&s, &s.data, "L1_remote", &err), MS_EUSAGE);
	run.processors = run.nodes = 1;
	assert_int_equal(ms_metric_sort(&s, &s.data, "upgrades", &err), MS_EUSAGE);
	assert_null(strstr(err.text, "peer"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_cost, set_up, tear_down),
		cmocka_unit_test(test_one_processor_weighs_nothing),
		cmocka_unit_test_setup_teardown(test_latencies, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_processors_add_up, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_normalised, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_invalidators, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_metrics, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
