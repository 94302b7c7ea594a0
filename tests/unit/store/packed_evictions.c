/* Who pushed whom out stands packed in the database, and comes out as it went in. */
#include "unit/store/files.h"

#include "store/packed_evictions.h"

static void change(const char *path, const char *sql)
{
	sqlite3 *db;
	char *why = NULL;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s: %s", sql, why);
	sqlite3_close(db);
}

static int64_t number(const char *path, const char *sql)
{
	sqlite3 *db;
	sqlite3_stmt *stmt;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	int64_t value = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return value;
}

static void set_pairs(struct ms_run *run)
{
	static const struct ms_run_replaced replaced[] = {
		{ 0, 0, 5, 1 },
		{ 0, 0, 0, UINT64_C(9223372036854775807) },
		{ 0, 1, 3, 20 },
		{ 4, 1, 2, 300 },
	};
	static const struct ms_run_eviction evictions[] = {
		{ 0, 1, 1, 10 },
		{ 2, 0, 4, 7 },
		{ 2, 0, 3, 8 },
		{ 4, 1, 0, 1000000 },
	};

	run->replaced.n = run->evictions.n = 0;
	for (size_t i = 0; i < MS_COUNT(replaced); i++)
		*ms_vec_add(&run->replaced) = replaced[i];
	for (size_t i = 0; i < MS_COUNT(evictions); i++)
		*ms_vec_add(&run->evictions) = evictions[i];
}

static void assert_text(const char *text, const char *wanted)
{
	if (wanted == NULL)
		assert_null(text);
	else
		assert_string_equal(text, wanted);
}

static const struct ms_store_packed_row wanted[] = {
	{ 0, 0, "{\"5\":1,\"0\":9223372036854775807}", NULL },
	{ 0, 1, "{\"3\":20}", "{\"1\":10}" },
	{ 2, 0, NULL, "{\"4\":7,\"3\":8}" },
	{ 4, 1, "{\"2\":300}", "{\"0\":1000000}" },
};

static void assert_row(const struct ms_store_packed_row *row, size_t i)
{
	assert_int_equal(row->cell, wanted[i].cell);
	assert_int_equal(row->level, wanted[i].level);
	assert_text(row->evictors, wanted[i].evictors);
	assert_text(row->victims, wanted[i].victims);
}

static void test_rows(void **state)
{
	struct ms_store_packed_position at = { 0 };
	struct ms_store_packed packed;
	struct ms_run run;

	(void)state;
	sample_run(&run);
	set_pairs(&run);
	assert_true(ms_store_packed_make(&packed, &run, &at, 0));
	assert_int_equal(packed.rows.n, MS_COUNT(wanted));
	for (size_t i = 0; i < MS_COUNT(wanted); i++)
		assert_row(&packed.rows.at[i], i);
	ms_store_packed_free(&packed);
	run.replaced.n = run.evictions.n = 0;
	at = (struct ms_store_packed_position){ 0 };
	assert_false(ms_store_packed_make(&packed, &run, &at, 0));
	assert_int_equal(packed.rows.n, 0);
	ms_store_packed_free(&packed);
	ms_run_free(&run);
}

/* The same rows, in parts of at least so many bytes. */
static void test_rows_in_parts(void **state)
{
	struct ms_store_packed packed;
	struct ms_run run;

	(void)state;
	sample_run(&run);
	set_pairs(&run);
	for (size_t bytes = 1; bytes < 100; bytes++) {
		struct ms_store_packed_position at = { 0 };
		size_t n = 0, parts = 0;

		while (ms_store_packed_make(&packed, &run, &at, bytes)) {
			for (size_t i = 0; i < packed.rows.n; i++, n++)
				assert_row(&packed.rows.at[i], n);
			assert_true(packed.text.n >= bytes || n == MS_COUNT(wanted));
			ms_store_packed_free(&packed);
			parts++;
		}
		ms_store_packed_free(&packed);
		assert_int_equal(n, MS_COUNT(wanted));
		assert_true(bytes == 1 ? parts == MS_COUNT(wanted) : parts <= MS_COUNT(wanted));
	}
	ms_run_free(&run);
}

/* In their order, too; and for others the views have a row for each. */
static void test_round_trip(void **state)
{
	struct ms_run run, back;
	struct ms_err err;

	(void)state;
	sample_run(&run);
	set_pairs(&run);
	int64_t id = must_save("packed.db", &run);
	struct ms_store *store = must_open("packed.db", MS_STORE_READ);
	assert_int_equal(ms_store_load(store, id, &back, &err), MS_OK);
	ms_store_close(store);
	assert_int_equal(back.replaced.n, run.replaced.n);
	assert_memory_equal(back.replaced.at, run.replaced.at,
			    run.replaced.n * sizeof(*run.replaced.at));
	assert_int_equal(back.evictions.n, run.evictions.n);
	assert_memory_equal(back.evictions.at, run.evictions.at,
			    run.evictions.n * sizeof(*run.evictions.at));
	assert_int_equal(number("packed.db", "select count(*) from replacement"), 4);
	assert_int_equal(number("packed.db", "select count(*) from replaced"), 4);
	assert_int_equal(number("packed.db", "select sum(count * victim) from eviction"),
			 10 + 28 + 24);
	assert_int_equal(number("packed.db", "select count from replaced where evictor = 0"),
			 INT64_C(9223372036854775807));
	ms_run_free(&run);
	ms_run_free(&back);
}

/* Nothing is read that would not have been written. */
static void test_damaged_is_refused(void **state)
{
	static const char *const ways[] = {
		"evictors = ''",
		"evictors = '{}'",
		"evictors = '{\"0\":1'",
		"evictors = '{\"0\":1}}'",
		"evictors = '{\"0\":1} '",
		"evictors = '{\"0\":1,}'",
		"evictors = '{\"0\":1 \"1\":1}'",
		"evictors = '{\"0\": 1}'",
		"evictors = '{\"0\":}'",
		"evictors = '{\"0\":1.5}'",
		"evictors = '{\"0\":-1}'",
		"evictors = '{\"00\":1}'",
		"evictors = '{\"77\":1}'",
		"evictors = '{\"4294967296\":1}'",
		"victims = '{\"0\":18446744073709551616}'",
		"victims = '[0,1]'",
		"level = 77 where level = 1",
		"cell = 77 where cell = 4",
	};
	struct ms_run run, back;
	struct ms_err err;

	(void)state;
	sample_run(&run);
	set_pairs(&run);
	for (size_t i = 0; i < MS_COUNT(ways); i++) {
		char sql[128];

		unlink("damaged.db");
		int64_t id = must_save("damaged.db", &run);
		snprintf(sql, sizeof(sql), "update replacement set %s", ways[i]);
		change("damaged.db", sql);
		struct ms_store *store = must_open("damaged.db", MS_STORE_READ);
		if (ms_store_load(store, id, &back, &err) != MS_EFORMAT)
			fail_msg("%s: was read", ways[i]);
		assert_non_null(strstr(err.text, "damaged"));
		ms_store_close(store);
	}
	ms_run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_rows_in_parts),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_damaged_is_refused),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
