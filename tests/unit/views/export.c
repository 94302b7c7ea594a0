/* Exports: what other tools read adds up, and names do not break their formats. */
#include "unit/sample_run.h"

#include <stdio.h>

#include "views/export/export.h"

static char *export_of(const struct ms_run *run, const char *name, enum ms_lines_stack_view view)
{
	const struct ms_export_options options = { .view = view };
	const struct ms_export_format *format = ms_export_formats;
	struct ms_lines_points points;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	while (strcmp(format->name, name) != 0)
		format++;
	assert_int_equal(ms_lines_points_make(&points, run, NULL, NULL), MS_OK);
	assert_int_equal(format->write(&points, &options, out, NULL), MS_OK);
	ms_lines_points_free(&points);
	fclose(out);
	return text;
}

static unsigned count(const char *text, const char *part)
{
	unsigned n = 0;

	for (; (text = strstr(text, part)) != NULL; text++)
		n++;
	return n;
}

/* Y is allocated by grow(), which calls itself: main > grow > grow > grow. */
static void recursive_path(struct ms_run *run)
{
	run->frames.n = 0;
	for (uint32_t depth = 0; depth < 3; depth++)
		SAMPLE_ADD(&run->frames,
			   (struct ms_run_frame){ SAMPLE_Y, depth, "grow", "/p.c", 5, "/p", 0x10 });
	SAMPLE_ADD(&run->frames,
		   (struct ms_run_frame){ SAMPLE_Y, 3, "main", "/p.c", 9, "/p", 0x20 });
}

static void callgrind_counts_recursion_once(void **state)
{
	struct ms_run run;

	(void)state;
	sample_run(&run);
	recursive_path(&run);
	char *text = export_of(&run, "callgrind", MS_STACK_DATA);

	/* 97000000 cycles in BlkMultiply and 1087900 in main, in each call on the way. */
	assert_int_equal(count(text, "calls="), 3);
	assert_int_equal(count(text, "calls=1 0\n5 98087900 "), 2); /* to Y, to grow */
	assert_int_equal(count(text, "calls=1 0\n9 98087900 "), 1);
	free(text);
	ms_run_free(&run);
}

static void callgrind_has_a_call_for_each_line(void **state)
{
	struct ms_run run;

	(void)state;
	sample_run(&run);
	char *text = export_of(&run, "callgrind", MS_STACK_DATA);

	/* main calls NewMatrix in lines 41, 42 and 43; NewMatrix allocates all three in line 3. */
	assert_int_equal(count(text, "calls="), 6);
	assert_int_equal(count(text, "calls=1 0\n3 "), 3);
	for (int line = 41; line <= 43; line++) {
		char wanted[32];

		snprintf(wanted, sizeof(wanted), "calls=1 0\n%d ", line);
		assert_int_equal(count(text, wanted), 1);
	}
	free(text);
	ms_run_free(&run);
}

static void collapsed_names_hold_no_separator(void **state)
{
	struct ms_run run;

	(void)state;
	sample_run(&run);
	run.data.at[SAMPLE_Y].name = "list;next";
	run.codes.at[SAMPLE_MULTIPLY].name = "operator;";
	char *text = export_of(&run, "collapsed", MS_STACK_CODE);

	assert_int_equal(count(text, "list;next"), 0);
	assert_true(count(text, "list next") > 0);
	assert_int_equal(count(text, "operator;;"), 0);
	free(text);
	ms_run_free(&run);
}

static void speedscope_keeps_functions_of_one_name_apart(void **state)
{
	struct ms_run run;

	(void)state;
	sample_run(&run);
	run.codes.at[SAMPLE_MULTIPLY] =
		(struct ms_run_code){ "step", "/p", "/src/one.c", 20, 0x10 };
	run.codes.at[SAMPLE_MAIN] = (struct ms_run_code){ "step", "/p", "/src/two.c", 20, 0x20 };
	char *text = export_of(&run, "speedscope", MS_STACK_CODE);

	assert_int_equal(count(text, "\"name\": \"step\""), 2);
	assert_int_equal(count(text, "\"file\": \"/src/one.c\""), 1);
	assert_int_equal(count(text, "\"file\": \"/src/two.c\""), 1);
	free(text);
	ms_run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(callgrind_counts_recursion_once),
		cmocka_unit_test(callgrind_has_a_call_for_each_line),
		cmocka_unit_test(collapsed_names_hold_no_separator),
		cmocka_unit_test(speedscope_keeps_functions_of_one_name_apart),
	};

	return cmocka_run_group_tests_name("views export", tests, NULL, NULL);
}
