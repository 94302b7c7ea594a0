/* clock.c - see clock.h. */
#include "runtime/clock.h"

#include "raw_syscall.h"

uint64_t ms_runtime_read_clock(long clock)
{
	uint64_t now[2] = { 0, 0 };

	ms_runtime_syscall(__NR_clock_gettime, clock, (long)now, 0, 0, 0, 0);
	return now[0] * UINT64_C(1000000000) + now[1];
}

uint64_t ms_runtime_read_thread_clock(uint32_t tid)
{
	return ms_runtime_read_clock((int32_t)(~tid << 3 | 6)); /* the kernel's encoding */
}

uint64_t ms_runtime_read_cpu_clock(void)
{
	enum { THREAD = 3 };

	return ms_runtime_read_clock(THREAD);
}

uint64_t ms_runtime_read_wall_clock(void)
{
	enum { MONOTONIC = 1 };

	return ms_runtime_read_clock(MONOTONIC);
}

/* SplitMix64. */
uint64_t ms_runtime_draw_random(uint64_t *random)
{
	uint64_t z = *random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

uint64_t ms_runtime_vary_interval(uint64_t *random, uint64_t mean)
{
	return mean - mean / 2 + ms_runtime_draw_random(random) % (mean / 2 * 2 + 1);
}
