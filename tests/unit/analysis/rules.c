/* Rules: what they are about, what they make of a run, and how they are written. */
#include "unit/sample_run.h"

#include <stdio.h>

#include "analysis/summary/summary.h"
#include "analysis/user_rules/rules.h"
#include "base/compiler.h"
#include "run/regroup.h"
#include "store/store_priv.h"

static struct ms_run run;
static struct ms_run_rules rules;
static struct ms_rules_outcome outcome;

static int set_up(void **state)
{
	(void)state;
	sample_run(&run);
	rules = (struct ms_run_rules){ .at = MS_VEC_INIT };
	outcome = (struct ms_rules_outcome){ .matches = NULL };
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	ms_rules_outcome_free(&outcome);
	ms_run_rules_free(&rules);
	ms_run_free(&run);
	return 0;
}

static int read_text(const char *text, struct ms_err *err)
{
	FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
	int code = ms_rules_read(&rules, in, "memspy.rules", err);

	fclose(in);
	return code;
}

static void apply(const char *text)
{
	struct ms_err err = { MS_OK, "" };

	read_text(text, &err);
	assert_string_equal(err.text, "");
	ms_rules_apply(&run, &rules, &outcome);
	if (ms_run_check(&run, &err) != MS_OK)
		fail_msg("%s", err.text);
}

/* "name references misses,misses; ..." of all data or code, in the order of the run. */
static const char *figures(uint32_t subject)
{
	static struct ms_text text;
	struct ms_summary s;
	size_t n = subject == MS_RULE_DATA ? run.data.n : run.codes.n;

	ms_text_clear(&text);
	assert_int_equal(ms_summary_make(&s, &run, NULL, NULL, NULL), MS_OK);
	for (uint32_t i = 0; i < n; i++) {
		const struct ms_summary_entries *list = subject == MS_RULE_DATA ? &s.data : &s.code;

		for (size_t k = 0; k < list->at.n; k++) {
			const struct ms_summary_entry *e = &list->at.at[k];

			if ((subject == MS_RULE_DATA ? e->data : e->code) == i)
				ms_text_addf(
					&text, "%s%s %llu %llu,%llu", i > 0 ? "; " : "", e->name,
					(unsigned long long)ms_summary_rw_sum(e->counts.references),
					(unsigned long long)ms_summary_entry_misses(&s, e, 0),
					(unsigned long long)ms_summary_entry_misses(&s, e, 1));
		}
	}
	ms_summary_free(&s);
	return text.at;
}

