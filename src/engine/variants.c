/* engine/variants.c - the table of the simulator's variants. */
#include "engine/engine_priv.h"
#include "engine/variant_priv.h"
#include "engine/windows/window_variant.h"

/* --- which variant fits --- */

static bool has_monitor(const struct ms_engine_setup *setup)
{
	return setup->pmu != NULL;
}

static bool has_windows(const struct ms_engine_setup *setup)
{
	return setup->sets != NULL;
}

static bool has_processors(const struct ms_engine_setup *setup)
{
	return setup->machine->processors > 1;
}

static bool has_windows_of_processors(const struct ms_engine_setup *setup)
{
	return has_windows(setup) && has_processors(setup);
}

static bool has_other_policies(const struct ms_engine_setup *setup)
{
	return ms_caches_needs_configurable(setup->machine);
}

static bool has_any_setup(const struct ms_engine_setup *setup)
{
	(void)setup;
	return true;
}

/* --- what a variant does not need --- */

static void open_none(struct ms_engine *engine, const struct ms_engine_setup *setup)
{
	(void)engine;
	(void)setup;
}

static void do_nothing(struct ms_engine *engine)
{
	(void)engine;
}

static void list_none(struct ms_engine *engine, struct ms_engine_totals *totals)
{
	(void)engine;
	(void)totals;
}

static uint64_t measure_none(const struct ms_engine *engine)
{
	(void)engine;
	return 0;
}

static void ignore_map_change(struct ms_engine_shard *shard, enum ms_engine_map_change change,
			      uint64_t start, uint64_t end)
{
	(void)shard;
	(void)change;
	(void)start;
	(void)end;
}

/* --- one processor: its threads take turns on it, and all memory is near --- */

static void ignore_processor(struct ms_engine_shard *shard, uint32_t processor, uint32_t thread)
{
	(void)shard;
	(void)processor;
	(void)thread;
}

static void ignore_number(struct ms_engine_shard *shard, uint32_t number)
{
	(void)shard;
	(void)number;
}

static void ignore_threads(struct ms_engine_shard *shard)
{
	(void)shard;
}

static bool refuse_switch(struct ms_engine_shard *shard, uint64_t record)
{
	(void)shard;
	(void)record;
	return false;
}

static uint64_t count_no_switches(struct ms_engine_shard *shard, uint32_t *name)
{
	(void)shard;
	(void)name;
	return 0;
}

static void ignore_placement(struct ms_engine_shard *shard, uint64_t start, uint64_t end,
			     enum ms_machine_page_placement placement, uint64_t nodes)
{
	(void)shard;
	(void)start;
	(void)end;
	(void)placement;
	(void)nodes;
}

static void ignore_unmapping(struct ms_engine_shard *shard, uint64_t start, uint64_t end)
{
	(void)shard;
	(void)start;
	(void)end;
}

static const struct ms_engine_thread_ops one_processor_threads = {
	.set_processor = ignore_processor,
	.register_thread = ignore_number,
	.forget_threads = ignore_threads,
	.switch_thread = refuse_switch,
	.take_switches = count_no_switches,
	.set_busy_processors = ignore_number,
	.set_placement = ignore_placement,
	.unmap_pages = ignore_unmapping,
};

static const struct ms_engine_count_ops one_processor_counts = {
	.count_references = ms_filter_count_references,
	.estimate_references = ms_filter_estimate_references,
	.count_exits = ms_filter_count_exits,
	.next_cell_table = ms_filter_next_cell_table,
	.list_totals = list_none,
	.count_lines = ms_caches_count_lines,
};

/* --- several processors --- */

static const struct ms_engine_thread_ops processor_threads = {
	.set_processor = ms_coherence_set_processor,
	.register_thread = ms_coherence_register_thread,
	.forget_threads = ms_coherence_forget_threads,
	.switch_thread = ms_coherence_switch_thread,
	.take_switches = ms_coherence_take_thread_switches,
	.set_busy_processors = ms_coherence_set_busy_processors,
	.set_placement = ms_coherence_set_placement,
	.unmap_pages = ms_coherence_unmap_pages,
};

/* With windows, a time slice depends on more than its thread. So threads are not registered. */
static const struct ms_engine_thread_ops window_threads = {
	.set_processor = ms_coherence_set_processor,
	.register_thread = ignore_number,
	.forget_threads = ignore_threads,
	.switch_thread = refuse_switch,
	.take_switches = count_no_switches,
	.set_busy_processors = ms_coherence_set_busy_processors,
	.set_placement = ms_coherence_set_placement,
	.unmap_pages = ms_coherence_unmap_pages,
};

static const struct ms_engine_count_ops processor_counts = {
	.count_references = ms_coherence_count_references,
	.estimate_references = ms_coherence_estimate_references,
	.count_exits = ms_coherence_count_exits,
	.next_cell_table = ms_coherence_next_cell_table,
	.list_totals = ms_coherence_list_totals,
	.count_lines = ms_coherence_count_lines,
};

/* --- the table --- */

