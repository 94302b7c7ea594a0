/*
 * scheduler_lock.c - Valgrind's big lock, passed from thread to thread by time_slices.c where more
 * than one processor is simulated.
 *
 * The linker's --wrap redirects the library's calls here. The thread that releases the lock
 * nominates the next one. The nominee waits until all threads have come to rest (quiesce.c),
 * selects again the thread with the least virtual time, and either runs or nominates that one.
 */
#include "scheduler_lock.h"

#include "pub_tool_libcproc.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "host_affinity.h"
#include "settled_threads.h"
#include "syscall.h"
#include "thread_lifetimes.h"
#include "time_slices.h"

/* The library's own functions, and those that are called instead of them. */
void *__real_vgModuleLocal_create_sched_lock(void);
int __real_vgModuleLocal_get_sched_lock_owner(void *lock);
void __real_vgModuleLocal_acquire_sched_lock(void *lock);
void __real_vgModuleLocal_release_sched_lock(void *lock);
void __real_vgPlain_acquire_BigLock(ThreadId tid, const HChar *who);
void *__wrap_vgModuleLocal_create_sched_lock(void);
int __wrap_vgModuleLocal_get_sched_lock_owner(void *lock);
void __wrap_vgModuleLocal_acquire_sched_lock(void *lock);
void __wrap_vgModuleLocal_release_sched_lock(void *lock);
void __wrap_vgPlain_acquire_BigLock(ThreadId tid, const HChar *who);

enum { FUTEX_WAIT_PRIVATE = 128, FUTEX_WAKE_PRIVATE = 129, TIMED_OUT = -110 /* ETIMEDOUT */ };

static UInt guard;       /* 1: a thread changes states */
static ThreadId holder;  /* of the big lock; 0: none */
static ThreadId nominee; /* selects the thread of the next time slice; 0: none */

void ms_vg_lock_guard(void)
{
	/* No futex: a thread that sleeps here would look as if it slept in its system call. */
	while (__atomic_exchange_n(&guard, 1, __ATOMIC_ACQUIRE) != 0)
		raw_syscall(__NR_sched_yield, 0, 0, 0, 0, 0, 0);
}

void ms_vg_lock_unguard(void)
{
	__atomic_store_n(&guard, 0, __ATOMIC_RELEASE);
}

/* Under the guard, and with its affinity set before: it may run as soon as it is nominated, and
 * read its affinity. Then, without the guard: */
static void nominate(ThreadId tid)
{
	nominee = tid;
	if (tid != 0)
		__atomic_store_n(&ms_vg_threads[tid].go, 1, __ATOMIC_SEQ_CST);
}

static void wake(ThreadId tid)
{
	if (tid != 0)
		raw_syscall(__NR_futex, (Word)&ms_vg_threads[tid].go, FUTEX_WAKE_PRIVATE, 1, 0, 0,
			    0);
}

static Bool may_run(ThreadId tid)
{
	return tid != 0 && (ms_vg_threads[tid].state == MS_VG_THREAD_READY ||
			    ms_vg_threads[tid].state == MS_VG_THREAD_RUNS);
}

/* If the nominated thread has ended, the others do not wait for it. */
static void nominate_if_none(ThreadId tid)
{
	ms_vg_lock_guard();
	if (holder == 0 && !may_run(nominee))
		nominate(tid);
	ms_vg_lock_unguard();
}

static void wait_for_nomination(ThreadId tid)
{
	struct vki_timespec second = { 1, 0 };
	struct ms_vg_thread *me = &ms_vg_threads[tid];

	while (__atomic_load_n(&me->go, __ATOMIC_SEQ_CST) == 0)
		if (raw_syscall(__NR_futex, (Word)&me->go, FUTEX_WAIT_PRIVATE, 0, (Word)&second, 0,
				0) == TIMED_OUT)
			nominate_if_none(tid);
	__atomic_store_n(&me->go, 0, __ATOMIC_SEQ_CST);
}

/* --- the lock --- */

void *__wrap_vgModuleLocal_create_sched_lock(void)
{
	if (ms_vg_threads != NULL) { /* after fork, in the child */
		guard = 0;
		holder = 0;
		nominee = 0;
		ms_vg_threads_after_fork();
	}
	return __real_vgModuleLocal_create_sched_lock();
}

int __wrap_vgModuleLocal_get_sched_lock_owner(void *lock)
{
	if (ms_vg_threads == NULL)
		return __real_vgModuleLocal_get_sched_lock_owner(lock);
	return holder != 0 ? ms_vg_threads[holder].lwp : 0;
}

/* Only here does the library pass the thread's id. */
void __wrap_vgPlain_acquire_BigLock(ThreadId tid, const HChar *who)
{
	if (ms_vg_threads != NULL && ms_vg_threads[tid].lwp == 0)
		ms_vg_threads[tid].lwp = VG_(gettid)();
	__real_vgPlain_acquire_BigLock(tid, who);
}

static ThreadId this_thread(void)
{
	Int lwp = VG_(gettid)();
	ThreadId tid = 1;

	while (tid < ms_vg_threads_highest && ms_vg_threads[tid].lwp != lwp)
		tid++;
	return tid;
}

void __wrap_vgModuleLocal_acquire_sched_lock(void *lock)
{
	if (ms_vg_threads == NULL) {
		__real_vgModuleLocal_acquire_sched_lock(lock);
		return;
	}
	ThreadId tid = this_thread(), next = 0;
	struct ms_vg_thread *me = &ms_vg_threads[tid];

	ms_vg_lock_guard();
	me->state = MS_VG_THREAD_READY;
	me->moving = False;
	if (holder == 0 && nominee == 0)
		nominate(tid);
	ms_vg_lock_unguard();
	while (next != tid) {
		wait_for_nomination(tid);
		ms_vg_quiesce();
		ms_vg_lock_guard();
		next = ms_vg_slice_pick();
		if (next == tid) {
			me->state = MS_VG_THREAD_RUNS;
			holder = tid;
			nominee = 0;
		} else {
			ms_vg_pin_next(next);
			nominate(next);
		}
		ms_vg_lock_unguard();
		if (next != tid)
			wake(next);
	}
	ms_vg_pin_begin(tid);
	ms_vg_slice_begin(tid);
	ms_vg_slice_send_waits();
}

void __wrap_vgModuleLocal_release_sched_lock(void *lock)
{
	if (ms_vg_threads == NULL) {
		__real_vgModuleLocal_release_sched_lock(lock);
		return;
	}
	ThreadId tid = holder;
	struct ms_vg_thread *me = &ms_vg_threads[tid];

	ms_vg_slice_end(tid);
	ms_vg_lock_guard();
	me->state = ms_vg_slice_hands_over ? MS_VG_THREAD_READY : MS_VG_THREAD_AWAY;
	me->moving = !ms_vg_slice_hands_over;
	ms_vg_slice_hands_over = False;
	holder = 0;
	ThreadId next = ms_vg_slice_pick();
	ms_vg_pin_next(next);
	nominate(next);
	ms_vg_lock_unguard();
	wake(next);
}
