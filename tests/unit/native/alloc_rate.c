/* When allocations tell how many references a program makes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../../../frontends/native/sampling/alloc_rate.c"

enum { LEAST = 3000000 };

/* Batches of 3 M references, which have these blocks in turn. */
static struct ms_sampling_alloc_rate of(uint32_t batches, uint64_t first, uint64_t second)
{
	struct ms_sampling_alloc_rate rate = { .blocks = 1000 }; /* of the parent process */
	uint64_t blocks = rate.blocks;

	for (uint32_t i = 1; i <= batches; i++) {
		blocks += i % 2 != 0 ? first : second;
		ms_sampling_add_alloc_batch(&rate, (uint64_t)i * LEAST, blocks, LEAST);
	}
	return rate;
}

static void often_and_evenly(void **state)
{
	struct ms_sampling_alloc_rate rate = of(32, 5000, 6000);

	(void)state;
	assert_int_equal(rate.n, 32);
	assert_true(ms_sampling_is_alloc_rate_steady(&rate));
	/* The standard error is d / m * sqrt(n / (n - 1) / n), d the difference from the mean m. */
	rate = of(32, 5000, 6900);
	assert_true(ms_sampling_is_alloc_rate_steady(&rate));
	rate = of(32, 5000, 7500);
	assert_false(ms_sampling_is_alloc_rate_steady(&rate));
	rate = of(32, 20000, 0);
	assert_false(ms_sampling_is_alloc_rate_steady(&rate));
}

static void rarely(void **state)
{
	struct ms_sampling_alloc_rate rate = of(32, 2900, 2900);

	(void)state;
	assert_false(ms_sampling_is_alloc_rate_steady(&rate));
	rate = of(32, 2960, 2960);
	assert_true(ms_sampling_is_alloc_rate_steady(&rate));
	rate = of(32, 0, 0);
	assert_false(ms_sampling_is_alloc_rate_steady(&rate));
}

static void few_batches(void **state)
{
	struct ms_sampling_alloc_rate rate = of(7, 6000, 6000);

	(void)state;
	assert_false(ms_sampling_is_alloc_rate_steady(&rate));
	rate = of(8, 6000, 6000);
	assert_true(ms_sampling_is_alloc_rate_steady(&rate));
	/* What exceeds the table is not used. */
	rate = of(200, 6000, 6000);
	assert_int_equal(rate.n, MS_SAMPLING_ALLOC_RATE_BATCHES);
	assert_true(ms_sampling_is_alloc_rate_steady(&rate));
}

/* Parts of a batch are added to it; batches of different lengths are weighted. */
static void lengths(void **state)
{
	struct ms_sampling_alloc_rate rate = { 0 };
	uint64_t references = 0;

	(void)state;
	for (uint32_t i = 0; i < 320; i++) {
		references += i % 20 < 10 ? LEAST / 10 : LEAST / 5;
		ms_sampling_add_alloc_batch(&rate, references, references / 500, LEAST);
	}
	assert_true(rate.n > 40 && rate.n < MS_SAMPLING_ALLOC_RATE_BATCHES);
	assert_true(ms_sampling_is_alloc_rate_steady(&rate));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(often_and_evenly),
		cmocka_unit_test(rarely),
		cmocka_unit_test(few_batches),
		cmocka_unit_test(lengths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
