/*
 * attach.c - starts the runtime in a program that already runs. memspy has stopped a thread, has
 * loaded this object with dlopen() in it, and calls the functions of this file
 * (src/launch/attach.c).
 *
 * No malloc goes through the wrappers then: all allocators are observed like private ones
 * (private_alloc.c). A thread's window is opened by its timer, a moment after the thread continues.
 * The timer is armed last, and again if it expires before the thread is back where it was stopped:
 * it would interrupt a system call that is to continue. Other functions do not go through the
 * wrappers either, so such a program is counted between windows, too.
 */
#include "native.h"
#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/runtime.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"
#include "sampling/sampling.h"
#include "tracer/tracer.h"

#define EXPORTED __attribute__((visibility("default")))

EXPORTED uint64_t memspy_attach(char *config);
EXPORTED uint64_t memspy_attach(char *config)
{
	static bool was_here;
	char *env[2] = { config, NULL };

	if (was_here || ms_runtime_active)
		return 1;
	was_here = true;
	ms_runtime_config.attached = true;
	bool at_once = ms_native_start(0, NULL, env) != NULL;
	struct ms_runtime_thread *t = ms_runtime_get_current_thread();
	if (t == NULL || !(at_once || ms_sampling_get_state(t)->has_timer))
		return 2;
	ms_runtime_split_lanes(t);
	ms_runtime_set_lane_away(t, false); /* unless the thread is in no window */
	return 0;
}

/* Called on each other thread; one that gets no lane is known, and runs untraced. */
EXPORTED uint64_t memspy_attach_thread(void);
EXPORTED uint64_t memspy_attach_thread(void)
{
	struct ms_runtime_thread *t = ms_runtime_active ? ms_runtime_adopt_thread() : NULL;

	if (t == NULL)
		return 1;
	ms_tracer_add_thread(t);
	if (ms_runtime_config.period != 0)
		ms_sampling_start_thread(t);
	return 0;
}

/* Called on each known thread; 1: memspy must unblock the tracer's signal for it. */
EXPORTED uint64_t memspy_attach_soon(void);
EXPORTED uint64_t memspy_attach_soon(void)
{
	enum { SOON = 5 * 1000 * 1000 }; /* ns */
	struct ms_runtime_thread *t = ms_runtime_get_thread();

	if (!ms_sampling_is_outside_window(t))
		return ms_tracer_schedule_window(t);
	ms_sampling_begin_native_time(t);
	ms_sampling_arm_timer(t, SOON);
	return 0;
}
