/* store/edit_runs.c - what users change in a database: notes, tags, and which runs it keeps. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "store/store_priv.h"

/* A file with no more pages than this is rewritten quickly. */
enum { SMALL_PAGES = 4096 };

/* A statement with a run as ?1 and a text as ?2; returns the number of changed rows. */
static int change(struct ms_store *store, const char *sql, int64_t id, const char *text,
		  int *changed, struct ms_err *err)
{
	sqlite3_stmt *stmt;
	int code = MS_OK;

	MS_TRY(ms_store_prepare(store, &stmt, sql, err));
	sqlite3_bind_int64(stmt, 1, id);
	if (sqlite3_bind_parameter_count(stmt) > 1 && text != NULL)
		sqlite3_bind_text(stmt, 2, text, -1, SQLITE_STATIC);
	if (sqlite3_step(stmt) != SQLITE_DONE)
		code = ms_store_fail(store, err, "change the run");
	sqlite3_finalize(stmt);
	if (changed != NULL)
		*changed = sqlite3_changes(store->db);
	return code;
}

static int change_run(struct ms_store *store, const char *sql, int64_t id, const char *text,
		      struct ms_err *err)
{
	int changed = 0;

	MS_TRY(change(store, sql, id, text, &changed, err));
	if (changed == 0)
		return ms_fail(err, MS_ENOENT, "%s: run @%" PRId64 " has been deleted meanwhile",
			       store->path, id);
	return MS_OK;
}

int ms_store_set_note(struct ms_store *store, int64_t id, const char *note, struct ms_err *err)
{
	return change_run(store, "update run set note = ?2 where id = ?1", id, note, err);
}

int ms_store_add_note(struct ms_store *store, int64_t id, const char *note, struct ms_err *err)
{
	return change_run(store,
			  "update run set note = ifnull(note || ' ', '') || ?2 where id = ?1", id,
			  note, err);
}

/* --- tags --- */

struct tag_list {
	struct ms_arena arena;
	MS_VEC(const char *) at;
};

static int read_tags(struct ms_store *store, int64_t id, struct tag_list *tags, struct ms_err *err)
{
	sqlite3_stmt *stmt;
	int rc;

	MS_TRY(ms_store_prepare(
		store, &stmt,
		"select tag from (select -1 as position, tag from run where id = ?1 "
		"union all select position, tag from tag where run = ?1) where tag "
		"is not null order by position",
		err));
	sqlite3_bind_int64(stmt, 1, id);
	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW)
		*ms_vec_add(&tags->at) =
			ms_arena_strdup(&tags->arena, (const char *)sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
	return rc == SQLITE_DONE ? MS_OK : ms_store_fail(store, err, "read the tags");
}

static void remove_tag(struct tag_list *tags, const char *tag)
{
	size_t n = 0;

	for (size_t i = 0; i < tags->at.n; i++)
		if (strcmp(tags->at.at[i], tag) != 0)
			tags->at.at[n++] = tags->at.at[i];
	tags->at.n = n;
}

static bool has_tag(const struct tag_list *tags, const char *tag)
{
	for (size_t i = 0; i < tags->at.n; i++)
		if (strcmp(tags->at.at[i], tag) == 0)
			return true;
	return false;
}

static int set_tags(struct ms_store *store, int64_t id, const char *const *tags, size_t n,
		    struct ms_err *err)
{
	char sql[96];

	MS_TRY(change_run(store, "update run set tag = ?2 where id = ?1", id, n ? tags[0] : NULL,
			  err));
	MS_TRY(change(store, "delete from tag where run = ?1", id, NULL, NULL, err));
	for (size_t i = 1; i < n; i++) {
		sqlite3_snprintf(sizeof(sql), sql,
				 "insert into tag (run, position, tag) values (?1, %d, ?2)",
				 (int)i - 1);
		MS_TRY(change(store, sql, id, tags[i], NULL, err));
	}
	return MS_OK;
}

/* In a transaction: if a statement fails, those before it are rolled back. */
static int finish(struct ms_store *store, int code, struct ms_err *err)
{
	if (code == MS_OK)
		code = ms_store_exec(store, "commit", err);
	if (code != MS_OK)
		sqlite3_exec(store->db, "rollback", NULL, NULL, NULL);
	return code;
}

int ms_store_set_tags(struct ms_store *store, int64_t id, const char *const *tags, size_t n,
		      struct ms_err *err)
{
	MS_TRY(ms_store_exec(store, "begin immediate", err));
	return finish(store, set_tags(store, id, tags, n, err), err);
}

