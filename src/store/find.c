#include <inttypes.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "store/store_priv.h"

enum { LISTED = 8 }; /* runs named in a sentence about a missing one */

static int query(struct ms_store *store, const char *sql, const char *text, int64_t number,
		 int64_t *id, struct ms_err *err)
{
	sqlite3_stmt *stmt;

	MS_TRY(ms_store_prepare(store, &stmt, sql, err));
	if (text != NULL)
		sqlite3_bind_text(stmt, 1, text, -1, SQLITE_STATIC);
	else
		sqlite3_bind_int64(stmt, 1, number);
	int rc = sqlite3_step(stmt);
	*id = rc == SQLITE_ROW ? sqlite3_column_int64(stmt, 0) : 0;
	sqlite3_finalize(stmt);
	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		return ms_store_fail(store, err, "read the database");
	return MS_OK;
}

/* "@1, @2 (@base), @3", the newest LISTED of them. */
static int list_some(struct ms_store *store, struct ms_text *out, struct ms_err *err)
{
	sqlite3_stmt *stmt;
	int64_t n;
	char sql[160];

	MS_TRY(ms_store_number(store, "select count(*) from run", &n, err));
	sqlite3_snprintf(sizeof(sql), sql,
			 "select id, tag from (select id, tag from run order by id desc limit %d) "
			 "order by id",
			 LISTED);
	MS_TRY(ms_store_prepare(store, &stmt, sql, err));
	if (n > LISTED)
		ms_text_addf(out, "%" PRId64 " older ones, ", n - LISTED);
	for (const char *comma = ""; sqlite3_step(stmt) == SQLITE_ROW; comma = ", ") {
		const char *tag = (const char *)sqlite3_column_text(stmt, 1);

		ms_text_addf(out, "%s@%" PRId64, comma, (int64_t)sqlite3_column_int64(stmt, 0));
		if (tag != NULL)
			ms_text_addf(out, " (@%s)", tag);
	}
	sqlite3_finalize(stmt);
	return MS_OK;
}

static int none_such(struct ms_store *store, const char *name, struct ms_err *err)
{
	struct ms_text runs = MS_TEXT_INIT;
	int code = list_some(store, &runs, err);

	if (code == MS_OK && runs.n == 0)
		code = ms_fail(err, MS_ENOENT,
			       "%s: there are no runs in it yet; `memspy run PROGRAM` makes one",
			       store->path);
	else if (code == MS_OK)
		code = ms_fail(err, MS_ENOENT,
			       "%s: there is no run %s%s; there are %s; `memspy runs` "
			       "tells more",
			       store->path, name[0] == '@' ? "" : "@", name, runs.at);
	ms_text_free(&runs);
	return code;
}

int ms_store_find(struct ms_store *store, const char *name, int64_t *id, struct ms_err *err)
{
	const char *full = name ? name : "@latest";
	const char *bare = full + (full[0] == '@');
	uint64_t number;

	*id = 0;
	if (ms_parse_u64(bare, &number) && number <= INT64_MAX)
		MS_TRY(query(store, "select id from run where id = ?", NULL, (int64_t)number, id,
			     err));
	if (*id == 0)
		MS_TRY(query(store, "select max(id) from run where tag = ?", bare, 0, id, err));
	if (*id == 0 && strcmp(bare, "latest") == 0)
		MS_TRY(query(store, "select max(id) from run where id > ?", NULL, 0, id, err));
	return *id != 0 ? MS_OK : none_such(store, full, err);
}

static const char *own(struct ms_run_heads *heads, sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return text ? ms_arena_strdup(&heads->arena, text) : NULL;
}

static uint32_t end_of(const char *word)
{
	for (uint32_t i = MS_END_EXITED; i <= MS_END_LOST; i++)
		if (strcmp(word, ms_run_end_word(i)) == 0)
			return i;
	return MS_END_LOST;
}

static uint32_t relation_of(const char *word)
{
	for (uint32_t i = MS_RELATION_NONE; i <= MS_RELATION_EXEC; i++)
		if (strcmp(word, ms_run_relation_word(i)) == 0)
			return i;
	return MS_RELATION_NONE;
}

