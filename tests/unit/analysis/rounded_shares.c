/* Shares that add up: lists by largest remainder, tables by controlled rounding. */
#include "unit/sample_run.h"

#include "analysis/summary/rounded_shares.h"

static void test_list(void **state)
{
	static const struct {
		uint64_t parts[4];
		uint32_t total, wanted[4];
	} cases[] = {
		{ { 1, 1, 1, 0 }, 1000, { 334, 333, 333, 0 } },
		{ { 0, 0, 0, 0 }, 1000, { 0, 0, 0, 0 } },
		{ { 1, 0, 0, 0 }, 1000, { 1000, 0, 0, 0 } },
		{ { 2, 1, 0, 0 }, 849, { 566, 283, 0, 0 } },
		{ { 1, 1, 1, 1 }, 1, { 1, 0, 0, 0 } },
		{ { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX },
		  1000,
		  { 250, 250, 250, 250 } },
		{ { 9996, 3, 1, 0 }, 1000, { 1000, 0, 0, 0 } },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		uint32_t tenths[4];

		ms_summary_share_list(cases[i].parts, 4, cases[i].total, tenths);
		assert_memory_equal(tenths, cases[i].wanted, sizeof(tenths));
	}
}

static void test_tenths(void **state)
{
	(void)state;
	assert_int_equal(ms_summary_share_tenths(1, 3), 333);
	assert_int_equal(ms_summary_share_tenths(2, 3), 667);
	assert_int_equal(ms_summary_share_tenths(0, 0), 0);
	assert_int_equal(ms_summary_share_tenths(UINT64_MAX, UINT64_MAX), MS_WHOLE);
	/* Damaged counts: never more than everything. */
	assert_int_equal(ms_summary_share_tenths(UINT64_MAX, 7), MS_WHOLE);
	assert_int_equal(ms_summary_share_tenths(7, 0), 0);
}

static void check_within(double exact, uint32_t tenths)
{
	assert_true((double)tenths > exact - 1 - 1e-6 && (double)tenths < exact + 1 + 1e-6);
}

/* Every cell, every row, every column within one of its exact value, and all of them MS_WHOLE. */
static void check_table(const uint64_t *parts, size_t rows, size_t columns)
{
	uint32_t *tenths = ms_alloc(rows * columns * sizeof(*tenths)), sum = 0;
	double total = 0;

	ms_summary_share_table(parts, rows, columns, tenths);
	for (size_t i = 0; i < rows * columns; i++) {
		total += (double)parts[i];
		sum += tenths[i];
	}
	assert_int_equal(sum, total > 0 ? MS_WHOLE : 0);
	for (size_t i = 0; total > 0 && i < rows * columns; i++) {
		check_within((double)parts[i] / total * MS_WHOLE, tenths[i]);
		if (parts[i] == 0)
			assert_int_equal(tenths[i], 0);
	}
	for (size_t r = 0; total > 0 && r < rows; r++) {
		double exact = 0;
		uint32_t shown = 0;

		for (size_t c = 0; c < columns; c++) {
			exact += (double)parts[r * columns + c] / total * MS_WHOLE;
			shown += tenths[r * columns + c];
		}
		check_within(exact, shown);
	}
	for (size_t c = 0; total > 0 && c < columns; c++) {
		double exact = 0;
		uint32_t shown = 0;

		for (size_t r = 0; r < rows; r++) {
			exact += (double)parts[r * columns + c] / total * MS_WHOLE;
			shown += tenths[r * columns + c];
		}
		check_within(exact, shown);
	}
	ms_free(tenths);
}

static void test_random_tables(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		size_t rows = 1 + sample_random(&seed) % 14,
		       columns = 1 + sample_random(&seed) % 14;
		uint64_t *parts = ms_alloc(rows * columns * sizeof(*parts));

		for (size_t k = 0; k < rows * columns; k++)
			if (sample_random(&seed) % 3 != 0)
				parts[k] = sample_random(&seed) >> (sample_random(&seed) % 31);
		check_table(parts, rows, columns);
		ms_free(parts);
	}
}

static void test_huge_parts(void **state)
{
	const uint64_t parts[] = { UINT64_MAX / 3, UINT64_MAX / 5, 0, UINT64_MAX / 7, 1,
				   UINT64_MAX / 2 };

	(void)state;
	check_table(parts, 2, 3);
	check_table(parts, 3, 2);
	check_table(parts, 0, 0);
}

static void test_many_rows(void **state)
{
	enum { ROWS = 1000, COLUMNS = 12 };
	uint64_t *parts = ms_alloc(ROWS * COLUMNS * sizeof(*parts)), seed = 5;

	(void)state;
	for (size_t i = 0; i < ROWS * COLUMNS; i++)
		parts[i] = sample_random(&seed) % 1000;
	check_table(parts, ROWS, COLUMNS);
	ms_free(parts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list),          cmocka_unit_test(test_tenths),
		cmocka_unit_test(test_random_tables), cmocka_unit_test(test_huge_parts),
		cmocka_unit_test(test_many_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
