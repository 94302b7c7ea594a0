/* Which part of a node's caches, bandwidth and processors each rank of a parallel job has. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "machine/machine_priv.h"

/* L1 of one processor, L2 of two, L3 of `l3` or all (0). */
static struct ms_machine node_of(uint32_t processors, uint32_t l3)
{
	struct ms_machine m = { .name = "m", .origin = "o", .whole = { processors, 1 } };

	m.processors = m.nodes = 1;
	*ms_vec_add(&m.levels) = (struct ms_machine_level){
		.name = "L1", .size = 32 << 10, .ways = 8, .line = 64, .processors = 1
	};
	*ms_vec_add(&m.levels) = (struct ms_machine_level){
		.name = "L2", .size = 1 << 20, .ways = 16, .line = 64, .processors = 2
	};
	*ms_vec_add(&m.levels) = (struct ms_machine_level){
		.name = "L3", .size = 24 << 20, .ways = 12, .line = 64, .processors = l3
	};
	m.core = (struct ms_machine_core){ .bandwidth_milli = 8000,
					   .write_bandwidth_milli = 4000,
					   .total_bandwidth_milli = 24000 };
	return m;
}

static void parts_of_caches_and_bandwidth(void **state)
{
	static const struct {
		int line;
		uint32_t processors, l3, ranks;
		uint64_t want_l2, want_l3; /* KiB */
		uint32_t want_bandwidth, want_writes, want_processors;
	} cases[] = {
		{ __LINE__, 16, 0, 0, 1024, 24576, 8000, 4000, 1 },
		{ __LINE__, 16, 0, 1, 1024, 24576, 8000, 4000, 16 },
		{ __LINE__, 16, 0, 2, 1024, 12288, 8000, 4000, 8 },
		{ __LINE__, 16, 0, 3, 1024, 8191, 8000, 4000, 5 },
		{ __LINE__, 16, 0, 8, 1024, 3072, 3000, 1500, 2 },
		{ __LINE__, 16, 0, 16, 512, 1536, 1500, 750, 1 },
		/* More ranks than processors: so many as run at a time share. */
		{ __LINE__, 16, 0, 64, 512, 1536, 1500, 750, 1 },
		/* Two caches, of eight processors each. */
		{ __LINE__, 16, 8, 2, 1024, 24576, 8000, 4000, 8 },
		{ __LINE__, 16, 8, 4, 1024, 12288, 6000, 3000, 4 },
		{ __LINE__, 16, 8, 16, 512, 3072, 1500, 750, 1 },
		{ __LINE__, 0, 0, 8, 1024, 24576, 8000, 4000, 1 },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_machine m = node_of(cases[i].processors, cases[i].l3);

		print_message("case of line %d\n", cases[i].line);
		ms_machine_share_among_ranks(&m, cases[i].ranks);
		assert_int_equal(m.levels.at[0].size, 32 << 10);
		assert_int_equal(m.levels.at[1].size >> 10, cases[i].want_l2);
		assert_int_equal(m.levels.at[2].size >> 10, cases[i].want_l3);
		assert_int_equal(m.levels.at[2].ways, 12);
		assert_int_equal(m.core.bandwidth_milli, cases[i].want_bandwidth);
		assert_int_equal(m.core.write_bandwidth_milli, cases[i].want_writes);
		assert_int_equal(ms_machine_rank_processors(&m, cases[i].ranks),
				 cases[i].want_processors);
		ms_vec_free(&m.levels);
		ms_arena_free(&m.arena);
	}
}

static void origin_states_the_part(void **state)
{
	struct ms_machine m = node_of(16, 0);

	(void)state;
	m.origin = "as measured; with --l1 32K,8,64";
	ms_machine_share_among_ranks(&m, 4);
	assert_string_equal(m.origin, "as measured, 6 MiB of the 24 MiB of L3 and 6 bytes per "
				      "cycle from memory for each of the 4 ranks of its node; "
				      "with --l1 32K,8,64");
	ms_vec_free(&m.levels);
	ms_arena_free(&m.arena);
}

/* What is unlimited or not known stays so. */
static void bandwidth_that_is_not_known(void **state)
{
	struct ms_machine m = node_of(4, 0);

	(void)state;
	m.core.total_bandwidth_milli = 0;
	ms_machine_share_among_ranks(&m, 4);
	assert_int_equal(m.core.bandwidth_milli, 8000);
	m.core = (struct ms_machine_core){ .bandwidth_milli = 8000, .total_bandwidth_milli = 4 };
	ms_machine_share_among_ranks(&m, 4);
	assert_int_equal(m.core.bandwidth_milli, 1);
	assert_int_equal(m.core.write_bandwidth_milli, 0);
	ms_vec_free(&m.levels);
	ms_arena_free(&m.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_of_caches_and_bandwidth),
		cmocka_unit_test(origin_states_the_part),
		cmocka_unit_test(bandwidth_that_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
