/*
 * A worker of two threads: one filters chunks, the other simulates them, in order and to the end,
 * also if both are stopped now and then. The engine counts the same as with one thread.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collect/pipeline.h"
#include "engine/engine.h"
#include "wire/wire.h"

/* --- the pipeline alone --- */

struct play {
	struct ms_collect_pipeline pipeline;
	struct ms_collect_quiesce still;
	uint32_t first;  /* chunk: numbers wrap around */
	uint32_t chunks; /* that are filtered */
	uint32_t written[MS_COLLECT_PIPELINE_CHUNKS];
	uint32_t seen; /* chunks that were simulated */
	uint32_t wrong;
};

static void *filter_chunks(void *arg)
{
	struct play *play = arg;

	ms_collect_quiesce_resume(&play->still);
	for (uint32_t k = play->first; k != play->first + play->chunks; k++) {
		ms_collect_pipeline_wait_for_room(&play->pipeline, &play->still, k);
		play->written[ms_collect_pipeline_batch(k)] = k ^ 0x5555;
		ms_collect_pipeline_filtered(&play->pipeline, k);
	}
	ms_collect_pipeline_end(&play->pipeline);
	ms_collect_quiesce_rest(&play->still);
	return NULL;
}

static void *simulate_chunks(void *arg)
{
	struct play *play = arg;

	ms_collect_quiesce_resume(&play->still);
	for (uint32_t k = play->first; ms_collect_pipeline_wait(&play->pipeline, &play->still, k);
	     k++) {
		play->wrong += play->written[ms_collect_pipeline_batch(k)] != (k ^ 0x5555);
		play->seen++;
		ms_collect_pipeline_simulated(&play->pipeline, k);
	}
	ms_collect_quiesce_rest(&play->still);
	return NULL;
}

/* looks: how often both have to be at rest; then nothing is half done. */
static void run_play(uint32_t first, uint32_t chunks, unsigned looks)
{
	struct play play = { .first = first, .chunks = chunks };
	pthread_t filtering, simulating;

	play.pipeline.filtered.number = play.pipeline.simulated.number = first;
	ms_collect_quiesce_open(&play.still);
	assert_int_equal(pthread_create(&simulating, NULL, simulate_chunks, &play), 0);
	assert_int_equal(pthread_create(&filtering, NULL, filter_chunks, &play), 0);
	for (unsigned i = 0; i < looks; i++) {
		ms_collect_quiesce_begin(&play.still);
		assert_int_equal(play.pipeline.simulated.number, first + play.seen);
		assert_in_range(play.pipeline.filtered.number - play.pipeline.simulated.number, 0,
				MS_COLLECT_PIPELINE_CHUNKS);
		ms_collect_quiesce_end(&play.still);
	}
	assert_int_equal(pthread_join(filtering, NULL), 0);
	assert_int_equal(pthread_join(simulating, NULL), 0);
	assert_int_equal(play.seen, chunks);
	assert_int_equal(play.wrong, 0);
	ms_collect_quiesce_close(&play.still);
}

static void all_chunks_are_simulated(void **state)
{
	(void)state;
	for (uint32_t chunks = 0; chunks < 3 * MS_COLLECT_PIPELINE_CHUNKS; chunks++)
		run_play(0, chunks, 0);
	run_play(0, 20000, 0);
	run_play(UINT32_MAX - 999, 2000, 0);
}

static void workers_quiesce(void **state)
{
	(void)state;
	run_play(0, 20000, 200);
}

/* --- the engine --- */

enum {
	LINE = 64,
	BASE = 0x100000,
	OBJECTS = 24,
	OBJECT = 5 * LINE,
	CHUNKS = 600,
	EXECUTIONS = 40,
	REFS = 3,
	PHASES = 4,
	THREADS = 9,
	DATA = 7,
	UNMAPPED = 100,
	FREED = 101,
};

