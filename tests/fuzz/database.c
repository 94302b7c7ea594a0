/*
 * A run database from a stranger: whatever its bytes, tables and rows are, opening it and reporting
 * from it comes to an end with a sentence or a report.
 *
 * Input: a byte. 0: what follows is the file. 1: patches of a good database, as fuzz.h has them, a
 * page each (a byte) before the patch; 3: of one with a run of several processors; 4: of one with
 * virtual performance monitors. 'p', 'm': SQL that is run on these first. Others: SQL that is run
 * on the first one.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "fuzz/fuzz.h"
#include "run/run_list.h"
#include "store/store.h"
#include "views/evictions.h"
#include "views/lines.h"
#include "views/sharing.h"
#include "views/simulated_pmu.h"
#include "views/threads.h"
#include "views/views.h"

enum { PAGE = 4096, MOST_STEPS = 1000000, LARGEST = 1 << 20 };

static char folder[64];
static char path[96];

static void remove_folder(void)
{
	unlink(path);
	rmdir(folder);
}

/* SQLite wants a file with a name. */
static void prepare_folder(void)
{
	if (path[0] != '\0')
		return;
	/* In memory, where there is room: each input is synchronised to the disk. */
	snprintf(folder, sizeof(folder), "%s/memspy-fuzz-XXXXXX",
		 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	if (mkdtemp(folder) == NULL)
		fuzz_fail("%s: cannot be made", folder);
	snprintf(path, sizeof(path), "%s/run.db", folder);
	atexit(remove_folder);
}

/* --- what the file holds --- */

/* Keeps to this one database, and leaves the connection as it is. */
static int allow(void *arg, int action, const char *a, const char *b, const char *c, const char *d)
{
	(void)arg;
	(void)b;
	(void)c;
	(void)d;
	if (action == SQLITE_ATTACH || action == SQLITE_DETACH)
		return SQLITE_DENY;
	if (action == SQLITE_PRAGMA)
		return sqlite3_stricmp(a, "user_version") == 0 ||
				       sqlite3_stricmp(a, "application_id") == 0 ||
				       sqlite3_stricmp(a, "writable_schema") == 0 ||
				       sqlite3_stricmp(a, "encoding") == 0
			       ? SQLITE_OK
			       : SQLITE_DENY;
	return SQLITE_OK;
}

static int enough(void *steps)
{
	return ++*(int *)steps > MOST_STEPS / 1000;
}

static char *read_sql(const char *name)
{
	size_t n, size = 0;
	char buffer[4096], *sql;
	FILE *file, *out = open_memstream(&sql, &size);

	snprintf(buffer, sizeof(buffer), FUZZ_DBS "/%s.sql", name);
	file = fopen(buffer, "r");
	if (file == NULL)
		fuzz_fail("%s: cannot be opened", buffer);
	while ((n = fread(buffer, 1, sizeof(buffer), file)) > 0)
		fwrite(buffer, 1, n, out);
	fclose(file);
	fclose(out);
	return sql;
}

/* The bytes of a good database. */
static const uint8_t *good_database(unsigned which, size_t *n)
{
	static const char *const names[] = { "matmul", "parallel", "pmu" };
	static uint8_t *all[MS_COUNT(names)];
	static sqlite3_int64 sizes[MS_COUNT(names)];
	const char *name = names[which];

	if (all[which] == NULL) {
		char *sql = read_sql(name);
		sqlite3 *db;

		if (sqlite3_open(":memory:", &db) != SQLITE_OK ||
		    sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
			fuzz_fail("%s.sql: %s", name, sqlite3_errmsg(db));
		all[which] = sqlite3_serialize(db, "main", &sizes[which], 0);
		sqlite3_close(db);
		free(sql);
	}
	*n = (size_t)sizes[which];
	return all[which];
}

static void run_sql(sqlite3 *db, struct fuzz_input in)
{
	int steps = 0;
	char *sql = strndup((const char *)in.at, in.n);

	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 8000);
	sqlite3_limit(db, SQLITE_LIMIT_COMPOUND_SELECT, 8);
	sqlite3_hard_heap_limit64(64 << 20);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL);
	sqlite3_set_authorizer(db, allow, NULL);
	sqlite3_progress_handler(db, 1000, enough, &steps);
	/* Each statement by itself: an invalid one does not affect those after it. */
	for (char *at = sql, *save = NULL; (at = strtok_r(at, "\n", &save)) != NULL; at = NULL)
		sqlite3_exec(db, at, NULL, NULL, NULL);
	sqlite3_hard_heap_limit64(0);
	free(sql);
}

