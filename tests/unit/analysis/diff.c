/* Two sides beside each other: what belongs together, sums, noise, conditions. */
#include "unit/sample_hardware.h"
#include "unit/sample_windows.h"

#include <math.h>

#include "analysis/diff/diff.h"
#include "analysis/diff/fail_if.h"

/* One or several runs a side. */
static void make(struct ms_diff *diff, const struct ms_run *const *before, size_t n,
		 const struct ms_run *const *after, size_t m)
{
	const struct ms_diff_options options = { NULL, NULL };
	struct ms_err err;

	if (ms_diff_make(diff, (struct ms_diff_side){ before, n },
			 (struct ms_diff_side){ after, m }, &options, &err) != MS_OK)
		fail_msg("%s", err.text);
}

static void make_one(struct ms_diff *diff, const struct ms_run *before, const struct ms_run *after)
{
	static const struct ms_run *sides[2];

	sides[0] = before;
	sides[1] = after;
	make(diff, &sides[0], 1, &sides[1], 1);
}

static const struct ms_diff_row *row_of(const struct ms_diff *diff, enum ms_diff_list_kind by,
					const char *name)
{
	for (size_t i = 0; i < diff->lists[by].at.n; i++)
		if (strcmp(diff->lists[by].at.at[i].name, name) == 0)
			return &diff->lists[by].at.at[i];
	fail_msg("there is no %s", name);
	return NULL;
}

static double by_of(const struct ms_diff *diff, const struct ms_diff_row *row)
{
	return ms_diff_change_amount(ms_diff_row_change(diff, row));
}

/* Whatever is matched with what: each list adds up to the totals. */
static void assert_sums(const struct ms_diff *diff)
{
	for (int by = 0; by < MS_DIFF_LISTS; by++)
		for (size_t m = 0; m < diff->metrics.n; m++) {
			double before = 0, after = 0;

			/* Data executes nothing. */
			if ((by == MS_DIFF_DATA || by == MS_DIFF_BIN) &&
			    (strcmp(diff->metrics.at[m].key, "cycles") == 0 ||
			     strcmp(diff->metrics.at[m].key, "compute") == 0))
				continue;
			for (size_t i = 0; i < diff->lists[by].at.n; i++) {
				before += diff->lists[by].at.at[i].changes[m].before;
				after += diff->lists[by].at.at[i].changes[m].after;
			}
			if (before != diff->total.changes[m].before ||
			    after != diff->total.changes[m].after)
				fail_msg("list %d, %s", by, diff->metrics.at[m].key);
		}
}

static void test_the_same_run(void **state)
{
	struct ms_diff diff;
	struct ms_run run;

	(void)state;
	sample_run(&run);
	make_one(&diff, &run, &run);
	assert_sums(&diff);
	for (int by = 0; by < MS_DIFF_LISTS; by++)
		for (size_t i = 0; i < diff.lists[by].at.n; i++) {
			const struct ms_diff_row *row = &diff.lists[by].at.at[i];

			assert_int_equal(row->presence, MS_DIFF_BOTH);
			assert_null(row->old_name);
			assert_true(by_of(&diff, row) == 0);
			assert_true(isnan(ms_diff_share(&diff, row)));
		}
	assert_int_equal(diff.remarks.n, 0);
	assert_false(diff.noisy);
	ms_diff_free(&diff);
	ms_run_free(&run);
}

/* Y stays in the cache: its misses go, and with them nearly all of the gain. */
static void pad(struct ms_run *run)
{
	run->misses.at[0].causes[MS_CAUSE_REPLACED] = 700000; /* 8000000 fewer */
}

