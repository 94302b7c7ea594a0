#include "store/store.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/private_file.h"
#include "base/text.h"
#include "store/store_priv.h"

/*
 * SQLite does not keep the reason of a failed write; if there is a limit on file sizes, that is the
 * reason.
 */
static bool is_limited(const struct ms_store *store)
{
	struct rlimit size;

	return sqlite3_extended_errcode(store->db) == SQLITE_IOERR_WRITE &&
	       getrlimit(RLIMIT_FSIZE, &size) == 0 && size.rlim_cur != RLIM_INFINITY;
}

/* If SQLite may not create a file, it tries to read it: then ENOENT is not the real reason. */
static int reason(const struct ms_store *store)
{
	const char *slash = strrchr(store->path, '/');
	struct ms_text folder = MS_TEXT_INIT;
	int system = sqlite3_system_errno(store->db);

	ms_text_addf(&folder, "%.*s.", slash != NULL ? (int)(slash - store->path + 1) : 0,
		     store->path);
	if (system == ENOENT && faccessat(AT_FDCWD, folder.at, W_OK | X_OK, AT_EACCESS) != 0)
		system = errno;
	ms_text_free(&folder);
	return system;
}

int ms_store_fail(const struct ms_store *store, struct ms_err *err, const char *what)
{
	int rc = sqlite3_errcode(store->db);

	if (rc == SQLITE_NOTADB)
		return ms_fail(
			err, MS_EFORMAT,
			"%s: found a file that is no SQLite database, expected a run database of "
			"memspy; name another file with --db",
			store->path);
	if (rc == SQLITE_CORRUPT)
		return ms_fail(
			err, MS_EFORMAT,
			"%s: the database is damaged (%s); sqlite3's .recover may save it, or name "
			"another file with --db",
			store->path, sqlite3_errmsg(store->db));
	if (rc == SQLITE_BUSY)
		return ms_fail(
			err, MS_EIO,
			"%s: could not %s: another process has been writing to it for more than "
			"%d seconds",
			store->path, what, store->busy_ms / 1000);

	if (is_limited(store))
		return ms_fail(err, MS_EIO,
			       "%s: could not %s: no file may grow that large (ulimit -f shows the "
			       "limit)",
			       store->path, what);

	int system = reason(store);
	bool named = system != 0 && (rc == SQLITE_CANTOPEN || rc == SQLITE_IOERR);
	/* Reading also writes to the files next to a database. */
	if (named && system == ENOSPC)
		what = "write to the database";
	return ms_fail(err, MS_EIO, "%s: could not %s: %s%s%s", store->path, what,
		       sqlite3_errmsg(store->db), named ? ": " : "", named ? strerror(system) : "");
}

void ms_store_wait(struct ms_store *store, int ms)
{
	store->busy_ms = ms;
	sqlite3_busy_timeout(store->db, ms);
}

int ms_store_damaged(const struct ms_store *store, int64_t run, const char *table,
		     struct ms_err *err)
{
	return ms_fail(err, MS_EFORMAT,
		       "%s: table %s of run @%" PRId64 " is damaged or was changed by hand",
		       store->path, table, run);
}

int ms_store_exec(const struct ms_store *store, const char *sql, struct ms_err *err)
{
	if (sqlite3_exec(store->db, sql, NULL, NULL, NULL) != SQLITE_OK)
		return ms_store_fail(store, err, "use the database");
	return MS_OK;
}

int ms_store_prepare(const struct ms_store *store, sqlite3_stmt **stmt, const char *sql,
		     struct ms_err *err)
{
	if (sqlite3_prepare_v2(store->db, sql, -1, stmt, NULL) != SQLITE_OK)
		return ms_store_fail(store, err, "read the database");
	return MS_OK;
}

int ms_store_query_integer(const struct ms_store *store, const char *sql, int64_t *value,
			   struct ms_err *err)
{
	sqlite3_stmt *stmt;
	int code = MS_OK;

	MS_TRY(ms_store_prepare(store, &stmt, sql, err));
	if (sqlite3_step(stmt) == SQLITE_ROW)
		*value = sqlite3_column_int64(stmt, 0);
	else
		code = ms_store_fail(store, err, "read the database");
	sqlite3_finalize(stmt);
	return code;
}

struct file_signature {
	int64_t application;
	int64_t schema;
	int64_t tables;
};

static int read_signature(const struct ms_store *store, struct file_signature *found,
			  struct ms_err *err)
{
	MS_TRY(ms_store_query_integer(store, "select count(*) from sqlite_schema", &found->tables,
				      err));
	MS_TRY(ms_store_query_integer(store, "pragma application_id", &found->application, err));
	MS_TRY(ms_store_query_integer(store, "pragma user_version", &found->schema, err));
	if (found->tables == 0)
		found->schema = 0; /* whatever the file states: all tables must be created */
	return MS_OK;
}

