/*
 * Pairs of data that evict each other, with a limit that is far too small for them: totals stay
 * exact, counts are within the stated error, and the result does not depend on the number of
 * shards.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/engine_priv.h"
#include "unit/engine/small_machine.h"

enum { BATCHES = 60, READS = 300, OTHERS = 99, PAIRS = 120, LEVELS = 2 };

static uint32_t draw(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)(*state >> 33);
}

/* Low data are used more often than high ones. */
static void feed_batch(struct fed *fed, uint64_t *state)
{
	unsigned filtering = fed->batches++ % ms_engine_count_filtering_shards(fed->engine);
	struct ms_engine_shard *shard = ms_engine_get_shard(fed->engine, filtering);

	for (unsigned i = 0; i < READS; i++) {
		uint32_t data = draw(state) % DATA * (draw(state) % DATA) / DATA;
		uint64_t words[2] = { ms_wire_head(MS_WIRE_EXEC, 2, draw(state) % 2),
				      BASE + (uint64_t)data * LINE };

		assert_int_equal(ms_engine_filter_executions(shard, words, 2), 2);
	}
	end_batch(fed, filtering);
}

/* batches: those of an epoch; 0: there is no limit. */
static void simulate(unsigned shards, uint32_t batches, struct ms_engine_totals *totals)
{
	static const struct shape shapes[LEVELS] = { { 1, 4, 1 }, { 2, 4, 1 } };
	const struct ms_engine_pair_limit limit = { PAIRS, OTHERS, batches };
	struct ms_machine machine;
	uint64_t state = 1;
	struct fed fed;

	make_machine(&machine, shapes, LEVELS, 1);
	open_fed(&fed, &machine, false, shards);
	if (batches > 0)
		ms_engine_limit_pairs(fed.engine, &limit);
	for (unsigned i = 0; i < BATCHES; i++)
		feed_batch(&fed, &state);
	ms_engine_compute_totals(fed.engine, totals);
	ms_engine_close(fed.engine);
	ms_machine_free(&machine);
}

static uint64_t sum_of(const struct ms_engine_total_pair *pairs, size_t n, uint32_t cell,
		       uint32_t level)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		if (pairs[i].cell == cell && pairs[i].level == level)
			sum += pairs[i].count;
	return sum;
}

static uint64_t count_of(const struct ms_engine_total_pair *pairs, size_t n,
			 const struct ms_engine_total_pair *like)
{
	for (size_t i = 0; i < n; i++)
		if (pairs[i].cell == like->cell && pairs[i].level == like->level &&
		    pairs[i].other == like->other)
			return pairs[i].count;
	return 0;
}

/* Each pair of the limited list stands in the exact one, with a count that is as exact as stated;
 * and each pair that does not is small enough. */
static void check_counts(const struct ms_engine_total_pair *exact, size_t n_exact,
			 const struct ms_engine_total_pair *limited, size_t n_limited,
			 uint64_t error)
{
	for (size_t i = 0; i < n_exact; i++) {
		uint64_t kept = count_of(limited, n_limited, &exact[i]);

		assert_true(kept <= exact[i].count && exact[i].count - kept <= error);
	}
	for (size_t i = 0; i < n_limited; i++)
		assert_true(limited[i].other == OTHERS ||
			    count_of(exact, n_exact, &limited[i]) > 0);
	for (size_t i = 1; i < n_limited; i++) {
		const struct ms_engine_total_pair *a = &limited[i - 1], *b = &limited[i];

		assert_true(a->cell < b->cell ||
			    (a->cell == b->cell && (a->level < b->level || (a->level == b->level &&
									    a->other < b->other))));
	}
}

static void totals_are_exact_and_errors_bounded(void **state)
{
	struct ms_engine_totals exact, limited;

	(void)state;
	simulate(1, 0, &exact);
	simulate(1, 7, &limited);
	assert_int_equal(exact.merged_pairs, 0);
	assert_int_equal(exact.pair_error, 0);
	assert_true(exact.replaced.n + exact.evictions.n > 4 * PAIRS);
	assert_true(limited.merged_pairs > 0 && limited.pair_error > 0);
	assert_int_equal(exact.cells.n, limited.cells.n);
	assert_int_equal(exact.misses.n, limited.misses.n);
	assert_memory_equal(exact.misses.at, limited.misses.at,
			    exact.misses.n * sizeof(*exact.misses.at));
	for (uint32_t cell = 0; cell < exact.cells.n; cell++)
		for (uint32_t l = 0; l < LEVELS; l++) {
			assert_int_equal(sum_of(exact.replaced.at, exact.replaced.n, cell, l),
					 sum_of(limited.replaced.at, limited.replaced.n, cell, l));
			assert_int_equal(
				sum_of(exact.evictions.at, exact.evictions.n, cell, l),
				sum_of(limited.evictions.at, limited.evictions.n, cell, l));
		}
	check_counts(exact.replaced.at, exact.replaced.n, limited.replaced.at, limited.replaced.n,
		     limited.pair_error);
	check_counts(exact.evictions.at, exact.evictions.n, limited.evictions.at,
		     limited.evictions.n, limited.pair_error);
	ms_engine_free_totals(&exact);
	ms_engine_free_totals(&limited);
}

