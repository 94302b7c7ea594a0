/* traced_syscall.h - see traced_syscall.c. */
#ifndef MS_NATIVE_SAMPLING_TRACED_SYSCALL_H
#define MS_NATIVE_SAMPLING_TRACED_SYSCALL_H

#include <stdint.h>

struct ms_runtime_thread;

/* Limits, in checks: for fork() with all new code that it calls, and for a function of a few
 * blocks. */
enum { MS_SAMPLING_SYSCALL_CHECKS_LONG = 4000, MS_SAMPLING_SYSCALL_CHECKS_SHORT = 100 };

/* The thread runs natively and is about to make a system call: it is traced from here on, in code
 * that only counts. This ends after the system call, or after so many checks: the C library may
 * return an error without a system call. */
void ms_sampling_begin_traced_syscall(struct ms_runtime_thread *t, uint16_t checks);
/* Likewise for a thread that is traced already: its window or speed probe does not end before the
 * call. */
void ms_sampling_keep_traced(struct ms_runtime_thread *t, uint16_t checks);
/* The thread has made a system call, perhaps the expected one. */
void ms_sampling_note_syscall(struct ms_runtime_thread *t);
/* The thread has made the expected system call. */
void ms_sampling_end_traced_syscall(struct ms_runtime_thread *t);

#endif
