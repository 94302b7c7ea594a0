/* Which code or data a name means. */
#include "unit/sample_run.h"

#include "analysis/summary/select.h"

static const struct {
	const char *name;
	enum ms_summary_match_quality way;
} cases[] = {
	{ "Stack::push", MS_SELECT_EXACT },
	{ "*::push", MS_SELECT_PATTERN },
	{ "clear", MS_SELECT_LAST_WORD },
	{ "cle", MS_SELECT_PART },
	{ "lear", MS_SELECT_PART }, /* no whole word */
	{ "push", MS_SELECT_LAST_WORD },
	{ "pus", MS_SELECT_SEVERAL },
	{ "PUSH", MS_SELECT_LAST_WORD_ANY_CASE },
	{ "MEMC", MS_SELECT_PART_ANY_CASE },
	{ "pop", MS_SELECT_NONE },
	{ "", MS_SELECT_NONE },
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
	assert_int_equal(ms_summary_select(&s.data, &name, 1, chosen, NULL, &err), MS_EUSAGE);
	assert_non_null(strstr(err.text, "Matrix.Y (85.9%), Matrix.Z (8.7%), Matrix.X (5.4%); say "
					 "which"));
	for (size_t i = 0; i < MS_COUNT(chosen); i++)
		assert_false(chosen[i]);
	name = "Y";
	assert_int_equal(ms_summary_select(&s.data, &name, 1, chosen, NULL, &err), MS_OK);
	for (size_t i = 0; i < MS_COUNT(chosen); i++)
		assert_int_equal(chosen[i], i == SAMPLE_Y);
	ms_summary_free(&s);
	ms_run_free(&run);
}

/* Names of data with this last component, of which the sample's Y costs the most, then Z, X. */
static const struct {
	const char *y, *z, *x; /* names of the three */
	const char *name;
	bool is_short; /* it is no copy of a whole name */
	int chosen;    /* -1: refused */
	const char *said;
} ranked[] = {
	{ "int.a", "a", "b", "a", true, SAMPLE_Y,
	  "\"a\" is taken as int.a; it also fits a (8.7%)\n" },
	{ "int.a", "a", "b", "a", false, SAMPLE_Z, "" },
	{ "b", "a", "double.a[][]", "a", true, SAMPLE_Z,
	  "\"a\" is taken as a; it also fits double.a[][] (5.4%)\n" },
	{ "double.K[][]", "double **.K", "double *.K[]", "k", true, SAMPLE_Y,
	  "\"k\" is taken as double.K[][]; it also fits double **.K (8.7%), double *.K[] "
	  "(5.4%)\n" },
	{ "byId (nodes)", "x", "y", "byid", true, SAMPLE_Y, "" },
	{ "ark", "dark", "x", "ark", true, SAMPLE_Y, "" },
	{ "park", "dark", "x", "ark", true, -1, "" },
};

static void costliest_is_taken(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(ranked); i++) {
		struct ms_text remarks = MS_TEXT_INIT;
		bool chosen[8] = { false };
		struct ms_summary s;
		struct ms_err err;
		struct ms_run run;

		sample_run(&run);
		run.data.at[SAMPLE_Y].name = ranked[i].y;
		run.data.at[SAMPLE_Z].name = ranked[i].z;
		run.data.at[SAMPLE_X].name = ranked[i].x;
		assert_int_equal(ms_summary_make(&s, &run, NULL, NULL, NULL), MS_OK);
		int code = ranked[i].is_short ? ms_summary_select_short(&s.data, ranked[i].name,
									chosen, &remarks, &err)
					      : ms_summary_select(&s.data, &ranked[i].name, 1,
								  chosen, &remarks, &err);
		assert_int_equal(code, ranked[i].chosen < 0 ? MS_EUSAGE : MS_OK);
		for (int k = 0; k < (int)MS_COUNT(chosen); k++)
			if (chosen[k] != (k == ranked[i].chosen))
				fail_msg("row %zu: data %d is%s chosen", i, k,
					 chosen[k] ? "" : " not");
		assert_string_equal(ms_text_get(&remarks), ranked[i].said);
		ms_text_free(&remarks);
		ms_summary_free(&s);
		ms_run_free(&run);
	}
}

static void ties_are_listed(void **state)
{
	bool chosen[8] = { false };
	struct ms_summary s;
	struct ms_err err;
	struct ms_run run;

	(void)state;
	sample_run(&run);
	run.data.at[SAMPLE_Y].name = "int.a";
	run.data.at[SAMPLE_Z].name = "long.a";
	assert_int_equal(ms_summary_make(&s, &run, NULL, NULL, NULL), MS_OK);
	/* The same cost. */
	memcpy(s.data.at.at[1].counts.stall, s.data.at.at[0].counts.stall,
	       sizeof(s.data.at.at[0].counts.stall));
	assert_int_equal(ms_summary_select_short(&s.data, "a", chosen, NULL, &err), MS_EUSAGE);
	assert_string_equal(err.text, "\"a\" fits several data: int.a (48.5%), long.a (48.5%); say "
				      "which");
	/* A rule must be for one only, whatever it costs. */
	s.data.at.at[1].counts.stall[0] = 0;
	assert_int_equal(ms_summary_select_short(&s.data, "a", chosen, NULL, &err), MS_OK);
	assert_int_equal(ms_summary_select_only(&s.data, "a", chosen, &err), MS_EUSAGE);
	ms_summary_free(&s);
	ms_run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_mean_one_function),
		cmocka_unit_test(several_are_listed),
		cmocka_unit_test(costliest_is_taken),
		cmocka_unit_test(ties_are_listed),
	};

	return cmocka_run_group_tests_name("analysis select", tests, NULL, NULL);
}