static const struct rules_case {
	int line;
	const char *rules;
	const char *data;    /* names, in the order of the run */
	const char *message; /* NULL: nothing */
} cases[] = {
#define CASE(...)                     \
	{                             \
		__LINE__, __VA_ARGS__ \
	}
	CASE("", "Matrix.Y Matrix.Z Matrix.X <stack> <unknown> counter", NULL),
	CASE("rename Matrix.Y A", "A Matrix.Z Matrix.X <stack> <unknown> counter", NULL),
	CASE("rename 'Matrix.Y < NewMatrix < main' A",
	     "A Matrix.Z Matrix.X <stack> <unknown> counter", NULL),
	CASE("rename 'Matrix.Y < main' A", "Matrix.Y Matrix.Z Matrix.X <stack> <unknown> counter",
	     NULL),
	CASE("rename --program matmul Matrix.Y A", "A Matrix.Z Matrix.X <stack> <unknown> counter",
	     NULL),
	CASE("rename --program other Matrix.Y A",
	     "Matrix.Y Matrix.Z Matrix.X <stack> <unknown> counter", NULL),
	/* The last one holds. */
	CASE("rename Matrix.Y A\nrename 'Matrix.Y' B",
	     "B Matrix.Z Matrix.X <stack> <unknown> counter", NULL),
	CASE("combine M Matrix.*", "M <stack> <unknown> counter", NULL),
	CASE("combine M Matrix.Y Matrix.X", "M Matrix.Z <stack> <unknown> counter", NULL),
	/* What bears the name already joins. */
	CASE("combine Matrix.X Matrix.Y", "Matrix.X Matrix.Z <stack> <unknown> counter", NULL),
	CASE("combine M Matrix.Y counter", "M Matrix.Z Matrix.X <stack> <unknown>", NULL),
	/* By the names that rules gave. */
	CASE("combine M Matrix.*\nrename M N", "N <stack> <unknown> counter", NULL),
	CASE("combine M Matrix.*\ncombine All M counter", "All <stack> <unknown>", NULL),
	CASE("combine M Matrix.*\nhide M", "<hidden> <stack> <unknown> counter", NULL),
	CASE("hide '<stack>' counter", "Matrix.Y Matrix.Z Matrix.X <hidden> <unknown>", NULL),
	CASE("hide 'file:matmul.c'", "<hidden> <stack> <unknown> counter", NULL),
	CASE("hide 'lib:mat*'", "<hidden> <stack> <unknown> counter", NULL),
	CASE("hide 'file:other.c'", "Matrix.Y Matrix.Z Matrix.X <stack> <unknown> counter", NULL),
	/* What leads in a circle is left alone. */
	CASE("rename Matrix.Y A\nrename A B\nrename B A",
	     "Matrix.Y Matrix.Z Matrix.X <stack> <unknown> counter",
	     "memspy.rules:2 (rename A B) and memspy.rules:3 (rename B A) lead in a circle; none "
	     "of them is applied"),
	CASE("rename Matrix.Y A\nrename Matrix.Z A", "A A#2 Matrix.X <stack> <unknown> counter",
	     "several data are to be called \"A\"; one is shown as \"A#2\" (combine them, or "
	     "rename one of them)"),
	CASE("combine N 'N*' 'Matrix.*'", "N <stack> <unknown> counter", NULL),
	CASE("split --by caller=1 'Matrix.*'",
	     "Matrix.Y < NewMatrix Matrix.Z < NewMatrix Matrix.X < NewMatrix <stack> <unknown> "
	     "counter",
	     NULL),
	CASE("combine M 'Matrix.*'\nsplit --by caller=2 M",
	     "M < NewMatrix < main <stack> <unknown> counter", NULL),
	CASE("split --by size 'Matrix.*'", "Matrix.Y Matrix.Z Matrix.X <stack> <unknown> counter",
	     NULL),
};

static void test_names(void **state)
{
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_text names = MS_TEXT_INIT;

		tear_down(state);
		set_up(state);
		apply(cases[i].rules);
		for (size_t k = 0; k < run.data.n; k++)
			ms_text_addf(&names, "%s%s", k > 0 ? " " : "", run.data.at[k].name);
		if (strcmp(names.at, cases[i].data) != 0)
			fail_msg("line %d: %s, expected %s", cases[i].line, names.at,
				 cases[i].data);
		const char *message = outcome.messages.n > 0 ? outcome.messages.at[0] : NULL;
		if ((message == NULL) != (cases[i].message == NULL) ||
		    (message != NULL && strcmp(message, cases[i].message) != 0))
			fail_msg("line %d: message %s, expected %s", cases[i].line, message,
				 cases[i].message);
		ms_text_free(&names);
	}
}

static void test_figures_add_up(void **state)
{
	(void)state;
	assert_string_equal(figures(MS_RULE_DATA),
			    "Matrix.Y 12967025 8720879,120879; Matrix.Z 12967025 710879,30879; "
			    "Matrix.X 522025 410879,22879; <stack> 100000 0,0; "
			    "<unknown> 5000 625,625; counter 0 0,0");
	apply("combine M Matrix.Y Matrix.X");
	assert_string_equal(figures(MS_RULE_DATA),
			    "M 13489050 9131758,143758; Matrix.Z 12967025 710879,30879; "
			    "<stack> 100000 0,0; <unknown> 5000 625,625; counter 0 0,0");
	assert_int_equal(run.data.at[0].objects, 2);
	assert_int_equal(run.data.at[0].bytes, 2 * 696200);
	assert_int_equal(run.data.at[0].largest, 696200);
	assert_int_equal(run.data.at[0].kind, MS_DATA_HEAP);
	assert_string_equal(run.data.at[0].type, "Matrix");
	assert_null(outcome.data_keys[0]);
	assert_string_equal(outcome.data_keys[1], "Matrix.Z < NewMatrix < main");
	assert_non_null(strstr(run.data.at[0].full_name, "2 data together: main (matmul.c:41)"));
	for (size_t i = 0; i < run.frames.n; i++)
		assert_int_equal(run.frames.at[i].data, 1); /* M has no path of its own */
}

