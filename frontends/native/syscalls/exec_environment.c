/*
 * exec_environment.c - the environment of a program that this process executes, without
 * --follow-forks. The program and its children do not see memspy's variables. They are added when
 * another program is executed, in a copy of the environment that it gets, so that it loads the
 * runtime and requests a stream. The runtime removes them again before the program sees them.
 */
#include <elf.h>

#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/libc_substitutes.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"
#include "syscalls/syscalls.h"

/* Stream words after which a program is no wrapper: what its children execute runs untraced, as
 * they do. Scripts of bash that prepare the environment of a program write some millions. */
static const uint64_t WRAPPER_WORDS = UINT64_C(32) << 20;

/* An address that the kernel can read a path from. Paths that do not exist are fine. */
static bool is_readable(const void *address)
{
	enum { HERE = -100, BAD_ADDRESS = -14 };

	return ms_runtime_syscall(__NR_faccessat, HERE, (long)address, 0, 0, 0, 0) != BAD_ADDRESS;
}

static bool has_text(const char *in, size_t n, const char *text)
{
	size_t length = ms_runtime_get_text_length(text);

	for (size_t i = 0; i + length <= n; i++)
		if (ms_runtime_are_bytes_equal(in + i, text, length))
			return true;
	return false;
}

/* This object's own header, by the linker. */
extern const Elf64_Ehdr __ehdr_start __attribute__((visibility("hidden")));

/* Whether glibc's loader for this architecture loads it. Another one would print an error about the
 * runtime, or fail. What runs a script, or is found in PATH, is not checked. */
static bool loads_runtime(const char *path)
{
	enum { HERE = -100, CLOEXEC = 02000000, ROOM = 4096 };
	char head[ROOM];
	long fd = path != NULL ? ms_runtime_syscall(__NR_openat, HERE, (long)path, CLOEXEC, 0, 0, 0)
			       : -1;

	if (fd < 0)
		return true;
	long n = ms_runtime_syscall(SYS_read, fd, (long)head, ROOM, 0, 0, 0);
	ms_runtime_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
	if (n < (long)sizeof(Elf64_Ehdr) || !ms_runtime_are_bytes_equal(head, ELFMAG, SELFMAG))
		return true;
	return head[EI_CLASS] == ELFCLASS64 &&
	       ((const Elf64_Ehdr *)head)->e_machine == __ehdr_start.e_machine &&
	       has_text(head, (size_t)n, "/ld-linux");
}

/* The number of strings, and which one is LD_PRELOAD (or their number). False: exec will fail. */
static bool read_strings(const char *const *env, size_t *count, size_t *preload)
{
	size_t n = 0;

	*preload = SIZE_MAX;
	for (; env != NULL; n++) {
		if (!is_readable(&env[n]))
			return false;
		if (env[n] == NULL)
			break;
		if (!is_readable(env[n]))
			return false;
		if (ms_runtime_has_prefix(env[n], "LD_PRELOAD="))
			*preload = n;
	}
	*count = n;
	return true;
}

/* "LD_PRELOAD=OBJECT" or "LD_PRELOAD=OBJECT:PREVIOUS" */
static void join_preload(char *to, const char *previous)
{
	size_t n = ms_runtime_get_text_length(ms_runtime_config.exec_preload);

	ms_runtime_copy_bytes(to, ms_runtime_config.exec_preload, n + 1);
	if (previous == NULL || previous[0] == '\0')
		return;
	to[n] = ':';
	ms_runtime_copy_bytes(to + n + 1, previous, ms_runtime_get_text_length(previous) + 1);
}

bool ms_syscalls_make_exec_environment(const char *path, const char *const *env,
				       struct ms_syscalls_exec_environment *made)
{
	static const size_t name = sizeof("LD_PRELOAD=") - 1;
	size_t n, preload;

	*made = (struct ms_syscalls_exec_environment){ NULL, 0 };
	if (!ms_runtime_config.follow_execs || (path != NULL && !is_readable(path)) ||
	    !loads_runtime(path) || !read_strings(env, &n, &preload))
		return false;
	const char *previous = preload < n ? env[preload] + name : NULL;
	size_t pointers = (n + 3) * sizeof(*env);

	made->bytes = pointers + ms_runtime_get_text_length(ms_runtime_config.exec_preload) + 2 +
		      (previous != NULL ? ms_runtime_get_text_length(previous) : 0);
	made->at = ms_runtime_map_pages(made->bytes);
	if (made->at == NULL)
		return false;
	char *text = (char *)made->at + pointers;
	size_t to = 0;

	join_preload(text, previous);
	for (size_t i = 0; i < n; i++)
		made->at[to++] = i == preload ? text : env[i];
	if (preload >= n)
		made->at[to++] = text;
	made->at[to++] = ms_runtime_config.exec_options;
	made->at[to] = NULL;
	return true;
}

void ms_syscalls_drop_exec_environment(struct ms_syscalls_exec_environment *made)
{
	if (made->at != NULL)
		ms_runtime_unmap_pages(made->at, made->bytes);
	made->at = NULL;
}

bool ms_syscalls_may_be_wrapper(void)
{
	const struct ms_runtime_thread *t = ms_runtime_get_thread();

	return t == NULL || t->published_words < WRAPPER_WORDS;
}