static const struct ms_engine_block_ref refs[REFS] = { { 0, 8, MS_WIRE_READ, 0 },
						       { 1, 16, MS_WIRE_WRITE, 0 },
						       { 2, 4, MS_WIRE_MODIFY, 0 } };
static const uint16_t exit_refs[] = { 1, REFS };
static const struct ms_engine_block block = { REFS, 2,    refs, NULL, exit_refs, NULL,
					      1,    NULL, 0,    0,    NULL };

struct simulation {
	struct ms_collect_pipeline pipeline;
	struct ms_collect_quiesce still;
	struct ms_engine *engine;
	struct ms_engine_shard *shard;
	uint32_t processors;
	uint64_t random;
};

static uint32_t any(struct simulation *s, uint32_t below)
{
	s->random = s->random * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)(s->random >> 33) % below;
}

/* Objects come, go, and change whose they are; phases begin. */
static void happen(struct simulation *s)
{
	struct ms_engine_range was;
	uint64_t start = BASE + any(s, OBJECTS) * OBJECT;

	ms_engine_free_object(s->shard, start, &was);
	if (any(s, 4) != 0)
		ms_engine_add_object(s->shard, start, OBJECT - any(s, LINE), any(s, DATA));
	if (any(s, 50) == 0)
		ms_engine_begin_phase(s->shard, any(s, PHASES));
	if (s->processors == 1)
		return;
	uint32_t thread = any(s, THREADS);
	ms_engine_set_processor(s->shard, thread % s->processors, thread);
	ms_engine_set_busy_processors(s->shard, 1 + any(s, s->processors));
	if (any(s, 20) == 0)
		ms_engine_set_placement(s->shard, start, start + OBJECT, MS_PLACEMENT_INTERLEAVED,
					0);
}

static void filter_chunk(struct simulation *s)
{
	for (unsigned i = 0; i < EXECUTIONS; i++) {
		uint32_t exit = any(s, 2), n = exit_refs[exit];
		uint64_t words[1 + REFS] = { ms_wire_head(MS_WIRE_EXEC, 1 + n, exit) };

		for (uint32_t r = 0; r < n; r++)
			words[1 + r] = BASE + any(s, OBJECTS * OBJECT);
		assert_int_equal(ms_engine_filter_executions(s->shard, words, 1 + n), 1 + n);
		if (any(s, 5) == 0)
			happen(s);
	}
	ms_engine_update_progress(s->shard);
}

static void settle_chunk(struct simulation *s, unsigned slot)
{
	ms_engine_simulate_batch(s->shard, slot);
	ms_engine_finish_batch(s->engine, slot);
}

static void *settle_chunks(void *arg)
{
	struct simulation *s = arg;

	ms_collect_quiesce_resume(&s->still);
	for (uint32_t k = 0; ms_collect_pipeline_wait(&s->pipeline, &s->still, k); k++) {
		settle_chunk(s, ms_collect_pipeline_batch(k));
		ms_collect_pipeline_simulated(&s->pipeline, k);
	}
	ms_collect_quiesce_rest(&s->still);
	return NULL;
}

static void open_simulation(struct simulation *s, const struct ms_machine *machine,
			    bool misses_only)
{
	const struct ms_engine_fallback_data special = { UNMAPPED, FREED, 0 };

	memset(s, 0, sizeof(*s));
	s->engine = ms_engine_open(machine, 1, MS_COLLECT_PIPELINE_CHUNKS, &special);
	if (misses_only)
		ms_engine_skip_hits(s->engine, DATA);
	s->shard = ms_engine_get_shard(s->engine, 0);
	s->processors = machine->processors;
	s->random = 1;
	ms_engine_add_block(s->shard, &block);
	ms_collect_quiesce_open(&s->still);
}

static void close_simulation(struct simulation *s)
{
	ms_engine_close(s->engine);
	ms_collect_quiesce_close(&s->still);
}

