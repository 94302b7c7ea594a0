/* views/csv/report.c - one table a command, as CSV: bins, or what --by asks for. */
#include <inttypes.h>

#include "analysis/metric/metric.h"
#include "analysis/summary/rounded_shares.h"
#include "base/table.h"
#include "views/entries.h"
#include "views/views.h"

static int entries_csv(const struct ms_summary *whole, struct ms_summary *part,
		       const struct ms_summary_selection *selection,
		       const struct ms_views_options *options, FILE *out, struct ms_err *err)
{
	struct ms_summary_entries *entries = ms_views_list_by(part, options->by);
	struct ms_table table;

	MS_TRY(ms_metric_sort(whole, entries, options->sort, err));
	ms_table_open(&table, out, MS_TABLE_CSV, 0, false);
	ms_views_entries(whole, entries, ms_views_choose(whole, entries, options, true), selection,
			 MS_WHOLE, &table);
	ms_table_close(&table);
	return MS_OK;
}

int ms_views_csv_report(struct ms_summary *summary, const struct ms_views_options *options,
			FILE *out, struct ms_err *err)
{
	return entries_csv(summary, summary, NULL, options, out, err);
}

int ms_views_csv_show(struct ms_summary_detail *detail, const struct ms_views_options *options,
		      FILE *out, struct ms_err *err)
{
	return entries_csv(&detail->whole, &detail->part,
			   &(struct ms_summary_selection){ detail->code, detail->data }, options,
			   out, err);
}
