/* The store: what goes in comes out; foreign and damaged files are refused in words. */
#include "run/run_list.h"
#include "unit/store/files.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static void assert_text(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		assert_true(a == b);
	else
		assert_string_equal(a, b);
}

#define EACH(a, b, list)                            \
	assert_int_equal((a)->list.n, (b)->list.n); \
	for (size_t i = 0; i < (a)->list.n; i++)
#define SAME(list, field)      assert_int_equal(a->list.at[i].field, b->list.at[i].field)
#define SAME_TEXT(list, field) assert_text(a->list.at[i].field, b->list.at[i].field)

static void assert_same_places(const struct ms_run *a, const struct ms_run *b)
{
	EACH(a, b, codes)
	{
		SAME_TEXT(codes, name), SAME_TEXT(codes, module), SAME_TEXT(codes, file);
		SAME(codes, line), SAME(codes, offset);
	}
	EACH(a, b, lines)
	{
		SAME(lines, code), SAME_TEXT(lines, file), SAME(lines, line),
			SAME(lines, instructions);
	}
	EACH(a, b, sites)
	{
		SAME(sites, line), SAME(sites, kind), SAME(sites, size), SAME(sites, offset);
		SAME_TEXT(sites, inlined);
	}
	EACH(a, b, data)
	{
		SAME_TEXT(data, name), SAME_TEXT(data, full_name), SAME_TEXT(data, type);
		SAME_TEXT(data, reason), SAME(data, kind), SAME(data, objects), SAME(data, bytes);
		SAME(data, peak_bytes), SAME(data, largest);
	}
	EACH(a, b, frames)
	{
		SAME(frames, data), SAME(frames, depth), SAME_TEXT(frames, function),
			SAME(frames, line);
		SAME_TEXT(frames, file), SAME_TEXT(frames, module), SAME(frames, offset);
	}
}

static void assert_same_counts(const struct ms_run *a, const struct ms_run *b)
{
	EACH(a, b, cells)
	{
		SAME(cells, site), SAME(cells, data), SAME(cells, references);
	}
	EACH(a, b, misses)
	{
		SAME(misses, cell), SAME(misses, level), SAME(misses, causes[0]),
			SAME(misses, causes[1]);
		SAME(misses, causes[2]), SAME(misses, covered);
	}
	EACH(a, b, replaced)
	{
		SAME(replaced, cell), SAME(replaced, level), SAME(replaced, evictor),
			SAME(replaced, count);
	}
	EACH(a, b, evictions)
	{
		SAME(evictions, cell), SAME(evictions, level), SAME(evictions, victim);
		SAME(evictions, count);
	}
	assert_int_equal(a->steps, b->steps);
	assert_int_equal(a->slice_steps, b->slice_steps);
	EACH(a, b, occupancy)
	{
		SAME(occupancy, level), SAME(occupancy, data), SAME(occupancy, lines);
		SAME(occupancy, peak);
		assert_true(a->occupancy.at[i].mean == b->occupancy.at[i].mean);
	}
	EACH(a, b, stays)
	{
		SAME(stays, level), SAME(stays, data), SAME(stays, slice);
		SAME(stays, came);
		assert_true(a->stays.at[i].lines == b->stays.at[i].lines);
	}
	EACH(a, b, phases)
	{
		SAME_TEXT(phases, name), SAME(phases, times), SAME(phases, references);
	}
	EACH(a, b, phase_misses)
	{
		SAME(phase_misses, phase), SAME(phase_misses, level), SAME(phase_misses, misses);
	}
	assert_true(a->processor_seconds == b->processor_seconds);
	EACH(a, b, untraced)
	{
		SAME_TEXT(untraced, reason), SAME(untraced, who), SAME(untraced, times);
		assert_true(a->untraced.at[i].seconds == b->untraced.at[i].seconds);
	}
}

