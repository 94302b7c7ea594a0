/* Option tables: every kind, both forms, the environment, the exact sentences of mistakes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base/near.h"
#include "base/opt.h"

struct options {
	bool csv;
	bool quiet;
	uint64_t top;
	uint64_t buffer;
	double threshold;
	const char *db;
	const char *color;
	uint64_t jobs;
	struct ms_opt_list data;
};

#define AT(field) offsetof(struct options, field)

static const struct ms_opt own[] = {
	{ MS_OPT_NUMBER, 'n', "top", "N", "show the N worst bins", NULL, AT(top), 1, 10000, NULL },
	{ MS_OPT_FLAG, 0, "csv", NULL, "comma-separated output", NULL, AT(csv), 0, 0, NULL },
	{ MS_OPT_SIZE, 0, "buffer-size", "SIZE", "of the ring", NULL, AT(buffer), 4096, 1 << 30,
	  NULL },
	{ MS_OPT_REAL, 't', "threshold", "PERCENT", "hide less", NULL, AT(threshold), 0, 100,
	  NULL },
	{ MS_OPT_LIST, 'd', "data", "GLOB", "only this data", NULL, AT(data), 0, 0, NULL },
	{ .name = NULL },
};
static const struct ms_opt shared[] = {
	{ MS_OPT_FLAG, 'q', "quiet", NULL, "say less", NULL, AT(quiet), 0, 0, NULL },
	{ MS_OPT_TEXT, 0, "db", "FILE", "run database", NULL, AT(db), 0, 0, NULL },
	{ MS_OPT_WORD, 0, "color", NULL, "when", NULL, AT(color), 0, 0, "auto|always|never" },
	{ MS_OPT_NUMBER, 'j', "jobs", "N", "workers", NULL, AT(jobs), 1, 0, NULL },
	{ .name = NULL },
};
static const struct ms_opt *const tables[] = { own, shared, NULL };
static const struct ms_opt_set plain = { tables, false };
static const struct ms_opt_set stopping = { tables, true };

enum { WORDS = 12 };

static int count(const char *const words[])
{
	int n = 0;

	while (n < WORDS && words[n] != NULL)
		n++;
	return n;
}

static int parse(const struct ms_opt_set *set, const char *const words[], struct options *into,
		 struct ms_words *rest, struct ms_err *err)
{
	return ms_opt_parse(set, count(words), (char *const *)words, into, rest, err);
}

static void join(const struct ms_words *rest, char out[256])
{
	out[0] = '\0';
	for (size_t i = 0; i < rest->at.n; i++) {
		strcat(out, i ? " " : "");
		strcat(out, rest->at.at[i]);
	}
}

static void every_kind_in_both_forms(void **state)
{
	const char *const words[WORDS] = {
		"report",  "--top", "3",   "--csv", "--buffer-size=64K", "-t2.5", "--db=x.db",
		"--color", "never", "-qj", "7"
	};
	struct options o = { 0 };
	struct ms_words rest = { 0 };

	(void)state;
	assert_int_equal(parse(&plain, words, &o, &rest, NULL), MS_OK);
	assert_int_equal(o.top, 3);
	assert_true(o.csv);
	assert_int_equal(o.buffer, 65536);
	assert_float_equal(o.threshold, 2.5, 0);
	assert_string_equal(o.db, "x.db");
	assert_string_equal(o.color, "never");
	assert_true(o.quiet);
	assert_int_equal(o.jobs, 7);
	assert_int_equal(rest.at.n, 0);
}

static void a_list_gathers_and_defaults_stay(void **state)
{
	const char *const words[WORDS] = { "show", "--data", "X*", "-dY", "--data=" };
	struct options o = { .top = 20, .color = "auto" };
	struct ms_words rest = { 0 };

	(void)state;
	assert_int_equal(parse(&plain, words, &o, &rest, NULL), MS_OK);
	assert_int_equal(o.data.words.n, 3);
	assert_string_equal(o.data.words.at[0], "X*");
	assert_string_equal(o.data.words.at[1], "Y");
	assert_string_equal(o.data.words.at[2], "");
	assert_int_equal(o.top, 20);
	assert_string_equal(o.color, "auto");
	ms_vec_free(&o.data.words);
}

static const struct rest_case {
	int line;
	const struct ms_opt_set *set;
	const char *words[WORDS];
	const char *want;
	bool csv;
} rest_cases[] = {
	{ __LINE__, &plain, { "c", "@3", "--csv", "-" }, "@3 -", true },
	{ __LINE__, &plain, { "c", "@3", "--", "--csv" }, "@3 --csv", false },
	{ __LINE__, &stopping, { "c", "--csv", "ls", "-l", "--csv" }, "ls -l --csv", true },
	{ __LINE__, &stopping, { "c", "--", "--csv", "--", "x" }, "--csv -- x", false },
	{ __LINE__, &stopping, { "c", "--top", "3", "ls", "--", "-l" }, "ls -- -l", false },
	{ __LINE__, &stopping, { "c" }, "", false },
};

static void words_and_what_follows_them(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(rest_cases); i++) {
		const struct rest_case *c = &rest_cases[i];
		struct options o = { 0 };
		struct ms_words rest = { 0 };
		char joined[256];

		print_message("case of line %d\n", c->line);
		assert_int_equal(parse(c->set, c->words, &o, &rest, NULL), MS_OK);
		join(&rest, joined);
		assert_string_equal(joined, c->want);
		assert_int_equal(o.csv, c->csv);
		ms_vec_free(&rest.at);
	}
}

static const struct mistake {
	int line;
	const char *words[WORDS];
	const char *want;
} mistakes[] = {
	{ __LINE__, { "c", "--tpo", "3" }, "unknown option '--tpo'; did you mean '--top'?" },
	{ __LINE__, { "c", "--tpo=3" }, "unknown option '--tpo'; did you mean '--top'?" },
	{ __LINE__, { "c", "--thresh" }, "unknown option '--thresh'; did you mean '--threshold'?" },
	{ __LINE__, { "c", "--hlep" }, "unknown option '--hlep'; did you mean '--help'?" },
	{ __LINE__, { "c", "--zebra" }, "unknown option '--zebra'" },
	{ __LINE__, { "c", "-x" }, "unknown option '-x'" },
	{ __LINE__, { "c", "-qx" }, "unknown option '-x'" },
	{ __LINE__, { "c", "--top", "x" }, "--top expects a number from 1 to 10000, not 'x'" },
	{ __LINE__, { "c", "-n0" }, "-n expects a number from 1 to 10000, not '0'" },
	{ __LINE__, { "c", "--top=10001" }, "--top expects a number from 1 to 10000, not '10001'" },
	{ __LINE__, { "c", "--top", "-3" }, "--top expects a number from 1 to 10000, not '-3'" },
	{ __LINE__, { "c", "--jobs", "0" }, "--jobs expects a number of at least 1, not '0'" },
	{ __LINE__,
	  { "c", "--buffer-size", "1" },
	  "--buffer-size expects a size from 4 KiB to 1 GiB, not '1'" },
	{ __LINE__, { "c", "-t", "nan" }, "-t expects a number from 0 to 100, not 'nan'" },
	{ __LINE__, { "c", "-t", "1x" }, "-t expects a number from 0 to 100, not '1x'" },
	{ __LINE__, { "c", "--color", "red" }, "--color expects auto, always or never, not 'red'" },
	{ __LINE__, { "c", "--color=" }, "--color expects auto, always or never, not ''" },
	{ __LINE__, { "c", "--csv=yes" }, "--csv takes no value, but 'yes' was given" },
	{ __LINE__, { "c", "--top" }, "--top needs a value: --top N" },
	{ __LINE__, { "c", "--color" }, "--color needs a value: --color auto|always|never" },
	{ __LINE__, { "c", "-n" }, "-n needs a value: -n N" },
};

static void mistakes_get_a_sentence(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(mistakes); i++) {
		struct options o = { 0 };
		struct ms_words rest = { 0 };
		struct ms_err err = { 0 };

		print_message("case of line %d\n", mistakes[i].line);
		assert_int_equal(parse(&plain, mistakes[i].words, &o, &rest, &err), MS_EUSAGE);
		assert_string_equal(err.text, mistakes[i].want);
		ms_vec_free(&rest.at);
	}
}

static void the_environment_mirrors_options(void **state)
{
	const char *const words[WORDS] = { "report", "--top", "3", "--data", "Z" };
	struct options o = { 0 };
	struct ms_words rest = { 0 };

	(void)state;
	setenv("MEMSPY_TOP", "9", 1);
	setenv("MEMSPY_BUFFER_SIZE", "1M", 1);
	setenv("MEMSPY_CSV", "1", 1);
	setenv("MEMSPY_QUIET", "", 1);
	setenv("MEMSPY_DATA", "Y", 1);
	assert_int_equal(parse(&plain, words, &o, &rest, NULL), MS_OK);
	assert_int_equal(o.top, 3);
	assert_int_equal(o.buffer, 1 << 20);
	assert_true(o.csv);
	assert_false(o.quiet);
	assert_int_equal(o.data.words.n, 1);
	assert_string_equal(o.data.words.at[0], "Z");
	ms_vec_free(&o.data.words);
}

static void mistakes_in_the_environment(void **state)
{
	const char *const words[WORDS] = { "report" };
	struct options o = { .csv = true };
	struct ms_words rest = { 0 };
	struct ms_err err = { 0 };

	(void)state;
	setenv("MEMSPY_TOP", "many", 1);
	assert_int_equal(parse(&plain, words, &o, &rest, &err), MS_EUSAGE);
	assert_string_equal(err.text, "MEMSPY_TOP expects a number from 1 to 10000, not 'many'");
	setenv("MEMSPY_TOP", "5", 1);
	setenv("MEMSPY_CSV", "perhaps", 1);
	assert_int_equal(parse(&plain, words, &o, &rest, &err), MS_EUSAGE);
	assert_string_equal(err.text, "MEMSPY_CSV expects 1 or 0, not 'perhaps'");
	setenv("MEMSPY_CSV", "off", 1);
	assert_int_equal(parse(&plain, words, &o, &rest, &err), MS_OK);
	assert_false(o.csv);
}

static int clear_environment(void **state)
{
	static const char *const names[] = { "TOP", "BUFFER_SIZE", "CSV", "QUIET", "DATA" };
	char name[64];

	(void)state;
	for (size_t i = 0; i < MS_COUNT(names); i++) {
		snprintf(name, sizeof(name), "MEMSPY_%s", names[i]);
		unsetenv(name);
	}
	return 0;
}

static const struct help_case {
	int line;
	const struct ms_opt_set *set;
	const char *words[WORDS];
	bool want;
} help_cases[] = {
	{ __LINE__, &plain, { "c", "--help" }, true },
	{ __LINE__, &plain, { "c", "x", "-h" }, true },
	{ __LINE__, &plain, { "c", "--nonsense", "--help" }, true },
	{ __LINE__, &plain, { "c", "--", "--help" }, false },
	{ __LINE__, &plain, { "c", "--db", "--help" }, false },
	{ __LINE__, &plain, { "c", "-n", "--help" }, false },
	{ __LINE__, &plain, { "c", "-n3", "--help" }, true },
	{ __LINE__, &plain, { "c", "--db=x", "--help" }, true },
	{ __LINE__, &stopping, { "c", "ls", "--help" }, false },
	{ __LINE__, &stopping, { "c", "--db", "x", "ls", "--help" }, false },
	{ __LINE__, &stopping, { "c", "--db", "x", "--help", "ls" }, true },
	{ __LINE__, &plain, { "c" }, false },
};

static void help_is_found_where_an_option_may_stand(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(help_cases); i++) {
		const struct help_case *c = &help_cases[i];

		print_message("case of line %d\n", c->line);
		assert_int_equal(
			ms_opt_wants_help(c->set, count(c->words), (char *const *)c->words),
			c->want);
	}
}

static void help_shows_every_row(void **state)
{
	static const char want[] = "  -n, --top N                    show the N worst bins\n"
				   "      --csv                      comma-separated output\n"
				   "      --buffer-size SIZE         of the ring\n"
				   "  -t, --threshold PERCENT        hide less\n"
				   "  -d, --data GLOB                only this data\n"
				   "  -q, --quiet                    say less\n"
				   "      --db FILE                  run database\n"
				   "      --color auto|always|never  when\n"
				   "  -j, --jobs N                   workers\n"
				   "  -h, --help                     show this help\n";
	char *text;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	(void)state;
	ms_opt_help(&plain, out);
	fclose(out);
	assert_string_equal(text, want);
	free(text);
}

static void a_set_without_tables(void **state)
{
	static const struct ms_opt_set none = { NULL, false };
	const char *const words[WORDS] = { "c", "a" };
	struct ms_words rest = { 0 };

	(void)state;
	assert_int_equal(ms_opt_parse(&none, 2, (char *const *)words, NULL, &rest, NULL), MS_OK);
	assert_int_equal(rest.at.n, 1);
	ms_vec_free(&rest.at);
}

static void near_words(void **state)
{
	static const struct {
		const char *word, *want;
	} cases[] = {
		{ "reprot", "report" },
		{ "rnu", "run" },
		{ "machin", "machine" },
		{ "ls", NULL },
		{ "r", NULL },
		{ "", NULL },
		{ "rep", "report" },
		{ "runs", "runs" },
		{ "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", NULL },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_near near = { .word = cases[i].word };

		ms_near_try(&near, "run");
		ms_near_try(&near, "runs");
		ms_near_try(&near, "report");
		ms_near_try(&near, "machine");
		if (cases[i].want == NULL)
			assert_null(near.best);
		else
			assert_string_equal(near.best, cases[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_in_both_forms),
		cmocka_unit_test(a_list_gathers_and_defaults_stay),
		cmocka_unit_test(words_and_what_follows_them),
		cmocka_unit_test(mistakes_get_a_sentence),
		cmocka_unit_test_setup_teardown(the_environment_mirrors_options, clear_environment,
						clear_environment),
		cmocka_unit_test_setup_teardown(mistakes_in_the_environment, clear_environment,
						clear_environment),
		cmocka_unit_test(help_is_found_where_an_option_may_stand),
		cmocka_unit_test(help_shows_every_row),
		cmocka_unit_test(a_set_without_tables),
		cmocka_unit_test(near_words),
	};

	return cmocka_run_group_tests_name("base_opt", tests, NULL, NULL);
}