/* Counts of <other data> are sums of cells: they take no place of their own in the table. */
static void the_table_holds_no_more_pairs_than_the_limit(void **state)
{
	static const struct shape shapes[LEVELS] = { { 1, 4, 1 }, { 2, 4, 1 } };
	const struct ms_engine_pair_limit limit = { PAIRS, OTHERS, 1 };
	struct ms_machine machine;
	uint64_t seed = 1;
	struct fed fed;

	(void)state;
	make_machine(&machine, shapes, LEVELS, 1);
	open_fed(&fed, &machine, false, 1);
	ms_engine_limit_pairs(fed.engine, &limit);
	for (unsigned i = 0; i < BATCHES; i++) {
		feed_batch(&fed, &seed);
		assert_true(fed.engine->counts.pairs.n <= PAIRS);
	}
	assert_true(fed.engine->counts.pairs.merged > 0);
	ms_engine_close(fed.engine);
	ms_machine_free(&machine);
}

static void any_number_of_shards_gives_the_same(void **state)
{
	static const unsigned shards[] = { 2, 7 };
	struct ms_engine_totals one;

	(void)state;
	simulate(1, 7, &one);
	for (size_t i = 0; i < MS_COUNT(shards); i++) {
		struct ms_engine_totals many;

		simulate(shards[i], 7, &many);
		assert_int_equal(one.pair_error, many.pair_error);
		assert_int_equal(one.merged_pairs, many.merged_pairs);
		assert_int_equal(one.replaced.n, many.replaced.n);
		assert_int_equal(one.evictions.n, many.evictions.n);
		for (size_t k = 0; k < one.replaced.n; k++)
			assert_int_equal(
				one.replaced.at[k].count,
				count_of(many.replaced.at, many.replaced.n, &one.replaced.at[k]));
		for (size_t k = 0; k < one.evictions.n; k++)
			assert_int_equal(one.evictions.at[k].count,
					 count_of(many.evictions.at, many.evictions.n,
						  &one.evictions.at[k]));
		ms_engine_free_totals(&many);
	}
	ms_engine_free_totals(&one);
}

/* Below the limit nothing changes, however often epochs end. */
static void few_pairs_are_exact(void **state)
{
	static const struct shape shapes[LEVELS] = { { 1, 4, 1 }, { 2, 4, 1 } };
	const struct ms_engine_pair_limit limit = { 1 << 20, OTHERS, 1 };
	struct ms_machine machine;
	struct ms_engine_totals exact, limited;
	uint64_t seed = 1;
	struct fed fed;

	(void)state;
	simulate(1, 0, &exact);
	make_machine(&machine, shapes, LEVELS, 1);
	open_fed(&fed, &machine, false, 2);
	ms_engine_limit_pairs(fed.engine, &limit);
	for (unsigned i = 0; i < BATCHES; i++)
		feed_batch(&fed, &seed);
	ms_engine_compute_totals(fed.engine, &limited);
	assert_int_equal(limited.merged_pairs, 0);
	assert_int_equal(limited.pair_error, 0);
	assert_int_equal(exact.replaced.n, limited.replaced.n);
	assert_int_equal(exact.evictions.n, limited.evictions.n);
	check_counts(exact.replaced.at, exact.replaced.n, limited.replaced.at, limited.replaced.n,
		     0);
	check_counts(exact.evictions.at, exact.evictions.n, limited.evictions.at,
		     limited.evictions.n, 0);
	ms_engine_free_totals(&exact);
	ms_engine_free_totals(&limited);
	ms_engine_close(fed.engine);
	ms_machine_free(&machine);
}

/* Sites 0 and 1 count as one if there are more cells than allowed, otherwise they do not. */
static const uint32_t *both_are_one(const uint32_t *sites, size_t n, void *arg)
{
	static const uint32_t group[2] = { 0, 0 };

	assert_int_equal(n, 2);
	assert_int_equal(sites[0], 0);
	assert_int_equal(sites[1], 1);
	++*(int *)arg;
	return group;
}

