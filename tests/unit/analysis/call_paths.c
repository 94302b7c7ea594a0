/* Costs by call path: they add up, inclusive ones count recursion once, callers form a tree. */
#include "unit/sample_paths.h"

#include "analysis/call_paths/call_paths.h"
#include "analysis/summary/summary.h"

struct sample {
	struct ms_run run;
	struct ms_summary summary;
	struct ms_paths_rows rows;
};

static void open_sample(struct sample *s)
{
	struct ms_err err;

	sample_paths_run(&s->run);
	if (ms_summary_make(&s->summary, &s->run, NULL, NULL, &err) != MS_OK ||
	    ms_paths_make_rows(&s->rows, &s->summary, &err) != MS_OK)
		fail_msg("%s", err.text);
}

static void close_sample(struct sample *s)
{
	ms_paths_free_rows(&s->rows);
	ms_summary_free(&s->summary);
	ms_run_free(&s->run);
}

static uint64_t stall_of(const struct ms_summary *s, uint32_t code)
{
	for (size_t i = 0; i < s->code.at.n; i++)
		if (s->code.at.at[i].code == code)
			return ms_summary_rw_sum(s->code.at.at[i].counts.stall);
	return 0;
}

static void the_stall_of_all_paths_is_that_of_the_run(void **state)
{
	struct sample s;

	(void)state;
	open_sample(&s);
	assert_int_equal(s.rows.stall, ms_summary_rw_sum(s.summary.total.counts.stall));
	close_sample(&s);
}

static void inclusive_stall_has_what_a_function_calls(void **state)
{
	uint64_t stall[4];
	struct sample s;

	(void)state;
	open_sample(&s);
	ms_paths_sum_inclusive(&s.rows, stall);
	assert_int_equal(stall[SAMPLE_MAIN], s.rows.stall);
	assert_int_equal(stall[SAMPLE_MULTIPLY], stall_of(&s.summary, SAMPLE_MULTIPLY));
	assert_int_equal(stall[SAMPLE_CLEAR],
			 stall_of(&s.summary, SAMPLE_CLEAR) + stall_of(&s.summary, SAMPLE_MEMCPY));
	assert_int_equal(stall[SAMPLE_MEMCPY], stall_of(&s.summary, SAMPLE_MEMCPY));
	close_sample(&s);
}

/* memcpy is of the C library, and ClearProduct calls it. */
static void folding_moves_stall_to_the_caller(void **state)
{
	struct ms_paths_folded folded;
	struct sample s;
	uint64_t bins = 0;

	(void)state;
	open_sample(&s);
	ms_paths_fold_system(&folded, &s.summary);
	assert_int_equal(folded.stall, stall_of(&s.summary, SAMPLE_MEMCPY));
	assert_int_equal(stall_of(&folded.summary, SAMPLE_MEMCPY), 0);
	assert_int_equal(stall_of(&folded.summary, SAMPLE_CLEAR),
			 stall_of(&s.summary, SAMPLE_CLEAR) + folded.stall);
	for (size_t i = 0; i < folded.summary.bins.at.n; i++)
		bins += ms_summary_rw_sum(folded.summary.bins.at.at[i].counts.stall);
	assert_int_equal(bins, s.rows.stall);
	ms_paths_free_folded(&folded);
	close_sample(&s);
}

static void callers_of_a_function_are_a_tree(void **state)
{
	bool code[4] = { [SAMPLE_MEMCPY] = true };
	struct ms_paths_callers callers;
	struct sample s;

	(void)state;
	open_sample(&s);
	ms_paths_find_callers(&callers, &s.rows, code, NULL);
	assert_int_equal(callers.stall, stall_of(&s.summary, SAMPLE_MEMCPY));
	assert_int_equal(callers.self, callers.stall);
	assert_int_equal(callers.at.n, 2);
	assert_int_equal(callers.at.at[0].line, 3);
	assert_int_equal(callers.at.at[0].depth, 0);
	assert_int_equal(callers.at.at[1].line, 2);
	assert_int_equal(callers.at.at[1].depth, 1);
	assert_int_equal(callers.at.at[1].stall, callers.stall);
	ms_paths_free_callers(&callers);
	close_sample(&s);
}

/* The code that uses it comes first; the two paths of a line are its callers. */
static void callers_of_data_begin_with_the_code_that_uses_it(void **state)
{
	bool data[6] = { [SAMPLE_Z] = true };
	struct ms_paths_callers callers;
	struct sample s;
	uint64_t lines = 0, recursive = 0;

	(void)state;
	open_sample(&s);
	ms_paths_find_callers(&callers, &s.rows, NULL, data);
	for (size_t i = 0; i < callers.at.n; i++) {
		if (callers.at.at[i].depth == 0)
			lines += callers.at.at[i].stall;
		if (callers.at.at[i].depth == 1 && callers.at.at[i].line == 0)
			recursive += callers.at.at[i].stall;
	}
	assert_int_equal(lines, callers.stall);
	assert_true(recursive > 0 && recursive < callers.stall / 2);
	ms_paths_free_callers(&callers);
	close_sample(&s);
}

