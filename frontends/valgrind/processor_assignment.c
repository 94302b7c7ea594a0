/*
 * processor_assignment.c - the simulated processor of a thread: assigned round-robin, by the user,
 * or by its affinity.
 */
#include "processor_assignment.h"

#include "pub_tool_libcbase.h"

#include "lane.h"
#include "thread_lifetimes.h"
#include "time_slices.h"

enum { MOST_MAPPED = 1024 };

static UInt map[MOST_MAPPED], mapped;
static Bool by_affinity;

Bool ms_vg_assign_read_map(const HChar *text)
{
	by_affinity = VG_(strcmp)(text, "affinity") == 0;
	mapped = 0;
	while (!by_affinity && mapped < MOST_MAPPED) {
		HChar *end;

		map[mapped++] = VG_(strtoll10)(text, &end);
		if (end == text)
			return False;
		if (*end != ',')
			return *end == '\0';
		text = end + 1;
	}
	return by_affinity;
}

UInt ms_vg_assign_processor(ThreadId tid)
{
	return ms_wire_processor(tid, map, mapped, ms_vg_processors);
}

void ms_vg_assign_bind(struct ms_vg_thread *t, const uint64_t *mask)
{
	t->bound = True;
	VG_(memcpy)(t->affinity, mask, sizeof(t->affinity));
	if (by_affinity)
		t->processor = ms_wire_bound_processor(
			t->processor, t->affinity, MS_WIRE_MAX_PROCESSORS / 64, ms_vg_processors);
}

void ms_vg_assign_send(ThreadId tid, const uint64_t *mask)
{
	UInt n = MS_WIRE_MAX_PROCESSORS / 64;

	while (n > 1 && mask[n - 1] == 0)
		n--;
	ms_vg_lane_write_event(MS_WIRE_AFFINITY, tid, mask, n, NULL, 0);
}

void ms_vg_assign_affinity(ThreadId tid, const uint64_t *mask)
{
	if (ms_vg_threads != NULL && tid <= ms_vg_threads_highest)
		ms_vg_assign_bind(&ms_vg_threads[tid], mask);
	if (ms_vg_threads == NULL || ms_vg_threads[tid].started)
		ms_vg_assign_send(tid, mask);
}
