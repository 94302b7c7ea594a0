/* The table writer, and the width of texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"

static char *text;
static size_t size;

static struct ms_table start(enum ms_table_mode mode, size_t width, bool colour)
{
	struct ms_table t;

	ms_table_open(&t, open_memstream(&text, &size), mode, width, colour);
	return t;
}

static void expect(struct ms_table *t, const char *wanted)
{
	FILE *out = t->out;

	ms_table_close(t);
	fclose(out);
	assert_string_equal(text, wanted);
	free(text);
}

static void fill(struct ms_table *t)
{
	ms_table_column(t, (struct ms_table_column){ "Name", "name", false, 6, MS_CUT_START });
	ms_table_column(t, (struct ms_table_column){ "Count", "count", true, 0, MS_CUT_END });
	ms_table_column(t, (struct ms_table_column){ "Size", "size", true, 0, MS_CUT_END });
	ms_table_column(t, (struct ms_table_column){ "%", "share", true, 0, MS_CUT_END });
	ms_table_column(t, (struct ms_table_column){ "Note", "note", false, 4, MS_CUT_END });
	ms_table_text(t, "Matrix.\"Y\"");
	ms_table_count(t, 12880000);
	ms_table_size(t, 32768);
	ms_table_share(t, 855, 0.8549);
	ms_table_text(t, "one, two");
	ms_table_text(t, "gr\xc3\xbc\xc3\x9f");
	ms_table_none(t);
	ms_table_size(t, 5);
	ms_table_real(t, NAN, 1);
	ms_table_text(t, NULL);
}

static void test_text(void **state)
{
	struct ms_table t = start(MS_TABLE_TEXT, 0, false);

	(void)state;
	fill(&t);
	expect(&t, "Name        Count    Size     %  Note\n"
		   "Matrix.\"Y\"  12.9M  32 KiB  85.5  one, two\n"
		   "gr\xc3\xbc\xc3\x9f            -     5 B     -\n");
}

static void test_narrow_text(void **state)
{
	struct ms_table t = start(MS_TABLE_TEXT, 34, false);

	(void)state;
	fill(&t);
	expect(&t, "Name    Count    Size     %  Note\n"
		   "\xe2\x80\xa6x.\"Y\"  12.9M  32 KiB  85.5  one,\xe2\x80\xa6\n"
		   "gr\xc3\xbc\xc3\x9f        -     5 B     -\n");
}

static void test_dropped_columns(void **state)
{
	struct ms_table t = start(MS_TABLE_TEXT, 13, false);

	(void)state;
	for (int i = 0; i < 4; i++) {
		static const char *const heads[] = { "aaaa", "bbbb", "cccc", "dddd" };

		ms_table_column(
			&t, (struct ms_table_column){ heads[i], heads[i], false, 0, MS_CUT_END });
		ms_table_may_drop(&t, (unsigned[]){ 0, 2, 1, 3 }[i]);
	}
	for (int i = 0; i < 4; i++)
		ms_table_count(&t, (uint64_t)i);
	expect(&t, "aaaa  cccc\n0     2\n");
}

/* Heads that are equal when shortened are numbered, and listed in full; others are not. */
static void test_alike(void **state)
{
	static const struct {
		const char *head;
		enum ms_utf8_cut cut;
	} columns[] = { { "grow (a.c:7) < main", MS_CUT_END },
			{ "Matrix.Y", MS_CUT_START },
			{ "grow (a.c:7) < work", MS_CUT_END },
			{ "shrink (a.c:9) < main", MS_CUT_END },
			{ "x", MS_CUT_END },
			{ "std::vector<double>.ys", MS_CUT_START },
			{ "std::list<double>.ys", MS_CUT_START } };

	(void)state;
	for (int narrow = 0; narrow < 2; narrow++) {
		struct ms_table t = start(MS_TABLE_TEXT, narrow ? 55 : 0, false);

		for (size_t i = 0; i < MS_COUNT(columns); i++)
			ms_table_column(&t, (struct ms_table_column){ columns[i].head, "", true, 7,
								      columns[i].cut });
		for (size_t i = 0; i < MS_COUNT(columns); i++)
			ms_table_count(&t, i);
		expect(&t, narrow ? "1:grow\xe2\x80\xa6  \xe2\x80\xa6trix.Y  2:grow\xe2\x80\xa6  "
				    "shrink\xe2\x80\xa6  x  "
				    "3:\xe2\x80\xa6>.ys  4:\xe2\x80\xa6>.ys\n"
				    "      0        1        2        3  4        5        6\n"
				    "1: grow (a.c:7) < main\n"
				    "2: grow (a.c:7) < work\n"
				    "3: std::vector<double>.ys\n"
				    "4: std::list<double>.ys\n"
				  : "grow (a.c:7) < main  Matrix.Y  grow (a.c:7) < work  "
				    "shrink (a.c:9) < main  x  std::vector<double>.ys  "
				    "std::list<double>.ys\n"
				    "                  0         1                    2"
				    "                      3  4                       5"
				    "                     6\n");
	}
}

