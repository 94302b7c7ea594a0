/*
 * store/insert_rows.c - presents an array of struct ms_run as a virtual table of SQLite: "insert
 * into cell
 * (...) select ... from temp.memspy_rows" inserts all of its rows in one statement, which costs a
 * fifth less than binding the values of each row.
 *
 * The table belongs to the connection, and is in no file. Its content is set before each statement.
 */
#include "store/insert_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/text.h"

struct rows_table {
	sqlite3_vtab base;
	const struct ms_store_rows *const *rows; /* its current content */
};

struct rows_cursor {
	sqlite3_vtab_cursor base;
	const struct ms_store_rows *rows;
	size_t at;
};

enum { MOST_COLUMNS = 64 };

/* --- values --- */

union field_value {
	uint32_t u32;
	uint64_t u64;
	int i;
	int64_t id;
	double real;
	const char *text;
};

/* Fields of four bytes; all others have eight. */
static const bool is_short[] = {
	[MS_FIELD_U32] = true,   [MS_FIELD_INT] = true,         [MS_FIELD_WORD] = true,
	[MS_FIELD_INDEX] = true, [MS_FIELD_MAYBE_INDEX] = true, [MS_FIELD_MAYBE_U64] = false,
};

static union field_value value_of(const struct ms_run_field *field, const char *row)
{
	union field_value v = { 0 };

	if (is_short[field->kind])
		memcpy(&v.u32, row + field->offset, sizeof(v.u32));
	else
		memcpy(&v.u64, row + field->offset, sizeof(v.u64));
	return v;
}

/* False: the field is not an integer. Otherwise sets *value; *known: it is not null. */
static bool is_number(const struct ms_run_field *field, union field_value v, int64_t *value,
		      bool *known)
{
	*known = true;
	switch (field->kind) {
	case MS_FIELD_U32:
	case MS_FIELD_INDEX:
		*value = v.u32;
		return true;
	case MS_FIELD_U64:
		*value = (int64_t)v.u64;
		return true;
	case MS_FIELD_INT:
		*value = v.i;
		return true;
	case MS_FIELD_ID:
		*value = v.id;
		*known = v.id != 0;
		return true;
	case MS_FIELD_MAYBE_INDEX:
		*value = v.u32;
		*known = v.u32 != MS_NONE;
		return true;
	case MS_FIELD_MAYBE_U64:
		*value = (int64_t)v.u64;
		*known = v.u64 != MS_NO_OFFSET;
		return true;
	case MS_FIELD_REAL:
	case MS_FIELD_TEXT:
	case MS_FIELD_MAYBE_TEXT:
	case MS_FIELD_STRING:
	case MS_FIELD_MAYBE_STRING:
	case MS_FIELD_WORD:
		break;
	}
	return false;
}

/* The size of a value in a record: a byte for its type, and as few as an integer needs. */
static uint64_t packed(int64_t value)
{
	uint64_t magnitude = value < 0 ? ~(uint64_t)value : (uint64_t)value;

	if (value == 0 || value == 1)
		return 1;
	if (magnitude < UINT64_C(1) << 15)
		return magnitude < UINT64_C(1) << 7 ? 2 : 3;
	if (magnitude < UINT64_C(1) << 31)
		return magnitude < UINT64_C(1) << 23 ? 4 : 5;
	return magnitude < UINT64_C(1) << 47 ? 7 : 1 + sizeof(value);
}

/* SQLite stores a real number without a fraction as an integer, if it is below 2^47. */
static uint64_t packed_real(double value)
{
	const double limit = (double)(INT64_C(1) << 47);
	bool is_integer = value > -limit && value < limit && value == (double)(int64_t)value;

	return is_integer ? packed((int64_t)value) : 1 + sizeof(value);
}

static void give_int(sqlite3_context *out, const struct ms_store_rows *rows, int64_t value)
{
	*rows->bytes += packed(value);
	sqlite3_result_int64(out, value);
}

static void give_null(sqlite3_context *out, const struct ms_store_rows *rows)
{
	++*rows->bytes;
	sqlite3_result_null(out);
}

static void give_text(sqlite3_context *out, const struct ms_store_rows *rows, const char *text)
{
	if (text == NULL) {
		give_null(out, rows);
		return;
	}
	size_t n = strlen(text);

	*rows->bytes += 2 + n;
	sqlite3_result_text64(out, text, n, SQLITE_STATIC, SQLITE_UTF8);
}

static int give_string(sqlite3_context *out, const struct ms_store_rows *rows, const char *text)
{
	int64_t id = 0;

	if (text == NULL) {
		give_null(out, rows);
		return SQLITE_OK;
	}
	if (rows->string_id(rows->self, text, &id) != MS_OK)
		return SQLITE_ERROR; /* string_id() has recorded the error */
	give_int(out, rows, id);
	return SQLITE_OK;
}