static void test_the_gain_has_a_place(void **state)
{
	struct ms_run plain, padded;
	struct ms_diff diff;

	(void)state;
	sample_run(&plain);
	sample_run(&padded);
	pad(&padded);
	padded.misses.at[2].causes[MS_CAUSE_REPLACED] += 100000; /* Z in BlkMultiply: worse */
	make_one(&diff, &plain, &padded);
	assert_sums(&diff);
	const struct ms_diff_row *first = &diff.lists[MS_DIFF_BIN].at.at[0];
	assert_string_equal(first->data, "Matrix.Y");
	assert_string_equal(first->code, "BlkMultiply");
	assert_true(by_of(&diff, first) == -80000000.0);
	assert_true(by_of(&diff, &diff.total) == -79000000.0);
	assert_true(ms_diff_share(&diff, first) == 80.0 / 79.0);
	assert_true(ms_diff_share(&diff, &diff.lists[MS_DIFF_BIN].at.at[1]) == -1.0 / 79.0);
	/* L1, replacement */
	assert_true(ms_diff_change_amount(&first->causes[MS_CAUSE_REPLACED]) == -8000000.0);
	assert_true(ms_diff_change_amount(&first->causes[MS_CAUSE_FIRST]) == 0);
	assert_true(by_of(&diff, &diff.lists[MS_DIFF_LINE].at.at[0]) == -79000000.0);
	assert_int_equal(diff.lists[MS_DIFF_LINE].at.at[0].line, 31);
	ms_diff_free(&diff);
	ms_run_free(&plain);
	ms_run_free(&padded);
}

/* Lines are inserted above and within, functions and variables renamed, paths moved. */
static void edit(struct ms_run *run)
{
	struct ms_arena *a = &run->arena;

	for (size_t i = 0; i < run->lines.n; i++)
		if (run->lines.at[i].file != NULL) {
			run->lines.at[i].file = "/other/place/matmul.c";
			run->lines.at[i].line += 100;
		}
	for (size_t i = 0; i < run->codes.n; i++)
		if (run->codes.at[i].file != NULL) {
			run->codes.at[i].file = "/other/place/matmul.c";
			run->codes.at[i].module = "/other/place/matmul";
			run->codes.at[i].line += 100;
		}
	run->lines.at[1].line += 7; /* of BlkMultiply: between its two lines */
	run->codes.at[SAMPLE_CLEAR].name = "ClearProduct.constprop.0";
	for (uint32_t i = 0; i < 3; i++)
		run->data.at[i].full_name =
			ms_arena_printf(a, "main (matmul.c:%u) > NewMatrix (matmul.c:103) > %s",
					141 + i, i == 2 ? "Matrix.Xnew" : run->data.at[i].name);
	run->data.at[SAMPLE_X].name = "Matrix.Xnew";
}

static void test_edited_source(void **state)
{
	struct ms_run before, after;
	struct ms_diff diff;

	(void)state;
	sample_run(&before);
	sample_run(&after);
	edit(&after);
	make_one(&diff, &before, &after);
	assert_sums(&diff);
	for (int by = 0; by < MS_DIFF_LISTS; by++)
		for (size_t i = 0; i < diff.lists[by].at.n; i++) {
			assert_int_equal(diff.lists[by].at.at[i].presence, MS_DIFF_BOTH);
			assert_true(by_of(&diff, &diff.lists[by].at.at[i]) == 0);
		}
	assert_string_equal(row_of(&diff, MS_DIFF_DATA, "Matrix.Xnew")->old_name, "Matrix.X");
	assert_string_equal(row_of(&diff, MS_DIFF_CODE, "ClearProduct.constprop.0")->old_name,
			    "ClearProduct");
	const struct ms_diff_row *line = row_of(&diff, MS_DIFF_LINE, "matmul.c:138 BlkMultiply");
	assert_int_equal(line->old_line, 31);
	ms_diff_free(&diff);
	ms_run_free(&before);
	ms_run_free(&after);
}

