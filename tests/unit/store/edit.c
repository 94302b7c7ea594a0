/* What people do with kept runs: name, note, find, filter, delete and pass them on. */
#include "run/run_list.h"
#include "unit/store/files.h"

static void count_is(const char *path, const char *what, const char *want)
{
	char line[256] = "";
	char sql[200];

	snprintf(sql, sizeof(sql), "select %s", what);
	sqlite(path, sql);
	FILE *in = fopen("sqlite.out", "r");
	assert_non_null(in);
	assert_non_null(fgets(line, sizeof(line), in));
	fclose(in);
	line[strcspn(line, "\n")] = '\0';
	assert_string_equal(line, want);
}

/* Four runs: three of ./matmul, the last of another program; @3 came out of @1. */
static void make_four(const char *path)
{
	struct ms_run run;
	struct ms_err err;

	sample_run(&run);
	for (int i = 1; i <= 4; i++) {
		run.uid = NULL;
		run.started = i < 3 ? "2026-11-15T10:31:02Z" : "2026-12-01T00:00:00Z";
		run.program = i < 4 ? "./matmul" : "/usr/bin/gzip";
		run.tag = i < 3 ? "base" : NULL;
		run.git_commit = i == 2 ? "8a3f00" : NULL;
		run.note = i == 4 ? "a Note" : NULL;
		must_save(path, &run);
	}
	struct ms_store *store = must_open(path, MS_STORE_WRITE);
	assert_int_equal(ms_store_link(store, 3, 1, MS_RELATION_FORK, &err), MS_OK);
	ms_store_close(store);
	ms_run_free(&run);
}

static void test_every_run_has_a_uid(void **state)
{
	(void)state;
	make_four("uid.db");
	count_is("uid.db", "count(distinct uid) from run", "4");
	count_is("uid.db", "min(length(uid)) from run", "32");
}

static void test_tags_and_notes(void **state)
{
	static const char *const tags[] = { "one", "two", "three" };
	struct ms_run run;
	struct ms_err err;
	int64_t id;

	(void)state;
	make_four("tags.db");
	struct ms_store *store = must_open("tags.db", MS_STORE_WRITE);
	assert_int_equal(ms_store_set_tags(store, 3, tags, 3, &err), MS_OK);
	assert_int_equal(ms_store_set_note(store, 3, "it's a note", &err), MS_OK);
	assert_int_equal(ms_store_find(store, "@three", &id, &err), MS_OK);
	assert_int_equal(id, 3);
	assert_int_equal(ms_store_load(store, 3, &run, &err), MS_OK);
	assert_string_equal(run.tag, "one");
	assert_int_equal(run.tags.n, 2);
	assert_string_equal(run.tags.at[1], "three");
	assert_string_equal(run.note, "it's a note");
	ms_run_free(&run);
	assert_int_equal(ms_store_set_tags(store, 3, tags + 1, 1, &err), MS_OK);
	assert_int_equal(ms_store_find(store, "one", &id, &err), MS_ENOENT);
	assert_int_equal(ms_store_find(store, "three", &id, &err), MS_ENOENT);
	assert_int_equal(ms_store_set_tags(store, 3, NULL, 0, &err), MS_OK);
	assert_int_equal(ms_store_find(store, "two", &id, &err), MS_ENOENT);
	assert_int_equal(ms_store_change_tags(store, 3, tags, 2, false, &err), MS_OK);
	assert_int_equal(ms_store_change_tags(store, 3, tags + 1, 2, false, &err), MS_OK);
	assert_int_equal(ms_store_change_tags(store, 3, tags, 1, true, &err), MS_OK);
	assert_int_equal(ms_store_load(store, 3, &run, &err), MS_OK);
	assert_string_equal(run.tag, "two");
	assert_int_equal(run.tags.n, 1);
	assert_string_equal(run.tags.at[0], "three");
	ms_run_free(&run);
	assert_int_equal(ms_store_add_note(store, 3, "more", &err), MS_OK);
	assert_int_equal(ms_store_add_note(store, 2, "first", &err), MS_OK);
	count_is("tags.db", "group_concat(note, '|') from run where id in (2, 3)",
		 "first|it's a note more");
	assert_int_equal(ms_store_set_note(store, 9, "x", &err), MS_ENOENT);
	assert_string_equal(err.text, "tags.db: run @9 has been deleted meanwhile");
	assert_int_equal(ms_store_set_tags(store, 9, tags, 1, &err), MS_ENOENT);
	ms_store_close(store);
}

