/* together.h - threads come into a window at the same time: see together.c. */
#ifndef MS_NATIVE_TOGETHER_H
#define MS_NATIVE_TOGETHER_H

#include <stdbool.h>
#include <stdint.h>

struct ms_thread;

/* A window opens; a thread comes into it. One at a time. */
void ms_together_open(void);
void ms_together_come(struct ms_thread *t);
/* All have been called by this thread, which has opened it: those that run now will come. */
void ms_together_expect(const struct ms_thread *t);
/* Until they have, or it takes too long. */
void ms_together_wait(void);
/* How many have come so far; and then so many have been woken up, by one that left the window for
 * it: when that one comes again it waits for them, too. */
uint32_t ms_together_here(void);
void ms_together_woke(uint32_t here, uint32_t threads);
/* It has made some references in the window: waits for those that are more than `slack` behind. */
void ms_together_keep_pace(struct ms_thread *t, uint64_t slack);
/* Something may have changed for those that wait: one has gone, or the window closes. */
void ms_together_tell(void);
/* Whether the kernel says that it runs, or would. */
bool ms_together_runs(const struct ms_thread *t);

#endif
