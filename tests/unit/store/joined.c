/* Runs that are simulated and measured come back as they were saved. */
#include "unit/sample_joined.h"

#include <stdio.h>
#include <unistd.h>

#include "store/store.h"

static char path[] = "/tmp/ms-joined-XXXXXX";

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

static int load(int64_t id, struct ms_run *run, struct ms_err *err)
{
	struct ms_store *store;

	MS_TRY(ms_store_open(&store, path, MS_STORE_READ, err));
	int code = ms_store_load(store, id, run, err);
	ms_store_close(store);
	return code;
}

static void test_round_trip(void **state)
{
	struct ms_run run, back;
	struct ms_err err;

	(void)state;
	sample_joined_run(&run);
	if (save(path, &run, &err) != MS_OK || load(run.id, &back, &err) != MS_OK)
		fail_msg("%s", err.text);
	assert_true(ms_run_is_joined(&back));
	assert_false(ms_run_is_measured(&back));
	assert_true(ms_run_is_timed(&back));
	assert_int_equal(back.levels.n, run.levels.n);
	assert_int_equal(back.misses.n, run.misses.n);
	assert_int_equal(back.cells.n, run.cells.n);
	assert_int_equal(back.hardware.at[0].samples, 1350);
	assert_int_equal(back.hardware_samples.n, 3);
	assert_int_equal(back.hardware_samples.at[1].latency, UINT64_C(600) * SAMPLE_MS);
	assert_int_equal(back.hardware_computes.at[0].time, UINT64_C(400) * SAMPLE_MS);
	assert_int_equal(back.origins.n, 2);
	assert_int_equal(back.origins.at[0].part, MS_RUN_SIMULATED_PART);
	assert_string_equal(back.origins.at[0].tag, "before");
	assert_int_equal(back.origins.at[1].part, MS_RUN_MEASURED_PART);
	assert_string_equal(back.origins.at[1].uid, "5a3b1e33445566778899aabbccddeeff");
	assert_null(back.origins.at[1].tag);
	ms_run_free(&run);
	ms_run_free(&back);
}

/* Which figures a run has is one question each. */
static void test_kinds_of_runs(void **state)
{
	struct ms_run run;

	(void)state;
	sample_joined_run(&run);
	assert_true(ms_run_is_joined(&run));
	run.levels.n = 0;
	assert_true(ms_run_is_measured(&run));
	assert_false(ms_run_is_joined(&run));
	ms_run_free(&run);
	sample_core_run(&run);
	assert_false(ms_run_is_measured(&run));
	assert_false(ms_run_is_joined(&run));
	ms_run_free(&run);
}

/* tests/dbs/regen: writes the sample run, and two that can be joined, into a database. */
static int write_samples(const char *to)
{
	static void (*const makers[])(struct ms_run * run) = { sample_joined_run,
							       sample_simulated_part,
							       sample_measured_part };
	struct ms_err err;
	int code = MS_OK;

	for (size_t i = 0; i < MS_COUNT(makers) && code == MS_OK; i++) {
		struct ms_run run;

		makers[i](&run);
		code = save(to, &run, &err);
		if (code != MS_OK)
			fprintf(stderr, "%s\n", err.text);
		ms_run_free(&run);
	}
	return code != MS_OK;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_kinds_of_runs),
	};

	if (argc == 3 && strcmp(argv[1], "--write") == 0)
		return write_samples(argv[2]);
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
