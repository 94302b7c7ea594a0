/* The cost of misses with an out-of-order core: exposed parts, page walks, bandwidth, and compute.
 */
#include "unit/sample_core.h"

#include <math.h>

#include "analysis/diff/diff.h"
#include "analysis/summary/summary.h"
#include "unit/sample_parallel.h"

static struct ms_run run;
static struct ms_summary s;

static int set_up(void **state)
{
	(void)state;
	sample_core_run(&run);
	return ms_summary_make(&s, &run, NULL, NULL, NULL);
}

static int tear_down(void **state)
{
	(void)state;
	ms_summary_free(&s);
	ms_run_free(&run);
	return 0;
}

static const struct ms_summary_counts *data_named(const struct ms_summary *of, const char *name)
{
	for (size_t i = 0; i < of->data.at.n; i++)
		if (strcmp(of->data.at.at[i].name, name) == 0)
			return &of->data.at.at[i].counts;
	fail_msg("there is no %s", name);
	return NULL;
}

/* Y: L2 answered 8,600,000 misses, memory 120,879; 12/16 of each is exposed. */
static void test_parts_of_a_chain(void **state)
{
	const struct ms_summary_counts *y = data_named(&s, "Matrix.Y");
	const uint64_t l2 = 8600000 * 10, memory = (110000 + 10879) * 100;

	(void)state;
	assert_int_equal(y->levels[0].cycles.exposed, l2 / 16 * 12);
	assert_int_equal(y->levels[0].cycles.prefetched, 0);
	assert_int_equal(y->levels[0].cycles.overlapped, l2 / 16 * 4);
	assert_int_equal(y->levels[1].cycles.exposed, memory / 16.0 * 12);
	/* Both cells walk 40,000 times, of which half is exposed, for 40 cycles. */
	assert_int_equal(y->timing.walks, 80000);
	assert_int_equal(y->timing.walk_cycles, 80000 / 2 * SAMPLE_WALK);
	assert_int_equal(y->timing.bandwidth_cycles, 0);
	assert_int_equal(ms_summary_latency(y, 2), l2 + memory);
	assert_int_equal(ms_summary_rw_sum(y->stall), y->levels[0].cycles.exposed +
							      y->levels[1].cycles.exposed +
							      y->timing.walk_cycles);
	assert_int_equal(y->timing.dependences[MS_RUN_DEPENDENCE_CHAINED], 8710000 + 10879);
}

static void test_parts_of_a_stream(void **state)
{
	const struct ms_summary_counts *z = data_named(&s, "Matrix.Z");

	(void)state;
	/* 680,000 answers of L2: 14/16 prefetched, 1/16 exposed, the rest overlapped. */
	assert_int_equal(z->levels[0].cycles.prefetched, 6800000 / 16 * 14);
	assert_int_equal(z->levels[0].cycles.exposed, 6800000 / 16);
	assert_int_equal(z->levels[0].cycles.overlapped, 6800000 / 16);
	assert_int_equal(z->timing.bandwidth_cycles, 2 * 1280000 / SAMPLE_BYTES_PER_CYCLE);
	assert_int_equal(z->timing.dependences[MS_RUN_DEPENDENCE_AFFINE], 700000 + 10879);
}

static void test_compute_is_estimated(void **state)
{
	(void)state;
	assert_int_equal(s.total.counts.instructions, 60000000);
	assert_int_equal(s.total.counts.compute, 60000000 / SAMPLE_IPC);
	assert_int_equal(s.processors.at.at[0].counts.compute, 60000000 / SAMPLE_IPC);
	for (size_t i = 0; i < s.code.at.n; i++)
		assert_int_equal(s.code.at.at[i].counts.compute,
				 s.code.at.at[i].counts.instructions / SAMPLE_IPC);
}

/* The sum of all bins is the total, part by part. */
static void test_parts_add_up(void **state)
{
	struct ms_summary_level_counts levels[2] = { 0 };
	struct ms_summary_counts sum = { .levels = levels };
	const struct ms_summary_counts *all = &s.total.counts;

	(void)state;
	for (size_t i = 0; i < s.bins.at.n; i++)
		ms_summary_add_counts(&sum, &s.bins.at.at[i].counts, 2);
	assert_memory_equal(&sum.timing, &all->timing, sizeof(sum.timing));
	for (int i = 0; i < 2; i++)
		assert_memory_equal(&levels[i].cycles, &all->levels[i].cycles,
				    sizeof(levels[i].cycles));
	assert_int_equal(ms_summary_rw_sum(all->stall),
			 levels[0].cycles.exposed + levels[1].cycles.exposed +
				 all->timing.walk_cycles + all->timing.bandwidth_cycles);
}

/* Latencies still change when reporting; walks and bandwidth are the machine's. */
static void test_other_latencies(void **state)
{
	struct ms_summary other;
	struct ms_err err;

	(void)state;
	assert_int_equal(ms_summary_make(&other, &run, NULL, "L2=20,memory=0", &err), MS_OK);
	const struct ms_summary_counts *y = data_named(&other, "Matrix.Y");
	assert_int_equal(y->levels[0].cycles.exposed, UINT64_C(8600000) * 20 / 16 * 12);
	assert_int_equal(y->levels[1].cycles.exposed, 0);
	assert_int_equal(y->timing.walk_cycles, 80000 / 2 * SAMPLE_WALK);
	ms_summary_free(&other);
}

