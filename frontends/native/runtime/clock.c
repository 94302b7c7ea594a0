/* clock.c - see clock.h. */
#include "runtime/clock.h"

#include "sys.h"

uint64_t ms_timer_clock(long clock)
{
	uint64_t now[2] = { 0, 0 };

	ms_sys(__NR_clock_gettime, clock, (long)now, 0, 0, 0, 0);
	return now[0] * UINT64_C(1000000000) + now[1];
}

uint64_t ms_timer_of(uint32_t tid)
{
	return ms_timer_clock((int32_t)(~tid << 3 | 6)); /* the kernel's encoding */
}

uint64_t ms_timer_cpu(void)
{
	enum { THREAD = 3 };

	return ms_timer_clock(THREAD);
}

uint64_t ms_timer_wall(void)
{
	enum { MONOTONIC = 1 };

	return ms_timer_clock(MONOTONIC);
}

/* SplitMix64. */
uint64_t ms_timer_random(uint64_t *random)
{
	uint64_t z = *random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

uint64_t ms_timer_vary(uint64_t *random, uint64_t mean)
{
	return mean - mean / 2 + ms_timer_random(random) % (mean / 2 * 2 + 1);
}
