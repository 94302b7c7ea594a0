/* Who takes what away from whom: sums, costs, order and choice. */
#include "unit/sample_parallel.h"

#include <math.h>

#include "analysis/confidence_intervals/design_effect.h"
#include "analysis/sharing/sharing.h"

static struct ms_run run;
static struct ms_sharing s;

static void make(const struct ms_sharing_wanted *wanted)
{
	static const struct ms_sharing_wanted all = { NULL, 0, NULL, 0, NULL, 0, NULL };
	struct ms_err err;

	if (ms_sharing_make(&s, &run, wanted ? wanted : &all, NULL, &err) != MS_OK)
		fail_msg("%s", err.text);
}

static int set_up(void **state)
{
	(void)state;
	sample_parallel_run(&run);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	ms_sharing_free(&s);
	ms_run_free(&run);
	return 0;
}

static void assert_sets(const struct ms_sharing_processors *set, const char *processors,
			const char *nodes)
{
	struct ms_text text = MS_TEXT_INIT;

	ms_sharing_processors_text(set, &run, &text);
	assert_string_equal(ms_text_get(&text), processors);
	ms_text_clear(&text);
	ms_sharing_processors_nodes(set, &run, &text);
	assert_string_equal(ms_text_get(&text), nodes);
	ms_text_free(&text);
}

/* An address means the line that it lies in. */
static void test_chosen_by_address(void **state)
{
	static const struct {
		const char *address;
		size_t lines;
	} cases[] = { { "0x404040", 1 }, { "40407f", 1 }, { "0x40403f", 0 }, { "0x404080", 0 } };

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		const char *const lines[] = { cases[i].address };
		const struct ms_sharing_wanted wanted = { .line = lines, .n_line = 1 };

		if (i > 0)
			ms_sharing_free(&s);
		make(&wanted);
		assert_int_equal(s.lines.n, cases[i].lines);
	}
}

static void test_sums(void **state)
{
	(void)state;
	make(NULL);
	assert_int_equal(s.total.falsely, 82000);
	assert_int_equal(s.total.truly, 18000);
	assert_int_equal(s.total.peer, 96000);
	assert_int_equal(s.total.far_peer, 60000 + 16000);
	assert_int_equal(s.total.stall, 4800000 + 1000000);
	assert_int_equal(s.total.false_stall, 4800000 + 100000);
	assert_int_equal(s.lines.n, 2);
	assert_int_equal(s.data.n, 2);
	assert_int_equal(s.data.at[0].data, PARALLEL_COUNTERS);
	assert_int_equal(s.data.at[0].lines, 1);

	const struct ms_sharing_line *line = &s.lines.at[0];
	assert_int_equal(line->line, 0x404040);
	assert_int_equal(line->accesses.n, 4);
	assert_sets(&line->writers, "0-3", "0,1");
	for (uint32_t i = 0; i < 4; i++) {
		const struct ms_sharing_access *a = &line->accesses.at[i];

		assert_int_equal(a->offset, 8 * i);
		assert_int_equal(a->missed.falsely, 20000);
		assert_int_equal(a->caused_falsely, 20000);
		assert_int_equal(a->caused_truly, 0);
	}
	assert_sets(&line->accesses.at[3].processors, "3", "1");
	assert_int_equal(s.pairs.n, 2);
	assert_int_equal(s.pairs.at[0].counts.falsely, 80000);
	assert_int_equal(s.pairs.at[1].line, 1);
	assert_int_equal(s.pairs.at[1].writer_line, 2);
	assert_int_equal(s.pairs.at[1].counts.stall, 1000000);
	/* The queue: what L2 answered costs its latency. */
	line = &s.lines.at[1];
	assert_int_equal(line->accesses.n, 3);
	assert_int_equal(line->accesses.at[0].missed.stall, 16000 * 60 + 4000 * 10);
	assert_int_equal(line->accesses.at[1].caused_truly, 18000);
	assert_int_equal(line->accesses.at[2].caused_falsely, 2000);
}

/* False sharing stands before much that is true, unless it is next to nothing. */
static void test_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < run.sharing.n; i++) {
		struct ms_run_sharing *row = &run.sharing.at[i];

		row->truly += row->line == 0x404040 ? row->falsely : 0;
		row->falsely = row->line == 0x404040 ? 0 : row->falsely;
	}
	make(NULL);
	assert_int_equal(s.lines.at[0].line, 0x404040); /* 100000 of 5800000 cycles */
	assert_int_equal(s.data.at[0].data, PARALLEL_COUNTERS);
	ms_sharing_free(&s);
	for (size_t i = 0; i < run.sharing.n; i++) {
		struct ms_run_sharing *row = &run.sharing.at[i];

		row->falsely += row->line == 0x404040 ? 0 : row->truly;
		row->truly = row->line == 0x404040 ? row->truly : 0;
	}
	make(NULL);
	assert_int_equal(s.lines.at[0].line, 0x5000040);
	assert_int_equal(s.data.at[0].data, PARALLEL_QUEUE);
	assert_true(s.lines.at[0].counts.stall < s.lines.at[1].counts.stall);
}

/* Two variables in one line: each misses because the other is written. */
static void test_two_data_in_one_line(void **state)
{
	const char *names[] = { "double.x" };
	struct ms_sharing_wanted wanted = { NULL, 0, names, 1, NULL, 0, NULL };

	(void)state;
	run.cells.at[0].data = PARALLEL_ARRAY; /* what processor 0 counts in */
	run.sharing.at[0].writer_object = MS_NO_OFFSET;
	make(&wanted);
	assert_int_equal(s.lines.n, 1);
	assert_int_equal(s.lines.at[0].n_data, 2);
	assert_int_equal(s.lines.at[0].data, PARALLEL_COUNTERS); /* three of the four */
	assert_int_equal(s.data.n, 2);
	assert_int_equal(s.data.at[0].data, PARALLEL_COUNTERS);
	assert_int_equal(s.data.at[0].counts.falsely, 60000);
	assert_int_equal(s.data.at[0].lines, 1);
	assert_int_equal(s.data.at[1].counts.falsely, 20000);
	assert_int_equal(s.data.at[1].lines, 1);
	assert_int_equal(s.lines.at[0].accesses.at[0].data, PARALLEL_ARRAY);
}

