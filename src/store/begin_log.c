/*
 * store/begin_log.c - begins a transaction whose pages are the first of a new write-ahead log,
 * without waiting for the disk.
 *
 * SQLite waits for the disk twice before it changes the database file: for the log's head when the
 * log begins, and for the whole log before its pages are moved into the database. The first is for
 * a log that is used again, with old pages after its new head. A log that is empty has none: until
 * the second wait is over, the database is as before, whatever part of the log is on the disk.
 *
 * So the transaction runs without waits if the log is empty, and pages are moved only after its
 * end, when waits are on again.
 */
#include <string.h>
#include <sys/stat.h>

#include "store/store_priv.h"

/* SQLite's default, in pages. */
enum { AUTOMATIC_CHECKPOINT = 1000 };

/* On some file systems, there is another journal. */
static bool has_log(const struct ms_store *store)
{
	sqlite3_stmt *stmt;
	bool is_log = false;

	if (ms_store_prepare(store, &stmt, "pragma journal_mode", NULL) != MS_OK)
		return false;
	if (sqlite3_step(stmt) == SQLITE_ROW) {
		const char *mode = (const char *)sqlite3_column_text(stmt, 0);

		is_log = mode != NULL && strcmp(mode, "wal") == 0;
	}
	sqlite3_finalize(stmt);
	return is_log;
}

static bool is_log_empty(const struct ms_store *store)
{
	struct ms_text name = MS_TEXT_INIT;
	struct stat log;

	ms_text_addf(&name, "%s-wal", store->path);
	bool is_empty = stat(name.at, &log) == 0 && log.st_size == 0;
	ms_text_free(&name);
	return is_empty;
}

/* SQLite moves pages without waits, too, while these are off. */
static void set_waits(struct ms_store *store, bool waits)
{
	sqlite3_wal_autocheckpoint(store->db, waits ? AUTOMATIC_CHECKPOINT : 0);
	sqlite3_exec(store->db, waits ? "pragma synchronous = normal" : "pragma synchronous = off",
		     NULL, NULL, NULL);
	store->begins_log = !waits;
}

int ms_store_begin_log(struct ms_store *store, struct ms_err *err)
{
	if (has_log(store) && is_log_empty(store))
		set_waits(store, false);
	MS_TRY(ms_store_exec(store, "begin immediate", err));
	if (!store->begins_log || is_log_empty(store))
		return MS_OK;
	/* Another process was faster. */
	sqlite3_exec(store->db, "rollback", NULL, NULL, NULL);
	set_waits(store, true);
	return ms_store_exec(store, "begin immediate", err);
}

void ms_store_end_log(struct ms_store *store)
{
	if (store->begins_log)
		set_waits(store, true);
}
