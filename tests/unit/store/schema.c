/* The tables of a new database are those that all the steps lead to. */
#include "unit/sample_run.h"

#include "base/text.h"
#include "store/store_priv.h"

static int add_row(void *list, int columns, char **values, char **names)
{
	(void)names;
	for (int i = 0; i < columns; i++)
		ms_text_addf(list, "%s\n", values[i] != NULL ? values[i] : "-");
	return 0;
}

/* Everything that the schema says, in its order. */
static void list_schema(sqlite3 *db, struct ms_text *list)
{
	static const char sql[] = "select type, name, tbl_name, sql from sqlite_schema order by "
				  "rowid";

	assert_int_equal(sqlite3_exec(db, sql, add_row, list, NULL), SQLITE_OK);
}

static void must_run(sqlite3 *db, const char *sql)
{
	char *why = NULL;

	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s", why);
}

static void test_whole_is_all_steps(void **state)
{
	struct ms_text sql = MS_TEXT_INIT, by_steps = MS_TEXT_INIT, whole = MS_TEXT_INIT;
	sqlite3 *db;

	(void)state;
	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	for (int v = 0; v < MS_STORE_SCHEMA; v++)
		must_run(db, ms_store_migrations[v]);
	list_schema(db, &by_steps);
	sqlite3_close(db);

	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	ms_store_newest_schema(&sql);
	must_run(db, sql.at);
	list_schema(db, &whole);
	sqlite3_close(db);

	assert_non_null(strstr(whole.at, "processor_seconds"));
	assert_string_equal(whole.at, by_steps.at);
	assert_null(strstr(sql.at, "alter table"));
	ms_text_free(&sql);
	ms_text_free(&by_steps);
	ms_text_free(&whole);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole_is_all_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
