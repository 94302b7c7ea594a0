/* Joined runs: measured time, split by simulated causes; intervals; disagreement. */
#include "unit/sample_joined.h"

#include <math.h>

#include "analysis/measured/measured.h"
#include "analysis/metric/metric.h"
#include "analysis/source_lines/bin_lines.h"
#include "analysis/source_lines/lines.h"
#include "analysis/source_lines/points.h"

enum { CYCLES_PER_MS = 2000000 }; /* at 2000 MHz */

static void make(struct ms_summary *s, struct ms_run *run)
{
	struct ms_err err;

	if (ms_summary_make(s, run, NULL, NULL, &err) != MS_OK)
		fail_msg("%s", err.text);
}

static const struct ms_summary_counts *find(const struct ms_summary_entries *list, const char *name)
{
	for (size_t i = 0; i < list->at.n; i++)
		if (strcmp(list->at.at[i].name, name) == 0)
			return &list->at.at[i].counts;
	fail_msg("there is no %s", name);
	return NULL;
}

static uint64_t parts_of(const struct ms_summary_counts *c, size_t levels)
{
	uint64_t sum =
		c->timing.walk_cycles + c->timing.bandwidth_cycles + c->timing.unexplained_cycles;

	for (size_t i = 0; i < levels; i++)
		sum += c->levels[i].cycles.exposed;
	return sum;
}

static void test_time_is_the_measured_one(void **state)
{
	struct ms_summary s;
	struct ms_run run;

	(void)state;
	sample_joined_run(&run);
	make(&s, &run);
	assert_int_equal(ms_summary_rw_sum(s.total.counts.stall), UINT64_C(950) * CYCLES_PER_MS);
	assert_int_equal(s.total.counts.compute, UINT64_C(400) * CYCLES_PER_MS);
	assert_int_equal(s.total.counts.samples.latency, UINT64_C(950) * SAMPLE_MS);
	assert_int_equal(s.total.counts.samples.compute, UINT64_C(400) * SAMPLE_MS);
	assert_string_equal(s.data.at.at[0].name, "Matrix.Z");
	assert_int_equal(ms_summary_rw_sum(s.data.at.at[0].counts.stall),
			 UINT64_C(600) * CYCLES_PER_MS);
	assert_int_equal(s.total.counts.instructions, run.instructions);
	assert_true(ms_summary_rw_sum(s.total.counts.references) > 0);
	ms_summary_free(&s);
	ms_run_free(&run);
}

/* What the simulation alone says is beside it, and equal to that of the simulated run. */
static void test_estimate_is_kept(void **state)
{
	struct ms_summary joined, simulated;
	struct ms_run a, b;

	(void)state;
	sample_joined_run(&a);
	sample_core_run(&b);
	make(&joined, &a);
	make(&simulated, &b);
	assert_int_equal(ms_summary_rw_sum(joined.total.counts.estimated.stall),
			 ms_summary_rw_sum(simulated.total.counts.stall));
	assert_int_equal(joined.total.counts.estimated.compute, simulated.total.counts.compute);
	assert_int_equal(ms_summary_latency(&joined.total.counts, a.levels.n),
			 ms_summary_latency(&simulated.total.counts, b.levels.n));
	for (size_t i = 0; i < simulated.bins.at.n; i++) {
		const struct ms_summary_entry *e = &simulated.bins.at.at[i];

		assert_int_equal(ms_summary_rw_sum(find(&joined.bins, e->name)->estimated.stall),
				 ms_summary_rw_sum(e->counts.stall));
	}
	ms_summary_free(&joined);
	ms_summary_free(&simulated);
	/* On request, and with --cost latency, the simulated figures are shown. */
	a.by_estimate = true;
	make(&joined, &a);
	make(&simulated, &b);
	assert_int_equal(ms_summary_rw_sum(joined.total.counts.stall),
			 ms_summary_rw_sum(simulated.total.counts.stall));
	assert_int_equal(joined.total.counts.compute, simulated.total.counts.compute);
	ms_summary_free(&joined);
	ms_summary_free(&simulated);
	ms_run_free(&a);
	ms_run_free(&b);
}

