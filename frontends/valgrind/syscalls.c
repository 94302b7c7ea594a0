/*
 * syscalls.c - system calls that carry information: which threads sleep where, who wakes them,
 * which processors a thread may run on, where memory is placed.
 *
 * Requests of the program are recorded whether or not the kernel can comply: the simulated machine
 * may have processors and nodes that this one lacks.
 *
 * Deliberately ignored: migrate_pages and move_pages. Pages stay where they were placed.
 */
#include "syscalls.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "address_space.h"
#include "client_requests.h"
#include "guest.h"
#include "host_affinity.h"
#include "lane.h"
#include "processor_assignment.h"
#include "settled_threads.h"
#include "thread_lifetimes.h"
#include "time_slices.h"
#include "windows.h"
#include "yield_loops.h"

/* In the library, but not in its public headers. */
extern Bool VG_(am_is_valid_for_client)(Addr start, SizeT bytes, UInt prot);
extern ThreadId VG_(lwpid_to_vgtid)(Int lwp);

/* --- futexes --- */

/* As in <linux/futex.h>. */
enum {
	WAIT = 0,
	WAKE = 1,
	REQUEUE = 3,
	CMP_REQUEUE = 4,
	WAKE_OP = 5,
	LOCK_PI = 6,
	UNLOCK_PI = 7,
	WAIT_BITSET = 9,
	WAKE_BITSET = 10,
	WAIT_REQUEUE_PI = 11,
	CMP_REQUEUE_PI = 12,
	LOCK_PI2 = 13,
	COMMAND = 127, /* without the flags */
};

static Bool waits_by(UInt command)
{
	return command == WAIT || command == WAIT_BITSET || command == LOCK_PI ||
	       command == LOCK_PI2 || command == WAIT_REQUEUE_PI;
}

static Bool is_thread_end(Addr word)
{
	for (ThreadId tid = 1; tid <= ms_vg_threads_highest; tid++)
		if (ms_vg_threads[tid].state != MS_VG_THREAD_NONE &&
		    ms_vg_threads[tid].cleared == word)
			return True;
	return False;
}

/* Threads that sleep at a word may be requeued to another one. */
static void move_sleepers(Addr from, Addr to)
{
	for (ThreadId tid = 1; tid <= ms_vg_threads_highest; tid++)
		if (ms_vg_threads[tid].futex[0] == from)
			ms_vg_threads[tid].futex[1] = to;
}

static void before_futex(struct ms_vg_thread *me, const UWord *args)
{
	UInt command = args[1] & COMMAND;

	if (!waits_by(command)) {
		me->wakes[0] = args[0];
		if (command == WAKE_OP)
			me->wakes[1] = args[4];
		else if (command == REQUEUE || command == CMP_REQUEUE || command == CMP_REQUEUE_PI)
			move_sleepers(args[0], args[4]);
		return;
	}
	me->reason = is_thread_end(args[0]) ? MS_WIRE_WAIT_JOIN : MS_WIRE_WAIT_FUTEX;
	me->futex[0] = args[0];
	me->futex[1] = command == WAIT_REQUEUE_PI ? args[4] : 0;
}

/* --- other calls that wake --- */

static Bool may_wake(UInt number)
{
	switch (number) {
	case __NR_write:
	case __NR_writev:
	case __NR_sendto:
	case __NR_sendmsg:
	case __NR_close:
	case __NR_shutdown:
	case __NR_tgkill:
	case __NR_tkill:
	case __NR_kill:
		return True;
	default:
		return False;
	}
}

/* --- threads --- */

enum { CHILD_CLEARTID = 0x200000 };

/* Of the thread that a call of clone is creating. */
static Addr next_cleared;

static void before_clone(const UWord *args)
{
	next_cleared = args[0] & CHILD_CLEARTID ? args[GUEST_CLONE_CLEARED] : 0;
}

Addr ms_vg_syscalls_clear_tid_word(void)
{
	return next_cleared;
}

static ThreadId thread_of(Word lwp, ThreadId self)
{
	if (lwp == 0)
		return self;
	if (ms_vg_threads == NULL)
		return VG_(lwpid_to_vgtid)(lwp);
	for (ThreadId tid = 1; tid <= ms_vg_threads_highest; tid++)
		if (ms_vg_threads[tid].state != MS_VG_THREAD_NONE && ms_vg_threads[tid].lwp == lwp)
			return tid;
	return VG_INVALID_THREADID;
}

/* Bits in the program's memory; those that do not fit are omitted. False: none, or unreadable. */
static Bool read_bits(Addr from, SizeT bytes, uint64_t *bits, SizeT room)
{
	ULong any = 0;

	VG_(memset)(bits, 0, room);
	if (bytes > room)
		bytes = room;
	if (bytes == 0 || !VG_(am_is_valid_for_client)(from, bytes, VKI_PROT_READ))
		return False;
	VG_(memcpy)(bits, (const void *)from, bytes);
	for (SizeT i = 0; i < room / 8; i++)
		any |= bits[i];
	return any != 0;
}

