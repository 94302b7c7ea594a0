/* When saving a run waits for the disk: the log is on the disk before the database changes, and
 * nothing waits earlier. */
#include "unit/store/files.h"

#include <sqlite3.h>

enum { MOST_EVENTS = 64 };

/* In their order, runs of the same once. l: write to the log, L: wait for it; d, D: database. */
static char events[MOST_EVENTS + 1];
static size_t event_count;

static void note(char event)
{
	if (event_count < MOST_EVENTS && (event_count == 0 || events[event_count - 1] != event))
		events[event_count++] = event;
}

static void forget_events(void)
{
	memset(events, 0, sizeof(events));
	event_count = 0;
}

static sqlite3_vfs *real;
static const sqlite3_io_methods *real_log, *real_database;
static sqlite3_io_methods log_methods, database_methods;

static int write_log(sqlite3_file *file, const void *from, int bytes, sqlite3_int64 at)
{
	note('l');
	return real_log->xWrite(file, from, bytes, at);
}

static int sync_log(sqlite3_file *file, int flags)
{
	note('L');
	return real_log->xSync(file, flags);
}

static int write_database(sqlite3_file *file, const void *from, int bytes, sqlite3_int64 at)
{
	note('d');
	return real_database->xWrite(file, from, bytes, at);
}

static int sync_database(sqlite3_file *file, int flags)
{
	note('D');
	return real_database->xSync(file, flags);
}

static void watch(sqlite3_file *file, const sqlite3_io_methods **methods, sqlite3_io_methods *ours,
		  int (*write)(sqlite3_file *, const void *, int, sqlite3_int64),
		  int (*sync)(sqlite3_file *, int))
{
	*methods = file->pMethods;
	*ours = *file->pMethods;
	ours->xWrite = write;
	ours->xSync = sync;
	file->pMethods = ours;
}

static int open_watched(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
	int rc = real->xOpen(real, name, file, flags, out);

	(void)vfs;
	if (rc == SQLITE_OK && flags & SQLITE_OPEN_WAL)
		watch(file, &real_log, &log_methods, write_log, sync_log);
	else if (rc == SQLITE_OK && flags & SQLITE_OPEN_MAIN_DB)
		watch(file, &real_database, &database_methods, write_database, sync_database);
	return rc;
}

static void watch_files(void)
{
	static sqlite3_vfs watched;

	if (real != NULL)
		return;
	real = sqlite3_vfs_find(NULL);
	watched = *real;
	watched.zName = "watched";
	watched.pNext = NULL;
	watched.xOpen = open_watched;
	assert_int_equal(sqlite3_vfs_register(&watched, 1), SQLITE_OK);
}

static void save_and_check(struct ms_run *run)
{
	struct ms_store *store = must_open("waits.db", MS_STORE_WRITE);
	struct ms_err err;

	forget_events();
	assert_int_equal(ms_store_save(store, run, &err), MS_OK);
	assert_string_equal(events, "l");
	ms_store_close(store);
	assert_string_equal(events, "lLdD");
}

static void test_waits_only_when_the_log_ends(void **state)
{
	struct ms_run small, large;

	(void)state;
	watch_files();
	sample_random_run(&small, 1, 10, 10, 10);
	sample_random_run(&large, 2, 3000, 3000, 120000);
	must_save("waits.db", &small);
	save_and_check(&small);
	save_and_check(&large); /* more pages than SQLite moves by itself */
	sqlite("waits.db", "pragma integrity_check");
	ms_run_free(&small);
	ms_run_free(&large);
}

/* The log of a connection that is open already is used again: its new head must come first. */
static void test_waits_for_the_head_of_a_used_log(void **state)
{
	struct ms_run run;

	(void)state;
	watch_files();
	sample_random_run(&run, 1, 10, 10, 10);
	struct ms_store *other = must_open("waits.db", MS_STORE_WRITE);
	struct ms_err err;
	assert_int_equal(ms_store_save(other, &run, &err), MS_OK);
	sqlite("waits.db", "pragma wal_checkpoint");

	struct ms_store *store = must_open("waits.db", MS_STORE_WRITE);
	forget_events();
	assert_int_equal(ms_store_save(store, &run, &err), MS_OK);
	assert_string_equal(events, "lLl");
	ms_store_close(store);
	ms_store_close(other);
	sqlite("waits.db", "pragma integrity_check");
	ms_run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_waits_only_when_the_log_ends),
		cmocka_unit_test(test_waits_for_the_head_of_a_used_log),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
