/*
 * fronts.c - functions of the C library that ours stand in front of, besides those of wrap.S: they
 * make the system call themselves, and are run natively also when a traced thread calls them.
 *
 * What would be seen as a system call of traced code must be seen natively too: that the process
 * ends.
 */
#include "runtime.h"

#include "sys.h"

#define MS_EXPORTED __attribute__((visibility("default")))

_Noreturn MS_EXPORTED void _exit(int code);
_Noreturn MS_EXPORTED void _Exit(int code);

/* Not a child that borrows our memory (vfork). */
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
