/*
 * wire/windows.h - windows of a sampled program, and how they are drawn.
 *
 * Freestanding, like wire.h, which includes it.
 */
#ifndef MS_WIRE_WINDOWS_H
#define MS_WIRE_WINDOWS_H

#include "wire/version.h"

/* A window, or the gap between two, of all threads together. Values that the front-end does not
 * have are MS_WIRE_NOT_KNOWN. */
struct ms_wire_window {
	uint64_t references;
	uint64_t instructions;
	uint64_t nanoseconds; /* of processor time; or one for each reference, if those of windows
				 are counted and the others are estimated */
};
/* Between windows, since MS_WIRE_PARTS_COUNTED: if there are more nanoseconds than references,
 * these references were counted, and the others are estimated. */

#define MS_WIRE_NOT_KNOWN UINT64_MAX

/* The basis of the program's estimated speed between two windows: short parts were timed in code
 * that counts references. */
struct ms_wire_timed {
	uint64_t stretches;
	uint64_t undisturbed; /* of them: those with little work for the tracer meanwhile */
};

/*
 * The plan of the windows that follow: their mean length and distance, in thousands of references,
 * and their stratum. It is one word, because the writer reads it while the reader changes it.
 */
enum { MS_WIRE_PACE_UNIT = 1000, MS_WIRE_STRATA_MOST = 4 };

static inline uint64_t ms_wire_pace(uint32_t window, uint32_t period, uint32_t stratum)
{
	return (uint64_t)stratum << 56 | (uint64_t)window << 32 | period;
}

/*
 * Each period of references has one window, whose length and position in the period are random.
 * All components that count references exactly draw windows by ms_wire_draw(): the same seed gives
 * the same windows, live and in a replay.
 */
enum { MS_WIRE_ALIKE = 128 }; /* windows, before their length doubles */

struct ms_wire_period {
	uint64_t random;       /* initially the seed */
	uint64_t mean, period; /* references of a window, and from one to the next */
	/* Initially, length and distance are halved so many times: a short program gets more
	 * windows. */
	uint32_t halved, drawn;
	/* Of the window that was drawn last: */
	uint64_t before, length, after;
};

/* Returns a number from `from` to `to`, uniformly distributed. (SplitMix64.) */
static inline uint64_t ms_wire_drawn(uint64_t *random, uint64_t from, uint64_t to)
{
	uint64_t z = *random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return from + (z ^ z >> 31) % (to - from + 1);
}

/* Returns the mean length of a window, or of a period, after so many drawn windows. */
static inline uint64_t ms_wire_shorter(uint64_t mean, uint32_t halved, uint32_t drawn)
{
	const uint32_t times = drawn / MS_WIRE_ALIKE;

	return mean >> (halved > times ? halved - times : 0);
}

static inline void ms_wire_draw(struct ms_wire_period *p)
{
	const uint64_t shortest = 64;
	const uint64_t mean = ms_wire_shorter(p->mean, p->halved, p->drawn);
	const uint64_t period = ms_wire_shorter(p->period, p->halved, p->drawn);

	p->drawn++;
	p->length = ms_wire_drawn(&p->random, mean - mean / 2, mean + mean / 2);
	if (p->length < shortest)
		p->length = shortest;
	if (p->length > period)
		p->length = period;
	p->before = ms_wire_drawn(&p->random, 0, period - p->length);
	p->after = period - p->length - p->before;
}

/* Returns whether the plan of windows is read again: after the head, then after 8 windows, 16, 32
 * ... looked: number of windows at the last time, closed: number of windows now. */
static inline int ms_wire_is_look(uint32_t looked, uint32_t closed, int head)
{
	uint32_t next = 8;

	if (head && looked == 0)
		return closed > 0;
	looked -= looked > 0 && head ? 1 : 0;
	closed -= closed > 0 && head ? 1 : 0;
	while (next <= looked)
		next *= 2;
	return closed >= next;
}

static inline uint64_t ms_wire_pace_window(uint64_t pace)
{
	return (pace >> 32 & 0xffffff) * MS_WIRE_PACE_UNIT;
}

static inline uint64_t ms_wire_pace_period(uint64_t pace)
{
	return (pace & 0xffffffff) * MS_WIRE_PACE_UNIT;
}

static inline uint32_t ms_wire_pace_stratum(uint64_t pace)
{
	return (uint32_t)(pace >> 56);
}

MS_WIRE_ASSERT(sizeof(struct ms_wire_window) == 24);
MS_WIRE_ASSERT(sizeof(struct ms_wire_timed) == 16);

#endif
