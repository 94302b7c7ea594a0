/* Estimates the references between windows, from time and from allocations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "estimate/between_windows.h"

enum { GAPS = 64, EACH = 5000, IN = 500, PER_BLOCK = 10 };

static const struct ms_estimate_gap_range usual = { 0.85, 1, false };

/* A program that makes a reference after another, PER_BLOCK of them for each block, and whose
 * estimate from time is this part of its references. */
static void make(struct ms_estimate_gap *gaps, double part, uint64_t undisturbed)
{
	for (uint32_t i = 0; i < GAPS; i++)
		gaps[i] = (struct ms_estimate_gap){ .by_time = part * EACH,
						    .blocks = EACH / PER_BLOCK,
						    .timed = { 10, undisturbed },
						    .window = i,
						    .references = IN,
						    .blocks_in = IN / PER_BLOCK };
}

static struct ms_estimate_interval estimate(const struct ms_estimate_gap *gaps)
{
	return ms_estimate_between_windows(gaps, GAPS, &usual);
}

static bool is_about(double a, double b)
{
	return a > 0.95 * b && a < 1.05 * b;
}

static const double truth = (double)GAPS * EACH;

static void uses_allocations_if_windows_are_alike(void **state)
{
	const double parts[] = { 0.3, 0.5, 1.3 };
	struct ms_estimate_gap gaps[GAPS];

	(void)state;
	for (unsigned i = 0; i < MS_COUNT(parts); i++) {
		make(gaps, parts[i], 2);
		struct ms_estimate_interval e = estimate(gaps);
		assert_true(is_about(e.references, truth));
		assert_true(e.low < truth && truth < e.high && e.high < 1.3 * truth);
	}
}

/* A short phase that only allocates, outside of all windows. */
static void widens_interval_if_a_gap_has_far_more_allocations(void **state)
{
	struct ms_estimate_gap gaps[GAPS];

	(void)state;
	make(gaps, 1, 2);
	for (uint32_t i = 5; i < GAPS; i += 16)
		gaps[i].blocks *= 10;
	struct ms_estimate_interval e = estimate(gaps);
	assert_true(e.low < truth && truth < e.high);
}

static void uses_time_if_nothing_is_allocated(void **state)
{
	struct ms_estimate_gap gaps[GAPS];

	(void)state;
	make(gaps, 1, 8);
	for (unsigned i = 0; i < GAPS; i++)
		gaps[i].blocks = gaps[i].blocks_in = i == 3;
	struct ms_estimate_interval e = estimate(gaps);
	assert_true(is_about(e.references, truth));
	assert_true(is_about(e.low, 0.85 * truth) && is_about(e.high, 1.5 * truth));
}

/* A few blocks, or a few windows, do not show how many references there are for each block. */
static void needs_many_allocations_and_windows(void **state)
{
	struct ms_estimate_gap gaps[GAPS];

	(void)state;
	/* Nine blocks in windows, which say ten times as much as time. */
	make(gaps, 1, 8);
	for (unsigned i = 0; i < GAPS; i++)
		gaps[i].blocks_in = i % 16 < 9;
	assert_true(is_about(estimate(gaps).references, truth));
	make(gaps, 1, 8);
	for (unsigned i = 0; i < GAPS; i++) {
		gaps[i].blocks_in = 10;
		gaps[i].references = i % 16 < 2 ? IN : 0;
	}
	assert_true(is_about(estimate(gaps).references, truth));
}

/* The tracer had so much to do that nothing could be timed: the estimate was twice the
 * references of longjmp, and half of those of a private allocator. */
static void widens_interval_if_all_was_disturbed(void **state)
{
	const double parts[] = { 0.3, 2.8 };
	struct ms_estimate_gap gaps[GAPS];

	(void)state;
	for (unsigned k = 0; k < MS_COUNT(parts); k++) {
		make(gaps, parts[k], 0);
		for (unsigned i = 0; i < GAPS; i++)
			gaps[i].blocks = gaps[i].blocks_in = 0;
		struct ms_estimate_interval e = estimate(gaps);
		assert_true(e.low < truth && truth < e.high);
	}
}

