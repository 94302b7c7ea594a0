/* views/csv/simulated_pmu.c - simulated performance monitors, as CSV: one row a row of a list. */
#include "views/simulated_pmu.h"

#include "base/table.h"
#include "run/enum_words.h"
#include "views/entries.h"
#include "views/keys.h"
#include "views/shared.h"

static void csv_share(struct ms_table *table, const struct ms_monitor_row *row, double share)
{
	if (row->has_samples)
		ms_table_real(table, share, 0);
	else
		ms_table_none(table);
}

static void csv_place(struct ms_table *table, const struct ms_run *run,
		      const struct ms_monitor_row *row)
{
	const struct ms_run_line *line = row->line != MS_NONE ? &run->lines.at[row->line] : NULL;

	ms_table_text(table, run->data.at[row->data].name);
	ms_table_text(table, row->victim != MS_NONE ? run->data.at[row->victim].name : NULL);
	ms_table_text(table, line ? run->codes.at[line->code].name : NULL);
	ms_table_text(table, line ? line->file : NULL);
	if (line != NULL && line->line != 0)
		ms_table_count(table, line->line);
	else
		ms_table_none(table);
}

static void csv_row(struct ms_table *table, const struct ms_run *run,
		    const struct ms_monitor *monitor, const char *list,
		    const struct ms_monitor_row *row)
{
	ms_table_count(table, monitor->number + 1);
	ms_table_text(table, ms_run_pmu_event_word(monitor->pmu->event));
	ms_table_text(table, monitor->level);
	ms_table_count(table, monitor->pmu->period);
	ms_table_text(table, list);
	csv_place(table, run, row);
	ms_table_count(table, row->actual);
	ms_table_real(table, row->actual_share, 0);
	ms_views_put_rank(table, row->actual_rank);
	ms_table_count(table, row->samples);
	ms_table_count(table, row->sampled);
	csv_share(table, row, row->sampled_share);
	csv_share(table, row, row->low);
	csv_share(table, row, row->high);
	ms_views_put_rank(table, row->sampled_rank);
	ms_table_count(table, row->judged);
}

void ms_views_csv_pmu(const struct ms_monitor_report *monitors,
		      const struct ms_views_options *options, FILE *out)
{
	static const char *const keys[] = {
		"monitor",       "event",        "level",       "period",       "list",
		"data",          "victim",       "code",        "file",         "line",
		"actual",        "actual_share", "actual_rank", "samples",      "sampled",
		"sampled_share", "low",          "high",        "sampled_rank", "judged",
	};
	struct ms_table table;

	ms_table_open(&table, out, MS_TABLE_CSV, 0, false);
	for (size_t i = 0; i < MS_COUNT(keys); i++)
		ms_table_column(&table, (struct ms_table_column){ .key = keys[i] });
	for (size_t i = 0; i < monitors->at.n; i++) {
		const struct ms_monitor *monitor = &monitors->at.at[i];

		for (int k = 0; k < MS_MONITOR_LISTS && monitor->pmu->interrupts > 0; k++)
			for (size_t r = 0; r < monitor->lists[k].rows.n; r++)
				if (ms_views_pmu_has_row(&monitor->lists[k].rows.at[r], options))
					csv_row(&table, monitors->whole.run, monitor,
						ms_views_monitor_keys[k],
						&monitor->lists[k].rows.at[r]);
	}
	ms_table_close(&table);
}
