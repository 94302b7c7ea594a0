/* run/verification.h - measured gains of changes, beside what was predicted; part of run/run.h. */
#ifndef MS_RUN_VERIFICATION_H
#define MS_RUN_VERIFICATION_H

#include <stdint.h>

/* `memspy verify` measured the program of this run, and a changed one, in turn. Gains are shares of
 * the time before the change. */
struct ms_run_verification {
	const char *verified; /* when: "2026-11-18T10:31:02Z" */
	const char *before;   /* commands */
	const char *after;
	uint64_t rounds;
	double before_seconds; /* medians */
	double after_seconds;
	double measured, measured_low, measured_high;
	/* The finding of the run that the change follows. */
	const char *kind;                                /* "loop-order"; NULL: none */
	const char *data;                                /* NULL: none */
	double predicted, predicted_low, predicted_high; /* 0 if there is none */
};

#endif
