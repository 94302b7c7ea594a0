/*
 * lock.c - what only one thread at a time may do. Who waits sleeps on a futex.
 *
 * A forked child has a copy of all that they guard and only the thread that forked: what another
 * one held would be held for ever, and half changed. So who forks takes all of them before.
 */
#include "runtime.h"

#include "futex.h"

enum { FREE, HELD, WANTED };

static uint32_t states[MS_LOCKS];

void ms_lock(enum ms_lock lock)
{
	uint32_t *state = &states[lock], was = FREE;

	if (__atomic_compare_exchange_n(state, &was, HELD, false, __ATOMIC_ACQUIRE,
					__ATOMIC_RELAXED))
		return;
	while (__atomic_exchange_n(state, WANTED, __ATOMIC_ACQUIRE) != FREE)
		ms_futex_wait(state, MS_FUTEX_OWN, WANTED, NULL);
}

void ms_unlock(enum ms_lock lock)
{
	if (__atomic_exchange_n(&states[lock], FREE, __ATOMIC_RELEASE) == WANTED)
		ms_futex_wake(&states[lock], MS_FUTEX_OWN, 1);
}

void ms_lock_all(void)
{
	for (uint32_t i = 0; i < MS_LOCKS; i++)
		ms_lock(i);
}

void ms_unlock_all(void)
{
	for (uint32_t i = MS_LOCKS; i > 0; i--)
		ms_unlock(i - 1);
}

void ms_lock_forked(void)
{
	for (uint32_t i = 0; i < MS_LOCKS; i++)
		states[i] = FREE;
}
