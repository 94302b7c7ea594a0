/* store/list_runs.c - summaries of runs, without reading the runs as a whole. */
#include <string.h>

#include "run/enum_words.h"
#include "store/store_priv.h"

static const char *own(struct ms_run_list *heads, sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return text ? ms_arena_strdup(&heads->arena, text) : NULL;
}

static uint32_t end_of(const char *word)
{
	for (uint32_t i = MS_END_EXITED; i < MS_ENDS; i++)
		if (strcmp(word, ms_run_end_word(i)) == 0)
			return i;
	return MS_END_LOST;
}

static uint32_t relation_of(const char *word)
{
	for (uint32_t i = MS_RELATION_NONE; i < MS_RELATIONS; i++)
		if (strcmp(word, ms_run_relation_word(i)) == 0)
			return i;
	return MS_RELATION_NONE;
}

/* Columns from 15 on: notes, and the origin of the program. */
static void read_origin(struct ms_run_list *heads, sqlite3_stmt *stmt,
			struct ms_run_list_entry *head)
{
	const char *uid = own(heads, stmt, 15);

	head->uid = uid != NULL ? uid : "";
	head->note = own(heads, stmt, 16);
	head->build_id = own(heads, stmt, 17);
	head->git_commit = own(heads, stmt, 18);
	head->git_dirty = sqlite3_column_int64(stmt, 19) != 0;
	head->host = own(heads, stmt, 20);
	head->bytes = (uint64_t)sqlite3_column_int64(stmt, 21);
	head->source = own(heads, stmt, 22);
	head->samples = (uint64_t)sqlite3_column_int64(stmt, 23);
	head->sampled = sqlite3_column_int64(stmt, 24) != 0;
	head->checkpoint =
		(struct ms_run_checkpoint){ .pid = (uint64_t)sqlite3_column_int64(stmt, 25),
					    .pid_start = (uint64_t)sqlite3_column_int64(stmt, 26),
					    .system = own(heads, stmt, 27),
					    .saved = own(heads, stmt, 28) };
}

/* False: the row has values that memspy never writes. */
static bool read_head(struct ms_run_list *heads, sqlite3_stmt *stmt)
{
	struct ms_run_list_entry *head = ms_vec_add(&heads->at);

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
	read_origin(heads, stmt, head);
	return true;
}

static int read_heads(struct ms_store *store, struct ms_run_list *heads, sqlite3_stmt *stmt,
		      struct ms_err *err)
{
	int rc;

	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW)
		if (!read_head(heads, stmt))
			return ms_store_damaged(store, sqlite3_column_int64(stmt, 0), "run", err);
	return rc == SQLITE_DONE ? MS_OK : ms_store_fail(store, err, "list the runs");
}

/* Strings of runs, in the order of the runs: the command line, or tags. */
typedef void text_function(struct ms_run_list_entry *head, const char *text);

static void add_argument(struct ms_run_list_entry *head, const char *text)
{
	*ms_vec_add(&head->argv) = text;
}

static void add_tag(struct ms_run_list_entry *head, const char *text)
{
	*ms_vec_add(&head->tags) = text;
}

static int read_texts(struct ms_store *store, struct ms_run_list *heads, const char *table,
		      const char *column, text_function *add, struct ms_err *err)
{
	sqlite3_stmt *stmt;
	char sql[96];
	size_t i = 0;
	int rc, code = MS_OK;

	sqlite3_snprintf(sizeof(sql), sql, "select run, %s from %s order by run, position", column,
			 table);
	MS_TRY(ms_store_prepare(store, &stmt, sql, err));
	while (code == MS_OK && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		int64_t id = sqlite3_column_int64(stmt, 0);
		const char *text = own(heads, stmt, 1);

		if (text == NULL)
			code = ms_store_damaged(store, id, table, err);
		while (i < heads->at.n && heads->at.at[i].id < id)
			i++;
		if (i < heads->at.n && heads->at.at[i].id == id)
			add(&heads->at.at[i], text);
	}
	if (code == MS_OK && rc != SQLITE_DONE)
		code = ms_store_fail(store, err, "list the runs");
	sqlite3_finalize(stmt);
	return code;
}

static int list_all(struct ms_store *store, struct ms_run_list *heads, struct ms_err *err)
{
	sqlite3_stmt *stmt;

	MS_TRY(ms_store_prepare(
		store, &stmt,
		"select id, tag, started, program, frontend, machine, ended, exit_status, "
		"wall_seconds, instructions, refs, level.name, level.misses, parent, "
		"relation, uid, note, build_id, git_commit, git_dirty, host, bytes, "
		"hardware.source, "
		"hardware.samples, exists (select 1 from sampling where sampling.run = run.id), "
		"checkpoint.pid, checkpoint.pid_start, checkpoint.system, checkpoint.saved "
		"from run "
		"left join checkpoint on checkpoint.run = run.id and checkpoint.checkpoint = 0 "
		"left join hardware on hardware.run = run.id and hardware.hardware = 0 "
		"left join level on level.run = run.id and level.level = 0 order by id",
		err));
	int code = read_heads(store, heads, stmt, err);
	sqlite3_finalize(stmt);
	MS_TRY(code);
	MS_TRY(read_texts(store, heads, "argument", "text", add_argument, err));
	return read_texts(store, heads, "tag", "tag", add_tag, err);
}

int ms_store_list(struct ms_store *store, struct ms_run_list *heads, struct ms_err *err)
{
	*heads = (struct ms_run_list){ .arena = MS_ARENA_INIT };
	MS_TRY(ms_store_exec(store, "begin", err));
	int code = list_all(store, heads, err);
	sqlite3_exec(store->db, "commit", NULL, NULL, NULL);
	if (code != MS_OK)
		ms_run_list_free(heads);
	return code;
}
