/* views/export/call_edges.h - calls from a line to a function, with all that they lead to. */
#ifndef MS_VIEWS_EXPORT_CALL_EDGES_H
#define MS_VIEWS_EXPORT_CALL_EDGES_H

#include "views/export/call_paths.h"

struct ms_export_edge {
	uint32_t line;                  /* that calls */
	uint32_t code;                  /* that is called */
	struct ms_summary_counts costs; /* stall and misses; instructions and references are 0 */
};

struct ms_export_edges {
	struct ms_arena arena;
	MS_VEC(struct ms_export_edge) at; /* by code of the line, line, called code */
};

/* None where the run has no call paths. */
void ms_export_find_edges(struct ms_export_edges *edges, const struct ms_lines_points *points);
void ms_export_free_edges(struct ms_export_edges *edges);

#endif
