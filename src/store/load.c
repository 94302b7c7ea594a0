#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/map.h"
#include "base/text.h"
#include "store/packed_evictions.h"
#include "store/store_priv.h"

struct run_loader {
	struct ms_store *store;
	struct ms_run *run;
	struct ms_err *err;
	struct ms_map ids; /* id of a string -> index into strings */
	MS_VEC(const char *) strings;
	sqlite3_stmt *string;
};

static const char *own_text(struct run_loader *l, sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return text ? ms_arena_strdup(&l->run->arena, text) : NULL;
}

/* NULL if there is no such string. */
static const char *string_of(struct run_loader *l, sqlite3_stmt *stmt, int column)
{
	int64_t id = sqlite3_column_int64(stmt, column);
	uint32_t *slot = ms_map_at(&l->ids, (uint64_t)id, 0);

	if (*slot == MS_MAP_NONE) {
		sqlite3_bind_int64(l->string, 1, id);
		bool got = sqlite3_step(l->string) == SQLITE_ROW;
		*slot = (uint32_t)l->strings.n;
		*ms_vec_add(&l->strings) = got ? own_text(l, l->string, 0) : NULL;
		sqlite3_reset(l->string);
	}
	return l->strings.at[*slot];
}

/* MS_NONE if it is none of the words: the check of the whole run then rejects it. */
static uint32_t word_of(const char *const *words, sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	for (uint32_t i = 0; text != NULL && words[i] != NULL; i++)
		if (strcmp(text, words[i]) == 0)
			return i;
	return MS_NONE;
}

#define PUT(type, value)                         \
	do {                                     \
		type put_ = (value);             \
		memcpy(to, &put_, sizeof(put_)); \
	} while (0)

/* Whether it is an integer from low to high; *number: its value. The field is looked up once,
 * because each SQLite call takes as long as the rest of a field. The connection has no mutex, so
 * that its values need no protection. */
static bool read_whole(sqlite3_stmt *stmt, int column, int64_t low, int64_t high, int64_t *number)
{
	sqlite3_value *value = sqlite3_column_value(stmt, column);

	*number = sqlite3_value_int64(value);
	return *number >= low && *number <= high && sqlite3_value_type(value) == SQLITE_INTEGER;
}

static bool read_real(sqlite3_stmt *stmt, int column, double *number)
{
	sqlite3_value *value = sqlite3_column_value(stmt, column);

	*number = sqlite3_value_double(value);
	return isfinite(*number) && sqlite3_value_type(value) != SQLITE_NULL;
}

static bool read_text(struct run_loader *l, sqlite3_stmt *stmt, int column, bool string, char *to)
{
	const char *text = NULL;

	if (!string && sqlite3_column_type(stmt, column) == SQLITE_TEXT)
		text = own_text(l, stmt, column);
	else if (string && sqlite3_column_type(stmt, column) == SQLITE_INTEGER)
		text = string_of(l, stmt, column);
	PUT(const char *, text);
	return text != NULL;
}

static bool is_null(sqlite3_stmt *stmt, int column)
{
	return sqlite3_column_type(stmt, column) == SQLITE_NULL;
}

/* False: the column has a value that memspy never writes there. */
static bool read_field(struct run_loader *l, sqlite3_stmt *stmt, int column,
		       const struct ms_run_field *field, char *row)
{
	char *to = row + field->offset;
	int64_t value;
	double real;
	bool good;

	switch (field->kind) {
	case MS_FIELD_U32:
	case MS_FIELD_INDEX:
		good = read_whole(stmt, column, 0, UINT32_MAX, &value);
		PUT(uint32_t, (uint32_t)value);
		return good;
	case MS_FIELD_U64:
		good = read_whole(stmt, column, INT64_MIN, INT64_MAX, &value);
		PUT(uint64_t, (uint64_t)value);
		return good;
	case MS_FIELD_MAYBE_INDEX:
		good = read_whole(stmt, column, 0, UINT32_MAX - 1, &value);
		PUT(uint32_t, good ? (uint32_t)value : MS_NONE);
		return good || is_null(stmt, column);
	case MS_FIELD_MAYBE_U64:
		good = read_whole(stmt, column, INT64_MIN, INT64_MAX, &value);
		PUT(uint64_t, good ? (uint64_t)value : MS_NO_OFFSET);
		return good || is_null(stmt, column);
	case MS_FIELD_INT:
		good = read_whole(stmt, column, INT_MIN, INT_MAX, &value);
		PUT(int, (int)value);
		return good;
	case MS_FIELD_ID:
		good = read_whole(stmt, column, 1, INT64_MAX, &value);
		PUT(int64_t, value);
		return good || is_null(stmt, column);
	case MS_FIELD_REAL:
		good = read_real(stmt, column, &real);
		PUT(double, real);
		return good;
	case MS_FIELD_TEXT:
		return read_text(l, stmt, column, false, to);
	case MS_FIELD_MAYBE_TEXT:
		return is_null(stmt, column) || read_text(l, stmt, column, false, to);
	case MS_FIELD_STRING:
		return read_text(l, stmt, column, true, to);
	case MS_FIELD_MAYBE_STRING:
		return is_null(stmt, column) || read_text(l, stmt, column, true, to);
	case MS_FIELD_WORD:
		PUT(uint32_t, word_of(field->words, stmt, column));
		return true;
	}
	return false;
}

