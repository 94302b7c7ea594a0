/* processor_features.c - features of this processor. */
#include "arch.h"
#include "instruction.h"
#include "memspy.h"
#include "runtime/libc_substitutes.h"
#include "tracer/arch_priv.h"

bool ms_tracer_check_processor(void)
{
	uint64_t sizes;

	ms_tracer_start_vectors();
	__asm__("mrs %0, dczid_el0" : "=r"(sizes));
	if (sizes & 16) /* dc zva is prohibited */
		return true;
	ms_tracer_zero_block_bytes = 4u << (sizes & 15);
	if (ms_tracer_zero_block_bytes > MS_TRACER_MAX_ZERO_BLOCK)
		ms_runtime_log_message("memspy: dc zva clears more than %u bytes on this processor",
				       (uint64_t)MS_TRACER_MAX_ZERO_BLOCK);
	return ms_tracer_zero_block_bytes <= MS_TRACER_MAX_ZERO_BLOCK;
}

struct ms_tracer_branch_table_sizes ms_tracer_get_branch_table_sizes(void)
{
	uint64_t size = 1 << MS_TRACER_BRANCH_TABLE_BITS;

	return (struct ms_tracer_branch_table_sizes){ size, size };
}

void ms_tracer_sync_instruction_cache(const void *from, const void *to)
{
	uint64_t sizes, data, code_line;

	__asm__("mrs %0, ctr_el0" : "=r"(sizes));
	data = 4ull << (sizes >> 16 & 15);
	code_line = 4ull << (sizes & 15);
	for (uint64_t at = (uint64_t)from & ~(data - 1); at < (uint64_t)to; at += data)
		__asm__ volatile("dc cvau, %0" ::"r"(at) : "memory");
	__asm__ volatile("dsb ish" ::: "memory");
	for (uint64_t at = (uint64_t)from & ~(code_line - 1); at < (uint64_t)to; at += code_line)
		__asm__ volatile("ic ivau, %0" ::"r"(at) : "memory");
	__asm__ volatile("dsb ish\n\tisb" ::: "memory");
}

/* The runtime's C code does not use vector registers. */
uint64_t ms_tracer_call_with_vectors_saved(uint64_t (*f)(void *, void *, const uint8_t *), void *a,
					   void *b)
{
	return f(a, b, NULL);
}
