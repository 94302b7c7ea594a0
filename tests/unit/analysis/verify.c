/* Measured gains: medians of pairs, and their intervals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/verify/verify.h"
#include "base/compiler.h"

static void a_disturbed_round_does_not_change_the_gain(void **state)
{
	static const double before[] = { 2, 2, 2, 2, 2 }, after[] = { 1, 1, 7, 1, 1 };
	struct ms_verify v;

	(void)state;
	ms_verify_make(&v, before, after, MS_COUNT(before));
	assert_float_equal(v.gain, 0.5, 1e-9);
	assert_float_equal(v.gain_low, -2.5, 1e-9);
	assert_float_equal(v.gain_high, 0.5, 1e-9);
	assert_float_equal(v.after.median, 1, 1e-9);
	assert_float_equal(v.before.fastest, 2, 1e-9);
}

/* Of n values, the k-th smallest and largest contain the median with 95 %. */
static void intervals_have_the_ranks_of_the_sign_test(void **state)
{
	static const struct {
		size_t n, k;
	} cases[] = { { 1, 1 }, { 5, 1 },  { 6, 1 },  { 8, 1 },
		      { 9, 2 }, { 11, 2 }, { 12, 3 }, { 20, 6 } };
	double before[20], after[20];

	(void)state;
	for (size_t i = 0; i < 20; i++) {
		before[i] = 100;
		after[i] = 50 - (double)i;
	}
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_verify v;
		size_t n = cases[i].n, k = cases[i].k;

		ms_verify_make(&v, before, after, n);
		assert_float_equal(v.gain_low, 0.5 + 0.01 * (double)(k - 1), 1e-9);
		assert_float_equal(v.gain_high, 0.5 + 0.01 * (double)(n - k), 1e-9);
	}
}

static void gains_agree_within_a_factor(void **state)
{
	(void)state;
	assert_true(ms_verify_is_within(0.3, 0.2, 1.5));
	assert_true(ms_verify_is_within(0.2, 0.3, 1.5));
	assert_false(ms_verify_is_within(0.31, 0.2, 1.5));
	assert_false(ms_verify_is_within(0.3, -0.2, 1.5));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_disturbed_round_does_not_change_the_gain),
		cmocka_unit_test(intervals_have_the_ranks_of_the_sign_test),
		cmocka_unit_test(gains_agree_within_a_factor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
