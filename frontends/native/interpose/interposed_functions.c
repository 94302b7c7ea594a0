/*
 * interposed_functions.c - finds the real functions, and decides where calls of each interposed
 * function go: to the wrapper that records them, or directly to the real function.
 */
#include "exec_signals.h"
#include "heap/heap.h"
#include "interpose/interpose.h"
#include "link.h"
#include "runtime/config.h"
#include "runtime/libc_substitutes.h"
#include "wrap.h"

void *ms_wrap_real[MS_WRAP_ALL];
/* wrap.S: the functions that report calls, and where each function goes now. */
extern void *const ms_wrap_tell[MS_WRAP_ALL];
extern void *ms_wrap_entry[MS_WRAP_ALL];
static bool heap_told;

/* Stands for a function that does not exist, and should not be called: fails as if there were no
 * memory. */
static long nothing(void)
{
	return 0;
}

static bool is_cxx_library(const char *path)
{
	return ms_runtime_has_file_name_prefix(path, "libstdc++.") ||
	       ms_runtime_has_file_name_prefix(path, "libc++.") ||
	       ms_runtime_has_file_name_prefix(path, "libc++abi.");
}

static void *find(uint64_t function)
{
	static const char *const others[] = { [MS_WRAP_pthread_create] = "pthread_create",
					      [MS_WRAP_mmap] = "mmap",
					      [MS_WRAP_mmap64] = "mmap64",
					      [MS_WRAP_munmap] = "munmap",
					      [MS_WRAP_mremap] = "mremap",
					      [MS_WRAP_mprotect] = "mprotect",
					      [MS_WRAP_dlclose] = "dlclose",
					      [MS_WRAP_sigaction] = "sigaction",
					      [MS_WRAP_signal] = "signal",
					      [MS_WRAP_sigprocmask] = "sigprocmask",
					      [MS_WRAP_pthread_sigmask] = "pthread_sigmask",
					      [MS_WRAP_sigsuspend] = "sigsuspend",
					      [MS_WRAP_sigaltstack] = "sigaltstack",
					      [MS_WRAP_sigwait] = "sigwait",
					      [MS_WRAP_sigwaitinfo] = "sigwaitinfo",
					      [MS_WRAP_sigtimedwait] = "sigtimedwait",
					      [MS_WRAP_ppoll] = "ppoll",
					      [MS_WRAP___ppoll_chk] = "__ppoll_chk",
					      [MS_WRAP_pselect] = "pselect",
					      [MS_WRAP_epoll_pwait] = "epoll_pwait",
					      [MS_WRAP_prctl] = "prctl",
					      [MS_WRAP_syscall] = "syscall",
					      [MS_WRAP_pthread_cancel] = "pthread_cancel",
					      [MS_WRAP_fork] = "fork",
					      [MS_WRAP_vfork] = "vfork",
					      [MS_WRAP_forkpty] = "forkpty",
					      [MS_WRAP_daemon] = "daemon",
					      [MS_WRAP_posix_spawn] = "posix_spawn",
					      [MS_WRAP_posix_spawnp] = "posix_spawnp",
					      [MS_WRAP_system] = "system",
					      [MS_WRAP_popen] = "popen",
					      [MS_WRAP_execve] = "execve",
					      [MS_WRAP_execv] = "execv",
					      [MS_WRAP_execvp] = "execvp",
					      [MS_WRAP_execvpe] = "execvpe",
					      [MS_WRAP_execl] = "execl",
					      [MS_WRAP_execlp] = "execlp",
					      [MS_WRAP_execle] = "execle",
					      [MS_WRAP_fexecve] = "fexecve" };
	const char *name = function < MS_WRAP_HEAP ? ms_heap_name(function) : others[function];
	const char *object = NULL;
	void *real = ms_link_next(name, &object);

	if (name[0] == '_' && real != NULL && is_cxx_library(object))
		ms_heap_passes(function);
	return real;
}

/* An unknown one keeps the wrapper that looks it up. */
static void set_entry(uint64_t function)
{
	/* System calls of traced code are seen as such; between windows they are not. */
	bool maps = function > MS_WRAP_pthread_create, signals = function >= MS_WRAP_sigaction;
	bool natively = ms_config.idle ? !signals || ms_config.sample != 0 : ms_config.period != 0;
	bool processes = ms_config.follow || ms_exec_signals_matter();
	bool tells = function >= MS_WRAP_fork ? processes && !ms_config.idle
					      : function == MS_WRAP_pthread_create ||
							(heap_told && (!maps || natively));

	if (ms_wrap_real[function] == NULL)
		return;
	ms_wrap_entry[function] = tells ? ms_wrap_tell[function] : ms_wrap_real[function];
	if (ms_config.idle && function >= MS_WRAP_fork && ms_exec_signals_wrapper(function) != NULL)
		ms_wrap_entry[function] = ms_exec_signals_wrapper(function);
	if (tells && function < MS_WRAP_HEAP)
		ms_wrap_entry[function] = (void *)(uintptr_t)ms_heap_wrapper(
			function, ms_wrap_tell[function], ms_wrap_real[function]);
}

void ms_wrap_find(uint64_t function);
void ms_wrap_find(uint64_t function)
{
	void *real = find(function);

	ms_wrap_real[function] = real != NULL ? real : (void *)nothing;
	set_entry(function);
}

void ms_interpose_find_real_functions(void)
{
	for (uint64_t i = 0; i < MS_WRAP_ALL; i++)
		if (ms_wrap_real[i] == NULL)
			ms_wrap_real[i] = find(i); /* or when a library that has it is loaded */
}

void ms_heap_switch(bool on)
{
	heap_told = on;
	ms_plain_switch(on);
	for (uint64_t i = 0; i < MS_WRAP_ALL; i++)
		set_entry(i);
}

void ms_wrap_processes(void)
{
	for (uint64_t i = MS_WRAP_fork; i < MS_WRAP_ALL; i++)
		set_entry(i);
}
