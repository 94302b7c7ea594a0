/*
 * hardware/inferred_samples.h - how many samples in unrecorded heap blocks the samples in recorded
 * ones explain. Blocks are recorded at random: samples in data of which one block in `stands` is
 * recorded are found in recorded blocks that often, and vary like Poisson's numbers.
 */
#ifndef MS_HARDWARE_INFERRED_SAMPLES_H
#define MS_HARDWARE_INFERRED_SAMPLES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Whether it is not unlikely (5 %) that none of so many samples is in a recorded block. */
static inline bool ms_hardware_may_be_unrecorded(uint64_t samples, double stands)
{
	return (double)samples < 3 * stands;
}

/*
 * Of samples in unrecorded blocks, those that `recorded` samples in recorded blocks explain, which
 * represent `stands` samples: as many as there may be.
 */
static inline uint64_t ms_hardware_explained_samples(uint64_t samples, uint64_t recorded,
						     double stands)
{
	double n = (double)recorded, most = n + 2 * sqrt(n) + 3;
	double explained = recorded > 0 ? stands * most / n : 0;

	return explained < (double)samples ? (uint64_t)explained : samples;
}

#endif
