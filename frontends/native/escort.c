/*
 * escort.c - a thread is traced past a system call that must be seen. Natively nobody would see it:
 * a process would not be followed, a handler that is set would find the tracer's registers, a mask
 * would have a signal of ours in it.
 */
#include "escort.h"

#include "runtime.h"

/* Its next sprint comes when it would have come: a program that forks often has some, too. */
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
