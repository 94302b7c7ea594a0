/*
 * launch/attach.c - loads the native front-end into a running program.
 *
 * memspy stops one of its threads (ptrace) and makes it call dlopen() on memspy's shared object,
 * then the object's start function, which opens the stream through /proc. Then each other thread is
 * made to register itself. memspy must read the stream by then: the first thread is traced already,
 * and if its stream were full, it would block while it holds locks that the others need. Each
 * thread continues where it was, and a timer of its own opens its window. Then memspy detaches: no
 * thread is under ptrace while it runs.
 *
 * dlopen() takes locks of the C library. The thread is one that does not hold them: it is in a
 * system call that waits, or in code of the program.
 */
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/mem.h"
#include "launch/launch.h"
#include "launch/remote_call.h"

enum { TRIES = 400, PAUSE_NS = 5000000 };

/* --- what is mapped where --- */

/* The file whose code is at pc, or which has this beginning of its name; its first byte's address.
 */
static bool find_mapping(pid_t pid, uint64_t pc, const char *name, uint64_t *base,
			 char path[PATH_MAX])
{
	char file[64], line[PATH_MAX + 128];
	uint64_t start, end, offset, first = 0;
	char first_path[PATH_MAX] = "";
	bool found = false;

	snprintf(file, sizeof(file), "/proc/%d/maps", (int)pid);
	FILE *in = fopen(file, "re");
	while (in != NULL && !found && fgets(line, sizeof(line), in) != NULL) {
		path[0] = '\0';
		if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %4095[^\n]", &start, &end, &offset,
			   path) < 3)
			continue;
		if (offset == 0 && path[0] == '/') {
			first = start;
			strcpy(first_path, path);
		}
		const char *last = strrchr(path, '/');
		found = name != NULL ? last != NULL && strncmp(last + 1, name, strlen(name)) == 0
				     : pc >= start && pc < end;
		if (found)
			*base = strcmp(path, first_path) == 0 ? first : start - offset;
	}
	if (in != NULL)
		fclose(in);
	return found;
}

/* The address of a function that a library of the process exports; 0: it has none. */
static uint64_t find_function(pid_t pid, const char *library, const char *function)
{
	char path[PATH_MAX];
	struct stat st;
	uint64_t base = 0, found = 0;

	if (!find_mapping(pid, 0, library, &base, path))
		return 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) != 0)
		return 0;
	uint8_t *at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		return 0;
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)at;
	const Elf64_Shdr *s = (const Elf64_Shdr *)(at + head->e_shoff);
	for (unsigned i = 0; found == 0 && i < head->e_shnum; i++) {
		if (s[i].sh_type != SHT_DYNSYM || s[i].sh_link >= head->e_shnum)
			continue;
		const Elf64_Sym *symbols = (const Elf64_Sym *)(at + s[i].sh_offset);
		const char *names = (const char *)at + s[s[i].sh_link].sh_offset;
		for (uint64_t k = 0; found == 0 && k < s[i].sh_size / sizeof(*symbols); k++)
			if (symbols[k].st_shndx != SHN_UNDEF &&
			    strcmp(names + symbols[k].st_name, function) == 0)
				found = base + symbols[k].st_value;
	}
	munmap(at, (size_t)st.st_size);
	return found;
}

/* --- a thread, stopped and let go --- */

/* A signal of the program's own may be the first to stop it: that one is for the program. */
static int stop(pid_t tid, struct ms_err *err)
{
	int status = 0;

	if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) != 0)
		return ms_fail_errno(err,
				     "cannot attach to thread %d; memspy doctor says what ptrace "
				     "permits here",
				     (int)tid);
	long asked = ptrace(PTRACE_INTERRUPT, tid, NULL, NULL);
	while (asked == 0 && waitpid(tid, &status, __WALL) == tid && WIFSTOPPED(status)) {
		if (status >> 16 == PTRACE_EVENT_STOP)
			return MS_OK;
		asked = ptrace(PTRACE_CONT, tid, NULL, (long)WSTOPSIG(status));
	}
	return ms_fail(err, MS_EIO, "thread %d has ended", (int)tid);
}

