/* The store: runs sampled on the real machine come back as they were; what cannot be is refused. */
#include "unit/sample_hardware.h"

#include <stdio.h>
#include <unistd.h>

#include "store/store.h"

static char path[] = "/tmp/ms-hardware-XXXXXX";

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
#define SAME_TEXT(list, field) assert_string_equal(a->list.at[i].field, b->list.at[i].field)

static void assert_same(const struct ms_run *a, const struct ms_run *b)
{
	EACH(hardware)
	{
		SAME(hardware, source), SAME(hardware, unit), SAME(hardware, adaptive);
		SAME(hardware, samples), SAME(hardware, throttled), SAME(hardware, cpu_ns);
		SAME(hardware, threads), SAME_TEXT(hardware, event), SAME_REAL(hardware, period);
		SAME_REAL(hardware, wish), SAME_REAL(hardware, overhead);
		SAME_REAL(hardware, covered);
	}
	EACH(hardware_samples)
	{
		SAME(hardware_samples, cell), SAME(hardware_samples, answer);
		SAME(hardware_samples, sureness), SAME(hardware_samples, samples);
		SAME(hardware_samples, events), SAME(hardware_samples, latency);
		SAME_REAL(hardware_samples, events_squares);
		SAME_REAL(hardware_samples, latency_squares);
	}
	EACH(hardware_latencies)
	{
		SAME(hardware_latencies, cell), SAME(hardware_latencies, bucket);
		SAME(hardware_latencies, samples);
	}
	EACH(hardware_computes)
	{
		SAME(hardware_computes, line), SAME(hardware_computes, samples);
		SAME(hardware_computes, time), SAME_REAL(hardware_computes, time_squares);
	}
	EACH(hardware_losses)
	{
		SAME_TEXT(hardware_losses, reason), SAME(hardware_losses, samples);
		SAME(hardware_losses, latency);
	}
}

static void (*const makers[])(struct ms_run *run) = { sample_hardware_run, sample_timer_run,
						      sample_faults_run };

static void test_round_trip(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(makers); i++) {
		struct ms_run run, back;
		struct ms_err err;

		makers[i](&run);
		if (save(path, &run, &err) != MS_OK || load(run.id, &back, &err) != MS_OK)
			fail_msg("%s", err.text);
		assert_int_equal(back.hardware.n, 1);
		assert_same(&run, &back);
		ms_run_free(&run);
		ms_run_free(&back);
	}
}

/* Readers divide by what is refused here, use it as an index, or count on it to add up. */
static void test_impossible_samples_are_refused(void **state)
{
	static const struct {
		const char *sql, *says;
	} ways[] = {
		{ "update hardware set source = 'tea leaves'", "damaged" },
		{ "update hardware set unit = 'yards'", "damaged" },
		{ "update hardware set adaptive = 2", "adaptive 2" },
		{ "update hardware set period = -1", "period -1" },
		{ "update hardware set overhead = 9e999", "damaged" },
		{ "update hardware set samples = samples + 1", "1000 samples in cells" },
		{ "delete from hardware", "0 rows of hardware" },
		{ "update hardware_sample set cell = 77 where sample = 3", "damaged" },
		{ "update hardware_sample set answer = 'nothing'", "damaged" },
		{ "update hardware_sample set sureness = 'rather'", "damaged" },
		{ "insert into hardware_latency values (1, 1, 64, 3)", "bucket 64" },
		{ "update hardware_compute set line = 99", "line 99" },
		{ "delete from hardware_loss", "995 samples in cells" },
		{ "update hardware set covered = 0", "0 of the time covered" },
		{ "update hardware set covered = 1.5", "1.5 of the time covered" },
		{ "insert into origin values (1, 0, 'measured', 'a', null, 'now')", "1 runs were" },
		{ "update hardware set unit = 'cycles'; insert into level values "
		  "(1,0,'L1',1,1,64,0,1,0,'lru','back','allocate','neither',"
		  "0)",
		  "1 levels in a run with samples in cycles" },
	};
	struct ms_run run, back;
	struct ms_err err;
	char command[300];

	(void)state;
	sample_timer_run(&run);
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

/* tests/dbs/regen: writes the sample runs into a database. */
static int write_samples(const char *to)
{
	for (size_t i = 0; i < MS_COUNT(makers); i++) {
		struct ms_run run;
		struct ms_err err;

		makers[i](&run);
		if (save(to, &run, &err) != MS_OK) {
			fprintf(stderr, "%s\n", err.text);
			return 1;
		}
		ms_run_free(&run);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_impossible_samples_are_refused),
	};

	if (argc == 3 && strcmp(argv[1], "--write") == 0)
		return write_samples(argv[2]);
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
