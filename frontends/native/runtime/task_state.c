/* task_state.c - see task_state.h. */
#include "runtime/task_state.h"

#include "raw_syscall.h"
#include "runtime/libc_substitutes.h"
#include "runtime/thread_state.h"

/* The state follows the name in parentheses, which may hold any character. */
static char state_in(const char *text, int64_t bytes)
{
	int64_t end = bytes;

	while (end > 0 && text[end - 1] != ')')
		end--;
	return end > 0 && end + 1 < bytes ? text[end + 1] : MS_RUNTIME_TASK_UNKNOWN;
}

char ms_runtime_get_task_state(uint32_t tid)
{
	enum { HERE = -100, CLOEXEC = 02000000 };
	char path[64] = "/proc/self/task/", text[128];

	ms_runtime_copy_bytes(path + 16 + ms_runtime_format_number(path + 16, tid, 10), "/stat", 6);
	long fd = ms_runtime_syscall(__NR_openat, HERE, (long)path, CLOEXEC, 0, 0, 0);
	if (ms_runtime_is_error(fd))
		return MS_RUNTIME_TASK_UNKNOWN;
	int64_t bytes = ms_runtime_syscall(__NR_read, fd, (long)text, sizeof(text), 0, 0, 0);
	ms_runtime_syscall(__NR_close, fd, 0, 0, 0, 0, 0);
	return state_in(text, bytes);
}

static bool is_alive(const struct ms_runtime_thread *t)
{
	return ms_runtime_syscall(__NR_tgkill, ms_runtime_syscall(__NR_getpid, 0, 0, 0, 0, 0, 0),
				  t->tid, 0, 0, 0, 0) == 0;
}

/* After chroot() there may be no /proc: then a thread that exists counts as running. */
bool ms_runtime_is_thread_running(const struct ms_runtime_thread *t)
{
	char state = ms_runtime_get_task_state(t->tid);

	return state == MS_RUNTIME_TASK_RUNNING ||
	       (state == MS_RUNTIME_TASK_UNKNOWN && is_alive(t));
}
