/* Annotated source: sources read and judged; text that adds up and fits; nothing steers a terminal.
 */
#include "unit/sample_run.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf8.h"
#include "views/lines.h"
#include "views/source.h"

static void write_file(const char *path, const char *text, size_t n, time_t changed)
{
	FILE *out = fopen(path, "w");
	const struct timespec times[2] = { { changed, 0 }, { changed, 0 } };

	assert_non_null(out);
	fwrite(text, 1, n, out);
	fclose(out);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

#define STARTED "2026-11-15T10:31:02Z"
enum { STARTED_AT = 1794738662 };

static void test_source_lines(void **state)
{
	static const struct {
		const char *text;
		const char *lines[4];
	} cases[] = {
		{ "", { NULL } },
		{ "\n", { "", NULL } },
		{ "a", { "a", NULL } },
		{ "a\nb\n", { "a", "b", NULL } },
		{ "a\r\n\r\n\tc", { "a", "", "\tc", NULL } },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_views_source source;
		struct ms_text line = MS_TEXT_INIT;
		uint32_t n = 0;

		write_file("s.c", cases[i].text, strlen(cases[i].text), 0);
		ms_views_source_read(&source, &(struct ms_views_source_where){
						      .path = "s.c", .started = STARTED });
		assert_null(source.trouble);
		for (; cases[i].lines[n] != NULL; n++) {
			assert_true(ms_views_source_line(&source, n + 1, &line));
			assert_string_equal(ms_text_get(&line), cases[i].lines[n]);
		}
		assert_int_equal(ms_views_source_lines(&source), n);
		assert_false(ms_views_source_line(&source, n + 1, &line));
		assert_false(ms_views_source_line(&source, 0, &line));
		ms_text_free(&line);
		ms_views_source_free(&source);
	}
}

static void test_source_age(void **state)
{
	static const struct {
		const char *started;
		time_t source, module; /* 0: no module */
		enum ms_views_source_age age;
	} cases[] = {
		{ STARTED, STARTED_AT - 9, 0, MS_VIEWS_SOURCE_SAME },
		{ STARTED, STARTED_AT, 0, MS_VIEWS_SOURCE_SAME },
		{ STARTED, STARTED_AT + 1, 0, MS_VIEWS_SOURCE_AFTER_RUN },
		{ STARTED, STARTED_AT - 9, STARTED_AT - 5, MS_VIEWS_SOURCE_SAME },
		{ STARTED, STARTED_AT - 5, STARTED_AT - 5, MS_VIEWS_SOURCE_SAME },
		{ STARTED, STARTED_AT - 5, STARTED_AT - 9, MS_VIEWS_SOURCE_AFTER_BUILD },
		{ STARTED, STARTED_AT + 5, STARTED_AT - 9, MS_VIEWS_SOURCE_AFTER_RUN },
		{ STARTED, STARTED_AT - 5, STARTED_AT + 9, MS_VIEWS_SOURCE_SAME }, /* built anew */
		{ "once", STARTED_AT + 5, 0, MS_VIEWS_SOURCE_SAME },
		{ "once", STARTED_AT + 5, STARTED_AT, MS_VIEWS_SOURCE_AFTER_BUILD },
		{ NULL, STARTED_AT + 5, 0, MS_VIEWS_SOURCE_SAME },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_views_source source;

		write_file("s.c", "x\n", 2, cases[i].source);
		unlink("module");
		if (cases[i].module != 0)
			write_file("module", "", 0, cases[i].module);
		ms_views_source_read(
			&source, &(struct ms_views_source_where){ .path = "s.c",
								  .module = "module",
								  .started = cases[i].started });
		assert_int_equal(source.age, cases[i].age);
		ms_views_source_free(&source);
	}
}

static void test_source_places(void **state)
{
	const char *const folders[] = { "nowhere", "there" };
	const struct ms_views_source_where where = { "/no/such/src/p.c", folders, 2, NULL,
						     STARTED };
	struct ms_views_source source;

	(void)state;
	mkdir("there", 0777);
	mkdir("there/src", 0777);
	ms_views_source_read(&source, &where);
	assert_null(source.path);
	assert_string_equal(source.trouble, "No such file or directory");
	ms_views_source_free(&source);
	write_file("there/p.c", "x", 1, 0);
	ms_views_source_read(&source, &where);
	assert_string_equal(source.path, "there/p.c");
	assert_null(source.trouble);
	ms_views_source_free(&source);
	write_file("there/src/p.c", "x", 1, 0);
	ms_views_source_read(&source, &where);
	assert_string_equal(source.path, "there/src/p.c");
	ms_views_source_free(&source);
	/* What is no plain file is not even waited for. */
	mkfifo("pipe.c", 0666);
	static const char *const odd[] = { "pipe.c", "there", "/dev/zero" };
	for (size_t i = 0; i < MS_COUNT(odd); i++) {
		ms_views_source_read(&source, &(struct ms_views_source_where){ .path = odd[i] });
		assert_string_equal(source.trouble, "not a plain file");
		assert_int_equal(ms_views_source_lines(&source), 0);
		ms_views_source_free(&source);
	}
	assert_int_equal(truncate("there/p.c", INT64_C(1) << 40), 0);
	ms_views_source_read(&source, &(struct ms_views_source_where){ .path = "there/p.c" });
	assert_string_equal(source.trouble, "larger than 64 MiB");
	ms_views_source_free(&source);
}

/* --- views --- */

typedef void view_function(struct ms_lines *, const struct ms_views_lines_options *, FILE *);

static char *view_of(const struct ms_run *run, const char *latency, view_function *view,
		     const struct ms_views_lines_options *options)
{
	struct ms_lines_wanted wanted = { NULL, 0, NULL, 0, NULL };
	struct ms_lines lines;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(ms_lines_make(&lines, run, &wanted, latency, NULL), MS_OK);
	view(&lines, options, out);
	ms_lines_free(&lines);
	fclose(out);
	return text;
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

/* The figure in the first column, in tenths; 0: there is none. */
static int first_figure(const char *line, int width)
{
	int whole, tenth, end = 0;

	if (*line == '\n' || sscanf(line, "%d.%1d%n", &whole, &tenth, &end) != 2 || end != width)
		return 0;
	return whole * 10 + tenth;
}

/* The table of files adds up to 100.0, and each file's table to the figure above it. */
static void check_sums(const char *text)
{
	int files = 0, sum = 0, title = 0, total = 0;
	int column = (int)strlen(strstr(text, "Refs %") ? "Refs %" : "Stall %");

	for (const char *at = text; *at != '\0'; at += strcspn(at, "\n") + 1) {
		int figure = first_figure(at, column), whole, tenth, end = 0;

		if (sscanf(at, "%d.%1d%%%n", &whole, &tenth, &end) == 2 && end > 0 && *at != ' ' &&
		    *at != '\n') {
			assert_int_equal(sum, title); /* the file before */
			title = whole * 10 + tenth;
			sum = 0;
			total += title;
		} else if (title > 0 || total > 0) {
			sum += figure;
		} else {
			files += figure;
		}
	}
	assert_int_equal(sum, title);
	assert_true(files == 2000 || files == 0); /* with the row of the total */
}

static void spread(struct ms_run *run, uint64_t seed)
{
	static const char *const files[] = { "a.c", "b.c", "there/none.c", NULL };
	uint64_t random = seed;

	for (size_t i = 0; i < run->lines.n; i++) {
		run->lines.at[i].file = files[sample_random(&random) % MS_COUNT(files)];
		run->lines.at[i].line = (uint32_t)(sample_random(&random) % 25);
		if (i % 3 == 0)
			run->sites.at[i].inlined = "a (x.c:1) < outer function (x.c:2)";
	}
}

static void test_any_run(void **state)
{
	static view_function *const views[] = { ms_views_text_lines, ms_views_json_lines,
						ms_views_csv_lines };
	static const char source[] =
		"int a;\n\n\tint b; \t \n\t\tint c;\n\xff\xfe\n\033[2J\nx\n"
		"a very long line of source that will have to be cut somewhere or other, since "
		"terminals are narrow and lines are not\n\t\t\t\t\t\tdeep\nend";

	(void)state;
	write_file("a.c", source, sizeof(source) - 1, 0);
	write_file("b.c", source, sizeof(source) - 1, STARTED_AT + 9);
	for (uint64_t seed = 1; seed < 100; seed++) {
		struct ms_run run;
		struct ms_views_lines_options options = {
			.view = { .width = 60 + seed, .threshold = seed % 3 ? -1 : 0.01 },
			.context = seed % 5,
			.whole_files = seed % 4 == 0,
		};
		const char *latency = seed % 9 == 0 ? "L2=0,memory=0" : NULL;

		options.view.top = seed % 6 * 3;
		sample_random_run(&run, seed, 1 + seed % 40, 1 + seed % 23, (uint32_t)(seed * 5));
		spread(&run, seed);
		for (size_t v = 0; v < MS_COUNT(views); v++) {
			char *text = view_of(&run, latency, views[v], &options);

			if (views[v] == ms_views_text_lines) {
				check_width(text, options.view.width);
				check_sums(text);
				assert_null(strchr(text, '\033'));
			}
			assert_null(strcasestr(text, "nan"));
			free(text);
		}
		ms_run_free(&run);
	}
}

static void test_empty_run(void **state)
{
	static view_function *const views[] = { ms_views_text_lines, ms_views_json_lines,
						ms_views_csv_lines };
	struct ms_views_lines_options options = { .view = { .width = 80, .threshold = -1 } };
	struct ms_run run;

	(void)state;
	sample_head(&run);
	for (size_t v = 0; v < MS_COUNT(views); v++)
		free(view_of(&run, NULL, views[v], &options));
	run.levels.n = 0;
	for (size_t v = 0; v < MS_COUNT(views); v++) {
		char *text = view_of(&run, NULL, views[v], &options);

		if (views[v] == ms_views_text_lines)
			assert_non_null(strstr(text, "There are no references in this run."));
		free(text);
	}
	ms_run_free(&run);
}

/* Of data named by a call path, the key and the name, not the end of the path. */
static void test_call_paths_are_short(void **state)
{
	struct ms_views_lines_options options = { .view = { .width = 140, .threshold = -1 } };
	struct ms_run run;

	(void)state;
	sample_run(&run);
	run.data.at[SAMPLE_Y].name = "char.p (lgc.c:299 < 313 < ltable.c:799 ~868a)";
	char *text = view_of(&run, NULL, ms_views_text_lines, &options);

	assert_non_null(strstr(text, " ~868a char.p"));
	free(text);
	ms_run_free(&run);
}

/* Colour says how hot a line is, and nothing else differs. */
static void test_heat(void **state)
{
	struct ms_views_lines_options options = { .view = { .width = 100, .threshold = -1 } };
	struct ms_run run;
	char *from, *to;

	(void)state;
	sample_run(&run);
	char *plain = view_of(&run, NULL, ms_views_text_lines, &options);
	options.view.colour = true;
	char *coloured = view_of(&run, NULL, ms_views_text_lines, &options);
	assert_non_null(strstr(coloured, "\033[1;31m92.6\033[0m"));
	assert_non_null(strstr(coloured, "\033[33m4.4\033[0m"));
	for (from = to = coloured; *from != '\0';) {
		if (*from == '\033')
			from = strchr(from, 'm') + 1;
		else
			*to++ = *from++;
	}
	*to = '\0';
	assert_string_equal(coloured, plain);
	free(plain);
	free(coloured);
	ms_run_free(&run);
}

/* The figures of sample_run() are of lines 14, 29, 31 and 44 of its source. */
static char *lines_of_source(uint32_t source_lines, uint32_t shift, size_t context)
{
	struct ms_views_lines_options options = { .view = { .width = 120, .threshold = -1 },
						  .context = context };
	struct ms_text source = MS_TEXT_INIT;
	struct ms_run run;

	for (uint32_t i = 1; i <= source_lines; i++)
		ms_text_addf(&source, "line%u;\n", i);
	write_file("s.c", source.at, source.n, 0);
	ms_text_free(&source);
	sample_run(&run);
	for (size_t i = 0; i < run.lines.n; i++)
		if (run.lines.at[i].file != NULL) {
			run.lines.at[i].file = "s.c";
			run.lines.at[i].line -= shift;
		}
	char *text = view_of(&run, NULL, ms_views_text_lines, &options);
	ms_run_free(&run);
	return text;
}

static void test_context_ends_with_the_file(void **state)
{
	(void)state;
	char *text = lines_of_source(45, 0, 5);

	assert_non_null(strstr(text, "line44;"));
	assert_non_null(strstr(text, "line45;"));
	assert_null(strstr(text, "beyond the end"));
	free(text);
}

static void test_context_begins_with_the_file(void **state)
{
	(void)state;
	char *text = lines_of_source(45, 12, 5); /* the first is line 2 */

	assert_non_null(strstr(text, "  1  line1;"));
	assert_non_null(strstr(text, "  2  line2;"));
	assert_null(strstr(text, "  0  "));
	assert_null(strstr(text, "beyond the end"));
	free(text);
}

static void test_lines_beyond_the_end_are_reported(void **state)
{
	(void)state;
	char *text = lines_of_source(30, 0, 1);

	assert_non_null(strstr(text, "2 lines with figures lie beyond the end of the source"));
	assert_non_null(strstr(text, "<beyond the end of the file>"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_context_ends_with_the_file),
		cmocka_unit_test(test_context_begins_with_the_file),
		cmocka_unit_test(test_lines_beyond_the_end_are_reported),
		cmocka_unit_test(test_source_lines),
		cmocka_unit_test(test_source_age),
		cmocka_unit_test(test_source_places),
		cmocka_unit_test(test_any_run),
		cmocka_unit_test(test_empty_run),
		cmocka_unit_test(test_call_paths_are_short),
		cmocka_unit_test(test_heat),
	};
	char folder[] = "/tmp/memspy-lines.XXXXXX";

	if (mkdtemp(folder) == NULL || chdir(folder) != 0)
		return 1;
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	static const char *const made[] = { "s.c",           "module",    "there/p.c",
					    "there/src/p.c", "there/src", "there",
					    "pipe.c",        "a.c",       "b.c" };
	for (size_t i = 0; i < MS_COUNT(made); i++)
		remove(made[i]);
	return rmdir(folder) != 0 ? 1 : failed;
}
