/*
 * analysis/line_use/reuse.c - see reuse.h.
 *
 * Of n lines that were used in between, one in r is observed. If the observed number stands for n
 * lines, the true number is within two standard deviations, 2 * sqrt(n * r). The run does not keep
 * r, which falls while a run gets longer; the smallest part that is ever observed is assumed. So
 * the intervals of short runs are too wide.
 */
#include "analysis/line_use/reuse.h"

#include <math.h>

#include "base/mem.h"

/* One line in so many at least: see engine/spatial/record_touches.c. */
#define LINES_FOR_ONE 2048.0

double *ms_line_use_find_reuse_factors(const struct ms_run *run)
{
	double *factors = ms_alloc((run->data.n + 1) * sizeof(*factors));
	double *misses = ms_alloc((run->data.n + 1) * sizeof(*misses));

	for (size_t i = 0; i < run->misses.n; i++) {
		const struct ms_run_miss *miss = &run->misses.at[i];

		for (size_t cause = 0; miss->level == 0 && cause < MS_CAUSES; cause++)
			misses[run->cells.at[miss->cell].data] += (double)miss->causes[cause];
	}
	for (size_t i = 0; i < run->reuses.n; i++)
		factors[run->reuses.at[i].data] += run->reuses.at[i].count;
	for (size_t i = 0; i < run->data.n; i++)
		factors[i] = factors[i] > misses[i] ? misses[i] / factors[i] : 1;
	ms_free(misses);
	return factors;
}

/* All lines of the data were observed: its miss curve has no interval. */
static bool is_exact(const struct ms_run *run, uint32_t data)
{
	for (size_t i = 0; i < run->curves.n; i++) {
		const struct ms_run_curve *row = &run->curves.at[i];

		if (row->data == data && (row->variance > 0 || row->least < row->most))
			return false;
	}
	return true;
}

struct ms_line_use_distance ms_line_use_get_distance(const struct ms_run *run,
						     const struct ms_run_reuse *reuse)
{
	double bytes = exp2(reuse->log2_bytes / reuse->count);
	double error = 2 * sqrt(bytes * LINES_FOR_ONE * run->levels.at[0].line);

	if (is_exact(run, reuse->data))
		error = 0;
	return (struct ms_line_use_distance){ bytes, fmax(bytes - error, 0), bytes + error };
}
