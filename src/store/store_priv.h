/* store/store_priv.h - declarations that the files of the store share. */
#ifndef MS_STORE_STORE_PRIV_H
#define MS_STORE_STORE_PRIV_H

#include <sqlite3.h>

#include "base/text.h"
#include "run/fields.h"
#include "store/store.h"

struct ms_store_rows;

/* replace_checkpoint.h: the checkpoint that is being replaced. */
struct ms_store_replaced {
	int64_t id;            /* 0: none */
	uint64_t string_bytes; /* that it has added to table string */
};

struct ms_store {
	sqlite3 *db;
	char *path;
	int busy_ms;                      /* how long it waits for another process */
	const struct ms_store_rows *rows; /* that are being inserted: see insert_rows.h */
	bool has_rows;                    /* whether the table that presents them exists */
	int64_t begun;        /* the run whose counts are stored, in a transaction; 0: none */
	uint64_t begun_bytes; /* that they take */
	struct ms_store_replaced replaced; /* likewise */
	bool begins_log;                   /* see begin_log.c */
};

/* A finished run can wait longer for the lock than one that has not begun. */
enum { MS_STORE_OPEN_BUSY_MS = 10000, MS_STORE_SAVE_BUSY_MS = 30000 };

enum { MS_STORE_APPLICATION = 0x4d535059 /* "MSPY" */, MS_STORE_SCHEMA = 34 };

/* Statements that migrate from schema version i to i + 1, i from 0. */
extern const char *const ms_store_migrations[MS_STORE_SCHEMA];
/* Statements that create the newest version in an empty database. */
void ms_store_newest_schema(struct ms_text *sql);

/* "PATH: could not WHAT: SQLite's message"; the code follows from SQLite's. */
int ms_store_fail(const struct ms_store *store, struct ms_err *err, const char *what);
void ms_store_wait(struct ms_store *store, int ms);
int ms_store_exec(const struct ms_store *store, const char *sql, struct ms_err *err);
int ms_store_prepare(const struct ms_store *store, sqlite3_stmt **stmt, const char *sql,
		     struct ms_err *err);
/* The message about a table with values that memspy never writes into it. */
int ms_store_damaged(const struct ms_store *store, int64_t run, const char *table,
		     struct ms_err *err);
/* load.c: reads the rows that a run has in one table without strings (of ms_run_tables). Only the
 * run's `id` and arena are used; the vector is the caller's, also after a failure. */
int ms_store_load_table(struct ms_store *store, const char *table, struct ms_run *run,
			struct ms_err *err);
/* begin_log.c: begins a transaction that only ms_store_end_log() follows, after its end. */
int ms_store_begin_log(struct ms_store *store, struct ms_err *err);
void ms_store_end_log(struct ms_store *store);
/* check_tables.c: whether the tables are those of the schema, and not views or similar. */
int ms_store_check_tables(const struct ms_store *store, struct ms_err *err);
/* The integer that a statement without parameters returns. */
int ms_store_query_integer(const struct ms_store *store, const char *sql, int64_t *value,
			   struct ms_err *err);

#endif
