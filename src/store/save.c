#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/text.h"
#include "store/store_priv.h"

/* What saving needs beside the run: the ids of strings that were met before. */
struct saver {
	struct ms_store *store;
	struct ms_run *run;
	struct ms_err *err;
	struct ms_names names; /* equal texts become equal pointers ... */
	struct ms_map ids;     /* ... and those the keys of ids */
	MS_VEC(int64_t) known;
	sqlite3_stmt *find;
	sqlite3_stmt *insert;
	uint64_t bytes; /* of all rows, as SQLite packs them */
};

/* A value of a record: a byte for its type, and as few as a whole number needs. */
static uint64_t packed(int64_t value)
{
	static const unsigned sizes[] = { 8, 16, 24, 32, 48 };

	if (value == 0 || value == 1)
		return 1;
	for (size_t i = 0; i < MS_COUNT(sizes); i++)
		if (value >= -(INT64_C(1) << (sizes[i] - 1)) && value < INT64_C(1)
										<< (sizes[i] - 1))
			return 1 + sizes[i] / 8;
	return 1 + sizeof(value);
}

static void bind_int(struct saver *s, sqlite3_stmt *stmt, int at, int64_t value)
{
	s->bytes += packed(value);
	sqlite3_bind_int64(stmt, at, value);
}

static void bind_null(struct saver *s, sqlite3_stmt *stmt, int at)
{
	s->bytes++;
	sqlite3_bind_null(stmt, at);
}

static int string_row(struct saver *s, const char *text, int64_t *id)
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
	s->bytes += 2 * strlen(text); /* in the table, and in its index */
	return MS_OK;
}

static int string_id(struct saver *s, const char *text, int64_t *id)
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

static void bind_text(struct saver *s, sqlite3_stmt *stmt, int at, const char *text)
{
	if (text == NULL) {
		bind_null(s, stmt, at);
		return;
	}
	s->bytes += 2 + strlen(text);
	sqlite3_bind_text(stmt, at, text, -1, SQLITE_STATIC);
}

static int bind_string(struct saver *s, sqlite3_stmt *stmt, int at, const char *text)
{
	int64_t id = 0;

	if (text == NULL) {
		bind_null(s, stmt, at);
		return MS_OK;
	}
	MS_TRY(string_id(s, text, &id));
	bind_int(s, stmt, at, id);
	return MS_OK;
}

union field_value {
	uint32_t u32;
	uint64_t u64;
	int i;
	int64_t id;
	double real;
	const char *text;
};

static const size_t field_sizes[] = {
	[MS_FIELD_U32] = sizeof(uint32_t),
	[MS_FIELD_U64] = sizeof(uint64_t),
	[MS_FIELD_INT] = sizeof(int),
	[MS_FIELD_ID] = sizeof(int64_t),
	[MS_FIELD_REAL] = sizeof(double),
	[MS_FIELD_TEXT] = sizeof(const char *),
	[MS_FIELD_STRING] = sizeof(const char *),
	[MS_FIELD_MAYBE_TEXT] = sizeof(const char *),
	[MS_FIELD_MAYBE_STRING] = sizeof(const char *),
	[MS_FIELD_WORD] = sizeof(uint32_t),
	[MS_FIELD_INDEX] = sizeof(uint32_t),
	[MS_FIELD_MAYBE_INDEX] = sizeof(uint32_t),
	[MS_FIELD_MAYBE_U64] = sizeof(uint64_t),
};

static void bind_maybe(struct saver *s, sqlite3_stmt *stmt, int at, bool known, int64_t value)
{
	if (known)
		bind_int(s, stmt, at, value);
	else
		bind_null(s, stmt, at);
}