static void test_sets(void **state)
{
	static const struct {
		const char *names;
		int64_t want[5];
	} cases[] = {
		{ "@2", { 2 } },
		{ "base", { 1, 2 } },
		{ "@base", { 1, 2 } },
		{ "1..3", { 1, 2, 3 } },
		{ "@1..@latest", { 1, 2, 3 } },
		{ "4,2", { 4, 2 } },
		{ "base,1..2,4", { 1, 2, 4 } },
		{ "@4..@4", { 4 } },
	};
	struct ms_store_run_ids ids;
	struct ms_err err;

	(void)state;
	make_four("sets.db");
	sqlite("sets.db", "update run set program = '/build/a/matmul' where id = 2");
	struct ms_store *store = must_open("sets.db", MS_STORE_READ);
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		if (ms_store_find_set(store, cases[i].names, &ids, &err) != MS_OK)
			fail_msg("%s: %s", cases[i].names, err.text);
		for (size_t k = 0; k < MS_COUNT(cases[i].want); k++)
			assert_int_equal(k < ids.at.n ? ids.at.at[k] : 0, cases[i].want[k]);
		ms_vec_free(&ids.at);
	}
	assert_int_equal(ms_store_find_set(store, "3..1", &ids, &err), MS_EUSAGE);
	assert_string_equal(err.text, "3..1 names no run: @3 came after @1");
	assert_int_equal(ms_store_find_set(store, "1,nothing", &ids, &err), MS_ENOENT);
	assert_int_equal(ms_store_find_set(store, "1..9", &ids, &err), MS_ENOENT);
	assert_int_equal(ms_store_find_set(store, "", &ids, &err), MS_ENOENT);
	assert_int_equal(ms_store_find_set(store, "1,,2", &ids, &err), MS_ENOENT);
	ms_store_close(store);
}

static void test_filters(void **state)
{
	static const struct {
		struct ms_run_filter filter;
		int64_t want[5];
	} cases[] = {
		{ { .program = "matmul" }, { 1, 2, 3 } },
		{ { .program = "./mat*" }, { 1, 2, 3 } },
		{ { .program = "gz*" }, { 4 } },
		{ { .program = "usr" }, { 0 } },
		{ { .tag = "ba?e" }, { 1, 2 } },
		{ { .commit = "8a3" }, { 2 } },
		{ { .note = "NOTE" }, { 4 } },
		{ { .build_id = "8a" }, { 0 } },
		{ { .machine = "sample", .frontend = "valgrind" }, { 1, 2, 3, 4 } },
		{ { .since = "2026-11-16" }, { 3, 4 } },
		{ { .until = "2026-11-15" }, { 1, 2 } },
		{ { .until = "2026-11" }, { 1, 2 } },
		{ { .since = "2026-11-15T10:31:02Z", .until = "2026" }, { 1, 2, 3, 4 } },
		{ { .until = "1000000d" }, { 0 } },
	};
	static const char *const wrong[] = { "", "soon", "12", "2026-11-15 10:31", "7y", "-1d" };
	struct ms_run_list heads;
	struct ms_err err;

	(void)state;
	make_four("filter.db");
	struct ms_store *store = must_open("filter.db", MS_STORE_READ);
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		assert_int_equal(ms_store_list(store, &heads, &err), MS_OK);
		assert_int_equal(ms_run_list_filter(&heads, &cases[i].filter, &err), MS_OK);
		for (size_t k = 0; k < MS_COUNT(cases[i].want); k++)
			if ((k < heads.at.n ? heads.at.at[k].id : 0) != cases[i].want[k])
				fail_msg("case %zu: place %zu", i, k);
		ms_run_list_free(&heads);
	}
	for (size_t i = 0; i < MS_COUNT(wrong); i++) {
		const struct ms_run_filter filter = { .since = wrong[i] };

		assert_int_equal(ms_store_list(store, &heads, &err), MS_OK);
		assert_int_equal(ms_run_list_filter(&heads, &filter, &err), MS_EUSAGE);
		ms_run_list_free(&heads);
	}
	ms_store_close(store);
}

