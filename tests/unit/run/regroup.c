/* run: data, lines and code of a run that become one. */
#include "unit/sample_run.h"

#include "run/fields.h"
#include "run/regroup.h"

static uint64_t references(const struct ms_run *run, const char *data)
{
	uint64_t n = 0;

	for (size_t i = 0; i < run->cells.n; i++)
		if (strcmp(run->data.at[run->cells.at[i].data].name, data) == 0)
			n += run->cells.at[i].references;
	return n;
}

static uint64_t all_references(const struct ms_run *run)
{
	uint64_t n = 0;

	for (size_t i = 0; i < run->cells.n; i++)
		n += run->cells.at[i].references;
	return n;
}

static const struct ms_run_occupancy *occupancy(const struct ms_run *run, const char *data)
{
	for (size_t i = 0; i < run->occupancy.n; i++)
		if (run->occupancy.at[i].level == 0 &&
		    strcmp(run->data.at[run->occupancy.at[i].data].name, data) == 0)
			return &run->occupancy.at[i];
	fail_msg("%s is in no cache", data);
	return NULL;
}

/* X and the stack join Y. */
static void data_becomes_one(void **state)
{
	const uint32_t to[] = {
		SAMPLE_Y, SAMPLE_Z, SAMPLE_Y, SAMPLE_Y, SAMPLE_FREED, SAMPLE_COUNTER
	};
	struct ms_err err;
	struct ms_run run;

	(void)state;
	sample_run(&run);
	uint64_t all = all_references(&run);
	uint64_t joined = references(&run, "Matrix.Y") + references(&run, "Matrix.X") +
			  references(&run, "<stack>");
	ms_run_regroup(&run, &(struct ms_run_groups){ .data = to });
	assert_int_equal(ms_run_check(&run, &err), MS_OK);
	assert_int_equal(run.data.n, 4);
	assert_int_equal(references(&run, "Matrix.Y"), joined);
	assert_int_equal(all_references(&run), all);
	/* The peaks of 500, 300 and 16 lines were at different times: there are 512. */
	assert_int_equal(occupancy(&run, "Matrix.Y")->peak, 512);
	assert_int_equal(occupancy(&run, "Matrix.Y")->lines, 440 + 64 + 4);
	/* What was allocated in several ways has no call path. */
	for (size_t i = 0; i < run.frames.n; i++)
		assert_string_equal(run.data.at[run.frames.at[i].data].name, "Matrix.Z");
	assert_int_equal(run.frames.n, 2);
	ms_run_free(&run);
}

static void lines_become_one(void **state)
{
	const uint32_t to[] = { 0, 0, 2, 3, 4 };
	struct ms_err err;
	struct ms_run run;

	(void)state;
	sample_run(&run);
	ms_run_regroup(&run, &(struct ms_run_groups){ .lines = to });
	assert_int_equal(ms_run_check(&run, &err), MS_OK);
	assert_int_equal(run.lines.n, 4);
	assert_int_equal(run.lines.at[0].instructions, 5000000 + 45000000);
	assert_int_equal(run.lines.at[1].instructions, 8000000);
	ms_run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(data_becomes_one),
		cmocka_unit_test(lines_become_one),
	};

	return cmocka_run_group_tests_name("run regroup", tests, NULL, NULL);
}
