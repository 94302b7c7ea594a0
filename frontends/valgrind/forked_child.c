/*
 * forked_child.c - a forked child requests its own stream from memspy, and describes in it
 * everything that exists: its parent's stream contains that, but is not read for the child.
 *
 * Blocks of code are described again as the child runs: all translations are dropped. Valgrind
 * provides modules, mappings and threads. Blocks of the heap are kept in a table here, only for
 * this purpose. Executed programs are not handled here: memspy itself replaces Valgrind's launcher
 * (src/launch/valgrind_launcher.c).
 */
#include "forked_child.h"

#include "pub_tool_hashtable.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "address_space.h"
#include "block_description.h"
#include "call_paths.h"
#include "heap_calls.h"
#include "lane.h"
#include "syscall.h"

/* In the library, but not in its public headers. */
extern void VG_(discard_translations)(Addr start, ULong range, const HChar *who);

static const HChar *collector; /* the socket's name; NULL: children are not followed */

void ms_vg_child_set_collector(const HChar *name)
{
	collector = name;
}

/* --- live blocks of the heap --- */

struct live {
	VgHashNode node; /* the key is the address */
	SizeT size;
	UInt kind;
	UInt length;
	Addr path[]; /* as ms_vg_path_get() returns it: the child has other numbers */
};

static VgHashTable *heap;

void ms_vg_child_note_alloc(UInt kind, UInt path, Addr address, SizeT size)
{
	const Addr *pcs;
	UInt length;

	if (collector == NULL)
		return;
	if (heap == NULL)
		heap = VG_(HT_construct)("memspy.follow.heap");
	ms_vg_child_note_free(address);
	pcs = ms_vg_path_get(path, &length);
	struct live *live =
		VG_(malloc)("memspy.follow.live", sizeof(*live) + length * sizeof(Addr));
	live->node.key = address;
	live->size = size;
	live->kind = kind;
	live->length = length;
	VG_(memcpy)(live->path, pcs, length * sizeof(Addr));
	VG_(HT_add_node)(heap, live);
}

void ms_vg_child_note_free(Addr address)
{
	if (heap != NULL)
		VG_(free)(VG_(HT_remove)(heap, address));
}

static void send_heap(void)
{
	struct live *live;

	if (heap == NULL)
		return;
	/* Outer blocks before those inside them. */
	for (UInt kind = MS_WIRE_ALLOC; kind != 0;
	     kind = kind == MS_WIRE_ALLOC ? MS_WIRE_INNER_ALLOC : 0) {
		VG_(HT_ResetIter)(heap);
		while ((live = VG_(HT_Next)(heap)) != NULL) {
			ULong words[2] = { live->node.key, live->size };

			if (live->kind == kind)
				ms_vg_lane_write_event(kind,
						       ms_vg_path_number(live->path, live->length),
						       words, 2, NULL, 0);
		}
	}
}

/* --- the connection to memspy --- */

struct address {
	UShort family;
	HChar path[108];
};

struct message {
	void *name;
	UInt name_bytes;
	struct vki_iovec *parts;
	SizeT part_count;
	void *control;
	SizeT control_bytes;
	UInt flags;
};

struct rights {
	SizeT bytes;
	Int level, type;
	Int fd[2]; /* the stream's, the log's */
};

enum { UNIX = 1, SEQPACKET = 5, CLOEXEC = 02000000, SOCKET_LEVEL = 1, RIGHTS = 1 };

static Int connect_to(const HChar *name)
{
	struct address to = { UNIX, "" };
	SizeT n = VG_(strlen)(name);
	Word fd = raw_syscall(__NR_socket, UNIX, SEQPACKET | CLOEXEC, 0, 0, 0, 0);

	if (fd < 0 || n > sizeof(to.path) - 1)
		return -1;
	VG_(memcpy)(to.path + 1, name, n); /* an abstract name begins with a NUL */
	if (raw_syscall(__NR_connect, fd, (Word)&to, sizeof(to.family) + 1 + n, 0, 0, 0) != 0) {
		VG_(close)(fd);
		return -1;
	}
	return (Int)fd;
}

/* Open around a fork: memspy ends when no process that it follows is left, so the parent waits
 * until its child has sent its request, or has ended. */
static Int pipe_ends[2] = { -1, -1 };

static void close_end(UInt which)
{
	if (pipe_ends[which] >= 0)
		VG_(close)(pipe_ends[which]);
	pipe_ends[which] = -1;
}

void ms_vg_child_before_fork(ThreadId tid)
{
	close_end(0); /* if the last one has failed */
	close_end(1);
	if (collector != NULL)
		raw_syscall(__NR_pipe2, (Word)pipe_ends, CLOEXEC, 0, 0, 0, 0);
}

void ms_vg_child_wait(ThreadId tid)
{
	UChar nothing;

	close_end(1);
	if (pipe_ends[0] >= 0)
		VG_(read)(pipe_ends[0], &nothing, 1);
	close_end(0);
}

/* The new stream's file; -1: memspy is not there, or is overloaded. */
static Int request_stream(void)
{
	struct ms_wire_ask request = { MS_WIRE_ASK_FORK, VG_(getppid)() };
	struct rights rights;
	UInt answer = 0;
	struct vki_iovec part = { &answer, sizeof(answer) };
	struct message m = { NULL, 0, &part, 1, &rights, sizeof(rights), 0 };
	Int fd = connect_to(collector);
	Word sent = -1;

	VG_(memset)(&rights, 0, sizeof(rights));
	if (fd >= 0)
		sent = raw_syscall(__NR_sendto, fd, (Word)&request, sizeof(request), 0, 0, 0);
	close_end(0);
	close_end(1);
	if (fd < 0)
		return -1;
	Word got =
		sent == sizeof(request) ? raw_syscall(__NR_recvmsg, fd, (Word)&m, 0, 0, 0, 0) : -1;
	VG_(close)(fd);
	if (got != sizeof(answer) || rights.level != SOCKET_LEVEL || rights.type != RIGHTS)
		return -1;
	VG_(close)(rights.fd[1]);
	return rights.fd[0];
}

void ms_vg_child_after_fork(ThreadId tid)
{
	/* The child may have been writing to a track, which is the parent's. */
	ms_vg_lane_after_fork();

	Int fd = collector != NULL ? request_stream() : -1;
	Bool joined = fd >= 0 && ms_vg_lane_join(fd);

	if (!joined) {
		collector = NULL; /* its children are not followed either */
		ms_vg_lane_leave();
		return;
	}
	VG_(discard_translations)(0, ~0ULL, "memspy");
	ms_vg_block_restart();
	ms_vg_path_restart();
	ms_vg_heap_restart();
	ms_vg_memory_restart(tid);
	send_heap();
	ms_vg_lane_restart();
}
