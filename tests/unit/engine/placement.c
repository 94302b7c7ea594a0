/* Which node's memory a page lies in: first touch, rules for ranges, and pages that are unmapped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "engine/address_map/numa_placement.h"

enum { PAGE = 4096, NODES = 4, BASE = 1 << 24 };

struct fixture {
	struct ms_address_map_numa placement;
	struct ms_address_map_numa_changes changes;
};

static void open_fixture(struct fixture *f)
{
	const struct ms_machine machine = { .nodes = NODES, .node_processors = 2 };

	*f = (struct fixture){ .changes = { .n = 0 } };
	ms_address_map_open_numa(&f->placement, &machine);
}

static void close_fixture(struct fixture *f)
{
	ms_address_map_close_numa(&f->placement);
	ms_arena_free(&f->changes.arena);
}

/* Pages are numbered from BASE. */
static void change(struct fixture *f, uint64_t from, uint64_t to,
		   struct ms_address_map_numa_change change)
{
	change.start = BASE + from * PAGE;
	change.end = BASE + to * PAGE;
	ms_address_map_add_numa_change(&f->changes, &change);
	ms_address_map_apply_numa_changes(&f->placement, &f->changes, f->changes.n);
}

static uint32_t node_of(struct fixture *f, uint64_t page, uint32_t toucher)
{
	return ms_address_map_get_page_node(&f->placement, BASE + page * PAGE + 8, toucher);
}

static const struct ms_address_map_numa_change unmap = { .unplaces = true };
static const struct ms_address_map_numa_change on_node_3 = { .placement = MS_PLACEMENT_NODE,
							     .nodes = 1 << 3 };
static const struct ms_address_map_numa_change interleaved = { .placement =
								       MS_PLACEMENT_INTERLEAVED };

static void first_touch_decides(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	assert_int_equal(node_of(&f, 0, 2), 2);
	assert_int_equal(node_of(&f, 0, 1), 2);
	assert_int_equal(node_of(&f, 1, 1), 1);
	close_fixture(&f);
}

static void unmapped_pages_are_placed_again(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	for (uint64_t page = 0; page < 4; page++)
		assert_int_equal(node_of(&f, page, 2), 2);
	change(&f, 1, 3, unmap);
	assert_int_equal(node_of(&f, 0, 1), 2);
	assert_int_equal(node_of(&f, 1, 1), 1);
	assert_int_equal(node_of(&f, 2, 0), 0);
	assert_int_equal(node_of(&f, 3, 1), 2);
	close_fixture(&f);
}

static void unmapping_ends_a_rule(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	change(&f, 0, 4, on_node_3);
	assert_int_equal(node_of(&f, 0, 1), 3);
	change(&f, 0, 4, unmap);
	assert_int_equal(node_of(&f, 0, 1), 1);
	close_fixture(&f);
}

static void a_rule_inside_another_leaves_both_ends(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	change(&f, 0, 12, interleaved);
	change(&f, 4, 8, on_node_3);
	for (uint64_t page = 0; page < 12; page++)
		assert_int_equal(node_of(&f, page, 1), page >= 4 && page < 8 ? 3 : page % NODES);
	assert_int_equal(node_of(&f, 12, 1), 1);
	close_fixture(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_touch_decides),
		cmocka_unit_test(unmapped_pages_are_placed_again),
		cmocka_unit_test(unmapping_ends_a_rule),
		cmocka_unit_test(a_rule_inside_another_leaves_both_ends),
	};

	return cmocka_run_group_tests_name("engine placement", tests, NULL, NULL);
}
