/*
 * child_processes.c - with --follow-forks: a forked child, and an executed program, requests its
 * own stream from memspy.
 *
 * A forked child continues where its parent was, and records the present state in the new stream,
 * because the parent's stream is not read for the child. Blocks of code are described again when
 * they run. A program that a child executes finds the collector's name in the environment, where it
 * is left for it.
 */
#include "heap/heap.h"
#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/futex.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/thread_state.h"
#include "syscalls/syscalls.h"
#include "unwind/unwind.h"
#include "wire/wire.h"

/* --- connection to memspy --- */

struct collector_address {
	uint16_t family;
	char path[108];
};

struct socket_message {
	void *name;
	uint32_t name_bytes;
	uint64_t *parts;
	size_t part_count;
	void *control;
	size_t control_bytes;
	uint32_t flags;
};

struct fd_rights {
	size_t bytes;
	int32_t level, type;
	int32_t fd[3]; /* stream, log, and perhaps /proc/self/maps */
};

enum { UNIX = 1, SEQPACKET = 5, CLOEXEC = 02000000, SOCKET_LEVEL = 1, RIGHTS = 1 };
enum { NO_SIGNAL = 0x4000, CMSG_CLOEXEC = 0x40000000 };
enum { HERE = -100 }; /* AT_FDCWD */

static long connect_to(const char *name)
{
	struct collector_address to = { UNIX, "" };
	size_t n = ms_runtime_get_text_length(name);
	long fd = ms_runtime_syscall(__NR_socket, UNIX, SEQPACKET | CLOEXEC, 0, 0, 0, 0);

	if (fd < 0 || n > sizeof(to.path) - 1)
		return -1;
	ms_runtime_copy_bytes(to.path + 1, name, n); /* an abstract name begins with a NUL */
	if (ms_runtime_syscall(__NR_connect, fd, (long)&to, (long)(sizeof(to.family) + 1 + n), 0, 0,
			       0) != 0) {
		ms_runtime_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
		return -1;
	}
	return fd;
}

/* --- where memspy cannot be reached --- */

/* The network namespace at the start: the abstract socket's name exists only there. */
static char initial_namespace[64];

static void read_namespace(char text[64])
{
	long n = ms_runtime_syscall(__NR_readlinkat, HERE, (long)"/proc/self/ns/net", (long)text,
				    63, 0, 0);

	text[n > 0 ? n : 0] = '\0';
}

void ms_syscalls_start_following(void)
{
	read_namespace(initial_namespace);
}

static bool is_other_namespace(void)
{
	char here[64];

	read_namespace(here);
	return initial_namespace[0] != '\0' && here[0] != '\0' &&
	       !ms_runtime_are_texts_equal(here, initial_namespace);
}

/* --- a parent and its child: memspy ends when the last process that it follows ends --- */

enum { REPLY_ASKED = 1, REPLY_FAILED, REPLY_OTHER_NAMESPACE }; /* states of the child's request */

void ms_syscalls_prepare_fork(struct ms_runtime_thread *t)
{
	long at = -1;

	if (ms_runtime_config.follow_children)
		at = ms_runtime_syscall(
			SYS_mmap, (long)ms_runtime_choose_address(MS_RUNTIME_PAGE_BYTES),
			MS_RUNTIME_PAGE_BYTES, 3, 0x21 /* shared, anonymous */, -1, 0);
	t->fork_reply = !ms_runtime_config.follow_children || ms_runtime_is_error(at)
				? NULL
				: (uint32_t *)at;
}

static void free_reply_page(struct ms_runtime_thread *t)
{
	ms_runtime_unmap_pages(t->fork_reply, MS_RUNTIME_PAGE_BYTES);
	t->fork_reply = NULL;
}

/* True also if it is not a child that can be waited for. The child stays waitable for the
 * program. */
static bool has_ended(int64_t pid)
{
	enum { BY_PID = 1, NO_HANG = 1, ENDED = 4, ANY_KIND = 0x40000000, STAYS = 0x01000000 };
	uint32_t info[32] = { 0 };

	return ms_runtime_syscall(__NR_waitid, BY_PID, pid, (long)info,
				  NO_HANG | ENDED | ANY_KIND | STAYS, 0, 0) != 0 ||
	       info[0] != 0;
}

void ms_syscalls_wait_for_child(struct ms_runtime_thread *t, int64_t pid)
{
	static const int64_t a_while[2] = { 0, 100 * 1000 * 1000 };
	uint32_t reply = 0;

	while (t->fork_reply != NULL && pid > 0 &&
	       (reply = __atomic_load_n(t->fork_reply, __ATOMIC_SEQ_CST)) == 0 && !has_ended(pid))
		ms_runtime_wait_futex(t->fork_reply, MS_RUNTIME_FUTEX_SHARED, 0, a_while);
	if (reply >= REPLY_FAILED)
		ms_runtime_count_unreachable(reply == REPLY_OTHER_NAMESPACE, 1);
	free_reply_page(t);
}

static void notify_parent(struct ms_runtime_thread *t, bool was_asked)
{
	if (t == NULL || t->fork_reply == NULL)
		return;
	uint32_t reply = was_asked              ? REPLY_ASKED
			 : is_other_namespace() ? REPLY_OTHER_NAMESPACE
						: REPLY_FAILED;
	__atomic_store_n(t->fork_reply, reply, __ATOMIC_SEQ_CST);
	ms_runtime_wake_futex(t->fork_reply, MS_RUNTIME_FUTEX_SHARED, 1);
	free_reply_page(t);
}