/* A page, then a patch inside it. */
static void patch_pages(uint8_t *bytes, size_t n, struct fuzz_input in)
{
	while (in.n > 0) {
		size_t page = (size_t)fuzz_take(&in, 1) % (n / PAGE);
		struct fuzz_input one = { in.at, in.n < 8 ? in.n : 8 };

		fuzz_take(&in, 8);
		fuzz_patch(bytes + page * PAGE, PAGE, &one);
	}
}

static void write_file(const void *bytes, size_t n)
{
	FILE *file = fopen(path, "wb");

	if (file == NULL || (n > 0 && fwrite(bytes, 1, n, file) != n) || fclose(file) != 0)
		fuzz_fail("%s: cannot be written", path);
}

/* The good database after the statements of the input. */
static void write_changed(const uint8_t *good, size_t n, struct fuzz_input in)
{
	uint8_t *bytes = sqlite3_malloc64(n);
	sqlite3_int64 size = 0;
	sqlite3 *db;

	memcpy(bytes, good, n);
	if (sqlite3_open(":memory:", &db) != SQLITE_OK ||
	    sqlite3_deserialize(db, "main", bytes, (sqlite3_int64)n, (sqlite3_int64)n,
				SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) !=
		    SQLITE_OK)
		fuzz_fail("the database does not open: %s", sqlite3_errmsg(db));
	run_sql(db, in);
	bytes = sqlite3_serialize(db, "main", &size, 0);
	write_file(bytes, bytes != NULL ? (size_t)size : 0);
	sqlite3_free(bytes);
	sqlite3_close(db);
}

static void make_file(unsigned how, struct fuzz_input in)
{
	static uint8_t bytes[LARGEST];
	size_t n;
	unsigned which = how == 3 || how == 'p' ? 1 : how == 4 || how == 'm' ? 2 : 0;
	const uint8_t *good = good_database(which, &n);

	if (how == 0) {
		write_file(in.at, in.n);
	} else if (how == 1 || how == 3 || how == 4) {
		memcpy(bytes, good, n);
		patch_pages(bytes, n, in);
		write_file(bytes, n);
	} else {
		write_changed(good, n, in);
	}
}

/* --- what is made of it --- */

static void report(const struct ms_run *run, FILE *out)
{
	struct ms_summary summary;
	struct ms_err err;

	if (ms_summary_make(&summary, run, NULL, NULL, &err) != MS_OK)
		return;
	for (size_t i = 0; i < MS_VIEWS_FORMATS; i++)
		for (enum ms_views_by by = MS_VIEWS_BY_MATRIX; by <= MS_VIEWS_BY_PROCESSOR; by++) {
			struct ms_views_options options = { .width = 100,
							    .by = by,
							    .threshold = -1 };

			ms_views_report_writers[i](&summary, &options, out, &err);
		}
	ms_summary_free(&summary);
}

static void show(const struct ms_run *run, FILE *out)
{
	static const char *const all[] = { "*" };
	const struct ms_summary_detail_wanted wanted[] = { { 0 },
							   { all, 1, all, 1, NULL, 0 },
							   { .names = all, .n_names = 1 } };
	struct ms_views_options options = { .width = 100, .threshold = -1 };

	for (size_t w = 0; w < MS_COUNT(wanted); w++)
		for (size_t i = 0; i < MS_VIEWS_FORMATS; i++) {
			struct ms_summary_detail detail;
			struct ms_err err;

			if (ms_summary_detail_make(&detail, run, &wanted[w], "memory=300", &err) !=
			    MS_OK)
				continue;
			ms_views_show_writers[i](&detail, &options, out, &err);
			ms_summary_detail_free(&detail);
		}
}

static void lines(const struct ms_run *run, FILE *out)
{
	struct ms_views_lines_options options = { .view = { .width = 100, .threshold = -1 },
						  .context = 3 };
	struct ms_lines_wanted wanted = { 0 };

	for (size_t i = 0; i < MS_VIEWS_FORMATS; i++) {
		struct ms_lines made;
		struct ms_err err;

		if (ms_lines_make(&made, run, &wanted, NULL, &err) != MS_OK)
			continue;
		ms_views_lines_writers[i](&made, &options, out);
		ms_lines_free(&made);
	}
}

