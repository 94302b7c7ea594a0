/*
 * traced_syscall.c - keeps a thread traced past a system call that must be observed. In native code
 * the call would not be observed: a new process would not be followed, a new handler would find the
 * tracer's registers, a signal mask would contain a signal of memspy.
 */
#include "sampling/traced_syscall.h"

#include "runtime/clock.h"
#include "runtime/thread_state.h"
#include "sampling/native_samples.h"
#include "sampling/sampling.h"

/* Its next speed probe keeps its time: a program that forks often must have some, too. */
void ms_sampling_begin_traced_syscall(struct ms_runtime_thread *t, uint16_t checks)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);
	uint64_t elapsed = ms_runtime_read_cpu_clock() - s->native_since;

	ms_sampling_interrupt_sampled_time(t);
	s->probe_interval = s->probe_interval > elapsed ? s->probe_interval - elapsed : 0;
	s->traced_for_syscall = true;
	ms_sampling_keep_traced(t, checks);
}

void ms_sampling_keep_traced(struct ms_runtime_thread *t, uint16_t checks)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);

	if (s->checks_left < checks)
		s->checks_left = checks;
}

void ms_sampling_note_syscall(struct ms_runtime_thread *t)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);

	if (s->checks_left <= MS_SAMPLING_SYSCALL_CHECKS_SHORT)
		s->checks_left = 0;
}

void ms_sampling_end_traced_syscall(struct ms_runtime_thread *t)
{
	ms_sampling_get_state(t)->checks_left = 0;
}
