/* The text that is printed adds up and fits, for any run and any width; and nothing crashes. */
#include "unit/sample_hardware.h"
#include "unit/sample_run.h"

#include <ctype.h>
#include <stdio.h>

#include "base/utf8.h"
#include "views/views.h"

static char *report_of(const struct ms_run *run, enum ms_views_format format,
		       const struct ms_views_options *options, const char *latency)
{
	struct ms_summary s;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(ms_summary_make(&s, run, NULL, latency, NULL), MS_OK);
	assert_int_equal(ms_views_report_writers[format](&s, options, out, NULL), MS_OK);
	ms_summary_free(&s);
	fclose(out);
	return text;
}

/* The tenths of the figure that ends at (line, column), or 0; names never reach below a figure. */
static int figure_ending_at(const char *line, size_t column)
{
	const char *p = line;
	int value = 0;

	/* Columns are characters here: names are ASCII but for the ellipsis. */
	while (column > 0 && *p != '\0') {
		ms_utf8_next(&p);
		column--;
	}
	if (column > 0 || p - line < 3 || !isdigit((unsigned char)p[-1]) || p[-2] != '.')
		return 0;
	const char *from = p - 3;
	while (from > line && isdigit((unsigned char)from[-1]))
		from--;
	for (; from < p; from++)
		if (*from != '.')
			value = value * 10 + (*from - '0');
	return value;
}

enum { MOST_LINES = 64, MOST_COLUMNS = 64 };

struct printed {
	char *lines[MOST_LINES];
	size_t n_lines;
	size_t ends[MOST_COLUMNS]; /* where the heads of columns end, from "Tot.%" on */
	size_t n_columns;
};

static void find_matrix(char *text, struct printed *m)
{
	char *at = strstr(text, "PERCENTAGE OF TOTAL");

	*m = (struct printed){ .n_lines = 0 };
	assert_non_null(at);
	strtok(at, "\n");
	char *head = strtok(NULL, "\n");
	char *tot = strstr(head, "Tot.%");
	assert_non_null(tot);
	size_t column = ms_utf8_width(head) - ms_utf8_width(tot);
	for (const char *p = tot;;) {
		const char *before = p;
		uint32_t c = ms_utf8_next(&p);

		/* Heads are parted by two blanks; "rest (3)" holds a single one. */
		if ((c == 0 || (c == ' ' && before[1] == ' ')) && before > tot && before[-1] != ' ')
			m->ends[m->n_columns++] = column;
		if (c == 0)
			break;
		column++;
	}
	for (char *line = strtok(NULL, "\n");
	     line != NULL && strncmp(line, "Unattributed", 12) != 0; line = strtok(NULL, "\n"))
		m->lines[m->n_lines++] = line;
}

static void check_printed(const struct printed *m)
{
	assert_true(m->n_lines >= 2 && m->n_columns >= 2);
	assert_int_equal(figure_ending_at(m->lines[0], m->ends[0]), 1000);
	for (size_t r = 0; r < m->n_lines; r++) {
		int sum = 0;

		for (size_t c = 1; c < m->n_columns; c++)
			sum += figure_ending_at(m->lines[r], m->ends[c]);
		assert_int_equal(sum, figure_ending_at(m->lines[r], m->ends[0]));
	}
	for (size_t c = 0; c < m->n_columns; c++) {
		int sum = 0;

		for (size_t r = 1; r < m->n_lines; r++)
			sum += figure_ending_at(m->lines[r], m->ends[c]);
		assert_int_equal(sum, figure_ending_at(m->lines[0], m->ends[c]));
	}
}

static void check_width(const char *text, size_t width)
{
	struct ms_text line = MS_TEXT_INIT;

	for (; *text != '\0'; text += strcspn(text, "\n") + 1) {
		size_t n = strcspn(text, "\n");

		if (strncmp(text, "Next: ", 6) == 0) /* never cut */
			continue;
		ms_text_clear(&line);
		ms_text_add_n(&line, text, n);
		if (ms_utf8_width(line.at) > width)
			fail_msg("%zu columns in %zu: %s", ms_utf8_width(line.at), width, line.at);
		assert_true(n == 0 || text[n - 1] != ' ');
	}
	ms_text_free(&line);
}

static void test_printed_matrix_adds_up(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 150; seed++) {
		struct ms_run run;
		struct printed m;
		struct ms_views_options options = { .width = 60 + seed * 7 % 140,
						    .threshold = -1,
						    .top = seed % 5 ? 0 : 20 };

		sample_random_run(&run, seed, 1 + seed % 30, 1 + seed % 23, (uint32_t)(seed * 5));
		char *text = report_of(&run, MS_VIEWS_TEXT, &options, NULL);
		check_width(text, options.width);
		find_matrix(text, &m);
		check_printed(&m);
		free(text);
		ms_run_free(&run);
	}
}

static void check_list(char *text)
{
	char *at = strstr(text, "BY ");
	int sum = 0;

	assert_non_null(at);
	strtok(at, "\n");
	strtok(NULL, "\n");
	for (char *line = strtok(NULL, "\n");
	     line != NULL && strncmp(line, "Unattributed", 12) != 0; line = strtok(NULL, "\n"))
		sum += figure_ending_at(line, strlen("Stall %"));
	assert_int_equal(sum, 1000);
}

static void test_printed_lists_add_up(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 60; seed++) {
		struct ms_run run;

		sample_random_run(&run, seed, 1 + seed % 30, 1 + seed % 23, (uint32_t)(seed * 5));
		for (enum ms_views_by by = MS_VIEWS_BY_CODE; by <= MS_VIEWS_BY_BIN; by++) {
			struct ms_views_options options = { .width = 60 + seed,
							    .threshold = -1,
							    .by = by };
			char *text = report_of(&run, MS_VIEWS_TEXT, &options, NULL);

			check_width(text, options.width);
			check_list(text);
			free(text);
		}
		ms_run_free(&run);
	}
}

