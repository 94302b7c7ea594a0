/*
 * analysis/hints/hints.h - what the user can do for a more precise report: one sentence for each
 * property of the run that makes names, source lines or times vague.
 */
#ifndef MS_ANALYSIS_HINTS_HINTS_H
#define MS_ANALYSIS_HINTS_HINTS_H

#include "analysis/summary/summary.h"
#include "base/text.h"

enum { MS_HINTS_MOST = 8 };

/* The sentences, in memory of the arena; at most MS_HINTS_MOST. Returns their number. */
size_t ms_hints_find(const struct ms_summary *summary, struct ms_arena *arena,
		     const char *hints[MS_HINTS_MOST]);

#endif
