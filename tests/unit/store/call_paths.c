/* Call paths come back as they were saved, and follow regrouped lines and data. */
#include "unit/sample_paths.h"

#include <stdio.h>
#include <unistd.h>

#include "run/fields.h"
#include "run/regroup.h"
#include "store/store.h"

static char path[] = "/tmp/ms-paths-XXXXXX";

static int set_up(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	return fd < 0 || close(fd) != 0;
}

static int tear_down(void **state)
{
	(void)state;
	return unlink(path);
}

static int save(const char *to, struct ms_run *run, struct ms_err *err)
{
	struct ms_store *store;

	MS_TRY(ms_store_open(&store, to, MS_STORE_WRITE, err));
	int code = ms_store_save(store, run, err);
	ms_store_close(store);
	return code;
}

static void test_round_trip(void **state)
{
	struct ms_run run, back;
	struct ms_store *store;
	struct ms_err err;

	(void)state;
	sample_paths_run(&run);
	if (save(path, &run, &err) != MS_OK ||
	    ms_store_open(&store, path, MS_STORE_READ, &err) != MS_OK ||
	    ms_store_load(store, run.id, &back, &err) != MS_OK)
		fail_msg("%s", err.text);
	ms_store_close(store);
	assert_int_equal(back.paths.n, run.paths.n);
	assert_memory_equal(back.paths.at, run.paths.at, run.paths.n * sizeof(*run.paths.at));
	assert_int_equal(back.path_misses.n, run.path_misses.n);
	assert_memory_equal(back.path_misses.at, run.path_misses.at,
			    run.path_misses.n * sizeof(*run.path_misses.at));
	ms_run_free(&run);
	ms_run_free(&back);
}

static uint64_t sum(const struct ms_run *run)
{
	uint64_t misses = 0;

	for (size_t i = 0; i < run->path_misses.n; i++)
		misses += run->path_misses.at[i].misses;
	return misses;
}

/* Rules that combine data leave the paths as they are, and add up their misses. */
static void test_regroup(void **state)
{
	const uint32_t data[] = { 0, 0, 0, 0, 0, 0 }, lines[] = { 0, 0, 2, 3, 4 };
	struct ms_err err;
	struct ms_run run;

	(void)state;
	sample_paths_run(&run);
	uint64_t before = sum(&run);
	size_t rows = run.path_misses.n;
	ms_run_regroup(&run, &(struct ms_run_groups){ .data = data, .lines = lines });
	if (ms_run_check(&run, &err) != MS_OK)
		fail_msg("%s", err.text);
	assert_int_equal(run.paths.n, 5);
	assert_int_equal(run.paths.at[SAMPLE_FROM_CLEAR].line, 2);
	assert_true(run.path_misses.n < rows);
	assert_int_equal(sum(&run), before);
	ms_run_free(&run);
}

/* A path that follows itself would never end. */
static void test_refuses_circles(void **state)
{
	struct ms_run run;
	struct ms_err err;

	(void)state;
	sample_paths_run(&run);
	run.paths.at[SAMPLE_FROM_MAIN].parent = SAMPLE_FROM_CLEAR;
	assert_int_equal(save(path, &run, &err), MS_EBUG);
	assert_non_null(strstr(err.text, "path 2 of the run"));
	ms_run_free(&run);
}

/* tests/dbs/regen: writes the sample run into a database. */
static int write_sample(const char *to)
{
	struct ms_run run;
	struct ms_err err;

	sample_paths_run(&run);
	int code = save(to, &run, &err);
	if (code != MS_OK)
		fprintf(stderr, "%s\n", err.text);
	ms_run_free(&run);
	return code != MS_OK;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_regroup),
		cmocka_unit_test(test_refuses_circles),
	};

	if (argc == 3 && strcmp(argv[1], "--write") == 0)
		return write_sample(argv[2]);
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
