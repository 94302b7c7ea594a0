/* futex.h - waits until a word changes, and wakes the waiters. */
#ifndef MS_NATIVE_RUNTIME_FUTEX_H
#define MS_NATIVE_RUNTIME_FUTEX_H

#include <stdbool.h>
#include <stdint.h>

#include "raw_syscall.h"

/* Whether several processes share the word, or this process has it alone, which is faster. */
enum ms_runtime_futex_scope { MS_RUNTIME_FUTEX_SHARED = 0, MS_RUNTIME_FUTEX_PRIVATE = 128 };

enum { MS_RUNTIME_FUTEX_ALL = 0x7fffffff };

/* Waits at most so long (seconds and nanoseconds; NULL: without limit). It may return at any time;
 * true: timed out. */
static inline bool ms_runtime_wait_futex(uint32_t *word, enum ms_runtime_futex_scope scope,
					 uint32_t expected, const int64_t most[2])
{
	enum { WAIT = 0, TIMED_OUT = -110 };

	return ms_runtime_syscall(SYS_futex, (long)word, WAIT | (long)scope, expected, (long)most,
				  0, 0) == TIMED_OUT;
}

static inline void ms_runtime_wake_futex(uint32_t *word, enum ms_runtime_futex_scope scope,
					 uint32_t threads)
{
	enum { WAKE = 1 };

	ms_runtime_syscall(SYS_futex, (long)word, WAKE | (long)scope, threads, 0, 0, 0);
}

#endif
