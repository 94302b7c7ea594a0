/* Samples in heap blocks that were not recorded: which of them recorded blocks explain. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "hardware/inferred_samples.h"

/* A few samples in other data do not explain hundreds: those are of data without recorded blocks.
 */
static void few_samples_explain_few(void **state)
{
	static const struct {
		uint64_t samples, recorded;
		double stands;
		uint64_t explained;
	} cases[] = {
		{ 400, 40, 400, 400 }, /* a tenth is recorded, and has a tenth of the samples */
		{ 400, 30, 300, 400 }, /* by chance */
		{ 400, 1, 10, 60 },    /* one sample in other data */
		{ 400, 4, 40, 110 },   { 5, 1, 10, 5 }, { 400, 0, 0, 0 }, { 0, 5, 50, 0 },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++)
		assert_int_equal(ms_hardware_explained_samples(cases[i].samples, cases[i].recorded,
							       cases[i].stands),
				 cases[i].explained);
}

/* Blocks near by explain samples only if it may be chance that none was in a recorded one. */
static void many_samples_are_in_some_recorded_block(void **state)
{
	(void)state;
	assert_true(ms_hardware_may_be_unrecorded(5, 10));
	assert_true(ms_hardware_may_be_unrecorded(29, 10));
	assert_false(ms_hardware_may_be_unrecorded(31, 10));
	assert_false(ms_hardware_may_be_unrecorded(400, 20));
	assert_true(ms_hardware_may_be_unrecorded(400, 1000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_samples_explain_few),
		cmocka_unit_test(many_samples_are_in_some_recorded_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
