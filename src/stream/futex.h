/* stream/futex.h - waits on a word of memory that processes share. */
#ifndef MS_STREAM_FUTEX_H
#define MS_STREAM_FUTEX_H

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static inline void ms_stream_futex_wait(uint32_t *word, uint32_t seen)
{
	syscall(SYS_futex, word, FUTEX_WAIT, seen, NULL, NULL, 0);
}

/* For callers that must detect that the other process was killed. */
static inline void ms_stream_futex_wait_a_second(uint32_t *word, uint32_t seen)
{
	const struct timespec second = { 1, 0 };

	syscall(SYS_futex, word, FUTEX_WAIT, seen, &second, NULL, 0);
}

/* limit: NULL for none. Returns false if it was reached. */
static inline bool ms_stream_futex_wait_for(uint32_t *word, uint32_t seen,
					    const struct timespec *limit)
{
	return syscall(SYS_futex, word, FUTEX_WAIT, seen, limit, NULL, 0) == 0 ||
	       errno != ETIMEDOUT;
}

static inline void ms_stream_futex_wake(uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

#endif