/* select [NUMBER or 0], fields ... from TABLE where KEY = id order by ORDER */
static int prepare_select(struct run_loader *l, const char *table, const char *number,
			  const char *key, const struct ms_run_field *fields, const char *order,
			  sqlite3_stmt **stmt)
{
	struct ms_text sql = MS_TEXT_INIT;

	ms_text_addf(&sql, "select %s", number ? number : "0");
	for (; fields->column != NULL; fields++)
		ms_text_addf(&sql, ", %s", fields->column);
	ms_text_addf(&sql, " from %s where %s = ? order by %s", table, key, order);
	int code = ms_store_prepare(l->store, stmt, sql.at, l->err);
	ms_text_free(&sql);
	if (code == MS_OK)
		sqlite3_bind_int64(*stmt, 1, l->run->id);
	return code;
}

static bool read_row(struct run_loader *l, sqlite3_stmt *stmt, const struct ms_run_field *fields,
		     char *row)
{
	for (int column = 1; fields->column != NULL; fields++, column++)
		if (!read_field(l, stmt, column, fields, row))
			return false;
	return true;
}

static int load_head(struct run_loader *l)
{
	sqlite3_stmt *stmt;

	MS_TRY(prepare_select(l, "run", NULL, "id", ms_run_fields, "id", &stmt));
	int rc = sqlite3_step(stmt);
	bool good = rc == SQLITE_ROW && read_row(l, stmt, ms_run_fields, (char *)l->run);
	sqlite3_finalize(stmt);
	if (rc == SQLITE_ROW)
		return good ? MS_OK : ms_store_damaged(l->store, l->run->id, "run", l->err);
	if (rc == SQLITE_DONE)
		return ms_fail(l->err, MS_ENOENT, "%s: there is no run @%" PRId64, l->store->path,
			       l->run->id);
	return ms_store_fail(l->store, l->err, "read the run");
}

/*
 * The run owns what was read, even if it is incomplete; rc: of the last step, SQLITE_ROW if that
 * row is not in memspy's format.
 */
static int end_rows(struct run_loader *l, sqlite3_stmt *stmt, const struct ms_run_table *stored,
		    const struct ms_run_any_vec *rows, int rc)
{
	int code = MS_OK;

	if (rc == SQLITE_ROW)
		code = ms_store_damaged(l->store, l->run->id, stored->table, l->err);
	else if (rc != SQLITE_DONE)
		code = ms_store_fail(l->store, l->err, "read the run");
	sqlite3_finalize(stmt);
	memcpy((char *)l->run + stored->array, rows, sizeof(*rows));
	return code;
}

static int load_array(struct run_loader *l, const struct ms_run_table *stored)
{
	struct ms_run_any_vec rows = { NULL, 0, 0 };
	sqlite3_stmt *stmt;
	int rc;

	MS_TRY(prepare_select(l, stored->table, stored->number, "run", stored->fields,
			      stored->order, &stmt));
	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		if (stored->number != NULL && sqlite3_column_int64(stmt, 0) != (int64_t)rows.n)
			break;
		ms_vec_reserve_((void **)&rows.at, rows.n, &rows.cap, 1, stored->size);
		if (!read_row(l, stmt, stored->fields, rows.at + rows.n * stored->size))
			break;
		rows.n++;
	}
	return end_rows(l, stmt, stored, &rows, rc);
}