static void let_go(pid_t tid, uint64_t signals)
{
	ptrace(PTRACE_DETACH, tid, NULL, NULL);
	for (int s = 1; s <= 64; s++)
		if (signals >> (s - 1) & 1)
			syscall(SYS_tkill, tid, s);
}

/* As in frontends/native/signals/cpu_timer.h and program_actions.h. */
enum { TIMER = 61, TRACER = 62 };

/* Of the second kind only where windows are to be: a program that has that signal itself is not
 * attached to then. */
static bool is_our_timer(const siginfo_t *info, const struct ms_launch_remote_meanwhile *meanwhile)
{
	if (info->si_signo == TRACER)
		return info->si_code == SI_TIMER;
	return info->si_signo == TIMER && meanwhile->windows &&
	       (info->si_code == SI_TIMER || info->si_code > 0);
}

/* To the fault that ends the function. */
static int run_to_fault(pid_t tid, struct ms_launch_remote_meanwhile *meanwhile, struct ms_err *err)
{
	int status;

	for (;;) {
		siginfo_t info;
		int signal;

		if (ptrace(PTRACE_CONT, tid, NULL, NULL) != 0 ||
		    waitpid(tid, &status, __WALL) != tid || !WIFSTOPPED(status))
			return ms_fail(err, MS_EIO, "thread %d has ended meanwhile", (int)tid);
		if (status >> 16 != 0)
			continue;
		signal = WSTOPSIG(status);
		bool known = ptrace(PTRACE_GETSIGINFO, tid, NULL, &info) == 0;
		if (signal == SIGSEGV && known)
			return MS_OK;
		if (known && is_our_timer(&info, meanwhile))
			meanwhile->expired = true;
		else if (signal != SIGSEGV)
			meanwhile->signals |= UINT64_C(1) << (signal - 1);
	}
}

/* The runtime opens the signal that opens windows where the program has it blocked, and stands in
 * for it (frontends/native/signals/signal_hiding.c). */
static uint64_t opened_meanwhile(pid_t tid, uint64_t closed)
{
	uint64_t now;

	if (ptrace(PTRACE_GETSIGMASK, tid, (void *)sizeof(now), &now) != 0)
		return 0;
	return closed & ~now & UINT64_C(1) << (TIMER - 1);
}

/*
 * The program's signals wait meanwhile, with all that they say, and as often as they were sent. But
 * for the two that the runtime has for itself: it looks whether the program has blocked them.
 */
int ms_launch_remote_run(pid_t tid, struct ms_launch_remote_meanwhile *meanwhile,
			 struct ms_err *err)
{
	const uint64_t open = UINT64_C(1) << (SIGSEGV - 1) | UINT64_C(1) << (TIMER - 1) |
			      UINT64_C(1) << (TRACER - 1);
	uint64_t was, closed;
	bool waits = ptrace(PTRACE_GETSIGMASK, tid, (void *)sizeof(was), &was) == 0;

	closed = waits ? (was | ~open) & ~(UINT64_C(1) << (SIGSEGV - 1)) : 0;
	waits = waits && ptrace(PTRACE_SETSIGMASK, tid, (void *)sizeof(was), &closed) == 0;
	int code = run_to_fault(tid, meanwhile, err);
	if (waits) {
		was &= ~opened_meanwhile(tid, closed);
		ptrace(PTRACE_SETSIGMASK, tid, (void *)sizeof(was), &was);
	}
	return code;
}

