/* From curves to figures: synthetic curves with known answers, and curves recorded on machines. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/mem.h"
#include "machine/curves.h"

#define N(curve) (sizeof(curve) / sizeof((curve)[0]))

static void assert_near(double got, double want, double tolerance)
{
	if (!(fabs(got - want) <= tolerance))
		fail_msg("found %g, expected %g", got, want);
}

static void rises(void **state)
{
	static const struct ms_machine_point step[] = { { 1, 5 }, { 2, 5 }, { 4, 15 }, { 8, 15 } };
	/* A single disturbed point before the rise is no rise. */
	static const struct ms_machine_point bump[] = { { 1, 5 }, { 2, 15 }, { 4, 5 }, { 8, 15 } };

	(void)state;
	assert_near(ms_machine_curve_rise(step, N(step), 10), 3, 1e-9);
	assert_near(ms_machine_curve_rise(step, N(step), 15), 4, 1e-9);
	assert_near(ms_machine_curve_rise(step, N(step), 16), 8, 1e-9);
	assert_near(ms_machine_curve_rise(step, N(step), 5), 1, 1e-9);
	assert_near(ms_machine_curve_rise(bump, N(bump), 10), 6, 1e-9);
}

static void below(void **state)
{
	static const struct ms_machine_point strides[] = {
		{ 64, 3 }, { 128, 8 }, { 256, 90 }, { 512, 4 }
	};

	(void)state;
	assert_near(ms_machine_curve_below(strides, N(strides), 50), 128, 0);
	assert_near(ms_machine_curve_below(strides, N(strides), 100), 512, 0);
	assert_near(ms_machine_curve_below(strides, N(strides), 2), 0, 0);
}

/* A processor with ten misses in flight, and one recorded on a Neoverse V1. */
static void overlap(void **state)
{
	static const struct ms_machine_point recorded[] = {
		{ 1, 134.52 }, { 2, 67.23 }, { 4, 34.10 }, { 8, 17.08 },
		{ 12, 11.72 }, { 16, 9.06 }, { 20, 7.73 }, { 24, 7.21 },
		{ 28, 7.01 },  { 32, 6.91 }, { 40, 6.87 }, { 48, 6.82 },
	};
	struct ms_machine_point ten[32];

	(void)state;
	for (size_t i = 0; i < N(ten); i++)
		ten[i] = (struct ms_machine_point){ (double)(i + 1),
						    100 / fmin((double)(i + 1), 10) };
	assert_near(ms_machine_curve_overlap(ten, N(ten)), 10, 1e-9);
	assert_near(ms_machine_curve_overlap(ten, 1), 1, 1e-9);
	assert_near(ms_machine_curve_overlap(recorded, N(recorded)), 19.7, 0.1);
}

#define MB(n) ((n)*1048576.0)

static void usable(void **state)
{
	/* On a Neoverse V1 whose last level of 32 MiB many others use. */
	static const struct ms_machine_point busy[] = {
		{ MB(2), 21.2 },   { MB(2.5), 23.6 }, { MB(3), 25.7 },   { MB(4), 33.9 },
		{ MB(6), 108.5 },  { MB(8), 107.5 },  { MB(12), 121.3 }, { MB(16), 123.6 },
		{ MB(32), 130.4 }, { MB(48), 130.6 },
	};
	static const struct ms_machine_point alone[] = {
		{ MB(2), 20 }, { MB(16), 21 }, { MB(31), 25 }, { MB(40), 90 }, { MB(48), 100 },
	};
	static const struct ms_machine_point never[] = { { MB(2), 20 }, { MB(48), 21 } };

	(void)state;
	assert_near(ms_machine_curve_usable(busy, N(busy), 132, MB(32)), 16, 1);
	assert_near(ms_machine_curve_usable(alone, N(alone), 100, MB(32)), 100, 0);
	assert_near(ms_machine_curve_usable(never, N(never), 100, MB(32)), 100, 0);
	/* Nothing distinguishes the level from memory. */
	assert_true(isnan(ms_machine_curve_usable(busy, N(busy), 22, MB(32))));
}

