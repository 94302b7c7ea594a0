/* collect/gate.h - a number that only grows, and threads that wait until it is large enough. */
#ifndef MS_COLLECT_GATE_H
#define MS_COLLECT_GATE_H

#include <stdbool.h>
#include <stdint.h>

struct gate {
	uint32_t number; /* compared modulo 2^32 */
	uint32_t waiting;
};

/* Waits until the gate has been opened for this number, or a later one. */
void ms_gate_wait(struct gate *gate, uint32_t number);
void ms_gate_open(struct gate *gate, uint32_t number);

#endif