/* A copy of the source under another name: functions are known again by name, and so are lines. */
static void test_renamed_source(void **state)
{
	struct ms_run before, after;
	struct ms_diff diff;

	(void)state;
	sample_run(&before);
	sample_run(&after);
	edit(&after);
	for (size_t i = 0; i < after.lines.n; i++)
		if (after.lines.at[i].file != NULL)
			after.lines.at[i].file = "/other/place/padded.c";
	for (size_t i = 0; i < after.codes.n; i++)
		if (after.codes.at[i].file != NULL)
			after.codes.at[i].file = "/other/place/padded.c";
	make_one(&diff, &before, &after);
	assert_sums(&diff);
	for (size_t i = 0; i < diff.lists[MS_DIFF_LINE].at.n; i++)
		assert_int_equal(diff.lists[MS_DIFF_LINE].at.at[i].presence, MS_DIFF_BOTH);
	const struct ms_diff_row *line = row_of(&diff, MS_DIFF_LINE, "padded.c:138 BlkMultiply");
	assert_string_equal(line->old_name, "matmul.c:31 BlkMultiply");
	assert_string_equal(line->file, "padded.c");
	ms_diff_free(&diff);
	ms_run_free(&before);
	ms_run_free(&after);
}

static void test_appeared_and_gone(void **state)
{
	struct ms_run before, after;
	struct ms_diff diff;

	(void)state;
	sample_run(&before);
	sample_run(&after);
	/* What cannot be the same: another name, another type, another way. */
	after.data.at[SAMPLE_Y].name = "Tree.left";
	after.data.at[SAMPLE_Y].full_name = "grow (tree.c:3) > Tree.left";
	after.data.at[SAMPLE_Y].type = "Tree";
	after.codes.at[SAMPLE_MAIN].name = "other_main";
	after.program = "./tree";
	make_one(&diff, &before, &after);
	assert_sums(&diff);
	assert_int_equal(row_of(&diff, MS_DIFF_DATA, "Matrix.Y")->presence, MS_DIFF_GONE);
	assert_int_equal(row_of(&diff, MS_DIFF_DATA, "Tree.left")->presence, MS_DIFF_APPEARED);
	assert_int_equal(row_of(&diff, MS_DIFF_CODE, "main")->presence, MS_DIFF_GONE);
	assert_int_equal(row_of(&diff, MS_DIFF_CODE, "BlkMultiply")->presence, MS_DIFF_BOTH);
	assert_int_equal(row_of(&diff, MS_DIFF_BIN, "BlkMultiply / Matrix.Y")->presence,
			 MS_DIFF_GONE);
	assert_int_equal(diff.remarks.n, 1);
	assert_string_equal(diff.remarks.at[0], "The programs differ: matmul before, tree after.");
	ms_diff_free(&diff);
	ms_run_free(&before);
	ms_run_free(&after);
}

/* Levels are compared by name, and only those that both have. */
static void test_other_machine(void **state)
{
	struct ms_run before, after;
	struct ms_diff diff;

	(void)state;
	sample_run(&before);
	sample_run(&after);
	after.levels.at[1].name = "L3";
	after.machine = "bigger";
	after.end = MS_END_SIGNALED;
	after.exit_status = 11;
	after.id = 7;
	make_one(&diff, &before, &after);
	assert_sums(&diff);
	assert_int_equal(diff.levels.n, 1);
	assert_int_equal(ms_diff_find_metric(&diff, "L2_misses"), SIZE_MAX);
	assert_int_equal(diff.remarks.n, 3);
	assert_string_equal(diff.remarks.at[0],
			    "The machines differ: sample before, bigger after.");
	assert_string_equal(diff.remarks.at[1],
			    "Misses are compared of the levels that both have: L1.");
	assert_string_equal(diff.remarks.at[2], "Run @7 is not whole: killed by SIGSEGV.");
	ms_diff_free(&diff);
	ms_run_free(&before);
	ms_run_free(&after);
}

/* The compiler has split a function in two, and there is one of its plain name afterwards: it may
 * be neither. */