static int change_tags(struct ms_store *store, int64_t id, const char *const *words, size_t n,
		       bool remove, struct ms_err *err)
{
	struct tag_list tags = { .arena = MS_ARENA_INIT };
	int code = read_tags(store, id, &tags, err);

	for (size_t i = 0; i < n && code == MS_OK; i++)
		if (remove)
			remove_tag(&tags, words[i]);
		else if (!has_tag(&tags, words[i]))
			*ms_vec_add(&tags.at) = words[i];
	if (code == MS_OK)
		code = set_tags(store, id, tags.at.at, tags.at.n, err);
	ms_vec_free(&tags.at);
	ms_arena_free(&tags.arena);
	return code;
}

int ms_store_change_tags(struct ms_store *store, int64_t id, const char *const *tags, size_t n,
			 bool remove, struct ms_err *err)
{
	MS_TRY(ms_store_exec(store, "begin immediate", err));
	return finish(store, change_tags(store, id, tags, n, remove, err), err);
}

/*
 * Deletes table by table: with foreign keys on, SQLite would search the cells of each deleted site,
 * and there is no index for that.
 */
static int delete_run(struct ms_store *store, int64_t id, struct ms_err *err)
{
	char sql[96];

	for (const struct ms_run_table *stored = ms_run_tables; stored->table != NULL; stored++) {
		sqlite3_snprintf(sizeof(sql), sql, "delete from %s where run = ?1", stored->table);
		MS_TRY(change(store, sql, id, NULL, NULL, err));
	}
	MS_TRY(change(store, "update run set parent = null, relation = 'none' where parent = ?1",
		      id, NULL, NULL, err));
	return change_run(store, "delete from run where id = ?1", id, NULL, err);
}

/* Deletes strings that no run uses: checks every column that refers to one. */
static int delete_strings(struct ms_store *store, struct ms_err *err)
{
	struct ms_text sql = MS_TEXT_INIT;

	ms_text_add(&sql, "delete from string where id not in (select 0");
	for (const struct ms_run_table *stored = ms_run_tables; stored->table != NULL; stored++)
		for (const struct ms_run_field *f = stored->fields; f->column != NULL; f++)
			if (f->kind == MS_FIELD_STRING || f->kind == MS_FIELD_MAYBE_STRING)
				ms_text_addf(&sql, " union select %s from %s where %s is not null",
					     f->column, stored->table, f->column);
	ms_text_add(&sql, ")");
	int code = ms_store_exec(store, sql.at, err);
	ms_text_free(&sql);
	return code;
}

static int delete_all(struct ms_store *store, const int64_t *ids, size_t n, struct ms_err *err)
{
	for (size_t i = 0; i < n; i++)
		MS_TRY(delete_run(store, ids[i], err));
	return delete_strings(store, err);
}

/*
 * This rewrites the file, so it is done only if it frees a large part of it; the next runs use
 * other free space. If another process is reading, the space is released later.
 */
static void give_back(struct ms_store *store)
{
	int64_t pages = 0, unused = 0;
	struct ms_err ignored;

	if (ms_store_query_integer(store, "pragma page_count", &pages, &ignored) == MS_OK &&
	    ms_store_query_integer(store, "pragma freelist_count", &unused, &ignored) == MS_OK &&
	    (unused > pages / 4 || pages < SMALL_PAGES))
		sqlite3_exec(store->db, "vacuum; pragma wal_checkpoint(truncate)", NULL, NULL,
			     NULL);
}

int ms_store_delete(struct ms_store *store, const int64_t *ids, size_t n, struct ms_err *err)
{
	ms_store_wait(store, MS_STORE_SAVE_BUSY_MS);
	MS_TRY(ms_store_exec(store, "pragma foreign_keys = off; begin immediate", err));
	int code = finish(store, delete_all(store, ids, n, err), err);
	sqlite3_exec(store->db, "pragma foreign_keys = on", NULL, NULL, NULL);
	if (code == MS_OK)
		give_back(store);
	return code;
}

int ms_store_size(struct ms_store *store, uint64_t *bytes, struct ms_err *err)
{
	int64_t pages, unused, size;

	MS_TRY(ms_store_query_integer(store, "pragma page_count", &pages, err));
	MS_TRY(ms_store_query_integer(store, "pragma freelist_count", &unused, err));
	MS_TRY(ms_store_query_integer(store, "pragma page_size", &size, err));
	*bytes = (uint64_t)((pages - unused) * size);
	return MS_OK;
}
