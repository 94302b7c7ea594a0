/* Intervals of ratios that are known from samples. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/ratio_interval.h"

static const double x[] = { 100, 100, 100, 0 }, y[] = { 9, 10, 11, 0 };

static void same(double a, double b)
{
	if (!(fabs(a - b) <= 1e-12 * fmax(1, fabs(b))))
		fail_msg("%.17g, expected %.17g", a, b);
}

/* Three parts, which differ from the mean by 1, 0 and 1; what was seen of the whole counts. */
static void one_stratum(void **state)
{
	struct ms_ratio_stratum s = { y, x, 4, 10 };

	(void)state;
	same(ms_ratio_spread(&s, 1), 4.303 * sqrt(1.5 * 2 * 0.9) / 300);
	s.scale = 1e15;
	same(ms_ratio_spread(&s, 1), 4.303 * sqrt(1.5 * 2) / 300);
	s.scale = 1;
	same(ms_ratio_spread(&s, 1), 0);
	s = (struct ms_ratio_stratum){ y, x, 1, 10 };
	assert_true(isnan(ms_ratio_spread(&s, 1)));
	s = (struct ms_ratio_stratum){ y + 3, x + 3, 1, 10 };
	assert_true(isnan(ms_ratio_spread(&s, 1)));
}

/* A stratum that was simulated whole adds references and no variance. The variance of a stratum
 * with a single part is estimated from its difference to the ratio. */
static void strata(void **state)
{
	const double all_x[] = { 700 }, all_y[] = { 70 }, far_x[] = { 100 }, far_y[] = { 10 };
	const struct ms_ratio_stratum s[] = {
		{ y, x, 4, 1e15 },
		{ all_y, all_x, 1, 1 },
		{ far_y, far_x, 1, 1e15 },
	};
	const struct ms_ratio_stratum some[] = { { all_y, all_x, 1, 1 }, { y, x, 4, 10 } };

	(void)state;
	same(ms_ratio_spread(s, 3), 4.303 * sqrt(1.5 * 2) / 400);
	same(ms_ratio_spread(some, 2), 4.303 * sqrt(100 * 1.5 * 2 * 0.9) / (700 + 3000));
	same(ms_ratio_spread(some, 1), 0);
}

static void quantiles(void **state)
{
	(void)state;
	same(ms_ratio_quantile(1), 12.706);
	same(ms_ratio_quantile(15), 2.131);
	same(ms_ratio_quantile(1000), 2.131);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_stratum),
		cmocka_unit_test(strata),
		cmocka_unit_test(quantiles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