static void test_functions_of_one_plain_name(void **state)
{
	struct ms_run before, after;
	struct ms_diff diff;

	(void)state;
	sample_run(&before);
	sample_run(&after);
	before.codes.at[SAMPLE_MAIN].name = "step.part.0";
	before.codes.at[SAMPLE_CLEAR].name = "step.part.1";
	after.codes.at[SAMPLE_MAIN].name = "step(int)";
	make_one(&diff, &before, &after);
	assert_sums(&diff);
	assert_int_equal(row_of(&diff, MS_DIFF_CODE, "step.part.0")->presence, MS_DIFF_GONE);
	assert_int_equal(row_of(&diff, MS_DIFF_CODE, "step.part.1")->presence, MS_DIFF_GONE);
	assert_int_equal(row_of(&diff, MS_DIFF_CODE, "step(int)")->presence, MS_DIFF_APPEARED);
	ms_diff_free(&diff);
	ms_run_free(&before);
	ms_run_free(&after);
}

enum { RUNS = 3 };

/* Three runs a side; Y's misses vary by a million, X's do not, and are a thousand more after. */
static void test_noise(void **state)
{
	struct ms_run runs[2 * RUNS];
	const struct ms_run *at[2 * RUNS];
	struct ms_diff diff;

	(void)state;
	for (int i = 0; i < 2 * RUNS; i++) {
		sample_run(&runs[i]);
		at[i] = &runs[i];
		runs[i].misses.at[0].causes[MS_CAUSE_REPLACED] += (uint64_t)(i % RUNS) * 500000;
		runs[i].misses.at[0].causes[MS_CAUSE_REPLACED] += i >= RUNS ? 100000 : 0;
		runs[i].misses.at[4].causes[MS_CAUSE_REPLACED] += i >= RUNS ? 1000 : 0;
	}
	make(&diff, at, RUNS, at + RUNS, RUNS);
	assert_sums(&diff);
	assert_true(diff.noisy);
	const struct ms_diff_change *y =
		ms_diff_row_change(&diff, row_of(&diff, MS_DIFF_BIN, "BlkMultiply / Matrix.Y"));
	const struct ms_diff_change *x =
		ms_diff_row_change(&diff, row_of(&diff, MS_DIFF_BIN, "BlkMultiply / Matrix.X"));
	assert_true(ms_diff_change_amount(y) == 1000000.0);
	/* Deviation 5000000 on both sides; t of four degrees is 2.776. */
	assert_true(fabs(y->noise - 2.776 * 5000000 * sqrt(2.0 / 3)) < 1);
	assert_false(y->clear);
	assert_true(ms_diff_change_amount(x) == 10000.0);
	assert_true(x->noise == 0);
	assert_true(x->clear);
	ms_diff_free(&diff);
	/* One run on a side: the other one's noise is taken for both. */
	make(&diff, at, RUNS, at + RUNS, 1);
	y = ms_diff_row_change(&diff, row_of(&diff, MS_DIFF_BIN, "BlkMultiply / Matrix.Y"));
	assert_true(fabs(y->noise - 4.303 * 5000000 * sqrt(4.0 / 3)) < 1);
	ms_diff_free(&diff);
	for (int i = 0; i < 2 * RUNS; i++)
		ms_run_free(&runs[i]);
}

/* Sampled on the real machine: the noise of a single run follows from its samples. */
static void test_noise_of_samples(void **state)
{
	struct ms_run before, after;
	struct ms_diff diff;

	(void)state;
	sample_timer_run(&before);
	sample_timer_run(&after);
	/* Of mem_init 600 samples of a millisecond are 1100; of Exc 20 are 21. */
	after.hardware_samples.at[0].samples *= 2;
	after.hardware_samples.at[0].events *= 2;
	after.hardware_samples.at[0].events_squares *= 2;
	after.hardware_samples.at[0].latency *= 2;
	after.hardware_samples.at[0].latency_squares *= 2;
	uint64_t one = after.hardware_samples.at[2].latency / after.hardware_samples.at[2].samples;
	after.hardware_samples.at[2].latency += one;
	make_one(&diff, &before, &after);
	assert_sums(&diff);
	assert_true(diff.noisy);
	const struct ms_diff_rows *bins = &diff.lists[MS_DIFF_BIN];
	const struct ms_diff_change *most = ms_diff_row_change(&diff, &bins->at.at[0]);
	const struct ms_diff_change *next = ms_diff_row_change(&diff, &bins->at.at[1]);
	assert_true(fabs(most->noise - 1.96 * sqrt(1700) * 1e6) < 1);
	assert_true(most->clear);
	assert_true(ms_diff_change_amount(next) == (double)one);
	assert_false(next->clear);
	assert_string_equal(diff.metrics.at[diff.metric].text, "memory stall in nanoseconds");
	assert_int_equal(diff.remarks.n, 0);
	ms_diff_free(&diff);
	ms_run_free(&before);
	ms_run_free(&after);
}

