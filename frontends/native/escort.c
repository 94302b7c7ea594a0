/*
 * escort.c - keeps a thread traced past a system call that must be observed. In native code the
 * call would not be observed: a new process would not be followed, a new handler would find the
 * tracer's registers, a signal mask would contain a signal of memspy.
 */
#include "escort.h"

#include "runtime/clock.h"
#include "runtime/thread_state.h"
#include "sample.h"

/* Its next sprint keeps its time: a program that forks often must have some, too. */
void ms_escort_begin(struct ms_thread *t, uint16_t looks)
{
	struct ms_sampled *s = &t->sampled;
	uint64_t gone = ms_timer_cpu() - s->left;

	s->gap = s->gap > gone ? s->gap - gone : 0;
	s->escorted = true;
	ms_escort_keep(t, looks);
}

void ms_escort_keep(struct ms_thread *t, uint16_t looks)
{
	if (t->sampled.kept < looks)
		t->sampled.kept = looks;
}

void ms_escort_called(struct ms_thread *t)
{
	if (t->sampled.kept <= MS_ESCORT_SHORT)
		t->sampled.kept = 0;
}

void ms_escort_over(struct ms_thread *t)
{
	t->sampled.kept = 0;
}
