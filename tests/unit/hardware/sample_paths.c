/* Call paths of samples: contexts of calls, recursion, their limit, the context of the next sample.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "hardware/sample_paths.h"

static struct ms_bins_bound_pc pc_at(uint64_t offset)
{
	return (struct ms_bins_bound_pc){ .module = 1, .offset = offset };
}

static void equal_calls_have_one_context(void **state)
{
	struct ms_hardware_paths p = { .are_known = false };

	(void)state;
	uint32_t outer = ms_hardware_add_call(&p, MS_PATH_ROOT, pc_at(0x10));
	uint32_t inner = ms_hardware_add_call(&p, outer, pc_at(0x20));

	assert_true(p.are_known);
	assert_int_equal(outer, MS_PATH_CALL);
	assert_int_not_equal(inner, outer);
	assert_int_equal(ms_hardware_add_call(&p, MS_PATH_ROOT, pc_at(0x10)), outer);
	assert_int_equal(ms_hardware_add_call(&p, outer, pc_at(0x20)), inner);
	assert_int_not_equal(ms_hardware_add_call(&p, MS_PATH_ROOT, pc_at(0x20)), inner);
	assert_int_equal(p.contexts.at[inner].parent, outer);
	ms_hardware_paths_close(&p);
}

static void recursion_has_the_outermost_context(void **state)
{
	struct ms_hardware_paths p = { .are_known = false };
	uint32_t first = ms_hardware_add_call(&p, MS_PATH_ROOT, pc_at(0x10));
	uint32_t second = ms_hardware_add_call(&p, first, pc_at(0x20));

	(void)state;
	assert_int_equal(ms_hardware_add_call(&p, second, pc_at(0x10)), first);
	assert_int_equal(ms_hardware_add_call(&p, second, pc_at(0x20)), second);
	ms_hardware_paths_close(&p);
}

static void contexts_are_limited(void **state)
{
	struct ms_hardware_paths p = { .are_known = false };
	uint32_t last = MS_PATH_ROOT;

	(void)state;
	for (uint32_t i = MS_PATH_CALL; i < MS_HARDWARE_MAX_CONTEXTS; i++)
		last = ms_hardware_add_call(&p, MS_PATH_ROOT, pc_at(i));
	assert_int_equal(last, MS_HARDWARE_MAX_CONTEXTS - 1);
	assert_int_equal(ms_hardware_add_call(&p, last, pc_at(0)), MS_PATH_OTHER);
	assert_int_equal(ms_hardware_add_call(&p, MS_PATH_OTHER, pc_at(MS_PATH_CALL)),
			 MS_PATH_OTHER);
	assert_int_equal(ms_hardware_add_call(&p, MS_PATH_ROOT, pc_at(MS_PATH_CALL)), MS_PATH_CALL);
	assert_int_equal(p.contexts.n, MS_HARDWARE_MAX_CONTEXTS);
	ms_hardware_paths_close(&p);
}

static void a_context_is_taken_once(void **state)
{
	struct ms_hardware_paths p = { .are_known = false };

	(void)state;
	assert_int_equal(ms_hardware_take_context(&p, 3), MS_PATH_ROOT);
	ms_hardware_set_context(&p, 3, 7);
	assert_int_equal(ms_hardware_take_context(&p, 2), MS_PATH_ROOT);
	assert_int_equal(ms_hardware_take_context(&p, 3), 7);
	assert_int_equal(ms_hardware_take_context(&p, 3), MS_PATH_ROOT);
	ms_hardware_paths_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_calls_have_one_context),
		cmocka_unit_test(recursion_has_the_outermost_context),
		cmocka_unit_test(contexts_are_limited),
		cmocka_unit_test(a_context_is_taken_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
