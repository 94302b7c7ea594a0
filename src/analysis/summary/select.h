/*
 * analysis/summary/select.h - which code or data a user means.
 *
 * A name is the last component of names ("Y" of "Matrix.Y", "K" of "double.K[][]", "push" of
 * "Stack::push(int)"), or a whole one, in the same case or else in any: the one with the largest
 * cost is taken. "=a" means what is called exactly "a". Else, with one of * ? [ in it, it is a
 * pattern for all that match (names hold '*' and '[' themselves: "int*.Ready"), whole names or else
 * last components ("Matrix.*" of "double.Matrix.Y"); else any part of just one name.
 */
#ifndef MS_ANALYSIS_SUMMARY_SELECT_H
#define MS_ANALYSIS_SUMMARY_SELECT_H

#include "analysis/summary/name_match.h"
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
/* The same of one name that must not fit others, in its case. */
int ms_summary_select_only(const struct ms_summary_entries *entries, const char *name, bool *chosen,
			   struct ms_err *err);

/* How well a name fits any of the entries. */
enum ms_summary_match ms_summary_rank(const struct ms_summary_entries *entries, const char *name);

/* Whether a name is that of data or of code: whichever it fits better, else the costlier one. */
int ms_summary_select_either(const struct ms_summary_entries *data,
			     const struct ms_summary_entries *code, const char *name, bool *is_code,
			     struct ms_text *remarks, struct ms_err *err);

/* Adds the name of data or code as a word of a shell command, such that commands find just that. */
void ms_summary_add_data_word(struct ms_text *out, const struct ms_run *run, const char *name);
void ms_summary_add_code_word(struct ms_text *out, const struct ms_run *run, const char *name);

#endif