static void group_all(enum ms_rules_group by)
{
	const struct ms_rules_grouping how = { .by = by };
	struct ms_run *runs = &run;

	ms_rules_group_heap(&runs, 1, &how);
}

/* Groups of one keep their names. */
static void test_groups(void **state)
{
	(void)state;
	group_all(MS_RULES_BY_TYPE);
	assert_string_equal(figures(MS_RULE_DATA),
			    "Matrix.* 26456075 9842637,174637; <stack> 100000 0,0; "
			    "<unknown> 5000 625,625; counter 0 0,0");
	tear_down(state);
	set_up(state);
	run.data.at[SAMPLE_X].type = "Vector";
	run.data.at[SAMPLE_Z].type = NULL;
	group_all(MS_RULES_BY_TYPE);
	assert_string_equal(run.data.at[SAMPLE_Y].name, "Matrix.Y");
	assert_string_equal(run.data.at[SAMPLE_X].name, "Matrix.X");
	assert_string_equal(run.data.at[SAMPLE_Z].name, "Matrix.Z");
	run.data.at[SAMPLE_Z].full_name = "main (matmul.c:9) > NewMatrix (matmul.c:3){other paths}";
	group_all(MS_RULES_BY_FUNCTION);
	assert_string_equal(run.data.at[0].name, "NewMatrix()");
	assert_string_equal(run.data.at[0].key, "NewMatrix()");
	assert_int_equal(run.data.at[0].objects, 3);
}

static void test_code(void **state)
{
	(void)state;
	apply("hide --code main memcpy\nrename --code Clear* Zero");
	assert_int_equal(run.codes.n, 3);
	assert_string_equal(run.codes.at[0].name, "BlkMultiply");
	assert_string_equal(run.codes.at[1].name, "<hidden>");
	assert_string_equal(run.codes.at[2].name, "Zero");
	assert_int_equal(run.lines.n, 4);
	assert_null(run.lines.at[2].file);
	assert_int_equal(run.lines.at[2].instructions, 8000000 + 100000);
	assert_int_equal(outcome.matches[0], 1);
	assert_int_equal(outcome.matches[2], 1);
}

static void test_matches(void **state)
{
	(void)state;
	apply("rename nothing A\ncombine M 'Matrix.[YZ]'\nrename M N");
	assert_int_equal(outcome.matches[0], 0);
	assert_int_equal(outcome.matches[1], 2);
	assert_int_equal(outcome.matches[2], 2);
}

static void test_focus(void **state)
{
	struct ms_err err;

	(void)state;
	assert_int_equal(read_text("only Matrix.Y\nskip --code memcpy main", &err), MS_OK);
	ms_rules_focus(&run, &rules, &outcome);
	assert_int_equal(ms_run_check(&run, &err), MS_OK);
	assert_string_equal(figures(MS_RULE_DATA),
			    "Matrix.Y 12967025 8720879,120879; <rest> 13589050 1121758,53758; "
			    "<unknown> 5000 625,625");
	assert_int_equal(run.codes.n, 3);
	assert_string_equal(run.codes.at[1].name, "<rest>");
}

static uint64_t checksum(const struct ms_run *r)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < r->cells.n; i++)
		sum += r->cells.at[i].references;
	for (size_t i = 0; i < r->misses.n; i++)
		sum += 3 * r->misses.at[i].causes[0] + 5 * r->misses.at[i].causes[1];
	for (size_t i = 0; i < r->replaced.n; i++)
		sum += 7 * r->replaced.at[i].count;
	for (size_t i = 0; i < r->evictions.n; i++)
		sum += 11 * r->evictions.at[i].count;
	return sum;
}

/* Whatever is put together, nothing is lost and the run stays one that the store takes. */
static void test_random_groups(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 50; seed++) {
		struct ms_run r;
		struct ms_err err;
		uint64_t random = seed;

		sample_random_run(&r, seed, 9, 17, 400);
		uint64_t before = checksum(&r);
		uint32_t group[17];
		for (uint32_t i = 0; i < r.data.n; i++)
			group[i] = i > 0 && sample_random(&random) % 2 == 0
					   ? group[sample_random(&random) % i]
					   : i;
		ms_run_regroup(&r, &(struct ms_run_groups){ .data = group });
		assert_true(checksum(&r) == before);
		if (ms_run_check(&r, &err) != MS_OK)
			fail_msg("%s", err.text);
		for (size_t i = 1; i < r.cells.n; i++)
			assert_false(r.cells.at[i].site == r.cells.at[i - 1].site &&
				     r.cells.at[i].data == r.cells.at[i - 1].data &&
				     r.cells.at[i].processor == r.cells.at[i - 1].processor);
		ms_run_free(&r);
	}
}

