/* The time stamp counter. */
#include "perf/perf_priv.h"

uint64_t ms_perf_counter(void)
{
	return __builtin_ia32_rdtsc();
}
