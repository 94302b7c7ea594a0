/* views/csv/members.c - the members of data structures as CSV. */
#include "views/members.h"

#include "base/table.h"

static void put_columns(struct ms_table *table)
{
	static const char *const keys[] = {
		"data",    "element",      "offset",          "size",         "member",
		"type",    "reads",        "writes",          "first_misses", "last_misses",
		"stall",   "used_with",    "used_with_share", "bytes",        "readers",
		"writers", "true_sharing", "false_sharing",   "group"
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		ms_table_column(table, (struct ms_table_column){ .key = keys[i] });
}

void ms_views_csv_members(const struct ms_summary *summary, const struct ms_members *members,
			  size_t n, const struct ms_views_options *options, FILE *out)
{
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_table table;

	(void)options;
	ms_table_open(&table, out, MS_TABLE_CSV, 0, false);
	put_columns(&table);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < members[i].rows.n; k++) {
			const struct ms_members_row *row = &members[i].rows.at[k];

			if (row->hidden)
				continue;
			ms_table_text(&table, summary->run->data.at[members[i].data].name);
			ms_table_count(&table, members[i].element);
			ms_table_count(&table, row->offset);
			ms_table_count(&table, row->size);
			ms_table_text(&table, row->name);
			ms_table_text(&table, row->type);
			ms_table_real(&table, row->reads, 0);
			ms_table_real(&table, row->writes, 0);
			ms_table_real(&table, row->first_misses, 0);
			ms_table_real(&table, row->last_misses, 0);
			ms_table_real(&table, row->stall, 0);
			ms_table_text(&table, row->partner != MS_NONE
						      ? members[i].rows.at[row->partner].name
						      : NULL);
			ms_table_real(&table, row->together, 3);
			ms_table_real(&table, row->bytes, 0);
			ms_table_text(&table, ms_members_list_threads(&members[i],
								      row->thread_reads, &arena));
			ms_table_text(&table, ms_members_list_threads(&members[i],
								      row->thread_writes, &arena));
			ms_table_count(&table, row->truly);
			ms_table_count(&table, row->falsely);
			ms_table_count(&table, row->group);
		}
	ms_table_close(&table);
	ms_arena_free(&arena);
}
