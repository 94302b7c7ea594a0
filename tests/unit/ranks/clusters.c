/* Clusters of ranks by where they spend their time, and which rank finds that it is the last. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "ranks/ranks.h"

static void add(struct ms_run *run, uint32_t rank, const char *features)
{
	*ms_vec_add(&run->rank_rows) = (struct ms_run_rank){ .rank = rank,
							     .state = MS_RANK_MERGED,
							     .stall = 10,
							     .cluster = 7,
							     .features = features };
}

static void ranks_that_spend_their_time_alike_form_clusters(void **state)
{
	struct ms_run run = { .id = 0 };

	(void)state;
	add(&run, 0, "1000 3:500");
	add(&run, 1, "1010 3:505");
	add(&run, 2, "1000 9:500"); /* as long, with other data */
	add(&run, 3, "1020 3:500");
	add(&run, 4, "1000 9:510");
	add(&run, 5, "5000 3:500");
	add(&run, 6, NULL);
	run.rank_rows.at[6].state = MS_RANK_MISSING;
	ms_ranks_cluster(&run);
	assert_int_equal(run.rank_clusters.n, 3);
	assert_int_equal(run.rank_clusters.at[0].ranks, 3);
	assert_int_equal(run.rank_clusters.at[0].representative, 1);
	assert_int_equal(run.rank_clusters.at[0].time, 30);
	assert_int_equal(run.rank_clusters.at[1].ranks, 2);
	assert_int_equal(run.rank_clusters.at[1].representative, 2);
	assert_int_equal(run.rank_clusters.at[2].representative, 5);
	static const uint32_t expected[] = { 0, 0, 1, 0, 1, 2, MS_NONE };

	for (size_t i = 0; i < run.rank_rows.n; i++) {
		assert_int_equal(run.rank_rows.at[i].cluster, expected[i]);
		assert_null(run.rank_rows.at[i].features);
	}
	ms_run_free(&run);
}

static void there_are_at_most_eight_clusters(void **state)
{
	struct ms_run run = { .id = 0 };
	uint64_t sum = 0;

	(void)state;
	for (uint32_t i = 0; i < 100; i++)
		add(&run, i, ms_arena_printf(&run.arena, "0 %u:1000", i % 20));
	ms_ranks_cluster(&run);
	assert_int_equal(run.rank_clusters.n, MS_RUN_CLUSTERS_MOST);
	for (size_t i = 0; i < run.rank_clusters.n; i++)
		sum += run.rank_clusters.at[i].ranks;
	assert_int_equal(sum, 100);
	ms_run_free(&run);
}

static void equal_ranks_are_one_cluster(void **state)
{
	struct ms_run run = { .id = 0 };

	(void)state;
	for (uint32_t i = 0; i < 10; i++)
		add(&run, i, i % 2 ? "0" : "0 x");
	ms_ranks_cluster(&run);
	assert_int_equal(run.rank_clusters.n, 1);
	assert_int_equal(run.rank_clusters.at[0].representative, 0);
	ms_run_free(&run);
}

static void exactly_one_rank_is_the_last(void **state)
{
	enum { RANKS = 300 }; /* three groups */
	char folder[] = "/tmp/memspy-ranks.XXXXXX", off[64];
	unsigned last = 0, number = 0;

	(void)state;
	assert_non_null(mkdtemp(folder));
	for (int round = 0; round < 2; round++) { /* the second one finds the files of the first */
		for (uint32_t i = 0; i < RANKS; i++)
			ms_ranks_begin(folder, i);
		last = 0;
		for (uint32_t i = 0; i < RANKS; i++)
			if (ms_ranks_finish(folder, (i * 7) % RANKS, RANKS)) {
				last++;
				number = i;
			}
		assert_int_equal(last, 1);
		assert_int_equal(number, RANKS - 1);
	}
	ms_ranks_end(folder, RANKS);
	for (uint32_t i = 0; i + 1 < RANKS; i++) /* one does not finish */
		assert_false(ms_ranks_finish(folder, i, RANKS));
	ms_ranks_end(folder, RANKS);
	ms_ranks_record_off(folder, 1, 2);
	assert_true(ms_ranks_is_off(folder, 1));
	assert_false(ms_ranks_is_off(folder, 0));
	assert_true(ms_ranks_finish(folder, 0, 2));
	ms_ranks_end(folder, 2);
	snprintf(off, sizeof(off), "%s/1.off", folder);
	assert_int_equal(unlink(off), 0);
	assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_that_spend_their_time_alike_form_clusters),
		cmocka_unit_test(there_are_at_most_eight_clusters),
		cmocka_unit_test(equal_ranks_are_one_cluster),
		cmocka_unit_test(exactly_one_rank_is_the_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
