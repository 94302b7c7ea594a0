/* The time stamp counter. */
#include "stream/timestamps.h"

const char ms_stream_timestamps_clock[] = "tsc";

uint64_t ms_stream_timestamps_counter(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}
