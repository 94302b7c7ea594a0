/* engine/simulated_pmu/pmu_state.h - the state of a monitored engine: counter, registers and time.
 * See pmu.h. */
#ifndef MS_ENGINE_SIMULATED_PMU_PMU_STATE_H
#define MS_ENGINE_SIMULATED_PMU_PMU_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "engine/simulated_pmu/interrupt_handler.h"
#include "engine/simulated_pmu/pmu.h"
#include "engine/variant_priv.h"

struct ms_engine_shard;
struct ms_count_cell;

/* A change of the program that the handler's maps must follow. */
struct ms_pmu_map_change {
	uint32_t kind; /* enum ms_engine_map_change, or MS_PMU_CHANGE_SITES */
	uint64_t start;
	uint64_t end;
};

/* `start` is the number of known instructions. */
enum { MS_PMU_CHANGE_SITES = MS_ENGINE_MAP_CHANGES };

/* Before this pending access of its batch: the number of changes since the beginning. */
struct ms_pmu_change_mark {
	size_t index;
	uint64_t changes;
};

/* Before this pending access, time advances by so many instructions. */
struct ms_pmu_time_mark {
	uint32_t index;
	uint32_t instructions;
};

/* The marks of a batch. */
struct ms_pmu_marks {
	MS_VEC(struct ms_pmu_change_mark) changes;
	MS_VEC(struct ms_pmu_time_mark) times;
};

/* The marks of the batch that is simulated, and the next ones to apply. */
struct ms_pmu_mark_position {
	struct ms_pmu_marks *marks;
	size_t change;
	size_t time;
};

/* The filter's part of a shard: see pmu_marks.c. */
struct ms_pmu_shard_state {
	struct ms_pmu_marks marks; /* of the batch that is being filtered */
	uint64_t changes;
	MS_VEC(uint16_t) exit_times; /* by exit: instructions before it */
};

/* The registers that the counter latches when it overflows. */
struct ms_pmu_registers {
	const struct ms_count_cell *cell;
	uint64_t line; /* its address */
	bool evicted;
	uint64_t victim;
	uint32_t victim_data;
};

struct ms_pmu_monitor {
	struct ms_pmu_config pmu;
	struct ms_engine_shard *shard; /* the shard that simulates */
	unsigned levels;
	uint64_t *answer; /* by level: cycles that a reference waits if this is the last level that
			     it missed */
	struct ms_pmu_handler handler;
	struct ms_count_cell *cell[3]; /* the handler's cells, by kind of reference */
	bool handling;                 /* the handler is running */

	/* The counter. */
	uint64_t mean_period;
	uint64_t remaining; /* events until it overflows */
	uint64_t random;
	bool overflown;                    /* an interrupt is pending */
	struct ms_pmu_registers registers; /* latched at the overflow */

	/* The present reference. */
	struct ms_pmu_registers now;
	uint64_t missed_line; /* the last line that missed the counter's level */
	unsigned missed;      /* number of levels that it missed so far */

	uint64_t instructions; /* so far; only if the period follows `wish` */
	uint64_t waited;       /* cycles that the program waited */
	uint64_t spent;        /* cycles of the monitor; see interrupt() */
	uint64_t events;
	uint64_t events_before; /* at the last interrupt, like cycles_before */
	uint64_t cycles_before;
	uint64_t interrupts;
	uint64_t handler_waited;
	uint64_t *handler_misses;
	double weights; /* sum of the squares of events between samples */
	struct ms_map sample_of;
	MS_VEC(struct ms_pmu_sample) samples;

	MS_VEC(struct ms_pmu_map_change) changes; /* not yet applied, from `next` on */
	size_t next;
	uint64_t applied; /* since the beginning */

	struct ms_pmu_marks *marks; /* by batch in flight */
	struct ms_pmu_mark_position position;
};

/* Functions of struct ms_engine_variant. The monitor is a consumer of the engine's events. */
void ms_pmu_open(struct ms_engine *engine, const struct ms_engine_setup *setup);
void ms_pmu_close(struct ms_engine *engine);

/* pmu_marks.c, for pmu_counter.c: events while a batch is filtered. */
void ms_pmu_record_block(struct ms_engine_shard *shard, const struct ms_engine_block *block);
void ms_pmu_record_map_change(struct ms_engine_shard *shard, enum ms_engine_map_change change,
			      uint64_t start, uint64_t end);
void ms_pmu_record_execution(struct ms_engine_shard *shard, uint32_t exit);
void ms_pmu_hand_over_marks(struct ms_engine_shard *shard, unsigned batch_index);
/* While it is simulated: */
void ms_pmu_begin_marks(struct ms_pmu_monitor *monitor, unsigned batch_index);
/* Applies the marks before this pending access. */
void ms_pmu_apply_marks(struct ms_pmu_monitor *monitor, size_t index);
void ms_pmu_end_marks(struct ms_pmu_monitor *monitor, size_t accesses);
void ms_pmu_free_marks(struct ms_pmu_marks *marks);

#endif
