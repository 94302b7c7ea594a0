/* collect/collector.c - what a live run and a replayed trace have in common. */

#include "base/mem.h"
#include "base/processors.h"
#include "base/seconds.h"
#include "collect/collect_priv.h"
#include "collect/polling.h"
#include "engine/simulated_pmu/pmu.h"
#include "schedule/merge.h"

static unsigned processors_here(void)
{
	return ms_launch_has_room() ? ms_processors_allowed() : 1;
}

/* The program needs a processor too; on three, one worker in two halves does better than two. */
static unsigned default_workers(unsigned here)
{
	return here <= 3 ? 1 : here > 4 ? 4 : 3;
}

/*
 * Chooses the workers for this machine. Where there is room for one worker only, two threads share
 * its work, unless the simulation decides where the next windows are, or a monitor's handler runs
 * between references.
 */
static void choose_workers(struct ms_collect_state *c)
{
	unsigned here = processors_here();

	c->pool.count = default_workers(here);
	c->pool.halved =
		c->pool.count == 1 && here > 1 && c->setup.pmu_count == 0 &&
		(c->setup.sampling == NULL || !ms_stream_sampling_is_planned(c->setup.sampling));
}

const struct ms_machine *ms_collect_machine_of(const struct ms_collect_state *c, size_t engine)
{
	if (engine < c->setup.machine_count)
		return c->setup.machines[engine];
	return c->setup.machines[(engine - c->setup.machine_count) / c->setup.pmu_count];
}

/* By group; NULL: all are. */
static uint8_t *seen_groups(const struct ms_stream_sampling *sampling)
{
	const struct ms_stream_sampler_sets *sets = &sampling->sets;
	uint8_t *groups = sets->every > 1 ? ms_alloc(sets->mask + 1) : NULL;

	for (uint64_t i = 0; groups != NULL && i <= sets->mask; i++)
		groups[i] = ms_stream_sampler_keeps(sampling, i << sets->shift);
	return groups;
}

static struct ms_engine *open_engine(const struct ms_collect_state *c, size_t i)
{
	const struct ms_engine_fallback_data special = { MS_BOUND_UNMAPPED, MS_BOUND_FREED,
							 MS_BOUND_STACK };
	const struct ms_machine *machine = ms_collect_machine_of(c, i);
	unsigned slots = ms_collect_most_chunks(c);

	if (c->setup.sampling != NULL) {
		const struct ms_stream_sampler_sets *sets = &c->setup.sampling->sets;
		uint8_t *groups = seen_groups(c->setup.sampling);
		struct ms_engine_windows_sets seen = { sets->shift, sets->mask, sets->every, groups,
						       c->setup.sampling->ratio < 1 };

		struct ms_estimate_parts parts = ms_estimate_find_parts(c->setup.sampling, 0);
		struct ms_engine *engine = ms_engine_windows_open_engine(machine, c->pool.count,
									 slots, &special, &seen);

		ms_free(groups);
		for (unsigned k = 0; k < c->pool.count; k++)
			ms_engine_windows_set_stratum(ms_engine_get_shard(engine, k), parts.first,
						      parts.n);
		return engine;
	}
	if (i < c->setup.machine_count) {
		struct ms_engine *engine = ms_engine_open(machine, c->pool.count, slots, &special);

		if (c->setup.misses_only)
			ms_engine_skip_hits(engine, MS_BOUND_HITS);
		ms_engine_select_lines(engine, c->setup.line_rate);
		return engine;
	}
	struct ms_pmu_config pmu = c->setup.pmus[i - c->setup.machine_count];
	pmu.data = MS_BOUND_MONITOR;
	return ms_pmu_open_engine(machine, c->pool.count, slots, &special, &pmu);
}

static void limit_pairs(const struct ms_collect_state *c, struct ms_engine *engine)
{
	struct ms_engine_pair_limit limit = { .pairs = c->setup.limits.pairs > 0
							       ? c->setup.limits.pairs
							       : MS_ENGINE_MAX_PAIRS,
					      .other_data = MS_BOUND_OTHERS };

	ms_engine_limit_pairs(engine, &limit);
}

