/* collect/result.h - makes a run of what was counted; parts of the run by file. */
#ifndef MS_COLLECT_RESULT_H
#define MS_COLLECT_RESULT_H

#include "base/map.h"
#include "bins/binder.h"
#include "bins/naming.h"
#include "engine/engine.h"
#include "estimate/scale.h"
#include "run/run.h"

struct collector;
struct naming;

/* shared.c: which code invalidated whose lines; the run's cells must exist. */
void ms_result_sharing(struct collector *collector, const struct ms_engine_totals *totals,
		       struct ms_run *run, struct ms_names *names);

/* threads.c: what each thread did, and what it waited for. */
void ms_result_threads(struct collector *collector, size_t machine,
		       const struct ms_engine_totals *totals, struct ms_run *run,
		       struct naming *naming);

/* occupancy.c: the share of each level that each data structure occupied. */
void ms_result_occupancy(const struct ms_engine_totals *totals, struct ms_run *run,
			 struct naming *naming);

/* monitors.c: the samples and the cost of each monitor; totals: of the engine without monitors. */
void ms_result_pmus(struct collector *collector, size_t machine,
		    const struct ms_engine_totals *totals, struct ms_run *run,
		    struct naming *naming);

/* result.c */
uint32_t ms_result_line(struct naming *naming, struct ms_bins_bound_pc pc);
uint32_t ms_result_data(struct naming *naming, uint32_t data);
const char *ms_result_name(struct naming *naming, const char *text);
/* The inlined functions that contain it; NULL: none. */
const char *ms_result_inlined(struct naming *naming, struct ms_bins_bound_pc pc);
void ms_collect_result(struct collector *collector, size_t machine, struct ms_run *run);
/* merge_sites.c: how many cells a run may have; merges sites when it has more. */
uint64_t ms_result_most_cells(const struct collector *c);
void ms_result_merge_sites(const struct collector *c, struct ms_run *run);

/* The name of the memory that a call path allocates. */
void ms_result_path_name(struct collector *c, uint32_t node, struct ms_bins_data_name *name);
/* events_untraced.c: adds the untraced parts of the execution to the run. */
void ms_event_untraced_result(const struct collector *c, struct ms_run *run);
/* wait_loops.c: adds a row for each function with wait loops that were not counted. */
void ms_wait_loops_result(struct naming *n);
/* loader.c: references of the dynamic loader that were not traced, where they are many. */
void ms_loader_result(const struct collector *c, struct ms_run *run);

/* sampled_rows.c: adds the run's rows about sampling: first the counts, which need no names, then
 * the rest. */
void ms_result_sampled_counts(const struct collector *collector,
			      const struct ms_engine_windows_totals *sampled, struct ms_run *run);
void ms_result_sampled(struct collector *collector, const struct ms_engine_windows_totals *sampled,
		       const struct ms_estimate_scale *scale, uint64_t seen, struct ms_run *run,
		       struct naming *naming);

#endif