static const struct ms_diff_change *change_of(const struct ms_diff *diff,
					      const struct ms_diff_row *row, const char *key)
{
	return &row->changes[ms_diff_find_metric(diff, key)];
}

static bool is_met(const struct ms_diff *diff, const char *condition)
{
	struct ms_text why = MS_TEXT_INIT;
	struct ms_err err;
	bool met;

	assert_int_equal(ms_diff_fail_if(diff, condition, &met, &why, &err), MS_OK);
	ms_text_free(&why);
	return met;
}

static void compute_times(struct ms_run *run, double times)
{
	run->instructions = 0;
	for (size_t i = 0; i < run->lines.n; i++)
		run->lines.at[i].instructions = 0;
	for (size_t i = 0; i < run->line_times.n; i++) {
		struct ms_run_line_time *t = &run->line_times.at[i];

		t->instructions = (uint64_t)((double)t->instructions * times);
		run->lines.at[t->line].instructions += t->instructions;
		run->instructions += t->instructions;
	}
}

/* "Y" is Matrix.Y, not Parity; and no part of a word. */
static void test_conditions_name_whole_words(void **state)
{
	struct ms_run before, after;
	struct ms_diff diff;

	(void)state;
	sample_run(&before);
	sample_run(&after);
	before.data.at[SAMPLE_Z].name = after.data.at[SAMPLE_Z].name = "ParitY";
	before.data.at[SAMPLE_X].name = after.data.at[SAMPLE_X].name = "Matrix_Y";
	for (size_t i = 2; i < after.misses.n; i++)
		if (after.cells.at[after.misses.at[i].cell].data != SAMPLE_Y)
			after.misses.at[i].causes[MS_CAUSE_REPLACED] *= 3;
	make_one(&diff, &before, &after);
	assert_true(is_met(&diff, "stall of ParitY > +50%"));
	assert_true(is_met(&diff, "stall of Matrix_Y > +50%"));
	assert_false(is_met(&diff, "stall of Y > +50%"));
	assert_false(is_met(&diff, "stall of Matrix.Y > +50%"));
	ms_diff_free(&diff);
	ms_run_free(&before);
	ms_run_free(&after);
}

/* Simulated in windows: the error of cycles is that of compute and stall time, which follows from
 * references of the same lines. */
