/*
 * analysis/summary/select.h - which code or data a user means.
 *
 * A name means what is called exactly so (names hold '*' and '[' themselves: "int*.Ready"); else,
 * with one of * ? [ in it, it is a pattern for all that match; else it is the last component of
 * names ("Y" of "Matrix.Y", "K" of "double.K[][]", "push" of "Stack::push(int)"), in the same case
 * or in any, of which the one with the largest cost is taken; else any part of just one name.
 */
#ifndef MS_ANALYSIS_SUMMARY_SELECT_H
#define MS_ANALYSIS_SUMMARY_SELECT_H

#include "analysis/summary/summary.h"
#include "base/text.h"

/*
 * Sets chosen[i] for every code (or data) i of the run that one of the names means. entries are the
 * summary's code or data. When a name means nothing, is part of several names, or fits several
 * that cost the same, the sentence lists what it could be. remarks: gets a line about each name
 * that fits others, too; NULL: none.
 */
int ms_summary_select(const struct ms_summary_entries *entries, const char *const *names, size_t n,
		      bool *chosen, struct ms_text *remarks, struct ms_err *err);
/* The same of one name that is no copy of a whole name: what is called exactly so is but one of
 * those with this last component. */
int ms_summary_select_short(const struct ms_summary_entries *entries, const char *name,
			    bool *chosen, struct ms_text *remarks, struct ms_err *err);
/* The same of one name that must not fit others, in its case. */
int ms_summary_select_only(const struct ms_summary_entries *entries, const char *name, bool *chosen,
			   struct ms_err *err);

/* How well a name fits some of the entries, the best first. */
enum ms_summary_match_quality {
	MS_SELECT_EXACT,
	MS_SELECT_PATTERN,
	MS_SELECT_LAST_WORD,
	MS_SELECT_LAST_WORD_ANY_CASE,
	MS_SELECT_PART,
	MS_SELECT_PART_ANY_CASE,
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
