/*
 * collect/pace.h - how windows lie from here on, decided while the program runs.
 *
 * The 1993 paper's Table 7: programs with few references are simulated whole, those with many in
 * windows; longer ones where misses are few or caches large. How long a program is nobody knows
 * before. So its first references, the head, are one window, seen whole; then come windows of a
 * size that there would be some in as much again, and twice as long again and again, until they are
 * as long as the first level and its misses ask for, and not too much is unknown of any level. Once
 * the interval of the miss rate is as narrow as was wanted they become rarer; and if the program
 * then shows that it was not, closer than before. If it is not as narrow after some windows, they
 * become closer, and then nearly all references are in windows.
 *
 * Windows that were drawn alike are a stratum: the head, those at the first distance, the rarer or
 * closer ones, those after them.
 */
#ifndef MS_COLLECT_PACE_H
#define MS_COLLECT_PACE_H

#include <stdbool.h>
#include <stdint.h>

struct collector;

struct pace {
	uint32_t closed; /* windows, as far as somebody has met them */
	uint32_t looked; /* windows when it was looked last */
	uint64_t now;    /* as the front-end was told: ms_wire_pace(); 0: nothing */
	bool waits;      /* the front-end does, until it has been looked */
};

/*
 * For the thread that settles, whenever it has. Several workers: where the front-end waits, for the
 * last of them that has settled chunk k, if there is no other one by now. So all have met the same,
 * and decide the same, however many there are.
 */
void ms_pace_look(struct collector *collector);

#endif
