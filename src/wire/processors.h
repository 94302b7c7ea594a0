/*
 * wire/processors.h - the processor on which a thread is simulated.
 *
 * Freestanding, like wire.h, which includes it.
 */
#ifndef MS_WIRE_PROCESSORS_H
#define MS_WIRE_PROCESSORS_H

#include "wire/version.h"

enum {
	MS_WIRE_MAX_PROCESSORS = 1024, /* limit of affinity masks */
	MS_WIRE_MAX_NODES = 64,
};

/*
 * Returns the processor of a thread without affinity. Threads are numbered from 1: the first is on
 * the map's first processor, or on processor 0. At its end, the map starts over.
 */
static inline uint32_t ms_wire_processor(uint32_t thread, const uint32_t *map, uint32_t n,
					 uint32_t processors)
{
	uint32_t i = thread > 0 ? thread - 1 : 0;

	return n > 0 ? map[i % n] % processors : i % processors;
}

/*
 * Returns the processor of a thread with an affinity mask: the present one if the mask allows it,
 * else the lowest allowed one. Processors that the machine does not have are taken modulo its
 * number of processors.
 */
static inline uint32_t ms_wire_bound_processor(uint32_t now, const uint64_t *mask, uint32_t words,
					       uint32_t processors)
{
	uint32_t lowest = UINT32_MAX;

	for (uint32_t i = 0; i < words * 64; i++) {
		if ((mask[i / 64] >> i % 64 & 1) == 0)
			continue;
		if (i == now)
			return now;
		if (lowest == UINT32_MAX)
			lowest = i;
	}
	return lowest == UINT32_MAX ? now : lowest % processors;
}

#endif
