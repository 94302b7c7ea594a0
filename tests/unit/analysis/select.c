/* Which code or data a name means. */
#include "unit/sample_run.h"

#include "analysis/summary/name_match.h"
#include "analysis/summary/select.h"

/* The ways in which a word fits a name, the best first. */
static ms_summary_match_function *const ways[] = {
	ms_summary_is_exactly,   ms_summary_is_like,
	ms_summary_is_last_word, ms_summary_is_last_word_any_case,
	ms_summary_has_end_like, ms_summary_has_end_like_any_case,
	ms_summary_is_part,      ms_summary_is_part_any_case,
};
enum { EXACT, PATTERN, LAST_WORD, ANY_CASE, END_LIKE, END_ANY_CASE, PART, PART_ANY_CASE, NONE };

static const struct {
	const char *name;
	const char *word;
	size_t way;
} fits[] = {
	{ "Stack::push", "Stack::push", EXACT },
	{ "Stack::push", "=Stack::push", EXACT },
	{ "Stack::push", "=push", NONE },
	{ "Stack::push", "*::push", PATTERN },
	{ "double.Matrix.Y", "Matrix.*", END_LIKE },
	{ "double.Matrix.Y", "matrix.?", END_ANY_CASE },
	{ "double.Matrix.Y", "trix.*", NONE }, /* no whole component */
	{ "int *.K[]", "K[]", LAST_WORD },
	{ "array_new (a.so) < Matrix.f", "Matrix.*", NONE }, /* its caller */
	{ "Stack::push(int)", "push", LAST_WORD },
	{ "Stack::push", "PUSH", ANY_CASE },
	{ "Stack::push", "pus", PART },
	{ "Stack::clear", "lear", PART }, /* no whole word */
	{ "memcpy", "MEMC", PART_ANY_CASE },
	{ "memcpy", "pop", NONE },
	{ "double.K[][]", "K", LAST_WORD },
	{ "char *.key[1]", "key", LAST_WORD },
	{ "stream[.dynsym]", "stream", PART }, /* a section */
	{ "__memset_avx2_unaligned_erms", "memset", LAST_WORD },
	{ "__memset_zva64", "memset", LAST_WORD },
	{ "__GI_memcpy", "memcpy", LAST_WORD },
	{ "__GI___libc_malloc", "malloc", LAST_WORD },
	{ "__memset_zva64", "mem", PART },
	{ "__memset_zva64", "__memset", PART },
};

static void words_fit_names(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(fits); i++) {
		size_t way = 0;

		while (way < MS_COUNT(ways) && !ways[way](fits[i].name, fits[i].word))
			way++;
		if (way != fits[i].way)
			fail_msg("\"%s\" fits \"%s\" in way %zu, expected %zu", fits[i].word,
				 fits[i].name, way, fits[i].way);
	}
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
	int chosen; /* -1: refused */
	const char *said;
} ranked[] = {
	{ "int.a", "a", "b", "a", SAMPLE_Y, "\"a\" is taken as int.a; it also fits a (8.7%)\n" },
	{ "int.a", "a", "b", "=a", SAMPLE_Z, "" },
	{ "int.a", "a", "b", "int.a", SAMPLE_Y, "" },
	{ "b", "a", "double.a[][]", "a", SAMPLE_Z,
	  "\"a\" is taken as a; it also fits double.a[][] (5.4%)\n" },
	{ "double.K[][]", "double **.K", "double *.K[]", "k", SAMPLE_Y,
	  "\"k\" is taken as double.K[][]; it also fits double **.K (8.7%), double *.K[] "
	  "(5.4%)\n" },
	{ "byId (nodes)", "x", "y", "byid", SAMPLE_Y, "" },
	{ "ark", "dark", "x", "ark", SAMPLE_Y, "" },
	{ "park", "dark", "x", "ark", -1, "" },
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
		int code = ms_summary_select(&s.data, &ranked[i].name, 1, chosen, &remarks, &err);
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
	const char *const name = "a";
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
	assert_int_equal(ms_summary_select(&s.data, &name, 1, chosen, NULL, &err), MS_EUSAGE);
	assert_string_equal(err.text, "\"a\" fits several data: int.a (48.5%), long.a (48.5%); say "
				      "which");
	/* What is called exactly so, if it costs as much as the others. */
	s.data.at.at[1].name = "a";
	assert_int_equal(ms_summary_select(&s.data, &name, 1, chosen, NULL, &err), MS_OK);
	assert_true(chosen[SAMPLE_Z] && !chosen[SAMPLE_Y]);
	s.data.at.at[1].name = "long.a";
	/* A rule must be for one only, whatever it costs. */
	s.data.at.at[1].counts.stall[0] = 0;
	assert_int_equal(ms_summary_select(&s.data, &name, 1, chosen, NULL, &err), MS_OK);
	assert_int_equal(ms_summary_select_only(&s.data, "a", chosen, &err), MS_EUSAGE);
	ms_summary_free(&s);
	ms_run_free(&run);
}

/* Of data and code that a word fits equally well, the costlier is meant. */
static void costlier_of_data_and_code(void **state)
{
	struct ms_text remarks = MS_TEXT_INIT;
	bool is_code = true;
	struct ms_summary s;
	struct ms_err err;
	struct ms_run run;

	(void)state;
	sample_run(&run);
	run.data.at[SAMPLE_Y].name = "int.table";
	assert_int_equal(ms_summary_make(&s, &run, NULL, NULL, NULL), MS_OK);
	s.code.at.at[1].name = "table"; /* the second of the functions: it waits less */
	assert_int_equal(
		ms_summary_select_either(&s.data, &s.code, "table", &is_code, &remarks, &err),
		MS_OK);
	assert_false(is_code);
	assert_string_equal(remarks.at, "\"table\" is taken as data; it is also the code table "
					"(1.9%): --code says so\n");
	memcpy(s.code.at.at[1].counts.stall, s.data.at.at[0].counts.stall,
	       sizeof(s.data.at.at[0].counts.stall));
	assert_int_equal(ms_summary_select_either(&s.data, &s.code, "table", &is_code, NULL, &err),
			 MS_EUSAGE);
	ms_text_free(&remarks);
	ms_summary_free(&s);
	ms_run_free(&run);
}

/* A name in a printed command finds just what it is the name of. */
static void names_in_commands(void **state)
{
	struct ms_text text = MS_TEXT_INIT;
	struct ms_run run;

	(void)state;
	sample_run(&run);
	run.data.at[SAMPLE_Y].name = "int.a";
	run.data.at[SAMPLE_Z].name = "a";
	ms_summary_add_data_word(&text, &run, "a");
	ms_text_add(&text, " ");
	ms_summary_add_data_word(&text, &run, "int.a");
	ms_text_add(&text, " ");
	ms_summary_add_code_word(&text, &run, "main");
	assert_string_equal(text.at, "=a int.a main");
	ms_text_free(&text);
	ms_run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_fit_names),           cmocka_unit_test(several_are_listed),
		cmocka_unit_test(costliest_is_taken),        cmocka_unit_test(ties_are_listed),
		cmocka_unit_test(costlier_of_data_and_code), cmocka_unit_test(names_in_commands),
	};

	return cmocka_run_group_tests_name("analysis select", tests, NULL, NULL);
}
