/* views/html/members.c - members of data structures as a table of the page. */
#include "analysis/members/members.h"
#include "views/html/html_priv.h"

static void put_row(struct ms_html_packed *p, const struct ms_members *members, uint32_t data,
		    const struct ms_members_row *row)
{
	const double figures[] = { row->reads,       row->writes, row->first_misses,
				   row->last_misses, row->stall,  row->together };

	ms_html_packed_row(p);
	ms_html_packed_u64(p, data);
	ms_html_packed_u64(p, members->element);
	ms_html_packed_u64(p, row->offset);
	ms_html_packed_u64(p, row->size);
	ms_html_packed_text(p, row->name);
	ms_html_packed_text(p, row->type);
	ms_html_packed_text(p,
			    row->partner != MS_NONE ? members->rows.at[row->partner].name : NULL);
	for (size_t i = 0; i < MS_COUNT(figures); i++)
		ms_html_packed_rounded(p, figures[i]);
}

void ms_html_put_members(struct ms_html_packed *p, const struct ms_summary *summary)
{
	static const char *const numbers[] = { "data", "element", "offset", "size" };
	static const char *const texts[] = { "name", "type", "used_with" };
	static const char *const figures[] = { "reads",       "writes", "first_misses",
					       "last_misses", "stall",  "used_with_share" };

	ms_html_packed_table(p, "members");
	for (size_t i = 0; i < MS_COUNT(numbers); i++)
		ms_html_packed_column(p, "%s", numbers[i]);
	for (size_t i = 0; i < MS_COUNT(texts); i++)
		ms_html_packed_texts(p, texts[i]);
	for (size_t i = 0; i < MS_COUNT(figures); i++)
		ms_html_packed_column(p, "%s", figures[i]);
	size_t n = 0;

	for (uint32_t i = 0; i < summary->data.at.n && n < MS_HTML_MEMBERS; i++) {
		struct ms_members members;

		if (!ms_members_are_known(summary->run, summary->data.at.at[i].data))
			continue;
		ms_members_make(&members, summary, summary->data.at.at[i].data);
		for (size_t k = 0; k < members.rows.n && n < MS_HTML_MEMBERS; k++, n++)
			put_row(p, &members, i, &members.rows.at[k]);
		ms_members_free(&members);
	}
	ms_html_packed_end(p);
}
