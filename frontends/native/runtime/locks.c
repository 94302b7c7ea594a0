/*
 * locks.c - mutual exclusion between threads of this process. A waiting thread sleeps on a futex.
 *
 * A forked child has a copy of the protected data and only the thread that forked. A lock of
 * another thread would stay locked for ever, and its data would be inconsistent. So a thread
 * acquires all locks before it forks.
 *
 * Another process may stop a single thread (ptrace) anywhere, also while it holds a lock, and
 * continue it only after the other threads have done something. So a waiting thread checks the
 * state of the holder. If the holder stays in a tracing stop, the runtime gives up tracing for good
 * (ms_runtime_abandon_program), and waits for no lock any more. The protected data may be
 * inconsistent then; functions that would use it check ms_runtime_are_locks_abandoned().
 */
#include "runtime/locks.h"

#include "raw_syscall.h"
#include "runtime/futex.h"
#include "runtime/runtime.h"
#include "runtime/task_state.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"

enum { FREE, HELD, WANTED };
enum { CHECKS = 4 }; /* consecutive checks that find the holder stopped */
static const int64_t between_checks[2] = { 0, 250 * 1000 * 1000 };

static uint32_t states[MS_RUNTIME_LOCK_COUNT];
static uint64_t holders[MS_RUNTIME_LOCK_COUNT]; /* thread pointers */
static bool abandoned;

bool ms_runtime_are_locks_abandoned(void)
{
	return __atomic_load_n(&abandoned, __ATOMIC_SEQ_CST);
}

/* A thread that is not in the list yet, or not any more, counts as running. */
static bool is_holder_stopped(enum ms_runtime_lock_id lock)
{
	uint64_t holder = __atomic_load_n(&holders[lock], __ATOMIC_SEQ_CST);

	for (struct ms_runtime_thread *t = ms_runtime_get_next_thread(NULL); t != NULL;
	     t = ms_runtime_get_next_thread(t))
		if (t->thread_pointer == holder && !t->ended)
			return ms_runtime_get_task_state(t->tid) == MS_RUNTIME_TASK_TRACING_STOP;
	return false;
}

static void abandon(void)
{
	if (!__atomic_exchange_n(&abandoned, true, __ATOMIC_SEQ_CST))
		ms_runtime_abandon_program(
			"another process has stopped one of its threads (ptrace), "
			"which holds a lock of memspy's");
}

static void wait_for(enum ms_runtime_lock_id lock)
{
	uint32_t *state = &states[lock], stops = 0;

	while (__atomic_exchange_n(state, WANTED, __ATOMIC_ACQUIRE) != FREE) {
		if (ms_runtime_are_locks_abandoned())
			return;
		if (!ms_runtime_wait_futex(state, MS_RUNTIME_FUTEX_PRIVATE, WANTED, between_checks))
			continue;
		stops = is_holder_stopped(lock) ? stops + 1 : 0;
		if (stops == CHECKS)
			abandon();
	}
}

void ms_runtime_lock(enum ms_runtime_lock_id lock)
{
	uint32_t was = FREE;

	if (!__atomic_compare_exchange_n(&states[lock], &was, HELD, false, __ATOMIC_ACQUIRE,
					 __ATOMIC_RELAXED))
		wait_for(lock);
	__atomic_store_n(&holders[lock], ms_runtime_get_thread_pointer(), __ATOMIC_RELAXED);
}

void ms_runtime_unlock(enum ms_runtime_lock_id lock)
{
	if (__atomic_exchange_n(&states[lock], FREE, __ATOMIC_RELEASE) == WANTED)
		ms_runtime_wake_futex(&states[lock], MS_RUNTIME_FUTEX_PRIVATE, 1);
}

void ms_runtime_lock_all(void)
{
	for (uint32_t i = 0; i < MS_RUNTIME_LOCK_COUNT; i++)
		ms_runtime_lock(i);
}

void ms_runtime_unlock_all(void)
{
	for (uint32_t i = MS_RUNTIME_LOCK_COUNT; i > 0; i--)
		ms_runtime_unlock(i - 1);
}

void ms_runtime_reset_locks(void)
{
	for (uint32_t i = 0; i < MS_RUNTIME_LOCK_COUNT; i++)
		states[i] = FREE;
}
