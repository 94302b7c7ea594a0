/* Sums over runs: counts, elements that are the same in several runs, what cannot be added. */
#include <stdio.h>

#include "unit/sample_run.h"

#include "run/fields.h"
#include "run/merge_runs.h"

static uint64_t sum_misses(const struct ms_run *run)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < run->misses.n; i++)
		for (int c = 0; c < MS_CAUSES; c++)
			sum += run->misses.at[i].causes[c];
	return sum;
}

/* Of data 0 ... n, each with a weight of its own: they must stay with their data. */
static uint64_t sum_references(const struct ms_run *run)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < run->cells.n; i++)
		sum += run->cells.at[i].references * (run->cells.at[i].data + 1);
	return sum;
}

static uint64_t sum_replaced(const struct ms_run *run)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < run->replaced.n; i++)
		sum += run->replaced.at[i].count * (run->replaced.at[i].evictor + 1);
	return sum;
}

static void merge(struct ms_run *const *runs, size_t n, struct ms_run *sums)
{
	struct ms_run_merger *merger = ms_run_merger_new();

	for (size_t i = 0; i < n; i++) {
		assert_null(ms_run_merger_refuses(merger, runs[i]));
		ms_run_merger_add(merger, runs[i]);
	}
	assert_int_equal(ms_run_merger_count(merger), n);
	ms_run_merger_finish(merger, sums);
}

static void counts_of_equal_runs_are_multiplied(void **state)
{
	struct ms_run run, sums;
	struct ms_err err;

	(void)state;
	sample_run(&run);
	merge((struct ms_run *[]){ &run, &run, &run }, 3, &sums);
	sums.uid = "1";
	assert_int_equal(ms_run_check(&sums, &err), MS_OK);
	assert_int_equal(sums.codes.n, run.codes.n);
	assert_int_equal(sums.lines.n, run.lines.n);
	assert_int_equal(sums.sites.n, run.sites.n);
	assert_int_equal(sums.data.n, run.data.n);
	assert_int_equal(sums.frames.n, run.frames.n);
	assert_int_equal(sums.cells.n, run.cells.n);
	assert_int_equal(sums.misses.n, run.misses.n);
	assert_int_equal(sums.replaced.n, run.replaced.n);
	assert_int_equal(sums.instructions, 3 * run.instructions);
	assert_true(sums.wall_seconds == run.wall_seconds);
	assert_int_equal(sum_misses(&sums), 3 * sum_misses(&run));
	assert_int_equal(sum_references(&sums), 3 * sum_references(&run));
	assert_int_equal(sum_replaced(&sums), 3 * sum_replaced(&run));
	for (size_t i = 0; i < run.data.n; i++) {
		assert_string_equal(sums.data.at[i].name, run.data.at[i].name);
		assert_int_equal(sums.data.at[i].bytes, 3 * run.data.at[i].bytes);
		assert_int_equal(sums.data.at[i].largest, run.data.at[i].largest);
	}
	/* Timelines and occupancy are those of one run. */
	assert_int_equal(sums.stays.n + sums.slices.n + sums.occupancy.n, 0);
	ms_run_free(&sums);
	ms_run_free(&run);
}

static void folders_of_modules_do_not_matter_and_offsets_do(void **state)
{
	struct ms_run a, b, sums;

	(void)state;
	sample_run(&a);
	sample_run(&b);
	for (size_t i = 0; i < b.codes.n; i++)
		b.codes.at[i].module = i == SAMPLE_MEMCPY ? "/opt/lib/libc.so.6" : "/tmp/x/matmul";
	merge((struct ms_run *[]){ &a, &b }, 2, &sums);
	assert_int_equal(sums.codes.n, a.codes.n);
	ms_run_free(&sums);
	b.codes.at[SAMPLE_MEMCPY].offset += 16;
	merge((struct ms_run *[]){ &a, &b }, 2, &sums);
	assert_int_equal(sums.codes.n, a.codes.n + 1);
	assert_int_equal(sum_misses(&sums), sum_misses(&a) + sum_misses(&b));
	ms_run_free(&sums);
	ms_run_free(&a);
	ms_run_free(&b);
}

static void data_of_another_program_stays_apart_and_gets_its_name(void **state)
{
	struct ms_run a, b, sums;
	struct ms_err err;

	(void)state;
	sample_run(&a);
	sample_run(&b);
	a.build_id = "aa";
	b.build_id = "bb";
	b.program = "/usr/bin/other";
	merge((struct ms_run *[]){ &a, &b }, 2, &sums);
	sums.uid = "1";
	assert_int_equal(ms_run_check(&sums, &err), MS_OK);
	assert_int_equal(sums.data.n, 2 * a.data.n);
	assert_string_equal(sums.data.at[a.data.n].name, "Matrix.Y [other]");
	ms_run_free(&sums);
	ms_run_free(&a);
	ms_run_free(&b);
}

static void add_bin(struct ms_run *run, uint32_t rank, uint32_t code, uint64_t stall)
{
	*ms_vec_add(&run->rank_bins) = (struct ms_run_rank_bin){
		code, SAMPLE_Y, rank, rank, 1, stall, (double)stall * (double)stall, stall, stall
	};
	*ms_vec_add(&run->rank_rows) =
		(struct ms_run_rank){ .rank = rank, .cluster = MS_NONE, .compute = 10 };
}