static int give_field(sqlite3_context *out, const struct ms_store_rows *rows,
		      const struct ms_run_field *field, const char *row)
{
	union field_value v = value_of(field, row);
	int64_t number;
	bool known;

	if (is_number(field, v, &number, &known)) {
		if (known)
			give_int(out, rows, number);
		else
			give_null(out, rows);
	} else if (field->kind == MS_FIELD_REAL) {
		*rows->bytes += packed_real(v.real);
		sqlite3_result_double(out, v.real);
	} else if (field->kind == MS_FIELD_STRING || field->kind == MS_FIELD_MAYBE_STRING) {
		return give_string(out, rows, v.text);
	} else {
		give_text(out, rows, field->kind == MS_FIELD_WORD ? field->words[v.u32] : v.text);
	}
	return SQLITE_OK;
}

/* --- callbacks of SQLite --- */

static int connect(sqlite3 *db, void *rows, int argc, const char *const *argv, sqlite3_vtab **table,
		   char **error)
{
	struct ms_text sql = MS_TEXT_INIT;

	(void)argc;
	(void)argv;
	(void)error;
	ms_text_add(&sql, "create table rows (");
	for (int i = 0; i < MOST_COLUMNS; i++)
		ms_text_addf(&sql, "%sc%d", i > 0 ? ", " : "", i);
	ms_text_add(&sql, ")");
	int rc = sqlite3_declare_vtab(db, sql.at);
	ms_text_free(&sql);
	if (rc != SQLITE_OK)
		return rc;
	struct rows_table *t = ms_alloc(sizeof(*t));
	t->rows = rows;
	*table = &t->base;
	return SQLITE_OK;
}

static int disconnect(sqlite3_vtab *table)
{
	ms_free(table);
	return SQLITE_OK;
}

static int best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	(void)table;
	info->estimatedCost = 1;
	return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
	struct rows_cursor *c = ms_alloc(sizeof(*c));

	(void)table;
	*cursor = &c->base;
	return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
	ms_free(cursor);
	return SQLITE_OK;
}

static int begin(sqlite3_vtab_cursor *cursor, int index, const char *name, int argc,
		 sqlite3_value **argv)
{
	struct rows_cursor *c = (struct rows_cursor *)cursor;

	(void)index;
	(void)name;
	(void)argc;
	(void)argv;
	c->rows = *((const struct rows_table *)cursor->pVtab)->rows;
	c->at = 0;
	return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *cursor)
{
	((struct rows_cursor *)cursor)->at++;
	return SQLITE_OK;
}

static int at_end(sqlite3_vtab_cursor *cursor)
{
	const struct rows_cursor *c = (const struct rows_cursor *)cursor;

	return c->rows == NULL || c->at >= c->rows->n;
}

static int column(sqlite3_vtab_cursor *cursor, sqlite3_context *out, int i)
{
	const struct rows_cursor *c = (const struct rows_cursor *)cursor;
	const struct ms_store_rows *rows = c->rows;

	if (i >= rows->first)
		return give_field(out, rows, &rows->fields[i - rows->first],
				  rows->at + c->at * rows->size);
	give_int(out, rows, (int64_t)c->at); /* the run is a constant of the statement */
	return SQLITE_OK;
}

static int row_id(sqlite3_vtab_cursor *cursor, sqlite3_int64 *id)
{
	*id = (sqlite3_int64)((const struct rows_cursor *)cursor)->at;
	return SQLITE_OK;
}

static const sqlite3_module module = {
	.xCreate = connect,
	.xConnect = connect,
	.xBestIndex = best_index,
	.xDisconnect = disconnect,
	.xDestroy = disconnect,
	.xOpen = open_cursor,
	.xClose = close_cursor,
	.xFilter = begin,
	.xNext = next,
	.xEof = at_end,
	.xColumn = column,
	.xRowid = row_id,
};

int ms_store_rows_open(sqlite3 *db, const struct ms_store_rows **rows)
{
	/* In temp: a table in a file cannot take its place. */
	static const char sql[] = "pragma temp_store = memory; "
				  "create virtual table temp.memspy_rows using memspy_rows";
	int rc = sqlite3_create_module(db, "memspy_rows", &module, rows);

	return rc != SQLITE_OK ? rc : sqlite3_exec(db, sql, NULL, NULL, NULL);
}

/* --- the statement --- */

static bool has_value(const struct ms_run_field *field, const char *row, uint64_t value)
{
	return value_of(field, row).u64 == value;
}

/* Whether the first row's value can be a constant. The lowest negative number has no literal. */
static bool may_be_constant(const struct ms_run_field *field, const char *row)
{
	union field_value v = value_of(field, row);
	int64_t number;
	bool known;

	if (field->kind == MS_FIELD_REAL)
		return v.u64 == 0;
	return is_number(field, v, &number, &known) && (!known || number >= 0);
}

/*
 * Numbers that are equal in all rows become constants of the statement, so that SQLite need not
 * request them for each row: for a machine with one processor these are nearly half of the values.
 * One pass over the rows, which are more than a cache holds.
 */