static void test_noise_of_windows(void **state)
{
	struct ms_run whole, windows;
	struct ms_diff diff;

	(void)state;
	sample_parallel_run(&whole);
	sample_windows_run(&windows);
	compute_times(&windows, 1.02);
	make_one(&diff, &whole, &windows);
	assert_sums(&diff);
	const struct ms_diff_row *code = row_of(&diff, MS_DIFF_CODE, "count");
	const struct ms_diff_row *rows[] = { &diff.total, code };
	for (size_t i = 0; i < MS_COUNT(rows); i++) {
		const struct ms_diff_change *cycles = change_of(&diff, rows[i], "cycles");
		const struct ms_diff_change *compute = change_of(&diff, rows[i], "compute");
		const struct ms_diff_change *stall = change_of(&diff, rows[i], "stall");

		assert_true(compute->noise > 0 && stall->noise > 0);
		assert_true(cycles->noise >= fmax(compute->noise, stall->noise));
		assert_true(cycles->noise <= (compute->noise + stall->noise) * (1 + 1e-9));
		assert_true(ms_diff_change_amount(compute) > 0);
		assert_false(compute->clear);
		assert_false(cycles->clear);
	}
	/* Data computes nothing. */
	const struct ms_diff_row *data = row_of(&diff, MS_DIFF_DATA, "Queue.q");
	assert_true(change_of(&diff, data, "compute")->noise == 0);
	assert_float_equal(change_of(&diff, data, "cycles")->noise,
			   change_of(&diff, data, "stall")->noise, 1);
	assert_false(is_met(&diff, "cycles > +0.1%"));
	assert_false(is_met(&diff, "compute > +1%"));
	ms_diff_free(&diff);
	compute_times(&windows, 3);
	make_one(&diff, &whole, &windows);
	assert_true(is_met(&diff, "cycles > +1%"));
	assert_true(is_met(&diff, "compute > +1%"));
	ms_diff_free(&diff);
	/* It does not matter which of the two was sampled. */
	make_one(&diff, &windows, &whole);
	assert_true(diff.noisy);
	assert_true(change_of(&diff, &diff.total, "stall")->noise > 0);
	assert_false(change_of(&diff, &diff.total, "stall")->clear);
	assert_true(change_of(&diff, &diff.total, "compute")->clear);
	ms_diff_free(&diff);
	/* One part does not show how much windows differ: any change may be noise. */
	windows.samplings.at[0].parts = 1;
	make_one(&diff, &whole, &windows);
	for (size_t m = 0; m < diff.metrics.n; m++)
		assert_true(isinf(diff.total.changes[m].noise) && !diff.total.changes[m].clear);
	assert_false(is_met(&diff, "stall > +1%"));
	ms_diff_free(&diff);
	ms_run_free(&whole);
	ms_run_free(&windows);
}

static void test_kinds_of_samples(void **state)
{
	struct ms_run pebs, timer, faults;
	struct ms_diff diff;

	(void)state;
	sample_hardware_run(&pebs);
	sample_timer_run(&timer);
	sample_faults_run(&faults);
	make_one(&diff, &pebs, &timer);
	assert_string_equal(diff.remarks.at[0],
			    "The figures are not of one kind: Intel PEBS before, timer after.");
	ms_diff_free(&diff);
	/* All page faults were recorded, but not how long they took. */
	make_one(&diff, &faults, &faults);
	assert_string_equal(diff.metrics.at[diff.metric].text, "page faults");
	assert_false(diff.noisy);
	ms_diff_free(&diff);
	ms_run_free(&pebs);
	ms_run_free(&timer);
	ms_run_free(&faults);
}

