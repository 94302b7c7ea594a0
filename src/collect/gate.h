/* collect/gate.h - a monotonic counter; threads can wait until it reaches a value. */
#ifndef MS_COLLECT_GATE_H
#define MS_COLLECT_GATE_H

#include <stdbool.h>
#include <stdint.h>

struct gate {
	uint32_t number; /* compared modulo 2^32 */
	uint32_t waiting;
};

/* Whether the counter has reached this number; retries for a short time. */
bool ms_gate_try(const struct gate *gate, uint32_t number);
/* Sleeps until it has. */
void ms_gate_wait(struct gate *gate, uint32_t number);
void ms_gate_open(struct gate *gate, uint32_t number);

#endif
