/*
 * analysis/source_lines/points.h - a run added up as finely as other tools can use it: by line of
 * source, chain of inlined functions, and data. All processors together.
 */
#ifndef MS_ANALYSIS_SOURCE_LINES_POINTS_H
#define MS_ANALYSIS_SOURCE_LINES_POINTS_H

#include "analysis/confidence_intervals/intervals.h"
#include "base/map.h"

struct ms_lines_point {
	uint32_t line; /* of the run; its code is that of the line */
	uint32_t data;
	const char *inlined; /* as in struct ms_run_site; NULL: nothing was inlined */
	uint64_t key;        /* of its intervals */
	struct ms_summary_counts counts;
};

struct ms_lines_points {
	const struct ms_run *run; /* must outlive it */
	struct ms_summary summary;
	struct ms_arena arena;
	struct ms_names names;
	MS_VEC(struct ms_lines_point) at; /* by code, file, line, chain, data */
	MS_VEC(uint64_t) keys;            /* of the point that each cell belongs to */
};

int ms_lines_points_make(struct ms_lines_points *points, const struct ms_run *run,
			 const char *latency, struct ms_err *err);
void ms_lines_points_free(struct ms_lines_points *points);
/* How far the points of a sampled run may be off, reads and writes alone, too: by their keys. */
void ms_lines_points_intervals(const struct ms_lines_points *points,
			       struct ms_intervals *intervals);

/* --- as stacks: what flame graphs are drawn of --- */

struct ms_lines_stack_frame {
	const char *name;
	const char *file; /* NULL: unknown */
	uint32_t line;    /* 0: unknown */
};

struct ms_lines_stack {
	MS_VEC(struct ms_lines_stack_frame)
	at; /* outermost first; texts live as long as the points */
};

enum ms_lines_stack_view {
	MS_STACK_CODE, /* the function, what was inlined into it, the line, the data */
	MS_STACK_DATA, /* the functions that allocated it, the data, the function and line that use
			  it */
};

/* The function of a point. */
const char *ms_lines_point_function(const struct ms_lines_points *points,
				    const struct ms_lines_point *point);
/* Fills *stack, which may be used again for the next one. */
void ms_lines_point_stack(struct ms_lines_points *points, const struct ms_lines_point *point,
			  enum ms_lines_stack_view view, struct ms_lines_stack *stack);

/*
 * What a point weighs: "stall", "references" or "L1_misses"; key NULL: stall, or references where
 * nothing stalls. MS_EUSAGE: there is no such key.
 */
struct ms_lines_point_weight {
	const char *key;
	int level; /* -1: references, -2: stall */
	uint64_t total;
};

bool ms_lines_point_weight_is_stall(const struct ms_lines_point_weight *weight);
int ms_lines_point_weight_choose(struct ms_lines_point_weight *weight,
				 const struct ms_lines_points *points, const char *key,
				 struct ms_err *err);
uint64_t ms_lines_point_weight_of(const struct ms_lines_point_weight *weight,
				  const struct ms_summary_counts *counts);

#endif