static const double pages[] = { 8,    16,   24,   32,   36,   40,   44,   48,   64,
				96,   128,  256,  512,  768,  1024, 1280, 1536, 1792,
				2048, 2304, 2560, 3072, 4096, 6144, 8192, 16384 };

/* A first level of `first` entries, a second one of `second`; lines of all pages in one cache. */
static struct ms_machine_tlb_curve evaluate(double first, double second, double latency,
					    double walk)
{
	struct ms_machine_point spread[N(pages)], dense[N(pages)];

	for (size_t i = 0; i < N(pages); i++) {
		spread[i] = dense[i] =
			(struct ms_machine_point){ pages[i], pages[i] > 1024 ? 14 : 5 };
		if (pages[i] > first)
			spread[i].y += latency;
		if (pages[i] > second)
			spread[i].y += walk;
	}
	return ms_machine_curve_tlb(spread, dense, N(pages), 1024);
}

static void tlb(void **state)
{
	static const double sizes[][2] = { { 48, 2048 }, { 64, 1536 }, { 72, 3072 } };

	(void)state;
	for (size_t i = 0; i < N(sizes); i++) {
		struct ms_machine_tlb_curve got = evaluate(sizes[i][0], sizes[i][1], 7, 30);

		/* Between two numbers of pages that were tried. */
		assert_near(got.entries, sizes[i][0], 32);
		assert_near(got.second_entries, sizes[i][1], 600);
		assert_near(got.second_latency, 7, 0.01);
		assert_near(got.walk_latency, 37, 0.01);
	}
}

/* No rise: no second level, no walk was seen; the figures stay those of the family. */
static void no_tlb(void **state)
{
	struct ms_machine_tlb_curve got = evaluate(1e9, 1e9, 0, 0);

	(void)state;
	assert_near(got.entries, 0, 0);
	assert_near(got.second_latency, 0, 0);
	assert_near(got.second_entries, 0, 0);
	assert_near(got.walk_latency, 0, 0);
	got = evaluate(40, 1e9, 5, 0);
	assert_near(got.second_latency, 5, 0.01);
	assert_near(got.walk_latency, 0, 0);
}

/* Recorded on a Neoverse V1 in a virtual machine while other programs ran. */
static void recorded_tlb(void **state)
{
	static const double spread_y[] = { 7.73,  7.72,  7.73,   7.73,   7.73,  10.47, 12.52,
					   12.52, 12.52, 12.52,  12.52,  12.52, 12.53, 12.59,
					   12.66, 19.39, 39.34,  61.47,  67.60, 75.94, 71.60,
					   71.45, 76.80, 140.99, 131.90, 388.39 };
	static const double dense_y[] = { 7.72,  7.72,  7.72,  7.72,  7.72,  7.72,  7.72,
					  7.73,  7.72,  7.72,  7.72,  7.72,  7.73,  7.74,
					  7.84,  14.22, 14.29, 14.21, 14.19, 14.25, 14.37,
					  15.21, 16.05, 17.38, 19.43, 44.59 };
	struct ms_machine_point spread[N(pages)], dense[N(pages)];

	(void)state;
	assert_int_equal(N(spread_y), N(pages));
	assert_int_equal(N(dense_y), N(pages));
	for (size_t i = 0; i < N(pages); i++) {
		spread[i] = (struct ms_machine_point){ pages[i], spread_y[i] };
		dense[i] = (struct ms_machine_point){ pages[i], dense_y[i] };
	}
	struct ms_machine_tlb_curve got = ms_machine_curve_tlb(spread, dense, N(pages), 1024);

	assert_near(got.entries, 40, 1);
	assert_near(got.second_latency, 4.8, 0.1);
	assert_near(got.second_entries, 1600, 100);
	assert_near(got.walk_latency, 58, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rises),        cmocka_unit_test(below), cmocka_unit_test(overlap),
		cmocka_unit_test(usable),       cmocka_unit_test(tlb),   cmocka_unit_test(no_tlb),
		cmocka_unit_test(recorded_tlb),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
