/* Which code or data a name means. */
#include "unit/sample_run.h"

#include "analysis/summary/select.h"

static const struct {
	const char *name;
	enum ms_summary_match_quality way;
} cases[] = {
	{ "Stack::push", MS_SELECT_EXACT }, { "*::push", MS_SELECT_PATTERN },
	{ "clear", MS_SELECT_LAST_WORD },   { "cle", MS_SELECT_PART },
	{ "lear", MS_SELECT_PART }, /* no whole word */
	{ "push", MS_SELECT_SEVERAL },      { "pus", MS_SELECT_SEVERAL },
	{ "pop", MS_SELECT_NONE },          { "", MS_SELECT_NONE },
};

static void names_mean_one_function(void **state)
{
	static const char *const names[] = { "Stack::push", "Queue::push", "Stack::clear",
					     "memcpy" };
	struct ms_summary s;
	struct ms_run run;

	(void)state;
	sample_run(&run);
	for (size_t i = 0; i < MS_COUNT(names); i++)
		run.codes.at[i].name = names[i];
	assert_int_equal(ms_summary_make(&s, &run, NULL, NULL, NULL), MS_OK);
	for (size_t i = 0; i < MS_COUNT(cases); i++)
		if (ms_summary_match_quality(&s.code, cases[i].name) != cases[i].way)
			fail_msg("\"%s\" is chosen in way %d, expected %d", cases[i].name,
				 (int)ms_summary_match_quality(&s.code, cases[i].name),
				 (int)cases[i].way);
	ms_summary_free(&s);
	ms_run_free(&run);
}

static void several_are_listed(void **state)
{
	const char *name = "Matrix";
	bool chosen[8] = { false };
	struct ms_summary s;
	struct ms_err err;
	struct ms_run run;

	(void)state;
	sample_run(&run);
	assert_int_equal(ms_summary_make(&s, &run, NULL, NULL, NULL), MS_OK);
	assert_int_equal(ms_summary_select(&s.data, &name, 1, chosen, &err), MS_EUSAGE);
	assert_non_null(strstr(err.text, "Matrix.Y, Matrix.Z, Matrix.X; say which"));
	for (size_t i = 0; i < MS_COUNT(chosen); i++)
		assert_false(chosen[i]);
	name = "Y";
	assert_int_equal(ms_summary_select(&s.data, &name, 1, chosen, &err), MS_OK);
	for (size_t i = 0; i < MS_COUNT(chosen); i++)
		assert_int_equal(chosen[i], i == SAMPLE_Y);
	ms_summary_free(&s);
	ms_run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_mean_one_function),
		cmocka_unit_test(several_are_listed),
	};

	return cmocka_run_group_tests_name("analysis select", tests, NULL, NULL);
}