static bool read_keys(struct run_loader *l, sqlite3_stmt *stmt, const struct ms_run_table *stored,
		      int keys, char *row)
{
	for (int column = 1; column <= keys; column++)
		if (!read_field(l, stmt, column, &stored->fields[column - 1], row))
			return false;
	return true;
}

/* All elements of a row; each has both kinds of numbers. Common fields are read once. */
static bool unpack(struct run_loader *l, sqlite3_stmt *stmt, const struct ms_run_table *stored,
		   int keys, struct ms_run_any_vec *rows)
{
	const struct ms_run_field *data = &stored->fields[keys], *counted = data + 1;
	const char *text = (const char *)sqlite3_column_text(stmt, keys + 1);
	size_t n = (size_t)sqlite3_column_bytes(stmt, keys + 1), at = 0, first = rows->n;
	uint32_t number;
	uint64_t count;

	while (ms_store_packed_next(text, n, &at, &number, &count)) {
		ms_vec_reserve_((void **)&rows->at, rows->n, &rows->cap, 1, stored->size);
		char *row = rows->at + rows->n++ * stored->size;

		if (rows->n - 1 > first)
			memcpy(row, row - stored->size, stored->size);
		else if (!read_keys(l, stmt, stored, keys, row))
			return false;
		memcpy(row + data->offset, &number, sizeof(number));
		memcpy(row + counted->offset, &count, sizeof(count));
	}
	return n > 0 && at == n;
}

static int load_packed(struct run_loader *l, const struct ms_run_table *stored)
{
	struct ms_run_field columns[MS_PACKED_KEYS + 2] = { 0 };
	struct ms_run_any_vec rows = { NULL, 0, 0 };
	struct ms_text key = MS_TEXT_INIT;
	sqlite3_stmt *stmt;
	int rc, keys = ms_store_packed_keys(stored);

	memcpy(columns, stored->fields, (size_t)keys * sizeof(*columns));
	columns[keys] = (struct ms_run_field){ stored->packed, MS_FIELD_TEXT, 0, 0, NULL };

	ms_text_addf(&key, "%s is not null and run", stored->packed);
	int code = prepare_select(l, stored->table, NULL, key.at, columns, stored->order, &stmt);
	ms_text_free(&key);
	if (code != MS_OK)
		return code;
	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW)
		if (!unpack(l, stmt, stored, keys, &rows))
			break;
	return end_rows(l, stmt, stored, &rows, rc);
}

int ms_store_load_table(struct ms_store *store, const char *table, struct ms_run *run,
			struct ms_err *err)
{
	struct run_loader l = { .store = store, .run = run, .err = err };
	const struct ms_run_table *stored = ms_run_tables;

	while (strcmp(stored->table, table) != 0)
		stored++;
	return load_array(&l, stored);
}

static int load_all(struct run_loader *l)
{
	MS_TRY(ms_store_prepare(l->store, &l->string, "select text from string where id = ?",
				l->err));
	MS_TRY(load_head(l));
	for (const struct ms_run_table *stored = ms_run_tables; stored->table != NULL; stored++)
		MS_TRY(stored->packed != NULL ? load_packed(l, stored) : load_array(l, stored));
	if (ms_run_check(l->run, l->err) != MS_OK) {
		l->err->code = MS_EFORMAT;
		return ms_fail_in(l->err, "%s: run @%" PRId64 " is damaged or was changed by hand",
				  l->store->path, l->run->id);
	}
	return MS_OK;
}

int ms_store_load(struct ms_store *store, int64_t id, struct ms_run *run, struct ms_err *err)
{
	struct ms_err own;
	struct run_loader l = { .store = store, .run = run, .err = err ? err : &own };

	*run = (struct ms_run){ .id = id };
	/* One transaction: a run that is deleted meanwhile is read completely or not at all. */
	MS_TRY(ms_store_exec(store, "begin", err));
	int code = load_all(&l);
	sqlite3_finalize(l.string);
	sqlite3_exec(store->db, "commit", NULL, NULL, NULL);
	ms_map_free(&l.ids);
	ms_vec_free(&l.strings);
	if (code != MS_OK)
		ms_run_free(run);
	return code;
}