/* The timer's signal may be pending after the fault. */
static bool expires_now(pid_t tid, const struct ms_launch_remote_meanwhile *meanwhile)
{
	struct __ptrace_peeksiginfo_args part = { .nr = 16 };
	siginfo_t waiting[16];
	long n;

	while ((n = ptrace(PTRACE_PEEKSIGINFO, tid, &part, waiting)) > 0) {
		for (long i = 0; i < n; i++)
			if (is_our_timer(&waiting[i], meanwhile))
				return true;
		part.off += (uint64_t)n;
	}
	return false;
}

/* It may wait for just ours, and would take it for one of the program's: it runs on untraced. */
static bool waits_for_signals(const struct ms_launch_remote *remote)
{
	uint64_t pc;
	long call;

	ms_launch_remote_where(remote, &pc, &call);
	return call == SYS_rt_sigtimedwait;
}

/* The thread has blocked all signals: frontends/native/tracer/window_reopening.c blocks it again.
 */
static void open_tracer(pid_t tid)
{
	uint64_t mask;

	if (ptrace(PTRACE_GETSIGMASK, tid, (void *)sizeof(mask), &mask) != 0)
		return;
	mask &= ~(UINT64_C(1) << (TRACER - 1));
	ptrace(PTRACE_SETSIGMASK, tid, (void *)sizeof(mask), &mask);
}

/*
 * The timer that opens the thread's window is armed. It may expire before the thread goes on, on a
 * slow or busy machine: the system call that it is in, poll() say, would fail then.
 */
static int open_soon(struct ms_launch_remote *remote, uint64_t soon,
		     struct ms_launch_remote_meanwhile *meanwhile, struct ms_err *err)
{
	uint64_t opens = 0;

	if (waits_for_signals(remote))
		return MS_OK;
	for (int i = 0; i < TRIES; i++) {
		meanwhile->expired = false;
		MS_TRY(ms_launch_remote_call(remote, soon, "", 0, &opens, meanwhile, err));
		if (meanwhile->expired || expires_now(remote->tid, meanwhile))
			continue;
		if (opens != 0)
			open_tracer(remote->tid);
		return MS_OK;
	}
	return ms_fail(err, MS_EIO, "thread %d: its timer always expires immediately",
		       (int)remote->tid);
}

/* Calls that a thread may be in with a lock of the allocator's or the loader's. */
static bool may_hold_lock(long call)
{
	switch (call) {
	case SYS_futex:
	case SYS_mmap:
	case SYS_munmap:
	case SYS_mremap:
	case SYS_mprotect:
	case SYS_madvise:
	case SYS_brk:
	case SYS_openat:
	case SYS_close:
		return true;
	default:
		return false;
	}
}

static bool is_in_library(pid_t pid, uint64_t pc)
{
	char path[PATH_MAX];
	uint64_t base;
	const char *name;

	if (!find_mapping(pid, pc, NULL, &base, path))
		return true;
	name = strrchr(path, '/');
	return name == NULL || strncmp(name, "/libc.so", 8) == 0 || strncmp(name, "/ld-", 4) == 0 ||
	       strstr(name, "malloc") != NULL;
}

/* Stopped where it may call what takes locks; else it runs on: MS_ENOENT. */
static int stop_one_at_ease(pid_t pid, pid_t tid, struct ms_launch_remote *remote,
			    struct ms_err *err)
{
	uint64_t pc;
	long call;

	MS_TRY(stop(tid, err));
	int code = ms_launch_remote_save(remote, tid, err);
	if (code == MS_OK) {
		ms_launch_remote_where(remote, &pc, &call);
		if (call >= 0 ? !may_hold_lock(call) : !is_in_library(pid, pc))
			return MS_OK;
		code = MS_ENOENT;
	}
	let_go(tid, 0);
	return code;
}