static int check_signature(const struct ms_store *store, const struct file_signature *found,
			   struct ms_err *err)
{
	if (found->application != MS_STORE_APPLICATION)
		return ms_fail(err, MS_EFORMAT,
			       "%s: found an SQLite database of another program (application id "
			       "0x%08" PRIx64 "), expected a run database of memspy (0x%08x); name "
			       "another file with --db",
			       store->path, (uint64_t)found->application & UINT32_MAX,
			       (unsigned)MS_STORE_APPLICATION);
	if (found->schema < 1)
		return ms_fail(err, MS_EFORMAT,
			       "%s: found schema version %" PRId64 ", expected 1 to %d: the "
			       "database is damaged or was changed by hand; name another file with "
			       "--db",
			       store->path, found->schema, MS_STORE_SCHEMA);
	if (found->schema > MS_STORE_SCHEMA)
		return ms_fail(err, MS_EFORMAT,
			       "%s: found schema version %" PRId64 ", this memspy (" MS_VERSION
			       ") reads up to %d; use the newer memspy that wrote it, or name "
			       "another file "
			       "with --db",
			       store->path, found->schema, MS_STORE_SCHEMA);
	return MS_OK;
}

static int make_tables(const struct ms_store *store, struct ms_err *err)
{
	struct ms_text sql = MS_TEXT_INIT;

	ms_store_newest_schema(&sql);
	int code = ms_store_exec(store, sql.at, err);
	ms_text_free(&sql);
	return code;
}

/* Inside a transaction: if two processes create the same file, the second finds it complete. */
static int migrate(const struct ms_store *store, struct ms_err *err)
{
	struct file_signature found;
	char stamp[96];

	MS_TRY(read_signature(store, &found, err));
	if (found.tables > 0)
		MS_TRY(check_signature(store, &found, err));
	else
		MS_TRY(make_tables(store, err));
	for (int64_t v = found.schema; found.tables > 0 && v < MS_STORE_SCHEMA; v++)
		MS_TRY(ms_store_exec(store, ms_store_migrations[v], err));
	snprintf(stamp, sizeof(stamp), "pragma application_id = %d; pragma user_version = %d",
		 MS_STORE_APPLICATION, MS_STORE_SCHEMA);
	return ms_store_exec(store, stamp, err);
}

/* If this fails (a file system without shared memory), SQLite uses another journal. */
static const char with_log[] = "pragma journal_mode = wal; pragma synchronous = normal";
/* No other process uses a draft, and an incomplete draft is worthless. */
static const char without_log[] = "pragma journal_mode = memory; pragma synchronous = off";

/* A new file is on the disk when its first run is: closing it waits for all that was written. */
static const char without_waiting[] = "pragma synchronous = off";

static int prepare_to_write(const struct ms_store *store, bool draft, struct ms_err *err)
{
	struct file_signature found;

	if (draft)
		MS_TRY(ms_store_exec(store, without_log, err));
	MS_TRY(read_signature(store, &found, err));
	if (found.tables == 0)
		MS_TRY(ms_store_exec(store, without_waiting, err));
	if (found.tables > 0)
		MS_TRY(check_signature(store, &found, err));
	if (found.schema < MS_STORE_SCHEMA) {
		MS_TRY(ms_store_exec(store, "begin immediate", err));
		int code = migrate(store, err);
		if (code != MS_OK) {
			sqlite3_exec(store->db, "rollback", NULL, NULL, NULL);
			return code;
		}
		MS_TRY(ms_store_exec(store, "commit", err));
	}
	MS_TRY(ms_store_check_tables(store, err));
	if (!draft)
		sqlite3_exec(store->db, with_log, NULL, NULL, NULL);
	return ms_store_exec(store, "pragma cache_size = -65536", err);
}

static int prepare_to_read(const struct ms_store *store, struct ms_err *err)
{
	struct file_signature found;

	MS_TRY(read_signature(store, &found, err));
	if (found.tables == 0)
		return ms_fail(err, MS_ENOENT,
			       "%s: the database is empty; `memspy run PROGRAM` puts runs "
			       "into it",
			       store->path);
	MS_TRY(check_signature(store, &found, err));
	if (found.schema < MS_STORE_SCHEMA)
		return ms_fail(err, MS_EFORMAT,
			       "%s: found schema version %" PRId64 ", expected %d; "
			       "`memspy runs upgrade --db %s` brings it up to date",
			       store->path, found.schema, MS_STORE_SCHEMA, store->path);
	MS_TRY(ms_store_check_tables(store, err));
	return ms_store_exec(store, "pragma query_only = on", err);
}

/*
 * The file may come from an untrusted source: triggers and views in it are disabled, and its pages
 * are checked.
 */
static void restrict_untrusted_file(sqlite3 *db)
{
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_exec(db, "pragma cell_size_check = on", NULL, NULL, NULL);
}

