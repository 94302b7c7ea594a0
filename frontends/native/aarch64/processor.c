/* processor.c - features of this processor. */
#include "arch.h"
#include "insn.h"
#include "memspy.h"
#include "runtime/libc_substitutes.h"
#include "runtime/thread_state.h"
#include "sys.h"
#include "tracer/arch_priv.h"

/* The identity of threads that were not created through the runtime: see ms_self(). */
uint8_t ms_nobody[MS_THREAD_TRACER] __attribute__((aligned(16)));

bool ms_processor_start(void)
{
	uint64_t sizes;

	ms_vectors_start();
	__asm__("mrs %0, dczid_el0" : "=r"(sizes));
	if (sizes & 16) /* dc zva is prohibited */
		return true;
	ms_zero_bytes = 4u << (sizes & 15);
	if (ms_zero_bytes > MS_ZERO_MOST)
		ms_say("memspy: dc zva clears more than %u bytes on this processor",
		       (uint64_t)MS_ZERO_MOST);
	return ms_zero_bytes <= MS_ZERO_MOST;
}

uint64_t ms_processor_table(void)
{
	return 1 << MS_TABLE_BITS;
}

void ms_cache_sync(const void *from, const void *to)
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
uint64_t ms_keep_vectors(uint64_t (*f)(void *, void *, const uint8_t *), void *a, void *b)
{
	return f(a, b, NULL);
}
