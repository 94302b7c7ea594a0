/*
 * ranks/parallel.c - batches in several processes: a database belongs to one thread, and what a
 * process has used is free when it ends.
 */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "ranks/ranks_priv.h"

static int call_all(size_t first, size_t step, size_t n, ms_ranks_batch_function *call, void *arg,
		    struct ms_err *err)
{
	for (size_t batch = first; batch < n; batch += step)
		MS_TRY(call(arg, batch, err));
	return MS_OK;
}

/* The child writes its error to the pipe, if there is one. */
static pid_t start(size_t first, size_t step, size_t n, ms_ranks_batch_function *call, void *arg,
		   int *result)
{
	int ends[2];

	if (pipe(ends) != 0)
		return -1;
	pid_t pid = fork();

	if (pid == 0) {
		struct ms_err err = { MS_OK, "" };
		int code = call_all(first, step, n, call, arg, &err);

		if (code != MS_OK && write(ends[1], &err, sizeof(err)) != sizeof(err))
			code = MS_EBUG;
		_exit(code != MS_OK);
	}
	close(ends[1]);
	*result = ends[0];
	if (pid < 0)
		close(ends[0]);
	return pid;
}

/* The code of its failure; *err has the message. */
static int finish(pid_t pid, int result, struct ms_err *err)
{
	struct ms_err failure;
	int status = 0;
	bool failed = read(result, &failure, sizeof(failure)) == sizeof(failure);

	close(result);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (failed)
		return ms_fail(err, failure.code, "%s", failure.text);
	if (status != 0)
		return ms_fail(err, MS_EIO, "a process that merges ended by %s %d",
			       WIFSIGNALED(status) ? "signal" : "status",
			       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	return MS_OK;
}

int ms_ranks_in_parallel(unsigned jobs, size_t first, size_t step, size_t n,
			 ms_ranks_batch_function *call, void *arg, struct ms_err *err)
{
	size_t batches = first < n ? (n - first + step - 1) / step : 0;
	int code = MS_OK;

	if (jobs > batches)
		jobs = (unsigned)batches;
	if (jobs <= 1)
		return call_all(first, step, n, call, arg, err);
	pid_t *pids = ms_alloc(jobs * sizeof(*pids));
	int *results = ms_alloc(jobs * sizeof(*results));

	for (unsigned i = 0; i < jobs; i++)
		pids[i] = start(first + i * step, step * jobs, n, call, arg, &results[i]);
	for (unsigned i = 0; i < jobs; i++) {
		struct ms_err failure = { MS_OK, "" };
		int failed = pids[i] < 0 ? call_all(first + i * step, step * jobs, n, call, arg,
						    &failure)
					 : finish(pids[i], results[i], &failure);

		if (failed != MS_OK && code == MS_OK)
			code = ms_fail(err, failure.code, "%s", failure.text);
	}
	ms_free(pids);
	ms_free(results);
	return code;
}