static void add_untraced(struct ms_run *run)
{
	run->processor_seconds = 2;
	SAMPLE_ADD(&run->untraced, (struct ms_run_untraced){ "a trap", MS_WHO_PROGRAM, 3, 0.25 });
	SAMPLE_ADD(&run->untraced, (struct ms_run_untraced){ "it is static", MS_WHO_CHILD, 2, 0 });
}

static void add_phases(struct ms_run *run)
{
	SAMPLE_ADD(&run->phases, (struct ms_run_phase){ "<start>", 1, 1000 });
	SAMPLE_ADD(&run->phases, (struct ms_run_phase){ "sorting", 3, 500 });
	for (uint32_t i = 0; i < 4; i++)
		SAMPLE_ADD(&run->phase_misses, (struct ms_run_phase_miss){ i / 2, i % 2, 10 * i });
}

static void assert_same(const struct ms_run *a, const struct ms_run *b)
{
	assert_int_equal(a->id, b->id);
	assert_text(a->uid, b->uid);
	assert_text(a->tag, b->tag);
	EACH(a, b, tags)
	assert_text(a->tags.at[i], b->tags.at[i]);
	assert_text(a->note, b->note);
	assert_text(a->build_id, b->build_id);
	assert_text(a->git_commit, b->git_commit);
	assert_int_equal(a->git_dirty, b->git_dirty);
	assert_text(a->host, b->host);
	EACH(a, b, environment)
	{
		SAME_TEXT(environment, name), SAME_TEXT(environment, value);
	}
	assert_text(a->started, b->started);
	assert_text(a->program, b->program);
	assert_text(a->frontend, b->frontend);
	assert_text(a->memspy, b->memspy);
	assert_text(a->machine, b->machine);
	assert_text(a->machine_origin, b->machine_origin);
	assert_int_equal(a->memory_latency, b->memory_latency);
	assert_true(a->wall_seconds == b->wall_seconds);
	assert_int_equal(a->workers, b->workers);
	assert_int_equal(a->end, b->end);
	assert_int_equal(a->exit_status, b->exit_status);
	assert_int_equal(a->instructions, b->instructions);
	EACH(a, b, argv)
	assert_text(a->argv.at[i], b->argv.at[i]);
	EACH(a, b, levels)
	{
		SAME_TEXT(levels, name), SAME(levels, size), SAME(levels, ways), SAME(levels, line);
		SAME(levels, latency), SAME(levels, processors), SAME(levels, prefetch);
		for (int k = 0; k < MS_TRAITS; k++)
			SAME(levels, traits[k]);
	}
	assert_same_places(a, b);
	assert_same_counts(a, b);
}

static void test_round_trip(void **state)
{
	struct ms_run run, back;
	struct ms_err err;

	(void)state;
	sample_run(&run);
	assert_int_equal(must_save("round.db", &run), 1);
	run.tag = NULL;
	SAMPLE_ADD(&run.tags, "second");
	run.note = "a 'note'\nof two lines";
	run.build_id = "0af1";
	run.git_commit = "8a3f";
	run.git_dirty = 1;
	run.host = "here (a processor)";
	SAMPLE_ADD(&run.environment, (struct ms_run_variable){ "OMP_NUM_THREADS", "4" });
	SAMPLE_ADD(&run.environment, (struct ms_run_variable){ "LD_PRELOAD", "" });
	run.end = MS_END_SIGNALED;
	run.exit_status = 11;
	add_phases(&run);
	add_untraced(&run);
	assert_int_equal(must_save("round.db", &run), 2);

	struct ms_store *store = must_open("round.db", MS_STORE_READ);
	assert_int_equal(ms_store_load(store, 2, &back, &err), MS_OK);
	assert_same(&run, &back);
	ms_run_free(&back);
	assert_int_equal(ms_store_load(store, 3, &back, &err), MS_ENOENT);
	ms_store_close(store);
	ms_run_free(&run);
}