static int open_file(struct ms_store *store, const char *name, int flags, struct ms_err *err)
{
	/* A store belongs to one thread: no locks inside. */
	if (sqlite3_open_v2(name, &store->db, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
		return ms_store_fail(store, err, "open the database");
	sqlite3_extended_result_codes(store->db, 0);
	ms_store_wait(store, MS_STORE_OPEN_BUSY_MS);
	restrict_untrusted_file(store->db);
	return ms_store_exec(store, "pragma foreign_keys = on", err);
}

/*
 * In a directory that cannot be written, or on a full disk, the index of the log cannot be created.
 * If there is no log, no process is writing, and the file can be read without it.
 */
static int open_as_it_lies(struct ms_store *store, struct ms_err *err)
{
	struct ms_text name = MS_TEXT_INIT;
	struct stat log;

	ms_text_addf(&name, "%s-wal", store->path);
	if (stat(name.at, &log) == 0 && log.st_size > 0) {
		ms_text_free(&name);
		return MS_EIO;
	}
	ms_text_clear(&name);
	ms_text_add(&name, "file:");
	for (const unsigned char *p = (const unsigned char *)store->path; *p != '\0'; p++)
		ms_text_addf(&name, isalnum(*p) || *p == '/' ? "%c" : "%%%02X", *p);
	ms_text_add(&name, "?immutable=1");
	sqlite3_close(store->db);
	store->db = NULL;
	int code = open_file(store, name.at, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, err);
	ms_text_free(&name);
	return code == MS_OK ? prepare_to_read(store, err) : code;
}

/* Opened for writing although it is only read: only then does closing remove the log. */
static int open_to_read(struct ms_store *store, const char *name, struct ms_err *err)
{
	if (access(store->path, F_OK) != 0)
		return ms_fail(err, MS_ENOENT,
			       "%s: there is no such file; `memspy run PROGRAM` makes it, "
			       "--db names another",
			       store->path);
	int code = open_file(store, name, SQLITE_OPEN_READWRITE, err);
	if (code == MS_OK)
		code = prepare_to_read(store, err);
	int rc = sqlite3_errcode(store->db);
	if (code == MS_EIO &&
	    (rc == SQLITE_CANTOPEN || rc == SQLITE_READONLY || rc == SQLITE_IOERR) &&
	    access(store->path, R_OK) == 0)
		code = open_as_it_lies(store, err);
	return code;
}

/*
 * Removes a file that memspy has created and that had no space for any content, unless other
 * processes use it.
 */
static void forget_empty(const struct ms_store *store, int why)
{
	struct stat st;

	if ((why == SQLITE_FULL || why == SQLITE_IOERR) && stat(store->path, &st) == 0 &&
	    S_ISREG(st.st_mode) && st.st_size == 0)
		unlink(store->path);
}

/*
 * SQLite would create a file that everybody may read. Its journal and log get the mode of the
 * database. If this fails, SQLite fails too, and reports why. An existing file must not be opened
 * here: close() would release the locks that other connections of this process hold on it.
 */
static void create_private(const char *path)
{
	int fd = ms_private_open(path, O_RDWR | O_EXCL);

	if (fd >= 0)
		close(fd);
}

static int open_to_write(struct ms_store *store, const char *name, bool draft, struct ms_err *err)
{
	bool made = access(store->path, F_OK) != 0;

	if (made)
		create_private(store->path);
	MS_TRY(open_file(store, name, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err));
	if (sqlite3_db_readonly(store->db, "main") == 1)
		return ms_fail(err, MS_EIO, "%s: may not be written; name another file with --db",
			       store->path);
	int code = prepare_to_write(store, draft, err);
	if (code != MS_OK && made)
		forget_empty(store, sqlite3_errcode(store->db));
	return code;
}

int ms_store_open(struct ms_store **store, const char *path, enum ms_store_mode mode,
		  struct ms_err *err)
{
	struct ms_text name = MS_TEXT_INIT;

	*store = NULL;
	if (path[0] == '\0')
		return ms_fail(err, MS_EUSAGE,
			       "the name of the run database is empty; name one with --db");
	struct ms_store *s = ms_alloc(sizeof(*s));
	s->path = ms_strdup(path);
	/* SQLite does not treat ":memory:" and "file:..." as file names. */
	ms_text_addf(&name, "%s%s", path[0] == '/' ? "" : "./", path);
	int code = mode == MS_STORE_READ ? open_to_read(s, name.at, err)
					 : open_to_write(s, name.at, mode == MS_STORE_DRAFT, err);
	ms_text_free(&name);
	if (code != MS_OK) {
		ms_store_close(s);
		return code;
	}
	*store = s;
	return MS_OK;
}

const char *ms_store_library(void)
{
	return sqlite3_libversion();
}

int ms_store_format(void)
{
	return MS_STORE_SCHEMA;
}

void ms_store_close(struct ms_store *store)
{
	if (store == NULL)
		return;
	sqlite3_close(store->db);
	ms_free(store->path);
	ms_free(store);
}