static void simulate(struct simulation *s)
{
	for (uint32_t k = 0; k < CHUNKS; k++) {
		filter_chunk(s);
		ms_engine_distribute_batch(s->shard, 0);
		settle_chunk(s, 0);
	}
}

static void simulate_in_halves(struct simulation *s)
{
	struct ms_engine_progress progress;
	pthread_t simulating;

	assert_int_equal(pthread_create(&simulating, NULL, settle_chunks, s), 0);
	ms_collect_quiesce_resume(&s->still);
	for (uint32_t k = 0; k < CHUNKS; k++) {
		ms_collect_pipeline_wait_for_room(&s->pipeline, &s->still, k);
		filter_chunk(s);
		ms_engine_distribute_batch(s->shard, ms_collect_pipeline_batch(k));
		ms_collect_pipeline_filtered(&s->pipeline, k);
		ms_engine_read_progress(s->engine, &progress);
	}
	ms_collect_pipeline_end(&s->pipeline);
	ms_collect_quiesce_rest(&s->still);
	assert_int_equal(pthread_join(simulating, NULL), 0);
}

static void compare_pairs(const struct ms_engine_total_pair *a,
			  const struct ms_engine_total_pair *b, size_t n)
{
	assert_true(n > 0);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(a[i].cell, b[i].cell);
		assert_int_equal(a[i].level, b[i].level);
		assert_int_equal(a[i].other, b[i].other);
		assert_int_equal(a[i].count, b[i].count);
	}
}

static void compare_cells(const struct ms_engine_totals *a, const struct ms_engine_totals *b)
{
	assert_int_equal(a->cells.n, b->cells.n);
	assert_int_equal(a->misses.n, b->misses.n);
	for (size_t i = 0; i < a->cells.n; i++) {
		assert_int_equal(a->cells.at[i].site, b->cells.at[i].site);
		assert_int_equal(a->cells.at[i].data, b->cells.at[i].data);
		assert_int_equal(a->cells.at[i].references, b->cells.at[i].references);
	}
	for (size_t i = 0; i < a->misses.n; i++) {
		assert_int_equal(a->misses.at[i].cell, b->misses.at[i].cell);
		assert_int_equal(a->misses.at[i].level, b->misses.at[i].level);
		assert_memory_equal(a->misses.at[i].causes, b->misses.at[i].causes,
				    sizeof(a->misses.at[i].causes));
		assert_int_equal(a->misses.at[i].falsely, b->misses.at[i].falsely);
		assert_int_equal(a->misses.at[i].remote, b->misses.at[i].remote);
	}
}

static void compare_stays(const struct ms_engine_totals *a, const struct ms_engine_totals *b)
{
	assert_int_equal(a->steps, b->steps);
	assert_int_equal(a->occupancy.n, b->occupancy.n);
	assert_int_equal(a->stays.n, b->stays.n);
	for (size_t i = 0; i < a->occupancy.n; i++) {
		assert_int_equal(a->occupancy.at[i].peak, b->occupancy.at[i].peak);
		assert_int_equal(a->occupancy.at[i].sum, b->occupancy.at[i].sum);
	}
	for (size_t i = 0; i < a->stays.n; i++)
		assert_int_equal(a->stays.at[i].came, b->stays.at[i].came);
}

static void compare_threads(const struct ms_engine_totals *a, const struct ms_engine_totals *b)
{
	assert_int_equal(a->sharing.n, b->sharing.n);
	assert_int_equal(a->threads.n, b->threads.n);
	assert_int_equal(a->thread_misses.n, b->thread_misses.n);
	for (size_t i = 0; i < a->sharing.n; i++) {
		assert_int_equal(a->sharing.at[i].truly, b->sharing.at[i].truly);
		assert_int_equal(a->sharing.at[i].falsely, b->sharing.at[i].falsely);
	}
	for (size_t i = 0; i < a->threads.n; i++) {
		assert_int_equal(a->threads.at[i].thread, b->threads.at[i].thread);
		assert_int_equal(a->threads.at[i].references, b->threads.at[i].references);
	}
	for (size_t i = 0; i < a->thread_misses.n; i++) {
		assert_int_equal(a->thread_misses.at[i].misses, b->thread_misses.at[i].misses);
		assert_int_equal(a->thread_misses.at[i].remote, b->thread_misses.at[i].remote);
	}
}