static void bins_keep_the_least_and_the_most_with_their_ranks(void **state)
{
	static const uint64_t stalls[] = { 50, 20, 90, 20, 90 };
	struct ms_run runs[5], *order[2][5], sums[2];

	(void)state;
	for (uint32_t i = 0; i < 5; i++) {
		sample_run(&runs[i]);
		add_bin(&runs[i], i, SAMPLE_MULTIPLY, stalls[i]);
		order[0][i] = &runs[i];
		order[1][4 - i] = &runs[i];
	}
	for (int k = 0; k < 2; k++) { /* the order of runs does not matter */
		merge(order[k], 5, &sums[k]);
		assert_int_equal(sums[k].rank_bins.n, 1);
		const struct ms_run_rank_bin *b = &sums[k].rank_bins.at[0];

		assert_int_equal(b->ranks, 5);
		assert_int_equal(b->sum, 270);
		assert_true(b->squares == 2500 + 400 + 8100 + 400 + 8100);
		assert_int_equal(b->least, 20);
		assert_int_equal(b->least_rank, 1);
		assert_int_equal(b->most, 90);
		assert_int_equal(b->most_rank, 2);
		assert_int_equal(sums[k].rank_rows.n, 5);
		for (uint32_t i = 0; i < 5; i++)
			assert_int_equal(sums[k].rank_rows.at[i].rank, i);
	}
	ms_run_free(&sums[1]);
	for (int i = 0; i < 5; i++)
		ms_run_free(&runs[i]);
	ms_run_free(&sums[0]);
}

/* Sums of sums are the sums of all. */
static void merging_in_two_steps_gives_the_same(void **state)
{
	struct ms_run runs[4], parts[2], once, twice;

	(void)state;
	for (uint32_t i = 0; i < 4; i++) {
		sample_run(&runs[i]);
		add_bin(&runs[i], i, SAMPLE_MAIN, 10 + i);
		runs[i].cells.at[0].references += i;
	}
	merge((struct ms_run *[]){ &runs[0], &runs[1], &runs[2], &runs[3] }, 4, &once);
	merge((struct ms_run *[]){ &runs[0], &runs[1] }, 2, &parts[0]);
	merge((struct ms_run *[]){ &runs[2], &runs[3] }, 2, &parts[1]);
	merge((struct ms_run *[]){ &parts[0], &parts[1] }, 2, &twice);
	assert_int_equal(once.cells.n, twice.cells.n);
	assert_memory_equal(once.cells.at, twice.cells.at, once.cells.n * sizeof(*once.cells.at));
	assert_int_equal(once.misses.n, twice.misses.n);
	assert_memory_equal(once.misses.at, twice.misses.at,
			    once.misses.n * sizeof(*once.misses.at));
	assert_memory_equal(once.rank_bins.at, twice.rank_bins.at, sizeof(*once.rank_bins.at));
	assert_int_equal(once.instructions, twice.instructions);
	ms_run_free(&once);
	ms_run_free(&twice);
	for (int i = 0; i < 2; i++)
		ms_run_free(&parts[i]);
	for (int i = 0; i < 4; i++)
		ms_run_free(&runs[i]);
}

static void sample(struct ms_run *run, uint64_t references, double scale)
{
	sample_run(run);
	*ms_vec_add(&run->samplings) = (struct ms_run_sampling){
		.ratio = 0.01,
		.sets = 1,
		.references = references,
		.scale = scale,
		.time_scale = scale,
		.parts = 16,
	};
}

/* A short run may have ended before its first window. */
static void scales_are_means_by_references_also_without_any(void **state)
{
	struct ms_run none, few, many, sums;

	(void)state;
	sample(&none, 0, 7);
	sample(&few, 100, 50);
	sample(&many, 300, 90);
	merge((struct ms_run *[]){ &none, &none }, 2, &sums);
	assert_true(sums.samplings.at[0].scale == 7 && sums.samplings.at[0].time_scale == 7);
	ms_run_free(&sums);
	merge((struct ms_run *[]){ &none, &few, &many }, 3, &sums);
	assert_true(sums.samplings.at[0].scale == 80 && sums.samplings.at[0].time_scale == 80);
	ms_run_free(&sums);
	ms_run_free(&none);
	ms_run_free(&few);
	ms_run_free(&many);
}

static void runs_of_other_machines_are_refused(void **state)
{
	struct ms_run_merger *merger = ms_run_merger_new();
	struct ms_run a, b, sums;

	(void)state;
	sample_run(&a);
	sample_run(&b);
	ms_run_merger_add(merger, &a);
	b.levels.at[1].size *= 2; /* a share of a cache: see docs/design/ranks.md */
	assert_null(ms_run_merger_refuses(merger, &b));
	b.levels.at[1].latency++;
	assert_string_equal(ms_run_merger_refuses(merger, &b),
			    "its machine has other latencies or lines");
	b.levels.n--;
	assert_string_equal(ms_run_merger_refuses(merger, &b),
			    "its machine has another number of cache levels");
	ms_run_merger_finish(merger, &sums);
	ms_run_free(&sums);
	ms_run_free(&a);
	ms_run_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_of_equal_runs_are_multiplied),
		cmocka_unit_test(folders_of_modules_do_not_matter_and_offsets_do),
		cmocka_unit_test(data_of_another_program_stays_apart_and_gets_its_name),
		cmocka_unit_test(bins_keep_the_least_and_the_most_with_their_ranks),
		cmocka_unit_test(merging_in_two_steps_gives_the_same),
		cmocka_unit_test(scales_are_means_by_references_also_without_any),
		cmocka_unit_test(runs_of_other_machines_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