static void test_reading_leaves_no_litter(void **state)
{
	struct ms_run run;

	(void)state;
	sample_run(&run);
	must_save("tidy.db", &run);
	ms_store_close(must_open("tidy.db", MS_STORE_READ));
	assert_int_not_equal(access("tidy.db-wal", F_OK), 0);
	assert_int_not_equal(access("tidy.db-shm", F_OK), 0);
	ms_run_free(&run);
}

/* A folder that cannot be written: as root it can be, so the file's own log is what is missing. */
static void test_read_only_folder(void **state)
{
	struct ms_run run, back;
	struct ms_err err;

	(void)state;
	sample_run(&run);
	assert_int_equal(mkdir("closed?#%", 0755), 0);
	must_save("closed?#%/a.db", &run);
	assert_int_equal(chmod("closed?#%/a.db", 0444), 0);
	assert_int_equal(chmod("closed?#%", 0555), 0);
	pid_t pid = fork();
	if (pid == 0) {
		if (getuid() == 0 && (chmod(folder, 0755) != 0 || setuid(65534) != 0))
			_exit(2);
		struct ms_store *store;
		if (ms_store_open(&store, "closed?#%/a.db", MS_STORE_READ, &err) != MS_OK ||
		    ms_store_load(store, 1, &back, &err) != MS_OK)
			_exit(1);
		ms_run_free(&back);
		ms_store_close(store);
		if (ms_store_open(&store, "closed?#%/a.db", MS_STORE_WRITE, &err) == MS_OK)
			_exit(3);
		_exit(0);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(chmod("closed?#%", 0755), 0);
	assert_int_equal(status, 0);
	ms_run_free(&run);
}

static void test_find(void **state)
{
	struct ms_run run;
	struct ms_err err;
	int64_t id;

	(void)state;
	sample_run(&run);
	must_save("find.db", &run);
	run.tag = "tuned";
	must_save("find.db", &run);
	must_save("find.db", &run);
	run.tag = NULL;
	must_save("find.db", &run);
	struct ms_store *store = must_open("find.db", MS_STORE_READ);
	static const struct {
		const char *name;
		int64_t id;
	} cases[] = { { "@3", 3 },     { "3", 3 },     { "@latest", 4 }, { NULL, 4 },
		      { "latest", 4 }, { "@base", 1 }, { "tuned", 3 },   { "@tuned", 3 } };
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		assert_int_equal(ms_store_find(store, cases[i].name, &id, &err), MS_OK);
		assert_int_equal(id, cases[i].id);
	}
	assert_int_equal(ms_store_find(store, "@9", &id, &err), MS_ENOENT);
	assert_string_equal(err.text,
			    "find.db: there is no run @9; there are @1 (@base), @2 (@tuned), "
			    "@3 (@tuned), @4; `memspy runs` shows more");
	assert_int_equal(ms_store_find(store, "@-1", &id, &err), MS_ENOENT);
	assert_int_equal(ms_store_find(store, "", &id, &err), MS_ENOENT);
	assert_int_equal(ms_store_find(store, "99999999999999999999", &id, &err), MS_ENOENT);
	ms_store_close(store);
	ms_run_free(&run);
}

static void test_list(void **state)
{
	struct ms_run run;
	struct ms_run_list heads;
	struct ms_err err;

	(void)state;
	sample_run(&run);
	must_save("list.db", &run);
	run.end = MS_END_INTERRUPTED;
	run.exit_status = 2;
	must_save("list.db", &run);
	struct ms_store *store = must_open("list.db", MS_STORE_READ);
	assert_int_equal(ms_store_list(store, &heads, &err), MS_OK);
	assert_int_equal(heads.at.n, 2);
	const struct ms_run_list_entry *head = &heads.at.at[1];
	assert_int_equal(head->id, 2);
	assert_string_equal(head->tag, "base");
	assert_int_equal(head->argv.n, 3);
	assert_string_equal(head->argv.at[2], "a b");
	assert_int_equal(head->end, MS_END_INTERRUPTED);
	assert_int_equal(head->references, 26561075);
	assert_string_equal(head->level, "L1");
	assert_int_equal(head->level_misses, 9843262);
	assert_string_equal(head->uid, "00112233445566778899aabbccddeeff");
	assert_in_range(head->bytes, 1000, 8000);
	ms_run_list_free(&heads);
	ms_store_close(store);
	ms_run_free(&run);
}

