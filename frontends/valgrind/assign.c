/*
 * assign.c - the simulated processor of a thread: assigned round-robin, by the user, or by its
 * affinity.
 */
#include "turns.h"

#include "pub_tool_libcbase.h"

enum { MOST_MAPPED = 1024 };

static UInt map[MOST_MAPPED], mapped;
static Bool by_affinity;

Bool ms_assign_map(const HChar *text)
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

UInt ms_assign_processor(ThreadId tid)
{
	return ms_wire_processor(tid, map, mapped, ms_turns_processors);
}

void ms_assign_bind(struct turn *t, const uint64_t *mask)
{
	t->bound = True;
	VG_(memcpy)(t->affinity, mask, sizeof(t->affinity));
	if (by_affinity)
		t->processor =
			ms_wire_bound_processor(t->processor, t->affinity,
						MS_WIRE_MAX_PROCESSORS / 64, ms_turns_processors);
}

void ms_assign_tell(ThreadId tid, const uint64_t *mask)
{
	UInt n = MS_WIRE_MAX_PROCESSORS / 64;

	while (n > 1 && mask[n - 1] == 0)
		n--;
	ms_lane_event(MS_WIRE_AFFINITY, tid, mask, n, NULL, 0);
}

void ms_assign_affinity(ThreadId tid, const uint64_t *mask)
{
	if (ms_turns != NULL && tid <= ms_turns_most)
		ms_assign_bind(&ms_turns[tid], mask);
	if (ms_turns == NULL || ms_turns[tid].started)
		ms_assign_tell(tid, mask);
}
