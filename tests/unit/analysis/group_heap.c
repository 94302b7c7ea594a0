/* Heap data in groups: which is grouped, when, and what stays apart. */
#include "unit/sample_run.h"

#include "analysis/describe/describe.h"
#include "analysis/summary/summary.h"
#include "analysis/user_rules/rules.h"
#include "base/mem.h"
#include "base/text.h"

/* Stall time of the sample run is 114.2M cycles, of which Matrix.Y has 86 %. */
enum { SMALL_MISSES = 6000 }; /* of each small data structure: 600,000 cycles, about 0.3 % */

/* Adds n data structures "Node.nI", of the type or of none, allocated by a function each; and what
 * they stall. */
static void add_small(struct ms_run *run, unsigned n, const char *type, const char *function)
{
	for (unsigned i = 0; i < n; i++) {
		const char *name = ms_arena_printf(&run->arena, "%s.n%u", type ? type : "?", i);

		SAMPLE_ADD(&run->data,
			   (struct ms_run_data){
				   .name = name,
				   .full_name = ms_arena_printf(&run->arena,
								"main (m.c:1) > %s (m.c:%u) > %s",
								function, i + 2, name),
				   .type = type,
				   .kind = MS_DATA_HEAP,
				   .objects = 1 });
		SAMPLE_ADD(&run->cells, (struct ms_run_cell){ .site = 6,
							      .data = (uint32_t)run->data.n - 1,
							      .references = SMALL_MISSES });
		sample_miss(run, 0, SMALL_MISSES, 0);
		sample_miss(run, 1, SMALL_MISSES, 0);
	}
}

static void make(struct ms_run *run, unsigned nodes, unsigned untyped)
{
	sample_run(run);
	add_small(run, nodes, "Node", "insert");
	add_small(run, untyped, NULL, "grow");
}

static void group(struct ms_run *const *runs, size_t n, const char *asked)
{
	const struct ms_rules_grouping how = { .automatic = true,
					       .apart = &asked,
					       .apart_n = asked != NULL };

	ms_rules_group_heap(runs, n, &how);
}

static bool has(const struct ms_run *run, const char *name)
{
	for (size_t i = 0; i < run->data.n; i++)
		if (strcmp(run->data.at[i].name, name) == 0)
			return true;
	return false;
}

static uint64_t stall_of(const struct ms_run *run)
{
	struct ms_summary s;
	uint64_t all = 0;

	assert_int_equal(ms_summary_make(&s, run, NULL, NULL, NULL), MS_OK);
	for (size_t i = 0; i < s.data.at.n; i++)
		all += ms_summary_rw_sum(s.data.at.at[i].counts.stall);
	assert_int_equal(all, ms_summary_rw_sum(s.total.counts.stall));
	ms_summary_free(&s);
	return all;
}

static void small_data_is_grouped_and_adds_up(void **state)
{
	struct ms_run run, *runs = &run;
	struct ms_text text = MS_TEXT_INIT;

	(void)state;
	make(&run, 100, 40);
	uint64_t stall = stall_of(&run);

	group(&runs, 1, NULL);
	assert_int_equal(run.grouping, MS_GROUPING_SMALL);
	assert_true(has(&run, "Node.*"));
	assert_true(has(&run, "grow()"));
	assert_false(has(&run, "Node.n3"));
	assert_true(has(&run, "Matrix.Y")); /* matters by itself */
	assert_int_equal(stall_of(&run), stall);
	ms_describe_grouping(&text, &run, 0.424);
	assert_string_equal(text.at, "140 heap data structures with less than 1% of the stall time "
				     "each in 2 groups by type or allocating function, 42.4% of "
				     "the stall time; --group none shows each");
	ms_text_free(&text);
	ms_run_free(&run);
}

/* Functions of stripped libraries have no names. */
static void data_of_stripped_modules_is_grouped_by_module(void **state)
{
	const struct ms_rules_grouping how = { .by = MS_RULES_BY_FUNCTION };
	struct ms_run run, *runs = &run;

	(void)state;
	sample_run(&run);
	for (unsigned i = 0; i < 2; i++) {
		const char *name = ms_arena_printf(&run.arena, "libfoo.so+0x12%u0 < main", i);

		SAMPLE_ADD(&run.data,
			   (struct ms_run_data){
				   .name = name,
				   .full_name = ms_arena_printf(
					   &run.arena, "main (m.c:1) > libfoo.so+0x12%u0", i),
				   .kind = MS_DATA_HEAP });
	}
	ms_rules_group_heap(&runs, 1, &how);
	assert_true(has(&run, "libfoo.so+*"));
	ms_run_free(&run);
}

