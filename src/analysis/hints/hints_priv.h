/* analysis/hints/hints_priv.h - the single hints; each adds a sentence, or nothing. */
#ifndef MS_ANALYSIS_HINTS_HINTS_PRIV_H
#define MS_ANALYSIS_HINTS_HINTS_PRIV_H

#include "analysis/summary/summary.h"
#include "base/text.h"

/* missing_debug_info.c: the program, or a library of the user's, has no debug information. */
void ms_hints_add_missing_debug_info(struct ms_text *out, const struct ms_summary *summary);
/* byte_block.c: most of the stall time is in one block of bytes, as private allocators have it. */
void ms_hints_add_byte_block(struct ms_text *out, const struct ms_summary *summary);
/* library_function.c: a function of the C library stalls, and its callers are not known. */
void ms_hints_add_library_function(struct ms_text *out, const struct ms_summary *summary);
/* uncalibrated.c: times are estimated with figures of a processor family. */
void ms_hints_add_uncalibrated(struct ms_text *out, const struct ms_summary *summary);
/* idle_processors.c: of several simulated processors, one at a time was busy. */
void ms_hints_add_idle_processors(struct ms_text *out, const struct ms_summary *summary);

#endif
