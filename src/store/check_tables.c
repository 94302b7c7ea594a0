/*
 * store/check_tables.c - a file from another source may have anything under the names of memspy's
 * tables: views that never end, columns with arbitrary expressions. Only plain tables are read.
 */
#include "store/store_priv.h"

static int check_table(const struct ms_store *store, sqlite3_stmt *stmt, const char *table,
		       struct ms_err *err)
{
	sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC);
	int rc = sqlite3_step(stmt);
	bool plain = rc == SQLITE_ROW && sqlite3_column_int(stmt, 0) == 1;

	if (rc != SQLITE_ROW)
		return ms_store_fail(store, err, "read the database");
	sqlite3_reset(stmt);
	if (!plain)
		return ms_fail(err, MS_EFORMAT,
			       "%s: found no table %s as memspy makes it (no view, no virtual "
			       "table, no computed columns): the database is damaged or was "
			       "changed by hand; "
			       "name another file with --db",
			       store->path, table);
	return MS_OK;
}

static int check_all(const struct ms_store *store, struct ms_err *err)
{
	sqlite3_stmt *stmt;

	MS_TRY(ms_store_prepare(
		store, &stmt,
		"select exists (select 1 from sqlite_schema where type = 'table' and name = ?1 "
		"and rootpage > 0) and not exists (select 1 from pragma_table_xinfo (?1) where "
		"hidden)",
		err));
	int code = check_table(store, stmt, "run", err);
	if (code == MS_OK)
		code = check_table(store, stmt, "string", err);
	if (code == MS_OK)
		code = check_table(store, stmt, "rule", err);
	for (const struct ms_run_table *s = ms_run_tables; s->table != NULL && code == MS_OK; s++)
		code = check_table(store, stmt, s->table, err);
	sqlite3_finalize(stmt);
	return code;
}

/* In one transaction, because each transaction locks the file and checks for changes. */
int ms_store_check_tables(const struct ms_store *store, struct ms_err *err)
{
	MS_TRY(ms_store_exec(store, "begin", err));
	int code = check_all(store, err);

	sqlite3_exec(store->db, "commit", NULL, NULL, NULL);
	return code;
}