/* 99 are few; 100 with less than a fifth of the stall time do not hide it. */
static void few_or_unimportant_data_is_not_grouped(void **state)
{
	struct ms_run run, *runs = &run;

	(void)state;
	make(&run, 99, 0);
	group(&runs, 1, NULL);
	assert_int_equal(run.grouping, MS_GROUPING_NONE);
	assert_true(has(&run, "Node.n3"));
	ms_run_free(&run);
	make(&run, 110, 0);
	for (size_t i = 0; i < run.misses.n; i++)
		if (run.cells.at[run.misses.at[i].cell].data == SAMPLE_Y)
			run.misses.at[i].causes[0] += 20000000;
	group(&runs, 1, NULL);
	assert_int_equal(run.grouping, MS_GROUPING_NONE);
	ms_run_free(&run);
}

static void data_that_is_asked_for_stays_apart(void **state)
{
	static const struct {
		const char *asked;
		bool third, fourth, group; /* whether Node.n3, Node.n4 and the group are shown */
	} cases[] = {
		{ "Node.n3", true, false, true },   { "n3", true, false, true },
		{ "Node.n[34]", true, true, true }, { "Node.*", false, false, true },
		{ "Node", false, false, true },     { "BlkMultiply", false, false, true },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_run run, *runs = &run;

		make(&run, 120, 0);
		group(&runs, 1, cases[i].asked);
		if (has(&run, "Node.n3") != cases[i].third ||
		    has(&run, "Node.n4") != cases[i].fourth ||
		    has(&run, "Node.*") != cases[i].group)
			fail_msg("%s", cases[i].asked);
		ms_run_free(&run);
	}
}

static void data_that_rules_have_named_stays_apart(void **state)
{
	struct ms_run run, *runs = &run;
	struct ms_run_rules rules = { .at = MS_VEC_INIT };
	struct ms_rules_outcome outcome;
	const struct ms_run_rule rename = { .subject = MS_RULE_DATA,
					    .verb = MS_RULE_RENAME,
					    .pattern = "Node.n3",
					    .name = "root" };
	const struct ms_run_rule combine = { .subject = MS_RULE_DATA,
					     .verb = MS_RULE_COMBINE,
					     .pattern = "Node.n[4-6]",
					     .name = "leaves" };

	(void)state;
	make(&run, 120, 0);
	*ms_vec_add(&rules.at) = rename;
	*ms_vec_add(&rules.at) = combine;
	ms_rules_apply(&run, &rules, &outcome);
	group(&runs, 1, NULL);
	assert_true(has(&run, "root"));
	assert_true(has(&run, "leaves"));
	assert_true(has(&run, "Node.*"));
	for (size_t i = 0; i < run.data.n; i++)
		if (strcmp(run.data.at[i].name, "Node.*") == 0)
			assert_int_equal(run.data.at[i].grouped, 116);
	ms_rules_outcome_free(&outcome);
	ms_run_rules_free(&rules);
	ms_run_free(&run);
}

/* Node.n3 matters in the second run only, the many are in the first only. */
static void runs_are_grouped_alike(void **state)
{
	struct ms_run before, after, *runs[] = { &before, &after };

	(void)state;
	make(&before, 120, 0);
	make(&after, 20, 0);
	for (size_t i = 0; i < after.misses.n; i++)
		if (strcmp(after.data.at[after.cells.at[after.misses.at[i].cell].data].name,
			   "Node.n3") == 0)
			after.misses.at[i].causes[0] += 5000000;
	group(runs, 2, NULL);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(runs[i]->grouping, MS_GROUPING_SMALL);
		assert_true(has(runs[i], "Node.*"));
		assert_true(has(runs[i], "Node.n3"));
		assert_false(has(runs[i], "Node.n4"));
		ms_run_free(runs[i]);
	}
}

#define TEST(name) cmocka_unit_test(name)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(small_data_is_grouped_and_adds_up),
		TEST(data_of_stripped_modules_is_grouped_by_module),
		TEST(few_or_unimportant_data_is_not_grouped),
		TEST(data_that_is_asked_for_stays_apart),
		TEST(data_that_rules_have_named_stays_apart),
		TEST(runs_are_grouped_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
