/* thread.c - the program's threads: each has its struct ms_thread, and %gs points to it. */
#include "runtime.h"

#include "sys.h"

static uint32_t thread_numbers; /* given so far */

static struct ms_thread *make(void)
{
	struct ms_thread *t = ms_pages(sizeof(*t));

	if (t == NULL)
		return NULL;
	t->self = t;
	t->pointer = ms_thread_pointer();
	t->tid = (uint32_t)ms_sys(SYS_gettid, 0, 0, 0, 0, 0, 0);
	t->number = __atomic_add_fetch(&thread_numbers, 1, __ATOMIC_SEQ_CST);
	return t;
}

struct ms_thread *ms_thread_first(void)
{
	struct ms_thread *t = make();

	if (t != NULL)
		ms_set_gs(t);
	return t;
}

/*
 * A thread that nobody told us of has its maker's %gs: its thread pointer is another one. Whoever
 * is at work for the thread has been interrupted by a handler: nothing is told of what that does.
 */
struct ms_thread *ms_thread_here(void)
{
	struct ms_thread *t;

	if (!ms_on)
		return NULL;
	t = ms_gs_self();
	return t->pointer == ms_thread_pointer() && !t->busy ? t : NULL;
}

void ms_thread_tell(struct ms_thread *t, uint32_t maker)
{
	uint64_t words[3] = { t->stack, t->stack_end, maker };

	ms_lane_event(t, MS_WIRE_THREAD, t->number, words, 3, NULL, 0);
	ms_lane_event(t, MS_WIRE_SWITCH, t->number, NULL, 0, NULL, 0);
	ms_lane_event(t, MS_WIRE_TLS, t->number, &t->pointer, 1, NULL, 0);
}

void ms_thread_end(struct ms_thread *t, uint32_t code)
{
	ms_lane_exit_code(code);
	ms_lane_event(t, MS_WIRE_THREAD_END, t->number, NULL, 0, NULL, 0);
	ms_runtime_end(t, code);
}
