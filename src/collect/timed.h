/*
 * collect/timed.h - samples that a timer takes: derives from the program counter at which a thread
 * was interrupted the load or store that it waited for, and the data of that access.
 */
#ifndef MS_COLLECT_TIMED_H
#define MS_COLLECT_TIMED_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct collector;
struct timed;
struct worker;

/* Checks that the words (after the head) are a sample. */
int ms_timed_check(const uint64_t *words, size_t n, struct ms_err *err);
/* Adds a sample that has been checked; only the first worker does. */
void ms_timed_take(struct worker *worker, uint32_t thread, const uint64_t *words);
/* To be called at the end of the stream. */
void ms_timed_finish(struct collector *collector);
void ms_timed_close(struct timed *timed);

#endif
