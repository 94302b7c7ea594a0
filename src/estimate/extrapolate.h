/*
 * estimate/extrapolate.h - estimates the totals of the whole program from those of its windows, or
 * of some cache sets.
 */
#ifndef MS_ESTIMATE_EXTRAPOLATE_H
#define MS_ESTIMATE_EXTRAPOLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"
#include "engine/windows/windows.h"
#include "estimate/scale.h"
#include "stream/window_sampler.h"

/* How large a data structure was. */
struct ms_estimate_data {
	double bytes; /* at one time, at most; 0: not known */
	double objects;
	double each;    /* mean bytes of an object */
	bool same_size; /* all objects have it */
	bool is_heap;   /* objects may have been anywhere, in units of 8 bytes */
};

/* Executions that reached a site: in windows, and outside of them. */
struct ms_estimate_executions {
	double in, out;
};

struct ms_estimate_input {
	const struct ms_stream_sampling *sampling;
	const struct ms_engine_windows_totals *sampled;
	const struct ms_estimate_scale *scale;
	const uint32_t *line_bytes; /* by level */
	unsigned levels;
	const struct ms_estimate_data *data;
	size_t data_count;
	size_t sites;
	const struct ms_estimate_executions *executions; /* by site; NULL: not counted */
	/* With sampled sets during the whole run, else NULL; by site: its function, and whether it
	 * reads; its references, which are adjusted. */
	const uint32_t *codes;
	double *refs;
	uint32_t unseen_data; /* data of what was not simulated */
};

/* Inequalities and sums that hold between the totals still hold between the estimates. */
void ms_estimate_extrapolate(const struct ms_estimate_input *input,
			     struct ms_engine_totals *totals);

/*
 * Where executions between windows were counted: by site, the ratio of its references to the number
 * that windows predict. weights: of each cell's references, because the factors of strata differ.
 */
double *ms_estimate_site_factors(const struct ms_estimate_executions *executions, size_t n,
				 const struct ms_engine_totals *totals, const double *weights,
				 double scale);

#endif
