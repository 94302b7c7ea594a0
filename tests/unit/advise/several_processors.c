/* Findings about sharing and about memory of other nodes, of a run with known figures. */
#include "unit/sample_parallel.h"

#include "unit/advise/advise_run.h"

static const struct {
	const char *what;
	uint32_t peer_latency, remote_latency;
	const char *findings;
} cases[] = {
	{ "counters of each processor are in one line", 60, 180, "false-sharing counters 0.15\n" },
	{ "slow transfers: the queue that all write costs, too", 600, 180,
	  "false-sharing counters 0.58\ntrue-sharing Queue.q 0.12\n" },
	{ "slow remote memory: main has touched the array first", 60, 2000,
	  "remote-memory double.x 0.44\nfalse-sharing counters 0.09\n" },
};

static void sharing_and_placement_follow_from_their_figures(void **state)
{
	int failed = 0;

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_run run;

		sample_parallel_run(&run);
		run.peer_latency = cases[i].peer_latency;
		run.remote_latency = cases[i].remote_latency;
		const char *found = advise_findings(&run);

		if (strcmp(found, cases[i].findings) != 0) {
			print_message("%s: %s", cases[i].what, found);
			failed++;
		}
		ms_run_free(&run);
	}
	assert_int_equal(failed, 0);
}

/* A timer has seen 500 of 1000 ms waiting. Simulated cycles, many more than these nanoseconds, only
 * say which part of it the counters' line has. */
static void measured_stall_is_divided_as_it_was_simulated(void **state)
{
	enum { MS = 1000000, HALF = 500 };
	struct ms_run run;

	(void)state;
	sample_parallel_run(&run);
	run.peer_latency = 1000000;
	SAMPLE_ADD(&run.hardware, (struct ms_run_hardware){ .source = MS_RUN_TIMER,
							    .event = "processor time",
							    .unit = MS_RUN_NANOSECONDS,
							    .period = MS,
							    .samples = 2 * HALF,
							    .threads = 2,
							    .covered = 1 });
	SAMPLE_ADD(&run.hardware_samples,
		   (struct ms_run_hardware_sample){ .sureness = MS_SURE_EXACT,
						    .samples = HALF,
						    .events = HALF,
						    .latency = (uint64_t)HALF * MS });
	SAMPLE_ADD(&run.hardware_computes, (struct ms_run_hardware_compute){
						   .samples = HALF, .time = (uint64_t)HALF * MS });
	assert_true(ms_run_has_measured_time(&run));
	assert_string_equal(advise_findings(&run),
			    "false-sharing counters 0.42\ntrue-sharing Queue.q 0.08\n");
	ms_run_free(&run);
}

/* Pages that the system interleaves have no first touch. */
static void other_placements_have_no_first_touch(void **state)
{
	struct ms_run run;

	(void)state;
	sample_parallel_run(&run);
	run.remote_latency = 2000;
	run.placement = MS_RUN_INTERLEAVED;
	assert_null(strstr(advise_findings(&run), "remote-memory"));
	ms_run_free(&run);
}

/* Observed lines show whether each goes to one other thread, or to and fro between them. */
static void lines_that_go_to_and_fro_have_no_right_node(void **state)
{
	struct ms_run run;

	(void)state;
	sample_parallel_run(&run);
	run.remote_latency = 2000;
	for (uint32_t i = 0; i < run.data.n; i++)
		if (strcmp(run.data.at[i].name, "double.x") == 0)
			SAMPLE_ADD(&run.curves,
				   (struct ms_run_curve){ .data = i, .size_bits = 12 });
	assert_int_equal(run.curves.n, 1);
	uint32_t data = run.curves.at[0].data;
	double again = 0;

	for (size_t i = 0; i < run.misses.n; i++) {
		struct ms_run_miss *miss = &run.misses.at[i];

		if (run.cells.at[miss->cell].data != data || miss->level != 0)
			continue;
		miss->causes[MS_CAUSE_REPLACED] += 4 * miss->causes[MS_CAUSE_FIRST];
		again += 4 * (double)miss->causes[MS_CAUSE_FIRST];
	}
	assert_null(strstr(advise_findings(&run), "remote-memory"));
	SAMPLE_ADD(&run.reuses,
		   (struct ms_run_reuse){
			   .data = data, .from_line = 0, .to_line = 0, .count = again });
	assert_non_null(strstr(advise_findings(&run), "remote-memory"));
	ms_run_free(&run);
}

