/* engine/monitor.h - a monitored engine's own: the counter, its registers, and time. See pmu.h. */
#ifndef MS_ENGINE_MONITOR_H
#define MS_ENGINE_MONITOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "engine/handler.h"
#include "engine/pmu.h"

struct ms_shard;
struct cell;
struct doubts;

/* What the handler's maps have to know of the program. */
enum change_kind {
	CHANGE_ADD,    /* an object comes, and ends what lies in it */
	CHANGE_LAY,    /* a region comes */
	CHANGE_REMOVE, /* what starts there */
	CHANGE_CLEAR,  /* all that starts in the range */
	CHANGE_PLACES, /* so many instructions are known: start */
};

struct map_change {
	enum change_kind kind;
	uint64_t start;
	uint64_t end;
};

/* Before this doubt of its batch so many changes have been made since the beginning. */
struct change_mark {
	size_t doubt;
	uint64_t changes;
};

/* From this doubt on, so many instructions more. */
struct time_mark {
	uint32_t doubt;
	uint32_t instructions;
};

/* What the counter latches when it overflows. */
struct registers {
	const struct cell *cell;
	uint64_t line; /* address; likewise: */
	bool evicted;
	uint64_t victim;
	uint32_t victim_data;
};

struct monitor {
	struct ms_pmu pmu;
	struct ms_shard *shard; /* the one that settles */
	unsigned levels;
	uint64_t *answer; /* by level: cycles that a reference waits that missed no more */
	struct handler handler;
	struct cell *cell[3]; /* the handler's, by kind of reference */
	bool handling;        /* what happens now is the handler's doing */
	uint64_t *recent; /* by set of the first level: its most recent line; NULL: using that again
			     makes a difference */

	/* The counter. */
	uint64_t aim;  /* the mean period now */
	uint64_t left; /* until it overflows */
	uint64_t random;
	bool overflown;             /* an interrupt will come */
	struct registers registers; /* of the event that did it */

	/* The reference under way. */
	struct registers now;
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

	MS_VEC(struct map_change) changes; /* that are still to be applied, from `next` on */
	size_t next;
	uint64_t applied; /* since the beginning */
};

struct monitor *ms_monitor_open(const struct ms_machine *machine, const struct ms_pmu *pmu,
				unsigned shards);
void ms_monitor_close(struct monitor *monitor);

/* What ms_shard_sift() is for others. */
size_t ms_monitor_sift(struct ms_shard *shard, const uint64_t *words, size_t n);
/* For each shard; what is counted from here on knows of it. */
void ms_monitor_change(struct ms_shard *shard, enum change_kind kind, uint64_t start, uint64_t end);

void ms_monitor_block(struct ms_shard *shard, const struct ms_block *block);

/* general.c: a line left the level. line: address. */
void ms_monitor_evicted(struct monitor *monitor, unsigned level, uint64_t line, uint32_t owner);
void ms_monitor_settle(struct ms_shard *shard, unsigned slot, struct doubts *share);

/* Where the shard that settles is there. */
void ms_monitor_watch(struct monitor *monitor, struct ms_shard *shard);
/* Whether it is the most recent line of its set, so that using it changes nothing. */
bool ms_monitor_is_recent(const struct monitor *monitor, uint64_t line);
/* A line, through the levels, for the program or the handler: see ms_general_access(). */
unsigned ms_monitor_access(struct monitor *monitor, struct cell *cell, uint64_t line);

/* monitor.c, for monitor_settle.c: what happens to a reference, in this order. */
void ms_monitor_begin(struct monitor *monitor, const struct cell *cell);
void ms_monitor_missed(struct monitor *monitor, unsigned level);
void ms_monitor_end(struct monitor *monitor);

#endif
