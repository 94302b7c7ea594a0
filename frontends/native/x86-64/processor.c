/* processor.c - what this processor can do. */
#include "tracer_priv.h"

#include <cpuid.h>

bool ms_processor_start(void)
{
	ms_decode_start();
	return true;
}

/* Without pext the low 16 bits of a target are all that can be had with flags left alone. */
uint64_t ms_processor_table(void)
{
	uint32_t a, b, c, d;
	bool has_pext = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_BMI2) != 0;

	return has_pext ? 1 << 18 : 1 << 16;
}

void ms_cache_sync(const void *from, const void *to)
{
	(void)from; /* it sees to that itself */
	(void)to;
}
