/* Misses over time: slices are merged as the run grows, and do not depend on the shards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "engine/engine.h"
#include "unit/engine/small_machine.h"

static const struct shape direct_mapped[] = { { 1, 4, 1 }, { 0 } };

/* Each batch reads n lines that evict each other, from `first` on: all of them miss. */
static void feed_batch(struct fed *fed, uint32_t first, uint32_t n)
{
	unsigned filtering = fed->batches++ % ms_engine_count_filtering_shards(fed->engine);
	struct ms_engine_shard *shard = ms_engine_get_shard(fed->engine, filtering);

	ms_engine_begin_batch(shard, fed->batches);
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t words[] = { ms_wire_head(MS_WIRE_EXEC, 2, 0),
					   BASE + (first + 4 * (i % 6)) % DATA * LINE };

		assert_int_equal(ms_engine_filter_executions(shard, words, 2), 2);
	}
	end_batch(fed, filtering);
}

/* "parts; misses in set 0 in the first, in the last": they belong to whole numbers of slices. */
static void describe_sets(const struct ms_engine_totals *t, char *text, size_t room)
{
	uint64_t first = 0, last = 0;
	uint32_t parts = 0;

	for (size_t i = 0; i < t->set_parts.n; i++) {
		const struct ms_engine_total_set_part *p = &t->set_parts.at[i];

		assert_int_equal(p->level + p->sets, 0);
		first += p->part == 0 ? p->misses : 0;
		last = p->misses;
		parts = p->part + 1;
	}
	snprintf(text, room, "; %u, %zu, %zu", parts, (size_t)first, (size_t)last);
}

static uint64_t sum_causes(const uint64_t *causes)
{
	uint64_t sum = 0;

	for (unsigned c = 0; c < MS_ENGINE_MISS_CAUSES; c++)
		sum += causes[c];
	return sum;
}

/*
 * "slices, steps of the first, of the last; misses of the first, of the last, of all; pairs", then
 * parts by set.
 */
static void describe(struct ms_engine *engine, char *text, size_t room)
{
	struct ms_engine_totals t;
	uint64_t first = 0, last = 0, all = 0;

	ms_engine_compute_totals(engine, &t);
	for (size_t i = 0; i < t.slice_sums.n; i++) {
		uint64_t misses = sum_causes(t.slice_sums.at[i].causes);

		assert_int_equal(t.slice_sums.at[i].level, 0);
		first += t.slice_sums.at[i].slice == 0 ? misses : 0;
		last += t.slice_sums.at[i].slice + 1 == t.slices.n ? misses : 0;
		all += misses;
	}
	snprintf(text, room, "%zu, %zu, %zu; %zu, %zu, %zu; %zu", t.slices.n,
		 (size_t)t.slices.at[0].steps, (size_t)t.slices.at[t.slices.n - 1].steps,
		 (size_t)first, (size_t)last, (size_t)all, t.slice_cells.n);
	describe_sets(&t, text + strlen(text), room - strlen(text));
	ms_engine_free_totals(&t);
}

static const struct {
	uint32_t batches;
	const char *want;
} lengths[] = {
	/* A batch has three executions of one reference, six steps, and three misses. */
	{ 1, "1, 6, 6; 3, 3, 3; 3; 1, 3, 3" },
	{ 2047, "2047, 6, 6; 3, 3, 6141; 6141; 64, 96, 93" },
	{ 2048, "1024, 12, 12; 6, 6, 6144; 3072; 64, 96, 96" },
	{ 2050, "1025, 12, 12; 6, 6, 6150; 3075; 33, 192, 6" },
	/* The last slice is not complete. */
	{ 2051, "1026, 12, 6; 6, 3, 6153; 3078; 33, 192, 9" },
	{ 4096, "1024, 24, 24; 12, 12, 12288; 3072; 64, 192, 192" },
	{ 4099, "1025, 24, 18; 12, 9, 12297; 3075; 33, 384, 9" },
};

static void slices_are_merged(void **state)
{
	struct ms_machine machine;

	(void)state;
	make_machine(&machine, direct_mapped, 2, 1);
	for (unsigned shards = 1; shards <= 3; shards += 2)
		for (size_t i = 0; i < MS_COUNT(lengths); i++) {
			struct fed fed;
			char text[100];

			open_fed(&fed, &machine, false, shards);
			for (uint32_t k = 0; k < lengths[i].batches; k++)
				feed_batch(&fed, 0, 3);
			describe(fed.engine, text, sizeof(text));
			assert_string_equal(text, lengths[i].want);
			ms_engine_close(fed.engine);
		}
	ms_vec_free(&machine.levels);
}

static void empty_batches_are_slices(void **state)
{
	struct ms_machine machine;
	struct ms_engine_totals t;
	struct fed fed;

	(void)state;
	make_machine(&machine, direct_mapped, 2, 1);
	open_fed(&fed, &machine, false, 1);
	feed_batch(&fed, 0, 3);
	feed_batch(&fed, 0, 0);
	feed_batch(&fed, 0, 6);
	ms_engine_compute_totals(fed.engine, &t);
	assert_int_equal(t.slices.n, 3);
	assert_int_equal(t.slices.at[1].steps, 0);
	assert_int_equal(t.slice_sums.n, 2);
	assert_int_equal(t.slice_sums.at[1].slice, 2);
	ms_engine_free_totals(&t);
	ms_engine_close(fed.engine);
	ms_vec_free(&machine.levels);
}

static void misses_are_counted_by_set(void **state)
{
	static const struct shape wide[] = { { 1, 128, 1 }, { 1, 192, 1 }, { 0 } };
	/* Sets 0, 4, 8 and 64, 68, 72: the first level has two a group, the second three. */
	static const struct ms_engine_total_set_part want[] = {
		{ 0, 0, 0, 1 },  { 0, 0, 2, 1 }, { 0, 0, 4, 1 }, { 0, 1, 21, 1 }, { 0, 1, 22, 1 },
		{ 0, 1, 24, 1 }, { 1, 0, 6, 1 }, { 1, 0, 8, 1 }, { 1, 0, 10, 1 },
	};
	struct ms_machine machine;
	struct ms_engine_totals t;
	struct fed fed;

	(void)state;
	make_machine(&machine, wide, 2, 1);
	for (unsigned shards = 1; shards <= 3; shards += 2) {
		open_fed(&fed, &machine, false, shards);
		feed_batch(&fed, 0, 3);
		feed_batch(&fed, 12, 3);
		ms_engine_compute_totals(fed.engine, &t);
		assert_true(t.set_parts.n >= MS_COUNT(want));
		for (size_t i = 0; i < MS_COUNT(want); i++)
			assert_memory_equal(&t.set_parts.at[i], &want[i], sizeof(want[i]));
		ms_engine_free_totals(&t);
		ms_engine_close(fed.engine);
	}
	ms_vec_free(&machine.levels);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slices_are_merged),
		cmocka_unit_test(empty_batches_are_slices),
		cmocka_unit_test(misses_are_counted_by_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
