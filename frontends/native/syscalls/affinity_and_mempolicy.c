/*
 * affinity_and_mempolicy.c - the processors that a thread may run on, and the placement of memory,
 * as the program requests them. They are recorded whether or not the kernel can comply: the
 * simulated machine may have processors and nodes that this one lacks.
 *
 * Deliberately ignored: migrate_pages and move_pages. Pages stay where they were placed.
 */
#include "raw_syscall.h"
#include "runtime/lanes.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"
#include "syscalls/syscalls.h"
#include "wire/wire.h"

/* Bits in the program's memory; those that do not fit are omitted. False: none, or unreadable. */
static bool read_bits(uint64_t from, uint64_t bytes, uint64_t *bits, uint64_t room)
{
	uint64_t any = 0, local[2] = { (uint64_t)bits, 0 }, remote[2] = { from, 0 };
	long pid = ms_runtime_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);

	for (uint64_t i = 0; i < room / 8; i++)
		bits[i] = 0;
	local[1] = remote[1] = bytes < room ? bytes : room;
	if (bytes == 0 || ms_runtime_syscall(__NR_process_vm_readv, pid, (long)local, 1,
					     (long)remote, 1, 0) != (long)local[1])
		return false;
	for (uint64_t i = 0; i < room / 8; i++)
		any |= bits[i];
	return any != 0;
}

static void report_affinity(struct ms_runtime_thread *t, const uint64_t args[6])
{
	uint64_t mask[MS_WIRE_MAX_PROCESSORS / 64];
	uint32_t thread =
		args[0] == 0 ? t->number : ms_runtime_find_thread_number((uint32_t)args[0]);

	if (thread != 0 && read_bits(args[2], args[1], mask, sizeof(mask)))
		ms_runtime_write_event(t, MS_WIRE_AFFINITY, thread, mask, sizeof(mask) / 8, NULL,
				       0);
}

/* As in <linux/mempolicy.h>. */
enum {
	MODE_FLAGS = 0xf000,
	MODE_DEFAULT = 0,
	MODE_INTERLEAVE = 3,
	MODE_LOCAL = 4,
	MODE_WEIGHTED = 6
};

static void report_policy(struct ms_runtime_thread *t, uint64_t start, uint64_t size, uint64_t mode,
			  uint64_t mask, uint64_t bits)
{
	struct ms_wire_policy policy = { start, size, MS_WIRE_POLICY_TOUCH, 0 };
	/* The kernel uses one bit less than the argument. */
	bool any = bits > 1 &&
		   read_bits(mask, (bits - 1 + 7) / 8, &policy.nodes, sizeof(policy.nodes));

	if (bits > 1 && bits <= 64)
		policy.nodes &= (UINT64_C(1) << (bits - 1)) - 1;
	mode &= ~(uint64_t)MODE_FLAGS;
	if (mode == MODE_INTERLEAVE || mode == MODE_WEIGHTED)
		policy.policy = MS_WIRE_POLICY_INTERLEAVE;
	else if (any && mode != MODE_DEFAULT && mode != MODE_LOCAL)
		policy.policy = MS_WIRE_POLICY_NODES;
	if (policy.policy == MS_WIRE_POLICY_TOUCH)
		policy.nodes = 0;
	if (start + size >= start)
		ms_runtime_write_event(t, MS_WIRE_POLICY, t->number, &policy, sizeof(policy) / 8,
				       NULL, 0);
}

static void report_home_node(struct ms_runtime_thread *t, const uint64_t args[6])
{
	struct ms_wire_policy policy = { args[0], args[1], MS_WIRE_POLICY_NODES, 0 };

	if (args[2] >= MS_WIRE_MAX_NODES || args[1] == 0 || args[0] + args[1] < args[0])
		return;
	policy.nodes = UINT64_C(1) << args[2];
	ms_runtime_write_event(t, MS_WIRE_POLICY, t->number, &policy, sizeof(policy) / 8, NULL, 0);
}

#ifndef __NR_set_mempolicy_home_node
#define __NR_set_mempolicy_home_node 450
#endif

void ms_syscalls_report_placement(struct ms_runtime_thread *t, uint64_t number,
				  const uint64_t args[6])
{
	if (number == __NR_sched_setaffinity)
		report_affinity(t, args);
	else if (number == __NR_mbind && args[1] != 0)
		report_policy(t, args[0], args[1], args[2], args[3], args[4]);
	else if (number == __NR_set_mempolicy)
		report_policy(t, 0, 0, args[0], args[1], args[2]);
	else if (number == __NR_set_mempolicy_home_node)
		report_home_node(t, args);
}
