/* Which code polls for other ranks of MPI, how much time that is, and that speedups do not count
 * it. */
#include "unit/sample_run.h"

#include "analysis/diff/diff.h"
#include "analysis/summary/mpi_code.h"
#include "base/mpi_libraries.h"

static const struct code_case {
	const char *name, *module;
	enum ms_summary_mpi role;        /* in a program that uses MPI ... */
	enum ms_summary_mpi without_mpi; /* ... and in one that does not */
} code_cases[] = {
	{ "work", "/home/u/p", MS_SUMMARY_NOT_MPI, MS_SUMMARY_NOT_MPI },
	{ "opal_progress", "/home/u/p", MS_SUMMARY_NOT_MPI, MS_SUMMARY_NOT_MPI },
	{ "event_base_loop", "/lib/libevent_core-2.1.so.7", MS_SUMMARY_MPI_WAITING,
	  MS_SUMMARY_NOT_MPI },
	{ "<MPI waiting>", "/home/u/p", MS_SUMMARY_NOT_MPI, MS_SUMMARY_NOT_MPI },
	{ "no_module", NULL, MS_SUMMARY_NOT_MPI, MS_SUMMARY_NOT_MPI },
	/* what makes it a program that uses MPI */
	{ "MPI_Send", "/lib/libmpi.so.40", MS_SUMMARY_MPI_WORKING, MS_SUMMARY_MPI_WORKING },
	{ "opal_progress", "/lib/libopen-pal.so.80", MS_SUMMARY_MPI_WAITING,
	  MS_SUMMARY_MPI_WAITING },
	{ MS_MPI_WAITING, MS_MPI_WAITING, MS_SUMMARY_MPI_WAITING, MS_SUMMARY_MPI_WAITING },
	{ MS_MPI_WORKING, MS_MPI_WORKING, MS_SUMMARY_MPI_WORKING, MS_SUMMARY_MPI_WORKING },
};

enum { WITHOUT_MPI = 5 };

static void polling_is_recognised_by_library_and_group(void **state)
{
	enum ms_summary_mpi roles[MS_COUNT(code_cases)];
	struct ms_run run = { .id = 0 };

	(void)state;
	for (size_t i = 0; i < MS_COUNT(code_cases); i++)
		SAMPLE_ADD(&run.codes, (struct ms_run_code){ .name = code_cases[i].name,
							     .module = code_cases[i].module });
	ms_summary_find_mpi(&run, roles);
	for (size_t i = 0; i < MS_COUNT(code_cases); i++)
		if (roles[i] != code_cases[i].role)
			fail_msg("%s: %d", code_cases[i].name, (int)roles[i]);
	run.codes.n = WITHOUT_MPI;
	ms_summary_find_mpi(&run, roles);
	for (size_t i = 0; i < WITHOUT_MPI; i++)
		if (roles[i] != code_cases[i].without_mpi)
			fail_msg("%s: %d", code_cases[i].name, (int)roles[i]);
	ms_vec_free(&run.codes);
}

/* Out of order, so that a speedup is predicted: `work` and `polling` millions of cycles. */
static void make_run(struct ms_run *run, uint64_t work, uint64_t polling, const char *name,
		     const char *module)
{
	const uint64_t cycles[] = { work * 1000000, polling * 1000000 };

	sample_head(run);
	run->core = MS_RUN_OUT_OF_ORDER;
	run->ipc_milli = 1000;
	run->clock_mhz = 1000;
	run->compute_cycles = cycles[0] + cycles[1];
	run->instructions = run->compute_cycles;
	SAMPLE_ADD(&run->codes, (struct ms_run_code){ "work", "/home/u/p", "/home/u/p.c", 5, 0 });
	SAMPLE_ADD(&run->codes, (struct ms_run_code){ name, module, NULL, 0, 0 });
	for (uint32_t i = 0; i < 2; i++)
		SAMPLE_ADD(&run->lines, (struct ms_run_line){ .code = i,
							      .file = "/home/u/p.c",
							      .line = 10,
							      .instructions = cycles[i],
							      .cycles = cycles[i] });
}

static void time_that_polls_is_summed(void **state)
{
	enum ms_summary_mpi roles[2];
	struct ms_summary s;
	struct ms_run run;

	(void)state;
	make_run(&run, 300, 200, "opal_progress", "/lib/libopen-pal.so.80");
	assert_int_equal(ms_summary_make(&s, &run, NULL, NULL, NULL), MS_OK);
	ms_summary_find_mpi(&run, roles);
	assert_int_equal(ms_summary_sum_mpi_waiting(&s, roles).compute, 200000000);
	assert_int_equal(ms_summary_sum_mpi_waiting(&s, roles).stall, 0);
	ms_summary_free(&s);
	ms_run_free(&run);
}

/* In their group, and asked for by their own names. */
static void predicted_speedup_does_not_count_polling(void **state)
{
	static const struct {
		const char *name, *module;
		double times;
	} cases[] = {
		{ MS_MPI_WAITING, MS_MPI_WAITING, 2 },
		{ "opal_progress", "/lib/libopen-pal.so.80", 2 },
		{ "opal_progress", "/home/u/p", 0.4 }, /* 400 by 1000 */
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		const struct ms_diff_options options = { NULL, NULL };
		const struct ms_run *sides[2];
		struct ms_run before, after;
		struct ms_diff diff;

		make_run(&before, 300, 100, cases[i].name, cases[i].module);
		make_run(&after, 150, 850, cases[i].name, cases[i].module);
		sides[0] = &before;
		sides[1] = &after;
		assert_int_equal(ms_diff_make(&diff, (struct ms_diff_side){ &sides[0], 1 },
					      (struct ms_diff_side){ &sides[1], 1 }, &options,
					      NULL),
				 MS_OK);
		struct ms_diff_speedup speedup = ms_diff_predict_speedup(&diff);

		assert_true(speedup.known);
		assert_float_equal(speedup.times, cases[i].times, 1e-6);
		ms_diff_free(&diff);
		ms_run_free(&before);
		ms_run_free(&after);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(polling_is_recognised_by_library_and_group),
		cmocka_unit_test(time_that_polls_is_summed),
		cmocka_unit_test(predicted_speedup_does_not_count_polling),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
