/* A folder of its own for databases, for the tests of the store. */
#ifndef MS_TESTS_STORE_FILES_H
#define MS_TESTS_STORE_FILES_H

#include "unit/sample_run.h"

#include <stdio.h>
#include <unistd.h>

#include "store/store.h"

static char folder[] = "/tmp/ms-store-XXXXXX";

static int set_up(void **state)
{
	(void)state;
	return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static int tear_down(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return chdir("/") != 0 || system(command) != 0;
}

static struct ms_store *must_open(const char *path, enum ms_store_mode mode)
{
	struct ms_store *store;
	struct ms_err err;

	if (ms_store_open(&store, path, mode, &err) != MS_OK)
		fail_msg("%s", err.text);
	return store;
}

static inline int64_t must_save(const char *path, struct ms_run *run)
{
	struct ms_store *store = must_open(path, MS_STORE_WRITE);
	struct ms_err err;

	if (ms_store_save(store, run, &err) != MS_OK)
		fail_msg("%s", err.text);
	ms_store_close(store);
	return run->id;
}

static inline void sqlite(const char *path, const char *sql)
{
	char command[512];

	snprintf(command, sizeof(command), "sqlite3 %s \"%s\" >sqlite.out 2>&1", path, sql);
	assert_int_equal(system(command), 0);
}

#endif
