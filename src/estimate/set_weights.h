/* estimate/set_weights.h - the weights of references and misses where some cache sets are
 * simulated. */
#ifndef MS_ESTIMATE_SET_WEIGHTS_H
#define MS_ESTIMATE_SET_WEIGHTS_H

#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"

/* With sampled sets: the weight of each simulated reference and each simulated miss of a cell,
 * relative to the usual factor. Changes the references of sites, so that none has more misses. */
struct ms_estimate_set_weights {
	const struct ms_engine_totals *totals; /* as simulated */
	const uint32_t *codes;                 /* by site: its function, and whether it reads */
	size_t sites;
	unsigned levels;
	double scale, every;
	double *refs;         /* references, by site */
	double *ref_weights;  /* weight of references, by cell */
	double *miss_weights; /* weight of misses, by cell and level */
};
void ms_estimate_weigh_sets(const struct ms_estimate_set_weights *of);
/* With sampled sets in windows: weighs the misses of references that cross lines. Uses only totals,
 * sites, levels and missing. */
void ms_estimate_weigh_crossings(const struct ms_estimate_set_weights *of);
/* Line-crossing references that missed have cells of their own: subtracts them from the cell of the
 * same site and data. */
void ms_estimate_subtract_crossings(struct ms_engine_totals *totals);
/* Adds cells for sites without a simulated reference; their data is `unseen_data`. Then adjusts the
 * cells so that their sum is `total`. */
void ms_estimate_add_unseen_sites(struct ms_engine_totals *totals, const double *made, size_t sites,
				  double total, uint32_t unseen_data);
/* refs: by site, as counted. Afterwards sites have at least the references that were simulated, and
 * the sum of all is the total. */
void ms_estimate_balance_refs(const struct ms_engine_totals *totals, double scale, double total,
			      double *refs, size_t n);

#endif
