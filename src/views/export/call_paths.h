/*
 * views/export/call_paths.h - the call paths of points, for files with stacks or calls.
 */
#ifndef MS_VIEWS_EXPORT_CALL_PATHS_H
#define MS_VIEWS_EXPORT_CALL_PATHS_H

#include "analysis/call_paths/call_paths.h"
#include "analysis/source_lines/points.h"

struct ms_export_paths {
	bool are_known; /* else there is nothing else */
	struct ms_paths_rows rows;
	MS_VEC(uint32_t) order; /* rows by line, data */
};

/* A part of a point's weight. */
struct ms_export_part {
	uint32_t path; /* MS_NONE: not known */
	uint64_t value;
};

struct ms_export_parts {
	MS_VEC(struct ms_export_part) at;
};

void ms_export_open_paths(struct ms_export_paths *paths, const struct ms_lines_points *points);
void ms_export_close_paths(struct ms_export_paths *paths);
/* The rows of a line and data: their number, and the index of the first in paths->order. */
size_t ms_export_find_rows(const struct ms_export_paths *paths, uint32_t line, uint32_t data,
			   size_t *first);
/* Divides the weight of a point among its paths; one part without a path where none is known. */
void ms_export_divide(const struct ms_export_paths *paths,
		      const struct ms_lines_point_weight *weight,
		      const struct ms_lines_point *point, struct ms_export_parts *parts);
/* Adds the callers of a path to the front of the stack of a point of a function, outermost first.
 */
void ms_export_add_callers(const struct ms_run *run, uint32_t path, const char *function,
			   struct ms_lines_stack *stack);

#endif
