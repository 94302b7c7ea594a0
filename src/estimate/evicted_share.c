/*
 * estimate/evicted_share.c - of lines that were used between windows, the share that a cache has
 * evicted again when a window comes to them.
 *
 * A window finds lines that no earlier window has seen, and that are not used for the first time:
 * something has used them between windows. Whether the cache still holds them depends on how long
 * ago that was. The lines that earlier windows have seen show it: windows sample the last use of a
 * line at random, so lines whose last use was sampled and lines whose last use was not were left
 * alone for times of the same distribution. The simulated cache, which keeps its contents from
 * window to window, says for each line of the first kind whether it was evicted.
 *
 * The simulated cache does not see the lines that compete for it between windows, and evicts too
 * late. Uniform reuse of all lines that the program has used, of which the cache holds `frames`,
 * evicts too early where reuse has locality. Both were compared with whole simulations
 * (docs/design/sampling.md): a weight of a quarter for uniform reuse has the least mean error.
 * Where few lines were seen before, uniform reuse counts more. A cache that has room for all of
 * them evicts none.
 */
#include "estimate/evicted_share.h"

static const double uniform_weight = 0.25;
/* Uniform reuse has the weight of this many lines that were seen before. */
static const double prior = 32;

double ms_estimate_evicted_share(const struct ms_estimate_seen_before *seen, double frames,
				 double used)
{
	if (!(used > frames))
		return 0;
	double uniform = 1 - frames / used;

	double by_seen = (seen->evicted + prior * uniform) / (seen->accesses + prior);

	return by_seen + uniform_weight * (uniform - by_seen);
}
