/* The virtual counter of the generic timer. */
#include "perf/perf_priv.h"

uint64_t ms_perf_counter(void)
{
	uint64_t count;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
	return count;
}
