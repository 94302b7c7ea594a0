/*
 * collect/timed.h - samples that a timer takes: where a thread was stopped becomes which load or
 * store it had waited for, and which data that belongs to.
 */
#ifndef MS_COLLECT_TIMED_H
#define MS_COLLECT_TIMED_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct collector;
struct timed;
struct worker;

/* Whether the words (behind the head) are a sample. */
int ms_timed_check(const uint64_t *words, size_t n, struct ms_err *err);
/* A sample that has been checked, of the first worker. */
void ms_timed_take(struct worker *worker, uint32_t thread, const uint64_t *words);
/* The stream has ended. */
void ms_timed_finish(struct collector *collector);
void ms_timed_close(struct timed *timed);

#endif
