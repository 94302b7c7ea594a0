/* The windows in which a cell occurs are stored in its row and read back unchanged. */
#include "unit/store/files.h"

#include "store/packed_parts.h"

static void must_run(sqlite3 *db, const char *sql)
{
	char *why = NULL;

	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s: %s", sql, why);
}

static int64_t number_in(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *stmt;

	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	int64_t value = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return value;
}

static int64_t number(const char *path, const char *sql)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	int64_t value = number_in(db, sql);
	sqlite3_close(db);
	return value;
}

/* Of cells 0 and 2; all others are in no part. */
static void set_parts(struct ms_run *run)
{
	static const struct ms_run_sampled_reference references[] = {
		{ 0, 0, 1 },
		{ 0, 15, UINT64_C(9223372036854775807) },
		{ 2, 3, 20 },
	};

	*ms_vec_add(&run->samplings) = (struct ms_run_sampling){
		.ratio = 0.1, .sets = 1, .scale = 10, .time_scale = 10, .parts = 16
	};
	for (uint32_t l = 0; l < run->levels.n; l++)
		*ms_vec_add(&run->sampled_levels) = (struct ms_run_sampled_level){ l, 1, 0 };
	for (size_t i = 0; i < MS_COUNT(references); i++)
		*ms_vec_add(&run->sampled_references) = references[i];
	*ms_vec_add(&run->sampled_misses) =
		(struct ms_run_sampled_miss){ .cell = 2, .level = 1, .part = 3, .known = 7 };
}

static const struct ms_run_table *stored_cells(void)
{
	const struct ms_run_table *stored = ms_run_tables;

	while (stored->array != offsetof(struct ms_run, cells))
		stored++;
	return stored;
}

static void test_rows(void **state)
{
	struct ms_store_parts parts;
	struct ms_run run;

	(void)state;
	sample_run(&run);
	set_parts(&run);
	ms_store_parts_make(&parts, &run, stored_cells());
	assert_int_equal(parts.rows.n, run.cells.n);
	assert_string_equal(parts.rows.at[0].parts, "{\"0\":1,\"15\":9223372036854775807}");
	assert_null(parts.rows.at[1].parts);
	assert_string_equal(parts.rows.at[2].parts, "{\"3\":20}");
	for (size_t i = 0; i < run.cells.n; i++)
		assert_int_equal(parts.rows.at[i].cell.references, run.cells.at[i].references);
	ms_store_parts_free(&parts);
	ms_run_free(&run);
}

static void assert_same_parts(const char *path, int64_t id, const struct ms_run *run)
{
	struct ms_store *store = must_open(path, MS_STORE_READ);
	struct ms_run back;
	struct ms_err err;

	if (ms_store_load(store, id, &back, &err) != MS_OK)
		fail_msg("%s", err.text);
	ms_store_close(store);
	assert_int_equal(back.sampled_references.n, run->sampled_references.n);
	assert_memory_equal(back.sampled_references.at, run->sampled_references.at,
			    run->sampled_references.n * sizeof(*run->sampled_references.at));
	assert_int_equal(back.sampled_misses.n, run->sampled_misses.n);
	assert_int_equal(back.cells.n, run->cells.n);
	for (size_t i = 0; i < run->cells.n; i++)
		assert_int_equal(back.cells.at[i].references, run->cells.at[i].references);
	ms_run_free(&back);
}

/* Also where counts are kept before names; and for others the view has a row for each part. */
static void test_round_trip(void **state)
{
	struct ms_run run;
	struct ms_err err;

	(void)state;
	sample_run(&run);
	set_parts(&run);
	assert_same_parts("parts.db", must_save("parts.db", &run), &run);
	assert_int_equal(number("parts.db", "select count(*) from cell where parts is not null"),
			 2);
	assert_int_equal(number("parts.db", "select count(*) from sampled_reference"), 3);
	assert_int_equal(number("parts.db", "select refs from sampled_reference where part = 3"),
			 20);

	struct ms_store *store = must_open("begun.db", MS_STORE_WRITE);
	assert_int_equal(ms_store_begin(store, &run, &err), MS_OK);
	assert_int_equal(ms_store_save(store, &run, &err), MS_OK);
	ms_store_close(store);
	assert_same_parts("begun.db", run.id, &run);
	assert_int_equal(number("begun.db", "select count(*) from sampled_miss"), 1);
	ms_run_free(&run);
}

/* Nothing is read that would not have been written. */
static void test_damaged_is_refused(void **state)
{
	static const char *const ways[] = {
		"''",           "'{}'",  "'{\"0\":1'",          "'{\"0\":1.5}'",
		"'{\"16\":1}'", "'[1]'", "'{\"3\":1,\"0\":1}'",
	};
	struct ms_run run, back;
	struct ms_err err;

	(void)state;
	sample_run(&run);
	set_parts(&run);
	for (size_t i = 0; i < MS_COUNT(ways); i++) {
		char sql[128];
		sqlite3 *db;

		unlink("damaged.db");
		int64_t id = must_save("damaged.db", &run);
		assert_int_equal(sqlite3_open("damaged.db", &db), SQLITE_OK);
		snprintf(sql, sizeof(sql), "update cell set parts = %s where cell = 1", ways[i]);
		must_run(db, sql);
		sqlite3_close(db);
		struct ms_store *store = must_open("damaged.db", MS_STORE_READ);
		if (ms_store_load(store, id, &back, &err) != MS_EFORMAT)
			fail_msg("%s: was read", ways[i]);
		assert_non_null(strstr(err.text, "damaged"));
		ms_store_close(store);
	}
	ms_run_free(&run);
}

/* What stood in rows of its own before version 16. */
static void test_old_rows_are_migrated(void **state)
{
	enum { BEFORE = 15 };
	sqlite3 *db;

	(void)state;
	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	for (int v = 0; v < BEFORE; v++)
		must_run(db, ms_store_migrations[v]);
	must_run(db, "insert into cell (run, cell, site, data, refs) values (1, 0, 0, 0, 5), "
		     "(1, 1, 0, 1, 6), (2, 0, 0, 0, 7);"
		     "insert into sampling select 1, 0, 0.1, 0, 1, 0, 1, 11, 11, 0, 10, 10, 16, "
		     "0, 11, 11, 0;"
		     "insert into sampled_reference values (1, 0, 2, 3), (1, 0, 11, 2)");
	must_run(db, ms_store_migrations[BEFORE]);
	assert_int_equal(number_in(db, "select count(*) from sampled_reference"), 2);
	assert_int_equal(number_in(db, "select parts = '{\"2\":3,\"11\":2}' from cell where "
				       "run = 1 and cell = 0"),
			 1);
	assert_int_equal(number_in(db, "select count(*) from cell where parts is null"), 2);
	sqlite3_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_damaged_is_refused),
		cmocka_unit_test(test_old_rows_are_migrated),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
