/* Asserts that an interval has the bounds that were computed by hand. Include after <cmocka.h>. */
#ifndef MS_TESTS_INTERVAL_ASSERTS_H
#define MS_TESTS_INTERVAL_ASSERTS_H

#include <math.h>

#include "analysis/confidence_intervals/intervals.h"

#define BETWEEN(b, low, high) between(__LINE__, b, low, high)

static bool is_near(double got, double wanted)
{
	return fabs(got - wanted) < 1e-9 * (1 + fabs(wanted));
}

static void between(int line, struct ms_intervals_bounds b, double low, double high)
{
	if (!is_near(b.low, low) || !is_near(b.high, high))
		fail_msg("line %d: %.12g to %.12g, expected %.12g to %.12g", line, b.low, b.high,
			 low, high);
}

#endif
