/* collect/chunk_counter.h - a monotonic counter; threads can wait until it reaches a value. */
#ifndef MS_COLLECT_CHUNK_COUNTER_H
#define MS_COLLECT_CHUNK_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

struct ms_collect_counter {
	uint32_t number; /* compared modulo 2^32 */
	uint32_t waiting;
};

/* Whether the counter has reached this number; retries for a short time. */
bool ms_collect_counter_has_reached(const struct ms_collect_counter *gate, uint32_t number);
/* Sleeps until it has. */
void ms_collect_counter_wait(struct ms_collect_counter *gate, uint32_t number);
void ms_collect_counter_set(struct ms_collect_counter *gate, uint32_t number);

#endif
