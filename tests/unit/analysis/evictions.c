/* Who pushes whom out: sums, choice, and a matrix whose columns add up. */
#include "unit/sample_run.h"

#include "analysis/evictions/evictions.h"
#include "analysis/summary/rounded_shares.h"

static struct ms_run run;
static struct ms_evictions e;

static void make(const struct ms_evictions_wanted *wanted)
{
	static const struct ms_evictions_wanted all = { .level = NULL };
	struct ms_err err;

	if (ms_evictions_make(&e, &run, wanted ? wanted : &all, NULL, &err) != MS_OK)
		fail_msg("%s", err.text);
}

static int set_up(void **state)
{
	(void)state;
	sample_run(&run);
	SAMPLE_ADD(&run.evictions, (struct ms_run_eviction){ 1, 0, SAMPLE_Y, 650000 });
	SAMPLE_ADD(&run.evictions, (struct ms_run_eviction){ 3, 0, SAMPLE_Y, 400000 });
	SAMPLE_ADD(&run.evictions, (struct ms_run_eviction){ 6, 0, SAMPLE_X, 10000 });
	SAMPLE_ADD(&run.evictions, (struct ms_run_eviction){ 0, 1, SAMPLE_Y, 60000 });
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	ms_evictions_free(&e);
	ms_run_free(&run);
	return 0;
}

static void test_sums(void **state)
{
	(void)state;
	make(NULL);
	assert_int_equal(e.levels[0].evictions, 7830000 + 500000 + 650000 + 400000 + 10000);
	assert_int_equal(e.levels[0].itself, 7830000);
	assert_int_equal(e.levels[0].chosen, e.levels[0].evictions);
	assert_int_equal(e.levels[0].misses, 9843262);
	assert_int_equal(e.levels[0].stall, 9800000 * 10); /* what L2 answers in */
	assert_int_equal(e.levels[1].stall, 132000 * 90);  /* memory, beyond that */
	assert_int_equal(e.worst, 0);

	const struct ms_evictions_data *y = ms_evictions_of(&e, 0, SAMPLE_Y);
	assert_int_equal(y->evicted, 7830000 + 650000 + 400000);
	assert_int_equal(y->evicts, 7830000 + 500000 + 10000);
	assert_int_equal(y->itself, 7830000);
	assert_int_equal(ms_evictions_of(&e, 1, SAMPLE_Y)->evicted, 60000);
	assert_int_equal(e.places.at.n, 6);
	assert_int_equal(e.places.at.at[0].count, 7830000);
	assert_int_equal(e.places.at.at[0].line, 1);
	assert_int_equal(e.pairs.at.n, 6);
	assert_int_equal(e.pairs.at.at[5].level, 1);
}

static void test_choice(void **state)
{
	const char *const of[] = { "Matrix.Y" }, *const by[] = { "Z", "X" },
			  *const at[] = { "Blk*" };

	(void)state;
	make(&(struct ms_evictions_wanted){ of, 1, by, 2, at, 1, "l1", NULL });
	assert_int_equal(e.level, 0);
	assert_int_equal(e.levels[0].of, 7830000 + 650000 + 400000);
	assert_int_equal(e.levels[0].chosen, 650000 + 400000);
	assert_int_equal(e.places.at.n, 2);
	assert_int_equal(e.places.at.at[0].evictor, SAMPLE_Z);
	assert_int_equal(e.places.at.at[1].evictor, SAMPLE_X);
	assert_int_equal(e.places.at.at[1].line, 0);
}

static void test_unknown_level(void **state)
{
	struct ms_err err;

	(void)state;
	assert_int_equal(ms_evictions_make(&e, &run, &(struct ms_evictions_wanted){ .level = "L9" },
					   NULL, &err),
			 MS_EUSAGE);
	assert_string_equal(err.text,
			    "--level: found \"L9\", expected a cache level of this run: L1, L2");
	make(NULL); /* for tear_down() */
}

static void test_matrix(void **state)
{
	static const struct ms_evictions_limits limits = { 2, 1, 0 };
	const char *const by[] = { "Matrix.X" };
	struct ms_evictions_matrix m;

	(void)state;
	make(NULL);
	ms_evictions_matrix_make(&m, &e, 0, limits);
	assert_int_equal(m.total, e.levels[0].evictions);
	assert_int_equal(m.rows, 3);
	assert_int_equal(m.columns, 2);
	assert_int_equal(m.evictors[0], SAMPLE_Y);
	assert_int_equal(m.evictors[1], SAMPLE_Z);
	assert_int_equal(m.evictors[2], MS_NONE);
	assert_int_equal(m.evictors_in_other, 1);
	assert_int_equal(m.victims[0], SAMPLE_Y);
	assert_int_equal(m.victims_in_other, 2);
	assert_int_equal(m.counts[0], 7830000);
	assert_int_equal(m.counts[1], 500000 + 10000);
	assert_int_equal(m.tenths[0], 882);
	assert_int_equal(m.tenths[1], 1000);
	ms_evictions_matrix_free(&m);
	ms_evictions_free(&e);

	make(&(struct ms_evictions_wanted){ .by = by, .n_by = 1 });
	ms_evictions_matrix_make(&m, &e, 0, (struct ms_evictions_limits){ 9, 9, 0 });
	assert_int_equal(m.total, e.levels[0].evictions);
	assert_int_equal(m.rows, 2);
	assert_int_equal(m.evictors[0], SAMPLE_X);
	assert_int_equal(m.evictors_in_other, 2);
	ms_evictions_matrix_free(&m);
}

/* Whatever is evicted by whatever: all is there, and every column that has any adds up. */
static void test_adds_up(void **state)
{
	uint64_t random = 7;

	(void)state;
	for (int i = 0; i < 300; i++) {
		uint32_t cell = (uint32_t)(sample_random(&random) % run.cells.n);
		uint32_t victim = (uint32_t)(sample_random(&random) % run.data.n);

		SAMPLE_ADD(&run.evictions,
			   (struct ms_run_eviction){ cell, 0, victim,
						     sample_random(&random) % 100000 });
	}
	make(NULL);
	for (size_t most = 0; most < 8; most++) {
		struct ms_evictions_matrix m;
		uint64_t sum = 0;
		uint32_t rows = 0, columns = 0;

		ms_evictions_matrix_make(&m, &e, 0,
					 (struct ms_evictions_limits){ most, 7 - most, 0.01 });
		for (size_t c = 0; c < m.columns; c++) {
			uint32_t tenths = 0;

			for (size_t r = 0; r < m.rows; r++) {
				sum += m.counts[r * m.columns + c];
				tenths += m.tenths[r * m.columns + c];
			}
			assert_int_equal(tenths, MS_WHOLE);
			columns += m.column_tenths[c];
		}
		for (size_t r = 0; r < m.rows; r++)
			rows += m.row_tenths[r];
		assert_int_equal(sum, e.levels[0].evictions);
		assert_int_equal(rows, MS_WHOLE);
		assert_int_equal(columns, MS_WHOLE);
		ms_evictions_matrix_free(&m);
	}
}

static void test_empty(void **state)
{
	struct ms_evictions_matrix m;

	(void)state;
	run.evictions.n = 0;
	make(NULL);
	ms_evictions_matrix_make(&m, &e, 1, (struct ms_evictions_limits){ 3, 3, 0 });
	assert_int_equal(m.rows + m.columns, 0);
	ms_evictions_matrix_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_sums, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_choice, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_unknown_level, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_matrix, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_adds_up, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_empty, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