static enum ms_engine_division choose_division(const struct ms_collect_state *c)
{
	if (c->setup.limits.exact_causes)
		return MS_ENGINE_DIVIDED_EXACTLY;
	if (c->setup.limits.conflicts)
		return MS_ENGINE_DIVIDED_BY_BOUNDS;
	return c->setup.line_rate == MS_ENGINE_SELECT_NO_LINES ||
			       c->setup.line_rate == MS_ENGINE_SELECT_WATCHED_LINES
		       ? MS_ENGINE_UNDIVIDED
		       : MS_ENGINE_DIVIDED_BY_ESTIMATES;
}

void ms_collect_open_engines(struct ms_collect_state *c)
{
	c->pool.filtering = c->pool.count;
	c->sim.engine_count = c->setup.machine_count * (1 + c->setup.pmu_count);
	c->sim.engines = ms_alloc(c->sim.engine_count * sizeof(*c->sim.engines));
	for (size_t i = 0; i < c->sim.engine_count; i++) {
		c->sim.engines[i] = open_engine(c, i);
		if (!c->setup.limits.exact)
			limit_pairs(c, c->sim.engines[i]);
		ms_engine_divide_replacements(c->sim.engines[i], ms_collect_machine_of(c, i),
					      choose_division(c));
		if (c->setup.limits.call_paths)
			ms_engine_follow_calls(c->sim.engines[i],
					       (uint32_t)c->setup.limits.contexts);
		if (ms_engine_count_filtering_shards(c->sim.engines[i]) < c->pool.filtering)
			c->pool.filtering = ms_engine_count_filtering_shards(c->sim.engines[i]);
	}
}

void ms_collect_close_engines(struct ms_collect_state *c)
{
	for (size_t i = 0; i < c->sim.engine_count; i++)
		ms_engine_close(c->sim.engines[i]);
	ms_free(c->sim.engines);
}

/*
 * The size of the ring for a program that is sampled in windows. The ring has room for one or two
 * whole windows, so that the program does not wait for memspy inside a window. Between windows
 * memspy catches up; where windows are rare, room for the longest one is enough. A larger ring
 * would cost time: the program touches each page, and the kernel clears it.
 */
static uint32_t chunk_count(const struct ms_stream_sampling *sampling)
{
	enum { CHUNK_WORDS = 64 * 1024 / 8, LEAST = 16, MOST = 512, RARE = 32 };
	uint32_t chunks = LEAST, windows = 3;

	if (sampling == NULL || sampling->ratio >= 1)
		return 0;
	if (sampling->ratio * RARE <= 1)
		windows = 2;
	while (chunks < MOST && chunks * (uint64_t)CHUNK_WORDS < windows * sampling->window)
		chunks *= 2;
	return chunks;
}

struct ms_collect_setup ms_collect_make_setup(const struct ms_collect_options *options)
{
	return (struct ms_collect_setup){ .machines = &options->launch.machine,
					  .machine_count = 1,
					  .several = options->launch.several,
					  .seed = options->launch.seed,
					  .why_one = options->launch.why_one,
					  .pmus = options->pmus,
					  .pmu_count = options->pmu_count,
					  .cpus = &options->launch.cpus,
					  .sampling = options->launch.sampling,
					  .misses_only = options->misses_only,
					  .line_rate = options->line_rate,
					  .attached = options->launch.attach != 0,
					  .limits = options->limits };
}

/* Only the timing model of out-of-order cores follows registers. */
static bool uses_operands(const struct ms_collect_state *c)
{
	for (size_t i = 0; i < c->setup.machine_count; i++)
		if (c->setup.machines[i]->core.out_of_order == MS_CORE_OUT_OF_ORDER)
			return true;
	return false;
}

/* The program runs natively between the windows of its simulation: a timer may take samples there.
 */
