/* window_rendezvous.h - makes threads enter a window at the same time: see window_rendezvous.c. */
#ifndef MS_NATIVE_SAMPLING_WINDOW_RENDEZVOUS_H
#define MS_NATIVE_SAMPLING_WINDOW_RENDEZVOUS_H

#include <stdbool.h>
#include <stdint.h>

struct ms_runtime_thread;

/* A window opens; a thread enters it. Calls must be serialised. */
void ms_sampling_open_rendezvous(void);
void ms_sampling_join_rendezvous(struct ms_runtime_thread *t);
/* Thread t, which has opened the window, has called all others: those that run now are expected. */
void ms_sampling_expect_running_threads(const struct ms_runtime_thread *t);
/* Waits until they have entered, or a time limit. */
void ms_sampling_wait_for_expected(void);
/* The number of threads that have entered so far. Later: a thread that left the window then has
 * woken so many threads; when it enters again, it waits for them, too. */
uint32_t ms_sampling_count_joined(void);
void ms_sampling_expect_woken_threads(uint32_t joined, uint32_t threads);
/* Called after some references in the window: waits for threads that are more than `slack`
 * behind. */
void ms_sampling_wait_for_slow_threads(struct ms_runtime_thread *t, uint64_t slack);
/* Waits until a thread enters or leaves a window after the bell was read; false: time is over. */
uint32_t ms_sampling_read_bell(void);
bool ms_sampling_wait_for_bell(uint32_t bell, uint64_t nanoseconds);
/* Wakes the waiting threads: a thread has left, or the window closes. */
void ms_sampling_wake_waiters(void);

#endif
