/*
 * exec_signals.h - ignored and blocked signals across exec. exec keeps ignored signals ignored and
 * blocked signals blocked, so a program that ignores (SIG_IGN) or blocks a signal of memspy passes
 * that on to the program that it executes. But the kernel has a handler of memspy for that signal,
 * which exec would reset to the default, and does not have it in the mask (signal_hiding.c). So,
 * for the time of the system call, the kernel gets the action and the mask that the program has
 * set.
 */
#ifndef MS_NATIVE_SIGNALS_EXEC_SIGNALS_H
#define MS_NATIVE_SIGNALS_EXEC_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

struct ms_runtime_thread;

/* The program has set the action of a signal of memspy, or was started with it. */
void ms_signals_note_disposition(uint64_t handler);
/* The program has ignored a signal of memspy, or blocked it unknown to the kernel. */
void ms_signals_require_exec_wrappers(void);
/* Whether it ever has: from then on, functions that execute programs are wrapped. */
bool ms_signals_is_any_ignored(void);

/* Before a system call that executes a program, or creates a child that may do so unobserved; and
 * after its return. */
void ms_signals_begin_exec(struct ms_runtime_thread *t);
void ms_signals_end_exec(struct ms_runtime_thread *t);
/* Likewise in a child that is not traced: permanently. */
void ms_signals_restore_ignored(void);

/* Whether a thread is between the two. */
bool ms_signals_is_exec_under_way(void);
/* In a forked child: other threads of its parent are not there. */
void ms_signals_reset_execs(void);
/* For a thread that misses a signal of memspy: whether another thread has removed the handler since
 * `times` was read. Returns when the handler is installed again. */
uint32_t ms_signals_count_exec_changes(void);
bool ms_signals_wait_for_execs(uint32_t times);

/* memspy sample: the wrapper of the C library's function of that number (function_numbers.h); NULL:
 * not needed. */
void *ms_signals_get_exec_wrapper(uint64_t function);

#endif
