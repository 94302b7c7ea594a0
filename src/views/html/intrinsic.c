/* views/html/intrinsic.c - which misses of data nothing avoids, as a table of the page. */
#include "analysis/intrinsic/intrinsic.h"

#include "views/html/tables_priv.h"

static void put_columns(struct ms_html_packed *p)
{
	static const char *const numbers[] = { "data", "level", "misses", "first" };
	static const char *const ranges[] = { "optimal", "touched" };

	for (size_t i = 0; i < MS_COUNT(numbers); i++)
		ms_html_packed_column(p, "%s", numbers[i]);
	for (size_t i = 0; i < MS_COUNT(ranges); i++) {
		ms_html_packed_column(p, "%s.misses", ranges[i]);
		ms_html_packed_column(p, "%s.low", ranges[i]);
		ms_html_packed_column(p, "%s.high", ranges[i]);
	}
	for (unsigned k = 0; k < MS_INTRINSIC_GAINS; k++)
		ms_html_packed_column(p, "avoidable.%s", ms_intrinsic_word(k));
}

static void put_range(struct ms_html_packed *p, const struct ms_intrinsic_range *range)
{
	ms_html_packed_real(p, range->value);
	ms_html_packed_real(p, range->low);
	ms_html_packed_real(p, range->high);
}

static void put_row(struct ms_html_packed *p, size_t data, size_t level,
		    const struct ms_intrinsic *i)
{
	ms_html_packed_row(p);
	ms_html_packed_u64(p, data);
	ms_html_packed_u64(p, level);
	ms_html_packed_real(p, i->misses);
	ms_html_packed_real(p, i->first);
	put_range(p, &i->optimal);
	put_range(p, &i->least);
	for (unsigned k = 0; k < MS_INTRINSIC_GAINS; k++)
		ms_html_packed_real(p, ms_intrinsic_gain(i, k));
}

void ms_html_put_intrinsic(struct ms_html_tables *t)
{
	const struct ms_summary *summary = t->s;
	const struct ms_run *run = t->run;
	struct ms_html_packed *packed = &t->packed;
	size_t most = MS_HTML_INTRINSIC >> t->wanted->shrink;

	ms_html_packed_table(packed, "intrinsic");
	put_columns(packed);
	for (size_t row = 0; row < summary->data.at.n && (row < most || t->wanted->data != MS_NONE);
	     row++) {
		const struct ms_summary_entry *e = &summary->data.at.at[row];

		if (!ms_html_wants_data(t->wanted, row))
			continue;
		for (uint32_t level = 0; level < run->levels.n; level++) {
			const uint64_t *causes = e->counts.levels[level].causes;
			struct ms_intrinsic i =
				ms_intrinsic_of_data(run, level, e->data, causes[MS_CAUSE_FIRST],
						     causes[MS_CAUSE_REPLACED]);

			if (i.known)
				put_row(packed, row, level, &i);
		}
	}
	ms_html_packed_end(packed);
}