/* The first one that fits is taken. */
static const struct ms_engine_variant variants[] = {
	/* One processor with a performance monitor, which consumes its events. */
	{
		.fits = has_monitor,
		.is_undivided = true,
		.follows_map = true,
		.threads = &one_processor_threads,
		.counts = &one_processor_counts,
		.open = ms_pmu_open,
		.close = ms_pmu_close,
		.open_shard = ms_engine_open_monitored_shard,
		.close_shard = ms_engine_close_monitored_shard,
		.measure = measure_none,
		.measure_shard = ms_caches_measure_configurable_shard,
		.add_block = ms_engine_add_monitored_block,
		.filter = ms_engine_filter_monitored,
		.reset_filter = ms_filter_reset,
		.distribute = ms_engine_distribute_monitored,
		.flush_references = ms_filter_flush_references,
		.change_map = ms_engine_change_monitored_map,
		.simulate = ms_engine_simulate_monitored,
		.finish = ms_count_finish_splits,
		.finish_counts = do_nothing,
	},
	/* Several processors, simulated in windows. */
	{
		.fits = has_windows_of_processors,
		.follows_calls = true,
		.is_undivided = true,
		.has_windows = true,
		.has_processors = true,
		.filters_anywhere = true,
		.threads = &window_threads,
		.counts = &processor_counts,
		.open = ms_engine_windows_open_processors,
		.close = ms_engine_windows_close_processors,
		.open_shard = ms_engine_windows_open_processor_shard,
		.close_shard = ms_engine_windows_close_processor_shard,
		.measure = ms_coherence_measure_engine,
		.measure_shard = ms_coherence_measure_shard,
		.add_block = ms_coherence_add_block,
		.filter = ms_engine_windows_filter_processors,
		.reset_filter = ms_coherence_reset_filters,
		.distribute = ms_coherence_hand_over_batch,
		.flush_references = ms_coherence_flush_references,
		.change_map = ignore_map_change,
		.simulate = ms_coherence_simulate_windows,
		.finish = ms_coherence_finish_batch,
		.finish_counts = ms_engine_windows_finish_steps,
	},
	/* One processor with LRU write-back levels, in windows or with sampled sets. */
	{
		.fits = has_windows,
		.has_timing = true,
		.follows_calls = true,
		.is_undivided = true,
		.has_windows = true,
		.threads = &one_processor_threads,
		.counts = &one_processor_counts,
		.open = ms_engine_windows_open,
		.close = ms_engine_windows_close,
		.open_shard = ms_engine_windows_open_shard,
		.close_shard = ms_engine_windows_close_shard,
		.measure = ms_engine_windows_measure,
		.measure_shard = ms_caches_measure_levels,
		.add_block = ms_filter_add_block,
		.filter = ms_engine_windows_filter_executions,
		.reset_filter = ms_filter_reset,
		.distribute = ms_engine_windows_distribute_batch,
		.flush_references = ms_engine_windows_flush_references,
		.change_map = ignore_map_change,
		.simulate = ms_engine_windows_simulate_batch,
		.finish = ms_count_finish_splits,
		.finish_counts = ms_engine_windows_finish_steps,
	},
	/* Several processors with coherent caches of any policy. */
	{
		.fits = has_processors,
		.follows_calls = true,
		.observes_lines = true,
		.has_processors = true,
		.has_timing = true,
		.filters_anywhere = true,
		.threads = &processor_threads,
		.counts = &processor_counts,
		.open = ms_coherence_open_engine,
		.close = ms_coherence_close_engine,
		.open_shard = ms_coherence_open_shard,
		.close_shard = ms_coherence_close_shard,
		.measure = ms_coherence_measure_engine,
		.measure_shard = ms_coherence_measure_shard,
		.add_block = ms_coherence_add_block,
		.filter = ms_coherence_filter_executions,
		.reset_filter = ms_coherence_reset_filters,
		.distribute = ms_coherence_hand_over_batch,
		.flush_references = ms_coherence_flush_references,
		.change_map = ignore_map_change,
		.simulate = ms_coherence_simulate_batch,
		.finish = ms_coherence_finish_batch,
		.finish_counts = do_nothing,
	},
	/* One processor with levels of any policy. */
	{
		.fits = has_other_policies,
		.has_timing = true,
		.follows_calls = true,
		.observes_lines = true,
		.threads = &one_processor_threads,
		.counts = &one_processor_counts,
		.open = open_none,
		.close = do_nothing,
		.open_shard = ms_caches_open_configurable_shard,
		.close_shard = ms_caches_close_configurable_shard,
		.measure = measure_none,
		.measure_shard = ms_caches_measure_configurable_shard,
		.add_block = ms_filter_add_block,
		.filter = ms_filter_process_executions,
		.reset_filter = ms_filter_reset,
		.distribute = ms_filter_distribute_batch,
		.flush_references = ms_filter_flush_references,
		.change_map = ignore_map_change,
		.simulate = ms_caches_simulate_configurable,
		.finish = ms_count_finish_splits,
		.finish_counts = do_nothing,
	},
	/* One processor with LRU write-back levels. */
	{
		.fits = has_any_setup,
		.has_timing = true,
		.follows_calls = true,
		.observes_lines = true,
		.divides_replacements = true,
		.threads = &one_processor_threads,
		.counts = &one_processor_counts,
		.open = open_none,
		.close = do_nothing,
		.open_shard = ms_caches_open_levels,
		.close_shard = ms_caches_close_levels,
		.measure = measure_none,
		.measure_shard = ms_caches_measure_levels,
		.add_block = ms_filter_add_block,
		.filter = ms_filter_process_executions,
		.reset_filter = ms_filter_reset,
		.distribute = ms_filter_distribute_batch,
		.flush_references = ms_filter_flush_references,
		.change_map = ignore_map_change,
		.simulate = ms_caches_simulate_lru,
		.finish = ms_count_finish_splits,
		.finish_counts = do_nothing,
	},
};

const struct ms_engine_variant *ms_engine_choose_variant(const struct ms_engine_setup *setup)
{
	const struct ms_engine_variant *variant = variants;

	while (!variant->fits(setup))
		variant++;
	return variant;
}
