/* estimate/evicted_share.h - which lines that were used between windows a cache has evicted. */
#ifndef MS_ESTIMATE_EVICTED_SHARE_H
#define MS_ESTIMATE_EVICTED_SHARE_H

#include <stddef.h>

/* Unknown references of a cache to lines that an earlier window has seen; weighted. */
struct ms_estimate_seen_before {
	double accesses;
	double evicted; /* those of them whose line the simulated cache had evicted */
};

/* The share of the lines used only between windows that a cache of
 * `frames` lines has evicted, where the program has used `used` lines. */
double ms_estimate_evicted_share(const struct ms_estimate_seen_before *seen, double frames,
				 double used);

#endif
