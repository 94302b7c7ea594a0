/* The store: virtual performance monitors come back as they were; what cannot be is refused. */
#include "unit/sample_pmu.h"

#include <stdio.h>
#include <unistd.h>

#include "store/store.h"

static char path[] = "/tmp/ms-pmu-XXXXXX";

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
	int code = ms_store_open(&store, to, MS_STORE_WRITE, err);

	if (code == MS_OK)
		code = ms_store_save(store, run, err);
	ms_store_close(store);
	return code;
}

static int load(int64_t id, struct ms_run *run, struct ms_err *err)
{
	struct ms_store *store;

	if (ms_store_open(&store, path, MS_STORE_READ, err) != MS_OK)
		fail_msg("%s", err->text);
	int code = ms_store_load(store, id, run, err);
	ms_store_close(store);
	return code;
}

#define EACH(list)                              \
	assert_int_equal(a->list.n, b->list.n); \
	for (size_t i = 0; i < a->list.n; i++)
#define SAME(list, field)      assert_int_equal(a->list.at[i].field, b->list.at[i].field)
#define SAME_REAL(list, field) assert_true(a->list.at[i].field == b->list.at[i].field)

static void assert_same(const struct ms_run *a, const struct ms_run *b)
{
	EACH(pmus)
	{
		SAME(pmus, event), SAME(pmus, level), SAME(pmus, period), SAME(pmus, adaptive);
		SAME(pmus, seed), SAME(pmus, cost), SAME(pmus, events), SAME(pmus, interrupts);
		SAME(pmus, handler_instructions), SAME(pmus, handler_references);
		SAME(pmus, cycles), SAME(pmus, clean_cycles);
		SAME_REAL(pmus, wish), SAME_REAL(pmus, effective);
	}
	EACH(pmu_levels)
	{
		SAME(pmu_levels, pmu), SAME(pmu_levels, level);
		SAME(pmu_levels, misses), SAME(pmu_levels, monitor_misses);
	}
	EACH(pmu_samples)
	{
		SAME(pmu_samples, pmu), SAME(pmu_samples, cell), SAME(pmu_samples, victim);
		SAME(pmu_samples, count), SAME(pmu_samples, events);
		SAME(pmu_samples, latency), SAME(pmu_samples, monitor);
	}
}

static void test_round_trip(void **state)
{
	struct ms_run run, back;
	struct ms_err err;

	(void)state;
	sample_pmu_run(&run);
	if (save(path, &run, &err) != MS_OK || load(run.id, &back, &err) != MS_OK)
		fail_msg("%s", err.text);
	assert_int_equal(back.pmus.n, 4);
	assert_same(&run, &back);
	ms_run_free(&run);
	ms_run_free(&back);
}

/* Readers divide by what is refused here, or use it as an index. */
static void test_impossible_monitors_are_refused(void **state)
{
	static const struct {
		const char *sql, *says;
	} ways[] = {
		{ "update pmu set event = 'rain'", "damaged" },
		{ "update pmu set level = 2 where pmu = 0", "level 2, and there are only 2" },
		{ "update pmu set level = null where pmu = 0", "counts misses, and at no level" },
		{ "update pmu set period = 0 where pmu = 3", "pmu 3 of the run has a period of 0" },
		{ "update pmu set adaptive = 2", "adaptive 2" },
		{ "update pmu set wish = -1", "nothing negative" },
		{ "update pmu set effective = -1", "nothing negative" },
		{ "update pmu set effective = 9e999", "damaged" },
		{ "delete from pmu_level where pmu = 1 and level = 1", "7 rows of pmu_level" },
		{ "update pmu_level set level = 7 where level = 1", "damaged" },
		{ "update pmu_sample set cell = 77 where sample = 3", "damaged" },
		{ "update pmu_sample set pmu = 4 where sample = 3", "pmu 4, and there are only 4" },
		{ "update pmu_sample set victim = 4 where sample = 3", "victim 4" },
		{ "delete from pmu_sample where sample = 0", "damaged" },
		{ "delete from pmu where pmu = 2", "damaged" },
	};
	struct ms_run run, back;
	struct ms_err err;
	char command[300];

	(void)state;
	sample_pmu_run(&run);
	for (size_t i = 0; i < MS_COUNT(ways); i++) {
		assert_int_equal(truncate(path, 0), 0);
		assert_int_equal(save(path, &run, &err), MS_OK);
		snprintf(command, sizeof(command), "sqlite3 %s \"%s\"", path, ways[i].sql);
		assert_int_equal(system(command), 0);
		assert_int_equal(load(run.id, &back, &err), MS_EFORMAT);
		if (strstr(err.text, ways[i].says) == NULL)
			fail_msg("\"%s\" does not say \"%s\"", err.text, ways[i].says);
	}
	ms_run_free(&run);
}

/* tests/dbs/regen: writes the sample run into a database. */
static int write_sample(const char *to)
{
	struct ms_run run;
	struct ms_err err;

	sample_pmu_run(&run);
	if (save(to, &run, &err) != MS_OK) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	ms_run_free(&run);
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_impossible_monitors_are_refused),
	};

	if (argc == 3 && strcmp(argv[1], "--write") == 0)
		return write_sample(argv[2]);
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
