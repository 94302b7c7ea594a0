/* The interval of the number of references of a program in which they were not counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "estimate/scale.h"

enum { MILLION = 1000000 };

/* Natively, in windows and between them: references between windows are estimated from time. */
static struct ms_estimate_scale scale_of(uint64_t in, uint64_t out, uint64_t counted, uint32_t gaps)
{
	const struct ms_stream_sampling sampling = { .ratio = 0.01,
						     .window = 10000,
						     .sets = { .every = 1 } };
	struct ms_estimate_windows windows = { .stratum = 0 };
	struct ms_engine_windows_totals sampled = { .windows = gaps };

	*ms_vec_add(&sampled.references) = (struct ms_engine_windows_total_references){ 0, 0, in };
	windows.strata[0] = (struct ms_estimate_sums){
		.in = { in, MS_WIRE_NOT_KNOWN, in },
		.out = { MS_WIRE_NOT_KNOWN, MS_WIRE_NOT_KNOWN, out },
		.counted = counted,
	};
	for (uint32_t i = 0; i < gaps; i++)
		*ms_vec_add(&windows.strata[0].gaps) =
			(struct ms_estimate_gap){ .by_time = (double)(out - counted) / gaps };
	struct ms_estimate_scale scale = ms_estimate_find_scale(&windows, &sampling, &sampled, in);

	ms_vec_free(&windows.strata[0].gaps);
	ms_engine_windows_free_totals(&sampled);
	return scale;
}

/* Estimates for perl, which makes 91 million references in 25 ms. */
static void short_program_has_higher_upper_bound(void **state)
{
	const uint64_t millions[] = { 22, 25, 36, 43 };
	const uint32_t windows[] = { 23, 5, 74, 87 };

	(void)state;
	for (unsigned i = 0; i < MS_COUNT(millions); i++) {
		struct ms_estimate_scale scale =
			scale_of(MILLION, millions[i] * MILLION, 0, windows[i]);

		assert_true(scale.low < 91e6 && 91e6 < scale.high);
	}
}

static void long_program_has_narrower_interval(void **state)
{
	struct ms_estimate_scale scale = scale_of(10 * MILLION, (uint64_t)1000 * MILLION, 0, 200);

	(void)state;
	assert_true(scale.low > 0.75 * 1010e6 && scale.high < 1.65 * 1010e6);
}

/* Code that was counted at first is not new any more. */
static void counted_start_narrows_interval(void **state)
{
	struct ms_estimate_scale scale =
		scale_of(10 * MILLION, (uint64_t)122 * MILLION, 100 * MILLION, 44);

	(void)state;
	assert_true(scale.low > 125e6 && scale.high < 155e6);
}

/* Killed, or left, before its first window closed: all of it was seen, and it takes that time. */
static void first_window_is_not_scaled(void **state)
{
	const struct ms_stream_sampling sampling = { .ratio = 0.01,
						     .window = 10000,
						     .sets = { .every = 1 } };
	struct ms_estimate_windows windows = { .stratum = 0 };
	struct ms_engine_windows_totals sampled = { .windows = 1 };

	(void)state;
	*ms_vec_add(&sampled.references) =
		(struct ms_engine_windows_total_references){ 0, 0, MILLION };
	windows.strata[0] = (struct ms_estimate_sums){ .in = { 0, MS_WIRE_NOT_KNOWN, 0 },
						       .out = { 0, MS_WIRE_NOT_KNOWN, 0 },
						       .open = true };
	struct ms_estimate_scale scale =
		ms_estimate_find_scale(&windows, &sampling, &sampled, MILLION);
	assert_true(scale.counts == 1 && scale.time == 1);
	ms_engine_windows_free_totals(&sampled);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_program_has_higher_upper_bound),
		cmocka_unit_test(long_program_has_narrower_interval),
		cmocka_unit_test(counted_start_narrows_interval),
		cmocka_unit_test(first_window_is_not_scaled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
