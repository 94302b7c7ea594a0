/* views/html/line_use.c - how lines of data structures are used and accessed, as tables of the
 * page. */
#include <math.h>

#include "analysis/line_use/access_kind.h"
#include "analysis/line_use/line_use.h"
#include "analysis/line_use/reuse.h"
#include "analysis/line_use/working_set.h"
#include "base/mem.h"
#include "views/html/tables_priv.h"

static void put_columns(struct ms_html_packed *p, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ms_html_packed_column(p, "%s", names[i]);
}

static size_t most_uses(const struct ms_html_tables *t)
{
	return t->wanted->data != MS_NONE ? SIZE_MAX
					  : (size_t)MS_HTML_LINE_USES >> t->wanted->shrink;
}

static bool is_reused(const struct ms_html_tables *t, uint32_t row)
{
	size_t most =
		t->wanted->data != MS_NONE ? SIZE_MAX : (size_t)MS_HTML_REUSED >> t->wanted->shrink;

	return row < most && ms_html_wants_data(t->wanted, row);
}

/* --- bytes --- */

static void put_use(struct ms_html_packed *p, size_t row, uint32_t level,
		    const struct ms_line_use *use)
{
	ms_html_packed_row(p);
	ms_html_packed_u64(p, row);
	ms_html_packed_u64(p, level);
	ms_html_packed_real(p, use->lines > 0 ? use->used : NAN);
	ms_html_packed_real(p, use->lines > 0 ? use->low : NAN);
	ms_html_packed_real(p, use->lines > 0 ? use->high : NAN);
	ms_html_packed_real(p, use->written_lines > 0 ? use->written : NAN);
}

static void put_uses(struct ms_html_tables *t)
{
	const struct ms_summary *summary = t->s;
	struct ms_html_packed *p = &t->packed;
	static const char *const columns[] = { "data", "level", "used_bytes",
					       "low",  "high",  "written_bytes" };
	const struct ms_run *run = summary->run;
	struct ms_line_use *uses = ms_alloc((run->data.n + 1) * sizeof(*uses));

	ms_html_packed_table(p, "line_use");
	put_columns(p, columns, MS_COUNT(columns));
	for (uint32_t level = 0; level < run->levels.n; level++) {
		if (!ms_line_use_is_observed(run, level))
			continue;
		ms_line_use_by_data(run, level, uses);
		for (size_t i = 0; i < summary->data.at.n && i < most_uses(t); i++) {
			const struct ms_line_use *use = &uses[summary->data.at.at[i].data];

			if (ms_html_wants_data(t->wanted, i) &&
			    (use->lines > 0 || use->written_lines > 0))
				put_use(p, i, level, use);
		}
	}
	ms_html_packed_end(p);
	ms_free(uses);
}

/* --- access kinds --- */

static void put_access(struct ms_html_tables *t)
{
	const struct ms_summary *summary = t->s;
	struct ms_html_packed *p = &t->packed;
	static const char *const columns[] = { "stride", "stride_share", "strides" };
	const struct ms_run *run = summary->run;
	struct ms_line_use_access *access = ms_alloc((run->data.n + 1) * sizeof(*access));

	ms_html_packed_table(p, "access");
	ms_html_packed_column(p, "data");
	ms_html_packed_texts(p, "kind");
	put_columns(p, columns, MS_COUNT(columns));
	if (run->strides.n > 0)
		ms_line_use_find_access_by_data(run, access);
	for (size_t i = 0; i < summary->data.at.n && i < most_uses(t); i++) {
		const struct ms_line_use_access *a = &access[summary->data.at.at[i].data];

		if (a->kind == MS_LINE_USE_UNKNOWN || !ms_html_wants_data(t->wanted, i))
			continue;
		ms_html_packed_row(p);
		ms_html_packed_u64(p, i);
		ms_html_packed_text(p, ms_line_use_kind_word(a->kind));
		ms_html_packed_real(p, (double)a->stride);
		ms_html_packed_real(p, a->share);
		ms_html_packed_u64(p, a->number);
	}
	ms_html_packed_end(p);
	ms_free(access);
}

/* --- other sizes of caches, and reuse: in the order of the run; rows of one data are together ---
 */

static void put_curves(struct ms_html_tables *t)
{
	const struct ms_html_rows *rows = &t->rows;
	const struct ms_run *run = t->run;
	struct ms_html_packed *p = &t->packed;
	static const char *const columns[] = { "data", "size", "misses", "low", "high" };

	double *references = ms_line_use_count_references(run);

	ms_html_packed_table(p, "miss_curves");
	put_columns(p, columns, MS_COUNT(columns));
	for (size_t i = 0; i < run->curves.n; i++) {
		struct ms_line_use_point point = ms_line_use_get_point(
			&run->curves.at[i], references[run->curves.at[i].data]);

		if (!is_reused(t, rows->data[run->curves.at[i].data]))
			continue;
		ms_html_packed_row(p);
		ms_html_packed_u64(p, rows->data[run->curves.at[i].data]);
		ms_html_packed_u64(p, point.size);
		ms_html_packed_rounded(p, point.misses);
		ms_html_packed_rounded(p, point.low);
		ms_html_packed_rounded(p, point.high);
	}
	ms_html_packed_end(p);
	ms_free(references);
}

static void put_place(struct ms_html_packed *p, const struct ms_run *run,
		      const struct ms_html_rows *rows, uint32_t line)
{
	const struct ms_run_line *l = &run->lines.at[line];

	ms_html_packed_u64(p, rows->code[l->code]);
	ms_html_packed_text(p, l->file);
	ms_html_packed_u64(p, l->line);
}

static void put_reuses(struct ms_html_tables *t)
{
	const struct ms_html_rows *rows = &t->rows;
	const struct ms_run *run = t->run;
	struct ms_html_packed *p = &t->packed;
	static const char *const ends[] = { "from", "to" };

	double *factors = ms_line_use_find_reuse_factors(run);

	ms_html_packed_table(p, "reuses");
	ms_html_packed_column(p, "data");
	for (size_t i = 0; i < MS_COUNT(ends); i++) {
		char file[16];

		snprintf(file, sizeof(file), "%s.file", ends[i]);
		ms_html_packed_column(p, "%s.code", ends[i]);
		ms_html_packed_texts(p, file);
		ms_html_packed_column(p, "%s.line", ends[i]);
	}
	ms_html_packed_column(p, "misses");
	ms_html_packed_column(p, "bytes_between");
	ms_html_packed_column(p, "bytes_between_low");
	ms_html_packed_column(p, "bytes_between_high");
	for (size_t i = 0; i < run->reuses.n; i++) {
		const struct ms_run_reuse *r = &run->reuses.at[i];

		if (!is_reused(t, rows->data[r->data]) || !(r->count > 0))
			continue;
		struct ms_line_use_distance between = ms_line_use_get_distance(run, r);
		ms_html_packed_row(p);
		ms_html_packed_u64(p, rows->data[r->data]);
		put_place(p, run, rows, r->from_line);
		put_place(p, run, rows, r->to_line);
		ms_html_packed_rounded(p, factors[r->data] * r->count);
		ms_html_packed_rounded(p, between.bytes);
		ms_html_packed_rounded(p, between.low);
		ms_html_packed_rounded(p, between.high);
	}
	ms_html_packed_end(p);
	ms_free(factors);
}

void ms_html_put_line_use(struct ms_html_tables *t)
{
	put_uses(t);
	put_access(t);
	put_curves(t);
	put_reuses(t);
}