static void put_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void refused(const char *path, enum ms_store_mode mode, int code, const char *part)
{
	struct ms_store *store;
	struct ms_err err = { 0 };

	assert_int_equal(ms_store_open(&store, path, mode, &err), code);
	assert_null(store);
	if (strstr(err.text, part) == NULL || strstr(err.text, path) == NULL)
		fail_msg("\"%s\" does not say \"%s\"", err.text, part);
}

static void test_foreign_files(void **state)
{
	struct ms_run run;

	(void)state;
	refused("none.db", MS_STORE_READ, MS_ENOENT, "memspy run PROGRAM");
	put_file("text.db",
		 "this is just a text, and it is long enough to be taken for a header ....."
		 "...............................................................");
	refused("text.db", MS_STORE_READ, MS_EFORMAT, "no SQLite database");
	refused("text.db", MS_STORE_WRITE, MS_EFORMAT, "--db");
	sqlite("other.db", "create table t (x); pragma application_id = 42;");
	refused("other.db", MS_STORE_READ, MS_EFORMAT, "0x0000002a");
	refused("other.db", MS_STORE_WRITE, MS_EFORMAT, "another program");
	put_file("empty.db", "");
	refused("empty.db", MS_STORE_READ, MS_ENOENT, "empty");
	sample_run(&run);
	must_save("newer.db", &run);
	sqlite("newer.db", "pragma user_version = 1000");
	refused("newer.db", MS_STORE_READ, MS_EFORMAT, "schema version 1000");
	refused("newer.db", MS_STORE_WRITE, MS_EFORMAT, "reads up to 34");
	sqlite("newer.db", "pragma user_version = -7");
	refused("newer.db", MS_STORE_READ, MS_EFORMAT, "schema version -7, expected 1 to");
	refused("newer.db", MS_STORE_WRITE, MS_EFORMAT, "schema version -7, expected 1 to");
	sqlite("unmade.db", "pragma user_version = -7");
	assert_int_equal(must_save("unmade.db", &run), 1);
	refused("no/such/folder.db", MS_STORE_WRITE, MS_EIO, "No such file");
	refused(".", MS_STORE_WRITE, MS_EIO, "open");
	assert_int_equal(must_save("empty.db", &run), 1);
	ms_run_free(&run);
}

/* Names that SQLite would not take for files. */
static void test_odd_names(void **state)
{
	static const char *const names[] = { ":memory:", "file:x?mode=memory", "-x.db",
					     "a'b\"c.db" };
	struct ms_run run;

	(void)state;
	sample_run(&run);
	for (size_t i = 0; i < MS_COUNT(names); i++) {
		must_save(names[i], &run);
		assert_int_equal(access(names[i], F_OK), 0);
	}
	ms_run_free(&run);
}

