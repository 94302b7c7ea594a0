/* locks.h - the locks of the runtime. */
#ifndef MS_NATIVE_RUNTIME_LOCKS_H
#define MS_NATIVE_RUNTIME_LOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Locks in the order of acquisition: the holder of a lock acquires only later ones. */
enum ms_lock {
	MS_LOCK_SAMPLE,
	MS_LOCK_THREADS,
	MS_LOCK_MAPS,
	MS_LOCK_RESIZE,
	MS_LOCK_OWN,
	MS_LOCK_TRACER,
	MS_LOCK_MADE,
	MS_LOCK_BLOCKS,
	MS_LOCK_PATHS,
	MS_LOCK_FOLLOW,
	MS_LOCK_SHARED, /* the lane that all threads write to */
	MS_LOCK_LANES,
	MS_LOCK_TURNS,
	MS_LOCKS
};
void ms_lock(enum ms_lock lock);
void ms_unlock(enum ms_lock lock);
/* Around a fork, with signals blocked, because a handler may need any of the locks. */
void ms_lock_all(void);
void ms_unlock_all(void);
/* In the child. */
void ms_lock_forked(void);
/* A thread that is stopped for good held a lock. From then on no thread waits for locks, and the
 * data that they protect may be inconsistent. */
bool ms_lock_is_abandoned(void);

#endif
