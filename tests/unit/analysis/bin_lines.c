/* Where bins are at home, line by line, and which data pushes each data out. */
#include "analysis/source_lines/bin_lines.h"
#include "analysis/summary/data_evictors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "unit/sample_run.h"

/* Every place belongs to its bin; those of a bin add up to it. */
static void places_add_up(void **state)
{
	struct ms_lines_of_bins places;
	struct ms_summary s;
	struct ms_err err;
	struct ms_run run;

	(void)state;
	sample_run(&run);
	assert_int_equal(ms_summary_make(&s, &run, NULL, NULL, &err), MS_OK);
	ms_lines_of_bins_make(&places, &s, SIZE_MAX, SIZE_MAX);
	assert_int_equal(places.left_out, 0);
	for (uint32_t bin = 0; bin < s.bins.at.n; bin++) {
		const struct ms_summary_entry *e = &s.bins.at.at[bin];
		uint64_t references = 0, stall = 0, misses = 0, last = UINT64_MAX;

		for (size_t i = 0; i < places.at.n; i++) {
			const struct ms_lines_of_bin *p = &places.at.at[i];

			if (p->bin != bin)
				continue;
			assert_int_equal(run.lines.at[p->line].code, e->code);
			assert_true(ms_summary_rw_sum(p->counts.stall) <=
				    last); /* the most first */
			last = ms_summary_rw_sum(p->counts.stall);
			references += ms_summary_rw_sum(p->counts.references);
			stall += last;
			misses += ms_summary_rw_sum(p->counts.levels[0].misses);
		}
		assert_int_equal(references, ms_summary_rw_sum(e->counts.references));
		assert_int_equal(stall, ms_summary_rw_sum(e->counts.stall));
		assert_int_equal(misses, ms_summary_rw_sum(e->counts.levels[0].misses));
	}
	ms_lines_of_bins_free(&places);
	ms_summary_free(&s);
	ms_run_free(&run);
}

/* Chosen bins have the same lines, and are numbered in the order of the choice. */
static void places_of_chosen_bins(void **state)
{
	struct ms_lines_of_bins all, some;
	struct ms_summary s;
	struct ms_err err;
	struct ms_run run;
	size_t n = 0;

	(void)state;
	sample_run(&run);
	assert_int_equal(ms_summary_make(&s, &run, NULL, NULL, &err), MS_OK);
	const uint32_t chosen[] = { (uint32_t)s.bins.at.n - 1, 0 };

	ms_lines_of_bins_make(&all, &s, SIZE_MAX, SIZE_MAX);
	ms_lines_of_some_bins_make(&some, &s, chosen, 2, SIZE_MAX, SIZE_MAX);
	for (uint32_t k = 0; k < 2; k++)
		for (size_t i = 0; i < all.at.n; i++) {
			if (all.at.at[i].bin != chosen[k])
				continue;
			assert_int_equal(some.at.at[n].bin, k);
			assert_int_equal(some.at.at[n].line, all.at.at[i].line);
			n++;
		}
	assert_int_equal(some.at.n, n);
	ms_lines_of_bins_free(&all);
	ms_lines_of_bins_free(&some);
	ms_summary_free(&s);
	ms_run_free(&run);
}

static void places_are_limited(void **state)
{
	struct ms_lines_of_bins all, one_each, two;
	struct ms_summary s;
	struct ms_err err;
	struct ms_run run;

	(void)state;
	sample_run(&run);
	assert_int_equal(ms_summary_make(&s, &run, NULL, NULL, &err), MS_OK);
	ms_lines_of_bins_make(&all, &s, SIZE_MAX, SIZE_MAX);
	ms_lines_of_bins_make(&one_each, &s, 1, SIZE_MAX);
	ms_lines_of_bins_make(&two, &s, SIZE_MAX, 2);
	assert_int_equal(one_each.at.n, s.bins.at.n);
	assert_int_equal(one_each.left_out, all.at.n - one_each.at.n);
	for (uint32_t i = 0; i < one_each.at.n; i++)
		assert_int_equal(one_each.at.at[i].bin, i);
	assert_int_equal(two.at.n, 2);
	assert_int_equal(two.left_out, all.at.n - 2);
	assert_int_equal(two.at.at[0].line, all.at.at[0].line);
	ms_lines_of_bins_free(&all);
	ms_lines_of_bins_free(&one_each);
	ms_lines_of_bins_free(&two);
	ms_summary_free(&s);
	ms_run_free(&run);
}

/* Those of a data and level add up to its replacement misses, the most first. */
static void replacers_add_up(void **state)
{
	struct ms_summary_data_evictors all;
	struct ms_summary s;
	struct ms_err err;
	struct ms_run run;

	(void)state;
	sample_run(&run);
	assert_int_equal(ms_summary_make(&s, &run, NULL, NULL, &err), MS_OK);
	ms_summary_data_evictors_make(&all, &s);
	assert_true(all.at.n > 0);
	for (size_t i = 0; i < s.data.at.n; i++) {
		const struct ms_summary_entry *e = &s.data.at.at[i];

		for (uint32_t level = 0; level < run.levels.n; level++) {
			uint64_t sum = 0, last = UINT64_MAX;

			for (size_t k = 0; k < all.at.n; k++) {
				if (all.at.at[k].data != e->data || all.at.at[k].by.level != level)
					continue;
				assert_true(all.at.at[k].by.count <= last);
				last = all.at.at[k].by.count;
				sum += last;
			}
			assert_int_equal(sum, e->counts.levels[level].causes[MS_CAUSE_REPLACED]);
		}
	}
	ms_summary_data_evictors_free(&all);
	ms_summary_free(&s);
	ms_run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_add_up),
		cmocka_unit_test(places_of_chosen_bins),
		cmocka_unit_test(places_are_limited),
		cmocka_unit_test(replacers_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
