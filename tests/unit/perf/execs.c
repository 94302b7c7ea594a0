/* perf: when a process became the program, and when another one, in whatever order records arrive.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "perf/execs.h"

static struct ms_perf_execs read_in_order(const uint64_t *times, size_t n)
{
	struct ms_perf_execs execs = { 0 };

	for (size_t i = 0; i < n; i++)
		ms_perf_execs_record(&execs, times[i]);
	return execs;
}

static void test_one_program(void **state)
{
	(void)state;
	const uint64_t times[] = { 100 };
	struct ms_perf_execs execs = read_in_order(times, 1);

	assert_false(ms_perf_execs_is_other(&execs, 99));
	assert_false(ms_perf_execs_is_other(&execs, 100));
	assert_false(ms_perf_execs_is_other(&execs, UINT64_MAX));
}

static void test_any_order(void **state)
{
	(void)state;
	static const uint64_t orders[][3] = { { 100, 200, 300 }, { 100, 300, 200 },
					      { 200, 100, 300 }, { 200, 300, 100 },
					      { 300, 100, 200 }, { 300, 200, 100 } };

	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
		for (size_t n = 2; n <= 3; n++) {
			struct ms_perf_execs execs = read_in_order(orders[i], n);
			uint64_t least = orders[i][0] < orders[i][1] ? orders[i][0] : orders[i][1];
			uint64_t second = n == 3 ? 200 : orders[i][0] + orders[i][1] - least;

			assert_false(ms_perf_execs_is_other(&execs, second - 1));
			assert_true(ms_perf_execs_is_other(&execs, second));
		}
}

static void test_begun_before(void **state)
{
	(void)state;
	struct ms_perf_execs execs = { .begun = true };

	assert_false(ms_perf_execs_is_other(&execs, 100));
	ms_perf_execs_record(&execs, 100);
	assert_true(ms_perf_execs_is_other(&execs, 100));
	assert_false(ms_perf_execs_is_other(&execs, 99));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_program),
		cmocka_unit_test(test_any_order),
		cmocka_unit_test(test_begun_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