static void before_affinity(ThreadId self, const UWord *args)
{
	uint64_t mask[MS_WIRE_MAX_PROCESSORS / 64];
	ThreadId tid = thread_of(args[0], self);

	if (tid != VG_INVALID_THREADID && read_bits(args[2], args[1], mask, sizeof(mask)))
		ms_vg_assign_affinity(tid, mask);
}

/* --- memory policies --- */

/* As in <linux/mempolicy.h>. */
enum {
	MODE_FLAGS = 0xf000,
	MODE_DEFAULT = 0,
	MODE_INTERLEAVE = 3,
	MODE_LOCAL = 4,
	MODE_WEIGHTED = 6
};

static void send_policy(ThreadId tid, Addr start, SizeT size, UWord mode, Addr mask, UWord bits)
{
	struct ms_wire_policy policy = { start, size, MS_WIRE_POLICY_TOUCH, 0 };
	/* The kernel uses one bit less than the argument. */
	Bool any = bits > 1 &&
		   read_bits(mask, (bits - 1 + 7) / 8, &policy.nodes, sizeof(policy.nodes));

	if (bits > 1 && bits <= 64)
		policy.nodes &= (1ULL << (bits - 1)) - 1;
	mode &= ~(UWord)MODE_FLAGS;
	if (mode == MODE_INTERLEAVE || mode == MODE_WEIGHTED)
		policy.policy = MS_WIRE_POLICY_INTERLEAVE;
	else if (any && mode != MODE_DEFAULT && mode != MODE_LOCAL)
		policy.policy = MS_WIRE_POLICY_NODES;
	if (policy.policy == MS_WIRE_POLICY_TOUCH)
		policy.nodes = 0;
	if (start + size >= start)
		ms_vg_lane_write_event(MS_WIRE_POLICY, tid, &policy, sizeof(policy) / 8, NULL, 0);
}

static void send_home_node(ThreadId tid, const UWord *args)
{
	struct ms_wire_policy policy = { args[0], args[1], MS_WIRE_POLICY_NODES, 0 };

	if (args[2] >= MS_WIRE_MAX_NODES || args[1] == 0 || args[0] + args[1] < args[0])
		return;
	policy.nodes = 1ULL << args[2];
	ms_vg_lane_write_event(MS_WIRE_POLICY, tid, &policy, sizeof(policy) / 8, NULL, 0);
}

#ifndef __NR_set_mempolicy_home_node
#define __NR_set_mempolicy_home_node 450
#endif

/* --- all of them --- */

static void before_scheduled(ThreadId tid, UInt number, const UWord *args)
{
	struct ms_vg_thread *me = &ms_vg_threads[tid];

	ms_vg_pin_before_syscall(number);
	ms_vg_slice_hands_over = False; /* it would have at the next superblock */
	me->spins = False;
	me->reason = MS_WIRE_WAIT_OTHER;
	me->futex[0] = 0;
	me->futex[1] = 0;
	if (number == __NR_futex)
		before_futex(me, args);
	else if (number == __NR_clone)
		before_clone(args);
	else if (number == __NR_set_tid_address)
		me->cleared = args[0];
	else if (number == __NR_sched_yield)
		ms_vg_yield(tid);
	else
		me->wakes_others = may_wake(number);
}

static Bool is_exec(UInt number)
{
	return number == __NR_execve || number == __NR_execveat;
}

void ms_vg_syscalls_before(ThreadId tid, UInt number, UWord *args)
{
	if (ms_vg_threads != NULL)
		before_scheduled(tid, number, args);
	if (is_exec(number)) {
		ms_vg_lane_set_executes(True);
		ms_vg_windows_hand_over();
	}
	if (number == __NR_exit || number == __NR_exit_group)
		ms_vg_memory_set_thread_exits(tid);
	else if (number == __NR_sched_setaffinity)
		before_affinity(tid, args);
	else if (number == __NR_prctl)
		ms_vg_name_mapping(args);
	else if (number == __NR_mbind && args[1] != 0)
		send_policy(tid, args[0], args[1], args[2], args[3], args[4]);
	else if (number == __NR_set_mempolicy)
		send_policy(tid, 0, 0, args[0], args[1], args[2]);
	else if (number == __NR_set_mempolicy_home_node)
		send_home_node(tid, args);
}

/* Threads that were woken or created come to rest before the time slice continues. */
void ms_vg_syscalls_after(ThreadId tid, UInt number, UWord *args, SysRes result)
{
	if (is_exec(number))
		ms_vg_lane_set_executes(False);
	if (ms_vg_threads == NULL)
		return;
	struct ms_vg_thread *me = &ms_vg_threads[tid];

	me->futex[0] = 0;
	me->futex[1] = 0;
	if (me->wakes[0] == 0 && !me->wakes_others && number != __NR_clone)
		return;
	ms_vg_quiesce();
	ms_vg_slice_send_waits();
}