static void test_bad_index_is_refused(void **state)
{
	struct ms_run run;
	struct ms_run_list heads;
	struct ms_err err;

	(void)state;
	sample_run(&run);
	struct ms_store *store = must_open("index.db", MS_STORE_WRITE);
	run.replaced.at[3].evictor = 6;
	assert_int_equal(ms_store_save(store, &run, &err), MS_EBUG);
	assert_string_equal(err.text,
			    "replacement 3 of the run has evictor 6, and there are only 6");
	run.replaced.at[3].evictor = 5;
	run.stays.at[2].slice = 4;
	assert_int_equal(ms_store_save(store, &run, &err), MS_EBUG);
	assert_string_equal(err.text, "stay 2 of the run has slice 4, and there are only 4");
	run.stays.at[2].slice = 3;
	/* Readers count on the order of cells and levels. */
	struct ms_run_miss first = run.misses.at[0];
	run.misses.at[0] = run.misses.at[1];
	run.misses.at[1] = first;
	assert_int_equal(ms_store_save(store, &run, &err), MS_EBUG);
	assert_string_equal(err.text, "miss 1 of the run stands before the one it follows");
	run.misses.at[1] = run.misses.at[0];
	run.misses.at[0] = first;
	/* Two rows for the same cell and level: found only in the middle of writing. */
	run.misses.at[1].level = 0;
	assert_int_equal(ms_store_save(store, &run, &err), MS_EIO);
	assert_int_equal(run.id, 0);
	assert_int_equal(ms_store_list(store, &heads, &err), MS_OK);
	assert_int_equal(heads.at.n, 0);
	ms_run_list_free(&heads);
	ms_store_close(store);
	ms_run_free(&run);
}

/* A table that takes what the real one would not. */
#define LOOSE(table)                                                            \
	"pragma foreign_keys = off; pragma legacy_alter_table = on; "           \
	"create table loose as select * from " table "; drop table " table "; " \
	"alter table loose rename to " table "; "

static void test_damaged_run_is_refused(void **state)
{
	static const char *const ways[] = {
		"update cell set data = 77 where cell = 2",
		"delete from site where site = 3",
		"update data set kind = 'nonsense' where data = 1",
		"update run set ended = 'maybe'",
		"update miss set level = 4294967296 where level = 0",
		"update level set latency = -1",
		"update run set wall_seconds = 9e999",
		"update code set module = 99",
		"update run set relation = 'cousin'",
		"delete from phase_miss where phase = 0 and level = 1",
		"update phase_miss set level = 9 where phase = 1 and level = 1",
		"delete from phase_miss; delete from phase where phase = 0",
		"update level set contents = 'all of it'",
		"pragma foreign_keys = off; update run set parent = -1",
		LOOSE("run") "update run set machine = null",
		LOOSE("data") "update data set name = x'00'",
		LOOSE("cell") "update cell set refs = 'many'",
	};
	struct ms_run run, back;
	struct ms_err err;
	int64_t id;

	(void)state;
	sample_run(&run);
	add_phases(&run);
	for (size_t i = 0; i < MS_COUNT(ways); i++) {
		unlink("damaged.db");
		id = must_save("damaged.db", &run);
		sqlite("damaged.db", ways[i]);
		struct ms_store *store = must_open("damaged.db", MS_STORE_READ);
		assert_int_equal(ms_store_load(store, id, &back, &err), MS_EFORMAT);
		assert_non_null(strstr(err.text, "damaged"));
		ms_store_close(store);
	}
	ms_run_free(&run);
}

/* Under the names of the tables there may be anything in a file from elsewhere. */
static void test_strange_tables_are_refused(void **state)
{
	static const struct {
		const char *sql, *table;
	} ways[] = {
		{ "drop table replacement", "replacement" },
		{ "alter table cell rename to c; create view cell as with recursive n (i) as "
		  "(select 0 union all select i + 1 from n) select 1 run, i cell, 0 site, 0 data, "
		  "1 refs from n",
		  "cell" },
		{ "alter table string add column more text as (hex(zeroblob(id * 100000000)))",
		  "string" },
		{ "drop table argument; create virtual table argument using rtree (a, b, c)",
		  "argument" },
	};
	struct ms_run run;
	struct ms_err err;

	(void)state;
	sample_run(&run);
	for (size_t i = 0; i < MS_COUNT(ways); i++) {
		struct ms_store *store;
		char found[64];

		unlink("strange.db");
		must_save("strange.db", &run);
		sqlite("strange.db", ways[i].sql);
		snprintf(found, sizeof(found), "strange.db: found no table %s as", ways[i].table);
		for (int mode = MS_STORE_READ; mode <= MS_STORE_WRITE; mode++) {
			assert_int_equal(
				ms_store_open(&store, "strange.db", (enum ms_store_mode)mode, &err),
				MS_EFORMAT);
			assert_null(store);
			assert_non_null(strstr(err.text, found));
		}
	}
	ms_run_free(&run);
}

