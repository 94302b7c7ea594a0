/* Estimates of a sampled run, computed by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/accuracy/accuracy.h"
#include "analysis/confidence_intervals/unknown_refs.h"

#define SAME(a, b)                                                                        \
	do {                                                                              \
		if (!(fabs((a) - (b)) < 1e-9))                                            \
			fail_msg("line %d: %.12g, expected %.12g", __LINE__, (double)(a), \
				 (double)(b));                                            \
	} while (0)

/*
 * 1000 references in two parts of 500, one cell, two data; of 40 misses known in the first part and
 * 60 in the second 100 in all, 60 unknown hits and 20 unknown misses.
 */
static void make_run(struct ms_run *run)
{
	memset(run, 0, sizeof(*run));
	run->id = 2;
	run->machine = "case";
	run->processors = run->nodes = 1;
	run->memory_latency = 10;
	*ms_vec_add(&run->levels) =
		(struct ms_run_level){ .name = "L1", .size = 6400, .ways = 1, .line = 64 };
	*ms_vec_add(&run->codes) = (struct ms_run_code){ .name = "f", .module = "m" };
	*ms_vec_add(&run->lines) = (struct ms_run_line){ .code = 0 };
	*ms_vec_add(&run->sites) = (struct ms_run_site){ .line = 0 };
	*ms_vec_add(&run->data) = (struct ms_run_data){ .name = "X", .full_name = "X" };
	*ms_vec_add(&run->data) = (struct ms_run_data){ .name = "Y", .full_name = "Y" };
	*ms_vec_add(&run->cells) = (struct ms_run_cell){ .references = 10000 };
	*ms_vec_add(&run->misses) = (struct ms_run_miss){ .causes = { 200, 900, 0 } };
	*ms_vec_add(&run->samplings) = (struct ms_run_sampling){ .ratio = 0.1,
								 .window = 500,
								 .sets = 1,
								 .windows = 2,
								 .references = 1000,
								 .total = 10000,
								 .exact = 1,
								 .scale = 10,
								 .time_scale = 10,
								 .parts = 16 };
	*ms_vec_add(&run->sampled_levels) = (struct ms_run_sampled_level){ 0, 100, 80 };
	/* Dead for 700 of 1000; X alone, 0.9. */
	*ms_vec_add(&run->sampled_lives) = (struct ms_run_sampled_life){ 0, 0, 10, 450, 500 };
	*ms_vec_add(&run->sampled_lives) = (struct ms_run_sampled_life){ 0, 1, 4, 250, 500 };
	for (uint32_t p = 0; p < 2; p++) {
		*ms_vec_add(&run->sampled_references) =
			(struct ms_run_sampled_reference){ 0, p, 500 };
		*ms_vec_add(&run->sampled_misses) = (struct ms_run_sampled_miss){
			.part = p, .known = 40 + 20 * p, .unknown_hits = 30, .unknown_misses = 10
		};
	}
}

static void rates(void **state)
{
	struct ms_intervals_estimates estimates;
	struct ms_run run;

	(void)state;
	make_run(&run);
	ms_intervals_estimates_make(&estimates, &run, NULL, NULL);
	const struct ms_intervals_level_estimate *e = &estimates.levels.at[0];
	assert_int_equal(e->references, 1000);
	assert_int_equal(e->known, 100);
	assert_int_equal(e->unknown, 80);
	assert_int_equal(e->generations, 14);
	SAME(e->generations_each, 14.0 / (2 * 100));
	SAME(e->rate[MS_ESTIMATE_RUN], 0.110); /* 1100 of 10000 */
	SAME(e->rate[MS_ESTIMATE_STITCHED], 0.120);
	SAME(e->rate[MS_ESTIMATE_HALF], 0.140);
	/* A window references 40 of 100 lines, 70 are dead, and so are the 60 that it does not
	 * reference: 10 of 40. */
	SAME(e->mu[MS_ESTIMATE_DEAD], 0.25);
	SAME(e->rate[MS_ESTIMATE_DEAD], 0.120);
	/* All unknown ones are X's: 0.9 instead of 0.7. */
	SAME(e->mu[MS_ESTIMATE_DATA_DEAD], 0.25 * 0.9 / 0.7);
	SAME(e->mu[MS_ESTIMATE_RUN], 10.0 / 80);
	/* Parts differ from the mean by 10: sqrt(2 * 200 * 0.9) / 1000, times Student's; and of 80
	 * unknown references, of lines that were seen before, 20 miss. */
	const struct ms_intervals_unknown_refs unknown = { .seen_before = 80,
							   .seen_before_misses = 20 };
	const struct ms_intervals_unknown_total level = { .all = 80,
							  .uniform_evicted = 0.5,
							  .is_first = true };
	double off = hypot(12.706 * sqrt(2 * 200 * 0.9),
			   1.96 * ms_intervals_unknown_refs_error(&unknown, &level)) /
		     1000;
	SAME(e->low, fmax(0, 0.12 - off));
	/* And three misses that no window contains. */
	SAME(e->high, 0.12 + off + 3.0 / 1000);
	ms_intervals_estimates_free(&estimates);
	ms_run_free(&run);
}

static void parts(void **state)
{
	(void)state;
	SAME(ms_intervals_dead_mu(0.7, 100, 100), 0.7);
	SAME(ms_intervals_dead_mu(0.3, 100, 40), 0);
	SAME(ms_intervals_dead_mu(1, 100, 40), 1);
	assert_true(isnan(ms_intervals_dead_mu(1, 100, 0)));
}

static void accuracy_of_a_sampled_run(void **state)
{
	struct ms_run sampled, whole;
	struct ms_accuracy a;
	struct ms_err err;

	(void)state;
	make_run(&sampled);
	make_run(&whole);
	whole.id = 1;
	assert_int_equal(ms_accuracy_make(&a, &whole, &sampled, &err), MS_EUSAGE);
	whole.samplings.n = whole.sampled_levels.n = whole.sampled_lives.n = 0;
	whole.sampled_references.n = whole.sampled_misses.n = 0;
	whole.misses.at[0].causes[MS_CAUSE_FIRST] = 100;
	assert_int_equal(ms_accuracy_make(&a, &whole, &whole, &err), MS_EUSAGE);
	assert_int_equal(ms_accuracy_make(&a, &whole, &sampled, &err), MS_OK);
	SAME(a.levels.at[0].rate, 0.1);
	assert_true(a.levels.at[0].covered);
	SAME(a.levels.at[0].causes[MS_CAUSE_FIRST], 0.1);
	SAME(a.levels.at[0].sampled_causes[MS_CAUSE_FIRST], 2.0 / 11);
	assert_int_equal(a.bins.n, 1);
	assert_int_equal(a.in_order, 1);
	ms_accuracy_free(&a);
	whole.levels.at[0].ways = 2;
	assert_int_equal(ms_accuracy_make(&a, &whole, &sampled, &err), MS_EUSAGE);
	ms_run_free(&sampled);
	ms_run_free(&whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(rates), cmocka_unit_test(parts),
					    cmocka_unit_test(accuracy_of_a_sampled_run) };

	return cmocka_run_group_tests_name("analysis estimate", tests, NULL, NULL);
}
