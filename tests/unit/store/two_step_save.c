/* A run that is stored in two steps, counts before names, equals one that is stored in one. */
#include "run/run_list.h"
#include "unit/store/files.h"

/* Both as sqlite3 writes them, without what differs between any two runs. */
static void assert_same_rows(const char *one, const char *other)
{
	char command[512];

	snprintf(command, sizeof(command),
		 "for db in %s %s; do sqlite3 $db 'update run set uid = 0' .dump; done | sort | "
		 "uniq -c | awk '$1 %% 2 { print; odd = 1 } END { exit odd }'",
		 one, other);
	assert_int_equal(system(command), 0);
}

static void must_begin(struct ms_store *store, const struct ms_run *run)
{
	struct ms_err err;

	if (ms_store_begin(store, run, &err) != MS_OK)
		fail_msg("%s", err.text);
}

static void must_keep(struct ms_store *store, struct ms_run *run)
{
	struct ms_err err;

	if (ms_store_save(store, run, &err) != MS_OK)
		fail_msg("%s", err.text);
}

static size_t runs_in(const char *path)
{
	struct ms_store *store = must_open(path, MS_STORE_READ);
	struct ms_run_list heads;
	struct ms_err err;

	assert_int_equal(ms_store_list(store, &heads, &err), MS_OK);
	size_t n = heads.at.n;
	ms_run_list_free(&heads);
	ms_store_close(store);
	return n;
}

/* What is known when a run is begun: its codes, lines and data have no names, sites no lines. */
static struct ms_run counts_of(const struct ms_run *run)
{
	struct ms_run counts = { .cells = run->cells };

	memcpy(&counts.misses, &run->misses, sizeof(run->misses));
	memcpy(&counts.replaced, &run->replaced, sizeof(run->replaced));
	memcpy(&counts.evictions, &run->evictions, sizeof(run->evictions));
	return counts;
}

static void test_two_steps_equal_one(void **state)
{
	struct ms_run run;

	(void)state;
	sample_random_run(&run, 7, 50, 20, 900);
	const struct ms_run counts = counts_of(&run);
	for (int i = 0; i < 2; i++)
		must_save("whole.db", &run);
	struct ms_store *store = must_open("begun.db", MS_STORE_WRITE);
	for (int i = 0; i < 2; i++) {
		must_begin(store, &counts);
		must_keep(store, &run);
		assert_int_equal(run.id, i + 1);
	}
	ms_store_close(store);
	assert_same_rows("whole.db", "begun.db");
	ms_run_free(&run);
}

/* Numbers of runs that are deleted are not given again. */
static void test_number_is_the_next_one(void **state)
{
	const int64_t last = 2;
	struct ms_run run;
	struct ms_err err;

	(void)state;
	sample_run(&run);
	for (int i = 0; i < 2; i++)
		must_save("next.db", &run);
	struct ms_store *store = must_open("next.db", MS_STORE_WRITE);
	assert_int_equal(ms_store_delete(store, &last, 1, &err), MS_OK);
	must_begin(store, &run);
	must_keep(store, &run);
	assert_int_equal(run.id, 3);
	ms_store_close(store);
	ms_run_free(&run);
}

static void test_abandoned_run_leaves_no_rows(void **state)
{
	struct ms_run run;

	(void)state;
	sample_run(&run);
	struct ms_store *store = must_open("forgotten.db", MS_STORE_WRITE);
	must_begin(store, &run);
	ms_store_discard(store);
	ms_store_discard(store); /* nothing is begun: nothing happens */
	assert_int_equal(runs_in("forgotten.db"), 0);
	must_keep(store, &run);
	ms_store_close(store);
	must_save("straight.db", &run);
	assert_same_rows("straight.db", "forgotten.db");
	/* Nor is there anything where it was never gone on with. */
	store = must_open("forgotten.db", MS_STORE_WRITE);
	must_begin(store, &run);
	ms_store_close(store);
	assert_int_equal(runs_in("forgotten.db"), 1);
	ms_run_free(&run);
}

/* What cannot be kept takes its counts along. */
static void test_refused_run_leaves_no_rows(void **state)
{
	struct ms_run run;
	struct ms_err err;

	(void)state;
	sample_run(&run);
	struct ms_store *store = must_open("refused.db", MS_STORE_WRITE);
	must_begin(store, &run);
	uint32_t line = run.sites.at[0].line;
	run.sites.at[0].line = 999;
	assert_int_equal(ms_store_save(store, &run, &err), MS_EBUG);
	run.sites.at[0].line = line;
	uint32_t level = run.misses.at[1].level;
	run.misses.at[1].level = 0; /* twice the same */
	assert_int_equal(ms_store_begin(store, &run, &err), MS_EIO);
	run.misses.at[1].level = level;
	must_keep(store, &run);
	assert_int_equal(run.id, 1);
	ms_store_close(store);
	assert_int_equal(runs_in("refused.db"), 1);
	ms_run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_steps_equal_one),
		cmocka_unit_test(test_number_is_the_next_one),
		cmocka_unit_test(test_abandoned_run_leaves_no_rows),
		cmocka_unit_test(test_refused_run_leaves_no_rows),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