/* --cost latency: exactly what an in-order core has. */
static void test_by_latency(void **state)
{
	struct ms_summary by_latency, in_order;
	struct ms_run plain;
	struct ms_err err;

	(void)state;
	sample_run(&plain);
	run.by_latency = true;
	assert_int_equal(ms_summary_make(&by_latency, &run, NULL, NULL, &err), MS_OK);
	assert_int_equal(ms_summary_make(&in_order, &plain, NULL, NULL, &err), MS_OK);
	assert_int_equal(by_latency.bins.at.n, in_order.bins.at.n);
	for (size_t i = 0; i < in_order.bins.at.n; i++) {
		const struct ms_summary_entry *a = &by_latency.bins.at.at[i],
					      *b = &in_order.bins.at.at[i];

		assert_string_equal(a->name, b->name);
		assert_int_equal(ms_summary_rw_sum(a->counts.stall),
				 ms_summary_rw_sum(b->counts.stall));
		assert_int_equal(a->counts.levels[0].cycles.exposed, 0);
	}
	assert_int_equal(by_latency.total.counts.compute, 60000000);
	assert_int_equal(in_order.total.counts.compute, 60000000);
	run.by_latency = false;
	ms_summary_free(&by_latency);
	ms_summary_free(&in_order);
	ms_run_free(&plain);
}

/* Peers and remote memory: half of all latencies exposed is half of the stall. */
static void test_several_processors(void **state)
{
	struct ms_summary in_order, timed;
	struct ms_run parallel;
	struct ms_err err;

	(void)state;
	sample_parallel_run(&parallel);
	assert_int_equal(ms_summary_make(&in_order, &parallel, NULL, NULL, &err), MS_OK);
	parallel.core = MS_RUN_OUT_OF_ORDER;
	for (size_t i = 0; i < parallel.misses.n; i++) {
		struct ms_run_miss *m = &parallel.misses.at[i];
		bool further = i + 1 < parallel.misses.n && m[1].cell == m->cell &&
			       m[1].level == m->level + 1;
		uint64_t beyond = further ? sample_all_causes(&m[1]) : 0;

		m->exposed = (sample_all_causes(m) - beyond) * MS_RUN_MISS_UNIT / 2;
	}
	for (size_t i = 0; i < parallel.line_times.n; i++)
		parallel.line_times.at[i].cycles = parallel.line_times.at[i].instructions / 2;
	assert_int_equal(ms_summary_make(&timed, &parallel, NULL, NULL, &err), MS_OK);
	uint64_t whole = ms_summary_rw_sum(in_order.total.counts.stall),
		 half = ms_summary_rw_sum(timed.total.counts.stall);
	assert_true(whole > 1000 && half + 100 > whole / 2 && half < whole / 2 + 100);
	/* Divided by busy processors, compute and stall are half of it, too. */
	double normalised = in_order.total.counts.normalised / 2;
	assert_true(timed.total.counts.normalised > normalised * 0.999 &&
		    timed.total.counts.normalised < normalised * 1.001);
	ms_summary_free(&in_order);
	ms_summary_free(&timed);
	ms_run_free(&parallel);
}

static struct ms_diff_speedup speedup_of(const struct ms_run *const *before, size_t n_before,
					 const struct ms_run *const *after, size_t n_after)
{
	const struct ms_diff_options options = { NULL, NULL };
	struct ms_diff diff;
	struct ms_err err;

	if (ms_diff_make(&diff, (struct ms_diff_side){ before, n_before },
			 (struct ms_diff_side){ after, n_after }, &options, &err) != MS_OK)
		fail_msg("%s", err.text);
	struct ms_diff_speedup speedup = ms_diff_predict_speedup(&diff);
	ms_diff_free(&diff);
	return speedup;
}

static void test_predicted_speedup(void **state)
{
	struct ms_run slower, faster, plain;
	const struct ms_run *before[] = { &run, &slower }, *after[] = { &faster },
			    *other[] = { &plain };

	(void)state;
	sample_core_run(&slower);
	slower.compute_cycles += 1000000;
	sample_faster_core_run(&faster);
	sample_run(&plain);
	struct ms_diff_speedup whole = speedup_of(before, 1, after, 1);
	assert_true(whole.known && isnan(whole.low) && isnan(whole.high));
	assert_true(fabs(whole.milliseconds[0] - 45.97) < 0.01);
	assert_true(fabs(whole.times - whole.milliseconds[0] / whole.milliseconds[1]) < 1e-9);
	/* Twice the clock: half the time of the same cycles. */
	faster.clock_mhz = 4000;
	assert_true(fabs(speedup_of(before, 1, after, 1).times - 2 * whole.times) < 1e-9);
	faster.clock_mhz = 2000;
	/* Runs that differ have an error, which is relative to the side that has it. */
	struct ms_diff_speedup noisy = speedup_of(before, 2, after, 1);
	assert_true(noisy.known && noisy.low < noisy.times && noisy.high > noisy.times);
	assert_true(noisy.high / noisy.times < 1.2);
	assert_false(speedup_of(before, 1, other, 1).known);
	faster.by_latency = true;
	assert_false(speedup_of(before, 1, after, 1).known);
	ms_run_free(&slower);
	ms_run_free(&faster);
	ms_run_free(&plain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts_of_a_chain),
		cmocka_unit_test(test_parts_of_a_stream),
		cmocka_unit_test(test_compute_is_estimated),
		cmocka_unit_test(test_parts_add_up),
		cmocka_unit_test(test_other_latencies),
		cmocka_unit_test(test_by_latency),
		cmocka_unit_test(test_several_processors),
		cmocka_unit_test(test_predicted_speedup),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
