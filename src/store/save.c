#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/text.h"
#include "run/enum_words.h"
#include "store/insert_rows.h"
#include "store/packed_evictions.h"
#include "store/packed_parts.h"
#include "store/replace_checkpoint.h"
#include "store/store_priv.h"

/* The state of saving beside the run: the ids of strings seen before. */
struct run_saver {
	struct ms_store *store;
	const struct ms_run *run;
	int64_t id; /* of the saved run */
	struct ms_store_replaced replaced;
	struct ms_err *err;
	struct ms_names names; /* equal texts become equal pointers ... */
	struct ms_map ids;     /* ... and those the keys of ids, as are the run's own */
	MS_VEC(int64_t) known;
	sqlite3_stmt *find;
	sqlite3_stmt *insert;
	int string_code;       /* the error code of the last string */
	uint64_t bytes;        /* of all rows, in SQLite's format */
	uint64_t string_bytes; /* of them, in table string */
};

static int string_row(struct run_saver *s, const char *text, int64_t *id)
{
	sqlite3_bind_text(s->find, 1, text, -1, SQLITE_STATIC);
	int rc = sqlite3_step(s->find);
	if (rc == SQLITE_ROW)
		*id = sqlite3_column_int64(s->find, 0);
	sqlite3_reset(s->find);
	if (rc == SQLITE_ROW)
		return MS_OK;

	sqlite3_bind_text(s->insert, 1, text, -1, SQLITE_STATIC);
	rc = sqlite3_step(s->insert);
	sqlite3_reset(s->insert);
	if (rc != SQLITE_DONE)
		return ms_store_fail(s->store, s->err, "keep the run");
	*id = sqlite3_last_insert_rowid(s->store->db);
	s->string_bytes += 2 * strlen(text); /* in the table, and in its index */
	return MS_OK;
}

static int equal_id(struct run_saver *s, const char *text, int64_t *id)
{
	const char *name = ms_intern(&s->names, text);
	uint32_t *slot = ms_map_at(&s->ids, (uint64_t)(uintptr_t)name, 0);

	if (*slot == MS_MAP_NONE) {
		MS_TRY(string_row(s, name, id));
		*slot = (uint32_t)s->known.n;
		*ms_vec_add(&s->known) = *id;
	}
	*id = s->known.at[*slot];
	return MS_OK;
}

/*
 * Most equal strings of a run have equal pointers; the database is searched only for new pointers.
 */
static int string_id(struct run_saver *s, const char *text, int64_t *id)
{
	uint32_t *slot = ms_map_at(&s->ids, (uint64_t)(uintptr_t)text, 0);

	if (*slot == MS_MAP_NONE) {
		s->string_code = equal_id(s, text, id);
		if (s->string_code != MS_OK)
			return s->string_code;
		slot = ms_map_at(&s->ids, (uint64_t)(uintptr_t)text, 0);
		*slot = (uint32_t)s->known.n;
		*ms_vec_add(&s->known) = *id;
	}
	*id = s->known.at[*slot];
	return MS_OK;
}

/* For ms_store_rows. */
static int id_of_string(void *self, const char *text, int64_t *id)
{
	return string_id(self, text, id);
}

/* Beside its values: its pointer in the page, its length, and the length of its header. */
enum { ROW_BYTES = 4 };

static int insert(struct run_saver *s, const struct ms_store_rows *rows, const struct ms_text *sql)
{
	s->store->rows = rows;
	int rc = sqlite3_exec(s->store->db, sql->at, NULL, NULL, NULL);
	s->store->rows = NULL;
	if (s->string_code != MS_OK)
		return s->string_code; /* with its message */
	return rc == SQLITE_OK ? MS_OK : ms_store_fail(s->store, s->err, "keep the run");
}

static int save_head(struct run_saver *s)
{
	struct ms_store_rows rows = { .fields = ms_run_fields,
				      .at = (const char *)s->run,
				      .n = 1,
				      .first = s->replaced.id != 0,
				      .run = s->replaced.id,
				      .run_column = s->replaced.id != 0 ? "id" : NULL,
				      .string_id = id_of_string,
				      .self = s,
				      .bytes = &s->bytes };
	struct ms_text sql = MS_TEXT_INIT;

	ms_store_rows_insert(&rows, "run", NULL, &sql);
	if (s->replaced.id != 0)
		ms_store_replace_head(ms_run_fields, &sql);
	int code = insert(s, &rows, &sql);
	ms_text_free(&sql);
	MS_TRY(code);
	s->id = s->replaced.id != 0 ? s->replaced.id : sqlite3_last_insert_rowid(s->store->db);
	if (s->store->begun != 0 && s->id != s->store->begun)
		return ms_fail(s->err, MS_EBUG,
			       "%s: run @%" PRId64 " was begun and @%" PRId64 " kept",
			       s->store->path, s->store->begun, s->id);
	return MS_OK;
}

static bool has_only(const char *text, const char *characters)
{
	return text[strspn(text, characters)] == '\0';
}

