/* client_requests.c - requests of the program to memspy, through include/memspy.h. */
#include "client_requests.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_vki.h"

#include "memspy.h"

#include "call_paths.h"
#include "forked_child.h"
#include "lane.h"

/* Copies a text of the program, as much of it as is used and readable; returns its length. */
static UInt copy_text(const HChar *from, HChar to[MS_WIRE_MAX_NAME + 1])
{
	UInt n = 0;

	for (; n < MS_WIRE_MAX_NAME; n++) {
		Addr at = (Addr)from + n;

		if ((n == 0 || at % VKI_PAGE_SIZE == 0) &&
		    !VG_(am_is_valid_for_client)(at, 1, VKI_PROT_READ))
			break;
		if (from[n] == '\0')
			break;
		to[n] = from[n];
	}
	to[n] = '\0';
	return n;
}

static void name_range(Addr start, SizeT size, const HChar *name)
{
	HChar text[MS_WIRE_MAX_NAME + 1];
	struct ms_wire_name wire = { start, size, copy_text(name, text), 0 };

	/* A range beyond the last address is an error of the caller, and ignored. */
	if (size != 0 && start + size > start && wire.text_bytes != 0)
		ms_vg_lane_write_event(MS_WIRE_NAME, 0, &wire, sizeof(wire) / 8, text,
				       wire.text_bytes);
}

static void unname_range(Addr start)
{
	ULong word = start;

	ms_vg_lane_write_event(MS_WIRE_UNNAME, 0, &word, 1, NULL, 0);
}

void ms_vg_name_mapping(const UWord *args)
{
	enum { SET_VMA = 0x53564d41, SET_NAME = 0 };

	if (args[0] != SET_VMA || args[1] != SET_NAME)
		return;
	if (args[4] != 0)
		name_range(args[2], args[3], (const HChar *)args[4]);
	else
		unname_range(args[2]);
}

static void mark_phase(const HChar *name)
{
	HChar text[MS_WIRE_MAX_NAME + 1];
	UInt bytes = copy_text(name, text);

	if (bytes != 0)
		ms_vg_lane_write_event(MS_WIRE_PHASE, bytes, NULL, 0, text, bytes);
}

/* A block of an allocator of the program itself: its data is the call path to here. */
static void pool_alloc(ThreadId tid, Addr block, SizeT size)
{
	ULong words[2] = { block, size };
	UInt path;

	if (size == 0 || block + size < block)
		return;
	path = ms_vg_path_of_thread(tid, False);
	ms_vg_lane_write_event(MS_WIRE_INNER_ALLOC, path, words, 2, NULL, 0);
	ms_vg_child_note_alloc(MS_WIRE_INNER_ALLOC, path, block, size);
}

static void pool_free(Addr block)
{
	ULong word = block;

	ms_vg_child_note_free(block);
	ms_vg_lane_write_event(MS_WIRE_INNER_FREE, 0, &word, 1, NULL, 0);
}

Bool ms_vg_client_request(ThreadId tid, UWord *args, UWord *answer)
{
	switch (args[0]) {
	case MEMSPY_REQUEST_RUNNING:
		break;
	case MEMSPY_REQUEST_NAME:
		name_range(args[1], args[2], (const HChar *)args[3]);
		break;
	case MEMSPY_REQUEST_UNNAME:
		unname_range(args[1]);
		break;
	case MEMSPY_REQUEST_PHASE:
		mark_phase((const HChar *)args[1]);
		break;
	case MEMSPY_REQUEST_COUNT:
		ms_vg_lane_set_counting(args[1] != 0);
		break;
	case MEMSPY_REQUEST_ALLOC:
		pool_alloc(tid, args[1], args[2]);
		break;
	case MEMSPY_REQUEST_FREE:
		pool_free(args[1]);
		break;
	default:
		return False;
	}
	*answer = 1;
	return True;
}
