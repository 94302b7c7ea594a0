/*
 * interposed_functions.c - finds the real functions, and decides where calls of each interposed
 * function go: to the wrapper that records them, or directly to the real function.
 */
#include "interpose/interposed_functions.h"
#include "heap/heap.h"
#include "interpose/function_numbers.h"
#include "interpose/interpose.h"
#include "maps/dynamic_loader.h"
#include "runtime/config.h"
#include "runtime/libc_substitutes.h"
#include "signals/exec_signals.h"

void *ms_interpose_real_functions[MS_INTERPOSE_COUNT];
/* interpose.S: the functions that report calls, and where each function goes now. */
extern void *const ms_interpose_recording_functions[MS_INTERPOSE_COUNT];
extern void *ms_interpose_entries[MS_INTERPOSE_COUNT];
static bool allocs_recorded;

/* Stands for a function that does not exist, and should not be called: fails as if there were no
 * memory. */
static long fail_without_memory(void)
{
	return 0;
}

static bool is_cxx_library(const char *path)
{
	return ms_runtime_has_file_name_prefix(path, "libstdc++.") ||
	       ms_runtime_has_file_name_prefix(path, "libc++.") ||
	       ms_runtime_has_file_name_prefix(path, "libc++abi.");
}

static void *find_real(uint64_t function)
{
	static const char *const others[] = { [MS_INTERPOSE_pthread_create] = "pthread_create",
					      [MS_INTERPOSE_thrd_create] = "thrd_create",
					      [MS_INTERPOSE_mmap] = "mmap",
					      [MS_INTERPOSE_mmap64] = "mmap64",
					      [MS_INTERPOSE_munmap] = "munmap",
					      [MS_INTERPOSE_mremap] = "mremap",
					      [MS_INTERPOSE_mprotect] = "mprotect",
					      [MS_INTERPOSE_shmat] = "shmat",
					      [MS_INTERPOSE_shmdt] = "shmdt",
					      [MS_INTERPOSE_dlclose] = "dlclose",
					      [MS_INTERPOSE_sigaction] = "sigaction",
					      [MS_INTERPOSE_signal] = "signal",
					      [MS_INTERPOSE_sigprocmask] = "sigprocmask",
					      [MS_INTERPOSE_pthread_sigmask] = "pthread_sigmask",
					      [MS_INTERPOSE_sigsuspend] = "sigsuspend",
					      [MS_INTERPOSE_sigaltstack] = "sigaltstack",
					      [MS_INTERPOSE_sigwait] = "sigwait",
					      [MS_INTERPOSE_sigwaitinfo] = "sigwaitinfo",
					      [MS_INTERPOSE_sigtimedwait] = "sigtimedwait",
					      [MS_INTERPOSE_ppoll] = "ppoll",
					      [MS_INTERPOSE___ppoll_chk] = "__ppoll_chk",
					      [MS_INTERPOSE_pselect] = "pselect",
					      [MS_INTERPOSE_epoll_pwait] = "epoll_pwait",
					      [MS_INTERPOSE_prctl] = "prctl",
					      [MS_INTERPOSE_syscall] = "syscall",
					      [MS_INTERPOSE_pthread_cancel] = "pthread_cancel",
					      [MS_INTERPOSE_fork] = "fork",
					      [MS_INTERPOSE_vfork] = "vfork",
					      [MS_INTERPOSE_forkpty] = "forkpty",
					      [MS_INTERPOSE_daemon] = "daemon",
					      [MS_INTERPOSE_posix_spawn] = "posix_spawn",
					      [MS_INTERPOSE_posix_spawnp] = "posix_spawnp",
					      [MS_INTERPOSE_system] = "system",
					      [MS_INTERPOSE_popen] = "popen",
					      [MS_INTERPOSE_execve] = "execve",
					      [MS_INTERPOSE_execv] = "execv",
					      [MS_INTERPOSE_execvp] = "execvp",
					      [MS_INTERPOSE_execvpe] = "execvpe",
					      [MS_INTERPOSE_execl] = "execl",
					      [MS_INTERPOSE_execlp] = "execlp",
					      [MS_INTERPOSE_execle] = "execle",
					      [MS_INTERPOSE_fexecve] = "fexecve" };
	const char *name = function < MS_INTERPOSE_HEAP_COUNT ? ms_heap_get_function_name(function)
							      : others[function];
	const char *object = NULL;
	void *real = ms_maps_find_next_function(name, &object);

	if (name[0] == '_' && real != NULL && is_cxx_library(object))
		ms_heap_ignore_function(function);
	return real;
}

/* Whether calls of a function that creates processes or executes programs must be seen. */
static bool is_process_call_wanted(uint64_t function)
{
	bool executes = function >= MS_INTERPOSE_execve || function == MS_INTERPOSE_posix_spawn ||
			function == MS_INTERPOSE_posix_spawnp;

	return ms_runtime_config.follow_children || ms_signals_is_any_ignored() ||
	       (ms_runtime_config.follow_execs && executes);
}

/* An unknown one keeps the wrapper that looks it up. */
static void set_entry(uint64_t function)
{
	/* System calls of traced code are seen as such; between windows they are not. */
	bool creates_thread = function == MS_INTERPOSE_pthread_create ||
			      function == MS_INTERPOSE_thrd_create,
	     maps = function > MS_INTERPOSE_thrd_create,
	     signals = function >= MS_INTERPOSE_sigaction;
	bool natively = ms_runtime_config.no_tracing
				? !signals || ms_runtime_config.sample_interval != 0
				: ms_runtime_config.period != 0;
	bool is_recorded =
		function >= MS_INTERPOSE_fork
			? is_process_call_wanted(function) && !ms_runtime_config.no_tracing
			: creates_thread || (allocs_recorded && (!maps || natively));

	if (ms_interpose_real_functions[function] == NULL)
		return;
	ms_interpose_entries[function] = is_recorded ? ms_interpose_recording_functions[function]
						     : ms_interpose_real_functions[function];
	if (ms_runtime_config.no_tracing && function >= MS_INTERPOSE_fork &&
	    ms_signals_get_exec_wrapper(function) != NULL)
		ms_interpose_entries[function] = ms_signals_get_exec_wrapper(function);
	if (is_recorded && function < MS_INTERPOSE_HEAP_COUNT)
		ms_interpose_entries[function] = (void *)(uintptr_t)ms_heap_choose_wrapper(
			function, ms_interpose_recording_functions[function],
			ms_interpose_real_functions[function]);
}

void ms_interpose_find_real_function(uint64_t function);
void ms_interpose_find_real_function(uint64_t function)
{
	void *real = find_real(function);

	ms_interpose_real_functions[function] = real != NULL ? real : (void *)fail_without_memory;
	set_entry(function);
}

void ms_interpose_find_real_functions(void)
{
	for (uint64_t i = 0; i < MS_INTERPOSE_COUNT; i++)
		if (ms_interpose_real_functions[i] == NULL)
			ms_interpose_real_functions[i] =
				find_real(i); /* or when a library that has it is loaded */
}

void ms_interpose_set_alloc_recording(bool on)
{
	allocs_recorded = on;
	ms_heap_enable_fast_path(on);
	for (uint64_t i = 0; i < MS_INTERPOSE_COUNT; i++)
		set_entry(i);
}

void ms_interpose_update_process_entries(void)
{
	for (uint64_t i = MS_INTERPOSE_fork; i < MS_INTERPOSE_COUNT; i++)
		set_entry(i);
}