static int bind_field(struct saver *s, sqlite3_stmt *stmt, int at, const struct ms_field *field,
		      const char *row)
{
	union field_value v;

	memcpy(&v, row + field->offset, field_sizes[field->kind]);
	switch (field->kind) {
	case MS_FIELD_U32:
	case MS_FIELD_INDEX:
		bind_int(s, stmt, at, v.u32);
		break;
	case MS_FIELD_U64:
		bind_int(s, stmt, at, (int64_t)v.u64);
		break;
	case MS_FIELD_INT:
		bind_int(s, stmt, at, v.i);
		break;
	case MS_FIELD_ID:
		bind_maybe(s, stmt, at, v.id != 0, v.id);
		break;
	case MS_FIELD_MAYBE_INDEX:
		bind_maybe(s, stmt, at, v.u32 != MS_NONE, v.u32);
		break;
	case MS_FIELD_MAYBE_U64:
		bind_maybe(s, stmt, at, v.u64 != MS_NO_OFFSET, (int64_t)v.u64);
		break;
	case MS_FIELD_REAL:
		s->bytes += 1 + sizeof(v.real);
		sqlite3_bind_double(stmt, at, v.real);
		break;
	case MS_FIELD_TEXT:
	case MS_FIELD_MAYBE_TEXT:
		bind_text(s, stmt, at, v.text);
		break;
	case MS_FIELD_STRING:
	case MS_FIELD_MAYBE_STRING:
		return bind_string(s, stmt, at, v.text);
	case MS_FIELD_WORD:
		bind_text(s, stmt, at, field->words[v.u32]);
		break;
	}
	return MS_OK;
}

/* Rows that one statement inserts: starting a statement costs more than a row does. */
enum { BATCH = 32 };
/* Beside its values: its place in the page, its length, and that of its list of types. */
enum { ROW_BYTES = 4 };

/* insert into TABLE (first ..., fields ...) values (?, ...), (?, ...) ... */
static int prepare_insert(struct saver *s, const char *table, const char *const *first,
			  const struct ms_field *fields, size_t rows, sqlite3_stmt **stmt)
{
	struct ms_text sql = MS_TEXT_INIT, marks = MS_TEXT_INIT;
	const char *comma = "";

	ms_text_addf(&sql, "insert into %s (", table);
	for (; *first != NULL; first++, comma = ", ") {
		ms_text_addf(&sql, "%s%s", comma, *first);
		ms_text_addf(&marks, "%s?", comma);
	}
	for (; fields->column != NULL; fields++, comma = ", ") {
		ms_text_addf(&sql, "%s%s", comma, fields->column);
		ms_text_addf(&marks, "%s?", comma);
	}
	ms_text_addf(&sql, ") values (%s)", marks.at);
	for (; rows > 1; rows--)
		ms_text_addf(&sql, ", (%s)", marks.at);
	int code = ms_store_prepare(s->store, stmt, sql.at, s->err);
	ms_text_free(&sql);
	ms_text_free(&marks);
	return code;
}

static int bind_row(struct saver *s, sqlite3_stmt *stmt, int *at, const struct ms_field *fields,
		    const char *row)
{
	for (; fields->column != NULL; fields++)
		MS_TRY(bind_field(s, stmt, (*at)++, fields, row));
	return MS_OK;
}

static int insert(struct saver *s, sqlite3_stmt *stmt)
{
	int rc = sqlite3_step(stmt);

	sqlite3_reset(stmt);
	return rc == SQLITE_DONE ? MS_OK : ms_store_fail(s->store, s->err, "keep the run");
}

static int save_head(struct saver *s)
{
	static const char *const none[] = { NULL };
	sqlite3_stmt *stmt;
	int at = 1;

	MS_TRY(prepare_insert(s, "run", none, ms_stored_run, 1, &stmt));
	int code = bind_row(s, stmt, &at, ms_stored_run, (const char *)s->run);
	if (code == MS_OK)
		code = insert(s, stmt);
	sqlite3_finalize(stmt);
	s->run->id = sqlite3_last_insert_rowid(s->store->db);
	return code;
}

