/* views/simulated_pmu.c - what JSON and CSV of performance monitors share. */
#include "views/shared.h"

#include "views/views.h"

bool ms_views_pmu_has_row(const struct ms_monitor_row *row, const struct ms_views_options *options)
{
	return row->wanted &&
	       (options->top == 0 || (row->actual_rank > 0 && row->actual_rank <= options->top) ||
		(row->sampled_rank > 0 && row->sampled_rank <= options->top));
}
