/* engine/pmu/pmu_state.h - a monitored engine's own: the counter, its registers, and time. See
 * pmu.h. */
#ifndef MS_ENGINE_PMU_PMU_STATE_H
#define MS_ENGINE_PMU_PMU_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "engine/pmu/interrupt_handler.h"
#include "engine/pmu/pmu.h"

struct ms_engine_shard;
struct ms_count_bin;
struct ms_filter_pending_list;

/* What the handler's maps have to know of the program. */
enum ms_pmu_change_kind {
	MS_PMU_CHANGE_ADD,     /* an object comes, and ends what lies in it */
	MS_PMU_CHANGE_OVERLAY, /* a region comes */
	MS_PMU_CHANGE_REMOVE,  /* what starts there */
	MS_PMU_CHANGE_CLEAR,   /* all that starts in the range */
	MS_PMU_CHANGE_SITES,   /* so many instructions are known: start */
};

struct ms_pmu_map_change {
	enum ms_pmu_change_kind kind;
	uint64_t start;
	uint64_t end;
};

/* Before this doubt of its batch so many changes have been made since the beginning. */
struct ms_pmu_change_mark {
	size_t index;
	uint64_t changes;
};

/* From this doubt on, so many instructions more. */
struct ms_pmu_time_mark {
	uint32_t index;
	uint32_t instructions;
};

/* What the counter latches when it overflows. */
struct ms_pmu_registers {
	const struct ms_count_bin *cell;
	uint64_t line; /* address; likewise: */
	bool evicted;
	uint64_t victim;
	uint32_t victim_data;
};

struct ms_pmu_monitor {
	struct ms_pmu_config pmu;
	struct ms_engine_shard *shard; /* the one that settles */
	unsigned levels;
	uint64_t *answer; /* by level: cycles that a reference waits that missed no more */
	struct ms_pmu_handler handler;
	struct ms_count_bin *cell[3]; /* the handler's, by kind of reference */
	bool handling;                /* what happens now is the handler's doing */
	uint64_t *recent; /* by set of the first level: its most recent line; NULL: using that again
			     makes a difference */

	/* The counter. */
	uint64_t mean_period; /* the mean period now */
	uint64_t remaining;   /* until it overflows */
	uint64_t random;
	bool overflown;                    /* an interrupt will come */
	struct ms_pmu_registers registers; /* of the event that did it */

	/* The reference under way. */
	struct ms_pmu_registers now;
	uint64_t missed_line; /* the last that missed the counter's level */
	unsigned missed;      /* levels, from the first */

	uint64_t instructions; /* so far; only where the period follows a wish */
	uint64_t waited;       /* cycles, by the program */
	uint64_t spent;        /* cycles, by the monitor; see ms_monitor_interrupt() */
	uint64_t events;
	uint64_t events_before; /* at the last interrupt; and the program's cycles then: */
	uint64_t cycles_before;
	uint64_t interrupts;
	uint64_t handler_waited;
	uint64_t *handler_misses;
	double weights; /* sum of the squares of events between samples */
	struct ms_map sample_of;
	MS_VEC(struct ms_pmu_sample) samples;

	MS_VEC(struct ms_pmu_map_change) changes; /* that are still to be applied, from `next` on */
	size_t next;
	uint64_t applied; /* since the beginning */
};

struct ms_pmu_monitor *ms_pmu_open(const struct ms_machine *machine,
				   const struct ms_pmu_config *pmu, unsigned shards);
void ms_pmu_close(struct ms_pmu_monitor *monitor);

/* What ms_engine_filter_executions() is for others. */
size_t ms_pmu_filter_executions(struct ms_engine_shard *shard, const uint64_t *words, size_t n);
/* For each shard; what is counted from here on knows of it. */
void ms_pmu_record_change(struct ms_engine_shard *shard, enum ms_pmu_change_kind kind,
			  uint64_t start, uint64_t end);

void ms_pmu_add_block(struct ms_engine_shard *shard, const struct ms_engine_block *block);

/* configurable_caches.c: a line left the level. line: address. */
void ms_pmu_count_eviction(struct ms_pmu_monitor *monitor, unsigned level, uint64_t line,
			   uint32_t owner);
void ms_pmu_simulate_batch(struct ms_engine_shard *shard, unsigned batch_index,
			   struct ms_filter_pending_list *share);

/* Where the shard that settles is there. */
void ms_pmu_attach_shard(struct ms_pmu_monitor *monitor, struct ms_engine_shard *shard);
/* Whether it is the most recent line of its set, so that using it changes nothing. */
bool ms_pmu_is_recent_line(const struct ms_pmu_monitor *monitor, uint64_t line);
/* A line, through the levels, for the program or the handler: see ms_caches_access_line(). */
unsigned ms_pmu_access_line(struct ms_pmu_monitor *monitor, struct ms_count_bin *cell,
			    uint64_t line);

/* pmu_counter.c, for pmu_simulation.c: what happens to a reference, in this order. */
void ms_pmu_begin_reference(struct ms_pmu_monitor *monitor, const struct ms_count_bin *cell);
void ms_pmu_count_miss(struct ms_pmu_monitor *monitor, unsigned level);
void ms_pmu_end_reference(struct ms_pmu_monitor *monitor);

#endif
