#include "views/single_list.h"

#include "analysis/metric/metric.h"
#include "analysis/summary/rounded_shares.h"
#include "base/table.h"
#include "views/entries.h"
#include "views/text/page.h"
#include "views/text/parts.h"

static const char *const titles[] = {
	[MS_VIEWS_BY_MATRIX] = "BINS", [MS_VIEWS_BY_CODE] = "CODE",
	[MS_VIEWS_BY_DATA] = "DATA",   [MS_VIEWS_BY_LINE] = "LINES",
	[MS_VIEWS_BY_BIN] = "BINS",    [MS_VIEWS_BY_PROCESSOR] = "PROCESSORS",
	[MS_VIEWS_BY_PATH] = "CODE",
};

enum { NAMED = 3 };

static void table_of(const struct ms_views_text_page *page, const struct ms_summary *whole,
		     const struct ms_summary_entries *entries, size_t shown,
		     const struct ms_summary_selection *selection, uint32_t tenths)
{
	struct ms_table table;

	ms_table_open(&table, page->out, MS_TABLE_TEXT, page->width, page->colour);
	ms_views_entries(whole, entries, shown, selection, tenths, &table);
	ms_table_close(&table);
}

static const char *order(const struct ms_views_options *options)
{
	return options->sort != NULL ? options->sort : "memory stall time";
}

int ms_views_text_list(struct ms_summary *s, const struct ms_views_options *options, FILE *out,
		       struct ms_err *err)
{
	struct ms_views_text_page page = ms_views_text_page_of(options, out);
	struct ms_summary_entries *entries = ms_views_list_by(s, options->by);

	if (ms_views_text_no_windows(&page, s->run))
		return MS_OK;
	if (options->by == MS_VIEWS_BY_MATRIX && options->sort == NULL) {
		ms_views_text_matrix(&page, s, options);
		ms_views_text_findings(&page, s, NULL, options);
		return MS_OK;
	}
	MS_TRY(ms_metric_sort(s, entries, options->sort, err));
	ms_views_text_title(&page, "%s by %s", titles[options->by], order(options));
	table_of(&page, s, entries, ms_views_choose(s, entries, options, false), NULL, MS_WHOLE);
	ms_views_text_findings(&page, s, NULL, options);
	return MS_OK;
}

/* "Matrix.Y, Matrix.Z and 2 more": the chosen ones, the weightiest first. */
static void add_names(struct ms_text *out, const struct ms_summary_entries *entries,
		      const bool *chosen)
{
	size_t n = 0;

	for (size_t i = 0; i < entries->at.n; i++) {
		const struct ms_summary_entry *e = &entries->at.at[i];

		if (chosen[entries->are_data ? e->data : e->code] && n++ < NAMED)
			ms_text_addf(out, "%s%s", n > 1 ? ", " : "", e->name);
	}
	if (n > NAMED)
		ms_text_addf(out, " and %zu more", n - NAMED);
}

int ms_views_text_list_part(struct ms_summary_detail *d, const struct ms_views_options *options,
			    FILE *out, struct ms_err *err)
{
	const struct ms_summary_counts *part = &d->part.total.counts,
				       *whole = &d->whole.total.counts;
	struct ms_views_text_page page = ms_views_text_page_of(options, out);
	struct ms_summary_entries *entries = ms_views_list_by(&d->part, options->by);
	struct ms_views_options all = *options;
	struct ms_text of = MS_TEXT_INIT;

	MS_TRY(ms_metric_sort(&d->part, entries, options->sort, err));
	if (all.threshold < 0)
		all.threshold = 0; /* what is small in the run may be all there is of the part */
	if (d->data != NULL) {
		ms_text_add(&of, " of ");
		add_names(&of, &d->whole.data, d->data);
	}
	if (d->code != NULL) {
		ms_text_add(&of, " in ");
		add_names(&of, &d->whole.code, d->code);
	}
	ms_views_text_title(&page, "%s by %s%s", titles[options->by], order(options),
			    ms_text_get(&of));
	ms_text_free(&of);
	table_of(&page, &d->whole, entries, ms_views_choose(&d->whole, entries, &all, false),
		 &(struct ms_summary_selection){ d->code, d->data },
		 ms_summary_share_tenths(ms_summary_rw_sum(part->stall),
					 ms_summary_rw_sum(whole->stall)));
	ms_views_text_findings(&page, &d->whole, &(struct ms_summary_selection){ d->code, d->data },
			       options);
	return MS_OK;
}
