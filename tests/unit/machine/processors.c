/* How many processors of a machine are simulated, and on which nodes they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "machine/machine_priv.h"

static struct ms_machine machine_of(uint32_t processors, uint32_t nodes)
{
	return (struct ms_machine){
		.name = "m", .whole = { processors, nodes }, .processors = 1, .nodes = 1
	};
}

static void some_of_the_processors(void **state)
{
	static const struct {
		int line;
		uint32_t processors, nodes; /* of the whole machine */
		uint32_t asked;
		uint32_t want_processors, want_nodes, want_last_node;
	} cases[] = {
		{ __LINE__, 1, 1, 1, 1, 1, 0 },       { __LINE__, 1, 1, 64, 64, 1, 0 },
		{ __LINE__, 0, 0, 4, 4, 1, 0 },       { __LINE__, 0, 0, 0, 1, 1, 0 },
		{ __LINE__, 4, 1, 0, 4, 1, 0 },       { __LINE__, 64, 16, 0, 64, 16, 15 },
		{ __LINE__, 64, 16, 1, 1, 1, 0 },     { __LINE__, 64, 16, 4, 4, 1, 0 },
		{ __LINE__, 64, 16, 5, 5, 2, 1 },     { __LINE__, 64, 16, 16, 16, 4, 3 },
		{ __LINE__, 64, 16, 70, 70, 18, 17 }, { __LINE__, 2, 2, 3, 3, 3, 2 },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_machine m = machine_of(cases[i].processors, cases[i].nodes);
		struct ms_err err = { 0 };

		print_message("case of line %d\n", cases[i].line);
		assert_int_equal(ms_machine_set_processors(&m, cases[i].asked, &err), MS_OK);
		assert_int_equal(m.processors, cases[i].want_processors);
		assert_int_equal(m.nodes, cases[i].want_nodes);
		assert_int_equal(ms_machine_node(&m, 0), 0);
		assert_int_equal(ms_machine_node(&m, m.processors - 1), cases[i].want_last_node);
		/* The description is still the whole machine. */
		assert_int_equal(m.whole.processors, cases[i].processors);
	}
}

static void too_many(void **state)
{
	struct ms_machine m = machine_of(4, 1), nodes = machine_of(4, 4);
	struct ms_machine all = machine_of(2048, 2);
	struct ms_err err = { 0 };

	(void)state;
	assert_int_equal(ms_machine_set_processors(&m, 1024, &err), MS_OK);
	assert_int_equal(ms_machine_set_processors(&m, 1025, &err), MS_EUSAGE);
	assert_string_equal(err.text, "machine m: found 1025 processors to simulate, expected "
				      "1 to 1024");
	assert_int_equal(ms_machine_set_processors(&nodes, 64, &err), MS_OK);
	assert_int_equal(ms_machine_set_processors(&nodes, 65, &err), MS_EUSAGE);
	assert_string_equal(err.text, "machine m: found 65 processors on 65 nodes to simulate, "
				      "expected at most 64 nodes; ask for fewer processors");
	assert_int_equal(ms_machine_set_processors(&all, 0, &err), MS_EUSAGE);
	assert_int_equal(ms_machine_set_processors(&all, 1024, &err), MS_OK);
	assert_int_equal(all.nodes, 1);
}

static void caches_too_large_to_simulate(void **state)
{
	struct ms_machine m = machine_of(8, 1);
	struct ms_err err = { 0 };

	(void)state;
	*ms_vec_add(&m.levels) = (struct ms_machine_level){
		.name = "L1", .size = UINT64_C(32) << 30, .ways = 8, .line = 64, .processors = 1
	};
	assert_int_equal(ms_machine_set_processors(&m, 4, &err), MS_OK);
	assert_int_equal(ms_machine_set_processors(&m, 5, &err), MS_EUSAGE);
	assert_string_equal(
		err.text, "machine m: found caches of 5 processors whose simulation takes 20 GiB, "
			  "expected at most 16 GiB; ask for fewer processors or smaller caches");
	m.levels.at[0].processors = 0;
	assert_int_equal(ms_machine_set_processors(&m, 1024, &err), MS_OK);
	ms_vec_free(&m.levels);
}

static void memory_on_a_node_that_is_not_simulated(void **state)
{
	struct ms_machine m = machine_of(8, 4);
	struct ms_err err = { 0 };
	char text[32];

	(void)state;
	m.placement = MS_PLACEMENT_NODE;
	m.placement_node = 2;
	assert_string_equal(ms_machine_placement_text(&m, text), "node 2");
	assert_int_equal(ms_machine_set_processors(&m, 8, &err), MS_OK);
	assert_int_equal(ms_machine_set_processors(&m, 1, &err), MS_OK);
	assert_int_equal(ms_machine_set_processors(&m, 4, &err), MS_EUSAGE);
	assert_string_equal(err.text,
			    "machine m: found placement = node 2 with 4 processors, which are on 2 "
			    "nodes (from 0); ask for more processors or place memory elsewhere");
	m.placement = MS_PLACEMENT_INTERLEAVED;
	assert_string_equal(ms_machine_placement_text(&m, text), "interleaved");
	assert_int_equal(ms_machine_set_processors(&m, 4, &err), MS_OK);
}

