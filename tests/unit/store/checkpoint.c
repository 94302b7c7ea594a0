/* A run that is saved before it is complete is replaced by what comes later, whole or not at all.
 */
#include "run/run_list.h"
#include "unit/store/files.h"

#include <signal.h>
#include <sys/wait.h>

static void must_keep(struct ms_store *store, struct ms_run *run)
{
	struct ms_err err;

	if (ms_store_save(store, run, &err) != MS_OK)
		fail_msg("%s", err.text);
}

/* A run as it is at a checkpoint; the uid makes it the same one as the complete run. */
static void sample_checkpoint(struct ms_run *run, unsigned seed, unsigned sites, unsigned cells)
{
	sample_random_run(run, seed, sites, 20, cells);
	run->end = MS_END_INCOMPLETE;
	run->wall_seconds = 60;
	SAMPLE_ADD(&run->checkpoints, (struct ms_run_checkpoint){ 4711, 123456, "boot pid:[1]",
								  "2026-11-15T10:32:02Z", 0 });
}

static void must_load(const char *path, int64_t id, struct ms_run *run)
{
	struct ms_store *store = must_open(path, MS_STORE_READ);
	struct ms_err err;

	if (ms_store_load(store, id, run, &err) != MS_OK)
		fail_msg("%s", err.text);
	ms_store_close(store);
}

#define ASSERT_SAME_ARRAY(a, b)                                               \
	do {                                                                  \
		assert_int_equal((a).n, (b).n);                               \
		assert_memory_equal((a).at, (b).at, (a).n * sizeof(*(a).at)); \
	} while (0)

/* The run in the file is this one, and nothing of what it has replaced. */
static void assert_is_stored(const char *path, int64_t id, const struct ms_run *run)
{
	struct ms_run found;

	must_load(path, id, &found);
	assert_int_equal(found.end, run->end);
	assert_int_equal(found.instructions, run->instructions);
	ASSERT_SAME_ARRAY(found.cells, run->cells);
	ASSERT_SAME_ARRAY(found.misses, run->misses);
	ASSERT_SAME_ARRAY(found.replaced, run->replaced);
	ASSERT_SAME_ARRAY(found.evictions, run->evictions);
	assert_int_equal(found.checkpoints.n, run->checkpoints.n);
	assert_int_equal(found.sites.n, run->sites.n);
	assert_int_equal(found.lines.n, run->lines.n);
	assert_int_equal(found.data.n, run->data.n);
	assert_int_equal(found.codes.n, run->codes.n);
	for (size_t i = 0; i < run->codes.n; i++)
		assert_string_equal(found.codes.at[i].name, run->codes.at[i].name);
	ms_run_free(&found);
}

static uint64_t bytes_of(const char *path)
{
	struct ms_store *store = must_open(path, MS_STORE_READ);
	struct ms_run_list heads;
	struct ms_err err;

	assert_int_equal(ms_store_list(store, &heads, &err), MS_OK);
	uint64_t bytes = heads.at.at[0].bytes;
	ms_run_list_free(&heads);
	ms_store_close(store);
	return bytes;
}

static void test_complete_run_replaces_checkpoint(void **state)
{
	struct ms_run first, second, complete, other;

	(void)state;
	sample_checkpoint(&first, 1, 30, 300);
	sample_checkpoint(&second, 2, 60, 900);
	sample_random_run(&complete, 3, 50, 20, 700);
	sample_random_run(&other, 4, 5, 20, 20);
	other.uid = "another";
	struct ms_store *store = must_open("replaced.db", MS_STORE_WRITE);
	must_keep(store, &first);
	must_keep(store, &other);
	must_keep(store, &second);
	must_keep(store, &complete);
	assert_int_equal(first.id, 1);
	assert_int_equal(other.id, 2);
	assert_int_equal(second.id, 1);
	assert_int_equal(complete.id, 1);
	ms_store_close(store);
	assert_is_stored("replaced.db", 1, &complete);
	assert_is_stored("replaced.db", 2, &other);
	ms_run_free(&first);
	ms_run_free(&second);
	ms_run_free(&complete);
	ms_run_free(&other);
}

/* The same where the counts are saved before the names. */
static void test_run_saved_in_two_steps_replaces_checkpoint(void **state)
{
	struct ms_run first, complete;
	struct ms_err err;

	(void)state;
	sample_checkpoint(&first, 1, 30, 300);
	sample_random_run(&complete, 3, 50, 20, 700);
	struct ms_store *store = must_open("steps.db", MS_STORE_WRITE);
	must_keep(store, &first);
	assert_int_equal(ms_store_begin(store, &complete, &err), MS_OK);
	must_keep(store, &complete);
	assert_int_equal(complete.id, 1);
	ms_store_close(store);
	assert_is_stored("steps.db", 1, &complete);
	ms_run_free(&first);
	ms_run_free(&complete);
}

