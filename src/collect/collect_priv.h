/*
 * collect/collect_priv.h - the state of one collection. Each part is declared, and explained, in
 * the header of its owner.
 */
#ifndef MS_COLLECT_COLLECT_PRIV_H
#define MS_COLLECT_COLLECT_PRIV_H

#include "base/seconds.h"
#include "collect/binding.h"
#include "collect/checkpoint.h"
#include "collect/request.h"
#include "collect/simulators.h"
#include "collect/snapshot.h"
#include "collect/thread_assignment.h"
#include "collect/trace_file.h"
#include "collect/window_plan.h"
#include "collect/worker.h"
#include "estimate/scale.h"
#include "estimate/windows.h"
#include "hardware/hardware.h"
#include "launch/follow_children.h"
#include "launch/launch.h"
#include "launch/wait.h"
#include "name/name.h"
#include "name/program.h"
#include "name/splits.h"
#include "stream/ring.h"

struct ms_collect_state {
	struct ms_collect_setup setup;
	struct ms_stream_ring ring;
	struct ms_collect_pool pool;
	struct ms_collect_binding binding;
	struct ms_collect_simulators sim;
	struct ms_name_split_choice splits;
	struct ms_name_program program;
	struct ms_estimate_windows windows;
	struct ms_collect_window_plan plan;
	struct ms_hardware *hardware; /* samples of the real machine; NULL: none are expected */
	struct ms_hardware between;   /* those of a simulated program, between its windows */
	struct ms_collect_trace trace;
	struct ms_launch_follow *children; /* NULL: children are not followed */
	struct ms_launch_exec_watch exec_watch;
	struct ms_collect_snapshots snapshots;
	struct ms_collect_checkpoints checkpoints;
	struct ms_run *run; /* as far as it is described */
};

/* Whether the program is only sampled on the real machine, not simulated. */
static inline bool ms_collect_is_measured(const struct ms_collect_state *c)
{
	return c->hardware != NULL && c->hardware != &c->between;
}

/* events.c: one event record; head included in words. */
int ms_collect_process_event(struct ms_collect_worker *worker, const uint64_t *words, size_t n,
			     struct ms_err *err);
/* events/threads.c: follows thread switches that the first engine's shard has read by itself. */
void ms_collect_follow_switches(struct ms_collect_worker *worker);

/* result.c: the machine's run. */
void ms_collect_result(struct ms_collect_state *collector, size_t machine, struct ms_run *run);

/* collector.c */
/* The setup for one machine, without callbacks. */
struct ms_collect_setup ms_collect_make_setup(const struct ms_collect_options *options);
struct ms_schedule_merger;
/* Starts the merger, which merges the lanes of a native program's threads into one stream. */
int ms_collect_start_merger(struct ms_collect_state *c, struct ms_schedule_merger **merger,
			    struct ms_err *err);
int ms_collect_open(struct ms_collect_state *collector, uint32_t chunk_bytes, unsigned workers,
		    bool trace, struct ms_err *err);
void ms_collect_close(struct ms_collect_state *collector);
/* Fills in what is known of a run before the program starts. */
void ms_collect_describe_run(const struct ms_collect_state *collector,
			     const struct ms_machine *machine, const char *frontend,
			     const char *const *argv, struct ms_run *run);
/* Sets what the run has of its machine's processors. */
void ms_collect_set_processors(const struct ms_machine *machine, struct ms_run *run);
/* Removes the simulated machine from a run on the real machine, which does not use it. */
void ms_collect_forget_machine(struct ms_run *run);
/* Reports the progress. */
void ms_collect_report_progress(const struct ms_collect_state *collector, double started);
/* The time of day: "2026-11-15T10:31:02Z". */
const char *ms_collect_utc(struct ms_arena *arena);

#endif
