/*
 * Detects whether a process has executed another program: while it runs, after a signal has ended
 * it, and not if the process only changed its name.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "collect/collect_priv.h"

struct child {
	pid_t pid;
	int ready; /* readable when it is where it was sent */
};

/* With the stream in its memory, and the name that it was started by. */
static MS_NORETURN void live(int ready, const char *name, bool becomes)
{
	int stream = memfd_create("memspy-stream", MFD_CLOEXEC);

	if (ftruncate(stream, 4096) != 0 ||
	    mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, stream, 0) == MAP_FAILED)
		_exit(1);
	prctl(PR_SET_NAME, name);
	dup2(ready, STDOUT_FILENO);
	if (becomes)
		execl("/bin/sh", "sh", "-c", "echo r; exec sleep 100", NULL);
	else if (write(STDOUT_FILENO, "r", 1) == 1)
		pause();
	_exit(1);
}

static struct child start(const char *name, bool becomes)
{
	int ends[2];
	char ready;

	assert_int_equal(pipe(ends), 0);
	struct child child = { fork(), ends[0] };
	if (child.pid == 0)
		live(ends[1], name, becomes);
	close(ends[1]);
	assert_int_equal(read(child.ready, &ready, 1), 1);
	return child;
}

/* It stays to be asked. */
static void end(const struct child *child)
{
	siginfo_t how;

	kill(child->pid, SIGKILL);
	assert_int_equal(waitid(P_PID, (id_t)child->pid, &how, WEXITED | WNOWAIT), 0);
}

static void forget(const struct child *child)
{
	assert_int_equal(waitpid(child->pid, NULL, 0), child->pid);
	close(child->ready);
}

static bool looks(struct ms_launch_exec_watch *became, const struct child *child)
{
	ms_launch_exec_watch_look(became, child->pid);
	return became->another;
}

static void same_program_is_no_exec(void **state)
{
	struct ms_launch_exec_watch became;

	(void)state;
	ms_launch_exec_watch_begin(&became, "/somewhere/a-program-with-a-long-name");
	struct child child = start("a-program-with-a-long-name", false);
	assert_false(looks(&became, &child));
	end(&child);
	assert_false(looks(&became, &child));
	forget(&child);
	assert_false(looks(&became, &child)); /* there is none any more */
}

static void other_program_is_exec(void **state)
{
	struct ms_launch_exec_watch running, ended;

	(void)state;
	ms_launch_exec_watch_begin(&running, "program");
	ms_launch_exec_watch_begin(&ended, "program");
	struct child child = start("program", true);
	assert_true(looks(&running, &child));
	end(&child);
	assert_true(looks(&running, &child));
	assert_true(looks(&ended, &child));
	forget(&child);
}

static void renamed_process_is_no_exec(void **state)
{
	struct ms_launch_exec_watch became;

	(void)state;
	ms_launch_exec_watch_begin(&became, "program");
	struct child child = start("renamed", false);
	assert_false(looks(&became, &child));
	end(&child);
	assert_false(looks(&became, &child));
	forget(&child);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_program_is_no_exec),
		cmocka_unit_test(other_program_is_exec),
		cmocka_unit_test(renamed_process_is_no_exec),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
