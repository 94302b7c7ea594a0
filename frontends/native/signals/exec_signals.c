/*
 * exec_signals.c - see exec_signals.h.
 *
 * While the kernel ignores a signal, memspy's own signals of that number are lost, in all threads.
 * A thread that leaves its window by such a signal sends it again (tracer/window_exit.c), and
 * timers are armed again.
 *
 * Limit: raw system calls (not by the C library's functions) of untraced code are not observed.
 */
#include "signals/exec_signals.h"

#include <stdarg.h>

#include "interpose/function_numbers.h"
#include "interpose/interpose.h"
#include "maps/dynamic_loader.h"
#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/hooks.h"
#include "runtime/thread_state.h"
#include "signals/cpu_timer.h"
#include "signals/program_actions.h"
#include "signals/signal_action.h"
#include "syscalls/syscalls.h"

enum { IGNORED = 1 };

static bool any_ignored;
static uint32_t exec_changes; /* number of begins and ends, of all threads */
static uint32_t active_execs; /* threads between begin and end */

bool ms_signals_is_any_ignored(void)
{
	return any_ignored;
}

void ms_signals_require_exec_wrappers(void)
{
	if (any_ignored)
		return;
	any_ignored = true;
	ms_native_hooks.exec_wrappers_required();
}

void ms_signals_note_disposition(uint64_t handler)
{
	if (handler == IGNORED)
		ms_signals_require_exec_wrappers();
}

static void give_actions(void)
{
	static const struct ms_signals_sigaction ignored = { .handler = IGNORED };

	if (ms_signals_is_timer_signal_ignored())
		ms_signals_set_action(MS_SIGNALS_TIMER_SIGNAL, &ignored, NULL);
	if (!ms_runtime_config.no_tracing && ms_signals_is_tracer_signal_ignored())
		ms_signals_set_action(MS_SIGNALS_TRACER_SIGNAL, &ignored, NULL);
}

void ms_signals_restore_ignored(void)
{
	give_actions();
	ms_signals_block_hidden_for_exec(ms_runtime_get_thread());
}

static void retake_signals(void)
{
	ms_signals_retake_timer_signal();
	if (!ms_runtime_config.no_tracing)
		ms_signals_retake_tracer_signal();
}

void ms_signals_begin_exec(struct ms_runtime_thread *t)
{
	if (!any_ignored || t->restores_ignored)
		return;
	t->restores_ignored = true;
	__atomic_add_fetch(&active_execs, 1, __ATOMIC_SEQ_CST);
	__atomic_add_fetch(&exec_changes, 1, __ATOMIC_SEQ_CST);
	give_actions(); /* the mask is the program's while it is traced */
}

void ms_signals_end_exec(struct ms_runtime_thread *t)
{
	if (!t->restores_ignored)
		return;
	t->restores_ignored = false;
	retake_signals();
	__atomic_add_fetch(&exec_changes, 1, __ATOMIC_SEQ_CST);
	__atomic_sub_fetch(&active_execs, 1, __ATOMIC_SEQ_CST);
}

bool ms_signals_is_exec_under_way(void)
{
	return __atomic_load_n(&active_execs, __ATOMIC_SEQ_CST) != 0;
}

void ms_signals_reset_execs(void)
{
	active_execs = 0;
}

uint32_t ms_signals_count_exec_changes(void)
{
	return __atomic_load_n(&exec_changes, __ATOMIC_SEQ_CST);
}

/* The other thread is in a system call that replaces the program, fails, or returns when its child
 * has executed a program. The wait for a slow child is limited: the handler is then installed all
 * the same. */
bool ms_signals_wait_for_execs(uint32_t since)
{
	enum { TRIES = 10000 };
	static const int64_t a_while[2] = { 0, 100000 };

	if (ms_signals_count_exec_changes() == since && !ms_signals_is_exec_under_way())
		return false;
	for (uint32_t tries = 0; ms_signals_is_exec_under_way() && tries < TRIES; tries++)
		ms_runtime_syscall(__NR_nanosleep, (long)a_while, 0, 0, 0, 0, 0);
	ms_signals_retake_tracer_signal();
	return true;
}

/* --- functions of the C library, where no code is traced --- */

typedef uint64_t real(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);

/* Functions without an argument for the environment, and those that have one. */
static uint64_t with_environment(uint64_t function)
{
	if (function == MS_INTERPOSE_execv)
		return MS_INTERPOSE_execve;
	return function == MS_INTERPOSE_execvp ? MS_INTERPOSE_execvpe : function;
}

/* Which argument is the environment; 0: the function has none, even under another name. */
static uint32_t find_environment(uint64_t function)
{
	switch (function) {
	case MS_INTERPOSE_execve:
	case MS_INTERPOSE_execvpe:
	case MS_INTERPOSE_fexecve:
		return 2;
	case MS_INTERPOSE_posix_spawn:
	case MS_INTERPOSE_posix_spawnp:
		return 5;
	default:
		return 0;
	}
}

