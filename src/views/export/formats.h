/*
 * views/export/formats.h - the formats of `memspy export FORMAT`; one row each.
 *
 * X(NAME, HAS_VIEWS, HAS_METRIC, DESCRIPTION): ms_export_NAME() writes it; HAS_VIEWS: by code or by
 * data (--view); HAS_METRIC: one figure only (--metric); DESCRIPTION is what the manual says.
 */
#ifndef MS_VIEWS_EXPORT_FORMATS_H
#define MS_VIEWS_EXPORT_FORMATS_H

/* clang-format off */
#define MS_EXPORT_FORMATS(X) \
	X(callgrind,  true,  false, "for KCachegrind and callgrind_annotate") \
	X(cachegrind, false, false, "for cg_annotate, cg_diff and cg_merge") \
	X(collapsed,  true,  true,  "stacks, one a line, for flamegraph.pl and its like") \
	X(speedscope, true,  true,  "for speedscope: both views in one file") \
	X(csv,        false, false, "every line, data and cause, for spreadsheets and scripts") \
	X(json,       false, false, "every line, data and cause, for scripts")
/* clang-format on */

#endif
