/* Tables with many rows, whose statements name columns in the order of the table. */
#include "unit/store/files.h"

enum { CELLS = 1500 };

/* Values in every column, or zeros, which are the defaults of most columns. */
static void make_run(struct ms_run *run, bool zeros)
{
	sample_random_run(run, 3, 50, 20, CELLS);
	for (uint32_t i = 0; i < run->cells.n && !zeros; i++) {
		struct ms_run_cell *cell = &run->cells.at[i];

		cell->walks = i;
		cell->exposed_walks = i / 2;
		cell->waited_bytes = 7;
		cell->dependences[MS_RUN_DEPENDENCES - 1] = i % 5;
	}
	for (uint32_t i = 0; i < run->misses.n && !zeros; i++) {
		struct ms_run_miss *miss = &run->misses.at[i];

		miss->write_backs = i % 9;
		miss->exposed = 3;
		miss->maybe_saved = i;
		miss->saved_variance = i / 8.0;
	}
}

static void assert_loads_the_same(const char *path, int64_t id, const struct ms_run *run)
{
	struct ms_store *store = must_open(path, MS_STORE_READ);
	struct ms_run back;
	struct ms_err err;

	assert_int_equal(ms_store_load(store, id, &back, &err), MS_OK);
	assert_int_equal(back.cells.n, run->cells.n);
	assert_memory_equal(back.cells.at, run->cells.at, run->cells.n * sizeof(*run->cells.at));
	assert_int_equal(back.misses.n, run->misses.n);
	for (size_t i = 0; i < run->misses.n; i++) {
		const struct ms_run_miss *a = &back.misses.at[i], *b = &run->misses.at[i];

		assert_int_equal(a->causes[2], b->causes[2]);
		assert_int_equal(a->write_backs, b->write_backs);
		assert_int_equal(a->exposed, b->exposed);
		assert_int_equal(a->saved, b->saved);
		assert_int_equal(a->maybe_saved, b->maybe_saved);
		assert_true(a->saved_variance == b->saved_variance);
		assert_true(a->capacity_variance == b->capacity_variance);
	}
	ms_store_close(store);
	ms_run_free(&back);
}

static void test_values_in_all_columns(void **state)
{
	struct ms_run run;

	(void)state;
	make_run(&run, false);
	assert_loads_the_same("many.db", must_save("many.db", &run), &run);
	ms_run_free(&run);
}

static void test_columns_of_zeros(void **state)
{
	struct ms_run run;

	(void)state;
	make_run(&run, true);
	assert_loads_the_same("zeros.db", must_save("zeros.db", &run), &run);
	ms_run_free(&run);
}

/* Its name needs quotes, and its default is no number. */
static void test_column_of_another_program(void **state)
{
	struct ms_run run;

	(void)state;
	make_run(&run, false);
	must_save("column.db", &run);
	sqlite("column.db", "alter table cell add column 'a b' text default 'c d'");
	assert_loads_the_same("column.db", must_save("column.db", &run), &run);
	ms_run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values_in_all_columns),
		cmocka_unit_test(test_columns_of_zeros),
		cmocka_unit_test(test_column_of_another_program),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