/* The first one, or as that may wait for all others, any. */
static int stop_any_at_ease(pid_t pid, struct ms_launch_remote *remote, struct ms_err *err)
{
	char folder[64];
	struct dirent *entry;
	struct ms_err ignored;
	int code = stop_one_at_ease(pid, pid, remote, err);

	if (code != MS_ENOENT)
		return code;
	snprintf(folder, sizeof(folder), "/proc/%d/task", (int)pid);
	DIR *tasks = opendir(folder);
	while (tasks != NULL && code != MS_OK && (entry = readdir(tasks)) != NULL) {
		pid_t tid = (pid_t)strtol(entry->d_name, NULL, 10);

		if (tid > 0 && tid != pid)
			code = stop_one_at_ease(pid, tid, remote, &ignored);
	}
	if (tasks != NULL)
		closedir(tasks);
	return code == MS_OK ? MS_OK : MS_ENOENT;
}

static int stop_at_ease(pid_t pid, struct ms_launch_remote *remote, struct ms_err *err)
{
	const struct timespec pause = { 0, PAUSE_NS };

	for (int i = 0; i < TRIES; i++) {
		int code = stop_any_at_ease(pid, remote, err);

		if (code != MS_ENOENT)
			return code;
		nanosleep(&pause, NULL);
	}
	return ms_fail(
		err, MS_EIO,
		"process %d is in the C library all the time, where nothing can be loaded. Try "
		"again, or start it with memspy run",
		(int)pid);
}

/* --- the way in --- */

/* Windows are opened by a signal, which a program that has a use for it keeps: it must be known
 * before, as a process can be attached to once. */
static int check_signal(pid_t pid, struct ms_err *err)
{
	char file[64], line[128];
	uint64_t mask, used = 0;

	snprintf(file, sizeof(file), "/proc/%d/status", (int)pid);
	FILE *in = fopen(file, "re");
	while (in != NULL && fgets(line, sizeof(line), in) != NULL)
		if (sscanf(line, "SigIgn: %lx", &mask) == 1 ||
		    sscanf(line, "SigCgt: %lx", &mask) == 1)
			used |= mask;
	if (in != NULL)
		fclose(in);
	if ((used >> (TIMER - 1) & 1) != 0)
		return ms_fail(err, MS_ENOEXEC,
			       "process %d uses signal %d itself: no window can open. Omit "
			       "--sample, or use --sample-sets",
			       (int)pid, TIMER);
	return MS_OK;
}

/* Its own part opens the stream in memspy's process, which it may look at only as the same user. */
static int check_user(pid_t pid, struct ms_err *err)
{
	char file[64], line[128];
	unsigned user = geteuid();

	snprintf(file, sizeof(file), "/proc/%d/status", (int)pid);
	FILE *in = fopen(file, "re");
	while (in != NULL && fgets(line, sizeof(line), in) != NULL)
		if (sscanf(line, "Uid: %*u %u", &user) == 1)
			break;
	if (in != NULL)
		fclose(in);
	if (user != geteuid() && user != 0)
		return ms_fail(err, MS_ENOEXEC,
			       "process %d is another user's, who may not open memspy's memory. "
			       "Attach as that user: sudo -u '#%u' memspy run --attach %d",
			       (int)pid, user, (int)pid);
	return MS_OK;
}

static int load(struct ms_launch_remote *remote, const char *object, const char *config,
		struct ms_launch_remote_meanwhile *meanwhile, struct ms_err *err)
{
	pid_t pid = remote->tid;
	uint64_t open_library = find_function(pid, "libc.so", "dlopen"), result = 0;

	if (open_library == 0)
		return ms_fail(err, MS_ENOEXEC,
			       "process %d: its C library has no dlopen (glibc 2.34 or newer is "
			       "needed)",
			       (int)pid);
	if (find_function(pid, "memspy-native.so", "memspy_attach") != 0)
		return ms_fail(err, MS_ENOEXEC,
			       "process %d: memspy has been there before, or is; once is all",
			       (int)pid);
	enum { NOW = 2 };
	MS_TRY(ms_launch_remote_call(remote, open_library, object, NOW, &result, meanwhile, err));
	uint64_t begin = result != 0 ? find_function(pid, "memspy-native.so", "memspy_attach") : 0;
	if (begin == 0)
		return ms_fail(err, MS_ENOEXEC, "process %d: cannot load %s", (int)pid, object);
	MS_TRY(ms_launch_remote_call(remote, begin, config, 0, &result, meanwhile, err));
	if (result != 0)
		return ms_fail(err, MS_EIO, "process %d: memspy's object cannot start there (%d)",
			       (int)pid, (int)result);
	return open_soon(remote, find_function(pid, "memspy-native.so", "memspy_attach_soon"),
			 meanwhile, err);
}

