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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sharing_and_placement_follow_from_their_figures),
		cmocka_unit_test(other_placements_have_no_first_touch),
		cmocka_unit_test(one_element_that_all_write_is_true_sharing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