static void sharing(const struct ms_run *run, FILE *out)
{
	struct ms_views_options options = { .width = 100, .threshold = -1 };
	struct ms_sharing_wanted wanted = { 0 };
	struct ms_sharing made;
	struct ms_err err;

	if (ms_sharing_make(&made, run, &wanted, NULL, &err) != MS_OK)
		return;
	for (size_t i = 0; i < MS_VIEWS_FORMATS; i++)
		ms_views_sharing_writers[i](&made, &options, out);
	ms_sharing_free(&made);
}

static void evictions(const struct ms_run *run, FILE *out)
{
	struct ms_views_options options = { .width = 80, .threshold = -1 };
	struct ms_evictions_wanted wanted = { 0 };
	struct ms_evictions made;
	struct ms_err err;

	if (ms_evictions_make(&made, run, &wanted, NULL, &err) != MS_OK)
		return;
	for (size_t i = 0; i < MS_VIEWS_FORMATS; i++)
		ms_views_evictions_writers[i](&made, &options, out);
	for (int timeline = 0; timeline < 2; timeline++) {
		ms_views_occupancy_writers[MS_VIEWS_TEXT](&made, &options, timeline, out);
		ms_views_occupancy_writers[MS_VIEWS_CSV](&made, &options, timeline, out);
	}
	ms_evictions_free(&made);
}

static void pmu(const struct ms_run *run, FILE *out)
{
	struct ms_views_options options = { .width = 100, .threshold = -1 };
	struct ms_monitor_wanted wanted = { 0 };
	struct ms_monitor_report made;
	struct ms_err err;

	if (ms_monitor_report_make(&made, run, &wanted, &err) != MS_OK)
		return;
	for (size_t i = 0; i < MS_VIEWS_FORMATS; i++)
		ms_views_pmu_writers[i](&made, &options, out);
	ms_monitor_report_free(&made);
}

static void threads(const struct ms_run *run, FILE *out)
{
	struct ms_views_threads_options options = { .view = { .width = 100, .top = 2 } };
	struct ms_threads made;
	struct ms_err err;

	if (ms_threads_make(&made, run, MS_NONE, &err) != MS_OK)
		return;
	for (size_t i = 0; i < MS_VIEWS_FORMATS; i++)
		ms_views_threads_writers[i](&made, &options, out, &err);
	ms_threads_free(&made);
}

static void list(struct ms_store *store, FILE *out)
{
	struct ms_views_options options = { .width = 100, .threshold = -1 };
	struct ms_run_list heads;
	struct ms_err err;

	if (ms_store_list(store, &heads, &err) != MS_OK)
		return;
	for (size_t i = 0; i < MS_VIEWS_FORMATS; i++)
		ms_views_runs_writers[i](&heads, &options, out, &err);
	ms_run_list_free(&heads);
}

static void use(struct ms_store *store, FILE *out)
{
	struct ms_err err = { MS_OK, "" };
	struct ms_run run;
	int64_t id;

	list(store, out);
	ms_store_find(store, "@base", &id, &err);
	if (ms_store_find(store, NULL, &id, &err) == MS_OK &&
	    ms_store_load(store, id, &run, &err) == MS_OK) {
		report(&run, out);
		show(&run, out);
		lines(&run, out);
		sharing(&run, out);
		evictions(&run, out);
		threads(&run, out);
		pmu(&run, out);
		ms_run_free(&run);
	} else if (err.text[0] == '\0') {
		fuzz_fail("a failure without a sentence");
	}
}

/* Keeps another run in such a file, and reads it. */
static void keep(struct ms_store *store)
{
	struct ms_run run;
	struct ms_err err;
	int64_t id;

	if (ms_store_find(store, NULL, &id, &err) != MS_OK ||
	    ms_store_load(store, id, &run, &err) != MS_OK)
		return;
	if (ms_store_save(store, &run, &err) == MS_OK) {
		id = run.id;
		ms_run_free(&run);
		ms_store_load(store, id, &run, &err);
	}
	ms_run_free(&run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };
	unsigned how = (unsigned)fuzz_take(&in, 1);
	struct ms_store *store;
	struct ms_err err;

	if (size > LARGEST)
		return 0;
	prepare_folder();
	make_file(how, in);
	FILE *out = fopen("/dev/null", "w");
	if (ms_store_open(&store, path, MS_STORE_READ, &err) == MS_OK)
		use(store, out);
	ms_store_close(store);
	if (ms_store_open(&store, path, MS_STORE_WRITE, &err) == MS_OK)
		keep(store);
	ms_store_close(store);
	fclose(out);
	return 0;
}
