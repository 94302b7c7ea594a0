/* together.h - makes threads enter a window at the same time: see together.c. */
#ifndef MS_NATIVE_TOGETHER_H
#define MS_NATIVE_TOGETHER_H

#include <stdbool.h>
#include <stdint.h>

struct ms_thread;

/* A window opens; a thread enters it. Calls must be serialised. */
void ms_together_open(void);
void ms_together_come(struct ms_thread *t);
/* Thread t, which has opened the window, has called all others: those that run now are expected. */
void ms_together_expect(const struct ms_thread *t);
/* Waits until they have entered, or a time limit. */
void ms_together_wait(void);
/* The number of threads that have entered so far. Later: a thread that left the window then has
 * woken so many threads; when it enters again, it waits for them, too. */
uint32_t ms_together_here(void);
void ms_together_woke(uint32_t here, uint32_t threads);
/* Called after some references in the window: waits for threads that are more than `slack`
 * behind. */
void ms_together_keep_pace(struct ms_thread *t, uint64_t slack);
/* Wakes the waiting threads: a thread has left, or the window closes. */
void ms_together_tell(void);

#endif
