/*
 * engine/timing/core.h - an out-of-order processor that executes instructions of the stream.
 *
 * Each instruction is dispatched in order, at most one per `dispatch` ticks, while the window has
 * room. It starts when its operands are ready and retires after all instructions before it. Its
 * operands are registers (wire/operands.h) and memory that was written shortly before. A branch
 * that was predicted wrongly delays the next dispatch until it is executed.
 *
 * The processor waits for memory when the oldest instruction of a full window is a load whose line
 * is on its way, when the store buffer is full of stores that miss, and when a mispredicted branch
 * depends on such a load. All other time is compute time.
 */
#ifndef MS_ENGINE_TIMING_CORE_H
#define MS_ENGINE_TIMING_CORE_H

#include "engine/engine.h"
#include "engine/timing/branch_predictor.h"
#include "engine/timing/memory_path.h"
#include "wire/operands.h"

/*
 * The content of a register: when it is ready, and the sites of the two latest loads that it was
 * computed from. Small, because every instruction copies some.
 */
struct ms_timing_value {
	uint64_t ready;
	uint32_t latest;       /* site + 1; 0: none */
	uint32_t earlier : 31; /* site + 1 of the load that the latest one depends on */
	uint32_t is_late : 1;  /* it waits for a miss */
};

/* An instruction in the window. */
struct ms_timing_slot {
	uint64_t retires;
	bool is_late; /* a load that waits for a miss */
};

/* Memory that was written shortly before. */
enum { MS_TIMING_WRITTEN = 256 };

struct ms_timing_written {
	uint64_t address; /* of 8 bytes, plus 1; 0: none */
	struct ms_timing_value value;
};

struct ms_timing_core {
	const struct ms_timing_config *config;
	struct ms_timing_path path;
	struct ms_timing_predictor predictor;
	struct ms_timing_resource divider; /* divisions do not overlap completely */
	struct ms_timing_value values[MS_WIRE_REGISTERS];
	struct ms_timing_written written[MS_TIMING_WRITTEN];
	struct ms_timing_slot *window; /* by instruction, modulo its size */
	uint64_t *stores;              /* by store, modulo the store buffer: when it is written */
	uint64_t instructions;
	uint64_t stores_made;
	uint64_t now;     /* the next dispatch */
	uint64_t waited;  /* of this time: for memory */
	uint64_t retired; /* the latest retirement */
	uint64_t drained; /* the latest store is written */
	uint64_t jump;    /* the indirect branch whose target is the next block; 0: none */
	uint8_t *chained; /* by site: 1 if a load there was seen to depend on itself */
	size_t chained_size;
};

/* The misses of the batch that is replayed: see replay.h. */
struct ms_timing_replay;

void ms_timing_open_core(struct ms_timing_core *core, const struct ms_timing_config *config,
			 struct ms_timing_sums *sums);
void ms_timing_close_core(struct ms_timing_core *core);
/* Another batch is replayed, from time 0 on. The window is empty and all registers are ready. */
void ms_timing_restart_core(struct ms_timing_core *core);
/* Executes a block, which is left by this exit. number: of the block. */
void ms_timing_execute_block(struct ms_timing_core *core, struct ms_timing_replay *replay,
			     const struct ms_engine_block *block, uint32_t number, uint32_t exit,
			     const uint64_t *addresses);
/* Waits until the window is empty. */
void ms_timing_drain_core(struct ms_timing_core *core);

#endif