static int take_thread(pid_t tid, uint64_t begin, uint64_t soon, bool windows, struct ms_err *err)
{
	static struct ms_launch_remote remote;
	uint64_t result;
	struct ms_launch_remote_meanwhile meanwhile = { .windows = windows };

	MS_TRY(stop(tid, err));
	int code = ms_launch_remote_save(&remote, tid, err);
	if (code == MS_OK) {
		code = ms_launch_remote_call(&remote, begin, "", 0, &result, &meanwhile, err);
		if (code == MS_OK && result == 0)
			code = open_soon(&remote, soon, &meanwhile, err);
		ms_launch_remote_restore(&remote, err);
	}
	let_go(tid, meanwhile.signals);
	return code;
}

/* One that ends meanwhile is none that we need. */
void ms_launch_attach_others(const struct ms_launch_process *launch)
{
	uint64_t begin = find_function(launch->pid, "memspy-native.so", "memspy_attach_thread");
	uint64_t soon = find_function(launch->pid, "memspy-native.so", "memspy_attach_soon");
	char folder[64];
	struct dirent *entry;
	struct ms_err ignored;

	snprintf(folder, sizeof(folder), "/proc/%d/task", (int)launch->pid);
	DIR *tasks = opendir(folder);
	while (tasks != NULL && (entry = readdir(tasks)) != NULL) {
		pid_t tid = (pid_t)strtol(entry->d_name, NULL, 10);

		if (tid > 0 && tid != launch->first)
			take_thread(tid, begin, soon, launch->windows, &ignored);
	}
	if (tasks != NULL)
		closedir(tasks);
}

int ms_launch_attach(struct ms_launch_process *launch, const struct ms_launch_options *options,
		     int stream_fd, struct ms_err *err)
{
	static struct ms_launch_remote remote;
	struct ms_arena arena = MS_ARENA_INIT;
	char resolved[PATH_MAX];
	pid_t pid = options->attach;
	bool windows = ms_stream_sampling_has_windows(options->sampling);
	struct ms_launch_remote_meanwhile meanwhile = { .windows = windows };

	launch->pid = pid;
	launch->windows = windows;
	MS_TRY(check_user(pid, err));
	if (windows)
		MS_TRY(check_signal(pid, err));
	launch->log_fd = ms_launch_native_log();
	if (launch->log_fd < 0)
		return ms_fail_errno(err, "cannot make a file for the front-end's messages");
	const char *object = ms_arena_printf(&arena, "%s/memspy-native.so", options->frontend_dir);
	if (realpath(object, resolved) == NULL)
		return ms_fail(err, MS_EMISSING, "%s: memspy's native front-end is missing",
			       object);
	const char *config = ms_arena_printf(
		&arena, "MEMSPY_NATIVE=%s,from=%d",
		ms_launch_native_options(options, stream_fd, launch->log_fd, NULL, &arena),
		(int)getpid());
	int code = stop_at_ease(pid, &remote, err);
	if (code == MS_OK) {
		struct ms_err later;

		code = load(&remote, resolved, config, &meanwhile, err);
		if (ms_launch_remote_restore(&remote, code == MS_OK ? err : &later) != MS_OK &&
		    code == MS_OK)
			code = err->code;
		let_go(remote.tid, meanwhile.signals);
	}
	launch->first = remote.tid;
	ms_arena_free(&arena);
	return code;
}
