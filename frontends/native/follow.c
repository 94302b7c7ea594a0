/*
 * follow.c - with --follow-forks: a forked child, and an executed program, requests its own stream
 * from memspy.
 *
 * A forked child continues where its parent was, and records the present state in the new stream,
 * because the parent's stream is not read for the child. Blocks of code are described again when
 * they run. Live blocks of the heap are kept in a table here, for this purpose only. A program that
 * a child executes finds the collector's name in the environment, where it is left for it.
 */
#include "futex.h"
#include "lane.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"
#include "sys.h"
#include "syscalls/syscalls.h"
#include "unwind/unwind.h"
#include "wire/wire.h"

/* --- live blocks of the heap: an open table by address --- */

struct live {
	uint64_t address; /* 0: never used; 1: deleted */
	uint64_t size;
	uint32_t kind, path;
};
enum { GONE = 1, FIRST_SIZE = 4096 };

static struct live *table;
static uint64_t table_size, used; /* a power of two; entries ever used */

static struct live *find(struct live *in, uint64_t size, uint64_t address, bool to_add)
{
	uint64_t i = (address >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20 & (size - 1);

	while (in[i].address != 0 && in[i].address != address && !(to_add && in[i].address == GONE))
		i = (i + 1) & (size - 1);
	return &in[i];
}

/* Doubles the table, or keeps its size if most entries are deleted. */
static bool make_room(void)
{
	uint64_t live = 0, size = FIRST_SIZE, kept = 0;

	for (uint64_t i = 0; i < table_size; i++)
		live += table[i].address > GONE;
	while (size < live * 4)
		size *= 2;
	struct live *wider = ms_pages(size * sizeof(*wider));
	if (wider == NULL)
		return false;
	for (uint64_t i = 0; i < table_size; i++)
		if (table[i].address > GONE) {
			*find(wider, size, table[i].address, true) = table[i];
			kept++;
		}
	ms_pages_free(table, table_size * sizeof(*table));
	table = wider;
	table_size = size;
	used = kept;
	return true;
}

/* A block that does not fit into memory has no name in the child. */
void ms_follow_alloc(uint32_t kind, uint32_t path, uint64_t address, uint64_t size)
{
	if (!ms_config.follow || address <= GONE)
		return;
	ms_lock(MS_LOCK_FOLLOW);
	if (used * 2 < table_size || make_room()) {
		struct live *at = find(table, table_size, address, false);

		if (at->address == 0) {
			at = find(table, table_size, address, true);
			used += at->address == 0;
		}
		*at = (struct live){ address, size, kind, path };
	}
	ms_unlock(MS_LOCK_FOLLOW);
}

void ms_follow_free(uint64_t address)
{
	if (!ms_config.follow || address <= GONE)
		return;
	ms_lock(MS_LOCK_FOLLOW);
	if (table != NULL) {
		struct live *at = find(table, table_size, address, false);

		if (at->address == address)
			at->address = GONE;
	}
	ms_unlock(MS_LOCK_FOLLOW);
}

static void tell_heap(struct ms_thread *t)
{
	static const uint32_t kinds[2] = { MS_WIRE_ALLOC, MS_WIRE_INNER_ALLOC };

	/* Outer blocks first: inner ones are inside them. */
	for (uint32_t k = 0; k < 2; k++)
		for (uint64_t i = 0; i < table_size; i++) {
			uint64_t words[2] = { table[i].address, table[i].size };

			if (table[i].address > GONE && table[i].kind == kinds[k])
				ms_lane_event(t, kinds[k], table[i].path, words, 2, NULL, 0);
		}
}

/* --- connection to memspy --- */

struct address {
	uint16_t family;
	char path[108];
};

struct message {
	void *name;
	uint32_t name_bytes;
	uint64_t *parts;
	size_t part_count;
	void *control;
	size_t control_bytes;
	uint32_t flags;
};

struct rights {
	size_t bytes;
	int32_t level, type;
	int32_t fd[3]; /* stream, log, and perhaps /proc/self/maps */
};

enum { UNIX = 1, SEQPACKET = 5, CLOEXEC = 02000000, SOCKET_LEVEL = 1, RIGHTS = 1 };
enum { NO_SIGNAL = 0x4000, CMSG_CLOEXEC = 0x40000000 };
enum { HERE = -100 }; /* AT_FDCWD */

static long connect_to(const char *name)
{
	struct address to = { UNIX, "" };
	size_t n = ms_length(name);
	long fd = ms_sys(__NR_socket, UNIX, SEQPACKET | CLOEXEC, 0, 0, 0, 0);

	if (fd < 0 || n > sizeof(to.path) - 1)
		return -1;
	ms_copy(to.path + 1, name, n); /* an abstract name begins with a NUL */
	if (ms_sys(__NR_connect, fd, (long)&to, (long)(sizeof(to.family) + 1 + n), 0, 0, 0) != 0) {
		ms_sys(SYS_close, fd, 0, 0, 0, 0, 0);
		return -1;
	}
	return fd;
}

/* --- where memspy cannot be reached --- */

/* The network namespace at the start: the abstract socket's name exists only there. */
static char home[64];

static void namespace_here(char text[64])
{
	long n = ms_sys(__NR_readlinkat, HERE, (long)"/proc/self/ns/net", (long)text, 63, 0, 0);

	text[n > 0 ? n : 0] = '\0';
}

void ms_follow_start(void)
{
	namespace_here(home);
}

static bool is_elsewhere(void)
{
	char here[64];

	namespace_here(here);
	return home[0] != '\0' && here[0] != '\0' && !ms_same_text(here, home);
}

/* A process that cannot request a stream is counted in the stream of its parent, or of the program
 * that it was before. */
static void tell_unreached(bool elsewhere, uint32_t more)
{
	if (!ms_lane_closed())
		__atomic_add_fetch(&ms_lane_stream()->unreached[elsewhere], more, __ATOMIC_SEQ_CST);
}

/* --- a parent and its child: memspy ends when the last process that it follows ends --- */

enum { ASKED = 1, COULD_NOT, COULD_NOT_ELSEWHERE }; /* states of the child's request */

void ms_follow_fork(struct ms_thread *t)
{
	long at = -1;

	if (ms_config.follow)
		at = ms_sys(SYS_mmap, (long)ms_place(MS_PAGE), MS_PAGE, 3,
			    0x21 /* shared, anonymous */, -1, 0);
	t->asked = !ms_config.follow || ms_failed(at) ? NULL : (uint32_t *)at;
}

static void drop(struct ms_thread *t)
{
	ms_pages_free(t->asked, MS_PAGE);
	t->asked = NULL;
}

/* True also if it is not a child that can be waited for. The child stays waitable for the
 * program. */
static bool has_ended(int64_t pid)
{
	enum { BY_PID = 1, NO_HANG = 1, ENDED = 4, ANY_KIND = 0x40000000, STAYS = 0x01000000 };
	uint32_t info[32] = { 0 };

	return ms_sys(__NR_waitid, BY_PID, pid, (long)info, NO_HANG | ENDED | ANY_KIND | STAYS, 0,
		      0) != 0 ||
	       info[0] != 0;
}

void ms_follow_forked(struct ms_thread *t, int64_t pid)
{
	static const int64_t a_while[2] = { 0, 100 * 1000 * 1000 };
	uint32_t says = 0;

	while (t->asked != NULL && pid > 0 &&
	       (says = __atomic_load_n(t->asked, __ATOMIC_SEQ_CST)) == 0 && !has_ended(pid))
		ms_futex_wait(t->asked, MS_FUTEX_SHARED, 0, a_while);
	if (says >= COULD_NOT)
		tell_unreached(says == COULD_NOT_ELSEWHERE, 1);
	drop(t);
}

static void tell_parent(struct ms_thread *t, bool asked)
{
	if (t == NULL || t->asked == NULL)
		return;
	uint32_t says = asked ? ASKED : is_elsewhere() ? COULD_NOT_ELSEWHERE : COULD_NOT;
	__atomic_store_n(t->asked, says, __ATOMIC_SEQ_CST);
	ms_futex_wake(t->asked, MS_FUTEX_SHARED, 1);
	drop(t);
}

bool ms_follow_ask(struct ms_thread *t, uint32_t kind)
{
	struct ms_wire_ask request = { kind, (uint32_t)ms_sys(SYS_getppid, 0, 0, 0, 0, 0, 0) };
	struct rights rights = { 0 };
	uint32_t answer = 0;
	uint64_t part[2] = { (uint64_t)&answer, sizeof(answer) };
	struct message m = { NULL, 0, part, 1, &rights, sizeof(rights), 0 };
	long fd = connect_to(ms_config.collector), sent = -1, got = -1;

	if (fd >= 0)
		sent = ms_sys(__NR_sendto, fd, (long)&request, sizeof(request), NO_SIGNAL, 0, 0);
	tell_parent(t, sent == sizeof(request));
	if (fd < 0)
		return false;
	if (sent == sizeof(request))
		got = ms_sys(__NR_recvmsg, fd, (long)&m, CMSG_CLOEXEC, 0, 0, 0);
	ms_sys(SYS_close, fd, 0, 0, 0, 0, 0);
	if (got != sizeof(answer) || rights.level != SOCKET_LEVEL || rights.type != RIGHTS)
		return false;
	ms_config.stream_fd = rights.fd[0];
	ms_config.log_fd = rights.fd[1];
	ms_config.maps_fd =
		rights.bytes >= sizeof(rights.bytes) + 5 * sizeof(int32_t) ? rights.fd[2] : -1;
	return true;
}

/* --- executed programs that may be unable to request a stream --- */

/* Waits until memspy has examined the program. */
void ms_follow_becomes(uint32_t process, const char *path)
{
	struct ms_wire_ask ask = { MS_WIRE_ASK_BECOMES, process };
	uint64_t parts[4] = { (uint64_t)&ask, sizeof(ask), (uint64_t)path, ms_length(path) };
	struct message m = { NULL, 0, parts, 2, NULL, 0, 0 };
	long fd = connect_to(ms_config.collector);

	if (fd < 0) {
		tell_unreached(is_elsewhere(), path[0] != '\0' ? 1 : UINT32_MAX);
		return;
	}
	if (ms_sys(__NR_sendmsg, fd, (long)&m, NO_SIGNAL, 0, 0, 0) > 0)
		ms_sys(__NR_recvfrom, fd, (long)&ask, sizeof(ask), 0, 0, 0);
	ms_sys(SYS_close, fd, 0, 0, 0, 0, 0);
}

/* "/proc/PROCESS/NAME" */
static void name_file(char file[40], uint32_t process, const char *name)
{
	size_t n = 6;

	ms_copy(file, "/proc/", 6);
	n += ms_put_number(file + n, process, 10);
	ms_copy(file + n, name, ms_length(name) + 1);
}

enum { PATH_ROOM = MS_WIRE_MAX_TEXT + 1 };

/* The executable of a process; "": it has ended. */
static void program_of(uint32_t process, char path[PATH_ROOM])
{
	char file[40];

	name_file(file, process, "/exe");
	long got = ms_sys(__NR_readlinkat, HERE, (long)file, (long)path, PATH_ROOM - 1, 0, 0);
	path[got > 0 ? got : 0] = '\0';
}

/* The kernel's name of a process (comm), which exists also after its end: from its executable, or
 * from the process that created it. */
static void name_of(uint32_t process, char name[PATH_ROOM])
{
	char file[40];
	long got = 0;

	name_file(file, process, "/comm");
	long fd = ms_sys(__NR_openat, HERE, (long)file, CLOEXEC, 0, 0, 0);
	if (fd >= 0) {
		got = ms_sys(SYS_read, fd, (long)name, PATH_ROOM - 1, 0, 0, 0);
		ms_sys(SYS_close, fd, 0, 0, 0, 0, 0);
	}
	name[got > 0 ? got - 1 : 0] = '\0'; /* a newline ends it */
}

/* The child shared the memory until it executed a program, or ended. */
void ms_follow_spawned(uint32_t process)
{
	static const int64_t a_while[2] = { 0, 100000 };
	char own[PATH_ROOM], path[PATH_ROOM];

	program_of((uint32_t)ms_sys(__NR_getpid, 0, 0, 0, 0, 0, 0), own);
	program_of(process, path);
	/* The kernel resumes the parent a moment before the exec is visible. */
	for (uint32_t tries = 0; tries < 10 && ms_same_text(own, path); tries++) {
		ms_sys(__NR_nanosleep, (long)a_while, 0, 0, 0, 0, 0);
		program_of(process, path);
	}
	if (path[0] == '\0') {
		name_of((uint32_t)ms_sys(__NR_gettid, 0, 0, 0, 0, 0, 0), own);
		name_of(process, path);
		if (ms_same_text(own, path))
			return;
	}
	if (path[0] != '\0')
		ms_follow_becomes(process, path);
}

void ms_follow_restart(struct ms_thread *t)
{
	ms_path_tell_again(t);
	tell_heap(t);
}
