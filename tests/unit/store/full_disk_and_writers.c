/* A run is stored whole or not at all, on a full disk and with concurrent writers. */
#include "run/run_list.h"
#include "unit/store/files.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* The file may grow only so far: whatever fails, nothing of the run is left. */
static void test_full_disk(void **state)
{
	struct ms_run run;

	(void)state;
	sample_random_run(&run, 7, 50, 50, 2000);
	for (rlim_t limit = 4096; limit <= 400 * 1024; limit += 52 * 1024) {
		pid_t pid = fork();
		if (pid == 0) {
			struct rlimit most = { limit, limit };
			struct ms_store *store;
			struct ms_err err;

			signal(SIGXFSZ, SIG_IGN);
			setrlimit(RLIMIT_FSIZE, &most);
			unlink("full.db");
			if (ms_store_open(&store, "full.db", MS_STORE_WRITE, &err) != MS_OK)
				_exit(err.text[0] != '\0' ? 10 : 1);
			int code = ms_store_save(store, &run, &err);
			ms_store_close(store);
			_exit(code == MS_OK ? 0 : code == MS_EIO && run.id == 0 ? 10 : 1);
		}
		int status;
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFEXITED(status) &&
			    (WEXITSTATUS(status) == 10 || WEXITSTATUS(status) == 0));
		if (WEXITSTATUS(status) == 10 && access("full.db", F_OK) == 0)
			sqlite("full.db", "pragma integrity_check");
	}
	ms_run_free(&run);
}

/* Several processes make and fill one file at the same time. */
static void test_concurrent_writers(void **state)
{
	enum { WRITERS = 6 };
	struct ms_run run;
	struct ms_run_list heads;
	struct ms_err err;
	pid_t pids[WRITERS];

	(void)state;
	sample_run(&run);
	for (int i = 0; i < WRITERS; i++) {
		pids[i] = fork();
		if (pids[i] != 0)
			continue;
		struct ms_store *store;
		if (ms_store_open(&store, "many.db", MS_STORE_WRITE, &err) != MS_OK ||
		    ms_store_save(store, &run, &err) != MS_OK) {
			fprintf(stderr, "%s\n", err.text);
			_exit(1);
		}
		ms_store_close(store);
		_exit(0);
	}
	for (int i = 0; i < WRITERS; i++) {
		int status;

		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	struct ms_store *store = must_open("many.db", MS_STORE_READ);
	assert_int_equal(ms_store_list(store, &heads, &err), MS_OK);
	assert_int_equal(heads.at.n, WRITERS);
	ms_run_list_free(&heads);
	ms_store_close(store);
	ms_run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_concurrent_writers),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