/* Those that memspy makes have such names and defaults; others would need quotes in a statement. */
static bool is_plain(const char *name, const char *value)
{
	return name != NULL && has_only(name, "abcdefghijklmnopqrstuvwxyz_0123456789") &&
	       (value == NULL || has_only(value, "0123456789"));
}

/*
 * Their texts are in the arena. None if a table was changed by hand: an error is reported when its
 * rows are inserted.
 */
static void list_columns(const struct ms_store *store, const char *table,
			 struct ms_store_columns *columns, struct ms_arena *arena)
{
	sqlite3_stmt *stmt;
	bool plain = true;

	if (ms_store_prepare(store, &stmt,
			     "select name, dflt_value from pragma_table_info (?1) order by cid",
			     NULL) != MS_OK)
		return;
	sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC);
	while (plain && sqlite3_step(stmt) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(stmt, 0);
		const char *value = (const char *)sqlite3_column_text(stmt, 1);

		plain = is_plain(name, value);
		if (plain)
			*ms_vec_add(&columns->at) = (struct ms_store_column){
				ms_arena_strdup(arena, name),
				value != NULL ? ms_arena_strdup(arena, value) : NULL,
			};
	}
	sqlite3_finalize(stmt);
	if (!plain)
		columns->at.n = 0;
}

static int save_rows(struct run_saver *s, const struct ms_run_table *stored,
		     struct ms_run_any_vec vec)
{
	enum { MANY = 1000 }; /* fewer do not pay the query for columns */
	struct ms_store_columns columns = { MS_VEC_INIT };
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_store_rows rows = { .fields = stored->fields,
				      .at = vec.at,
				      .size = stored->size,
				      .n = vec.n,
				      .first = stored->number != NULL ? 2 : 1,
				      .run = s->id,
				      .string_id = id_of_string,
				      .self = s,
				      .bytes = &s->bytes };
	struct ms_text sql = MS_TEXT_INIT;

	if (vec.n == 0 || ms_store_replace_keeps(&s->replaced, stored))
		return MS_OK;
	s->bytes += ROW_BYTES * vec.n;
	if (vec.n >= MANY) {
		list_columns(s->store, stored->table, &columns, &arena);
		rows.columns = columns.at.n > 0 ? &columns : NULL;
	}
	ms_store_rows_insert(&rows, stored->table, stored->number, &sql);
	int code = insert(s, &rows, &sql);
	ms_vec_free(&columns.at);
	ms_arena_free(&arena);
	ms_text_free(&sql);
	return code;
}

/* Cells of a sampled run. */
static int save_parts(struct run_saver *s, const struct ms_run_table *cells)
{
	struct ms_store_parts parts;

	ms_store_parts_make(&parts, s->run, cells);
	int code = save_rows(
		s, &parts.stored,
		(struct ms_run_any_vec){ (char *)parts.rows.at, parts.rows.n, parts.rows.cap });
	ms_store_parts_free(&parts);
	return code;
}

static int save_array(struct run_saver *s, const struct ms_run_table *stored)
{
	if (stored->packed != NULL)
		return MS_OK;
	if (stored->array == offsetof(struct ms_run, cells) && s->run->sampled_references.n > 0)
		return save_parts(s, stored);
	return save_rows(s, stored, ms_run_vec(s->run, stored->array));
}

static int save_packed(struct run_saver *s)
{
	static const size_t part = 1 << 20; /* bytes of text */
	struct ms_store_packed_position at = { 0 };
	struct ms_store_packed packed;
	bool any;
	int code = MS_OK;

	do {
		any = ms_store_packed_make(&packed, s->run, &at, part);
		if (any)
			code = save_rows(s, &ms_store_replacement_table,
					 (struct ms_run_any_vec){ (char *)packed.rows.at,
								  packed.rows.n, packed.rows.cap });
		ms_store_packed_free(&packed);
	} while (any && code == MS_OK);
	return code;
}

/* Strings that checkpoints of the run have added belong to the run, too. */
static int save_bytes(struct run_saver *s, uint64_t refs)
{
	uint64_t strings = s->replaced.string_bytes + s->string_bytes;
	char sql[160];

	snprintf(sql, sizeof(sql),
		 "update run set refs = %" PRId64 ", bytes = %" PRId64 " where id = %" PRId64,
		 (int64_t)refs, (int64_t)(s->bytes + strings), s->id);
	MS_TRY(ms_store_exec(s->store, sql, s->err));
	if (s->run->checkpoints.n == 0)
		return MS_OK;
	snprintf(sql, sizeof(sql),
		 "update checkpoint set string_bytes = %" PRId64 " where run = %" PRId64,
		 (int64_t)strings, s->id);
	return ms_store_exec(s->store, sql, s->err);
}

/* The sums that a list of runs shows, so that it need not read all cells. */
static int save_sums(struct run_saver *s)
{
	const struct ms_run *run = s->run;
	uint64_t refs = 0;
	char sql[160];

	for (size_t i = 0; i < run->cells.n; i++)
		refs += run->cells.at[i].references;
	MS_TRY(save_bytes(s, refs));
	for (size_t level = 0; level < run->levels.n; level++) {
		uint64_t misses = 0;

		for (size_t i = 0; i < run->misses.n; i++)
			for (int c = 0; c < MS_CAUSES && run->misses.at[i].level == level; c++)
				misses += run->misses.at[i].causes[c];
		snprintf(sql, sizeof(sql),
			 "update level set misses = %" PRId64 " where run = %" PRId64
			 " and level = %zu",
			 (int64_t)misses, s->id, level);
		MS_TRY(ms_store_exec(s->store, sql, s->err));
	}
	return MS_OK;
}