static void open_samples(struct ms_collect_state *c)
{
	static const struct ms_hardware_options options = {
		.source = MS_RUN_TIMER, .overhead = MS_LAUNCH_NATIVE_SAMPLES_OVERHEAD
	};

	if (c->hardware == NULL && c->setup.sampling != NULL && c->setup.sampling->ratio < 1) {
		ms_hardware_open(&c->between, &options);
		c->hardware = &c->between;
	}
	if (c->hardware != NULL)
		c->hardware->memory =
			(struct ms_hardware_memory){ c->binding.binder,
						     ms_engine_get_shard(c->sim.engines[0], 0),
						     &c->program, &c->ring };
}

int ms_collect_open(struct ms_collect_state *c, uint32_t chunk_bytes, unsigned workers, bool trace,
		    struct ms_err *err)
{
	c->pool.count = workers;
	if (workers == 0)
		choose_workers(c);
	MS_TRY(ms_stream_ring_open(&c->ring, chunk_bytes, chunk_count(c->setup.sampling),
				   c->pool.count + trace, err));
	ms_collect_open_engines(c);
	c->sim.clocks = ms_alloc(c->sim.engine_count * sizeof(*c->sim.clocks));
	for (size_t i = 0; i < c->setup.machine_count; i++)
		c->sim.clocks[i] = c->setup.machines[i]->processors > 1 || c->setup.several != NULL
					   ? ms_name_clocks_open()
					   : NULL;
	c->binding.binder = ms_bins_open();
	if (c->setup.limits.exact)
		ms_bins_limit_paths(c->binding.binder, UINT32_MAX);
	else if (c->setup.limits.paths > 0)
		ms_bins_limit_paths(c->binding.binder, (uint32_t)c->setup.limits.paths);
	if (!uses_operands(c))
		ms_bins_omit_operands(c->binding.binder);
	*ms_vec_add(&c->program.phases) = (struct ms_name_phase){ "<start>", 1 };
	open_samples(c);
	pthread_mutex_init(&c->binding.lock, NULL);
	ms_collect_quiesce_open(&c->pool.quiesce);
	return MS_OK;
}

void ms_collect_close(struct ms_collect_state *c)
{
	ms_collect_close_engines(c);
	for (size_t i = 0; i < c->setup.machine_count; i++)
		ms_name_clocks_close(c->sim.clocks[i]);
	ms_free(c->sim.clocks);
	ms_stream_ring_close(&c->ring);
	if (c->hardware == &c->between)
		ms_hardware_close(&c->between);
	ms_bins_close(c->binding.binder);
	ms_pages_free(c->binding.events, c->binding.event_room * sizeof(*c->binding.events));
	ms_arena_free(&c->binding.arena);
	ms_map_free(&c->binding.stack_of);
	ms_vec_free(&c->binding.stacks);
	ms_vec_free(&c->program.stats);
	ms_vec_free(&c->program.phases);
	ms_estimate_free_windows(&c->windows);
	ms_vec_free(&c->program.spin_loops);
	ms_vec_free(&c->program.polling);
	ms_collect_polling_close(c);
	ms_name_splits_close(c->splits.known);
	ms_names_free(&c->program.phase_names);
	pthread_mutex_destroy(&c->binding.lock);
	ms_collect_quiesce_close(&c->pool.quiesce);
}

/* The assignment of threads to processors, if it is the same on all machines. */
static struct ms_schedule_merge_processors merged_processors(struct ms_collect_state *c)
{
	struct ms_schedule_merge_processors p = {
		.count = c->setup.machines[0]->processors,
		.map = c->setup.cpus->map.at,
		.n = (uint32_t)c->setup.cpus->map.n,
		.executed_in_order = c->setup.sampling == NULL,
		.seed = c->setup.seed,
	};

	if (c->setup.several != NULL) {
		p.count = c->setup.several->processors;
		p.first_merged = &c->sim.first_merged;
	}
	for (size_t i = 1; i < c->setup.machine_count; i++)
		if (c->setup.machines[i]->processors != p.count)
			p.count = 0;
	if (c->setup.cpus->affinity)
		p.count = 0;
	return p;
}