/* --- as text --- */

static const char *const good[] = {
	"rename Matrix.Y A",
	"rename --code 'operator()(int)' call",
	"rename --program matmul 'Matrix.Y < NewMatrix < main' 'the weights'",
	"combine M 'double\\*.*'",
	"split --by caller=3 node",
	"split --by size node",
	"hide --code lib:libc.so.6",
	"only --code BlkMultiply",
	"skip '<stack>'",
	"rename \"it's\" B",
	"rename \"a\\x0a\\x1bb\\\"\" B",
	"rename \"#1\" B",
};

static void test_round_trip(void **state)
{
	for (size_t i = 0; i < MS_COUNT(good); i++) {
		struct ms_text first = MS_TEXT_INIT, second = MS_TEXT_INIT;
		struct ms_err err;

		tear_down(state);
		set_up(state);
		if (read_text(good[i], &err) != MS_OK)
			fail_msg("%s", err.text);
		ms_rules_write(&first, &rules.at.at[0]);
		assert_int_equal(read_text(first.at, &err), MS_OK);
		ms_rules_write(&second, &rules.at.at[1]);
		assert_string_equal(first.at, second.at);
		assert_string_equal(rules.at.at[0].pattern, rules.at.at[1].pattern);
		if (i != 11) /* whose quotes are others */
			assert_string_equal(first.at, good[i]);
		ms_text_free(&first);
		ms_text_free(&second);
	}
}

static const char *const bad[][2] = {
	{ "name A B", "memspy.rules:1: found 'name', expected rename, combine, split, hide, only "
		      "or skip" },
	{ "# fine\n\nrename A",
	  "memspy.rules:3: found too few words, expected rename PATTERN NAME" },
	{ "rename A B C", "memspy.rules:1: found too many words, expected rename PATTERN NAME" },
	{ "combine A", "memspy.rules:1: found too few words, expected combine NAME PATTERN ..." },
	{ "hide", "memspy.rules:1: found too few words, expected the verb and a PATTERN" },
	{ "rename 'A B", "memspy.rules:1: found a quote without its end, expected it on the same "
			 "line" },
	{ "split --by colour A",
	  "memspy.rules:1: found 'colour', expected --by size, thread, field or caller=N" },
	{ "split --by caller=0 A",
	  "memspy.rules:1: found 'caller=0', expected --by size, thread, field or caller=N" },
	{ "split A",
	  "memspy.rules:1: found no --by, expected --by size, thread, field or caller=N" },
	{ "rename --colour A B", "memspy.rules:1: found '--colour', expected --code or --program" },
	{ "rename --program", "memspy.rules:1: found '--program', expected a word after it" },
	{ "rename A ''", "memspy.rules:1: found an empty name, expected what it is to be called" },
};

static void test_bad_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(bad); i++) {
		struct ms_err err;

		assert_int_equal(read_text(bad[i][0], &err), MS_EFORMAT);
		assert_string_equal(err.text, bad[i][1]);
	}
}

static void test_loops(void **state)
{
	struct ms_text circle = MS_TEXT_INIT;
	struct ms_err err;

	(void)state;
	assert_int_equal(read_text("rename A B\nrename B C\ncombine D 'D*'", &err), MS_OK);
	assert_false(ms_rules_loop(&rules, &circle));
	assert_int_equal(read_text("rename C A", &err), MS_OK);
	assert_true(ms_rules_loop(&rules, &circle));
	assert_string_equal(circle.at, "memspy.rules:1 (rename A B), memspy.rules:2 (rename B C) "
				       "and memspy.rules:1 (rename C A) lead in a circle");
	ms_text_free(&circle);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_names),         TEST(test_figures_add_up), TEST(test_groups),
		TEST(test_code),          TEST(test_matches),        TEST(test_focus),
		TEST(test_random_groups), TEST(test_round_trip),     TEST(test_bad_text),
		TEST(test_loops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
