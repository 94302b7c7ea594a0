/*
 * vector_registers.c - vector registers: the kernel preserves all of them, in system calls and in
 * frames.
 */
#include "runtime/thread_state.h"
#include "tracer/arch_priv.h"
#include "tracer/window.h"

void ms_tracer_restore_vectors(struct ms_tracer_window *w, uint64_t *uc)
{
	(void)w;
	(void)uc;
}

void ms_tracer_handle_vector_signal(struct ms_runtime_thread *t, uint64_t *uc)
{
	(void)t;
	(void)uc;
}

bool ms_tracer_can_trace_vectors(const uint64_t *uc)
{
	(void)uc;
	return true;
}
