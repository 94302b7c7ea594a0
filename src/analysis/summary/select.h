/*
 * analysis/summary/select.h - which code or data a user means.
 *
 * A name means what is called exactly so (names hold '*' and '[' themselves: "int*.Ready"); else,
 * with one of * ? [ in it, it is a pattern for all that match; else it may be the last word of just
 * one name ("Y" of "Matrix.Y"), or any part of just one.
 */
#ifndef MS_ANALYSIS_SUMMARY_SELECT_H
#define MS_ANALYSIS_SUMMARY_SELECT_H

#include "analysis/summary/summary.h"

/*
 * Sets chosen[i] for every code (or data) i of the run that one of the names means. entries are the
 * summary's code or data. When a name means nothing, or is part of several names, the sentence
 * lists what it could be.
 */
int ms_summary_select(const struct ms_summary_entries *entries, const char *const *names, size_t n,
		      bool *chosen, struct ms_err *err);

/* How well a name fits some of the entries, the best first. */
enum ms_summary_match_quality {
	MS_SELECT_EXACT,
	MS_SELECT_PATTERN,
	MS_SELECT_LAST_WORD,
	MS_SELECT_PART,
	MS_SELECT_SEVERAL, /* it is part of several names */
	MS_SELECT_NONE,
};

enum ms_summary_match_quality ms_summary_match_quality(const struct ms_summary_entries *entries,
						       const char *name);
/* Whether a name is that of data or of code, whichever it fits better. */
int ms_summary_select_either(const struct ms_summary_entries *data,
			     const struct ms_summary_entries *code, const char *name, bool *is_code,
			     struct ms_err *err);

#endif
