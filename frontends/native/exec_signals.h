/*
 * exec_signals.h - a program that ignores a signal of memspy's (SIG_IGN), and executes another one,
 * leaves that to it: exec keeps ignored signals ignored. While the program runs, the kernel has a
 * handler of memspy's for that signal, which exec would set to the default. So the kernel is given
 * what the program has set for the time of the system call.
 */
#ifndef MS_NATIVE_EXEC_SIGNALS_H
#define MS_NATIVE_EXEC_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

struct ms_thread;

/* The program has set what one of memspy's signals does, or was started with that. */
void ms_exec_signals_set(uint64_t handler);
/* Whether it has ever ignored one: functions that execute programs are wrapped from then on. */
bool ms_exec_signals_matter(void);

/* Before a system call that executes a program, or makes a child that may do so without being seen;
 * and when it has returned. */
void ms_exec_signals_begin(struct ms_thread *t);
void ms_exec_signals_end(struct ms_thread *t);
/* In a child that is not traced: for good. */
void ms_exec_signals_give(void);

/* Whether a thread is between the two. */
bool ms_exec_signals_are_given(void);
/* In a forked child: other threads of its parent are not there. */
void ms_exec_signals_forked(void);
/* A thread that misses a signal of memspy's: whether another one has taken the handler away since
 * `times` was read. Returns when it is back. */
uint32_t ms_exec_signals_times(void);
bool ms_exec_signals_waited(uint32_t times);

/* memspy sample: stands in front of the C library's function of that number (wrap.h); NULL: there
 * is no need. */
void *ms_exec_signals_wrapper(uint64_t function);

#endif
