/*
 * fronts.c - C library functions that the runtime interposes, besides those of wrap.S. They make
 * the system call themselves, and run natively also when a traced thread calls them.
 *
 * The end of the process, which traced code shows by its system call, must be observed in native
 * code, too.
 */
#include "runtime.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"
#include "sys.h"

#define MS_EXPORTED __attribute__((visibility("default")))

_Noreturn MS_EXPORTED void _exit(int code);
_Noreturn MS_EXPORTED void _Exit(int code);

/* NULL in a vfork child, which shares the memory. */
static struct ms_thread *whose(void)
{
	struct ms_thread *t = ms_thread_here();

	return t != NULL && t->tid == (uint32_t)ms_sys(SYS_gettid, 0, 0, 0, 0, 0, 0) ? t : NULL;
}

void _exit(int code)
{
	struct ms_thread *t = whose();

	if (t != NULL)
		ms_runtime_end(t, (uint32_t)code & 0xff);
	for (;;)
		ms_sys(__NR_exit_group, code, 0, 0, 0, 0, 0);
}

void _Exit(int code)
{
	_exit(code);
}
