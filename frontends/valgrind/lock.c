/*
 * lock.c - Valgrind's big lock, passed from thread to thread by turns.c where more than one
 * processor is simulated.
 *
 * The linker's --wrap redirects the library's calls here. The thread that releases the lock
 * nominates the next one. The nominee waits until all threads have come to rest (rest.c), selects
 * again the thread with the least virtual time, and either runs or nominates that one.
 */
#include "turns.h"

#include "pub_tool_libcproc.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "syscall.h"

struct sched_lock;

/* The library's own functions, and those that are called instead of them. */
struct sched_lock *__real_vgModuleLocal_create_sched_lock(void);
int __real_vgModuleLocal_get_sched_lock_owner(struct sched_lock *lock);
void __real_vgModuleLocal_acquire_sched_lock(struct sched_lock *lock);
void __real_vgModuleLocal_release_sched_lock(struct sched_lock *lock);
void __real_vgPlain_acquire_BigLock(ThreadId tid, const HChar *who);
struct sched_lock *__wrap_vgModuleLocal_create_sched_lock(void);
int __wrap_vgModuleLocal_get_sched_lock_owner(struct sched_lock *lock);
void __wrap_vgModuleLocal_acquire_sched_lock(struct sched_lock *lock);
void __wrap_vgModuleLocal_release_sched_lock(struct sched_lock *lock);
void __wrap_vgPlain_acquire_BigLock(ThreadId tid, const HChar *who);

enum { FUTEX_WAIT_PRIVATE = 128, FUTEX_WAKE_PRIVATE = 129, TIMED_OUT = -110 /* ETIMEDOUT */ };

static UInt guard;       /* 1: a thread changes states */
static ThreadId holder;  /* of the big lock; 0: none */
static ThreadId nominee; /* selects the thread of the next turn; 0: none */

void ms_turns_guard(void)
{
	/* No futex: a thread that sleeps here would look as if it slept in its system call. */
	while (__atomic_exchange_n(&guard, 1, __ATOMIC_ACQUIRE) != 0)
		raw_syscall(__NR_sched_yield, 0, 0, 0, 0, 0, 0);
}

void ms_turns_unguard(void)
{
	__atomic_store_n(&guard, 0, __ATOMIC_RELEASE);
}

/* Under the guard, and with its affinity set before: it may run as soon as it is nominated, and
 * read its affinity. Then, without the guard: */
static void nominate(ThreadId tid)
{
	nominee = tid;
	if (tid != 0)
		__atomic_store_n(&ms_turns[tid].go, 1, __ATOMIC_SEQ_CST);
}

static void wake(ThreadId tid)
{
	if (tid != 0)
		raw_syscall(__NR_futex, (Word)&ms_turns[tid].go, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

static Bool may_run(ThreadId tid)
{
	return tid != 0 && (ms_turns[tid].state == TURN_READY || ms_turns[tid].state == TURN_RUNS);
}

/* If the nominated thread has ended, the others do not wait for it. */
static void nominate_if_none(ThreadId tid)
{
	ms_turns_guard();
	if (holder == 0 && !may_run(nominee))
		nominate(tid);
	ms_turns_unguard();
}

static void wait_for_nomination(ThreadId tid)
{
	struct vki_timespec second = { 1, 0 };
	struct turn *me = &ms_turns[tid];

	while (__atomic_load_n(&me->go, __ATOMIC_SEQ_CST) == 0)
		if (raw_syscall(__NR_futex, (Word)&me->go, FUTEX_WAIT_PRIVATE, 0, (Word)&second, 0,
				0) == TIMED_OUT)
			nominate_if_none(tid);
	__atomic_store_n(&me->go, 0, __ATOMIC_SEQ_CST);
}

/* --- the lock --- */

struct sched_lock *__wrap_vgModuleLocal_create_sched_lock(void)
{
	if (ms_turns != NULL) { /* after fork, in the child */
		guard = 0;
		holder = 0;
		nominee = 0;
		ms_turns_forked();
	}
	return __real_vgModuleLocal_create_sched_lock();
}

int __wrap_vgModuleLocal_get_sched_lock_owner(struct sched_lock *lock)
{
	if (ms_turns == NULL)
		return __real_vgModuleLocal_get_sched_lock_owner(lock);
	return holder != 0 ? ms_turns[holder].lwp : 0;
}

/* Only here does the library pass the thread's id. */
void __wrap_vgPlain_acquire_BigLock(ThreadId tid, const HChar *who)
{
	if (ms_turns != NULL && ms_turns[tid].lwp == 0)
		ms_turns[tid].lwp = VG_(gettid)();
	__real_vgPlain_acquire_BigLock(tid, who);
}

static ThreadId this_thread(void)
{
	Int lwp = VG_(gettid)();
	ThreadId tid = 1;

	while (tid < ms_turns_most && ms_turns[tid].lwp != lwp)
		tid++;
	return tid;
}

void __wrap_vgModuleLocal_acquire_sched_lock(struct sched_lock *lock)
{
	if (ms_turns == NULL) {
		__real_vgModuleLocal_acquire_sched_lock(lock);
		return;
	}
	ThreadId tid = this_thread(), next = 0;
	struct turn *me = &ms_turns[tid];

	ms_turns_guard();
	me->state = TURN_READY;
	me->moving = False;
	if (holder == 0 && nominee == 0)
		nominate(tid);
	ms_turns_unguard();
	while (next != tid) {
		wait_for_nomination(tid);
		ms_turns_settle();
		ms_turns_guard();
		next = ms_turns_pick();
		if (next == tid) {
			me->state = TURN_RUNS;
			holder = tid;
			nominee = 0;
		} else {
			ms_pin_next(next);
			nominate(next);
		}
		ms_turns_unguard();
		if (next != tid)
			wake(next);
	}
	ms_pin_begin(tid);
	ms_turns_begin(tid);
	ms_turns_tell();
}

void __wrap_vgModuleLocal_release_sched_lock(struct sched_lock *lock)
{
	if (ms_turns == NULL) {
		__real_vgModuleLocal_release_sched_lock(lock);
		return;
	}
	ThreadId tid = holder;
	struct turn *me = &ms_turns[tid];

	ms_turns_end(tid);
	ms_turns_guard();
	me->state = ms_turns_hands_over ? TURN_READY : TURN_AWAY;
	me->moving = !ms_turns_hands_over;
	ms_turns_hands_over = False;
	holder = 0;
	ThreadId next = ms_turns_pick();
	ms_pin_next(next);
	nominate(next);
	ms_turns_unguard();
	wake(next);
}