static void assert_parts(const struct ms_summary_entries *list, size_t levels)
{
	for (size_t i = 0; i < list->at.n; i++)
		assert_int_equal(parts_of(&list->at.at[i].counts, levels),
				 ms_summary_rw_sum(list->at.at[i].counts.stall));
}

static void test_parts_add_up_to_the_measured_stall(void **state)
{
	struct ms_lines_of_bins places;
	struct ms_lines_points points;
	struct ms_summary s;
	struct ms_err err;
	struct ms_run run;

	(void)state;
	sample_joined_run(&run);
	make(&s, &run);
	const struct ms_summary_entries *lists[] = { &s.code, &s.data,    &s.lines,
						     &s.bins, &s.reasons, &s.processors };
	for (size_t i = 0; i < MS_COUNT(lists); i++)
		assert_parts(lists[i], run.levels.n);
	assert_int_equal(parts_of(&s.total.counts, run.levels.n),
			 ms_summary_rw_sum(s.total.counts.stall));
	ms_lines_of_bins_make(&places, &s, SIZE_MAX, SIZE_MAX);
	for (size_t i = 0; i < places.at.n; i++)
		assert_int_equal(parts_of(&places.at.at[i].counts, run.levels.n),
				 ms_summary_rw_sum(places.at.at[i].counts.stall));
	ms_lines_of_bins_free(&places);
	assert_int_equal(ms_lines_points_make(&points, &run, NULL, &err), MS_OK);
	for (size_t i = 0; i < points.at.n; i++)
		assert_int_equal(parts_of(&points.at.at[i].counts, run.levels.n),
				 ms_summary_rw_sum(points.at.at[i].counts.stall));
	ms_lines_points_free(&points);
	ms_summary_free(&s);
	ms_run_free(&run);
}

/* Y waits 1/16 * 12 of 8.6M misses for L2, and so on: its 300 ms have the same proportions. */
static void test_parts_have_the_simulated_proportions(void **state)
{
	struct ms_summary joined, simulated;
	struct ms_run a, b;

	(void)state;
	sample_joined_run(&a);
	sample_core_run(&b);
	make(&joined, &a);
	make(&simulated, &b);
	const struct ms_summary_counts *x = find(&joined.bins, "BlkMultiply / Matrix.Y");
	const struct ms_summary_counts *y = find(&simulated.bins, "BlkMultiply / Matrix.Y");
	double factor = 300.0 * CYCLES_PER_MS / (double)ms_summary_rw_sum(y->stall);

	for (size_t i = 0; i < a.levels.n; i++)
		assert_true(fabs((double)x->levels[i].cycles.exposed -
				 factor * (double)y->levels[i].cycles.exposed) < 3);
	assert_true(fabs((double)x->timing.walk_cycles - factor * (double)y->timing.walk_cycles) <
		    3);
	assert_int_equal(x->timing.unexplained_cycles, 0);
	ms_summary_free(&joined);
	ms_summary_free(&simulated);
	ms_run_free(&a);
	ms_run_free(&b);
}

/* The counter was not simulated there: its function and the total have that part as well. */
static void test_unexplained_stall(void **state)
{
	const uint64_t unexplained = UINT64_C(50) * CYCLES_PER_MS;
	struct ms_summary s;
	struct ms_run run;

	(void)state;
	sample_joined_run(&run);
	make(&s, &run);
	assert_int_equal(find(&s.data, "counter")->timing.unexplained_cycles, unexplained);
	assert_int_equal(find(&s.code, "BlkMultiply")->timing.unexplained_cycles, unexplained);
	assert_int_equal(s.total.counts.timing.unexplained_cycles, unexplained);
	assert_int_equal(find(&s.data, "Matrix.Z")->timing.unexplained_cycles, 0);
	ms_summary_free(&s);
	/* A hundredth of a bin's share explains it, less does not: two misses are no reason. */
	run.hardware_samples.at[1].latency *= 100;
	make(&s, &run);
	assert_true(find(&s.data, "Matrix.Z")->timing.unexplained_cycles > 0);
	ms_summary_free(&s);
	ms_run_free(&run);
}

