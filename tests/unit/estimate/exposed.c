/* Counts of the timing model are extrapolated with the misses that they are parts of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "estimate/extrapolate.h"

enum { SCALE = 10, UNIT = MS_ENGINE_MISS_UNIT };

/* One cell, 1000 references in windows, of which 100 miss L1 and 40 of these L2, all replaced. */
static void add_cell(struct ms_engine_totals *totals, struct ms_engine_windows_totals *sampled)
{
	*ms_vec_add(&totals->cells) = (struct ms_engine_total_cell){
		.references = 1000,
		.walks = 7,
		.exposed_walks = 3 * UNIT,
		.waited_bytes = 640,
		.dependences = { [MS_ENGINE_DEPENDENCE_CHAINED] = 75,
				 [MS_ENGINE_DEPENDENCE_LED] = 25 },
	};
	*ms_vec_add(&totals->misses) =
		(struct ms_engine_total_miss){ .level = 0,
					       .causes = { [MS_ENGINE_MISS_REPLACED] = 100 },
					       .exposed = 30 * UNIT,
					       .prefetched = 20 * UNIT };
	*ms_vec_add(&totals->misses) = (struct ms_engine_total_miss){
		.level = 1, .causes = { [MS_ENGINE_MISS_REPLACED] = 40 }, .exposed = 40 * UNIT
	};
	*ms_vec_add(&sampled->references) =
		(struct ms_engine_windows_total_references){ .references = 1000 };
	for (uint32_t l = 0; l < 2; l++) {
		*ms_vec_add(&sampled->counts) =
			(struct ms_engine_windows_total_count){ .level = l,
								.known = l == 0 ? 100 : 40 };
		*ms_vec_add(&sampled->levels) = (struct ms_engine_windows_total_level){
			.frames = 1 << 20, .caches = 1, .processors = 1
		};
	}
}

/* Extrapolates the totals; the data has so many bytes. */
static void extrapolate(struct ms_engine_totals *totals, struct ms_engine_windows_totals *sampled,
			double bytes)
{
	const struct ms_stream_sampling sampling = { .ratio = 1.0 / SCALE,
						     .window = 100,
						     .sets.every = 1 };
	const struct ms_estimate_scale scale = {
		.counts = SCALE, .references = SCALE, .time = SCALE, .total = 10000, .strata = 1
	};
	const uint32_t lines[] = { 64, 64 };
	const struct ms_estimate_data data = { bytes, 1, bytes, true, false };
	const struct ms_estimate_input input = { .sampling = &sampling,
						 .sampled = sampled,
						 .scale = &scale,
						 .line_bytes = lines,
						 .levels = 2,
						 .data = &data,
						 .data_count = 1,
						 .sites = 1 };

	ms_estimate_extrapolate(&input, totals);
}

static void test_parts_grow_with_misses(void **state)
{
	struct ms_engine_totals totals = { .steps = 0 };
	struct ms_engine_windows_totals sampled = { .windows = 10 };

	(void)state;
	add_cell(&totals, &sampled);
	extrapolate(&totals, &sampled, 1 << 20);
	const struct ms_engine_total_cell *cell = totals.cells.at;
	const struct ms_engine_total_miss *l1 = &totals.misses.at[0], *l2 = &totals.misses.at[1];

	assert_int_equal(l1->causes[MS_ENGINE_MISS_REPLACED], 1000);
	assert_int_equal(l2->causes[MS_ENGINE_MISS_REPLACED], 400);
	/* 60 misses of L1 were answered by L2: half of them was exposed, a third prefetched. */
	assert_int_equal(l1->exposed, 300 * UNIT);
	assert_int_equal(l1->prefetched, 200 * UNIT);
	assert_int_equal(l2->exposed, 400 * UNIT);
	assert_int_equal(cell->walks, 70);
	assert_int_equal(cell->exposed_walks, 30 * UNIT);
	assert_int_equal(cell->waited_bytes, 6400);
	assert_int_equal(cell->dependences[MS_ENGINE_DEPENDENCE_CHAINED], 750);
	assert_int_equal(cell->dependences[MS_ENGINE_DEPENDENCE_LED], 250);
	ms_engine_free_totals(&totals);
	ms_engine_windows_free_totals(&sampled);
}

/*
 * L2 is empty when a window opens: its misses there are of lines that no window has seen. The data
 * has four lines, and so four first uses in the program; the other lines are in L2.
 */
static void test_lines_that_only_windows_load_do_not_wait_for_bandwidth(void **state)
{
	struct ms_engine_totals totals = { .steps = 0 };
	struct ms_engine_windows_totals sampled = { .windows = 10 };

	(void)state;
	add_cell(&totals, &sampled);
	totals.misses.at[1].causes[MS_ENGINE_MISS_REPLACED] = 0;
	totals.misses.at[1].causes[MS_ENGINE_MISS_FIRST] = 40;
	sampled.counts.at[1].known = 0;
	sampled.counts.at[1].unknown_misses = sampled.counts.at[1].unseen_unknown = 40;
	extrapolate(&totals, &sampled, 256);

	const struct ms_engine_total_miss *l1 = &totals.misses.at[0], *l2 = &totals.misses.at[1];
	uint64_t after = l2->causes[MS_ENGINE_MISS_FIRST], before = 40;

	assert_int_equal(l1->causes[MS_ENGINE_MISS_REPLACED], 1000);
	assert_in_range(after, 1, 5);
	/* A line from L2, which is the last level, takes two thirds of the time of one from memory.
	 */
	assert_int_equal(
		totals.cells.at->waited_bytes,
		(uint64_t)(640.0 * (double)(after + 2 * 1000) / (double)(before + 2 * 100) + 0.5));
	assert_int_equal(totals.cells.at->walks, 70); /* these follow the misses of L1 */
	ms_engine_free_totals(&totals);
	ms_engine_windows_free_totals(&sampled);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts_grow_with_misses),
		cmocka_unit_test(test_lines_that_only_windows_load_do_not_wait_for_bandwidth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
