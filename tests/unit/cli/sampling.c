/* --sample, --window, --error and --sample-sets: what is accepted, and what it means. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "cli/options/processors.h"
#include "cli/options/sampling.h"

static int read_options(struct ms_options_sampling options, struct ms_stream_sampling *sampling,
			bool *samples, struct ms_err *err)
{
	struct ms_machine machine = { .name = "test", .processors = 1 };
	const struct ms_machine *const machines[] = { &machine };

	if (options.seed == 0)
		options.seed = MS_OPTIONS_NO_SEED;
	*ms_vec_add(&machine.levels) =
		(struct ms_machine_level){ .name = "L1", .ways = 8, .line = 64, .size = 32 << 10 };
	int code = ms_options_read_sampling(&options, machines, 1, false, sampling, samples, err);
	ms_vec_free(&machine.levels);
	return code;
}

static void expect_refused(struct ms_options_sampling options, const char *sentence)
{
	struct ms_stream_sampling sampling;
	struct ms_err err;
	bool samples;

	if (read_options(options, &sampling, &samples, &err) == MS_OK)
		fail_msg("accepted: --sample %s --window %s --error %s --sample-sets %s",
			 options.ratio, options.window, options.error, options.sets);
	if (strstr(err.text, sentence) == NULL)
		fail_msg("says \"%s\", expected \"%s\"", err.text, sentence);
}

static void refused(void **state)
{
	static const char *const ratios[] = { "1",  "2", "0",     "0.000001", "1/0",
					      "-1", "x", "1/10x", "" };
	static const char *const sets[] = { "1/3", "1/6", "13%", "1", "0", "1/32", "x" };
	static const char *const windows[] = { "999", "0", "1x", "x", "1e13" };

	(void)state;
	for (size_t i = 0; i < MS_COUNT(ratios); i++)
		expect_refused((struct ms_options_sampling){ .ratio = ratios[i] }, "--sample ");
	for (size_t i = 0; i < MS_COUNT(sets); i++)
		expect_refused((struct ms_options_sampling){ .sets = sets[i] }, "--sample-sets ");
	for (size_t i = 0; i < MS_COUNT(windows); i++)
		expect_refused(
			(struct ms_options_sampling){ .ratio = "1/10", .window = windows[i] },
			"--window ");
	expect_refused((struct ms_options_sampling){ .window = "1000" },
		       "only --sample has windows");
	expect_refused((struct ms_options_sampling){ .ratio = "auto", .window = "1000" },
		       "--window 1000");
	expect_refused((struct ms_options_sampling){ .error = "60" }, "--error 60");
	expect_refused((struct ms_options_sampling){ .error = "1", .sets = "1/2" }, "--error 1");
	expect_refused((struct ms_options_sampling){ .seed = 3 }, "--sample-seed 3");
}

static void accepted(void **state)
{
	static const struct {
		struct ms_options_sampling options;
		double ratio, wanted;
		uint64_t window, every;
	} cases[] = {
		{ { .ratio = "1/10" }, 0.1, 0, 500000, 1 },
		{ { .ratio = "10%", .window = "2M" }, 0.1, 0, 2000000, 1 },
		{ { .ratio = "0.25", .window = "1.5K" }, 0.25, 0, 1500, 1 },
		{ { .ratio = "1/10", .error = "0.5%" }, 0.1, 0.005, 500000, 1 },
		{ { .sets = "1/4" }, 1, 0, 500000, 4 },
		{ { .ratio = "1/2", .sets = "0.5" }, 0.5, 0, 500000, 2 },
		/* Who only says how far it may be off leaves the rest to memspy. */
		{ { .error = "2" }, 0.1, 0.02, 500000, 1 },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_stream_sampling sampling;
		struct ms_err err;
		bool samples;

		if (read_options(cases[i].options, &sampling, &samples, &err) != MS_OK)
			fail_msg("case %zu: %s", i, err.text);
		assert_true(samples);
		assert_true(sampling.ratio == cases[i].ratio);
		assert_true(sampling.wanted == cases[i].wanted);
		assert_int_equal(sampling.window, cases[i].window);
		assert_int_equal(sampling.sets.every, cases[i].every);
		/* It begins with a window of its own. */
		assert_int_equal(sampling.head != 0,
				 cases[i].options.ratio == NULL && cases[i].options.sets == NULL);
	}
}

static void nothing_is_sampled_by_itself(void **state)
{
	struct ms_stream_sampling sampling;
	struct ms_err err;
	bool samples = true;

	(void)state;
	assert_int_equal(read_options((struct ms_options_sampling){ 0 }, &sampling, &samples, &err),
			 MS_OK);
	assert_false(samples);
	assert_true(sampling.ratio == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refused),
		cmocka_unit_test(accepted),
		cmocka_unit_test(nothing_is_sampled_by_itself),
	};

	return cmocka_run_group_tests_name("cli sampling", tests, NULL, NULL);
}