bool ms_syscalls_request_stream(struct ms_runtime_thread *t, uint32_t kind)
{
	struct ms_wire_ask request = { kind, (uint32_t)ms_runtime_syscall(SYS_getppid, 0, 0, 0, 0,
									  0, 0) };
	struct fd_rights rights = { 0 };
	uint32_t answer = 0;
	uint64_t part[2] = { (uint64_t)&answer, sizeof(answer) };
	struct socket_message m = { NULL, 0, part, 1, &rights, sizeof(rights), 0 };
	long fd = connect_to(ms_runtime_config.collector), sent = -1, got = -1;

	if (fd >= 0)
		sent = ms_runtime_syscall(__NR_sendto, fd, (long)&request, sizeof(request),
					  NO_SIGNAL, 0, 0);
	notify_parent(t, sent == sizeof(request));
	if (fd < 0)
		return false;
	if (sent == sizeof(request))
		got = ms_runtime_syscall(__NR_recvmsg, fd, (long)&m, CMSG_CLOEXEC, 0, 0, 0);
	ms_runtime_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
	if (got != sizeof(answer) || rights.level != SOCKET_LEVEL || rights.type != RIGHTS)
		return false;
	ms_runtime_config.stream_fd = rights.fd[0];
	ms_runtime_config.log_fd = rights.fd[1];
	ms_runtime_config.maps_fd =
		rights.bytes >= sizeof(rights.bytes) + 5 * sizeof(int32_t) ? rights.fd[2] : -1;
	return true;
}

/* --- executed programs that may be unable to request a stream --- */

/* Waits until memspy has examined the program. */
void ms_syscalls_announce_exec(uint32_t process, const char *path)
{
	struct ms_wire_ask ask = { MS_WIRE_ASK_BECOMES, process };
	uint64_t parts[4] = { (uint64_t)&ask, sizeof(ask), (uint64_t)path,
			      ms_runtime_get_text_length(path) };
	struct socket_message m = { NULL, 0, parts, 2, NULL, 0, 0 };
	long fd = connect_to(ms_runtime_config.collector);

	if (fd < 0) {
		ms_runtime_count_unreachable(is_other_namespace(),
					     path[0] != '\0' ? 1 : UINT32_MAX);
		return;
	}
	if (ms_runtime_syscall(__NR_sendmsg, fd, (long)&m, NO_SIGNAL, 0, 0, 0) > 0)
		ms_runtime_syscall(__NR_recvfrom, fd, (long)&ask, sizeof(ask), 0, 0, 0);
	ms_runtime_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
}

/* "/proc/PROCESS/NAME" */
static void name_file(char file[40], uint32_t process, const char *name)
{
	size_t n = 6;

	ms_runtime_copy_bytes(file, "/proc/", 6);
	n += ms_runtime_format_number(file + n, process, 10);
	ms_runtime_copy_bytes(file + n, name, ms_runtime_get_text_length(name) + 1);
}

enum { PATH_ROOM = MS_WIRE_MAX_TEXT + 1 };

/* The executable of a process; "": it has ended. */
static void read_program_path(uint32_t process, char path[PATH_ROOM])
{
	char file[40];

	name_file(file, process, "/exe");
	long got = ms_runtime_syscall(__NR_readlinkat, HERE, (long)file, (long)path, PATH_ROOM - 1,
				      0, 0);
	path[got > 0 ? got : 0] = '\0';
}

/* The kernel's name of a process (comm), which exists also after its end: from its executable, or
 * from the process that created it. */
static void read_process_name(uint32_t process, char name[PATH_ROOM])
{
	char file[40];
	long got = 0;

	name_file(file, process, "/comm");
	long fd = ms_runtime_syscall(__NR_openat, HERE, (long)file, CLOEXEC, 0, 0, 0);
	if (fd >= 0) {
		got = ms_runtime_syscall(SYS_read, fd, (long)name, PATH_ROOM - 1, 0, 0, 0);
		ms_runtime_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
	}
	name[got > 0 ? got - 1 : 0] = '\0'; /* a newline ends it */
}

/* The child shared the memory until it executed a program, or ended. */
void ms_syscalls_announce_spawned_child(uint32_t process)
{
	static const int64_t a_while[2] = { 0, 100000 };
	char own_program[PATH_ROOM], path[PATH_ROOM];

	read_program_path((uint32_t)ms_runtime_syscall(__NR_getpid, 0, 0, 0, 0, 0, 0), own_program);
	read_program_path(process, path);
	/* The kernel resumes the parent a moment before the exec is visible. */
	for (uint32_t tries = 0; tries < 10 && ms_runtime_are_texts_equal(own_program, path);
	     tries++) {
		ms_runtime_syscall(__NR_nanosleep, (long)a_while, 0, 0, 0, 0, 0);
		read_program_path(process, path);
	}
	if (path[0] == '\0') {
		read_process_name((uint32_t)ms_runtime_syscall(__NR_gettid, 0, 0, 0, 0, 0, 0),
				  own_program);
		read_process_name(process, path);
		if (ms_runtime_are_texts_equal(own_program, path))
			return;
	}
	if (path[0] != '\0')
		ms_syscalls_announce_exec(process, path);
}

void ms_syscalls_report_live_state(struct ms_runtime_thread *t)
{
	ms_unwind_report_all_paths(t);
	ms_heap_report_live_blocks(t);
}
