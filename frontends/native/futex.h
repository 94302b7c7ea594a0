/* futex.h - waits until a word changes, and wakes the waiters. */
#ifndef MS_NATIVE_FUTEX_H
#define MS_NATIVE_FUTEX_H

#include <stdbool.h>
#include <stdint.h>

#include "sys.h"

/* Whether several processes share the word, or this process has it alone, which is faster. */
enum ms_futex { MS_FUTEX_SHARED = 0, MS_FUTEX_OWN = 128 };

enum { MS_FUTEX_ALL = 0x7fffffff };

/* Waits at most so long (seconds and nanoseconds; NULL: without limit). It may return at any time;
 * true: timed out. */
static inline bool ms_futex_wait(uint32_t *word, enum ms_futex whose, uint32_t seen,
				 const int64_t most[2])
{
	enum { WAIT = 0, TIMED_OUT = -110 };

	return ms_sys(SYS_futex, (long)word, WAIT | (long)whose, seen, (long)most, 0, 0) ==
	       TIMED_OUT;
}

static inline void ms_futex_wake(uint32_t *word, enum ms_futex whose, uint32_t threads)
{
	enum { WAKE = 1 };

	ms_sys(SYS_futex, (long)word, WAKE | (long)whose, threads, 0, 0, 0);
}

#endif
