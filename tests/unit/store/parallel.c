/* The store: runs of several processors come back as they were; what cannot be is refused. */
#include "unit/sample_windows.h"

#include <stdio.h>
#include <unistd.h>

#include "machine/policies.h"
#include "store/store.h"

static char path[] = "/tmp/ms-parallel-XXXXXX";

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

static int64_t must_save(struct ms_run *run)
{
	struct ms_store *store;
	struct ms_err err;

	if (ms_store_open(&store, path, MS_STORE_WRITE, &err) != MS_OK ||
	    ms_store_save(store, run, &err) != MS_OK)
		fail_msg("%s", err.text);
	ms_store_close(store);
	return run->id;
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

static void assert_text(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		assert_true(a == b);
	else
		assert_string_equal(a, b);
}

#define EACH(list)                              \
	assert_int_equal(a->list.n, b->list.n); \
	for (size_t i = 0; i < a->list.n; i++)
#define SAME(list, field)      assert_int_equal(a->list.at[i].field, b->list.at[i].field)
#define SAME_TEXT(list, field) assert_text(a->list.at[i].field, b->list.at[i].field)
#define SAME_REAL(list, field) assert_true(a->list.at[i].field == b->list.at[i].field)

static void assert_same_counts(const struct ms_run *a, const struct ms_run *b)
{
	EACH(cells)
	{
		SAME(cells, site), SAME(cells, data), SAME(cells, references);
		SAME(cells, processor), SAME(cells, upgrades);
	}
	EACH(misses)
	{
		SAME(misses, causes[2]), SAME(misses, falsely), SAME(misses, peer);
		SAME(misses, remote), SAME(misses, write_backs), SAME_REAL(misses, weighted);
	}
	EACH(line_times)
	{
		SAME(line_times, line), SAME(line_times, processor);
		SAME(line_times, instructions), SAME_REAL(line_times, weighted);
	}
	EACH(sharing)
	{
		SAME(sharing, cell), SAME(sharing, writer), SAME(sharing, line);
		SAME(sharing, offset), SAME(sharing, writer_offset);
		SAME(sharing, object), SAME(sharing, writer_object);
		SAME_TEXT(sharing, field), SAME_TEXT(sharing, writer_field);
		SAME(sharing, truly), SAME(sharing, falsely);
		SAME(sharing, peer), SAME(sharing, remote);
	}
}

static void assert_same_threads(const struct ms_run *a, const struct ms_run *b)
{
	EACH(threads)
	{
		SAME_TEXT(threads, name), SAME(threads, processor), SAME(threads, instructions);
		SAME(threads, references), SAME(threads, began), SAME(threads, elapsed);
		SAME(threads, end), SAME_REAL(threads, weighted);
	}
	EACH(thread_misses)
	{
		SAME(thread_misses, thread), SAME(thread_misses, level);
		SAME(thread_misses, misses), SAME(thread_misses, peer);
		SAME(thread_misses, remote), SAME_REAL(thread_misses, weighted);
	}
	EACH(waits)
	{
		SAME(waits, thread), SAME(waits, line), SAME(waits, reason);
		SAME(waits, times), SAME(waits, cycles);
	}
}

static void test_round_trip(void **state)
{
	struct ms_run run, back;
	struct ms_err err;

	(void)state;
	sample_parallel_run(&run);
	run.protocol = MS_PROTOCOL_MOESI;
	run.placement = MS_RUN_INTERLEAVED;
	run.sharing.at[0].line = run.sharing.at[0].object = MS_NO_OFFSET;
	run.sharing.at[0].field = NULL;
	run.sharing.at[1].line = UINT64_C(0xffffffffff600000);
	if (load(must_save(&run), &back, &err) != MS_OK)
		fail_msg("%s", err.text);
	assert_int_equal(back.processors, 4);
	assert_int_equal(back.nodes, 2);
	assert_int_equal(back.node_processors, 2);
	assert_int_equal(back.protocol, MS_PROTOCOL_MOESI);
	assert_int_equal(back.placement, MS_RUN_INTERLEAVED);
	assert_int_equal(back.peer_latency, 60);
	assert_int_equal(back.remote_latency, 180);
	assert_int_equal(back.seed, 7);
	assert_same_counts(&run, &back);
	assert_same_threads(&run, &back);
	ms_run_free(&run);
	ms_run_free(&back);
}

/* Readers divide by what is refused here, or use it as an index. */
static void test_impossible_runs_are_refused(void **state)
{
	static const struct {
		const char *sql, *says;
	} ways[] = {
		{ "update run set processors = 0", "0 processors, expected 1 to 4096" },
		{ "update run set processors = 5000", "5000 processors" },
		{ "update run set processors = 3", "processor 3, and there are only 3" },
		{ "update run set nodes = 0", "0 nodes of memory" },
		{ "update run set nodes = 5", "5 nodes of memory" },
		{ "update run set protocol = 'dragon'", "unknown protocol" },
		{ "update run set placement = ''", "unknown placement" },
		{ "update cell set processor = 4", "processor 4, and there are only 4" },
		{ "update line_time set processor = 9 where processor = 3", "processor 9" },
		{ "update thread set processor = 77", "thread 0 of the run has processor 77" },
		{ "update thread set ended = 'well'", "damaged" },
		{ "update wait set line = 99 where line = 4", "damaged" },
		{ "update wait set reason = 'rain'", "damaged" },
		{ "update sharing set writer = 1000 where sharing = 3", "damaged" },
		{ "update miss set weighted = 9e999", "damaged" },
	};
	struct ms_run run, back;
	struct ms_err err;
	char command[300];

	(void)state;
	sample_parallel_run(&run);
	for (size_t i = 0; i < MS_COUNT(ways); i++) {
		assert_int_equal(truncate(path, 0), 0);
		int64_t id = must_save(&run);
		snprintf(command, sizeof(command), "sqlite3 %s \"%s\"", path, ways[i].sql);
		assert_int_equal(system(command), 0);
		assert_int_equal(load(id, &back, &err), MS_EFORMAT);
		if (strstr(err.text, ways[i].says) == NULL)
			fail_msg("\"%s\" does not say \"%s\"", err.text, ways[i].says);
	}
	ms_run_free(&run);
}

/* tests/dbs/regen: writes a sample run into a database. */
static int write_sample(const char *to, void (*make)(struct ms_run *))
{
	struct ms_store *store;
	struct ms_run run;
	struct ms_err err;

	make(&run);
	if (ms_store_open(&store, to, MS_STORE_WRITE, &err) != MS_OK ||
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
		cmocka_unit_test(test_impossible_runs_are_refused),
	};

	if (argc == 3 && strcmp(argv[1], "--write") == 0)
		return write_sample(argv[2], sample_parallel_run);
	if (argc == 3 && strcmp(argv[1], "--write-windows") == 0)
		return write_sample(argv[2], sample_windows_run);
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
