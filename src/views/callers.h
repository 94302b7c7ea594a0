/* views/callers.h - callers of functions and data, and whole call paths: as text, JSON and CSV. */
#ifndef MS_VIEWS_CALLERS_H
#define MS_VIEWS_CALLERS_H

#include "analysis/call_paths/call_paths.h"
#include "views/views.h"

/* What is called, or used: names, as one text. docs/formats/callers-json.md describes JSON. */
struct ms_views_callers {
	const struct ms_summary *summary; /* of the whole run */
	const struct ms_paths_callers *callers;
	const char *name;
	bool is_data;
	struct ms_summary_selection selection; /* the same */
};

typedef void ms_views_callers_writer(const struct ms_views_callers *callers,
				     const struct ms_views_options *options, FILE *out);
ms_views_callers_writer ms_views_text_callers, ms_views_json_callers, ms_views_csv_callers;
extern ms_views_callers_writer *const ms_views_callers_writers[MS_VIEWS_FORMATS];

/* Whole call paths, the most stall first: --by path. MS_EUSAGE: the run has none. */
ms_views_report_writer ms_views_text_paths, ms_views_json_paths, ms_views_csv_paths;
extern ms_views_report_writer *const ms_views_paths_writers[MS_VIEWS_FORMATS];
/* The same text without findings, as a part of a report. */
ms_views_report_writer ms_views_text_path_list;

/* callers.c: whether stall is in nanoseconds: of a run that was sampled on the real machine. */
bool ms_views_stall_is_time(const struct ms_run *run);
/* callers.c: "often (program.c:20)"; of a caller without a line "<other paths>". */
const char *ms_views_caller_name(struct ms_arena *arena, const struct ms_run *run, uint32_t line,
				 uint32_t kind);
/* callers.c: "main (p.c:9) > often (p.c:20) > touch": a path and the function that it calls. */
const char *ms_views_path_name(struct ms_arena *arena, const struct ms_run *run, uint32_t path,
			       uint32_t code);

#endif