static void assert_shared_by(const struct ms_machine *m, size_t i, const char *name,
			     uint32_t processors)
{
	assert_string_equal(m->levels.at[i].name, name);
	assert_int_equal(m->levels.at[i].processors, processors);
}

static void who_shares_levels_that_are_options(void **state)
{
	struct ms_machine m;
	struct ms_err err = { 0 };

	(void)state;
	ms_machine_start(&m);
	assert_int_equal(ms_machine_set_level(&m, "ll", "8M,16,64", &err), MS_OK);
	assert_int_equal(ms_machine_set_level(&m, "l3", "4M,16,64", &err), MS_OK);
	m.levels.at[0].processors = 8;
	assert_int_equal(ms_machine_set_level(&m, "l1", "32K,8,64", &err), MS_OK);
	m.levels.at[0].processors = 2; /* as where it came from a file */
	assert_int_equal(ms_machine_set_level(&m, "l2", "1M,16,64", &err), MS_OK);
	assert_shared_by(&m, 0, "L1", 2);
	assert_shared_by(&m, 1, "L2", 2);
	assert_shared_by(&m, 2, "L3", 8);
	assert_shared_by(&m, 3, "LL", 0);
	assert_int_equal(ms_machine_check(&m, NULL, &err), MS_OK);
	assert_int_equal(m.peer_latency, MS_ASSUMED_PEER_LATENCY);
	ms_machine_free(&m);
}

/* Whole ways, at least four if that is less than the level has, of fewer sets; a tree needs a power
 * of two. */
static void a_usable_share(void **state)
{
	static const struct {
		uint32_t ways, usable, replacement, want, want_sets;
	} cases[] = {
		{ 16, 0, MS_REPLACEMENT_LRU, 16, 1024 },
		{ 16, 100, MS_REPLACEMENT_LRU, 16, 1024 },
		{ 16, 50, MS_REPLACEMENT_LRU, 8, 1024 },
		{ 16, 49, MS_REPLACEMENT_LRU, 7, 1024 },
		{ 16, 49, MS_REPLACEMENT_TREE_PLRU, 4, 1024 },
		{ 11, 60, MS_REPLACEMENT_FIFO, 6, 1024 },
		{ 16, 25, MS_REPLACEMENT_LRU, 4, 1024 },
		{ 16, 24, MS_REPLACEMENT_LRU, 7, 512 },
		{ 16, 3, MS_REPLACEMENT_LRU, 7, 64 },
		{ 16, 3, MS_REPLACEMENT_TREE_PLRU, 4, 64 },
		{ 2, 10, MS_REPLACEMENT_LRU, 1, 128 },
		{ 1, 30, MS_REPLACEMENT_LRU, 1, 512 },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_machine m = { .name = "m", .origin = "preset m" };

		*ms_vec_add(&m.levels) =
			(struct ms_machine_level){ .name = "L3",
						   .size = (uint64_t)cases[i].ways * 64 * 1024,
						   .ways = cases[i].ways,
						   .line = 64,
						   .replacement = cases[i].replacement,
						   .usable = cases[i].usable };
		for (int twice = 0; twice < 2; twice++) {
			ms_machine_use_share(&m);
			assert_int_equal(m.levels.at[0].ways, cases[i].want);
			assert_int_equal(ms_machine_sets(&m.levels.at[0]), cases[i].want_sets);
		}
		ms_machine_free(&m);
	}
}

static void a_usable_share_is_stated_before_changes(void **state)
{
	struct ms_machine m = { .name = "m", .origin = "preset m; with --l1 8K,2,32" };

	(void)state;
	*ms_vec_add(&m.levels) = (struct ms_machine_level){
		.name = "L3", .size = 32 << 20, .ways = 16, .line = 64, .usable = 33
	};
	ms_machine_use_share(&m);
	assert_string_equal(m.origin,
			    "preset m, 10 MiB of the 32 MiB of L3 usable; with --l1 8K,2,32");
	ms_machine_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_usable_share),
		cmocka_unit_test(a_usable_share_is_stated_before_changes),
		cmocka_unit_test(some_of_the_processors),
		cmocka_unit_test(too_many),
		cmocka_unit_test(caches_too_large_to_simulate),
		cmocka_unit_test(memory_on_a_node_that_is_not_simulated),
		cmocka_unit_test(who_shares_levels_that_are_options),
	};

	return cmocka_run_group_tests_name("machine_processors", tests, NULL, NULL);
}
