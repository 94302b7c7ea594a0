/* Which variables on the stack code accesses, on the machine that memspy is built for; the cases
 * are x86-64's (stack_addresses_aarch64.c has the others). */
#include "unit/decode/stack_cases.h"

#define AT __LINE__

#if defined(__x86_64__)
static const struct stack_case cases[] = {
	{ AT,
	  "an index, masked and not: below the stack pointer",
	  "4885ff 7e1f 31c0 660f1f840000000000 4889c2 83e207 488944d4b8 4883c001 4839c7 75ec "
	  "31c0 31d2 0f1f840000000000 488b4cc4b8 4883c001 4801ca 4883f808 75ee 4889d0 c3",
	  { { .name = 'a', .size = 64, .base = CFA, .offset = -80 } },
	  "16 write a; 30 read a" },
	{ AT,
	  "two pointers that advance, and an index",
	  "4154 55 53 4889fb 4883c480 4889e5 4c8d642440 4889ef e800000000 4c89e7 e800000000 "
	  "4c89e0 488d542408 488d742478 488b0a 480108 4883c008 4883c208 4839f0 75ed "
	  "4c89e7 e800000000 4889ef e800000000 488b44dc40 4883ec80 5b 5d 415c c3",
	  { { .name = 'a', .size = 64, .base = CFA, .offset = -160 },
	    { .name = 'b', .size = 64, .base = CFA, .offset = -96 } },
	  "30 read a; 33 modify b; 53 read b" },
	{ AT,
	  "a variable-length array in r12",
	  "55 488d04fd0f000000 4883e0f0 4889e5 4154 53 4889fb 4829c4 4989e4 4c89e7 e800000000 "
	  "4885db 7e27 31c0 31d2 0f1f00 490314c4 4883c001 4839c3 75f3 488d65f0 4889d0 5b 415c 5d "
	  "c3",
	  { { .name = 'a', .size = 0, .base = 12, .offset = 0, .from = 0x1c, .to = 0x3d } },
	  "30 read a" },
	{ AT,
	  "b[i - 1], with the displacement of a[7]",
	  "4881ec80000000 488b44fc38 4881c480000000 c3",
	  { { .name = 'a', .size = 64, .base = CFA, .offset = -136, .row = 8 },
	    { .name = 'b', .size = 64, .base = CFA, .offset = -72, .row = 8 } },
	  "7 read b" },
	{ AT,
	  "b(i, j) of Fortran, with the displacement of b(0, 0), in a",
	  "4881ec80000000 488b44fc18 4881c480000000 c3",
	  { { .name = 'a', .size = 64, .base = CFA, .offset = -136, .row = 8, .origin = 8 },
	    { .name = 'b', .size = 64, .base = CFA, .offset = -72, .row = 32, .origin = 40 } },
	  "7 read b" },
	{ AT,
	  "from -64 up to 0, behind a",
	  "4881ec88000000 48c7c0c0ffffff 48897c0440 4883c008 75f5 4881c488000000 c3",
	  { { .name = 'a', .size = 64, .base = CFA, .offset = -144, .row = 8 },
	    { .name = 'b', .size = 64, .base = CFA, .offset = -80, .row = 8 } },
	  "e write a" },
	{ AT,
	  "one of two variables",
	  "4881ec80000000 4889e0 488d542440 85ff 480f44c2 488b08 4881c480000000 c3",
	  { { .name = 'a', .size = 64, .base = CFA, .offset = -136 },
	    { .name = 'b', .size = 64, .base = CFA, .offset = -72 } },
	  "" },
	{ AT,
	  "a variable, or what a call has returned",
	  "4881ec80000000 4889e0 85ff 7405 e800000000 488b4808 4881c480000000 c3",
	  { { .name = 'a', .size = 64, .base = CFA, .offset = -136 } },
	  "13 read a" },
	{ AT,
	  "a pointer that the compiler keeps in the frame",
	  "4881ec98000000 488d442410 4889442408 e8eaffffff 488b542408 488b0a 4881c498000000 c3",
	  { { .name = 'a', .size = 64, .base = CFA, .offset = -144 } },
	  "1b read a" },
	{ AT,
	  "a pointer that the called function may change",
	  "4881ec98000000 488d442410 4889442408 488d7c2408 e8e5ffffff 488b542408 488b0a "
	  "4881c498000000 c3",
	  { { .name = 'a', .size = 64, .base = CFA, .offset = -144 } },
	  "" },
	{ AT,
	  "two variables in the same memory, in different scopes",
	  "4883ec48 48893cf4 48897cf408 4883c448 c3",
	  { { .name = 'a', .size = 64, .base = CFA, .offset = -80, .to = 8 },
	    { .name = 'b', .size = 64, .base = CFA, .offset = -80, .from = 8 } },
	  "4 write a; 8 write b" },
	{ AT,
	  "two variables in the same memory, in none of the scopes",
	  "4883ec48 48893cf4 48897cf408 4883c448 c3",
	  { { .name = 'a', .size = 64, .base = CFA, .offset = -80, .to = 4 },
	    { .name = 'b', .size = 64, .base = CFA, .offset = -80, .to = 4 } },
	  "" },
	{ AT,
	  "an aligned array of a length that is not known",
	  "55 4889e5 4829fc 488d5c2407 48c1eb03 488904dd00000000 c9 c3",
	  { { .name = 'a', .size = 0, .base = 4, .offset = 0, .from = 7, .to = 12 } },
	  "10 write a" },
	{ AT,
	  "rep movsq",
	  "4881ec88000000 4889e7 b908000000 f348a5 4881c488000000 c3",
	  { { .name = 'a', .size = 64, .base = CFA, .offset = -144 } },
	  "f write a" },
	{ AT,
	  "an aligned frame, relative to rbp",
	  "4c8d542408 4883e4e0 41ff72f8 55 4889e5 4883ec60 0f2944fdb0 c9 498d62f8 c3",
	  { { .name = 'a', .size = 64, .base = 5, .offset = -80, .from = 0x11, .to = 0x1a } },
	  "15 write a" },
	{ AT,
	  "after a jump to an address that is not known",
	  "4881ec88000000 4889e0 ffe2 488b08 4881c488000000 c3",
	  { { .name = 'a', .size = 64, .base = CFA, .offset = -144 } },
	  "c read a" },
	{ AT,
	  "an address of the caller",
	  "4881ec88000000 488b04f7 4881c488000000 c3",
	  { { .name = 'a', .size = 64, .base = CFA, .offset = -144 } },
	  "" },
};

static void finds_variables(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++)
		check_case(&cases[i]);
}
#else
static void finds_variables(void **state)
{
	(void)state;
	(void)check_case;
	skip();
}
#endif
