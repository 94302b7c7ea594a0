/* views/csv/threads.c - where time goes, as CSV. */
#include "views/threads.h"

#include <string.h>

#include "base/table.h"
#include "views/shared.h"

int ms_views_csv_threads(struct ms_threads *t, const struct ms_views_threads_options *options,
			 FILE *out, struct ms_err *err)
{
	struct ms_threads_times *times = ms_views_threads_chosen(t, options->by);
	struct ms_table table;

	MS_TRY(ms_threads_sort(t, times, options->view.sort, err));
	ms_table_open(&table, out, MS_TABLE_CSV, 0, false);
	ms_views_threads_table(&table, t, times, ms_views_top(times->at.n, options->view.top));
	ms_table_close(&table);
	return MS_OK;
}