/* Nor does a table of the name under which SQLite is shown what to keep. */
static void test_tables_of_others_are_left_alone(void **state)
{
	struct ms_run run, back;
	struct ms_err err;

	(void)state;
	sample_run(&run);
	unlink("rows.db");
	must_save("rows.db", &run);
	sqlite("rows.db", "create table memspy_rows (c0, c1, c2, c3, c4, c5, c6); "
			  "insert into memspy_rows values (9, 9, 9, 9, 9, 9, 9)");
	int64_t id = must_save("rows.db", &run);
	struct ms_store *store = must_open("rows.db", MS_STORE_READ);
	assert_int_equal(ms_store_load(store, id, &back, &err), MS_OK);
	assert_int_equal(back.cells.n, run.cells.n);
	ms_store_close(store);
	ms_run_free(&back);
	ms_run_free(&run);
}

/* A trigger that came with the file does not change what is kept. */
static void test_triggers_are_left_alone(void **state)
{
	struct ms_run run, back;
	struct ms_err err;

	(void)state;
	sample_run(&run);
	unlink("trigger.db");
	must_save("trigger.db", &run);
	sqlite("trigger.db", "create trigger t after insert on cell begin "
			     "update cell set refs = 1; end");
	int64_t id = must_save("trigger.db", &run);
	struct ms_store *store = must_open("trigger.db", MS_STORE_READ);
	assert_int_equal(ms_store_load(store, id, &back, &err), MS_OK);
	assert_int_equal(back.cells.at[0].references, run.cells.at[0].references);
	ms_store_close(store);
	ms_run_free(&back);
	ms_run_free(&run);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Not a benchmark: it prints, and only fails where something is badly wrong. */
static void test_large_run(void **state)
{
	struct ms_run run, back;
	struct ms_err err;
	struct stat file;

	(void)state;
	sample_random_run(&run, 1, 20000, 5000, 300000);
	double t0 = now();
	int64_t id = must_save("large.db", &run);
	double t1 = now();
	struct ms_store *store = must_open("large.db", MS_STORE_READ);
	assert_int_equal(ms_store_load(store, id, &back, &err), MS_OK);
	double t2 = now();
	ms_store_close(store);
	assert_int_equal(stat("large.db", &file), 0);
	print_message("300000 cells, %zu misses, %zu replaced: saved in %.2f s, loaded in %.2f s, "
		      "%.1f MB\n",
		      run.misses.n, run.replaced.n, t1 - t0, t2 - t1, (double)file.st_size / 1e6);
	assert_true(t1 - t0 < 60);
	assert_same(&run, &back);
	ms_run_free(&run);
	ms_run_free(&back);
}

/* tests/dbs/regen: writes the sample run into a database. */
static int write_sample(const char *path)
{
	struct ms_store *store;
	struct ms_run run;
	struct ms_err err;

	sample_run(&run);
	if (ms_store_open(&store, path, MS_STORE_WRITE, &err) != MS_OK ||
	    ms_store_save(store, &run, &err) != MS_OK) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	ms_store_close(store);
	ms_run_free(&run);
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_reading_leaves_no_litter),
		cmocka_unit_test(test_read_only_folder),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_foreign_files),
		cmocka_unit_test(test_odd_names),
		cmocka_unit_test(test_bad_index_is_refused),
		cmocka_unit_test(test_damaged_run_is_refused),
		cmocka_unit_test(test_strange_tables_are_refused),
		cmocka_unit_test(test_triggers_are_left_alone),
		cmocka_unit_test(test_tables_of_others_are_left_alone),
		cmocka_unit_test(test_large_run),
	};

	if (argc == 3 && strcmp(argv[1], "--write") == 0)
		return write_sample(argv[2]);
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
