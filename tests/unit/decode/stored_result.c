/* Where code stores the result of a call, on the machine that memspy is built for; the cases are
 * x86-64's (stored_result_aarch64.c has the others). */
#include "unit/decode/stored_cases.h"

#define AT __LINE__

#if defined(__x86_64__)
static const struct stored_case cases[] = {
	{ AT, "a variable in the frame", "488945c0 c9 c3", "r5-40 stored at 0; returned" },
	{ AT, "a global variable", "4889055a2d0000 c3", "402d61 stored at 0; returned" },
	{ AT, "kept over another call, and a member of what a register points to",
	  "4889ef 4989c4 e8e7ffffff 4c896310 c3", "r12 at 6; r3+10 stored at b" },
	{ AT, "an element of what a variable points to",
	  "8b55ec 4863d2 488d0cd500000000 488b55e0 4801ca 488902 c3",
	  "*(r5-20)+0[] at e; returned" },
	{ AT, "an element of what a register points to", "488904cb c3",
	  "r3[] stored at 0; returned" },
	{ AT, "a member of what a variable points to", "488b55e0 48894210 c3",
	  "*(r5-20)+10 at 0; returned" },
	{ AT, "returned", "4883c408 c3", "returned" },
	{ AT, "tested first, and lost in another call",
	  "4885c0 7405 4889442408 e8a7ffffff 4889442410 c3", "r4+8 stored at 5" },
	{ AT, "a part of it", "8945fc 31c0 c3", "" },
	{ AT, "a distance from it", "4883c010 488945f8 31c0 c3", "" },
};

static void test_places(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++)
		check_case(&cases[i]);
}
#else
static void test_places(void **state)
{
	(void)state;
	(void)check_case;
	skip();
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
