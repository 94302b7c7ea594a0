/* collect/gate.h - a number that only grows, and threads that wait until it is large enough. */
#ifndef MS_COLLECT_GATE_H
#define MS_COLLECT_GATE_H

#include <stdbool.h>
#include <stdint.h>

struct gate {
	uint32_t number; /* compared modulo 2^32 */
	uint32_t waiting;
};

/* Whether the gate is open for this number, or a later one: now, or in some moments. */
bool ms_gate_try(const struct gate *gate, uint32_t number);
/* Sleeps until it is. */
void ms_gate_wait(struct gate *gate, uint32_t number);
void ms_gate_open(struct gate *gate, uint32_t number);

#endif