static int save_all(struct run_saver *s)
{
	MS_TRY(ms_store_prepare(s->store, &s->find, "select id from string where text = ?",
				s->err));
	MS_TRY(ms_store_prepare(s->store, &s->insert, "insert into string (text) values (?)",
				s->err));
	MS_TRY(save_head(s));
	for (const struct ms_run_table *stored = ms_run_tables; stored->table != NULL; stored++)
		if (!stored->counts || s->store->begun == 0)
			MS_TRY(save_array(s, stored));
	if (s->store->begun == 0)
		MS_TRY(save_packed(s));
	return save_sums(s);
}

/* All indices were checked before, so the database need not check foreign keys again. */
static int begin(struct ms_store *store, struct ms_err *err)
{
	ms_store_wait(store, MS_STORE_SAVE_BUSY_MS);
	if (!store->has_rows && ms_store_rows_open(store->db, &store->rows) != SQLITE_OK)
		return ms_store_fail(store, err, "keep the run");
	store->has_rows = true;
	MS_TRY(ms_store_exec(store, "pragma foreign_keys = off", err));
	return ms_store_begin_log(store, err);
}

static void end(struct ms_store *store, bool kept)
{
	if (!kept)
		sqlite3_exec(store->db, "rollback", NULL, NULL, NULL);
	ms_store_end_log(store);
	sqlite3_exec(store->db, "pragma foreign_keys = on", NULL, NULL, NULL);
	store->begun = 0;
}

/* The next value of "autoincrement"; other processes cannot write meanwhile. */
static int next_id(const struct ms_store *store, int64_t *id, struct ms_err *err)
{
	return ms_store_query_integer(store,
				      "select 1 + max(ifnull((select max(id) from run), 0), ifnull("
				      "(select seq from sqlite_sequence where name = 'run'), 0))",
				      id, err);
}

int ms_store_begin(struct ms_store *store, const struct ms_run *run, struct ms_err *err)
{
	struct run_saver s = { .store = store, .run = run, .err = err };
	const struct ms_run_table *stored = ms_run_tables;
	int code = begin(store, err);

	if (code == MS_OK)
		code = ms_store_replace_begin(store, run, &s.replaced, err);
	s.id = s.replaced.id;
	if (code == MS_OK && s.id == 0)
		code = next_id(store, &s.id, err);
	for (; code == MS_OK && stored->table != NULL; stored++)
		if (stored->counts)
			code = save_array(&s, stored);
	if (code == MS_OK)
		code = save_packed(&s);
	if (code != MS_OK) {
		end(store, false);
		return code;
	}
	store->begun = s.id;
	store->begun_bytes = s.bytes;
	store->replaced = s.replaced;
	return MS_OK;
}

void ms_store_discard(struct ms_store *store)
{
	if (store->begun != 0)
		end(store, false);
}

int ms_store_save(struct ms_store *store, struct ms_run *run, struct ms_err *err)
{
	struct run_saver s = { .store = store, .run = run, .err = err };
	int code = ms_run_check(run, err);

	ms_run_make_uid(run);
	if (store->begun != 0) {
		s.bytes = store->begun_bytes;
		s.replaced = store->replaced;
	} else if (code == MS_OK) {
		code = begin(store, err);
		if (code == MS_OK)
			code = ms_store_replace_begin(store, run, &s.replaced, err);
	}
	if (code == MS_OK)
		code = save_all(&s);
	sqlite3_finalize(s.find);
	sqlite3_finalize(s.insert);
	if (code == MS_OK && sqlite3_exec(store->db, "commit", NULL, NULL, NULL) != SQLITE_OK)
		code = ms_store_fail(store, err, "keep the run");
	end(store, code == MS_OK);
	if (code == MS_OK)
		run->id = s.id;
	ms_names_free(&s.names);
	ms_map_free(&s.ids);
	ms_vec_free(&s.known);
	return code;
}

int ms_store_link(struct ms_store *store, int64_t id, int64_t parent, uint32_t relation,
		  struct ms_err *err)
{
	char sql[160];

	snprintf(sql, sizeof(sql),
		 "update run set parent = %" PRId64 ", relation = '%s' where id = %" PRId64, parent,
		 ms_run_relation_word(relation), id);
	return ms_store_exec(store, sql, err);
}

int ms_store_set_end(struct ms_store *store, int64_t id, uint32_t end, int exit_status,
		     struct ms_err *err)
{
	char sql[160];

	snprintf(sql, sizeof(sql),
		 "update run set ended = '%s', exit_status = %d where id = %" PRId64,
		 ms_run_end_word(end), exit_status, id);
	return ms_store_exec(store, sql, err);
}
