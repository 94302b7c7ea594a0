/* Which variables on the stack aarch64 code accesses, wherever memspy is built. */
#include "unit/decode/stack_cases.h"

#include "../../../src/decode/stack_addresses.c"

#include "../../../src/decode/aarch64/one.c"
#include "../../../src/decode/stack_blocks.c"
#include "../../../src/decode/stack_values.c"

#define AT __LINE__

static const struct stack_case cases[] = {
	{ AT,
	  "an index, masked and not",
	  "ff0301d1 010080d2 e2030091 1f0000f1 ed000054 1f2003d5 23084092 417823f8 21040091 "
	  "1f0001eb "
	  "81ffff54 010080d2 000080d2 1f2003d5 437861f8 21040091 0000038b 3f2000f1 81ffff54 "
	  "ff030191 "
	  "c0035fd6",
	  { { .name = 'a', .size = 64, .base = CFA, .offset = -64 } },
	  "1c write a; 38 read a" },
	{ AT,
	  "two pointers that advance, and an index",
	  "fd7bb5a9 fd030091 f35301a9 f3c30091 f4c30191 f51300f9 f50300aa e00313aa 00000094 "
	  "e00314aa "
	  "00000094 e30314aa 010080d2 6402018b 21200091 620040f9 840440f9 4200048b 628400f8 "
	  "3fe000f1 "
	  "21ffff54 e00314aa 00000094 e00313aa 00000094 807a75f8 f35341a9 f51340f9 fd7bcba8 "
	  "c0035fd6",
	  { { .name = 'a', .size = 64, .base = CFA, .offset = -128 },
	    { .name = 'b', .size = 64, .base = CFA, .offset = -64 } },
	  "3c read b; 40 read a; 48 write b; 64 read b" },
	{ AT,
	  "a variable-length array in x20",
	  "fd7bbea9 fd030091 f35301a9 f30300aa 00f07dd3 003c0091 00ec7c92 ff6320cb f4030091 "
	  "e00314aa "
	  "00000094 7f0200f1 ad010054 010080d2 000080d2 1f2003d5 827a61f8 21040091 0000028b "
	  "7f0201eb "
	  "81ffff54 bf030091 f35341a9 fd7bc2a8 c0035fd6",
	  { { .name = 'a', .size = 0, .base = 20, .offset = 0, .from = 0x24, .to = 0x54 } },
	  "40 read a" },
	{ AT,
	  "b[i - 1], with the address of a[7]",
	  "ff0302d1 e1e30091 207860f8 ff030291 c0035fd6",
	  { { .name = 'a', .size = 64, .base = CFA, .offset = -128, .row = 8 },
	    { .name = 'b', .size = 64, .base = CFA, .offset = -64, .row = 8 } },
	  "8 read b" },
	{ AT,
	  "one of two variables",
	  "ff0302d1 e1030091 e2030191 1f0000f1 2100829a 200040f9 ff030291 c0035fd6",
	  { { .name = 'a', .size = 64, .base = CFA, .offset = -128 },
	    { .name = 'b', .size = 64, .base = CFA, .offset = -64 } },
	  "" },
	{ AT,
	  "a variable, or what a call has returned",
	  "fd7bb6a9 e0830091 410000b4 fdffff97 020440f9 fd7bcaa8 c0035fd6",
	  { { .name = 'a', .size = 64, .base = CFA, .offset = -128 } },
	  "10 read a" },
	{ AT,
	  "a pointer that the compiler keeps in the frame",
	  "fd7bb6a9 e1830091 e10f00f9 fdffff97 e20f40f9 400040f9 fd7bcaa8 c0035fd6",
	  { { .name = 'a', .size = 64, .base = CFA, .offset = -128 } },
	  "14 read a" },
	{ AT,
	  "two of them",
	  "fd7bb6a9 e1830091 e2830191 e10b01a9 fcffff97 e31341a9 600000f9 800400f9 fd7bcaa8 "
	  "c0035fd6",
	  { { .name = 'a', .size = 64, .base = CFA, .offset = -128 },
	    { .name = 'b', .size = 64, .base = CFA, .offset = -64 } },
	  "18 write a; 1c write b" },
	{ AT,
	  "an aligned frame",
	  "fd7bbfa9 fd030091 e9c301d1 3fe97b92 e007803d bf030091 fd7bc1a8 c0035fd6",
	  { { .name = 'a', .size = 64, .base = 31, .offset = 16, .from = 0x10, .to = 0x14 } },
	  "10 write a" },
	{ AT,
	  "a 32-bit index",
	  "ff0302d1 e0db21b8 ff030291 c0035fd6",
	  { { .name = 'a', .size = 128, .base = CFA, .offset = -128 } },
	  "4 write a" },
	{ AT,
	  "a member of structures",
	  "ff0302d1 e2030091 23ec7cd3 4300038b 602400f9 ff030291 c0035fd6",
	  { { .name = 'a', .size = 64, .base = CFA, .offset = -128 },
	    { .name = 'b', .size = 64, .base = CFA, .offset = -64, .row = 16 } },
	  "10 write b" },
};

static void finds_variables(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++)
		check_case(&cases[i]);
}