/* Wilson's interval of 600 of 950 samples of equal weight, and of 300 of all 1350. */
static void test_intervals(void **state)
{
	struct ms_summary s;
	struct ms_run run;

	(void)state;
	sample_joined_run(&run);
	make(&s, &run);
	struct ms_measured_share z = ms_measured_stall_share(&s, find(&s.data, "Matrix.Z"));
	struct ms_measured_share expected = ms_measured_wilson_interval(600.0 / 950, 950);

	assert_true(fabs(z.share - expected.share) < 1e-9);
	assert_true(fabs(z.low - expected.low) < 1e-9 && fabs(z.high - expected.high) < 1e-9);
	struct ms_measured_time y = ms_measured_stall_time(&s, find(&s.data, "Matrix.Y"));
	expected = ms_measured_wilson_interval(300.0 / 1350, 1350);
	assert_true(fabs(y.ns - 300.0 * SAMPLE_MS) < 1);
	assert_true(fabs(y.low - expected.low * 1350 * SAMPLE_MS) < 1);
	assert_true(fabs(y.high - expected.high * 1350 * SAMPLE_MS) < 1);
	struct ms_measured_time compute =
		ms_measured_compute_time(&s, find(&s.code, "BlkMultiply"));
	expected = ms_measured_wilson_interval(400.0 / 1350, 1350);
	assert_true(fabs(compute.ns - 400.0 * SAMPLE_MS) < 1);
	assert_true(fabs(compute.high - expected.high * 1350 * SAMPLE_MS) < 1);
	ms_summary_free(&s);
	ms_run_free(&run);
}

static void test_disagreement(void **state)
{
	static const struct {
		int line;
		const char *data;
		enum ms_measured_verdict verdict;
	} cases[] = {
		{ __LINE__, "Matrix.Y", MS_MEASURED_LESS },    /* estimated 98 %, measured 32 % */
		{ __LINE__, "Matrix.Z", MS_MEASURED_MORE },    /* 1 %, 63 % */
		{ __LINE__, "counter", MS_MEASURED_MORE },     /* 0 %, 5 % */
		{ __LINE__, "<stack>", MS_MEASURED_AGREES },   /* nothing in both */
		{ __LINE__, "<unknown>", MS_MEASURED_AGREES }, /* below a per cent in both */
	};
	struct ms_summary s;
	struct ms_run run;

	(void)state;
	sample_joined_run(&run);
	make(&s, &run);
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_measured_comparison c =
			ms_measured_compare(&s, find(&s.data, cases[i].data));

		if (c.verdict != cases[i].verdict)
			fail_msg("line %d: estimated %g, measured %g to %g", cases[i].line,
				 c.estimated, c.share.low, c.share.high);
	}
	assert_int_equal(ms_measured_compare(&s, &s.total.counts).verdict, MS_MEASURED_AGREES);
	ms_summary_free(&s);
	ms_run_free(&run);
}