/* Rows from `i` on, a batch at a time, as long as there are whole batches. */
static int save_batches(struct saver *s, const struct ms_stored *stored, size_t batch, size_t *i)
{
	const char *const first[] = { "run", stored->number, NULL };
	struct ms_any_vec rows = ms_stored_vec(s->run, stored->array);
	sqlite3_stmt *stmt;
	int code = MS_OK;

	MS_TRY(prepare_insert(s, stored->table, first, stored->fields, batch, &stmt));
	while (code == MS_OK && rows.n - *i >= batch) {
		int at = 1;

		for (size_t k = 0; code == MS_OK && k < batch; k++, ++*i) {
			bind_int(s, stmt, at++, s->run->id);
			if (stored->number != NULL)
				bind_int(s, stmt, at++, (int64_t)*i);
			s->bytes += ROW_BYTES;
			code = bind_row(s, stmt, &at, stored->fields, rows.at + *i * stored->size);
		}
		if (code == MS_OK)
			code = insert(s, stmt);
	}
	sqlite3_finalize(stmt);
	return code;
}

static int save_array(struct saver *s, const struct ms_stored *stored)
{
	size_t i = 0;

	MS_TRY(save_batches(s, stored, BATCH, &i));
	return save_batches(s, stored, 1, &i);
}

/* The sums that a list of runs shows, so that it need not read every cell. */
static int save_sums(struct saver *s)
{
	const struct ms_run *run = s->run;
	uint64_t refs = 0;
	char sql[160];

	for (size_t i = 0; i < run->cells.n; i++)
		refs += run->cells.at[i].references;
	snprintf(sql, sizeof(sql),
		 "update run set refs = %" PRId64 ", bytes = %" PRId64 " where id = %" PRId64,
		 (int64_t)refs, (int64_t)s->bytes, run->id);
	MS_TRY(ms_store_exec(s->store, sql, s->err));
	for (size_t level = 0; level < run->levels.n; level++) {
		uint64_t misses = 0;

		for (size_t i = 0; i < run->misses.n; i++)
			for (int c = 0; c < MS_CAUSES && run->misses.at[i].level == level; c++)
				misses += run->misses.at[i].causes[c];
		snprintf(sql, sizeof(sql),
			 "update level set misses = %" PRId64 " where run = %" PRId64
			 " and level = %zu",
			 (int64_t)misses, run->id, level);
		MS_TRY(ms_store_exec(s->store, sql, s->err));
	}
	return MS_OK;
}

static int save_all(struct saver *s)
{
	MS_TRY(ms_store_prepare(s->store, &s->find, "select id from string where text = ?",
				s->err));
	MS_TRY(ms_store_prepare(s->store, &s->insert, "insert into string (text) values (?)",
				s->err));
	MS_TRY(save_head(s));
	for (const struct ms_stored *stored = ms_stored_arrays; stored->table != NULL; stored++)
		MS_TRY(save_array(s, stored));
	return save_sums(s);
}

/* What tells this run from every other, also where databases are put together. */
static void give_uid(struct ms_run *run)
{
	unsigned char bytes[16];
	char text[2 * sizeof(bytes) + 1];

	if (run->uid != NULL)
		return;
	sqlite3_randomness(sizeof(bytes), bytes);
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
	run->uid = ms_arena_strdup(&run->arena, text);
}

int ms_store_save(struct ms_store *store, struct ms_run *run, struct ms_err *err)
{
	struct saver s = { .store = store, .run = run, .err = err };
	int64_t old_id = run->id;

	MS_TRY(ms_run_check(run, err));
	give_uid(run);
	ms_store_wait(store, MS_STORE_SAVE_BUSY_MS);
	/* Every index was checked just now, so the database need not look each of them up again. */
	MS_TRY(ms_store_exec(store, "pragma foreign_keys = off; begin immediate", err));
	int code = save_all(&s);
	sqlite3_finalize(s.find);
	sqlite3_finalize(s.insert);
	if (code == MS_OK && sqlite3_exec(store->db, "commit", NULL, NULL, NULL) != SQLITE_OK)
		code = ms_store_fail(store, err, "keep the run");
	if (code != MS_OK) {
		sqlite3_exec(store->db, "rollback", NULL, NULL, NULL);
		run->id = old_id;
	}
	sqlite3_exec(store->db, "pragma foreign_keys = on", NULL, NULL, NULL);
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
