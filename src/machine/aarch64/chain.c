/* machine/aarch64/chain.c - a chain of dependent additions. */
#include "machine/chase.h"

#define ADD        "add %0, %0, %1\n\t"
#define EIGHT_ADDS ADD ADD ADD ADD ADD ADD ADD ADD

uint64_t ms_machine_chain(uint64_t rounds)
{
	uint64_t sum = 0, step = 3;

	for (; rounds > 0; rounds--)
		__asm__ volatile(EIGHT_ADDS EIGHT_ADDS EIGHT_ADDS EIGHT_ADDS EIGHT_ADDS EIGHT_ADDS
					 EIGHT_ADDS EIGHT_ADDS
				 : "+r"(sum)
				 : "r"(step));
	return sum;
}
