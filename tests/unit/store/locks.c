/* One process may have a database open several times: none of them releases the locks of another.
 */
#include "unit/store/files.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The bytes of the database that SQLite locks for as long as a connection with a log is open. */
enum { SHARED_FIRST = 0x40000002, SHARED_SIZE = 510 };

/* As another process sees it: locks of its own process do not hinder one. */
static bool is_locked(const char *path)
{
	int status = 0;
	pid_t other = fork();

	if (other == 0) {
		struct flock lock = { .l_type = F_WRLCK,
				      .l_whence = SEEK_SET,
				      .l_start = SHARED_FIRST,
				      .l_len = SHARED_SIZE };
		int fd = open(path, O_RDWR | O_CLOEXEC);

		_exit(fd < 0 || fcntl(fd, F_GETLK, &lock) != 0 ? 2 : lock.l_type != F_UNLCK);
	}
	assert_true(other > 0);
	assert_int_equal(waitpid(other, &status, 0), other);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) != 2);
	return WEXITSTATUS(status) == 1;
}

static void test_reader_keeps_its_lock_beside_a_writer(void **state)
{
	struct ms_run run;

	(void)state;
	sample_random_run(&run, 1, 10, 10, 10);
	must_save("runs.db", &run);
	struct ms_store *reader = must_open("runs.db", MS_STORE_READ);
	assert_true(is_locked("runs.db"));
	struct ms_store *writer = must_open("runs.db", MS_STORE_WRITE);
	assert_true(is_locked("runs.db"));
	ms_store_close(writer);
	assert_true(is_locked("runs.db"));
	ms_store_close(reader);
	ms_run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reader_keeps_its_lock_beside_a_writer),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
