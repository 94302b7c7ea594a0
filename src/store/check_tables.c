/*
 * store/check_tables.c - a file from another source may have anything under the names of memspy's
 * tables: views that never end, columns with arbitrary expressions. Only plain tables are read.
 */
#include <ctype.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "store/store_priv.h"

/* A table of the file. */
struct found_table {
	char *name;
	bool may_compute; /* it may have computed columns */
};

struct found_tables {
	MS_VEC(struct found_table) list;
};

static bool is_in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* A computed column needs the keyword "as". It may also stand in a comment or a text. */
static bool has_keyword_as(const char *sql)
{
	char before = ' ';

	for (const char *at = sql; *at != '\0'; before = *at++)
		if (tolower((unsigned char)at[0]) == 'a' && tolower((unsigned char)at[1]) == 's' &&
		    !is_in_word(before) && !is_in_word(at[2]))
			return true;
	return false;
}

static int list_tables(const struct ms_store *store, struct found_tables *found, struct ms_err *err)
{
	sqlite3_stmt *stmt;
	int rc;

	MS_TRY(ms_store_prepare(store, &stmt,
				"select name, sql from sqlite_schema where type = 'table' and "
				"rootpage > 0",
				err));
	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(stmt, 0);
		const char *sql = (const char *)sqlite3_column_text(stmt, 1);

		if (name != NULL)
			*ms_vec_add(&found->list) =
				(struct found_table){ ms_strdup(name),
						      sql == NULL || has_keyword_as(sql) };
	}
	int code = rc == SQLITE_DONE ? MS_OK : ms_store_fail(store, err, "read the database");
	sqlite3_finalize(stmt);
	return code;
}

static void free_tables(struct found_tables *found)
{
	for (size_t i = 0; i < found->list.n; i++)
		ms_free(found->list.at[i].name);
	ms_vec_free(&found->list);
}

/* Asks SQLite, which parses the table's definition again. */
static int count_computed(const struct ms_store *store, const char *table, int64_t *count,
			  struct ms_err *err)
{
	sqlite3_stmt *stmt;
	int code = MS_OK;

	MS_TRY(ms_store_prepare(store, &stmt,
				"select count(*) from pragma_table_xinfo (?1) where hidden", err));
	sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC);
	if (sqlite3_step(stmt) == SQLITE_ROW)
		*count = sqlite3_column_int64(stmt, 0);
	else
		code = ms_store_fail(store, err, "read the database");
	sqlite3_finalize(stmt);
	return code;
}

static int check_table(const struct ms_store *store, const struct found_tables *found,
		       const char *table, struct ms_err *err)
{
	const struct found_table *t = NULL;
	int64_t computed = 0;

	for (size_t i = 0; i < found->list.n && t == NULL; i++)
		if (strcmp(found->list.at[i].name, table) == 0)
			t = &found->list.at[i];
	if (t != NULL && t->may_compute)
		MS_TRY(count_computed(store, table, &computed, err));
	if (t == NULL || computed > 0)
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
	struct found_tables found = { { 0 } };
	int code = list_tables(store, &found, err);

	if (code == MS_OK)
		code = check_table(store, &found, "run", err);
	if (code == MS_OK)
		code = check_table(store, &found, "string", err);
	if (code == MS_OK)
		code = check_table(store, &found, "rule", err);
	for (const struct ms_run_table *s = ms_run_tables; s->table != NULL && code == MS_OK; s++)
		code = check_table(store, &found, s->table, err);
	free_tables(&found);
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
