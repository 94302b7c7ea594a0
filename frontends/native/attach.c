/*
 * attach.c - how the runtime comes into a program that runs already: memspy has loaded this object
 * with dlopen(), in a thread that it has stopped, and calls what stands here
 * (src/collect/attach.c).
 *
 * Nobody's malloc goes through our wrappers then: all allocators are seen as own.c sees them. A
 * thread's window is opened by its timer, a moment after it goes on. It is armed last, and again if
 * it expires before the thread is where it was: it would end a system call that is to go on.
 */
#include "runtime.h"
#include "sys.h"

#define EXPORTED __attribute__((visibility("default")))

EXPORTED uint64_t memspy_attach(char *config);
EXPORTED uint64_t memspy_attach(char *config)
{
	static bool was_here;
	char *env[2] = { config, NULL };

	if (was_here || ms_on)
		return 1;
	was_here = true;
	ms_config.attached = true;
	struct ms_thread *t = ms_runtime_start(0, NULL, env);
	if (t == NULL)
		return 2;
	ms_lane_split(t);
	return 0;
}

/* Each other thread; one that there is no room for is known, and runs untraced. */
EXPORTED uint64_t memspy_attach_thread(void);
EXPORTED uint64_t memspy_attach_thread(void)
{
	struct ms_thread *t = ms_on ? ms_thread_comes() : NULL;

	if (t == NULL)
		return 1;
	ms_tracer_thread(t);
	return 0;
}

/* Each thread that is known. */
EXPORTED uint64_t memspy_attach_soon(void);
EXPORTED uint64_t memspy_attach_soon(void)
{
	ms_tracer_soon(ms_self());
	return 0;
}
