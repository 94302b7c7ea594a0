/* escort.h - see escort.c. */
#ifndef MS_NATIVE_ESCORT_H
#define MS_NATIVE_ESCORT_H

#include <stdint.h>

struct ms_thread;

/* Limits, in checks: for fork() with all new code that it calls, and for a function of a few
 * blocks. */
enum { MS_ESCORT_LONG = 4000, MS_ESCORT_SHORT = 100 };

/* The thread runs natively and is about to make a system call: it is traced from here on, in code
 * that only counts. This ends after the system call, or after so many checks: the C library may
 * return an error without a system call. */
void ms_escort_begin(struct ms_thread *t, uint16_t looks);
/* Likewise for a thread that is traced already: its window or sprint does not end before the
 * call. */
void ms_escort_keep(struct ms_thread *t, uint16_t looks);
/* The thread has made a system call, perhaps the expected one. */
void ms_escort_called(struct ms_thread *t);
/* The thread has made the expected system call. */
void ms_escort_over(struct ms_thread *t);

#endif
