/*
 * analysis/diff/fail_if.h - conditions under which a comparison counts as failed, for scripts:
 *
 *    stall > +5%                  memory stall rose by more than five per cent
 *    L1_misses > +1M              ... by more than a million misses
 *    cycles > 2G                  after the change, whatever it was before
 *    stall of Y in multiply > 0%  of this data in this code; either may be left out
 *
 * A change within the noise never fulfils a condition with a sign or a per cent.
 */
#ifndef MS_ANALYSIS_DIFF_FAIL_IF_H
#define MS_ANALYSIS_DIFF_FAIL_IF_H

#include "analysis/diff/diff.h"
#include "base/text.h"

/*
 * Whether the comparison meets the condition; *why then says so in a sentence. MS_EUSAGE: it is
 * none, or names what neither side has.
 */
int ms_diff_fail_if(const struct ms_diff *diff, const char *condition, bool *met,
		    struct ms_text *why, struct ms_err *err);
/* Adds the data that a condition names; nothing if it names none, or is none. */
void ms_diff_fail_if_data(struct ms_text *out, const char *condition);

#endif
