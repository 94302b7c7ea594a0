/*
 * collect/collect_priv.h - the state of one collection. Each part is declared, and explained, in
 * the header of its owner.
 */
#ifndef MS_COLLECT_COLLECT_PRIV_H
#define MS_COLLECT_COLLECT_PRIV_H

#include "collect/assign.h"
#include "collect/binding.h"
#include "collect/checkpoint.h"
#include "collect/hardware.h"
#include "collect/launch.h"
#include "collect/pace.h"
#include "collect/program.h"
#include "collect/result.h"
#include "collect/setup.h"
#include "collect/simulators.h"
#include "collect/snapshot.h"
#include "collect/splits.h"
#include "collect/trace_file.h"
#include "collect/wait.h"
#include "collect/worker.h"
#include "estimate/scale.h"
#include "estimate/windows.h"
#include "stream/ring.h"

struct collector {
	struct ms_collect_setup setup;
	struct ms_stream_ring ring;
	struct ms_collect_pool pool;
	struct ms_collect_binding binding;
	struct ms_collect_simulators sim;
	struct ms_collect_splits splits;
	struct ms_name_program program;
	struct ms_estimate_windows windows;
	struct pace plan;
	struct hardware *hardware; /* NULL: the program is simulated */
	struct ms_collect_trace trace;
	struct follow *children; /* NULL: children are not followed */
	struct became exec_watch;
	struct snapshots snapshots;
	struct checkpoints checkpoints;
	struct ms_run *run; /* as far as it is described */
};

/* events.c: one event record; head included in words. */
int ms_collect_event(struct worker *worker, const uint64_t *words, size_t n, struct ms_err *err);
/* events_threads.c: follows thread switches that the first engine's shard has read by itself. */
void ms_event_taken_up(struct worker *worker);

/* collector.c */
struct ms_schedule_merger;
/* Starts the merger, which merges the lanes of a native program's threads into one stream. */
int ms_collector_merge(struct collector *c, struct ms_schedule_merger **merger, struct ms_err *err);
int ms_collector_open(struct collector *collector, uint32_t chunk_bytes, unsigned workers,
		      bool trace, struct ms_err *err);
void ms_collector_close(struct collector *collector);
/* Whether there is address space (ulimit -v) for more than one worker and a few lanes. */
bool ms_collect_has_room(void);
/* Fills in what is known of a run before the program starts. */
void ms_collector_describe(const struct collector *collector, const struct ms_machine *machine,
			   const char *frontend, const char *const *argv, struct ms_run *run);
/* Removes the simulated machine from a run on the real machine, which does not use it. */
void ms_collector_forget_machine(struct ms_run *run);
/* Reports the progress. */
void ms_collector_tell(const struct collector *collector, double started);
double ms_collector_now(void);
/* The time of day: "2026-11-15T10:31:02Z". */
const char *ms_collector_utc(struct ms_arena *arena);

#endif
