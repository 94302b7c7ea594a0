/* Hints appear where names or source lines are vague, say what to do, and nowhere else. */
#include "unit/sample_run.h"

#include "analysis/hints/hints.h"

/* The hints of a run, a line each; in memory of the run. */
static const char *hints_of(struct ms_run *run)
{
	const char *hints[MS_HINTS_MOST];
	struct ms_text text = MS_TEXT_INIT;
	struct ms_summary s;

	assert_int_equal(ms_summary_make(&s, run, NULL, NULL, NULL), MS_OK);
	size_t n = ms_hints_find(&s, &run->arena, hints);
	for (size_t i = 0; i < n; i++)
		ms_text_addf(&text, "%s\n", hints[i]);
	const char *all = ms_arena_strdup(&run->arena, ms_text_get(&text));
	ms_text_free(&text);
	ms_summary_free(&s);
	return all;
}

static void forget_sources(struct ms_run *run)
{
	for (size_t i = 0; i < run->codes.n; i++)
		run->codes.at[i].file = NULL;
}

/* memcpy has no source file, and is of the C library. */
static void a_program_with_debug_information_has_no_hint(void **state)
{
	struct ms_run run;

	(void)state;
	sample_run(&run);
	assert_string_equal(hints_of(&run), "");
	ms_run_free(&run);
}

static void without_debug_information_the_hint_names_the_program(void **state)
{
	struct ms_run run;

	(void)state;
	sample_run(&run);
	forget_sources(&run);
	assert_string_equal(hints_of(&run),
			    "matmul has no debug information: source lines are not known, and data "
			    "is named by symbol or allocation call path. Build it with -g, or "
			    "install its debug symbols.\n");
	ms_run_free(&run);
}

static void a_stripped_program_has_a_hint_of_its_own(void **state)
{
	struct ms_run run;

	(void)state;
	sample_run(&run);
	forget_sources(&run);
	for (size_t i = 0; i < run.codes.n; i++)
		run.codes.at[i].name = ms_arena_printf(&run.arena, "matmul+0x%zx", i);
	assert_non_null(strstr(hints_of(&run), "matmul is stripped: "));
	assert_non_null(strstr(hints_of(&run), "without -s or strip"));
	ms_run_free(&run);
}

/* Code of just-in-time compilers is in no file that could be built again. */
static void code_that_is_in_no_file_has_no_hint(void **state)
{
	struct ms_run run;

	(void)state;
	sample_run(&run);
	forget_sources(&run);
	for (size_t i = 0; i < run.codes.n; i++)
		run.codes.at[i].module = "[jit]";
	assert_string_equal(hints_of(&run), "");
	ms_run_free(&run);
}

/* A function in assembly language of a program with debug information. */
static void a_few_functions_without_source_lines_have_no_hint(void **state)
{
	struct ms_run run;

	(void)state;
	sample_run(&run);
	run.codes.at[SAMPLE_CLEAR].file = NULL;
	assert_string_equal(hints_of(&run), "");
	ms_run_free(&run);
}

/* Matrix.Y has 85 % of the stall time. */
static void make_byte_block(struct ms_run *run, const char *type)
{
	sample_run(run);
	run->data.at[SAMPLE_Y].type = type;
}

static void a_byte_block_with_most_of_the_stall_leads_to_malloc(void **state)
{
	static const char *const types[] = { "char", "unsigned char", "std::byte" };
	struct ms_run run;

	(void)state;
	for (size_t i = 0; i < MS_COUNT(types); i++) {
		make_byte_block(&run, types[i]);
		assert_non_null(strstr(hints_of(&run), "Matrix.Y, memory of type "));
		assert_non_null(strstr(hints_of(&run), "--malloc FUNCTION"));
		assert_non_null(strstr(hints_of(&run), "memspy.h"));
		ms_run_free(&run);
	}
}

static void small_or_static_bytes_have_no_hint(void **state)
{
	struct ms_run run;

	(void)state;
	make_byte_block(&run, "char");
	run.data.at[SAMPLE_Y].largest = 65535;
	assert_string_equal(hints_of(&run), "");
	run.data.at[SAMPLE_Y].largest = 65536;
	assert_string_not_equal(hints_of(&run), "");
	run.data.at[SAMPLE_Y].kind = MS_DATA_STATIC;
	assert_string_equal(hints_of(&run), "");
	ms_run_free(&run);
}

/* Matrix.X has less than half. */
static void a_byte_block_with_little_of_the_stall_has_no_hint(void **state)
{
	struct ms_run run;

	(void)state;
	sample_run(&run);
	run.data.at[SAMPLE_X].type = "char";
	assert_string_equal(hints_of(&run), "");
	ms_run_free(&run);
}

/* On average `busy` of four processors; half of the time is stall. */
static void make_parallel(struct ms_run *run, double busy)
{
	struct ms_summary s;

	sample_run(run);
	run->processors = 4;
	run->ipc_milli = 4000;
	assert_int_equal(ms_summary_make(&s, run, NULL, NULL, NULL), MS_OK);
	SAMPLE_ADD(&run->line_times,
		   (struct ms_run_line_time){
			   .instructions = 1000,
			   .weighted = (double)(s.total.counts.compute +
						ms_summary_rw_sum(s.total.counts.stall)) /
				       busy });
	ms_summary_free(&s);
}

static void programs_that_keep_one_processor_busy_are_simulated_on_one(void **state)
{
	struct ms_run run;

	(void)state;
	make_parallel(&run, 1.02);
	assert_non_null(strstr(hints_of(&run), "4 processors are simulated, but on average 1.0 "
					       "were busy"));
	assert_non_null(strstr(hints_of(&run), "--processors 1"));
	ms_run_free(&run);
	make_parallel(&run, 1.5);
	assert_string_equal(hints_of(&run), "");
	ms_run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_with_debug_information_has_no_hint),
		cmocka_unit_test(without_debug_information_the_hint_names_the_program),
		cmocka_unit_test(a_stripped_program_has_a_hint_of_its_own),
		cmocka_unit_test(code_that_is_in_no_file_has_no_hint),
		cmocka_unit_test(a_few_functions_without_source_lines_have_no_hint),
		cmocka_unit_test(a_byte_block_with_most_of_the_stall_leads_to_malloc),
		cmocka_unit_test(small_or_static_bytes_have_no_hint),
		cmocka_unit_test(a_byte_block_with_little_of_the_stall_has_no_hint),
		cmocka_unit_test(programs_that_keep_one_processor_busy_are_simulated_on_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
