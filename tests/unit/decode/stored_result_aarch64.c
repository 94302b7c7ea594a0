/* Where aarch64 code stores the result of a call, wherever memspy is built. */
#include "unit/decode/stored_cases.h"

#include "../../../src/decode/stored_result.c"

#include "../../../src/decode/aarch64/one.c"

#define AT __LINE__

static const struct stored_case cases[] = {
	{ AT, "a variable in the frame", "e01700f9 e03f40b9 c0035fd6", "r31+28 stored at 0" },
	{ AT, "a global variable", "010000d0 200400f9 c0035fd6", "402008 stored at 4; returned" },
	{ AT, "a global variable, from another register",
	  "f30300aa 010000d0 21400091 330000f9 fd7bc2a8 c0035fd6",
	  "r19 at 4; 402010 stored at c; returned" },
	{ AT, "an element of what a variable points to",
	  "f40300aa e10f40f9 e21740b9 210c028b 340000f9 c0035fd6",
	  "r20 at 4; *(r31+18)+0[] at 4; returned" },
	{ AT, "an element of what a register points to", "607a34f8 c0035fd6",
	  "r19[] stored at 0; returned" },
	{ AT, "a member of what a variable points to",
	  "e10300aa e00f40f9 010800f9 e00f40f9 c0035fd6", "r1 at 4; *(r31+18)+10 at 4" },
	{ AT, "returned", "fd7bc2a8 c0035fd6", "returned" },
	{ AT, "tested first, and lost in another call",
	  "400000b4 a00a00f9 fcffff97 a00e00f9 c0035fd6", "r21+10 stored at 4" },
	{ AT, "one of a pair", "e10301a9 c0035fd6", "r31+18 stored at 0; returned" },
};

static void test_places(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++)
		check_case(&cases[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
