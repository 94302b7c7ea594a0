/*
 * hardware/timer_samples.h - samples that a timer takes: derives from the program counter at which
 * a thread was interrupted the load or store that it waited for, and the data of that access.
 */
#ifndef MS_HARDWARE_TIMER_SAMPLES_H
#define MS_HARDWARE_TIMER_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct ms_bins_bound_pc;
struct ms_hardware;
struct ms_hardware_timer;

/* Checks that the words (after the head) are a sample. */
int ms_hardware_timer_check(const uint64_t *words, size_t n, struct ms_err *err);
/* Adds a sample that has been checked; only the first worker does. at: where its pc is; NULL: that
 * is looked up now. */
void ms_hardware_timer_take(struct ms_hardware *hardware, uint32_t thread,
			    const struct ms_bins_bound_pc *at, const uint64_t *words);
/* To be called at the end of the stream. */
void ms_hardware_timer_finish(struct ms_hardware *hardware);
void ms_hardware_timer_close(struct ms_hardware_timer *timed);

#endif