/* The interval is widened by the error of the timing model: 1.5 times either way. */
static void test_error_of_the_model_is_no_disagreement(void **state)
{
	static const struct {
		int line;
		double factor; /* of the measured interval's nearer end */
		enum ms_measured_verdict verdict;
	} cases[] = {
		{ __LINE__, 1 / 1.6, MS_MEASURED_MORE },
		{ __LINE__, 1 / 1.4, MS_MEASURED_AGREES },
		{ __LINE__, 1.4, MS_MEASURED_AGREES },
		{ __LINE__, 1.6, MS_MEASURED_LESS },
	};
	struct ms_summary s;
	struct ms_run run;

	(void)state;
	sample_joined_run(&run);
	make(&s, &run);
	struct ms_summary_counts y = *find(&s.data, "Matrix.Y");
	struct ms_measured_share share = ms_measured_stall_share(&s, &y);
	double all = (double)ms_summary_rw_sum(s.total.counts.estimated.stall);

	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		double end = cases[i].factor < 1 ? share.low : share.high;

		y.estimated.stall[MS_WRITES] = 0;
		y.estimated.stall[MS_READS] = (uint64_t)(all * end * cases[i].factor);
		if (ms_measured_compare(&s, &y).verdict != cases[i].verdict)
			fail_msg("line %d", cases[i].line);
	}
	ms_summary_free(&s);
	ms_run_free(&run);
}

static void test_few_samples_leave_the_estimate(void **state)
{
	struct ms_summary s;
	struct ms_run run;

	(void)state;
	sample_joined_run(&run);
	run.hardware.at[0].samples = MS_RUN_SAMPLES_LEAST - 1;
	assert_false(ms_run_has_measured_time(&run));
	make(&s, &run);
	assert_int_equal(s.total.counts.compute, run.compute_cycles);
	ms_summary_free(&s);
	run.hardware.at[0].samples = MS_RUN_SAMPLES_LEAST;
	assert_true(ms_run_has_measured_time(&run));
	run.by_latency = true;
	assert_false(ms_run_has_measured_time(&run));
	ms_run_free(&run);
}

/* Without a known clock a cycle is a nanosecond; machines with in-order cores have parts as well.
 */
static void test_other_machines(void **state)
{
	struct ms_summary s;
	struct ms_run run;

	(void)state;
	sample_joined_run(&run);
	run.clock_mhz = 0;
	make(&s, &run);
	assert_int_equal(ms_summary_rw_sum(s.total.counts.stall), UINT64_C(950) * SAMPLE_MS);
	ms_summary_free(&s);
	run.core = MS_RUN_IN_ORDER;
	make(&s, &run);
	assert_int_equal(ms_summary_rw_sum(s.total.counts.stall), UINT64_C(950) * SAMPLE_MS);
	assert_parts(&s.bins, run.levels.n);
	assert_int_equal(find(&s.data, "Matrix.Y")->timing.walk_cycles, 0);
	assert_true(find(&s.data, "Matrix.Y")->levels[0].cycles.exposed > 0);
	ms_summary_free(&s);
	ms_run_free(&run);
}

/* Samples do not know simulated processors: each has its share of the simulated time. */
static void test_processors_share_the_measured_time(void **state)
{
	struct ms_summary s;
	struct ms_run run;
	uint64_t stall = 0;

	(void)state;
	sample_joined_run(&run);
	run.processors = 2;
	run.core = MS_RUN_IN_ORDER;
	for (size_t i = 0; i < run.cells.n; i++)
		run.cells.at[i].processor = run.cells.at[i].data == SAMPLE_Y ? 0 : 1;
	make(&s, &run);
	for (size_t p = 0; p < 2; p++)
		stall += ms_summary_rw_sum(s.processors.at.at[p].counts.stall);
	assert_in_range(stall, ms_summary_rw_sum(s.total.counts.stall) - 4,
			ms_summary_rw_sum(s.total.counts.stall) + 4);
	/* Y has the most simulated stall, Z the most measured one. */
	assert_true(ms_summary_rw_sum(s.processors.at.at[0].counts.stall) >
		    ms_summary_rw_sum(s.processors.at.at[1].counts.stall));
	assert_parts(&s.processors, run.levels.n);
	ms_summary_free(&s);
	ms_run_free(&run);
}

