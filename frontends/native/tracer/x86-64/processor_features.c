/* processor_features.c - features of this processor. */
#include <cpuid.h>

#include "instruction.h"
#include "tracer/arch_priv.h"

bool ms_tracer_has_pext;

static bool has_pext(void)
{
	uint32_t a, b, c, d;

	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_BMI2) != 0;
}

bool ms_tracer_check_processor(void)
{
	ms_tracer_has_pext = has_pext();
	ms_tracer_start_decoder();
	return true;
}

/* Without pext, only the low 16 bits of a target can be extracted with flags preserved. */
struct ms_tracer_branch_table_sizes ms_tracer_get_branch_table_sizes(void)
{
	return ms_tracer_has_pext ? (struct ms_tracer_branch_table_sizes){ 1 << 12, 1 << 18 }
				  : (struct ms_tracer_branch_table_sizes){ 1 << 16, 1 << 16 };
}

void ms_tracer_sync_instruction_cache(const void *from, const void *to)
{
	(void)from; /* the processor keeps instruction fetch coherent itself */
	(void)to;
}