static void test_colour(void **state)
{
	struct ms_table t = start(MS_TABLE_TEXT, 0, true);

	(void)state;
	ms_table_column(&t, (struct ms_table_column){ "A", "a", true, 0, MS_CUT_END });
	ms_table_text(&t, "x");
	ms_table_style(&t, MS_STYLE_HOT);
	ms_table_text(&t, "yy");
	expect(&t, " \033[1mA\033[0m\n \033[1;31mx\033[0m\nyy\n");
}

static void test_csv(void **state)
{
	struct ms_table t = start(MS_TABLE_CSV, 10, true);

	(void)state;
	fill(&t);
	expect(&t, "name,count,size,share,note\r\n"
		   "\"Matrix.\"\"Y\"\"\",12880000,32768,0.8549,\"one, two\"\r\n"
		   "gr\xc3\xbc\xc3\x9f,,5,,\r\n");
}

/* Names of the profiled program can be anything; numbers stay numbers. */
static void test_csv_cells_are_no_formulas(void **state)
{
	static const struct {
		const char *text;
		const char *wanted;
	} cases[] = {
		{ "=1+1", "'=1+1" },
		{ "+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0" },
		{ "-2+3", "'-2+3" },
		{ "@SUM(A1,A2)", "\"'@SUM(A1,A2)\"" },
		{ "\t=1", "\\t=1" },
		{ "\r@x", "\\r@x" },
		{ "a\033[31mb\nc", "a\\x1b[31mb\\nc" },
		{ "-12.5", "-12.5" },
		{ "+3e4", "+3e4" },
		{ "-inf", "'-inf" },
		{ "-", "-" },
		{ "a=b", "a=b" },
		{ "\xff\xc3\xbc", "\xff\xc3\xbc" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ms_table t = start(MS_TABLE_CSV, 0, false);
		char wanted[64];

		ms_table_column(&t, (struct ms_table_column){ "X", "x", false, 0, MS_CUT_END });
		ms_table_text(&t, cases[i].text);
		snprintf(wanted, sizeof(wanted), "x\r\n%s\r\n", cases[i].wanted);
		expect(&t, wanted);
	}
}

static void test_csv_keeps_negative_numbers(void **state)
{
	struct ms_table t = start(MS_TABLE_CSV, 0, false);

	(void)state;
	ms_table_column(&t, (struct ms_table_column){ "X", "x", true, 0, MS_CUT_END });
	ms_table_real(&t, -0.25, 1);
	expect(&t, "x\r\n-0.25\r\n");
}

static void test_fit(void **state)
{
	static const struct {
		const char *text;
		size_t width;
		enum ms_utf8_cut cut;
		const char *wanted;
	} cases[] = {
		{ "abcdef", 6, MS_CUT_END, "abcdef" },
		{ "abcdef", 5, MS_CUT_END, "abcd\xe2\x80\xa6" },
		{ "abcdef", 5, MS_CUT_START,
		  "\xe2\x80\xa6"
		  "cdef" },
		{ "abcdef", 1, MS_CUT_START, "\xe2\x80\xa6" },
		{ "abcdef", 0, MS_CUT_END, "" },
		{ "\xe6\xbc\xa2\xe5\xad\x97", 4, MS_CUT_END,
		  "\xe6\xbc\xa2\xe5\xad\x97" }, /* two wide ones */
		{ "\xe6\xbc\xa2\xe5\xad\x97", 3, MS_CUT_END, "\xe6\xbc\xa2\xe2\x80\xa6" },
		{ "\xe6\xbc\xa2\xe5\xad\x97", 2, MS_CUT_START, "\xe2\x80\xa6" },
		{ "e\xcc\x81x", 2, MS_CUT_END,
		  "e\xcc\x81x" }, /* a combining accent takes no room */
		{ "a\033[31mb\n", 12, MS_CUT_END, "a\\x1b[31mb\\n" },
		{ "a\033[31mb\n", 11, MS_CUT_END, "a\\x1b[31mb\xe2\x80\xa6" },
		{ "a\033[31mb\n", 4, MS_CUT_END, "a\xe2\x80\xa6" },
		{ "a\033b", 5, MS_CUT_START,
		  "\xe2\x80\xa6"
		  "b" },
		{ "/opt/bin/solve a/b", 18, MS_CUT_FOLDER, "/opt/bin/solve a/b" },
		{ "/opt/bin/solve a/b", 10, MS_CUT_FOLDER, "\xe2\x80\xa6solve a/b" },
		{ "/opt/bin/solve a/b", 5, MS_CUT_FOLDER, "\xe2\x80\xa6sol\xe2\x80\xa6" },
		{ "/opt/bin/solve a/b", 1, MS_CUT_FOLDER, "\xe2\x80\xa6" },
		{ "solve a/b", 6, MS_CUT_FOLDER, "solve\xe2\x80\xa6" },
		{ "\xff\xfe", 2, MS_CUT_END, "\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xe2\x80\xae", 6, MS_CUT_END, "\\u202e" }, /* right-to-left override */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ms_text out = MS_TEXT_INIT;

		ms_utf8_fit(&out, cases[i].text, cases[i].width, cases[i].cut);
		assert_string_equal(ms_text_get(&out), cases[i].wanted);
		assert_true(ms_utf8_width(ms_text_get(&out)) <= cases[i].width);
		ms_text_free(&out);
	}
}

/* Names that would be equal after cutting are cut elsewhere. */
static void test_distinct_cuts(void **state)
{
	static const struct {
		const char *texts[2], *shown[2];
	} cases[] = {
		{ { "first (module.so) < call < main", "second (module.so) < call < main" },
		  { "first (module.s\xe2\x80\xa6", "second (module.\xe2\x80\xa6" } },
		{ { "call (module.so) < first < main", "call (module.so) < other < main" },
		  { "\xe2\x80\xa6 < first < main", "\xe2\x80\xa6 < other < main" } },
		{ { "call (module.so) < first < call < call < call < main",
		    "call (module.so) < other < call < call < call < main" },
		  { "\xe2\x80\xa6< first\xe2\x80\xa6 < main",
		    "\xe2\x80\xa6< other\xe2\x80\xa6 < main" } },
		{ { "a name that is too long", "a name that is too long" },
		  { "\xe2\x80\xa6hat is too long", "\xe2\x80\xa6hat is too long" } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ms_table t = start(MS_TABLE_TEXT, 16, false);
		char wanted[256];

		ms_table_column(&t,
				(struct ms_table_column){ "Name", "name", false, 6, MS_CUT_START });
		ms_table_text(&t, cases[i].texts[0]);
		ms_table_text(&t, cases[i].texts[1]);
		snprintf(wanted, sizeof(wanted), "Name\n%s\n%s\n", cases[i].shown[0],
			 cases[i].shown[1]);
		expect(&t, wanted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_distinct_cuts),
		cmocka_unit_test(test_narrow_text),
		cmocka_unit_test(test_dropped_columns),
		cmocka_unit_test(test_alike),
		cmocka_unit_test(test_colour),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_csv_cells_are_no_formulas),
		cmocka_unit_test(test_csv_keeps_negative_numbers),
		cmocka_unit_test(test_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
