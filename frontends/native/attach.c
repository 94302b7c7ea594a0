/*
 * attach.c - how the runtime comes into a program that runs already: memspy has loaded this object
 * with dlopen(), in a thread that it has stopped, and calls what stands here
 * (src/collect/attach.c).
 *
 * Nobody's malloc goes through our wrappers then: all allocators are seen as own.c sees them. A
 * thread's window is opened by its timer, a moment after it goes on. It is armed last, and again if
 * it expires before the thread is where it was: it would end a system call that is to go on. Nor do
 * other calls go through our wrappers, so that such a program is counted between windows, too.
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
	bool at_once = ms_runtime_start(0, NULL, env) != NULL;
	struct ms_thread *t = ms_thread_here();
	if (t == NULL || !(at_once || t->sampled.known))
		return 2;
	ms_lane_split(t);
	ms_lane_away(t, false); /* unless it is in no window */
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
	if (ms_config.period != 0)
		ms_sample_thread(t);
	return 0;
}

/* Each thread that is known; 1: memspy is to open the tracer's signal for it. */
EXPORTED uint64_t memspy_attach_soon(void);
EXPORTED uint64_t memspy_attach_soon(void)
{
	enum { SOON = 5 * 1000 * 1000 }; /* ns */
	struct ms_thread *t = ms_self();

	if (!ms_sample_is_outside(t))
		return ms_tracer_soon(t);
	ms_sample_natively(t);
	ms_sample_arm(t, SOON);
	return 0;
}