static void test_conditions(void **state)
{
	static const struct {
		const char *text;
		bool met;
	} cases[] = {
		/* Stall falls by 80000000 of 114206200: -70.05 %. */
		{ "stall > +5%", false },
		{ "stall > -80%", true },
		{ "stall < -70%", true },
		{ "stall < -71%", false },
		{ "stall>-80%", true },
		{ "stall > 34M", true },
		{ "stall > 35M", false },
		{ "stall < -79999999", true },
		{ "stall <= -80M", true },
		{ "stall < -80M", false },
		{ "L1_misses < -8000K", false },
		{ "L1_misses <= -8M", true },
		{ "references > 0%", false },
		{ "references >= 0%", false },
		{ "references >= 26561075", true },
		{ "stall of Matrix.Y > 0%", false },
		{ "stall of Y < 0%", true },
		{ "stall in BlkMultiply < -1%", true },
		{ "stall of Y in BlkMultiply < -80%", true },
		{ "stall of Z in BlkMultiply < 0%", false },
	};
	static const struct {
		const char *text, *says;
	} wrong[] = {
		{ "", "not a condition: '" },
		{ "stall", "not a condition: '" },
		{ "> 5%", "not a condition: '" },
		{ "stall > ", "not a condition: '" },
		{ "stall > five", "not a condition: '" },
		{ "stall > 5%x", "not a condition: '" },
		{ "stall > nan", "not a condition: '" },
		{ "wall > 5%", "there is no metric 'wall'" },
		{ "L9_misses > 5", "there is no metric 'L9_misses'" },
		{ "stall of nothing > 5%", "neither side has nothing" },
		{ "stall of Y in nowhere > 5%", "neither side has Y in nowhere together" },
	};
	struct ms_run before, after;
	struct ms_diff diff;
	struct ms_err err;
	bool met;

	(void)state;
	sample_run(&before);
	sample_run(&after);
	pad(&after);
	make_one(&diff, &before, &after);
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_text why = MS_TEXT_INIT;

		assert_int_equal(ms_diff_fail_if(&diff, cases[i].text, &met, &why, &err), MS_OK);
		if (met != cases[i].met || met != (why.n > 0))
			fail_msg("%s: %d", cases[i].text, met);
		ms_text_free(&why);
	}
	for (size_t i = 0; i < MS_COUNT(wrong); i++) {
		struct ms_text why = MS_TEXT_INIT;

		assert_int_equal(ms_diff_fail_if(&diff, wrong[i].text, &met, &why, &err),
				 MS_EUSAGE);
		if (strstr(err.text, wrong[i].says) == NULL)
			fail_msg("%s: %s", wrong[i].text, err.text);
	}
	struct ms_text why = MS_TEXT_INIT;
	assert_int_equal(ms_diff_fail_if(&diff, "stall of Y < -1%", &met, &why, &err), MS_OK);
	assert_string_equal(why.at, "stall of Y: 98.1M before, 18.1M after (-81.6%); the limit was "
				    "< -1%");
	ms_text_free(&why);
	ms_diff_free(&diff);
	ms_run_free(&before);
	ms_run_free(&after);
}

static void test_unknown_metric(void **state)
{
	const struct ms_diff_options options = { "stal", NULL };
	const struct ms_run *at;
	struct ms_diff diff;
	struct ms_run run;
	struct ms_err err;

	(void)state;
	sample_run(&run);
	at = &run;
	assert_int_equal(ms_diff_make(&diff, (struct ms_diff_side){ &at, 1 },
				      (struct ms_diff_side){ &at, 1 }, &options, &err),
			 MS_EUSAGE);
	assert_string_equal(err.text, "unknown metric 'stal', expected one of cycles, stall, "
				      "compute, references, L1_misses, L2_misses");
	ms_run_free(&run);
}

/* As many instructions as its lines have. */
static void add_up(struct ms_run *run)
{
	run->instructions = 0;
	for (size_t i = 0; i < run->lines.n; i++)
		run->instructions += run->lines.at[i].instructions;
}

/* Large random runs: nothing is lost or counted twice, whatever they hold. */
static void test_random(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 6; seed++) {
		struct ms_run before, after;
		struct ms_diff diff;

		sample_random_run(&before, seed, 20, 30, 400);
		sample_random_run(&after, seed + 1, 25, 20, 300);
		add_up(&before);
		add_up(&after);
		make_one(&diff, &before, &after);
		assert_sums(&diff);
		ms_diff_free(&diff);
		ms_run_free(&before);
		ms_run_free(&after);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_same_run),
		cmocka_unit_test(test_the_gain_has_a_place),
		cmocka_unit_test(test_edited_source),
		cmocka_unit_test(test_renamed_source),
		cmocka_unit_test(test_appeared_and_gone),
		cmocka_unit_test(test_functions_of_one_plain_name),
		cmocka_unit_test(test_conditions_name_whole_words),
		cmocka_unit_test(test_other_machine),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_noise_of_samples),
		cmocka_unit_test(test_noise_of_windows),
		cmocka_unit_test(test_kinds_of_samples),
		cmocka_unit_test(test_conditions),
		cmocka_unit_test(test_unknown_metric),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
