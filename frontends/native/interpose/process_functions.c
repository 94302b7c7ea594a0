/*
 * process_functions.c - functions of the C library whose system calls must be seen: those that
 * create a process or execute a program, with --follow-forks or where the program ignores a signal
 * of memspy (exec_signals.h); and pthread_cancel(), which sets a handler. interpose.S calls this
 * file, and then calls the real function traced, even if the thread ran natively, as between
 * windows. So the tracer handles the system call. Without --follow-forks, what an untraced child
 * executes is followed from here (syscalls/exec_environment.c).
 */
#include "interpose/function_numbers.h"
#include "interpose/interpose.h"
#include "maps/dynamic_loader.h"
#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"
#include "sampling/traced_syscall.h"
#include "signals/exec_signals.h"
#include "signals/program_actions.h"
#include "signals/signal_action.h"
#include "syscalls/syscalls.h"
#include "tracer/tracer.h"

/* The thread, if it must be traced from here on. Not for a child that shares the parent's memory
 * (vfork). */
static struct ms_runtime_thread *begin_traced(uint16_t checks)
{
	struct ms_runtime_thread *t = ms_runtime_get_current_thread();

	if (t == NULL || ms_runtime_is_stream_closed() ||
	    t->tid != (uint32_t)ms_runtime_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0))
		return NULL;
	if (t->traced) {
		ms_sampling_keep_traced(t, checks);
		return NULL;
	}
	if (ms_runtime_config.period != 0)
		ms_sampling_begin_traced_syscall(t, checks);
	ms_tracer_refresh_handlers();
	return t;
}

/* --- executed programs, without --follow-forks --- */

typedef uint64_t real_function(uint64_t, uint64_t, uint64_t);

static const char *const *get_environment(void)
{
	const char *const **environ = ms_maps_find_variable("environ");

	return environ != NULL ? *environ : NULL;
}

/* posix_spawn: the environment is the last argument. It is not freed: the child may still use it.
 */
static void follow_spawned(uint64_t function, uint64_t args[6])
{
	struct ms_syscalls_exec_environment made;
	const char *path = function == MS_INTERPOSE_posix_spawn ? (const char *)args[1] : NULL;

	if (ms_syscalls_make_exec_environment(path, (const char *const *)args[5], &made))
		args[5] = (uint64_t)made.at;
}

/* In a child that is not traced. Returns if exec has failed: the caller tries it again as the
 * program has asked for it, and fails likewise. */
static void execute_followed(uint64_t function, const uint64_t args[6])
{
	struct ms_syscalls_exec_environment made;
	const char *const *env = (const char *const *)args[2];

	switch (function) {
	case MS_INTERPOSE_execv:
		function = MS_INTERPOSE_execve;
		env = get_environment();
		break;
	case MS_INTERPOSE_execvp:
		function = MS_INTERPOSE_execvpe;
		env = get_environment();
		break;
	case MS_INTERPOSE_execve:
	case MS_INTERPOSE_execvpe:
	case MS_INTERPOSE_fexecve:
		break;
	default:
		return; /* lists of arguments: the program runs untraced */
	}
	const char *path = function == MS_INTERPOSE_execve ? (const char *)args[0] : NULL;
	if (!ms_syscalls_make_exec_environment(path, env, &made))
		return;
	((real_function *)ms_interpose_real_functions[function])(args[0], args[1],
								 (uint64_t)made.at);
	ms_syscalls_drop_exec_environment(&made);
}

static bool is_spawn(uint64_t function)
{
	return function == MS_INTERPOSE_posix_spawn || function == MS_INTERPOSE_posix_spawnp;
}

struct ms_runtime_thread *ms_interpose_begin_process_call(uint64_t function, uint64_t args[6]);
struct ms_runtime_thread *ms_interpose_begin_process_call(uint64_t function, uint64_t args[6])
{
	bool is_writer = ms_runtime_is_stream_writer();

	if (!is_writer)
		ms_signals_restore_ignored();
	if (ms_runtime_config.follow_execs && ms_syscalls_may_be_wrapper()) {
		if (is_spawn(function))
			follow_spawned(function, args);
		else if (!is_writer)
			execute_followed(function, args);
	}
	if (!is_writer || (is_spawn(function) && !ms_runtime_config.follow_children &&
			   !ms_signals_is_any_ignored()))
		return NULL;
	return begin_traced(MS_SAMPLING_SYSCALL_CHECKS_LONG);
}

/*
 * The first call sets the handler that cancels threads, and immediately sends them its signal. A
 * thread in a window would be cancelled inside the tracer, with its locks held, unless the tracer's
 * handler is installed in front by then.
 */
struct ms_runtime_thread *ms_interpose_begin_cancel_call(void);
struct ms_runtime_thread *ms_interpose_begin_cancel_call(void)
{
	enum { SIG_CANCEL = 32 };
	struct ms_signals_sigaction was;

	if (ms_runtime_config.no_tracing || ms_signals_get_program_action(SIG_CANCEL, &was))
		return NULL;
	return begin_traced(MS_SAMPLING_SYSCALL_CHECKS_SHORT);
}
