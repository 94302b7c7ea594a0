/* store/insert_rows.h - rows to insert, as a virtual table of SQLite. */
#ifndef MS_STORE_INSERT_ROWS_H
#define MS_STORE_INSERT_ROWS_H

#include "base/text.h"
#include "base/vec.h"
#include "store/store_priv.h"

/* The columns of a table in their order. Not every one has a field. */
struct ms_store_column {
	const char *name;
	const char *value; /* by default, as in SQL; NULL: null */
};
struct ms_store_columns {
	MS_VEC(struct ms_store_column) at;
};

/* The content of the table temp.memspy_rows. */
struct ms_store_rows {
	const struct ms_run_field *fields; /* ends with a NULL column */
	const char *at;
	size_t size; /* of an element */
	size_t n;
	int first;   /* columns before the fields: none, the run, or the run and the number */
	int64_t run; /* of all rows */
	const char *run_column; /* its name; NULL: "run". Otherwise the number of the row. */
	int (*string_id)(void *self, const char *text, int64_t *id);
	void *self;
	uint64_t *bytes; /* sum of the sizes of the values in SQLite's format */
	const struct ms_store_columns *columns; /* of the table; NULL: the fields' order will do */
};

/*
 * Creates the table for this connection; its content is what *rows points to. Returns an SQLite
 * code.
 */
int ms_store_rows_open(sqlite3 *db, const struct ms_store_rows **rows);
/* The statement that inserts them. */
void ms_store_rows_insert(const struct ms_store_rows *rows, const char *table, const char *number,
			  struct ms_text *sql);

#endif