/* False: it holds what memspy never writes. */
static bool read_head(struct ms_run_heads *heads, sqlite3_stmt *stmt)
{
	struct ms_run_head *head = ms_vec_add(&heads->at);

	head->id = sqlite3_column_int64(stmt, 0);
	head->tag = own(heads, stmt, 1);
	head->started = own(heads, stmt, 2);
	head->program = own(heads, stmt, 3);
	head->frontend = own(heads, stmt, 4);
	head->machine = own(heads, stmt, 5);
	const char *end = (const char *)sqlite3_column_text(stmt, 6);
	const char *relation = (const char *)sqlite3_column_text(stmt, 14);
	if (end == NULL || relation == NULL || head->started == NULL || head->program == NULL ||
	    head->frontend == NULL || head->machine == NULL)
		return false;
	head->end = end_of(end);
	head->exit_status = (int)sqlite3_column_int64(stmt, 7);
	head->wall_seconds = sqlite3_column_double(stmt, 8);
	head->instructions = (uint64_t)sqlite3_column_int64(stmt, 9);
	head->references = (uint64_t)sqlite3_column_int64(stmt, 10);
	head->level = own(heads, stmt, 11);
	head->level_misses = (uint64_t)sqlite3_column_int64(stmt, 12);
	head->parent = sqlite3_column_int64(stmt, 13);
	head->relation = relation_of(relation);
	return true;
}

static int read_heads(struct ms_store *store, struct ms_run_heads *heads, sqlite3_stmt *stmt,
		      struct ms_err *err)
{
	int rc;

	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW)
		if (!read_head(heads, stmt))
			return ms_store_damaged(store, sqlite3_column_int64(stmt, 0), "run", err);
	return rc == SQLITE_DONE ? MS_OK : ms_store_fail(store, err, "list the runs");
}

static int read_arguments(struct ms_store *store, struct ms_run_heads *heads, sqlite3_stmt *stmt,
			  struct ms_err *err)
{
	size_t i = 0;
	int rc;

	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		int64_t id = sqlite3_column_int64(stmt, 0);
		const char *text = own(heads, stmt, 1);

		if (text == NULL)
			return ms_store_damaged(store, id, "argument", err);
		while (i < heads->at.n && heads->at.at[i].id < id)
			i++;
		if (i < heads->at.n && heads->at.at[i].id == id)
			*ms_vec_add(&heads->at.at[i].argv) = text;
	}
	return rc == SQLITE_DONE ? MS_OK : ms_store_fail(store, err, "list the runs");
}

static int list_all(struct ms_store *store, struct ms_run_heads *heads, struct ms_err *err)
{
	sqlite3_stmt *stmt;

	MS_TRY(ms_store_prepare(
		store, &stmt,
		"select id, tag, started, program, frontend, machine, ended, exit_status, "
		"wall_seconds, instructions, refs, level.name, level.misses, parent, "
		"relation from run "
		"left join level on level.run = run.id and level.level = 0 order by id",
		err));
	int code = read_heads(store, heads, stmt, err);
	sqlite3_finalize(stmt);
	MS_TRY(code);
	MS_TRY(ms_store_prepare(store, &stmt,
				"select run, text from argument order by run, position", err));
	code = read_arguments(store, heads, stmt, err);
	sqlite3_finalize(stmt);
	return code;
}

int ms_store_list(struct ms_store *store, struct ms_run_heads *heads, struct ms_err *err)
{
	*heads = (struct ms_run_heads){ .arena = MS_ARENA_INIT };
	MS_TRY(ms_store_exec(store, "begin", err));
	int code = list_all(store, heads, err);
	sqlite3_exec(store->db, "commit", NULL, NULL, NULL);
	if (code != MS_OK)
		ms_run_heads_free(heads);
	return code;
}

void ms_run_heads_free(struct ms_run_heads *heads)
{
	for (size_t i = 0; i < heads->at.n; i++)
		ms_vec_free(&heads->at.at[i].argv);
	ms_vec_free(&heads->at);
	ms_arena_free(&heads->arena);
}
