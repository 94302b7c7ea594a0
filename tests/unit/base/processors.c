/* Which processors are ours: as the process may run on, and as a container's share allows. */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/processors.h"

static void bound_to_one(void **state)
{
	cpu_set_t before, one;
	int cpu = 0;

	(void)state;
	if (sched_getaffinity(0, sizeof(before), &before) != 0)
		skip(); /* a machine of more processors than fit */
	while (!CPU_ISSET(cpu, &before))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	assert_in_range(ms_processors_allowed(), 1, CPU_COUNT(&before));
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	assert_int_equal(ms_processors_allowed(), 1);
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
}

static void shares_of_containers(void **state)
{
	static const struct {
		const char *text;
		unsigned worth;
	} cases[] = {
		{ "200000 100000\n", 2 },
		{ "150000 100000\n", 2 },
		{ "1000 100000\n", 1 },
		{ "max 100000\n", 0 },
		{ "", 0 },
		{ "100000", 0 },
		{ "0 100000", 0 },
		{ "5 0", 0 },
		{ "18446744073709551615 1", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (ms_processors_quota(cases[i].text) != cases[i].worth)
			fail_msg("%s: %u", cases[i].text, ms_processors_quota(cases[i].text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bound_to_one),
		cmocka_unit_test(shares_of_containers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
