/* escort.h - see escort.c. */
#ifndef MS_NATIVE_ESCORT_H
#define MS_NATIVE_ESCORT_H

#include <stdint.h>

struct ms_thread;

/* Looks, where fork() and all that it calls is new code, or a function of a few blocks. */
enum { MS_ESCORT_LONG = 4000, MS_ESCORT_SHORT = 100 };

/* It runs natively, and is about to make the call: it is traced from here on, in code that only
 * counts. It is over when that has been done, or after so many looks whether it is: the C library
 * may refuse without a system call. */
void ms_escort_begin(struct ms_thread *t, uint16_t looks);
/* Likewise, and it is traced already: its window or sprint does not end before. */
void ms_escort_keep(struct ms_thread *t, uint16_t looks);
/* It has made a system call: one that was near has been. */
void ms_escort_called(struct ms_thread *t);
/* The one that it was about to make. */
void ms_escort_over(struct ms_thread *t);

#endif