static void test_lines(void **state)
{
	struct ms_lines lines;
	struct ms_run run;
	struct ms_err err;
	uint64_t stall = 0, compute = 0;

	(void)state;
	sample_joined_run(&run);
	assert_int_equal(
		ms_lines_make(&lines, &run, &(struct ms_lines_wanted){ .n_code = 0 }, NULL, &err),
		MS_OK);
	for (size_t i = 0; i < lines.lines.n; i++) {
		const struct ms_lines_line *line = &lines.lines.at[i];

		stall += ms_summary_rw_sum(line->counts.stall);
		compute += line->counts.compute;
		assert_int_equal(parts_of(&line->counts, run.levels.n),
				 ms_summary_rw_sum(line->counts.stall));
		for (size_t k = 0; k < line->data.at.n; k++)
			assert_int_equal(parts_of(&line->data.at.at[k].counts, run.levels.n),
					 ms_summary_rw_sum(line->data.at.at[k].counts.stall));
	}
	assert_int_equal(stall, UINT64_C(950) * CYCLES_PER_MS);
	assert_int_equal(compute, UINT64_C(400) * CYCLES_PER_MS);
	ms_lines_free(&lines);
	ms_run_free(&run);
}

/* Of windows: times have the intervals of the samples, misses those of the windows. */
static void test_intervals_with_windows(void **state)
{
	struct ms_intervals intervals;
	struct ms_summary s;
	struct ms_run run;

	(void)state;
	sample_joined_run(&run);
	*ms_vec_add(&run.samplings) = (struct ms_run_sampling){ .ratio = 0.1,
								.window = 1000,
								.sets = 1,
								.windows = 32,
								.references = 2656107,
								.total = 26561075,
								.exact = 1,
								.scale = 10,
								.time_scale = 10,
								.parts = 16,
								.total_low = 26561075,
								.total_high = 26561075 };
	for (uint32_t l = 0; l < run.levels.n; l++)
		*ms_vec_add(&run.sampled_levels) = (struct ms_run_sampled_level){ l, 1, 0 };
	for (uint32_t c = 0; c < run.cells.n; c++)
		for (uint32_t p = 0; p < 16; p++)
			*ms_vec_add(&run.sampled_references) = (struct ms_run_sampled_reference){
				c, p, run.cells.at[c].references / 160
			};
	make(&s, &run);
	ms_intervals_by_kind(&intervals, &s, MS_ENTRY_DATA, NULL);
	const struct ms_intervals_entry *own = ms_intervals_at(&intervals, SAMPLE_Z);
	struct ms_measured_share share = ms_measured_stall_share(&s, find(&s.data, "Matrix.Z"));
	struct ms_measured_time time = ms_measured_stall_time(&s, find(&s.data, "Matrix.Z"));

	assert_non_null(own);
	assert_true(fabs(own->stall.low - share.low) < 1e-9);
	assert_true(fabs(own->stall.high - share.high) < 1e-9);
	assert_true(fabs(own->cycles.low - 2 * time.low) < 1);
	ms_intervals_free(&intervals);
	ms_intervals_by_kind(&intervals, &s, MS_ENTRY_CODE, NULL);
	own = ms_intervals_at(&intervals, SAMPLE_MULTIPLY);
	time = ms_measured_compute_time(&s, find(&s.code, "BlkMultiply"));
	assert_non_null(own);
	assert_true(fabs(own->compute.low - 2 * time.low) < 1);
	assert_true(fabs(own->compute.high - 2 * time.high) < 1);
	ms_intervals_free(&intervals);
	ms_summary_free(&s);
	ms_run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_time_is_the_measured_one),
		cmocka_unit_test(test_estimate_is_kept),
		cmocka_unit_test(test_parts_add_up_to_the_measured_stall),
		cmocka_unit_test(test_parts_have_the_simulated_proportions),
		cmocka_unit_test(test_unexplained_stall),
		cmocka_unit_test(test_intervals),
		cmocka_unit_test(test_disagreement),
		cmocka_unit_test(test_error_of_the_model_is_no_disagreement),
		cmocka_unit_test(test_few_samples_leave_the_estimate),
		cmocka_unit_test(test_other_machines),
		cmocka_unit_test(test_processors_share_the_measured_time),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_intervals_with_windows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