/* The executed program is sampled, too: changes the call so that its environment has memspy's
 * variables. */
static void follow_executed(uint64_t *function, uint64_t args[6],
			    struct ms_syscalls_exec_environment *made)
{
	uint64_t with = with_environment(*function);
	uint32_t at = find_environment(with);
	bool has_path = with == MS_INTERPOSE_execve || with == MS_INTERPOSE_posix_spawn;
	const char *path = (const char *)args[with == MS_INTERPOSE_posix_spawn];
	const char *const *env = (const char *const *)args[at];

	*made = (struct ms_syscalls_exec_environment){ NULL, 0 };
	if (!ms_runtime_config.follow_execs || at == 0 || !ms_syscalls_may_be_wrapper())
		return;
	if (with != *function) {
		const char *const **environ = ms_maps_find_variable("environ");

		env = environ != NULL ? *environ : NULL;
	}
	if (!ms_syscalls_make_exec_environment(has_path ? path : NULL, env, made))
		return;
	*function = with;
	args[at] = (uint64_t)made->at;
}

/* Also runs in a vfork child, which shares the memory: so it keeps no state in memory. */
static uint64_t call_real(uint64_t function, uint64_t args[6])
{
	struct ms_runtime_thread *t = ms_runtime_get_thread();
	struct ms_syscalls_exec_environment made;
	uint64_t result;

	follow_executed(&function, args, &made);
	give_actions();
	bool masked = ms_signals_block_hidden_for_exec(t);
	result = ((real *)ms_interpose_real_functions[function])(args[0], args[1], args[2], args[3],
								 args[4], args[5]);
	retake_signals();
	if (masked)
		ms_signals_unblock_after_failed_exec(t);
	ms_syscalls_drop_exec_environment(&made);
	return result;
}

#define WRAPPER(name)                                                                           \
	static uint64_t call_##name(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, \
				    uint64_t f)                                                 \
	{                                                                                       \
		uint64_t args[6] = { a, b, c, d, e, f };                                        \
                                                                                                \
		return call_real(MS_INTERPOSE_##name, args);                                    \
	}
WRAPPER(execve)
WRAPPER(execv)
WRAPPER(execvp)
WRAPPER(execvpe)
WRAPPER(fexecve)
WRAPPER(posix_spawn)
WRAPPER(posix_spawnp)
WRAPPER(system)
WRAPPER(popen)

/* Converts the list of arguments into a vector on the stack. `has_environment`: the environment
 * follows the list. */
static uint64_t call_list(uint64_t function, const char *path, va_list args, const char *first,
			  bool has_environment)
{
	uint64_t n = 1;
	va_list count;

	va_copy(count, args);
	if (first != NULL)
		while (va_arg(count, const char *) != NULL)
			n++;
	va_end(count);
	const char **vector = __builtin_alloca((n + 1) * sizeof(*vector));

	vector[0] = first;
	for (uint64_t i = 1; first != NULL && i <= n; i++)
		vector[i] = va_arg(args, const char *);
	const uint64_t with = has_environment ? va_arg(args, uint64_t) : 0;
	uint64_t all[6] = { (uint64_t)path, (uint64_t)vector, with };
	return call_real(function, all);
}

#define LIST_WRAPPER(name, by, has_environment)                                            \
	static uint64_t call_##name(const char *path, const char *first, ...)              \
	{                                                                                  \
		va_list args;                                                              \
		uint64_t result;                                                           \
                                                                                           \
		va_start(args, first);                                                     \
		result = call_list(MS_INTERPOSE_##by, path, args, first, has_environment); \
		va_end(args);                                                              \
		return result;                                                             \
	}
LIST_WRAPPER(execl, execv, false)
LIST_WRAPPER(execlp, execvp, false)
LIST_WRAPPER(execle, execve, true)

void *ms_signals_get_exec_wrapper(uint64_t function)
{
#define ROW(name) [MS_INTERPOSE_##name - MS_INTERPOSE_fork] = (void *)call_##name
	static void *const wrappers[MS_INTERPOSE_COUNT - MS_INTERPOSE_fork] = {
		ROW(execve),  ROW(execv),       ROW(execvp),       ROW(execvpe),
		ROW(fexecve), ROW(posix_spawn), ROW(posix_spawnp), ROW(system),
		ROW(popen),   ROW(execl),       ROW(execlp),       ROW(execle),
	};
#undef ROW

	bool follows = ms_runtime_config.no_tracing && ms_runtime_config.follow_execs;
	return any_ignored || follows ? wrappers[function - MS_INTERPOSE_fork] : NULL;
}
