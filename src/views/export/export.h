/*
 * views/export/export.h - runs as the files of other tools; docs/formats/export.md says what stands
 * where.
 */
#ifndef MS_VIEWS_EXPORT_EXPORT_H
#define MS_VIEWS_EXPORT_EXPORT_H

#include <stdio.h>

#include "analysis/source_lines/points.h"

struct ms_export_options {
	enum ms_lines_stack_view view;
	const char *metric; /* of stacks; NULL: stall */
};

struct ms_export_format {
	const char *name;
	bool has_views; /* code and data views */
	bool has_metric;
	int (*write)(struct ms_lines_points *points, const struct ms_export_options *options,
		     FILE *out, struct ms_err *err);
};

extern const struct ms_export_format ms_export_formats[]; /* ends with a NULL name */

#endif
