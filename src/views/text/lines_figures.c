/* views/text/lines_figures.c - the columns of figures that all tables of annotated source share. */
#include "views/text/lines_figures.h"

#include "analysis/measured/measured.h"
#include "analysis/summary/rounded_shares.h"
#include "base/num.h"
#include "views/entries.h"
#include "views/intervals.h"
#include "views/text/page.h"

static unsigned level_drop(size_t level, size_t n)
{
	if (level == 0)
		return MS_VIEWS_TEXT_DROP_FIRST_LEVEL;
	return level + 1 == n ? MS_VIEWS_TEXT_DROP_LAST_LEVEL
			      : MS_VIEWS_TEXT_DROP_LEVEL + (unsigned)level;
}

/* Misses on lines that other processors had invalidated; of them, those without a common byte. */
static bool has_sharing(const struct ms_run *run)
{
	return run->processors > 1 && run->levels.n > 0;
}

/* Stall with all that a line calls. */
static bool has_paths(const struct ms_run *run)
{
	return run->path_misses.n > 0;
}

void ms_views_text_lines_columns(struct ms_table *table, const struct ms_lines *lines)
{
	const struct ms_run *run = lines->whole.run;

	if (ms_run_is_measured(run)) {
		ms_views_figure_columns(table, run);
		return;
	}
	ms_views_text_number_column(table, lines->by_references ? "Refs %" : "Stall %", 0);
	if (lines->whole.cost.measured) {
		ms_views_text_number_column(table, "+-", MS_VIEWS_TEXT_DROP_COMPUTE);
		ms_views_text_number_column(table, "Est. %", MS_VIEWS_TEXT_DROP_STALL);
	}
	ms_views_text_number_column(table, "Stall", MS_VIEWS_TEXT_DROP_STALL);
	if (has_paths(run))
		ms_views_text_number_column(table, "Incl.", MS_VIEWS_TEXT_DROP_STALL);
	ms_views_text_number_column(table, "Compute", MS_VIEWS_TEXT_DROP_COMPUTE);
	ms_views_text_number_column(table, "Refs", MS_VIEWS_TEXT_DROP_REFERENCES);
	for (size_t i = 0; i < run->levels.n; i++)
		ms_views_text_number_column(
			table, ms_arena_printf(&table->arena, "%s miss", run->levels.at[i].name),
			level_drop(i, run->levels.n));
	if (!has_sharing(run))
		return;
	ms_views_text_number_column(table, "Inval.", MS_VIEWS_TEXT_DROP_INVALIDATED);
	ms_views_text_number_column(table, "False", MS_VIEWS_TEXT_DROP_FALSE);
}

/* Only where call paths are known; of a joined run in nanoseconds, as all times. */
static void put_inclusive(struct ms_table *table, const struct ms_summary *whole,
			  const struct ms_summary_counts *counts)
{
	if (!has_paths(whole->run))
		return;
	if (counts->inclusive == 0)
		ms_table_text(table, "");
	else if (whole->cost.measured)
		ms_table_nanoseconds(table,
				     ms_round_u64((double)counts->inclusive / whole->cost.ns));
	else
		ms_table_count(table, counts->inclusive);
}

/* Stall and compute time; of a joined run as measured, beside the estimated share. */
static void put_times(struct ms_table *table, const struct ms_lines *lines,
		      const struct ms_summary_counts *counts)
{
	const struct ms_summary *whole = &lines->whole;

	if (!whole->cost.measured) {
		ms_table_count(table, ms_summary_rw_sum(counts->stall));
		put_inclusive(table, whole, counts);
		ms_table_count(table, counts->compute);
		return;
	}
	struct ms_measured_comparison c = ms_measured_compare(whole, counts);

	ms_table_text(table, ms_views_share_error(&table->arena, c.share));
	ms_table_real(table, 100 * c.estimated, 1);
	ms_table_nanoseconds(table, counts->samples.latency);
	put_inclusive(table, whole, counts);
	ms_table_nanoseconds(table, counts->samples.compute);
}

void ms_views_text_lines_figures(struct ms_table *table, const struct ms_lines *lines,
				 const struct ms_summary_counts *counts, uint32_t tenths,
				 enum ms_style style)
{
	if (ms_run_is_measured(lines->whole.run)) {
		ms_views_figures(table, &lines->whole, counts, tenths);
		return;
	}
	ms_table_share(table, tenths, 0);
	ms_table_style(table, style);
	put_times(table, lines, counts);
	ms_table_count(table, ms_summary_rw_sum(counts->references));
	for (size_t i = 0; i < lines->whole.run->levels.n; i++)
		ms_table_count(table, ms_summary_rw_sum(counts->levels[i].misses));
	if (!has_sharing(lines->whole.run))
		return;
	ms_table_count(table, counts->levels[0].causes[MS_CAUSE_INVALIDATED]);
	ms_table_count(table, counts->levels[0].falsely);
}

void ms_views_text_lines_no_figures(struct ms_table *table, const struct ms_lines *lines)
{
	const struct ms_run *run = lines->whole.run;

	if (ms_run_is_measured(run)) {
		ms_views_no_figures(table, run);
		return;
	}
	size_t n = 4u + has_paths(run) + run->levels.n + (has_sharing(run) ? 2 : 0);

	for (size_t i = 0; i < n + (lines->whole.cost.measured ? 2 : 0); i++)
		ms_table_text(table, "");
}

bool ms_views_text_lines_ranges(struct ms_table *table, const struct ms_lines *lines,
				const struct ms_intervals_entry *own)
{
	struct ms_arena *a = &table->arena;

	if (own == NULL)
		return false;
	ms_table_text(table, ms_views_real_range(
				     a, lines->by_references ? own->references : own->stall, 100));
	if (lines->whole.cost.measured) { /* the interval of the share is enough */
		for (int i = 0; i < 4 + has_paths(lines->whole.run); i++)
			ms_table_text(table, "");
	} else {
		ms_table_text(table, ms_views_range(a, own->cycles));
		if (has_paths(lines->whole.run))
			ms_table_text(table, "");
		ms_table_text(table, ms_views_range(a, own->compute));
	}
	ms_table_text(table,
		      ms_views_range(a, ms_intervals_references(&lines->whole, own->references)));
	for (size_t i = 0; i < lines->whole.run->levels.n; i++)
		ms_table_text(table, ms_views_range(a, own->levels[i].misses));
	if (has_sharing(lines->whole.run)) {
		ms_table_text(table,
			      ms_views_range(a, own->levels[0].causes[MS_CAUSE_INVALIDATED]));
		ms_table_text(table, "");
	}
	return true;
}