static void sites_are_grouped_beyond_the_limit_of_cells(void **state)
{
	static const struct shape shapes[LEVELS] = { { 1, 4, 1 }, { 2, 4, 1 } };
	struct ms_machine machine;
	struct ms_engine_totals whole, grouped, again;
	uint64_t seed = 1, references = 0, misses = 0;
	int asked = 0;
	struct fed fed;

	(void)state;
	make_machine(&machine, shapes, LEVELS, 1);
	open_fed(&fed, &machine, false, 2);
	for (unsigned i = 0; i < BATCHES; i++)
		feed_batch(&fed, &seed);
	ms_engine_compute_totals(fed.engine, &whole);
	struct ms_engine_site_groups enough = { whole.cells.n, both_are_one, &asked };
	ms_engine_compute_grouped_totals(fed.engine, &enough, &again);
	assert_int_equal(again.cells.n, whole.cells.n);
	assert_int_equal(asked, 0);
	struct ms_engine_site_groups few = { whole.cells.n - 1, both_are_one, &asked };
	ms_engine_compute_grouped_totals(fed.engine, &few, &grouped);
	assert_int_equal(asked, 1);
	assert_true(grouped.cells.n < whole.cells.n);
	for (size_t i = 0; i < grouped.cells.n; i++) {
		assert_int_equal(grouped.cells.at[i].site, 0);
		assert_true(i == 0 || grouped.cells.at[i - 1].data < grouped.cells.at[i].data);
		references += grouped.cells.at[i].references;
	}
	assert_int_equal(references, BATCHES * READS);
	for (size_t i = 0; i < whole.misses.n; i++)
		misses += whole.misses.at[i].causes[MS_ENGINE_MISS_REPLACED];
	for (size_t i = 0; i < grouped.replaced.n; i++)
		misses -= grouped.replaced.at[i].count;
	assert_int_equal(misses, 0);
	ms_engine_free_totals(&whole);
	ms_engine_free_totals(&grouped);
	ms_engine_free_totals(&again);
	ms_engine_close(fed.engine);
	ms_machine_free(&machine);
}

/* What is freed before names are looked for includes the table of pairs. */
static void released_counters_include_pairs(void **state)
{
	static const struct shape shapes[LEVELS] = { { 1, 4, 1 }, { 2, 4, 1 } };
	struct ms_machine machine;
	struct ms_engine_totals totals;
	uint64_t seed = 1;
	struct fed fed;

	(void)state;
	make_machine(&machine, shapes, LEVELS, 1);
	open_fed(&fed, &machine, false, 2);
	for (unsigned i = 0; i < BATCHES; i++)
		feed_batch(&fed, &seed);
	ms_engine_compute_totals(fed.engine, &totals);
	assert_true(totals.evictions.n > 0);
	assert_true(ms_count_measure_pair_sums(&fed.engine->counts.pairs) > 0);
	ms_engine_release_counters(fed.engine);
	assert_int_equal(ms_count_measure_pair_sums(&fed.engine->counts.pairs), 0);
	assert_int_equal(fed.engine->counts.pairs.n, 0);
	ms_engine_free_totals(&totals);
	ms_engine_close(fed.engine);
	ms_machine_free(&machine);
}

/* Totals need neither the records of lines nor the tables of cells. */
static void totals_after_the_simulation_are_the_same(void **state)
{
	static const struct shape shapes[LEVELS] = { { 1, 4, 1 }, { 2, 4, 1 } };
	struct ms_engine_footprint before, after;
	struct ms_machine machine;
	struct ms_engine_totals whole, ended;
	uint64_t seed = 1;
	struct fed fed;

	(void)state;
	simulate(1, 0, &whole);
	make_machine(&machine, shapes, LEVELS, 1);
	open_fed(&fed, &machine, false, 2);
	for (unsigned i = 0; i < BATCHES; i++)
		feed_batch(&fed, &seed);
	ms_engine_measure_footprint(fed.engine, &before);
	ms_engine_end_simulation(fed.engine);
	ms_engine_measure_footprint(fed.engine, &after);
	assert_true(before.line_bytes > 0);
	assert_true(after.bytes <= before.bytes - before.line_bytes);
	ms_engine_compute_totals(fed.engine, &ended);
	assert_int_equal(ended.cells.n, whole.cells.n);
	assert_memory_equal(ended.cells.at, whole.cells.at,
			    whole.cells.n * sizeof(*whole.cells.at));
	assert_int_equal(ended.misses.n, whole.misses.n);
	for (size_t i = 0; i < whole.misses.n; i++)
		assert_memory_equal(ended.misses.at[i].causes, whole.misses.at[i].causes,
				    sizeof(whole.misses.at[i].causes));
	check_counts(whole.evictions.at, whole.evictions.n, ended.evictions.at, ended.evictions.n,
		     0);
	ms_engine_free_totals(&whole);
	ms_engine_free_totals(&ended);
	ms_engine_close(fed.engine);
	ms_machine_free(&machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_are_exact_and_errors_bounded),
		cmocka_unit_test(the_table_holds_no_more_pairs_than_the_limit),
		cmocka_unit_test(any_number_of_shards_gives_the_same),
		cmocka_unit_test(few_pairs_are_exact),
		cmocka_unit_test(sites_are_grouped_beyond_the_limit_of_cells),
		cmocka_unit_test(released_counters_include_pairs),
		cmocka_unit_test(totals_after_the_simulation_are_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