static void test_choice(void **state)
{
	const char *code[] = { "take" }, *lines[] = { "0x40407f", "404080" };
	struct ms_sharing_wanted by_code = { code, 1, NULL, 0, NULL, 0, NULL };
	struct ms_sharing_wanted by_line = { NULL, 0, NULL, 0, lines, 2, NULL };

	(void)state;
	make(&by_code);
	assert_int_equal(s.lines.n, 1);
	assert_int_equal(s.lines.at[0].line, 0x5000040);
	assert_int_equal(s.total.falsely, 2000);
	ms_sharing_free(&s);
	make(&by_line);
	assert_int_equal(s.lines.n, 1);
	assert_int_equal(s.lines.at[0].line, 0x404040);
}

/* More answers than misses, and cells without misses: a damaged database, and no wrap around. */
static void test_damaged(void **state)
{
	(void)state;
	run.misses.n = 0;
	run.sharing.at[0].peer = 1000000;
	make(NULL);
	assert_int_equal(s.lines.n, 2);
	assert_true(s.total.stall < 100 * 1000 * 1000);
}

static void test_sets(void **state)
{
	static const struct {
		uint64_t words[2];
		const char *processors, *nodes;
	} cases[] = {
		{ { 0, 0 }, "", "" },
		{ { 1, 0 }, "0", "0" },
		{ { 0x8000000000000003, 1 }, "0,1,63,64", "0-2" },
		{ { 0x7, 0xf0 }, "0-2,68-71", "0,2" },
		{ { ~UINT64_C(0), 0xff }, "0-71", "0-2" },
	};

	(void)state;
	make(NULL);
	run.processors = 72;
	run.nodes = 3;
	run.node_processors = 32;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		uint64_t words[] = { cases[i].words[0], cases[i].words[1] };
		struct ms_sharing_processors set = { words };

		assert_sets(&set, cases[i].processors, cases[i].nodes);
	}
}

static void between(int line, struct ms_intervals_bounds b, struct ms_intervals_bounds wanted)
{
	if (!(fabs(b.low - wanted.low) < 1e-6 && fabs(b.high - wanted.high) < 1e-6))
		fail_msg("line %d: %.12g to %.12g, expected %.12g to %.12g", line, b.low, b.high,
			 wanted.low, wanted.high);
}

#define BETWEEN(b, wanted) between(__LINE__, b, wanted)

/* As many misses as the first level has of a data have its interval; some of them a part of it. */
static void test_sampled(void **state)
{
	struct ms_intervals by_data, total;

	(void)state;
	SAMPLE_ADD(&run.samplings,
		   (struct ms_run_sampling){ .ratio = 0.1, .scale = 10, .parts = 4 });
	for (uint32_t i = 0; i < run.cells.n; i++)
		for (uint32_t p = 0; p < 4; p++) {
			uint64_t lost = 1000 + 100 * p;

			SAMPLE_ADD(&run.sampled_references,
				   (struct ms_run_sampled_reference){ i, p, 10000 });
			SAMPLE_ADD(&run.sampled_misses,
				   (struct ms_run_sampled_miss){ .cell = i,
								 .part = p,
								 .known = lost,
								 .lost = lost,
								 .surely_lost = lost / 2 });
		}
	make(NULL);
	ms_intervals_by_kind(&by_data, &s.whole, MS_ENTRY_DATA, NULL);
	ms_intervals_by_kind(&total, &s.whole, MS_ENTRY_TOTAL, NULL);
	const struct ms_sharing_data *d = &s.data.at[0];
	struct ms_intervals_bounds own =
		ms_intervals_at(&by_data, d->data)->levels[0].causes[MS_CAUSE_INVALIDATED];
	struct ms_intervals_bounds all =
		ms_intervals_at(&total, 0)->levels[0].causes[MS_CAUSE_INVALIDATED];
	double whole = 0,
	       every = (double)s.whole.total.counts.levels[0].causes[MS_CAUSE_INVALIDATED];
	for (size_t i = 0; i < s.whole.data.at.n; i++)
		if (s.whole.data.at.at[i].data == d->data)
			whole = (double)s.whole.data.at.at[i]
					.counts.levels[0]
					.causes[MS_CAUSE_INVALIDATED];

	assert_true(whole > 0 && own.low < own.high);
	BETWEEN(d->within.misses,
		whole == (double)(d->counts.truly + d->counts.falsely)
			? own
			: ms_intervals_effect_part((double)(d->counts.truly + d->counts.falsely),
						   whole, own, 10));
	BETWEEN(s.lines.at[0].within.falsely,
		ms_intervals_effect_part((double)s.lines.at[0].counts.falsely, every, all, 10));
	ms_intervals_free(&by_data);
	ms_intervals_free(&total);
}

static void test_not_sampled(void **state)
{
	(void)state;
	make(NULL);
	assert_true(isnan(s.within.misses.low));
	assert_true(isnan(s.data.at[0].within.falsely.high));
	assert_true(isnan(s.lines.at[0].accesses.at[0].within.misses.low));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_chosen_by_address, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_sums, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_sampled, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_not_sampled, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_order, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_two_data_in_one_line, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_choice, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_damaged, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_sets, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
