/*
 * The choice of the simulator's variant: each setup gets the variant that simulates it, and every
 * variant has all functions that engines call without a check.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "engine/engine_priv.h"
#include "engine/variant_priv.h"
#include "engine/windows/window_variant.h"

static const struct ms_engine_windows_sets all_sets = { .every = 1 };
static const struct ms_pmu_config monitor = { .period = 1000 };

static void make_machine(struct ms_machine *machine, uint32_t processors)
{
	struct ms_err err;

	ms_machine_start(machine);
	assert_int_equal(ms_machine_set_level(machine, "l1", "32K,8,64", &err), MS_OK);
	assert_int_equal(ms_machine_set_level(machine, "ll", "256K,16,64", &err), MS_OK);
	assert_int_equal(ms_machine_set_processors(machine, processors, &err), MS_OK);
}

struct expected {
	void (*simulate)(struct ms_engine_shard *shard, unsigned batch_index);
	bool is_undivided, has_windows, has_processors, follows_map;
};

static void assert_complete(const struct ms_engine_variant *v)
{
	assert_true(v->open && v->close && v->open_shard && v->close_shard && v->measure &&
		    v->measure_shard);
	assert_true(v->add_block && v->filter && v->reset_filter && v->distribute &&
		    v->flush_references && v->change_map);
	assert_true(v->simulate && v->finish && v->finish_counts);
	assert_true(v->threads->set_processor && v->threads->register_thread &&
		    v->threads->forget_threads && v->threads->switch_thread &&
		    v->threads->take_switches && v->threads->set_busy_processors &&
		    v->threads->set_placement && v->threads->unmap_pages);
	assert_true(v->counts->count_references && v->counts->estimate_references &&
		    v->counts->count_exits && v->counts->next_cell_table &&
		    v->counts->list_totals && v->counts->count_lines);
}

static void check(const struct ms_engine_setup *setup, const struct expected *expected)
{
	const struct ms_engine_variant *v = ms_engine_choose_variant(setup);

	assert_complete(v);
	assert_ptr_equal((void *)(uintptr_t)v->simulate, (void *)(uintptr_t)expected->simulate);
	assert_int_equal(v->is_undivided, expected->is_undivided);
	assert_int_equal(v->has_windows, expected->has_windows);
	assert_int_equal(v->has_processors, expected->has_processors);
	assert_int_equal(v->follows_map, expected->follows_map);
}

static void each_setup_has_its_variant(void **state)
{
	struct ms_machine one, other, four;

	(void)state;
	make_machine(&one, 1);
	make_machine(&other, 1);
	other.levels.at[0].write = MS_WRITE_THROUGH;
	make_machine(&four, 4);
	check(&(struct ms_engine_setup){ .machine = &one },
	      &(struct expected){ ms_caches_simulate_lru, false, false, false, false });
	check(&(struct ms_engine_setup){ .machine = &other },
	      &(struct expected){ ms_caches_simulate_configurable, false, false, false, false });
	check(&(struct ms_engine_setup){ .machine = &four },
	      &(struct expected){ ms_coherence_simulate_batch, false, false, true, false });
	check(&(struct ms_engine_setup){ .machine = &one, .sets = &all_sets },
	      &(struct expected){ ms_engine_windows_simulate_batch, true, true, false, false });
	check(&(struct ms_engine_setup){ .machine = &four, .sets = &all_sets },
	      &(struct expected){ ms_coherence_simulate_windows, true, true, true, false });
	check(&(struct ms_engine_setup){ .machine = &one, .pmu = &monitor },
	      &(struct expected){ ms_engine_simulate_monitored, true, false, false, true });
	check(&(struct ms_engine_setup){ .machine = &other, .pmu = &monitor },
	      &(struct expected){ ms_engine_simulate_monitored, true, false, false, true });
	ms_machine_free(&one);
	ms_machine_free(&other);
	ms_machine_free(&four);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_setup_has_its_variant),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
