/* A process is known by more than its number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process_id.h"
#include "base/process_stat.h"

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

/* A program names itself as it likes: /proc/PID/stat has the name in brackets. */
static void test_brackets_in_a_name(void **state)
{
	struct ms_process_id id;
	pid_t parent = getppid();
	char text[512], before[16];

	(void)state;
	assert_int_equal(prctl(PR_GET_NAME, before), 0);
	assert_int_equal(prctl(PR_SET_NAME, "a) Z 1 (b)"), 0);
	const char *stat = ms_process_stat(getpid(), text, sizeof(text));
	assert_non_null(stat);
	assert_int_equal(stat[0], 'R');
	assert_true(ms_process_descends(getpid(), &parent, 1));
	ms_process_self(&id);
	assert_int_equal(ms_process_state(id.pid, id.start, id.system), MS_PROCESS_RUNS);
	prctl(PR_SET_NAME, before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_this_process_runs),
		cmocka_unit_test(test_same_number_of_another_process),
		cmocka_unit_test(test_process_that_has_ended),
		cmocka_unit_test(test_brackets_in_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