static void compare_phases(struct ms_engine *a, struct ms_engine *b)
{
	uint64_t references[2], misses[2][2];

	for (uint32_t phase = 0; phase < PHASES; phase++) {
		ms_engine_get_phase(a, phase, &references[0], misses[0]);
		ms_engine_get_phase(b, phase, &references[1], misses[1]);
		assert_true(references[0] > 0 && misses[0][0] > 0 && misses[0][1] > 0);
		assert_int_equal(references[0], references[1]);
		assert_memory_equal(misses[0], misses[1], sizeof(misses[0]));
	}
}

static void compare(struct simulation *one, struct simulation *other)
{
	struct ms_engine_totals a, b;

	ms_engine_compute_totals(one->engine, &a);
	ms_engine_compute_totals(other->engine, &b);
	compare_cells(&a, &b);
	assert_int_equal(a.replaced.n, b.replaced.n);
	compare_pairs(a.replaced.at, b.replaced.at, a.replaced.n);
	assert_int_equal(a.evictions.n, b.evictions.n);
	compare_pairs(a.evictions.at, b.evictions.at, a.evictions.n);
	compare_stays(&a, &b);
	compare_threads(&a, &b);
	assert_int_equal(a.threads.n > 0, one->processors > 1);
	compare_phases(one->engine, other->engine);
	ms_engine_free_totals(&a);
	ms_engine_free_totals(&b);
}

static void make_machine(struct ms_machine *machine, uint32_t processors)
{
	struct ms_err err;

	ms_machine_start(machine);
	assert_int_equal(ms_machine_set_level(machine, "l1", "512,2,64", &err), MS_OK);
	assert_int_equal(ms_machine_set_level(machine, "ll", "2K,4,64", &err), MS_OK);
	assert_int_equal(ms_machine_set_processors(machine, processors, &err), MS_OK);
	if (processors == 1)
		return;
	machine->nodes = 2;
	machine->node_processors = processors / 2;
}

static void compare_both(struct ms_machine *machine, bool misses_only)
{
	struct simulation one, other;

	open_simulation(&one, machine, misses_only);
	open_simulation(&other, machine, misses_only);
	simulate(&one);
	simulate_in_halves(&other);
	compare(&one, &other);
	close_simulation(&one);
	close_simulation(&other);
	ms_machine_free(machine);
}

static void counts_the_same(void **state)
{
	struct ms_machine machine;

	(void)state;
	make_machine(&machine, 1);
	compare_both(&machine, false);
	make_machine(&machine, 1);
	compare_both(&machine, true);
}

/* Such machines have an implementation of their own: configurable_caches.c. */
static void counts_the_same_of_configurable_caches(void **state)
{
	struct ms_machine machine;

	(void)state;
	make_machine(&machine, 1);
	machine.levels.at[0].replacement = MS_REPLACEMENT_TREE_PLRU;
	compare_both(&machine, false);
}

/* And others: time_slice_simulation.c, or line by line. */
static void counts_the_same_of_processors(void **state)
{
	struct ms_machine machine;

	(void)state;
	make_machine(&machine, 4);
	compare_both(&machine, false);
	make_machine(&machine, 4);
	machine.levels.at[0].write = MS_WRITE_THROUGH;
	compare_both(&machine, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_chunks_are_simulated),
		cmocka_unit_test(workers_quiesce),
		cmocka_unit_test(counts_the_same),
		cmocka_unit_test(counts_the_same_of_configurable_caches),
		cmocka_unit_test(counts_the_same_of_processors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