static void first_touch_is_in_the_language_of_the_source(void **state)
{
	static const struct {
		const char *file, *snippet;
	} languages[] = {
		{ "workers.c",
		  "#pragma omp parallel for schedule(static) /* as in the loop that uses it */\n"
		  "for (i = 0; i < n; i++)\n"
		  "        x[i] = 0;\n" },
		{ "workers.f90",
		  "!$omp parallel do schedule(static) ! as in the loop that uses it\n"
		  "do i = 1, n\n"
		  "   x(i) = 0\n"
		  "end do\n" },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(languages); i++) {
		struct ms_advise advise;
		struct ms_summary s;
		struct ms_run run;

		sample_parallel_run(&run);
		run.remote_latency = 2000;
		for (size_t k = 0; k < run.lines.n; k++)
			run.lines.at[k].file = languages[i].file;
		assert_int_equal(ms_summary_make(&s, &run, NULL, NULL, NULL), MS_OK);
		ms_advise_make(&advise, &s);
		assert_int_equal(advise.at.at[0].kind, MS_ADVISE_REMOTE_MEMORY);
		assert_string_equal(advise.at.at[0].snippet, languages[i].snippet);
		ms_advise_free(&advise);
		ms_summary_free(&s);
		ms_run_free(&run);
	}
}

/* Bytes that several processors write are shared in truth, even if most misses are on others. */
static void one_element_that_all_write_is_true_sharing(void **state)
{
	struct ms_run run;

	(void)state;
	sample_parallel_run(&run);
	for (size_t i = 0; i < run.sharing.n; i++)
		if (run.sharing.at[i].line == 0x404040)
			run.sharing.at[i].writer_offset = 0;
	assert_string_equal(advise_findings(&run), "true-sharing counters 0.15\n");
	ms_run_free(&run);
}

/* The elements of a global array keep their type and its qualifiers. */
static void lines_of_their_own_keep_the_type_of_elements(void **state)
{
	static const struct {
		const char *type, *value;
	} types[] = {
		{ "uint64_t[4]", "uint64_t value;" },
		{ "volatile uint64_t[4]", "volatile uint64_t value;" },
		{ "_Atomic unsigned long[4]", "_Atomic unsigned long value;" },
		{ "volatile slot[4]", "volatile slot value;" },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(types); i++) {
		struct ms_advise advise;
		struct ms_summary s;
		struct ms_run run;

		sample_parallel_run(&run);
		run.data.at[PARALLEL_COUNTERS].type = types[i].type;
		for (size_t k = 0; k < run.sharing.n; k++)
			if (run.sharing.at[k].line == 0x404040) {
				/* ".n[1]", a member, becomes an element of the array. */
				run.sharing.at[k].field += 2;
				run.sharing.at[k].writer_field += 2;
			}
		assert_int_equal(ms_summary_make(&s, &run, NULL, NULL, NULL), MS_OK);
		ms_advise_make(&advise, &s);
		assert_true(advise.at.n > 0);
		assert_int_equal(advise.at.at[0].kind, MS_ADVISE_FALSE_SHARING);
		assert_string_equal(advise.at.at[0].snippet,
				    ms_arena_printf(&run.arena,
						    "struct { alignas(64) %s } "
						    "counters[THREADS];\n",
						    types[i].value));
		ms_advise_free(&advise);
		ms_summary_free(&s);
		ms_run_free(&run);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_their_own_keep_the_type_of_elements),
		cmocka_unit_test(sharing_and_placement_follow_from_their_figures),
		cmocka_unit_test(measured_stall_is_divided_as_it_was_simulated),
		cmocka_unit_test(other_placements_have_no_first_touch),
		cmocka_unit_test(first_touch_is_in_the_language_of_the_source),
		cmocka_unit_test(lines_that_go_to_and_fro_have_no_right_node),
		cmocka_unit_test(one_element_that_all_write_is_true_sharing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
