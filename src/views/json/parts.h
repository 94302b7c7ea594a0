/* views/json/parts.h - parts of JSON documents that several reports have. */
#ifndef MS_VIEWS_JSON_PARTS_H
#define MS_VIEWS_JSON_PARTS_H

#include "analysis/confidence_intervals/intervals.h"
#include "base/json.h"
#include "views/views.h"

enum { MS_VIEWS_SCHEMA = 1 };

/* Parts of JSON: a share of nothing is null. */
void ms_views_json_read_write(struct ms_json *json, const char *key, const uint64_t counts[MS_RW]);
void ms_views_json_levels(struct ms_json *json, const struct ms_run *run,
			  const struct ms_summary_counts *counts);
void ms_views_json_share(struct ms_json *json, const char *key, uint64_t part, uint64_t whole);
/* Opens the object "run" with what distinguishes this run from others; ms_json_end() closes it. */
void ms_views_json_run(struct ms_json *json, const struct ms_run *run);
/* The outermost object, with the version of what is in it; and "run" in it, likewise open. */
void ms_views_json_begin(struct ms_json *json, FILE *out);
void ms_views_json_begin_run(struct ms_json *json, const struct ms_run *run, FILE *out);
/* References, levels, stall and its share: what every entry has. */
void ms_views_json_counts(struct ms_json *json, const struct ms_summary *whole,
			  const struct ms_summary_counts *counts);
/* Of an out-of-order core: why they cost what they cost; of others nothing. */
void ms_views_json_timing(struct ms_json *json, const struct ms_run *run,
			  const struct ms_summary_counts *counts);
/* Of a sampled run: "low" and "high" of the figure before; of others nothing. */
void ms_views_json_low_high(struct ms_json *json, const struct ms_run *run,
			    struct ms_intervals_bounds bounds);
/* An interval as an object; null: it cannot be estimated. */
void ms_views_json_interval(struct ms_json *json, const char *key,
			    struct ms_intervals_bounds bounds);
/* Of a sampled run: how far these counts may be off; NULL: nothing is written. */
void ms_views_json_intervals(struct ms_json *json, const struct ms_run *run,
			     const struct ms_summary_counts *counts,
			     const struct ms_intervals_entry *intervals);

/* parts.c: likewise what a run and the list of runs both have. */
void ms_views_json_texts(struct ms_json *json, const char *key, const char *const *at, size_t n);
void ms_views_json_tags(struct ms_json *json, const char *first, const char *const *more, size_t n);
void ms_views_json_dirty(struct ms_json *json, const char *commit, bool dirty);
void ms_views_json_relation(struct ms_json *json, int64_t parent, uint32_t relation);
/* Adds "checkpoint": of a run that was saved before its program had ended. */
void ms_views_json_checkpoint(struct ms_json *json, const struct ms_run_checkpoint *checkpoint);

/* hardware.c: the object "hardware" of a run, what an entry has, and its answers and buckets.
 */
void ms_views_json_compute(struct ms_json *json, const struct ms_run *run,
			   const struct ms_summary_counts *counts);
void ms_views_json_joined(struct ms_json *j, const struct ms_run *run);
/* Of a joined run: measured and estimated stall of an entry; nothing of others. */
void ms_views_json_measured(struct ms_json *j, const struct ms_summary *whole,
			    const struct ms_summary_counts *counts);
void ms_views_json_hardware(struct ms_json *json, const struct ms_run *run);
void ms_views_json_samples(struct ms_json *json, const struct ms_summary *whole,
			   const struct ms_summary_counts *counts);
void ms_views_json_phase(struct ms_json *json, const struct ms_run *run, size_t phase);
void ms_views_json_answers(struct ms_json *json, const struct ms_run *run, const bool *code,
			   const bool *data);

/*
 * line_use.c: "access", "line_use", "miss_curve" and "reuse" of this code and data; nothing where
 * that was not observed.
 */
void ms_views_json_line_use(struct ms_json *json, const struct ms_run *run, const bool *code,
			    const bool *data);

struct ms_line_use;
/* An entry of "line_use". */
void ms_views_json_line_use_of_level(struct ms_json *json, const struct ms_run_level *level,
				     const struct ms_line_use *use);

/* intrinsic.c: "intrinsic" of this data; nothing where that was not observed. */
void ms_views_json_intrinsic(struct ms_json *json, const struct ms_run *run, const bool *data);
/* cache_sets.c: "cache_sets" of this data; nothing where that was not observed. */
void ms_views_json_cache_sets(struct ms_json *json, const struct ms_run *run, const bool *data);

struct ms_evictions;
/* occupancy.c: the array "occupancy", of the levels that were asked for. */
void ms_views_json_occupancy_array(struct ms_json *json, const struct ms_evictions *evictions);

#endif
