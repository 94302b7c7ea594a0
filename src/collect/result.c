/* collect/result.c - makes a run of what a collection has counted so far. */
#include "collect/collect_priv.h"
#include "collect/polling.h"

static uint64_t most_cells(const struct ms_collect_bin_limits *limits)
{
	uint64_t pairs = limits->pairs > 0 ? limits->pairs : MS_ENGINE_MAX_PAIRS;

	return limits->exact ? UINT64_MAX : pairs / 2;
}

/* A forked copy has its own counters now: the collector may continue. */
static void release(void *collector)
{
	ms_collect_checkpoint_release(collector);
}

static struct ms_name_source source_of(struct ms_collect_state *c, size_t machine)
{
	const struct ms_collect_setup *setup = &c->setup;
	const struct ms_machine *simulated = ms_collect_simulated_machine(c, machine);
	size_t first_pmu = machine * setup->pmu_count;

	return (struct ms_name_source){
		.binder = c->binding.binder,
		.program = &c->program,
		.most_cells = most_cells(&setup->limits),
		.engine = c->sim.engines[machine],
		.machine = simulated,
		.processors = ms_collect_simulated_machine(c, 0)->processors,
		.clocks = simulated->processors > 1 ? c->sim.clocks[machine] : NULL,
		.pmus = setup->pmus != NULL ? setup->pmus + first_pmu : NULL,
		.pmu_engines = c->sim.engines + setup->machine_count + first_pmu,
		.pmu_count = setup->pmu_count,
		.sampling = setup->sampling,
		.windows = &c->windows,
		.copied = release,
		.copied_arg = c,
		.counted = setup->counted,
		.counted_arg = setup->counted_arg,
	};
}

/* Samples add cells to the run, so its counts are not final before them. */
static bool is_joined(const struct ms_collect_state *c)
{
	return c->hardware == &c->between && ms_hardware_samples(c->hardware) > 0;
}

static void join_samples(struct ms_collect_state *c, struct ms_name_state *naming)
{
	const struct ms_estimate_covered covered =
		ms_estimate_covered(&c->windows, c->setup.sampling->head != 0, naming->scale.total);

	ms_hardware_join_rows(c->hardware, naming, &covered);
}

void ms_collect_result(struct ms_collect_state *c, size_t machine, struct ms_run *run)
{
	ms_collect_describe_processors(c, run);
	struct ms_name_source source = source_of(c, machine);
	struct ms_name_state naming;

	ms_collect_polling_report(c);
	if (is_joined(c))
		source.counted = NULL;
	ms_name_open(&naming, &source, run);
	if (ms_collect_is_measured(c)) {
		ms_collect_checkpoint_release(c);
		ms_hardware_add_rows(c->hardware, &naming);
	} else {
		ms_name_add_simulated(&naming);
		if (is_joined(c))
			join_samples(c, &naming);
	}
	ms_name_finish(&naming);
}
