/* machine/x86-64/chain.c - a chain of dependent additions. */
#include "machine/chase.h"

/* Adds two registers: recent processors add small constants without spending a cycle. */
#define ADD        "add %1, %0\n\t"
#define EIGHT_ADDS ADD ADD ADD ADD ADD ADD ADD ADD

uint64_t ms_machine_chain(uint64_t rounds)
{
	uint64_t sum = 0, step = 3;

	for (; rounds > 0; rounds--)
		__asm__ volatile(EIGHT_ADDS EIGHT_ADDS EIGHT_ADDS EIGHT_ADDS EIGHT_ADDS EIGHT_ADDS
					 EIGHT_ADDS EIGHT_ADDS
				 : "+r"(sum)
				 : "r"(step)
				 : "cc");
	return sum;
}
