/*
 * analysis/select.h - which code or data a user means.
 *
 * A name means what is called exactly so (names hold '*' and '[' themselves: "int*.Ready"); else,
 * with one of * ? [ in it, it is a pattern for all that match; else it may be the last word of just
 * one name ("Y" of "Matrix.Y"), or any part of just one.
 */
#ifndef MS_ANALYSIS_SELECT_H
#define MS_ANALYSIS_SELECT_H

#include "analysis/summary.h"

/*
 * Sets chosen[i] for every code (or data) i of the run that one of the names means. entries are the
 * summary's code or data. When a name means nothing, or is part of several names, the sentence
 * lists what it could be.
 */
int ms_select(const struct ms_entries *entries, const char *const *names, size_t n, bool *chosen,
	      struct ms_err *err);

#endif