/* As if there had been no checkpoint: what that has added to table string counts, too. */
static void test_size_is_that_of_the_complete_run(void **state)
{
	struct ms_run run;

	(void)state;
	sample_checkpoint(&run, 1, 30, 300);
	must_save("size.db", &run);
	must_save("size.db", &run);
	run.checkpoints.n = 0;
	run.end = MS_END_EXITED;
	must_save("size.db", &run);
	must_save("straight.db", &run);
	assert_int_equal(bytes_of("size.db"), bytes_of("straight.db"));
	ms_run_free(&run);
}

/* What users have written about a run while it ran is theirs. */
static void test_tags_and_note_of_users_stay(void **state)
{
	static const char *const tags[] = { "mine", "second" };
	struct ms_run first, complete, found;
	struct ms_err err;

	(void)state;
	sample_checkpoint(&first, 1, 30, 300);
	sample_random_run(&complete, 3, 50, 20, 700);
	struct ms_store *store = must_open("noted.db", MS_STORE_WRITE);
	must_keep(store, &first);
	assert_int_equal(ms_store_set_note(store, 1, "look at this", &err), MS_OK);
	assert_int_equal(ms_store_set_tags(store, 1, tags, 2, &err), MS_OK);
	must_keep(store, &complete);
	assert_int_equal(ms_store_load(store, 1, &found, &err), MS_OK);
	assert_string_equal(found.note, "look at this");
	assert_string_equal(found.tag, "mine");
	assert_int_equal(found.tags.n, 1);
	assert_int_equal(found.end, complete.end);
	assert_int_equal(found.checkpoints.n, 0);
	assert_int_equal(found.cells.n, complete.cells.n);
	ms_store_close(store);
	ms_run_free(&first);
	ms_run_free(&complete);
	ms_run_free(&found);
}

/* Only a checkpoint is replaced: a complete run is there to stay, also when it is saved twice. */
static void test_complete_run_is_not_replaced(void **state)
{
	struct ms_run run;

	(void)state;
	sample_run(&run);
	must_save("twice.db", &run);
	must_save("twice.db", &run);
	assert_int_equal(run.id, 2);
	ms_run_free(&run);
}

/* In the middle: the rows of the checkpoint before are deleted, the new ones are partly there. */
static void save_half_and_die(struct ms_run *run)
{
	struct ms_err err;
	struct ms_store *store = must_open("killed.db", MS_STORE_WRITE);

	if (ms_store_begin(store, run, &err) == MS_OK)
		raise(SIGKILL);
	_exit(1);
}

static void test_kill_in_a_save_leaves_the_checkpoint_before(void **state)
{
	struct ms_run first, second;
	int status;

	(void)state;
	sample_checkpoint(&first, 1, 30, 300);
	sample_checkpoint(&second, 2, 60, 90000);
	must_save("killed.db", &first);
	pid_t child = fork();
	if (child == 0)
		save_half_and_die(&second);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	assert_is_stored("killed.db", 1, &first);
	/* And the next one replaces it. */
	must_save("killed.db", &second);
	assert_int_equal(second.id, 1);
	ms_run_free(&first);
	ms_run_free(&second);
}

/* A copy of a checkpoint in another database is replaced by the complete run, too. */
static void test_copy_of_checkpoint_is_replaced(void **state)
{
	struct ms_run first, complete;
	struct ms_store_copied copied;
	struct ms_err err;

	(void)state;
	sample_checkpoint(&first, 1, 30, 300);
	sample_random_run(&complete, 3, 50, 20, 700);
	must_save("from.db", &first);
	for (int i = 0; i < 3; i++) {
		struct ms_store *from = must_open("from.db", MS_STORE_READ);
		struct ms_store *to = must_open("to.db", MS_STORE_WRITE);

		assert_int_equal(ms_store_copy(to, from, NULL, 0, &copied, &err), MS_OK);
		assert_int_equal(copied.latest, 1);
		assert_int_equal(copied.known, i == 2);
		ms_store_close(from);
		ms_store_close(to);
		if (i == 0)
			must_save("from.db", &complete);
	}
	ms_run_free(&first);
	ms_run_free(&complete);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_complete_run_replaces_checkpoint),
		cmocka_unit_test(test_run_saved_in_two_steps_replaces_checkpoint),
		cmocka_unit_test(test_size_is_that_of_the_complete_run),
		cmocka_unit_test(test_tags_and_note_of_users_stay),
		cmocka_unit_test(test_complete_run_is_not_replaced),
		cmocka_unit_test(test_kill_in_a_save_leaves_the_checkpoint_before),
		cmocka_unit_test(test_copy_of_checkpoint_is_replaced),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
