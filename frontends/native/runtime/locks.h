/* locks.h - the locks of the runtime. */
#ifndef MS_NATIVE_RUNTIME_LOCKS_H
#define MS_NATIVE_RUNTIME_LOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Locks in the order of acquisition: the holder of a lock acquires only later ones. */
enum ms_runtime_lock_id {
	MS_RUNTIME_LOCK_SAMPLING,
	MS_RUNTIME_LOCK_THREADS,
	MS_RUNTIME_LOCK_MAPS,
	MS_RUNTIME_LOCK_REALLOCS,
	MS_RUNTIME_LOCK_PRIVATE_ALLOC,
	MS_RUNTIME_LOCK_TRACER,
	MS_RUNTIME_LOCK_JIT_CODE,
	MS_RUNTIME_LOCK_BLOCKS,
	MS_RUNTIME_LOCK_PATHS,
	MS_RUNTIME_LOCK_LIVE_BLOCKS,
	MS_RUNTIME_LOCK_SHARED_LANE, /* the lane that all threads write to */
	MS_RUNTIME_LOCK_LANES,
	MS_RUNTIME_LOCK_TIME_SLICES,
	MS_RUNTIME_LOCK_COUNT
};
void ms_runtime_lock(enum ms_runtime_lock_id lock);
void ms_runtime_unlock(enum ms_runtime_lock_id lock);
/* Around a fork, with signals blocked, because a handler may need any of the locks. */
void ms_runtime_lock_all(void);
void ms_runtime_unlock_all(void);
/* In the child. */
void ms_runtime_reset_locks(void);
/* A thread that is stopped for good held a lock. From then on no thread waits for locks, and the
 * data that they protect may be inconsistent. */
bool ms_runtime_are_locks_abandoned(void);

#endif
