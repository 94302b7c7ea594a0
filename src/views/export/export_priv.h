/* views/export/export_priv.h - one function a format. */
#ifndef MS_VIEWS_EXPORT_EXPORT_PRIV_H
#define MS_VIEWS_EXPORT_EXPORT_PRIV_H

#include "views/export/export.h"
#include "views/export/formats.h"

#define MS_EXPORT(name)                                                          \
	int ms_export_##name(struct ms_lines_points *points,                     \
			     const struct ms_export_options *options, FILE *out, \
			     struct ms_err *err)

#define DECLARE(name, has_views, has_metric, description) MS_EXPORT(name);
MS_EXPORT_FORMATS(DECLARE)
#undef DECLARE

/* A name on one line: control characters, and those of `others`, become blanks. */
void ms_export_name(FILE *out, const char *name, const char *others);
/* The command line of a run, on one line. */
void ms_export_command(FILE *out, const struct ms_run *run);
/* MS_EUSAGE: no point of the run has this weight. */
int ms_export_no_weight(const struct ms_lines_point_weight *weight, struct ms_err *err);

#endif
