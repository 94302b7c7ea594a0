/*
 * analysis/confidence_intervals/poststratified.h - what parts of a sample differ by, where the size
 * of each stratum is known.
 *
 * Executions between windows were counted. So the number of references of each site in the whole
 * program is known, and windows only give the share of them that misses. A window that contains a
 * site more often than others does not add to the error; a window in which the site misses more
 * often per reference does. These are the residuals of a post-stratified estimate (Cochran,
 * Sampling Techniques, chapter 5A).
 */
#ifndef MS_ANALYSIS_CONFIDENCE_INTERVALS_POSTSTRATIFIED_H
#define MS_ANALYSIS_CONFIDENCE_INTERVALS_POSTSTRATIFIED_H

#include <stddef.h>

/*
 * y: of some references of one stratum, by part; it is replaced by values with the same sum, such
 * that the residuals of the ratio of y to all are those within the stratum. stratum: references of
 * the stratum, by part; all: those of all strata. The residual of a part is that from the ratio in
 * the other parts, as in a jackknife. A stratum that only one part has stays as it is: nothing
 * is known of how much its parts differ.
 */
void ms_intervals_poststratify(double *y, const double *stratum, const double *all, size_t parts);
/* Likewise, of a number of references: those of a stratum are known, however many parts have
 * it, and only how they are divided among its members is not. */
void ms_intervals_poststratify_references(double *y, const double *stratum, const double *all,
					  size_t parts);

#endif
