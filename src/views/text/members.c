/* views/text/members.c - the members of data structures as text: a layout with heat. */
#include "views/members.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/num.h"
#include "base/table.h"
#include "views/text/page.h"
#include "views/text/parts.h"

static enum ms_style heat(double share)
{
	return share >= 0.25 ? MS_STYLE_HOT : share >= 0.05 ? MS_STYLE_WARM : MS_STYLE_PLAIN;
}

static bool has_threads(const struct ms_members *m)
{
	bool any = false;

	for (size_t i = 0; i < m->rows.n; i++)
		any = any || m->rows.at[i].thread_reads != NULL;
	return any;
}

static void put_columns(struct ms_table *table, bool has_threads)
{
	ms_table_column(table, (struct ms_table_column){ .head = "Line", .right = true });
	ms_table_column(table, (struct ms_table_column){ .head = "Offset", .right = true });
	ms_table_column(table, (struct ms_table_column){ .head = "Size", .right = true });
	ms_table_column(table, (struct ms_table_column){ .head = "Member", .least = 16 });
	ms_table_column(table, (struct ms_table_column){ .head = "Type", .least = 6 });
	ms_table_may_drop(table, 2);
	ms_table_column(table, (struct ms_table_column){ .head = "Stall%", .right = true });
	ms_table_column(table, (struct ms_table_column){ .head = "Reads", .right = true });
	ms_table_column(table, (struct ms_table_column){ .head = "Writes", .right = true });
	ms_table_column(table, (struct ms_table_column){ .head = "L1 misses", .right = true });
	ms_table_column(table, (struct ms_table_column){ .head = "Used with", .least = 10 });
	ms_table_may_drop(table, 1);
	if (has_threads) {
		ms_table_column(table, (struct ms_table_column){ .head = "Read by", .least = 7 });
		ms_table_column(table,
				(struct ms_table_column){ .head = "Written by", .least = 7 });
		ms_table_column(table, (struct ms_table_column){ .head = "False", .right = true });
	}
	ms_table_column(table, (struct ms_table_column){ .head = "Never" });
	ms_table_may_drop(table, 3);
}

static void put_partner(struct ms_table *table, const struct ms_members *m,
			const struct ms_members_row *row, struct ms_arena *arena)
{
	if (row->partner == MS_NONE)
		ms_table_text(table, "");
	else
		ms_table_text(table,
			      ms_arena_printf(arena, "%s %.0f%%", m->rows.at[row->partner].name,
					      100 * row->together));
}

/* Lines are numbered as if the first element began at a line. */
static void put_row(struct ms_table *table, const struct ms_members *m,
		    const struct ms_members_row *row, bool has_threads, struct ms_arena *arena)
{
	double share = m->stall > 0 ? row->stall / m->stall : 0;

	ms_table_text(table,
		      ms_arena_printf(arena, "%" PRIu32, row->offset / m->run->levels.at[0].line));
	ms_table_text(table, ms_arena_printf(arena, "%" PRIu32, row->offset));
	ms_table_text(table, ms_arena_printf(arena, "%" PRIu32, row->size));
	if (row->name == NULL) {
		ms_table_text(table, m->run->data.at[m->data].type != NULL ? "(padding)"
									   : "(not accessed)");
		ms_table_style(table, MS_STYLE_DIM);
		for (int i = has_threads ? 10 : 7; i > 0; i--)
			ms_table_text(table, "");
		return;
	}
	ms_table_text(table, row->name);
	ms_table_style(table, heat(share));
	ms_table_text(table, row->type);
	ms_table_text(table, ms_arena_printf(arena, "%.1f", 100 * share));
	ms_table_style(table, heat(share));
	ms_table_count(table, ms_round_u64(row->reads));
	ms_table_count(table, ms_round_u64(row->writes));
	ms_table_count(table, ms_round_u64(row->first_misses));
	put_partner(table, m, row, arena);
	if (has_threads) {
		ms_table_text(table, ms_members_list_threads(m, row->thread_reads, arena));
		ms_table_text(table, ms_members_list_threads(m, row->thread_writes, arena));
		ms_table_count(table, row->falsely);
	}
	ms_table_text(table, row->reads + row->writes == 0 ? "used"
			     : row->reads == 0             ? "read"
			     : row->writes == 0            ? "written"
							   : "");
}