static size_t list_same(const struct ms_store_rows *rows, size_t same[MOST_COLUMNS])
{
	uint64_t first[MOST_COLUMNS];
	size_t n = 0;

	for (size_t i = 0; rows->fields[i].column != NULL && i < MOST_COLUMNS; i++) {
		if (!may_be_constant(&rows->fields[i], rows->at))
			continue;
		first[n] = value_of(&rows->fields[i], rows->at).u64;
		same[n++] = i;
	}
	for (size_t row = 1; row < rows->n && n > 0; row++) {
		size_t kept = 0;

		for (size_t k = 0; k < n; k++)
			if (has_value(&rows->fields[same[k]], rows->at + row * rows->size,
				      first[k])) {
				first[kept] = first[k];
				same[kept++] = same[k];
			}
		n = kept;
	}
	return n;
}

static void find_constants(const struct ms_store_rows *rows, bool constant[MOST_COLUMNS])
{
	size_t same[MOST_COLUMNS], n = list_same(rows, same);

	memset(constant, false, MOST_COLUMNS * sizeof(*constant));
	for (size_t i = 0; i < n; i++)
		constant[same[i]] = true;
}

/* A column of the statement and where its values come from. */
struct item {
	const char *name;
	enum { FROM_RUN, FROM_ROWS, FROM_LITERAL, FROM_DEFAULT } from;
	int64_t number;   /* a literal, or a column of memspy_rows */
	const char *text; /* a default; NULL: null. Also a literal that is null. */
};

struct items {
	struct item at[MOST_COLUMNS + 2];
	size_t n;
};

static struct item field_item(const struct ms_store_rows *rows, size_t i, bool constant)
{
	const struct ms_run_field *field = &rows->fields[i];
	struct item item = { field->column, FROM_ROWS, rows->first + (int)i, NULL };
	bool known = true;

	if (!constant)
		return item;
	item.from = FROM_LITERAL;
	if (field->kind == MS_FIELD_REAL)
		item.number = 0;
	else
		is_number(field, value_of(field, rows->at), &item.number, &known);
	if (!known)
		item.from = FROM_DEFAULT;
	*rows->bytes += rows->n * (known ? packed(item.number) : 1);
	return item;
}

/* In the order of the fields. */
static void list_items(const struct ms_store_rows *rows, const char *number, struct items *items)
{
	bool constant[MOST_COLUMNS];

	find_constants(rows, constant);
	items->n = 0;
	if (rows->first > 0)
		items->at[items->n++] =
			(struct item){ rows->run_column != NULL ? rows->run_column : "run",
				       FROM_RUN, rows->run, NULL };
	if (rows->first > 1)
		items->at[items->n++] = (struct item){ number, FROM_ROWS, 1, NULL };
	for (size_t i = 0; rows->fields[i].column != NULL; i++)
		items->at[items->n++] = field_item(rows, i, constant[i]);
}

static bool is_default(const struct item *item, const struct ms_store_column *column)
{
	if (item->from == FROM_LITERAL)
		return item->number == 0 && column->value != NULL &&
		       strcmp(column->value, "0") == 0;
	return item->from == FROM_DEFAULT && column->value == item->text;
}

/*
 * In the order of the table's columns, without those at its end that have their defaults: SQLite
 * uses what is selected as it is then. Otherwise it copies each value, and repeats each constant,
 * for each row.
 */
static void order_items(const struct ms_store_columns *columns, struct items *items)
{
	struct items ordered = { .n = 0 };
	size_t used = 0;

	for (size_t i = 0; i < columns->at.n && i < MS_COUNT(ordered.at); i++) {
		const struct ms_store_column *column = &columns->at.at[i];
		struct item *item = &ordered.at[ordered.n++];

		*item = (struct item){ column->name, FROM_DEFAULT, 0, column->value };
		for (size_t k = 0; k < items->n; k++)
			if (strcmp(items->at[k].name, column->name) == 0)
				*item = items->at[k];
		if (!is_default(item, column))
			used = ordered.n;
	}
	ordered.n = used;
	*items = ordered;
}

static void write_item(const struct item *item, struct ms_text *sql)
{
	if (item->from == FROM_DEFAULT)
		ms_text_add(sql, item->text != NULL ? item->text : "null");
	else
		ms_text_addf(sql, "%s%" PRId64, item->from == FROM_ROWS ? "c" : "", item->number);
}

/* insert into TABLE (run, NUMBER, fields ...) select RUN, c1, ... from temp.memspy_rows */
void ms_store_rows_insert(const struct ms_store_rows *rows, const char *table, const char *number,
			  struct ms_text *sql)
{
	struct items items;

	list_items(rows, number, &items);
	/* The row number of a table is not a value of the row. */
	if (rows->first > 0 && rows->run_column == NULL)
		*rows->bytes += rows->n * packed(rows->run);
	if (rows->columns != NULL)
		order_items(rows->columns, &items);
	ms_text_addf(sql, "insert into %s (", table);
	for (size_t i = 0; i < items.n; i++)
		ms_text_addf(sql, "%s%s", i > 0 ? ", " : "", items.at[i].name);
	ms_text_add(sql, ") select ");
	for (size_t i = 0; i < items.n; i++) {
		ms_text_add(sql, i > 0 ? ", " : "");
		write_item(&items.at[i], sql);
	}
	ms_text_add(sql, " from temp.memspy_rows");
}
