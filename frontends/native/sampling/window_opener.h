/*
 * window_opener.h - which of several threads opens the next window while references are counted.
 */
#ifndef MS_NATIVE_SAMPLING_WINDOW_OPENER_H
#define MS_NATIVE_SAMPLING_WINDOW_OPENER_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/thread_state.h"

/*
 * The window is due, and the thread has added what it has counted: whether it is to open it.
 * MS_RUNTIME_LOCK_SAMPLING is held.
 */
bool ms_sampling_is_window_opener(const struct ms_runtime_thread *t);
/* Whether the program has got far beyond the next window. Likewise. */
bool ms_sampling_is_too_far_ahead(void);
/*
 * Waits, for a short time, until the window with this number opens or closes; the bell was read
 * (window_rendezvous.h) when it had not.
 */
void ms_sampling_wait_for_window(uint32_t window, uint32_t bell);

#endif
