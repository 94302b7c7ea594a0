/* client_requests.c - requests of the program to memspy, through include/memspy.h. */
#include "memspy.h"
#include "raw_syscall.h"
#include "runtime/lanes.h"
#include "runtime/thread_state.h"
#include "syscalls/syscalls.h"
#include "unwind/unwind.h"
#include "wire/wire.h"

/* Copies a text of the program, as much of it as is used and readable; returns its length. */
static uint32_t copy_text(const char *from, char to[MS_WIRE_MAX_NAME + 1])
{
	uint64_t local[2] = { (uint64_t)to, MS_WIRE_MAX_NAME };
	uint64_t remote[4] = { (uint64_t)from, MS_WIRE_MAX_NAME, 0, 0 };
	uint64_t in_page = MS_RUNTIME_PAGE_BYTES - (uint64_t)from % MS_RUNTIME_PAGE_BYTES;
	long pid = ms_runtime_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
	uint32_t n = 0;

	/* Page by page: the next page may be unmapped. */
	if (in_page < MS_WIRE_MAX_NAME) {
		remote[1] = in_page;
		remote[2] = (uint64_t)from + in_page;
		remote[3] = MS_WIRE_MAX_NAME - in_page;
	}
	long got = ms_runtime_syscall(__NR_process_vm_readv, pid, (long)local, 1, (long)remote,
				      remote[2] != 0 ? 2 : 1, 0);
	while (got > 0 && n < (uint64_t)got && to[n] != '\0')
		n++;
	to[n] = '\0';
	return n;
}

static void name_range(struct ms_runtime_thread *t, uint64_t start, uint64_t size, const char *name)
{
	char text[MS_WIRE_MAX_NAME + 1];
	struct ms_wire_name wire = { start, size, copy_text(name, text), 0 };

	/* A range beyond the last address is an error of the caller, and ignored. */
	if (size != 0 && start + size > start && wire.text_bytes != 0)
		ms_runtime_write_event(t, MS_WIRE_NAME, 0, &wire, sizeof(wire) / 8, text,
				       wire.text_bytes);
}

void ms_syscalls_name_mapping(struct ms_runtime_thread *t, const uint64_t args[6])
{
	enum { SET_VMA = 0x53564d41, SET_NAME = 0 };

	if (args[0] != SET_VMA || args[1] != SET_NAME)
		return;
	if (args[4] != 0)
		name_range(t, args[2], args[3], (const char *)args[4]);
	else
		ms_runtime_write_event(t, MS_WIRE_UNNAME, 0, &args[2], 1, NULL, 0);
}

static void mark_phase(struct ms_runtime_thread *t, const char *name)
{
	char text[MS_WIRE_MAX_NAME + 1];
	uint32_t bytes = copy_text(name, text);

	if (bytes != 0)
		ms_runtime_write_event(t, MS_WIRE_PHASE, bytes, NULL, 0, text, bytes);
}

/* A block of an allocator of the program itself: its data is the call path to here. */
static void pool_alloc(struct ms_runtime_thread *t, const uint64_t *args,
		       const struct ms_unwind_frame *frame, bool called)
{
	uint64_t words[2] = { args[1], args[2] };

	if (frame == NULL || args[2] == 0 || args[1] + args[2] < args[1])
		return;
	uint32_t path = ms_unwind_get_path(t, frame, called);
	if (path != MS_WIRE_NO_PATH)
		ms_runtime_write_event(t, MS_WIRE_INNER_ALLOC, path, words, 2, NULL, 0);
}

uint64_t ms_syscalls_handle_client_request(struct ms_runtime_thread *t, const uint64_t *args,
					   const struct ms_unwind_frame *frame, bool called)
{
	switch (args[0]) {
	case MEMSPY_REQUEST_RUNNING:
		break;
	case MEMSPY_REQUEST_NAME:
		name_range(t, args[1], args[2], (const char *)args[3]);
		break;
	case MEMSPY_REQUEST_UNNAME:
		ms_runtime_write_event(t, MS_WIRE_UNNAME, 0, &args[1], 1, NULL, 0);
		break;
	case MEMSPY_REQUEST_PHASE:
		mark_phase(t, (const char *)args[1]);
		break;
	case MEMSPY_REQUEST_COUNT:
		ms_runtime_set_recording(t, args[1] != 0);
		break;
	case MEMSPY_REQUEST_ALLOC:
		pool_alloc(t, args, frame, called);
		break;
	case MEMSPY_REQUEST_FREE:
		ms_runtime_write_event(t, MS_WIRE_INNER_FREE, 0, &args[1], 1, NULL, 0);
		break;
	default:
		return 0;
	}
	return 1;
}
