/*
 * tests/unit/engine/small_machine.h - for tests of windows: a small machine, and an engine that
 * gets one reference per execution, to lines that are a data structure each.
 */
#ifndef MS_TESTS_ENGINE_SMALL_MACHINE_H
#define MS_TESTS_ENGINE_SMALL_MACHINE_H

#include <string.h>

#include "engine/windows/windows.h"
#include "wire/wire.h"

enum { LINE = 64, BASE = 0x100000, UNMAPPED = 100, FREED = 101, DATA = 26 };

struct shape {
	uint32_t ways, sets, processors;
};

/* The levels end at the first without ways, or at `most`. */
static void make_machine(struct ms_machine *machine, const struct shape *shapes, unsigned most,
			 uint32_t processors)
{
	memset(machine, 0, sizeof(*machine));
	machine->name = "case";
	machine->processors = processors;
	machine->memory_latency = 20;
	for (unsigned i = 0; i < most && shapes[i].ways > 0; i++)
		*ms_vec_add(&machine->levels) = (struct ms_machine_level){
			.name = i == 0 ? "L1" : "L2",
			.ways = shapes[i].ways,
			.line = LINE,
			.size = (uint64_t)shapes[i].ways * shapes[i].sets * LINE,
			.processors = shapes[i].processors,
			.latency = i * 10,
		};
}

/* Block 0 reads, at site 0; block 1 writes, at site 1. */
struct fed {
	struct ms_engine *engine;
	unsigned shards;
	uint16_t exit_refs, exit_instructions;
	struct ms_engine_block_ref ref[2];
	struct ms_engine_block block[2];
	uint32_t batches;
};

static void open_fed(struct fed *fed, const struct ms_machine *machine, bool sampled,
		     unsigned shards)
{
	const struct ms_engine_fallback_data special = { UNMAPPED, FREED, 0 };

	memset(fed, 0, sizeof(*fed));
	fed->shards = shards;
	fed->engine = sampled ? ms_engine_windows_open_engine(machine, shards, 1, &special, NULL)
			      : ms_engine_open(machine, shards, 1, &special);
	fed->exit_refs = fed->exit_instructions = 1;
	for (unsigned k = 0; k < 2; k++) {
		fed->ref[k] =
			(struct ms_engine_block_ref){ k, 8, k == 0 ? MS_WIRE_READ : MS_WIRE_WRITE,
						      0 };
		fed->block[k] = (struct ms_engine_block){
			1, 1, &fed->ref[k], NULL, &fed->exit_refs, &fed->exit_instructions, 1, NULL,
			0, 0, NULL
		};
	}
	for (unsigned i = 0; i < shards; i++) {
		struct ms_engine_shard *shard = ms_engine_get_shard(fed->engine, i);

		ms_engine_add_block(shard, &fed->block[0]);
		ms_engine_add_block(shard, &fed->block[1]);
		for (uint32_t d = 0; d < DATA; d++)
			ms_engine_add_object(shard, BASE + d * LINE, LINE, d);
	}
}

static void end_batch(struct fed *fed, unsigned filtering)
{
	ms_engine_distribute_batch(ms_engine_get_shard(fed->engine, filtering), 0);
	ms_engine_reset_filter(ms_engine_get_shard(fed->engine, filtering));
	for (unsigned i = 0; i < fed->shards; i++)
		ms_engine_simulate_batch(ms_engine_get_shard(fed->engine, i), 0);
	ms_engine_finish_batch(fed->engine, 0);
}

#endif