int ms_collect_start_merger(struct ms_collect_state *c, struct ms_schedule_merger **merger,
			    struct ms_err *err)
{
	const struct ms_schedule_merge_processors processors = merged_processors(c);

	return ms_schedule_merge_start(
		merger, &c->ring, c->setup.machines[0]->processors > 1 || c->setup.several != NULL,
		&processors, err);
}

void ms_collect_keep_events(struct ms_collect_state *c, uint64_t room)
{
	c->binding.event_room = room;
	c->binding.events = ms_pages_alloc(room * sizeof(*c->binding.events));
}

const char *ms_collect_utc(struct ms_arena *arena)
{
	char text[MS_SECONDS_UTC_TEXT];

	ms_seconds_format_utc(time(NULL), text);
	return ms_arena_strdup(arena, text);
}

void ms_collect_level(const struct ms_machine_level *level, struct ms_run_level *kept)
{
	*kept = (struct ms_run_level){
		.name = level->name,
		.size = level->size,
		.ways = level->ways,
		.line = level->line,
		.latency = level->latency,
		.processors = level->processors,
		.traits = {
			[MS_TRAIT_REPLACEMENT] = level->replacement,
			[MS_TRAIT_WRITE] = level->write,
			[MS_TRAIT_WRITE_MISS] = level->write_miss,
			[MS_TRAIT_CONTENTS] = level->contents,
		},
		.prefetch = level->prefetch,
	};
}

static const uint32_t placements[] = {
	[MS_PLACEMENT_FIRST_TOUCH] = MS_RUN_FIRST_TOUCH,
	[MS_PLACEMENT_INTERLEAVED] = MS_RUN_INTERLEAVED,
	[MS_PLACEMENT_NODE] = MS_RUN_FIXED,
};

/* Runs with one processor omit what matters only among several. */
void ms_collect_set_processors(const struct ms_machine *machine, struct ms_run *run)
{
	run->processors = machine->processors;
	run->nodes = 1;
	if (machine->processors == 1)
		return;
	run->nodes = machine->nodes > 0 ? machine->nodes : 1;
	run->node_processors = machine->node_processors;
	run->protocol = machine->protocol;
	run->placement = placements[machine->placement];
	run->peer_latency = machine->peer_latency;
	run->remote_latency = machine->remote_latency;
}

void ms_collect_describe_run(const struct ms_collect_state *c, const struct ms_machine *machine,
			     const char *frontend, const char *const *argv, struct ms_run *run)
{
	run->started = ms_collect_utc(&run->arena);
	run->program = ms_arena_strdup(&run->arena, argv[0] != NULL ? argv[0] : "?");
	for (const char *const *arg = argv; *arg != NULL; arg++)
		*ms_vec_add(&run->argv) = ms_arena_strdup(&run->arena, *arg);
	run->frontend = ms_arena_strdup(&run->arena, frontend);
	run->memspy = MS_VERSION;
	run->machine = ms_arena_strdup(&run->arena, machine->name);
	run->machine_origin = ms_arena_strdup(&run->arena, machine->origin);
	run->memory_latency = machine->memory_latency;
	ms_collect_set_processors(machine, run);
	run->workers = c->pool.count + c->pool.halved;
	run->misses_only = c->setup.misses_only;
	for (size_t i = 0; i < machine->levels.n; i++) {
		struct ms_run_level level;

		ms_collect_level(&machine->levels.at[i], &level);
		level.name = ms_arena_strdup(&run->arena, level.name);
		*ms_vec_add(&run->levels) = level;
	}
}

void ms_collect_report_progress(const struct ms_collect_state *c, double started)
{
	struct ms_engine_progress engine;
	struct ms_collect_progress progress;

	if (c->setup.progress == NULL)
		return;
	ms_engine_read_progress(c->sim.engines[0], &engine);
	progress = (struct ms_collect_progress){ .seconds = ms_seconds_now() - started,
						 .references = engine.references,
						 .misses = engine.misses };
	if (ms_collect_is_measured(c))
		progress.references = ms_hardware_samples(c->hardware);
	c->setup.progress(&progress, c->setup.progress_arg);
}