static void test_delete(void **state)
{
	static const int64_t first[] = { 1, 4 }, others[] = { 2, 3 };
	struct ms_run run;
	struct ms_err err;
	uint64_t before, after;

	(void)state;
	make_four("delete.db");
	struct ms_store *store = must_open("delete.db", MS_STORE_WRITE);
	assert_int_equal(ms_store_size(store, &before, &err), MS_OK);
	assert_int_equal(ms_store_delete(store, first, 2, &err), MS_OK);
	assert_int_equal(ms_store_load(store, 1, &run, &err), MS_ENOENT);
	assert_int_equal(ms_store_load(store, 3, &run, &err), MS_OK);
	assert_int_equal(run.parent, 0);
	assert_int_equal(run.relation, MS_RELATION_NONE);
	ms_run_free(&run);
	count_is("delete.db", "count(distinct run) from cell", "2");
	count_is("delete.db", "count(*) > 0 from string", "1");
	/* All or nothing: the second of them is not there any more. */
	assert_int_equal(ms_store_delete(store, (const int64_t[]){ 2, 1 }, 2, &err), MS_ENOENT);
	assert_int_equal(ms_store_load(store, 2, &run, &err), MS_OK);
	ms_run_free(&run);
	assert_int_equal(ms_store_delete(store, others, 2, &err), MS_OK);
	count_is("delete.db", "count(*) from string", "0");
	assert_int_equal(ms_store_size(store, &after, &err), MS_OK);
	/* Tables of these few runs have a page each, empty or not; the schema may need one more. */
	assert_true(after <= before + 4096);
	ms_store_close(store);
	sqlite("delete.db", "pragma foreign_key_check");
	count_is("delete.db", "seq from sqlite_sequence where name = 'run'", "4");
}

static void test_copy(void **state)
{
	struct ms_store *from, *to;
	struct ms_store_copied copied;
	struct ms_run run, back;
	struct ms_err err;

	(void)state;
	make_four("from.db");
	sqlite("from.db", "insert into rule (subject, verb, pattern, name, added) values "
			  "('data', 'rename', 'p', 'n', 'now')");
	sample_run(&run);
	run.uid = NULL;
	must_save("to.db", &run);
	ms_run_free(&run);
	from = must_open("from.db", MS_STORE_READ);
	to = must_open("to.db", MS_STORE_WRITE);
	assert_int_equal(ms_store_copy(to, from, (const int64_t[]){ 4 }, 1, &copied, &err), MS_OK);
	assert_int_equal(copied.copied, 1);
	assert_int_equal(copied.latest, 2);
	count_is("to.db", "count(*) from rule", "0");
	for (int i = 0; i < 2; i++) { /* the second time nothing is new */
		assert_int_equal(ms_store_copy(to, from, NULL, 0, &copied, &err), MS_OK);
		assert_int_equal(copied.copied, i == 0 ? 3 : 0);
		assert_int_equal(copied.known, i == 0 ? 1 : 4);
	}
	count_is("to.db", "count(*) from rule", "1");
	count_is("to.db", "count(*) from run", "5");
	/* from @3, whose parent was @1: here they are @5 and @3. */
	assert_int_equal(ms_store_load(to, 5, &back, &err), MS_OK);
	assert_int_equal(back.parent, 3);
	assert_int_equal(back.relation, MS_RELATION_FORK);
	assert_int_equal(ms_store_load(from, 3, &run, &err), MS_OK);
	assert_string_equal(back.uid, run.uid);
	assert_int_equal(back.cells.n, run.cells.n);
	assert_memory_equal(back.misses.at, run.misses.at, run.misses.n * sizeof(*run.misses.at));
	ms_run_free(&run);
	ms_run_free(&back);
	ms_store_close(from);
	ms_store_close(to);
}

/* What a run is said to take is near to what the file grows by. */
static void test_size_of_a_run(void **state)
{
	struct ms_run_list heads;
	struct ms_run run;
	struct ms_err err;
	uint64_t one, many;

	(void)state;
	sample_random_run(&run, 7, 50, 50, 2000);
	run.uid = NULL;
	must_save("size.db", &run);
	struct ms_store *store = must_open("size.db", MS_STORE_WRITE);
	assert_int_equal(ms_store_size(store, &one, &err), MS_OK);
	for (int i = 0; i < 10; i++)
		assert_int_equal(ms_store_save(store, &run, &err), MS_OK);
	assert_int_equal(ms_store_size(store, &many, &err), MS_OK);
	assert_int_equal(ms_store_list(store, &heads, &err), MS_OK);
	uint64_t bytes = heads.at.at[5].bytes;
	assert_in_range((many - one) / 10, bytes * 9 / 10, bytes * 5 / 4);
	ms_run_list_free(&heads);
	for (int64_t id = 2; id <= 11; id++)
		assert_int_equal(ms_store_delete(store, &id, 1, &err), MS_OK);
	assert_int_equal(ms_store_size(store, &many, &err), MS_OK);
	assert_in_range(many, one / 2, one + 65536);
	ms_store_close(store);
	ms_run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_run_has_a_uid),
		cmocka_unit_test(test_tags_and_notes),
		cmocka_unit_test(test_sets),
		cmocka_unit_test(test_filters),
		cmocka_unit_test(test_delete),
		cmocka_unit_test(test_copy),
		cmocka_unit_test(test_size_of_a_run),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
