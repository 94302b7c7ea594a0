/*
 * vectors.c - vector registers: the kernel preserves all of them, in system calls and in frames.
 */
#include "tracer/arch_priv.h"
#include "tracer/window.h"

void ms_vectors_leave(struct ms_window *w, uint64_t *uc)
{
	(void)w;
	(void)uc;
}

void ms_vectors_arrived(struct ms_thread *t, uint64_t *uc)
{
	(void)t;
	(void)uc;
}

bool ms_vectors_can_go(const uint64_t *uc)
{
	(void)uc;
	return true;
}
