/* What parts of a sample differ by within strata of known size: by hand, and over many draws from a
 * population of which all is known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/confidence_intervals/poststratified.h"
#include "base/ratio_interval.h"

enum { PARTS = 16, SITES = 12, PERIODS = 96, SCALE = 10, WINDOWS = PERIODS * SCALE };

static double sum(const double *at, size_t n)
{
	double all = 0;

	for (size_t i = 0; i < n; i++)
		all += at[i];
	return all;
}

/* --- by hand --- */

/* A site that windows meet more or less often, and that always misses half of the time. */
static void number_of_windows_with_a_site_does_not_matter(void **state)
{
	double stratum[4] = { 100, 300, 0, 200 }, all[4] = { 1000, 1000, 1000, 1000 };
	double y[4] = { 50, 150, 0, 100 };

	(void)state;
	ms_intervals_poststratify(y, stratum, all, 4);
	for (size_t p = 0; p < 4; p++)
		assert_true(fabs(y[p] - 75) < 1e-9);
}

static void residuals_are_from_the_other_parts(void **state)
{
	double stratum[2] = { 100, 300 }, all[2] = { 500, 500 }, y[2] = { 20, 100 };

	(void)state;
	ms_intervals_poststratify(y, stratum, all, 2);
	/* Ratios of 0.2 and 1 / 3, of both 0.3: -10 * 400 / 300, and 10 * 400 / 100. */
	assert_true(fabs(y[0] + y[1] - 120) < 1e-9);
	assert_true(fabs(y[1] - y[0] - (40 + 40.0 / 3)) < 1e-9);
}

static void a_site_of_one_part_stays_as_it_is(void **state)
{
	double stratum[3] = { 0, 100, 0 }, all[3] = { 500, 500, 500 }, y[3] = { 0, 30, 0 };

	(void)state;
	ms_intervals_poststratify(y, stratum, all, 3);
	assert_true(y[0] == 0 && y[1] == 30 && y[2] == 0);
	ms_intervals_poststratify_references(y, stratum, all, 3);
	for (size_t p = 0; p < 3; p++)
		assert_true(fabs(y[p] - 10) < 1e-9);
}

/* --- draws --- */

static uint64_t seed;

static double draw(void)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(seed >> 11) / (double)(UINT64_C(1) << 53);
}

struct window {
	double references[SITES], misses[SITES];
};
static struct window windows[WINDOWS];

/* Windows are in one of two phases, with other code each; how often a site misses varies by half.
 */
static void make_population(void)
{
	for (size_t w = 0; w < WINDOWS; w++) {
		bool first = w / 40 % 2 == 0;

		for (size_t s = 0; s < SITES; s++) {
			double usual = (s < SITES / 2) == first ? 1000 : 50;
			double rate = (double)(1 + s) / (2 * SITES);

			windows[w].references[s] = usual * draw();
			windows[w].misses[s] =
				windows[w].references[s] * rate * (0.75 + 0.5 * draw());
		}
	}
}

static double truth(double *site_references)
{
	double misses = 0, references = 0;

	memset(site_references, 0, SITES * sizeof(*site_references));
	for (size_t w = 0; w < WINDOWS; w++) {
		for (size_t s = 0; s < SITES; s++) {
			site_references[s] += windows[w].references[s];
			misses += windows[w].misses[s];
		}
	}
	references = sum(site_references, SITES);
	return misses / references;
}

struct estimate {
	double rate, stratified, plain; /* half widths */
};

/* One window of each period, anywhere in it. */
static struct estimate sample(const double *site_references)
{
	double x[SITES][PARTS] = { { 0 } }, y[SITES][PARTS] = { { 0 } };
	double all[PARTS] = { 0 }, plain[PARTS] = { 0 }, stratified[PARTS] = { 0 };
	struct estimate e;

	for (size_t i = 0; i < PERIODS; i++) {
		const struct window *w = &windows[i * SCALE + (size_t)(draw() * SCALE)];

		for (size_t s = 0; s < SITES; s++) {
			x[s][i % PARTS] += w->references[s];
			y[s][i % PARTS] += w->misses[s];
		}
	}
	for (size_t s = 0; s < SITES; s++) {
		double factor = site_references[s] / SCALE / sum(x[s], PARTS);

		for (size_t p = 0; p < PARTS; p++) {
			x[s][p] *= factor;
			y[s][p] *= factor;
			all[p] += x[s][p];
			plain[p] += y[s][p];
		}
	}
	for (size_t s = 0; s < SITES; s++) {
		ms_intervals_poststratify(y[s], x[s], all, PARTS);
		for (size_t p = 0; p < PARTS; p++)
			stratified[p] += y[s][p];
	}
	e.rate = sum(plain, PARTS) / sum(all, PARTS);
	e.stratified =
		ms_ratio_spread(&(struct ms_ratio_stratum){ stratified, all, PARTS, SCALE }, 1);
	e.plain = ms_ratio_spread(&(struct ms_ratio_stratum){ plain, all, PARTS, SCALE }, 1);
	return e;
}

static void holds_in_95_of_100_draws(void **state)
{
	enum { DRAWS = 1000 };
	double site_references[SITES], rate, widths = 0, plain = 0;
	unsigned inside = 0;

	(void)state;
	seed = 1;
	make_population();
	rate = truth(site_references);
	for (unsigned i = 0; i < DRAWS; i++) {
		struct estimate e = sample(site_references);

		inside += fabs(e.rate - rate) <= e.stratified;
		widths += e.stratified;
		plain += e.plain;
	}
	if (inside < DRAWS * 93 / 100 || inside > DRAWS * 98 / 100)
		fail_msg("%u of %d", inside, DRAWS);
	/* Windows differ by which code they meet much more than by what that does. */
	assert_true(widths < plain / 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(number_of_windows_with_a_site_does_not_matter),
		cmocka_unit_test(residuals_are_from_the_other_parts),
		cmocka_unit_test(a_site_of_one_part_stays_as_it_is),
		cmocka_unit_test(holds_in_95_of_100_draws),
	};

	return cmocka_run_group_tests_name("analysis poststratified", tests, NULL, NULL);
}