static void leaves_are_whole_paths_by_stall(void **state)
{
	struct ms_paths_leaves leaves;
	struct sample s;
	uint64_t stall = 0;

	(void)state;
	open_sample(&s);
	ms_paths_list_leaves(&leaves, &s.rows, NULL);
	for (size_t i = 0; i < leaves.at.n; i++) {
		stall += leaves.at.at[i].stall;
		assert_true(i == 0 || leaves.at.at[i].stall <= leaves.at.at[i - 1].stall);
	}
	assert_int_equal(stall, s.rows.stall);
	assert_int_equal(leaves.at.at[0].code, SAMPLE_MULTIPLY);
	assert_int_equal(leaves.at.at[0].path, SAMPLE_FROM_MAIN);
	ms_paths_free_leaves(&leaves);
	close_sample(&s);
}

/* All is less than `least`: main, which calls all others, has it with its calls. */
static void small_leaves_are_folded_into_their_callers(void **state)
{
	struct ms_paths_leaves leaves;
	struct sample s;

	(void)state;
	open_sample(&s);
	ms_paths_list_leaves(&leaves, &s.rows, NULL);
	ms_paths_fold_leaves(&leaves, &s.run, UINT64_MAX);
	assert_int_equal(leaves.at.n, 1);
	assert_int_equal(leaves.at.at[0].code, SAMPLE_MAIN);
	assert_int_equal(leaves.at.at[0].path, SAMPLE_ROOT);
	assert_int_equal(leaves.at.at[0].stall, s.rows.stall);
	assert_true(leaves.at.at[0].has_calls);
	ms_paths_free_leaves(&leaves);
	close_sample(&s);
}

static void large_leaves_are_not_folded(void **state)
{
	struct ms_paths_leaves leaves;
	struct sample s;
	uint64_t stall = 0;

	(void)state;
	open_sample(&s);
	ms_paths_list_leaves(&leaves, &s.rows, NULL);
	uint64_t largest = leaves.at.at[0].stall;
	ms_paths_fold_leaves(&leaves, &s.run, largest);
	for (size_t i = 0; i < leaves.at.n; i++) {
		stall += leaves.at.at[i].stall;
		if (leaves.at.at[i].code != SAMPLE_MULTIPLY)
			continue;
		assert_int_equal(leaves.at.at[i].path, SAMPLE_FROM_MAIN);
		assert_true(leaves.at.at[i].stall >= largest);
	}
	assert_true(leaves.at.n > 1);
	assert_int_equal(stall, s.rows.stall);
	ms_paths_free_leaves(&leaves);
	close_sample(&s);
}

static void a_run_without_paths_is_refused(void **state)
{
	struct ms_paths_rows rows;
	struct ms_summary summary;
	struct ms_run run;
	struct ms_err err;

	(void)state;
	sample_run(&run);
	assert_int_equal(ms_summary_make(&summary, &run, NULL, NULL, &err), MS_OK);
	assert_int_equal(ms_paths_make_rows(&rows, &summary, &err), MS_EUSAGE);
	ms_summary_free(&summary);
	ms_run_free(&run);
}

static void the_tree_of_all_paths_has_the_stall_of_the_run(void **state)
{
	struct ms_paths_tree tree;
	struct sample s;
	uint64_t outermost = 0, self = 0, inclusive[4];

	(void)state;
	open_sample(&s);
	ms_paths_make_tree(&tree, &s.rows);
	ms_paths_sum_inclusive(&s.rows, inclusive);
	for (size_t i = 0; i < tree.at.n; i++) {
		if (tree.at.at[i].parent == MS_NONE)
			outermost += tree.at.at[i].stall;
		else
			assert_true(tree.at.at[i].parent < i);
		if (tree.at.at[i].code == SAMPLE_MEMCPY) {
			assert_int_equal(tree.at.at[tree.at.at[i].parent].code, SAMPLE_CLEAR);
			assert_int_equal(tree.at.at[i].stall, inclusive[SAMPLE_MEMCPY]);
		}
	}
	for (size_t i = 0; i < tree.costs.n; i++) {
		self += tree.costs.at[i].stall;
		assert_true(i == 0 || tree.costs.at[i].stall <= tree.costs.at[i - 1].stall);
	}
	assert_int_equal(outermost, s.rows.stall);
	assert_int_equal(self, s.rows.stall);
	ms_paths_free_tree(&tree);
	close_sample(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_stall_of_all_paths_is_that_of_the_run),
		cmocka_unit_test(inclusive_stall_has_what_a_function_calls),
		cmocka_unit_test(folding_moves_stall_to_the_caller),
		cmocka_unit_test(callers_of_a_function_are_a_tree),
		cmocka_unit_test(the_tree_of_all_paths_has_the_stall_of_the_run),
		cmocka_unit_test(callers_of_data_begin_with_the_code_that_uses_it),
		cmocka_unit_test(leaves_are_whole_paths_by_stall),
		cmocka_unit_test(small_leaves_are_folded_into_their_callers),
		cmocka_unit_test(large_leaves_are_not_folded),
		cmocka_unit_test(a_run_without_paths_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
