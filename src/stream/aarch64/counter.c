/* The virtual counter of the generic timer. */
#include "stream/timestamps.h"

const char ms_stream_timestamps_clock[] = "arch_sys_counter";

uint64_t ms_stream_timestamps_counter(void)
{
	uint64_t count;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(count) : : "memory");
	return count;
}
