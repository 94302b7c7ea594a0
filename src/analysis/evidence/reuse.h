/*
 * analysis/evidence/reuse.h - loops that use the same data one after the other, so far apart that
 * it has to be fetched again.
 */
#ifndef MS_ANALYSIS_EVIDENCE_REUSE_H
#define MS_ANALYSIS_EVIDENCE_REUSE_H

#include "analysis/summary/summary.h"

/* Two source lines, the first before the second in time, and the data that both use. */
struct ms_evidence_reuse {
	bool follows;                /* to_line is further down in the same function */
	uint32_t data, code;         /* of the run; the code of to_line */
	uint32_t from_line, to_line; /* likewise */
	double misses;  /* of the first level, on lines that from_line used before ... */
	double share;   /* ... of all that to_line has on the data */
	double bytes;   /* of other lines that were used in between, on average */
	double stall;   /* cycles of to_line on the data, for this share */
	double compute; /* cycles of to_line for each first-level miss it has */
};

struct ms_evidence_reuses {
	MS_VEC(struct ms_evidence_reuse) at; /* the most misses first; none: not observed */
};

void ms_evidence_reuses_make(struct ms_evidence_reuses *reuses, const struct ms_summary *summary);
void ms_evidence_reuses_free(struct ms_evidence_reuses *reuses);

#endif
