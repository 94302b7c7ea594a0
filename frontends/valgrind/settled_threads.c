/*
 * settled_threads.c - waits until every thread is ready, asleep in the kernel, or gone.
 *
 * Only then is the next thread selected. So the result does not depend on how fast the kernel puts
 * a thread to sleep, wakes one, starts one or ends one: the visible state is always the same.
 * Sleeping threads are checked again after an operation that may have woken them.
 */
#include "settled_threads.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "scheduler_lock.h"
#include "syscall.h"
#include "thread_lifetimes.h"

/* In the library, but not in its public headers: a descriptor that the program cannot close. */
extern Int VG_(safe_fd)(Int fd);

/* A thread that never comes to rest is ignored after half a second, and counts as waiting. */
enum { FAST_CHECKS = 200, MOST_CHECKS = 5200, PAUSE_NS = 100 * 1000 };

/* Of threads that wait for something else than a futex; each costs a read from /proc. */
enum { MOST_MARKED = 16 };

/* --- threads that may have been woken --- */

static void mark_moving(ThreadId by, struct ms_vg_thread *t)
{
	/* It may have been faster than the thread that checks it. */
	if (t->state == MS_VG_THREAD_READY && t->waits && t->woken_by == MS_WIRE_NO_THREAD)
		t->woken_by = by;
	if (t->state != MS_VG_THREAD_AWAY || t->moving)
		return;
	t->moving = True;
	t->woken_by = by;
}

static void mark_sleepers(ThreadId by, Addr word)
{
	for (ThreadId tid = 1; word != 0 && tid <= ms_vg_threads_highest; tid++)
		if (ms_vg_threads[tid].futex[0] == word || ms_vg_threads[tid].futex[1] == word)
			mark_moving(by, &ms_vg_threads[tid]);
}

static void mark_others(ThreadId by)
{
	UInt n = 0;

	for (ThreadId tid = 1; tid <= ms_vg_threads_highest && n < MOST_MARKED; tid++) {
		struct ms_vg_thread *t = &ms_vg_threads[tid];

		if (tid == by || t->futex[0] != 0)
			continue;
		n += t->state == MS_VG_THREAD_AWAY && !t->moving;
		mark_moving(by, t);
	}
}

static Bool may_have_woken(const struct ms_vg_thread *t)
{
	return t->wakes[0] != 0 || t->wakes_others;
}

/* Its system call is done: marks the threads that it may have woken. */
static void mark_woken(ThreadId by)
{
	struct ms_vg_thread *t = &ms_vg_threads[by];

	for (UInt i = 0; i < 2; i++)
		mark_sleepers(by, t->wakes[i]);
	if (t->wakes_others)
		mark_others(by);
	t->wakes[0] = 0;
	t->wakes[1] = 0;
	t->wakes_others = False;
}

/* --- coming to rest --- */

enum { NOT_KNOWN = '?', NO_SUCH_THREAD = -3 /* ESRCH */ };

/* /proc, opened at the start: after chroot() it may have no name. Its "self" is the reading
 * process, so forked children use it, too. */
static Int proc = -1;

void ms_vg_quiesce_start(void)
{
	SysRes file = VG_(open)("/proc", VKI_O_RDONLY, 0);

	if (!sr_isError(file))
		proc = VG_(safe_fd)(sr_Res(file));
}

/* In a new PID namespace, threads have other ids in /proc than here. */
static HChar state_without_proc(Int lwp)
{
	Word gone = raw_syscall(__NR_tgkill, VG_(getpid)(), lwp, 0, 0, 0, 0);

	return gone == NO_SUCH_THREAD ? 0 : NOT_KNOWN;
}

/* As the kernel shows it: R runs, S sleeps ...; 0: the thread does not exist any more. */
static HChar kernel_state(Int lwp)
{
	HChar path[64], text[256];
	const HChar *at;

	VG_(sprintf)(path, "self/task/%d/stat", lwp);
	Word file = raw_syscall(__NR_openat, proc, (Word)path, VKI_O_RDONLY, 0, 0, 0);
	if (file < 0)
		return state_without_proc(lwp);
	Int n = VG_(read)((Int)file, text, sizeof(text) - 1);
	VG_(close)((Int)file);
	text[n > 0 ? n : 0] = '\0';
	at = VG_(strrchr)(text, ')');
	return at != NULL && at[1] == ' ' ? at[2] : 0;
}

/* An unknown state counts as asleep once all threads had time to come to rest. */
static Bool late;

static Bool is_moving(HChar state)
{
	return state == 'R' || state == 'D' || (state == NOT_KNOWN && !late);
}

static void set_gone(ThreadId tid)
{
	struct ms_vg_thread *t = &ms_vg_threads[tid];

	t->state = MS_VG_THREAD_NONE;
	t->moving = False;
	t->lwp = 0;
	mark_sleepers(tid, t->cleared); /* threads that waited for its end */
}

/* Whether it is at rest. */
static Bool is_at_rest(ThreadId tid)
{
	struct ms_vg_thread *t = &ms_vg_threads[tid];
	HChar state = t->lwp != 0 ? kernel_state(t->lwp) : 'R';
	Bool rest = True;

	ms_vg_lock_guard();
	if (t->state != MS_VG_THREAD_AWAY) {
		rest = !may_have_woken(t); /* it came back meanwhile */
	} else if (state == 0 || state == 'Z' || state == 'X') {
		set_gone(tid);
		rest = False; /* others may move */
	} else if (!is_moving(state) && !t->ends) {
		t->moving = False;
		t->woken_by = MS_WIRE_NO_THREAD;
	} else {
		rest = False;
	}
	ms_vg_lock_unguard();
	return rest;
}

static Bool is_back(const struct ms_vg_thread *t)
{
	return t->state == MS_VG_THREAD_READY || t->state == MS_VG_THREAD_RUNS;
}

static Bool all_at_rest(void)
{
	Bool rest = True;

	for (ThreadId tid = 1; tid <= ms_vg_threads_highest; tid++) {
		struct ms_vg_thread *t = &ms_vg_threads[tid];

		if (t->state == MS_VG_THREAD_AWAY && t->moving) {
			rest &= is_at_rest(tid);
		} else if (is_back(t) && may_have_woken(t)) {
			ms_vg_lock_guard();
			mark_woken(tid);
			ms_vg_lock_unguard();
			rest = False;
		}
	}
	return rest;
}

void ms_vg_quiesce(void)
{
	struct vki_timespec pause = { 0, PAUSE_NS };

	late = False;
	for (UInt checks = 0; !all_at_rest(); checks++) {
		late = checks >= FAST_CHECKS;
		if (checks < FAST_CHECKS)
			raw_syscall(__NR_sched_yield, 0, 0, 0, 0, 0, 0);
		else if (checks < MOST_CHECKS)
			raw_syscall(__NR_nanosleep, (Word)&pause, 0, 0, 0, 0, 0);
		else
			break;
	}
	ms_vg_lock_guard();
	for (ThreadId tid = 1; tid <= ms_vg_threads_highest; tid++)
		ms_vg_threads[tid].moving = False;
	ms_vg_lock_unguard();
}
