/* processor.c - features of this processor. */
#include <cpuid.h>

#include "insn.h"
#include "tracer/arch_priv.h"

bool ms_processor_start(void)
{
	ms_decode_start();
	return true;
}

/* Without pext, only the low 16 bits of a target can be extracted with flags preserved. */
uint64_t ms_processor_table(void)
{
	uint32_t a, b, c, d;
	bool has_pext = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_BMI2) != 0;

	return has_pext ? 1 << 18 : 1 << 16;
}

void ms_cache_sync(const void *from, const void *to)
{
	(void)from; /* the processor keeps instruction fetch coherent itself */
	(void)to;
}
