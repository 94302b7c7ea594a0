/* Estimates how many lines are used for the first time, and by which code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "estimate/first_use.h"

#include <math.h>

static bool is_near(double value, double truth, double off)
{
	return fabs(value - truth) <= off * truth;
}

/* Lines that are gone over so many times, of which a tenth is seen each time. */
static void estimates_number_of_lines(void **state)
{
	(void)state;
	for (int times = 1; times <= 64; times *= 2) {
		double seen = 1000 * (1 - pow(0.9, times)), references = 100 * times;

		assert_true(is_near(ms_estimate_lines(seen, references, 10), 1000, 0.25));
	}
	/* All is seen. */
	assert_true(is_near(ms_estimate_lines(1000, 5000, 1), 1000, 0.001));
}

/* One writes 1000 lines, of which a tenth is seen. Another reads them then, and references some of
 * these again. */
static struct ms_estimate_first_uses writer = {
	.group = 1, .unseen = 100, .weight = 1, .asked = 100
};
static struct ms_estimate_first_uses reader = {
	.at = 1, .group = 1, .unseen = 90, .weight = 1, .asked = 100, .seen = 10
};

static void attributes_lines_to_code(void **state)
{
	struct ms_estimate_first_uses uses[] = { reader, writer };
	double lines[] = { 0, INFINITY };

	(void)state;
	ms_estimate_first_use_shares(uses, 2, 10, lines);
	assert_int_equal(uses[0].at, writer.at);
	assert_true(uses[0].share > 0.9);
	assert_true(uses[1].share < 0.3);
	assert_true(is_near(lines[1], 100, 0.25));
}

static void never_exceeds_number_of_lines(void **state)
{
	struct ms_estimate_first_uses uses[] = { writer, reader };
	double lines[] = { 0, 50 };

	(void)state;
	ms_estimate_first_use_shares(uses, 2, 10, lines);
	assert_true(is_near(uses[0].share * 100 + uses[1].share * 90, 50, 0.001));
	assert_true(uses[0].share > uses[1].share);
}

/* None is referenced again, and the data is smaller than the extrapolation: all get equal parts. */
static void distributes_unattributed_lines(void **state)
{
	struct ms_estimate_first_uses uses[] = { writer, writer };
	double lines[] = { 0, 100 };

	(void)state;
	ms_estimate_first_use_shares(uses, 2, 10, lines);
	assert_true(is_near(uses[0].share, 0.5, 0.001));
	assert_true(is_near(uses[1].share, 0.5, 0.001));
}

/* Code that goes over few lines all the time does not make first uses of others fewer. */
static void distinguishes_hot_lines(void **state)
{
	struct ms_estimate_first_uses hot = {
		.at = 1, .group = 1, .unseen = 20, .weight = 1, .asked = 5000, .seen = 4980
	};
	struct ms_estimate_first_uses uses[] = { writer, hot };
	double lines[] = { 0, INFINITY };

	(void)state;
	ms_estimate_first_use_shares(uses, 2, 10, lines);
	assert_true(uses[0].share > 0.5);
	assert_true(uses[1].share < 0.3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(estimates_number_of_lines),
		cmocka_unit_test(attributes_lines_to_code),
		cmocka_unit_test(never_exceeds_number_of_lines),
		cmocka_unit_test(distributes_unattributed_lines),
		cmocka_unit_test(distinguishes_hot_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
