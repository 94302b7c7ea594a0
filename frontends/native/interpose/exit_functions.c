/*
 * exit_functions.c - C library functions that the runtime interposes, besides those of interpose.S.
 * They make the system call themselves, and run natively also when a traced thread calls them.
 *
 * The end of the process, which traced code shows by its system call, must be observed in native
 * code, too.
 */
#include "raw_syscall.h"
#include "runtime/runtime.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"

#define MS_INTERPOSE_EXPORTED __attribute__((visibility("default")))

_Noreturn MS_INTERPOSE_EXPORTED void _exit(int code);
_Noreturn MS_INTERPOSE_EXPORTED void _Exit(int code);

/* NULL in a vfork child, which shares the memory. */
static struct ms_runtime_thread *get_thread(void)
{
	struct ms_runtime_thread *t = ms_runtime_get_current_thread();

	return t != NULL && t->tid == (uint32_t)ms_runtime_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0)
		       ? t
		       : NULL;
}

void _exit(int code)
{
	struct ms_runtime_thread *t = get_thread();

	if (t != NULL)
		ms_runtime_end_process(t, (uint32_t)code & 0xff);
	for (;;)
		ms_runtime_syscall(__NR_exit_group, code, 0, 0, 0, 0, 0);
}

void _Exit(int code)
{
	_exit(code);
}
