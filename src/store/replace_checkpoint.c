#include "store/replace_checkpoint.h"

#include <string.h>

static int find(const struct ms_store *store, const char *uid, struct ms_store_replaced *replaced,
		struct ms_err *err)
{
	sqlite3_stmt *stmt;

	MS_TRY(ms_store_prepare(store, &stmt,
				"select run.id, checkpoint.string_bytes from checkpoint "
				"join run on run.id = checkpoint.run where run.uid = ?",
				err));
	sqlite3_bind_text(stmt, 1, uid, -1, SQLITE_STATIC);
	int rc = sqlite3_step(stmt);
	if (rc == SQLITE_ROW)
		*replaced = (struct ms_store_replaced){ sqlite3_column_int64(stmt, 0),
							(uint64_t)sqlite3_column_int64(stmt, 1) };
	sqlite3_finalize(stmt);
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? MS_OK
						     : ms_store_fail(store, err, "keep the run");
}

bool ms_store_replace_keeps(const struct ms_store_replaced *replaced,
			    const struct ms_run_table *stored)
{
	return replaced->id != 0 && strcmp(stored->table, "tag") == 0;
}

int ms_store_replace_begin(const struct ms_store *store, const struct ms_run *run,
			   struct ms_store_replaced *replaced, struct ms_err *err)
{
	char sql[96];

	*replaced = (struct ms_store_replaced){ 0, 0 };
	if (run->uid != NULL)
		MS_TRY(find(store, run->uid, replaced, err));
	if (replaced->id == 0)
		return MS_OK;
	for (const struct ms_run_table *s = ms_run_tables; s->table != NULL; s++) {
		if (ms_store_replace_keeps(replaced, s))
			continue;
		sqlite3_snprintf(sizeof(sql), sql, "delete from %s where run = %lld", s->table,
				 (long long)replaced->id);
		MS_TRY(ms_store_exec(store, sql, err));
	}
	return MS_OK;
}

static bool is_kept(const char *column)
{
	static const char *const kept[] = { "tag", "note", "parent", "relation" };

	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		if (strcmp(kept[i], column) == 0)
			return true;
	return false;
}

void ms_store_replace_head(const struct ms_run_field *fields, struct ms_text *sql)
{
	const char *between = "";

	/* Without a condition SQLite would take "on" for that of a join. */
	ms_text_add(sql, " where true on conflict (id) do update set ");
	for (const struct ms_run_field *f = fields; f->column != NULL; f++) {
		if (is_kept(f->column))
			continue;
		ms_text_addf(sql, "%s%s = excluded.%s", between, f->column, f->column);
		between = ", ";
	}
}
