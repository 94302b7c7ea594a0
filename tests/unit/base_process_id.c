/* A process is known by more than its number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process_id.h"

static void test_this_process_runs(void **state)
{
	struct ms_process_id id;

	(void)state;
	ms_process_self(&id);
	assert_int_equal(id.pid, getpid());
	assert_int_equal(ms_process_state(id.pid, id.start, id.system), MS_PROCESS_RUNS);
}

static void test_same_number_of_another_process(void **state)
{
	struct ms_process_id id;

	(void)state;
	ms_process_self(&id);
	assert_int_equal(ms_process_state(id.pid, id.start + 1, id.system), MS_PROCESS_ENDED);
	assert_int_equal(ms_process_state(0, id.start, id.system), MS_PROCESS_ENDED);
	assert_int_equal(ms_process_state(UINT64_MAX, id.start, id.system), MS_PROCESS_ENDED);
	assert_int_equal(ms_process_state(id.pid, id.start, "another boot pid:[1]"),
			 MS_PROCESS_ELSEWHERE);
}

/* Whether or not its parent has asked how it ended. */
static void test_process_that_has_ended(void **state)
{
	struct ms_process_id self;
	struct {
		uint64_t pid, start;
	} child = { 0, 0 };
	int to_parent[2];
	siginfo_t info;

	(void)state;
	ms_process_self(&self);
	assert_int_equal(pipe(to_parent), 0);
	pid_t pid = fork();
	if (pid == 0) {
		struct ms_process_id id;

		ms_process_self(&id);
		child.pid = id.pid;
		child.start = id.start;
		_exit(write(to_parent[1], &child, sizeof(child)) != sizeof(child));
	}
	assert_int_equal(read(to_parent[0], &child, sizeof(child)), sizeof(child));
	assert_int_equal(child.pid, pid);
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	assert_int_equal(ms_process_state(child.pid, child.start, self.system), MS_PROCESS_ENDED);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(ms_process_state(child.pid, child.start, self.system), MS_PROCESS_ENDED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_this_process_runs),
		cmocka_unit_test(test_same_number_of_another_process),
		cmocka_unit_test(test_process_that_has_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