static const char *why_not_known(const struct ms_members *m, struct ms_arena *arena)
{
	const char *type = m->run->data.at[m->data].type;

	if (!ms_members_are_observed(m->run, m->data))
		return ms_arena_printf(
			arena,
			"Not known: none of its lines were among those that were observed; "
			"`memspy run --watch '%s'` observes all.",
			m->run->data.at[m->data].name);
	if (type == NULL)
		return "Not known: its type is not known, and the distances between its accesses "
		       "do not show elements.";
	return ms_arena_printf(
		arena,
		"Not known: its type, %s, has no members that are known, or only "
		"whole elements were copied, or it is not known where elements begin "
		"in its objects.",
		type);
}

/* Which elements the members are those of, is known from accesses only. */
static void put_rest(const struct ms_views_text_page *page, const struct ms_members *m,
		     struct ms_arena *arena)
{
	const struct ms_run_data *data = &m->run->data.at[m->data];
	uint64_t rest = data->largest % m->element;

	if (data->kind == MS_DATA_HEAP && data->type != NULL && m->header == 0 &&
	    data->largest > m->element && rest > 0)
		ms_views_text_wrap(page, "",
				   ms_arena_printf(arena,
						   "Its largest object has %" PRIu64
						   " bytes more than its elements; they are taken "
						   "to be after these.",
						   rest));
}

static void put_data(const struct ms_views_text_page *page, const struct ms_members *m)
{
	const struct ms_run_data *data = &m->run->data.at[m->data];
	struct ms_arena arena = MS_ARENA_INIT;
	bool threads = has_threads(m);
	struct ms_table table;

	fputc('\n', page->out);
	ms_views_text_title(page, "MEMBERS OF %s", data->name);
	if (m->rows.n == 0) {
		ms_views_text_wrap(page, "", why_not_known(m, &arena));
		ms_arena_free(&arena);
		return;
	}
	const char *header = "";

	if (m->header > 0)
		header = ms_arena_printf(&arena, "   Header: %" PRIu32 " bytes", m->header);
	ms_views_text_line(page, "Type: %s   Element: %" PRIu32 " bytes%s",
			   data->type != NULL ? data->type : "not known", m->element, header);
	put_rest(page, m, &arena);
	ms_table_open(&table, page->out, MS_TABLE_TEXT, page->width, page->colour);
	put_columns(&table, threads);
	for (size_t i = 0; i < m->rows.n; i++)
		if (!m->rows.at[i].hidden)
			put_row(&table, m, &m->rows.at[i], threads, &arena);
	ms_table_close(&table);
	if (m->hidden > 0)
		ms_views_text_line(page, "Not shown: %zu of %zu rows, those with the least stall",
				   m->hidden, m->rows.n);
	ms_arena_free(&arena);
}

static bool any_threads(const struct ms_members *members, size_t n)
{
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any = any || has_threads(&members[i]);
	return any;
}

static void findings(const struct ms_views_text_page *page, const struct ms_summary *summary,
		     const struct ms_members *members, size_t n,
		     const struct ms_views_options *options)
{
	struct ms_arena arena = MS_ARENA_INIT;
	bool *data = ms_arena_take(&arena, (summary->run->data.n + 1) * sizeof(*data));

	for (size_t i = 0; i < n; i++)
		data[members[i].data] = true;
	ms_views_text_findings(page, summary, &(struct ms_summary_selection){ NULL, data },
			       options);
	ms_arena_free(&arena);
}

/* "unsigned int:4" */
static bool is_bits(const char *type)
{
	const char *colon = type != NULL ? strrchr(type, ':') : NULL;

	return colon != NULL && isdigit((unsigned char)colon[1]);
}

static bool any_bits(const struct ms_members *members, size_t n)
{
	bool any = false;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < members[i].rows.n; k++)
			any = any || is_bits(members[i].rows.at[k].type);
	return any;
}

void ms_views_text_members(const struct ms_summary *summary, const struct ms_members *members,
			   size_t n, const struct ms_views_options *options, FILE *out)
{
	struct ms_views_text_page page = ms_views_text_page_of(options, out);

	ms_views_text_run(&page, summary);
	for (size_t i = 0; i < n; i++)
		put_data(&page, &members[i]);
	fputc('\n', out);
	ms_views_text_wrap(
		&page, "",
		"Stall% is of the stall of all members. Where code accesses an element is "
		"estimated from some accesses. Used with: the member that is used most often "
		"while the same line is in the first level, by stall. Copies of whole elements are "
		"left out. Members of data without a known type are named after their offsets.");
	if (any_bits(members, n))
		ms_views_text_wrap(&page, "",
				   "Bit-fields have their number of bits after their type. An "
				   "access counts for all of them that have some of its bytes.");
	if (any_threads(members, n))
		ms_views_text_wrap(&page, "",
				   "Read by, Written by: threads, as in memspy threads. False: "
				   "misses by false sharing.");
	findings(&page, summary, members, n, options);
}