/* Sprints are so short that all of them is warming up: a hundredth in windows of 50K, sqlite3. */
static void uses_allocations_whatever_time_gives(void **state)
{
	struct ms_estimate_gap gaps[GAPS];

	(void)state;
	make(gaps, 0.03, 0);
	struct ms_estimate_interval e = estimate(gaps);
	assert_true(is_about(e.references, truth) && e.low < truth && truth < e.high);
}

/* Those outside allocate as if they were in the window that is open. */
static void widens_interval_of_threads(void **state)
{
	const struct ms_estimate_gap_range threads = { 0.5, 1, true };
	struct ms_estimate_gap gaps[GAPS];

	(void)state;
	make(gaps, 0.6, 4);
	for (unsigned i = 0; i < GAPS; i++)
		gaps[i].blocks_in *= 1.35;
	struct ms_estimate_interval e = ms_estimate_between_windows(gaps, GAPS, &threads);
	assert_true(e.low < truth && truth < e.high);
}

/* Some code allocates and some does not, by turns; windows differ as much as they can. */
static void weights_allocations_less_if_windows_differ(void **state)
{
	struct ms_estimate_gap gaps[GAPS];

	(void)state;
	make(gaps, 1, 8);
	for (unsigned i = 0; i < GAPS; i++)
		gaps[i].blocks_in *= i % 8 == 0 ? 3 : 0;
	struct ms_estimate_interval e = estimate(gaps);
	assert_true(e.references > truth && e.references < 1.35 * truth);
	assert_true(e.low < truth && truth < e.high);
}

/* A phase that allocates, whose time says half of it, and one that does not. */
static void estimates_phases_one_by_one(void **state)
{
	struct ms_estimate_gap gaps[GAPS];

	(void)state;
	make(gaps, 0.5, 2);
	for (unsigned i = GAPS / 2; i < GAPS; i++) {
		gaps[i].by_time = EACH;
		gaps[i].blocks = gaps[i].blocks_in = 0;
		gaps[i].timed.undisturbed = 8;
	}
	assert_true(is_about(estimate(gaps).references, truth));
}

/* The program's own allocator is seen in windows only, and in sprints, which are a twentieth. */
static void handles_unrecorded_allocations(void **state)
{
	struct ms_estimate_gap gaps[GAPS];

	(void)state;
	make(gaps, 1, 8);
	for (unsigned i = 0; i < GAPS; i++)
		gaps[i].blocks /= 20;
	assert_true(is_about(estimate(gaps).references, truth));
}

/* Time says a fifth of what blocks do, and seems to be sure of it. */
static void covers_both_if_they_disagree(void **state)
{
	struct ms_estimate_gap gaps[GAPS];

	(void)state;
	make(gaps, 0.2, 8);
	struct ms_estimate_interval e = estimate(gaps);
	assert_true(e.low <= 0.2 * truth && e.high >= truth);
}

/* It is unknown which blocks belong to what was counted, and whether anything else was done. */
static void widens_interval_of_untimed_gaps(void **state)
{
	struct ms_estimate_gap gaps[GAPS];

	(void)state;
	make(gaps, 1, 8);
	for (unsigned i = 0; i < GAPS; i++)
		gaps[i].counted = true;
	struct ms_estimate_interval e = estimate(gaps);
	assert_true(is_about(e.references, truth) && e.low == 0 && e.high > 1.3 * truth);
}

static void empty_input_has_no_estimate(void **state)
{
	struct ms_estimate_interval e = ms_estimate_between_windows(NULL, 0, &usual);

	(void)state;
	assert_true(e.references == 0 && e.low == 0 && e.high == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uses_allocations_if_windows_are_alike),
		cmocka_unit_test(widens_interval_if_a_gap_has_far_more_allocations),
		cmocka_unit_test(uses_time_if_nothing_is_allocated),
		cmocka_unit_test(needs_many_allocations_and_windows),
		cmocka_unit_test(widens_interval_if_all_was_disturbed),
		cmocka_unit_test(uses_allocations_whatever_time_gives),
		cmocka_unit_test(widens_interval_of_threads),
		cmocka_unit_test(weights_allocations_less_if_windows_differ),
		cmocka_unit_test(estimates_phases_one_by_one),
		cmocka_unit_test(handles_unrecorded_allocations),
		cmocka_unit_test(covers_both_if_they_disagree),
		cmocka_unit_test(widens_interval_of_untimed_gaps),
		cmocka_unit_test(empty_input_has_no_estimate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
