#include "cli/measure_time.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/vec.h"

enum { CANNOT_START = 127 };

struct argument_list {
	MS_VEC(char *) at;
};

static void add(struct argument_list *list, const char *word)
{
	*ms_vec_add(&list->at) = (char *)(uintptr_t)word; /* execvp() does not change it */
}

static void make_arguments(struct argument_list *list, struct ms_text *script, const char *command,
			   const char *const *arguments, size_t n)
{
	if (strchr(command, ' ') != NULL) {
		ms_text_addf(script, "%s \"$@\"", command);
		add(list, "/bin/sh");
		add(list, "-c");
		add(list, script->at);
	}
	add(list, command);
	for (size_t i = 0; i < n; i++)
		add(list, arguments[i]);
	*ms_vec_add(&list->at) = NULL;
}

/* In the child process. */
static void start(char *const argv[])
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (null >= 0)
		dup2(null, STDOUT_FILENO);
	execvp(argv[0], argv);
	_exit(CANNOT_START);
}

static int check_end(const char *command, int status, struct ms_err *err)
{
	if (WIFSIGNALED(status))
		return ms_fail(err, MS_EIO, "'%s' was killed by signal %d", command,
			       WTERMSIG(status));
	if (WEXITSTATUS(status) == CANNOT_START)
		return ms_fail(err, MS_ENOENT, "'%s' could not be started", command);
	if (WEXITSTATUS(status) != 0)
		return ms_fail(err, MS_EIO, "'%s' ended with status %d: a time of it means nothing",
			       command, WEXITSTATUS(status));
	return MS_OK;
}

static double seconds_of(const struct timeval *t)
{
	return (double)t->tv_sec + 1e-6 * (double)t->tv_usec;
}

int ms_cli_measure_time(const char *command, const char *const *arguments, size_t n,
			double *seconds, struct ms_err *err)
{
	struct argument_list list = { MS_VEC_INIT };
	struct ms_text script = MS_TEXT_INIT;
	struct rusage used;
	int status;

	make_arguments(&list, &script, command, arguments, n);
	pid_t pid = fork();
	if (pid == 0)
		start(list.at.at);
	ms_vec_free(&list.at);
	ms_text_free(&script);
	if (pid < 0)
		return ms_fail_errno(err, "could not start '%s'", command);
	while (wait4(pid, &status, 0, &used) < 0)
		if (errno != EINTR)
			return ms_fail_errno(err, "could not wait for '%s'", command);
	*seconds = seconds_of(&used.ru_utime) + seconds_of(&used.ru_stime);
	return check_end(command, status, err);
}
