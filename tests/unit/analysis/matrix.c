/* The matrix of code by data: which rows and columns there are, and what the rest holds. */
#include "unit/sample_run.h"

#include "analysis/summary/matrix.h"
#include "analysis/summary/rounded_shares.h"

static void make(struct ms_summary_matrix *m, struct ms_summary *s, const struct ms_run *run,
		 size_t rows, size_t columns, double threshold)
{
	assert_int_equal(ms_summary_make(s, run, NULL, NULL, NULL), MS_OK);
	ms_summary_matrix_make(m, s,
			       (struct ms_summary_matrix_limits){ rows, columns, threshold, 0, 0 });
}

/* Rounded up or down so that all of them add up: within a tenth of the exact share. */
static void assert_share(uint32_t tenths, double stall)
{
	double exact = stall / 114206200 * MS_WHOLE;

	if ((double)tenths <= exact - 1 || (double)tenths >= exact + 1)
		fail_msg("%u tenths, expected %.2f", tenths, exact);
}

static void rest_adds_up_what_is_not_shown(void **state)
{
	/* BlkMultiply and the rest (main, ClearProduct, memcpy); Y, Z and the rest (X, the stack,
	 * freed memory): as sample_run.h counts them. */
	static const double stall[2][3] = { { 97000000, 8800000, 5080000 },
					    { 1087900, 1087900, 1087900 + 62500 } };
	struct ms_summary s;
	struct ms_summary_matrix m;
	struct ms_run run;
	uint32_t all = 0;

	(void)state;
	sample_run(&run);
	make(&m, &s, &run, 1, 2, 0);
	assert_int_equal(m.rows, 2);
	assert_int_equal(m.columns, 3);
	assert_string_equal(m.code[0]->name, "BlkMultiply");
	assert_null(m.code[1]);
	assert_string_equal(m.data[0]->name, "Matrix.Y");
	assert_string_equal(m.data[1]->name, "Matrix.Z");
	assert_null(m.data[2]);
	assert_int_equal(m.code_in_rest, 3);
	assert_int_equal(m.data_in_rest, 3); /* not the counter, which nothing refers to */
	for (size_t r = 0; r < 2; r++) {
		uint32_t row = 0;

		for (size_t c = 0; c < 3; c++) {
			assert_share(m.tenths[r * 3 + c], stall[r][c]);
			assert_true(m.any[r * 3 + c]);
			row += m.tenths[r * 3 + c];
		}
		assert_int_equal(m.row_tenths[r], row);
		all += row;
	}
	assert_int_equal(all, MS_WHOLE);
	ms_summary_matrix_free(&m);
	ms_summary_free(&s);
	ms_run_free(&run);
}

static void without_limits_there_is_no_rest(void **state)
{
	struct ms_summary s;
	struct ms_summary_matrix m;
	struct ms_run run;

	(void)state;
	sample_run(&run);
	make(&m, &s, &run, 100, 100, 0);
	assert_int_equal(m.rows, 4);
	assert_int_equal(m.columns, 5);
	assert_int_equal(m.code_in_rest, 0);
	assert_int_equal(m.data_in_rest, 0);
	for (size_t r = 0; r < m.rows; r++)
		assert_non_null(m.code[r]);
	/* Nothing but memcpy refers to freed memory. */
	for (size_t c = 0; c < m.columns; c++)
		if (m.data[c]->data == SAMPLE_FREED)
			for (size_t r = 0; r < m.rows; r++)
				assert_int_equal(m.any[r * m.columns + c],
						 m.code[r]->code == SAMPLE_MEMCPY);
	ms_summary_matrix_free(&m);
	ms_summary_free(&s);
	ms_run_free(&run);
}

static void threshold_leaves_the_rest_only(void **state)
{
	struct ms_summary s;
	struct ms_summary_matrix m;
	struct ms_run run;

	(void)state;
	sample_run(&run);
	make(&m, &s, &run, 100, 100, 0.99);
	assert_int_equal(m.rows, 1);
	assert_int_equal(m.columns, 1);
	assert_null(m.code[0]);
	assert_int_equal(m.tenths[0], MS_WHOLE);
	ms_summary_matrix_free(&m);
	ms_summary_free(&s);
	ms_run_free(&run);
}

/* Columns that a narrow page has no room for go to the rest; figures of the others stay. */
static void narrow_matrix_keeps_figures(void **state)
{
	struct ms_summary_matrix wide, m;
	struct ms_summary s, other;
	struct ms_run run;

	(void)state;
	sample_run(&run);
	make(&wide, &other, &run, 12, 12, 0);
	make(&m, &s, &run, 12, 12, 0);
	while (m.columns > 1) {
		size_t shown = m.columns - 2 + (m.data_in_rest == 0);
		size_t in_rest = m.data_in_rest;

		ms_summary_matrix_narrow(&m);
		assert_int_equal(m.columns, shown + 1);
		assert_int_equal(m.data_in_rest, in_rest + 1);
		assert_null(m.data[shown]);
		for (size_t c = 0; c < shown; c++)
			assert_int_equal(m.column_tenths[c], wide.column_tenths[c]);
		for (size_t r = 0; r < m.rows; r++) {
			uint32_t sum = 0;
			bool any = false;

			for (size_t c = 0; c < m.columns; c++)
				sum += m.tenths[r * m.columns + c];
			assert_int_equal(sum, wide.row_tenths[r]);
			for (size_t c = 0; c < shown; c++)
				assert_int_equal(m.tenths[r * m.columns + c],
						 wide.tenths[r * wide.columns + c]);
			for (size_t c = shown; c < wide.columns; c++)
				any |= wide.any[r * wide.columns + c];
			assert_int_equal(m.any[r * m.columns + shown], any);
		}
	}
	ms_summary_matrix_free(&wide);
	ms_summary_matrix_free(&m);
	ms_summary_free(&s);
	ms_summary_free(&other);
	ms_run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rest_adds_up_what_is_not_shown),
		cmocka_unit_test(without_limits_there_is_no_rest),
		cmocka_unit_test(threshold_leaves_the_rest_only),
		cmocka_unit_test(narrow_matrix_keeps_figures),
	};

	return cmocka_run_group_tests_name("analysis matrix", tests, NULL, NULL);
}
