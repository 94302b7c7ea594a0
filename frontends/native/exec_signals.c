/*
 * exec_signals.c - see exec_signals.h.
 *
 * While the kernel ignores a signal, memspy's own signals of that number are lost, in all threads.
 * A thread that leaves its window by such a signal sends it again (tracer/leave.c), and timers are
 * armed again.
 *
 * Limit: raw system calls (not by the C library's functions) of untraced code are not observed.
 */
#include "exec_signals.h"

#include <stdarg.h>

#include "action.h"
#include "interpose/interpose.h"
#include "runtime/config.h"
#include "runtime/thread_state.h"
#include "sys.h"
#include "timer.h"
#include "tracer.h"
#include "wrap.h"

enum { IGNORED = 1 };

static bool matter;
static uint32_t times;  /* number of begins and ends, of all threads */
static uint32_t active; /* threads between begin and end */

bool ms_exec_signals_matter(void)
{
	return matter;
}

void ms_exec_signals_needed(void)
{
	if (matter)
		return;
	matter = true;
	ms_wrap_processes();
}

void ms_exec_signals_set(uint64_t handler)
{
	if (handler == IGNORED)
		ms_exec_signals_needed();
}

static void give_actions(void)
{
	static const struct ms_action ignored = { .handler = IGNORED };

	if (ms_timer_ignores())
		ms_action_set(MS_TIMER_SIGNAL, &ignored, NULL);
	if (!ms_config.idle && ms_tracer_ignores())
		ms_action_set(MS_SIGNAL, &ignored, NULL);
}

void ms_exec_signals_give(void)
{
	give_actions();
	ms_disguise_executes(ms_self());
}

static void take_back(void)
{
	ms_timer_take_back();
	if (!ms_config.idle)
		ms_tracer_take_back();
}

void ms_exec_signals_begin(struct ms_thread *t)
{
	if (!matter || t->gives_signals)
		return;
	t->gives_signals = true;
	__atomic_add_fetch(&active, 1, __ATOMIC_SEQ_CST);
	__atomic_add_fetch(&times, 1, __ATOMIC_SEQ_CST);
	give_actions(); /* the mask is the program's while it is traced */
}

void ms_exec_signals_end(struct ms_thread *t)
{
	if (!t->gives_signals)
		return;
	t->gives_signals = false;
	take_back();
	__atomic_add_fetch(&times, 1, __ATOMIC_SEQ_CST);
	__atomic_sub_fetch(&active, 1, __ATOMIC_SEQ_CST);
}

bool ms_exec_signals_are_given(void)
{
	return __atomic_load_n(&active, __ATOMIC_SEQ_CST) != 0;
}

void ms_exec_signals_forked(void)
{
	active = 0;
}

uint32_t ms_exec_signals_times(void)
{
	return __atomic_load_n(&times, __ATOMIC_SEQ_CST);
}

/* The other thread is in a system call that replaces the program, fails, or returns when its child
 * has executed a program. The wait for a slow child is limited: the handler is then installed all
 * the same. */
bool ms_exec_signals_waited(uint32_t since)
{
	enum { TRIES = 10000 };
	static const int64_t a_while[2] = { 0, 100000 };

	if (ms_exec_signals_times() == since && !ms_exec_signals_are_given())
		return false;
	for (uint32_t tries = 0; ms_exec_signals_are_given() && tries < TRIES; tries++)
		ms_sys(__NR_nanosleep, (long)a_while, 0, 0, 0, 0, 0);
	ms_tracer_take_back();
	return true;
}

/* --- functions of the C library, where no code is traced --- */

typedef uint64_t real(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);

/* Also runs in a vfork child, which shares the memory: so it keeps no state in memory. */
static uint64_t call(uint64_t function, const uint64_t args[6])
{
	struct ms_thread *t = ms_self();
	uint64_t result;

	give_actions();
	bool masked = ms_disguise_executes(t);
	result = ((real *)ms_wrap_real[function])(args[0], args[1], args[2], args[3], args[4],
						  args[5]);
	take_back();
	if (masked)
		ms_disguise_executed_nothing(t);
	return result;
}

#define WRAPPER(name)                                                                           \
	static uint64_t call_##name(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, \
				    uint64_t f)                                                 \
	{                                                                                       \
		const uint64_t args[6] = { a, b, c, d, e, f };                                  \
                                                                                                \
		return call(MS_WRAP_##name, args);                                              \
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
	const uint64_t all[6] = { (uint64_t)path, (uint64_t)vector, with };
	return call(function, all);
}

#define LIST_WRAPPER(name, by, has_environment)                                       \
	static uint64_t call_##name(const char *path, const char *first, ...)         \
	{                                                                             \
		va_list args;                                                         \
		uint64_t result;                                                      \
                                                                                      \
		va_start(args, first);                                                \
		result = call_list(MS_WRAP_##by, path, args, first, has_environment); \
		va_end(args);                                                         \
		return result;                                                        \
	}
LIST_WRAPPER(execl, execv, false)
LIST_WRAPPER(execlp, execvp, false)
LIST_WRAPPER(execle, execve, true)

void *ms_exec_signals_wrapper(uint64_t function)
{
#define ROW(name) [MS_WRAP_##name - MS_WRAP_fork] = (void *)call_##name
	static void *const wrappers[MS_WRAP_ALL - MS_WRAP_fork] = {
		ROW(execve),  ROW(execv),       ROW(execvp),       ROW(execvpe),
		ROW(fexecve), ROW(posix_spawn), ROW(posix_spawnp), ROW(system),
		ROW(popen),   ROW(execl),       ROW(execlp),       ROW(execle),
	};
#undef ROW

	return matter ? wrappers[function - MS_WRAP_fork] : NULL;
}