/* A run in which nothing happened, and one whose machine has no caches. */
static void test_empty_runs(void **state)
{
	struct ms_run run;

	(void)state;
	for (int caches = 0; caches < 2; caches++) {
		sample_head(&run);
		if (!caches) {
			sample_places(&run);
			run.levels.n = 0;
		}
		for (enum ms_views_format v = 0; v < MS_VIEWS_FORMATS; v++) {
			for (enum ms_views_by by = MS_VIEWS_BY_MATRIX; by <= MS_VIEWS_BY_BIN;
			     by++) {
				struct ms_views_options options = { .width = 80,
								    .threshold = -1,
								    .by = by };
				char *text = report_of(&run, v, &options, NULL);

				assert_null(strcasestr(text, "nan"));
				assert_null(strcasestr(text, "inf"));
				free(text);
			}
		}
		ms_run_free(&run);
	}
}

static void test_show_everything(void **state)
{

	(void)state;
	for (uint64_t seed = 1; seed < 40; seed++) {
		struct ms_run run;
		struct ms_summary_detail d;
		const char *const all[] = { "*" };

		sample_random_run(&run, seed, 1 + seed % 30, 1 + seed % 23, (uint32_t)(seed * 5));
		for (enum ms_views_format v = 0; v < MS_VIEWS_FORMATS; v++) {
			struct ms_summary_detail_wanted wanted = { all,          seed % 2, all,
								   seed / 2 % 2, NULL,     0 };
			struct ms_views_options options = { .width = 60 + seed, .threshold = -1 };
			char *text;
			size_t size;
			FILE *out = open_memstream(&text, &size);

			assert_int_equal(ms_summary_detail_make(&d, &run, &wanted, NULL, NULL),
					 MS_OK);
			assert_int_equal(ms_views_show_writers[v](&d, &options, out, NULL), MS_OK);
			ms_summary_detail_free(&d);
			fclose(out);
			if (v == MS_VIEWS_TEXT)
				check_width(text, options.width);
			free(text);
		}
		ms_run_free(&run);
	}
}

/* Names that would steer a terminal, or are not UTF-8. */
static void test_hostile_names(void **state)
{
	struct ms_views_options options = { .width = 80, .threshold = -1 };
	struct ms_run run;

	(void)state;
	sample_run(&run);
	run.program = "\033[2Jevil\n";
	run.data.at[SAMPLE_Y].name = "\033]0;title\007\xff";
	run.codes.at[SAMPLE_MULTIPLY].name = "a\r\nb";
	char *text = report_of(&run, MS_VIEWS_TEXT, &options, NULL);
	assert_null(strchr(text, '\033'));
	assert_null(strchr(text, '\r'));
	assert_null(strchr(text, '\007'));
	free(text);
	text = report_of(&run, MS_VIEWS_JSON, &options, NULL);
	assert_null(strchr(text, '\033'));
	assert_null(strchr(text, '\xff'));
	free(text);
	ms_run_free(&run);
}

/* A program that is interrupted while it sleeps has samples of page faults only. */
static void test_period_of_page_faults_is_not_stated(void **state)
{
	struct ms_views_options options = { .width = 300, .threshold = -1 };
	struct ms_run run;

	(void)state;
	sample_timer_run(&run);
	run.hardware.at[0].adaptive = 1;
	run.hardware.at[0].wish = 0.01;
	run.hardware.at[0].overhead = 0.12;
	run.hardware.at[0].samples = 1;
	run.hardware.at[0].threads = 0;
	run.hardware.at[0].period = 0;
	char *text = report_of(&run, MS_VIEWS_TEXT, &options, NULL);

	assert_non_null(strstr(text, "), to take 1% of the time; 1 sample, which took 12% of "));
	free(text);
	ms_run_free(&run);
}

/* With few samples, the half of an interval would reach below 0 % or above 100 %. */
static void test_errors_of_few_samples_are_possible(void **state)
{
	struct ms_views_options options = { .width = 300, .threshold = -1 };
	size_t outside = 0, intervals = 0;
	struct ms_run run;

	(void)state;
	sample_timer_run(&run);
	for (size_t i = 0; i < run.hardware_samples.n; i++)
		run.hardware_samples.at[i].latency_squares *= 1000;
	for (size_t i = 0; i < run.hardware_computes.n; i++)
		run.hardware_computes.at[i].time_squares *= 1000;
	char *text = report_of(&run, MS_VIEWS_TEXT, &options, NULL);

	for (const char *at = text; (at = strstr(at, "% +-")) != NULL; at++) {
		const char *from = at;
		double error = strtod(at + strlen("% +-"), NULL);

		while (isdigit((unsigned char)from[-1]) || from[-1] == '.')
			from--;
		outside += strtod(from, NULL) - error < -0.1 || strtod(from, NULL) + error > 100.1;
	}
	for (const char *at = text; (at = strstr(at, "%, ")) != NULL; at++)
		intervals += isdigit((unsigned char)at[3]) != 0;
	assert_int_equal(outside, 0);
	assert_true(intervals > 0);
	free(text);
	ms_run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_printed_matrix_adds_up),
		cmocka_unit_test(test_printed_lists_add_up),
		cmocka_unit_test(test_empty_runs),
		cmocka_unit_test(test_show_everything),
		cmocka_unit_test(test_period_of_page_faults_is_not_stated),
		cmocka_unit_test(test_errors_of_few_samples_are_possible),
		cmocka_unit_test(test_hostile_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
