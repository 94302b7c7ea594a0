/* Of lines that were used between windows only: which share a cache has evicted. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "estimate/evicted_share.h"

/* A cache that has room for all lines evicts none, whatever conflicts windows have seen. */
static void a_cache_with_room_evicts_none(void **state)
{
	const struct ms_estimate_seen_before seen = { .accesses = 1000, .evicted = 900 };

	(void)state;
	assert_true(ms_estimate_evicted_share(&seen, 1000, 1000) == 0);
}

/* Windows reuse lines while they are in the cache: the other lines were used recently, too. With
 * uniform reuse only the number of the program's lines would matter, and 0.9 of them be evicted. */
static void reuse_in_windows_shows_locality(void **state)
{
	const struct ms_estimate_seen_before local = { .accesses = 100000, .evicted = 0 };
	const struct ms_estimate_seen_before streams = { .accesses = 100000, .evicted = 100000 };

	(void)state;
	assert_true(ms_estimate_evicted_share(&local, 1000, 10000) < 0.25);
	assert_true(ms_estimate_evicted_share(&streams, 1000, 10000) > 0.95);
}

static void without_such_lines_reuse_is_uniform(void **state)
{
	const struct ms_estimate_seen_before none = { 0 };

	(void)state;
	assert_true(fabs(ms_estimate_evicted_share(&none, 1000, 10000) - 0.9) < 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cache_with_room_evicts_none),
		cmocka_unit_test(reuse_in_windows_shows_locality),
		cmocka_unit_test(without_such_lines_reuse_is_uniform),
	};

	return cmocka_run_group_tests_name("collect evicted share", tests, NULL, NULL);
}
