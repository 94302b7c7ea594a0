/* store/store_priv.h - what the files of the store share. */
#ifndef MS_STORE_STORE_PRIV_H
#define MS_STORE_STORE_PRIV_H

#include <sqlite3.h>

#include "base/text.h"
#include "store/store.h"

struct ms_rows;

/* replace.h: the checkpoint that is being replaced. */
struct ms_replaced {
	int64_t id;            /* 0: none */
	uint64_t string_bytes; /* that it has added to table string */
};

struct ms_store {
	sqlite3 *db;
	char *path;
	int busy_ms;                 /* how long it waits for another process */
	const struct ms_rows *rows;  /* that are being inserted: see rows.h */
	bool has_rows;               /* and the table that shows them is there */
	int64_t begun;               /* the run whose counts are in, in a transaction; 0: none */
	uint64_t begun_bytes;        /* that they take */
	struct ms_replaced replaced; /* likewise */
};

/* A run that is done can wait longer for its turn than one that has not begun. */
enum { MS_STORE_OPEN_BUSY_MS = 10000, MS_STORE_SAVE_BUSY_MS = 30000 };

enum { MS_STORE_APPLICATION = 0x4d535059 /* "MSPY" */, MS_STORE_SCHEMA = 18 };

/* Statements that lead from schema version i to i + 1, i from 0. */
extern const char *const ms_store_migrations[MS_STORE_SCHEMA];
/* Those that lead from nothing to the newest version. */
void ms_store_whole_schema(struct ms_text *sql);

/* How a field of a struct in run.h stands in its column. */
enum ms_field_kind {
	MS_FIELD_U32,
	MS_FIELD_U64,
	MS_FIELD_INT,
	MS_FIELD_ID, /* int64_t, of a run; 0 is null */
	MS_FIELD_REAL,
	MS_FIELD_TEXT,         /* const char * */
	MS_FIELD_MAYBE_TEXT,   /* likewise; NULL is null */
	MS_FIELD_STRING,       /* const char *, kept once in the table string */
	MS_FIELD_MAYBE_STRING, /* likewise; NULL is null */
	MS_FIELD_WORD,         /* uint32_t enum, kept as one of `words` */
	MS_FIELD_INDEX,        /* uint32_t index into the array at `target` of struct ms_run */
	MS_FIELD_MAYBE_INDEX,  /* likewise; MS_NONE is null */
	MS_FIELD_MAYBE_U64,    /* uint64_t; MS_NO_OFFSET is null */
};

struct ms_field {
	const char *column;
	enum ms_field_kind kind;
	size_t offset;
	size_t target;
	const char *const *words; /* ends with NULL */
};

/* An array of struct ms_run and its table. */
struct ms_stored {
	const char *table;
	const char *number; /* the column that holds the element's index; NULL: the order is the
			       key's */
	const char *order;  /* columns to read it back by */
	size_t array;       /* offset of the MS_VEC in struct ms_run */
	size_t size;        /* of an element */
	const struct ms_field *fields; /* ends with a NULL column */
	bool counts; /* numbers only, and most rows: can be saved before names are known */
	/* packed.h: the column that holds the last two fields of all elements of a row, those
	 * before them being its key. NULL: an element has a row. */
	const char *packed;
};

extern const struct ms_stored ms_stored_arrays[]; /* ends with a NULL table */
extern const struct ms_field ms_stored_run[];     /* the run's own row */

/* fields_pmu.c: elements of three of the arrays, and what they must hold together. */
extern const struct ms_field ms_stored_pmu[];
extern const struct ms_field ms_stored_pmu_level[];
extern const struct ms_field ms_stored_pmu_sample[];
int ms_run_check_pmus(const struct ms_run *run, struct ms_err *err);

/* fields_sampled.c: likewise of runs that were sampled. */
extern const struct ms_field ms_stored_sampling[];
extern const struct ms_field ms_stored_sampled_level[];
extern const struct ms_field ms_stored_sampled_life[];
extern const struct ms_field ms_stored_sampled_reference[];
extern const struct ms_field ms_stored_sampled_miss[];
int ms_run_check_sampled(const struct ms_run *run, struct ms_err *err);

/* fields_hardware.c: likewise of runs that were sampled on the real machine. */
extern const struct ms_field ms_stored_hardware[];
extern const struct ms_field ms_stored_hardware_sample[];
extern const struct ms_field ms_stored_hardware_latency[];
extern const struct ms_field ms_stored_hardware_compute[];
extern const struct ms_field ms_stored_hardware_loss[];
int ms_run_check_hardware(const struct ms_run *run, struct ms_err *err);

/* A MS_VEC of any type, as it lies in memory. */
struct ms_any_vec {
	char *at;
	size_t n;
	size_t cap;
};

struct ms_any_vec ms_stored_vec(const struct ms_run *run, size_t offset);

/* MS_EBUG when an index of the run points to nothing or an enum has no word. */
int ms_run_check(const struct ms_run *run, struct ms_err *err);

/* "PATH: could not WHAT: SQLite's words"; the code is made from SQLite's. */
int ms_store_fail(const struct ms_store *store, struct ms_err *err, const char *what);
void ms_store_wait(struct ms_store *store, int ms);
int ms_store_exec(const struct ms_store *store, const char *sql, struct ms_err *err);
int ms_store_prepare(const struct ms_store *store, sqlite3_stmt **stmt, const char *sql,
		     struct ms_err *err);
/* The sentence about a table with what memspy never writes into it. */
int ms_store_damaged(const struct ms_store *store, int64_t run, const char *table,
		     struct ms_err *err);
/* tables.c: whether the tables are those that the schema made, and not views or the like. */
int ms_store_check_tables(const struct ms_store *store, struct ms_err *err);
/* One integer that a statement without parameters answers. */
int ms_store_number(const struct ms_store *store, const char *sql, int64_t *value,
		    struct ms_err *err);

#endif
